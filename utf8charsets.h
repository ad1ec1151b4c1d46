/* utf8charsets.h: the charsets, one in each row. Written by
** tool/charsets.py from the WHATWG Encoding Standard's labels in npm's text-encoding 0.7.0 and
** PyPI's webencodings 0.5.1, and from the names and aliases of Python 3.11's codecs.
**
**     #define CHARSET_NAME(id, name, aliases, kind, source) name,
**     static const char *const names[] = {UTF8_CHARSET_LIST(CHARSET_NAME)};
**
** id        the enumerator's name
** name      as SQL shows it
** aliases   other names, separated by commas. Names are compared without case, '-' and '_';
**           no two names are equal then
** kind      UNICODE, DIALECT (of UTF-8), SINGLE_BYTE (00..7F are ASCII), SINGLE_BYTE_OTHER,
**           MULTI_BYTE
** source    the specification or the codec that defines it
*/
#ifndef UTF8CHARSETS_H
#define UTF8CHARSETS_H

/* clang-format off */
#define UTF8_CHARSET_LIST(X) \
  X(UTF8, "utf-8", "unicode-1-1-utf-8,unicode20utf8,x-unicode20utf8,cp65001,u8,utf,utf8-ucs2,utf8-ucs4", UNICODE, "RFC 3629") \
  X(UTF8BOM, "utf-8-bom", "utf-8-sig", UNICODE, "RFC 3629") \
  X(UTF16, "utf-16", "u16", UNICODE, "RFC 2781") \
  X(UTF16LE, "utf-16le", "csunicode,iso-10646-ucs-2,ucs-2,unicode,unicodefeff,unicodelittleunmarked", UNICODE, "RFC 2781") \
  X(UTF16BE, "utf-16be", "unicodefffe,unicodebigunmarked", UNICODE, "RFC 2781") \
  X(UTF32, "utf-32", "u32", UNICODE, "Unicode D101") \
  X(UTF32LE, "utf-32le", "", UNICODE, "Unicode D100") \
  X(UTF32BE, "utf-32be", "", UNICODE, "Unicode D99") \
  X(LATIN1, "iso-8859-1", "latin1,cp819,csisolatin1,ibm819,iso-ir-100,iso_8859-1:1987,l1,8859,iso8859,iso-8859-1-1987,latin", SINGLE_BYTE, "ISO 8859-1") \
  X(WINDOWS1252, "windows-1252", "cp1252,x-cp1252,1252", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ASCII, "ascii", "us-ascii,ansi_x3.4-1968,646,ansi-x3.4-1986,ansi-x3-4-1968,cp367,csascii,ibm367,iso646-us,iso-646.irv-1991,iso-ir-6,us", SINGLE_BYTE, "RFC 20") \
  X(RFC2044, "rfc2044", "", DIALECT, "RFC 2044") \
  X(CESU8, "cesu-8", "", DIALECT, "UTR 26") \
  X(MUTF8, "mutf-8", "", DIALECT, "Java Virtual Machine Specification 4.4.7") \
  X(WTF8, "wtf-8", "", DIALECT, "WTF-8") \
  X(IBM866, "ibm866", "866,cp866,csibm866", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_2, "iso-8859-2", "csisolatin2,iso-ir-101,iso_8859-2:1987,l2,latin2,iso-8859-2-1987", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_3, "iso-8859-3", "csisolatin3,iso-ir-109,iso_8859-3:1988,l3,latin3,iso-8859-3-1988", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_4, "iso-8859-4", "csisolatin4,iso-ir-110,iso_8859-4:1988,l4,latin4,iso-8859-4-1988", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_5, "iso-8859-5", "csisolatincyrillic,cyrillic,iso-ir-144,iso_8859-5:1988,iso-8859-5-1988", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_6, "iso-8859-6", "arabic,asmo-708,csiso88596e,csiso88596i,csisolatinarabic,ecma-114,iso-8859-6-e,iso-8859-6-i,iso-ir-127,iso_8859-6:1987,iso-8859-6-1987", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_7, "iso-8859-7", "csisolatingreek,ecma-118,elot_928,greek,greek8,iso-ir-126,iso_8859-7:1987,sun_eu_greek,iso-8859-7-1987", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_8, "iso-8859-8", "csiso88598e,csisolatinhebrew,hebrew,iso-8859-8-e,iso-ir-138,iso_8859-8:1988,visual,iso-8859-8-1988", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_8_I, "iso-8859-8-i", "csiso88598i,logical", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_10, "iso-8859-10", "csisolatin6,iso-ir-157,l6,latin6,iso-8859-10-1992", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_13, "iso-8859-13", "l7,latin7", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_14, "iso-8859-14", "iso-8859-14-1998,iso-celtic,iso-ir-199,l8,latin8", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_15, "iso-8859-15", "csisolatin9,l9,latin9", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_16, "iso-8859-16", "iso-8859-16-2001,iso-ir-226,l10,latin10", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(KOI8_R, "koi8-r", "cskoi8r,koi,koi8", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(KOI8_U, "koi8-u", "koi8-ru", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(MACINTOSH, "macintosh", "csmacintosh,mac,x-mac-roman,mac-roman", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS874, "windows-874", "dos-874,iso-8859-11,tis-620,iso-8859-11-2001,thai,iso-ir-166,tis-620-0,tis-620-2529-0,tis-620-2529-1,cp874", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1250, "windows-1250", "cp1250,x-cp1250,1250", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1251, "windows-1251", "cp1251,x-cp1251,1251", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1253, "windows-1253", "cp1253,x-cp1253,1253", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1254, "windows-1254", "cp1254,csisolatin5,iso-8859-9,iso-ir-148,iso_8859-9:1989,l5,latin5,x-cp1254,1254,iso-8859-9-1989", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1255, "windows-1255", "cp1255,x-cp1255,1255", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1256, "windows-1256", "cp1256,x-cp1256,1256", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1257, "windows-1257", "cp1257,x-cp1257,1257", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1258, "windows-1258", "cp1258,x-cp1258,1258", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(X_MAC_CYRILLIC, "x-mac-cyrillic", "x-mac-ukrainian,mac-cyrillic", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(GBK, "gbk", "chinese,csgb2312,csiso58gb231280,gb2312,gb_2312-80,iso-ir-58,x-gbk,936,cp936,ms936,euc-cn,eucgb2312-cn,gb2312-1980,x-mac-simp-chinese", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(GB18030, "gb18030", "gb18030-2000", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(BIG5, "big5", "big5-hkscs,cn-big5,csbig5,x-x-big5,big5-tw,x-mac-trad-chinese,hkscs,cp950,950,ms950", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(EUC_JP, "euc-jp", "cseucpkdfmtjapanese,x-euc-jp,u-jis", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(ISO2022_JP, "iso-2022-jp", "csiso2022jp", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(SHIFT_JIS, "shift_jis", "csshiftjis,ms932,ms_kanji,sjis,windows-31j,x-sjis,x-mac-japanese,cp932,932", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(EUC_KR, "euc-kr", "cseuckr,csksc56011987,iso-ir-149,korean,ks_c_5601-1987,ks_c_5601-1989,ksc5601,windows-949,ks-x-1001,x-mac-korean,cp949,949,ms949,uhc", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(CP437, "cp437", "437,cspc8codepage437,ibm437", SINGLE_BYTE, "Python's codec cp437") \
  X(CP720, "cp720", "", SINGLE_BYTE, "Python's codec cp720") \
  X(CP737, "cp737", "", SINGLE_BYTE, "Python's codec cp737") \
  X(CP775, "cp775", "775,cspc775baltic,ibm775", SINGLE_BYTE, "Python's codec cp775") \
  X(CP850, "cp850", "850,cspc850multilingual,ibm850", SINGLE_BYTE, "Python's codec cp850") \
  X(CP852, "cp852", "852,cspcp852,ibm852", SINGLE_BYTE, "Python's codec cp852") \
  X(CP855, "cp855", "855,csibm855,ibm855", SINGLE_BYTE, "Python's codec cp855") \
  X(CP856, "cp856", "", SINGLE_BYTE, "Python's codec cp856") \
  X(CP857, "cp857", "857,csibm857,ibm857", SINGLE_BYTE, "Python's codec cp857") \
  X(CP858, "cp858", "858,csibm858,ibm858", SINGLE_BYTE, "Python's codec cp858") \
  X(CP860, "cp860", "860,csibm860,ibm860", SINGLE_BYTE, "Python's codec cp860") \
  X(CP861, "cp861", "861,cp-is,csibm861,ibm861", SINGLE_BYTE, "Python's codec cp861") \
  X(CP862, "cp862", "862,cspc862latinhebrew,ibm862", SINGLE_BYTE, "Python's codec cp862") \
  X(CP863, "cp863", "863,csibm863,ibm863", SINGLE_BYTE, "Python's codec cp863") \
  X(CP864, "cp864", "864,csibm864,ibm864", SINGLE_BYTE_OTHER, "Python's codec cp864") \
  X(CP865, "cp865", "865,csibm865,ibm865", SINGLE_BYTE, "Python's codec cp865") \
  X(CP869, "cp869", "869,cp-gr,csibm869,ibm869", SINGLE_BYTE, "Python's codec cp869") \
  X(CP1006, "cp1006", "", SINGLE_BYTE, "Python's codec cp1006") \
  X(CP1125, "cp1125", "1125,cp866u,ibm1125,ruscii", SINGLE_BYTE, "Python's codec cp1125") \
  X(HP_ROMAN8, "hp-roman8", "cp1051,cshproman8,ibm1051,r8,roman8", SINGLE_BYTE, "Python's codec hp_roman8") \
  X(KZ1048, "kz1048", "rk1048,strk1048-2002", SINGLE_BYTE, "Python's codec kz1048") \
  X(KOI8_T, "koi8-t", "", SINGLE_BYTE, "Python's codec koi8_t") \
  X(MAC_ARABIC, "mac-arabic", "", SINGLE_BYTE, "Python's codec mac_arabic") \
  X(MAC_CROATIAN, "mac-croatian", "", SINGLE_BYTE, "Python's codec mac_croatian") \
  X(MAC_FARSI, "mac-farsi", "", SINGLE_BYTE, "Python's codec mac_farsi") \
  X(MAC_GREEK, "mac-greek", "", SINGLE_BYTE, "Python's codec mac_greek") \
  X(MAC_ICELAND, "mac-iceland", "", SINGLE_BYTE, "Python's codec mac_iceland") \
  X(MAC_LATIN2, "mac-latin2", "mac-centeuro,maccentraleurope", SINGLE_BYTE, "Python's codec mac_latin2") \
  X(MAC_ROMANIAN, "mac-romanian", "", SINGLE_BYTE, "Python's codec mac_romanian") \
  X(MAC_TURKISH, "mac-turkish", "", SINGLE_BYTE, "Python's codec mac_turkish") \
  X(PTCP154, "ptcp154", "cp154,csptcp154,cyrillic-asian,pt154", SINGLE_BYTE, "Python's codec ptcp154") \
  X(CP037, "cp037", "037,csibm037,ebcdic-cp-ca,ebcdic-cp-nl,ebcdic-cp-us,ebcdic-cp-wt,ibm037,ibm039", SINGLE_BYTE_OTHER, "Python's codec cp037") \
  X(CP273, "cp273", "273,csibm273,ibm273", SINGLE_BYTE_OTHER, "Python's codec cp273") \
  X(CP424, "cp424", "424,csibm424,ebcdic-cp-he,ibm424", SINGLE_BYTE_OTHER, "Python's codec cp424") \
  X(CP500, "cp500", "500,csibm500,ebcdic-cp-be,ebcdic-cp-ch,ibm500", SINGLE_BYTE_OTHER, "Python's codec cp500") \
  X(CP875, "cp875", "", SINGLE_BYTE_OTHER, "Python's codec cp875") \
  X(CP1026, "cp1026", "1026,csibm1026,ibm1026", SINGLE_BYTE_OTHER, "Python's codec cp1026") \
  X(CP1140, "cp1140", "1140,ibm1140", SINGLE_BYTE_OTHER, "Python's codec cp1140")
/* clang-format on */

#endif
