/* utf8charsets.h: the charsets, one in each row. Written by
** tool/charsets.py from the WHATWG Encoding Standard's labels in npm's text-encoding 0.7.0 and
** PyPI's webencodings 0.5.1, from the names and aliases of Python 3.11's codecs, and from
** tool/pages.tsv and tool/aliases.txt, which have those of glibc and others.
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
#ifndef UTF8_CORE_UTF8CHARSETS_H
#define UTF8_CORE_UTF8CHARSETS_H

/* clang-format off */
#define UTF8_CHARSET_LIST(X) UTF8_CHARSET_UNICODE_LIST(X) UTF8_CHARSET_LEGACY_LIST(X)

/* Every build has these: charset/unicode.c converts them. */
#define UTF8_CHARSET_UNICODE_LIST(X) \
  X(UTF8, "utf-8", "unicode-1-1-utf-8,unicode20utf8,x-unicode20utf8,cp65001,u8,utf,utf8-ucs2,utf8-ucs4,utf8mb4,utf8mb3,al32utf8", UNICODE, "RFC 3629") \
  X(UTF8BOM, "utf-8-bom", "utf-8-sig", UNICODE, "RFC 3629") \
  X(UTF16, "utf-16", "u16", UNICODE, "RFC 2781") \
  X(UTF16LE, "utf-16le", "csunicode,iso-10646-ucs-2,ucs-2,unicode,unicodefeff,unicodelittleunmarked,cp1200", UNICODE, "RFC 2781") \
  X(UTF16BE, "utf-16be", "unicodefffe,unicodebigunmarked,cp1201,al16utf16", UNICODE, "RFC 2781") \
  X(UTF32, "utf-32", "u32", UNICODE, "Unicode D101") \
  X(UTF32LE, "utf-32le", "cp12000", UNICODE, "Unicode D100") \
  X(UTF32BE, "utf-32be", "cp12001", UNICODE, "Unicode D99") \
  X(LATIN1, "iso-8859-1", "latin1,cp819,csisolatin1,ibm819,iso-ir-100,iso_8859-1:1987,l1,8859,iso8859,iso-8859-1-1987,latin,cp28591,we8iso8859p1", SINGLE_BYTE, "ISO 8859-1") \
  X(WINDOWS1252, "windows-1252", "cp1252,x-cp1252,1252,ms-ansi,we8mswin1252", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ASCII, "ascii", "us-ascii,ansi_x3.4-1968,646,ansi-x3.4-1986,ansi-x3-4-1968,cp367,csascii,ibm367,iso646-us,iso-646.irv-1991,iso-ir-6,us,ibm903,cp903,csibm903,cp20127,us7ascii", SINGLE_BYTE, "RFC 20") \
  X(RFC2044, "rfc2044", "", DIALECT, "RFC 2044") \
  X(CESU8, "cesu-8", "", DIALECT, "UTR 26") \
  X(MUTF8, "mutf-8", "", DIALECT, "Java Virtual Machine Specification 4.4.7") \
  X(WTF8, "wtf-8", "", DIALECT, "WTF-8")

/* A small build leaves these out: charset/legacy/ converts them. */
#define UTF8_CHARSET_LEGACY_LIST(X) \
  X(IBM866, "ibm866", "866,cp866,csibm866", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_2, "iso-8859-2", "csisolatin2,iso-ir-101,iso_8859-2:1987,l2,latin2,iso-8859-2-1987,cp28592,ee8iso8859p2", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_3, "iso-8859-3", "csisolatin3,iso-ir-109,iso_8859-3:1988,l3,latin3,iso-8859-3-1988,cp28593", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_4, "iso-8859-4", "csisolatin4,iso-ir-110,iso_8859-4:1988,l4,latin4,iso-8859-4-1988,cp28594", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_5, "iso-8859-5", "csisolatincyrillic,cyrillic,iso-ir-144,iso_8859-5:1988,iso-8859-5-1988,cp28595,cl8iso8859p5", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_6, "iso-8859-6", "arabic,asmo-708,csiso88596e,csiso88596i,csisolatinarabic,ecma-114,iso-8859-6-e,iso-8859-6-i,iso-ir-127,iso_8859-6:1987,iso-8859-6-1987,cp28596", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_7, "iso-8859-7", "csisolatingreek,ecma-118,elot_928,greek,greek8,iso-ir-126,iso_8859-7:1987,sun_eu_greek,iso-8859-7-1987,cp28597", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_8, "iso-8859-8", "csiso88598e,csisolatinhebrew,hebrew,iso-8859-8-e,iso-ir-138,iso_8859-8:1988,visual,iso-8859-8-1988,cp28598", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_8_I, "iso-8859-8-i", "csiso88598i,logical,cp38598", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_10, "iso-8859-10", "csisolatin6,iso-ir-157,l6,latin6,iso-8859-10-1992", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_13, "iso-8859-13", "l7,latin7,ibm921,cp921,csibm921,cp28603", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_14, "iso-8859-14", "iso-8859-14-1998,iso-celtic,iso-ir-199,l8,latin8", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_15, "iso-8859-15", "csisolatin9,l9,latin9,cp28605,we8iso8859p15", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(ISO8859_16, "iso-8859-16", "iso-8859-16-2001,iso-ir-226,l10,latin10", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(KOI8_R, "koi8-r", "cskoi8r,koi,koi8,cp20866,cl8koi8r", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(KOI8_U, "koi8-u", "koi8-ru,cp21866", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(MACINTOSH, "macintosh", "csmacintosh,mac,x-mac-roman,mac-roman,cp10000", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS874, "windows-874", "dos-874,iso-8859-11,tis-620,iso-8859-11-2001,thai,iso-ir-166,tis-620-0,tis-620-2529-0,tis-620-2529-1,cp874,ibm1162,cp1162,csibm11621162", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1250, "windows-1250", "cp1250,x-cp1250,1250,ms-ee,ee8mswin1250", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1251, "windows-1251", "cp1251,x-cp1251,1251,ibm5347,cp5347,csibm5347,ms-cyrl,cl8mswin1251", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1253, "windows-1253", "cp1253,x-cp1253,1253,ms-greek", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1254, "windows-1254", "cp1254,csisolatin5,iso-8859-9,iso-ir-148,iso_8859-9:1989,l5,latin5,x-cp1254,1254,iso-8859-9-1989,ms-turk,cp28599", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1255, "windows-1255", "cp1255,x-cp1255,1255,ms-hebr", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1256, "windows-1256", "cp1256,x-cp1256,1256,ibm9448,cp9448,csibm9448,ms-arab", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1257, "windows-1257", "cp1257,x-cp1257,1257,winbaltrim", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(WINDOWS1258, "windows-1258", "cp1258,x-cp1258,1258", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(X_MAC_CYRILLIC, "x-mac-cyrillic", "x-mac-ukrainian,mac-cyrillic,cp10007,cp10017,ms-mac-cyrillic", SINGLE_BYTE, "WHATWG Encoding Standard") \
  X(GBK, "gbk", "chinese,csgb2312,csiso58gb231280,gb2312,gb_2312-80,iso-ir-58,x-gbk,936,cp936,ms936,euc-cn,eucgb2312-cn,gb2312-1980,x-mac-simp-chinese,cn-gb,windows-936,cp51936,cp10008,zhs16gbk", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(GB18030, "gb18030", "gb18030-2000,cp54936,gb18030-2005,gb18030-2022,zhs32gb18030", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(BIG5, "big5", "cn-big5,csbig5,x-x-big5,big5-tw,x-mac-trad-chinese,cp950,950,ms950,big-five,cp10002,zht16mswin950", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(EUC_JP, "euc-jp", "cseucpkdfmtjapanese,x-euc-jp,u-jis,cp51932,cp20932,ja16euc", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(ISO2022_JP, "iso-2022-jp", "csiso2022jp,cp50220,cp50221,cp50222", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(SHIFT_JIS, "shift_jis", "csshiftjis,ms932,ms_kanji,sjis,windows-31j,x-sjis,x-mac-japanese,cp932,932,cp10001,sjis-win,sjis-open,ja16sjis", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(EUC_KR, "euc-kr", "cseuckr,csksc56011987,iso-ir-149,korean,ks_c_5601-1987,ks_c_5601-1989,ksc5601,windows-949,ks-x-1001,x-mac-korean,cp949,949,ms949,uhc,cp51949,cp20949,cp10003,ko16mswin949,ko16ksc5601", MULTI_BYTE, "WHATWG Encoding Standard") \
  X(CP437, "cp437", "437,cspc8codepage437,ibm437", SINGLE_BYTE, "Python's codec cp437") \
  X(CP720, "cp720", "", SINGLE_BYTE, "Python's codec cp720") \
  X(CP737, "cp737", "", SINGLE_BYTE, "Python's codec cp737") \
  X(CP775, "cp775", "775,cspc775baltic,ibm775", SINGLE_BYTE, "Python's codec cp775") \
  X(CP850, "cp850", "850,cspc850multilingual,ibm850", SINGLE_BYTE, "Python's codec cp850") \
  X(CP852, "cp852", "852,cspcp852,ibm852", SINGLE_BYTE, "Python's codec cp852") \
  X(CP855, "cp855", "855,csibm855,ibm855", SINGLE_BYTE, "Python's codec cp855") \
  X(CP856, "cp856", "ibm856,856,csibm856", SINGLE_BYTE, "Python's codec cp856") \
  X(CP857, "cp857", "857,csibm857,ibm857", SINGLE_BYTE, "Python's codec cp857") \
  X(CP858, "cp858", "858,csibm858,ibm858,cspc858multilingual", SINGLE_BYTE, "Python's codec cp858") \
  X(CP860, "cp860", "860,csibm860,ibm860", SINGLE_BYTE, "Python's codec cp860") \
  X(CP861, "cp861", "861,cp-is,csibm861,ibm861,cpibm861", SINGLE_BYTE, "Python's codec cp861") \
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
  X(MAC_ARABIC, "mac-arabic", "cp10004", SINGLE_BYTE, "Python's codec mac_arabic") \
  X(MAC_CROATIAN, "mac-croatian", "cp10082", SINGLE_BYTE, "Python's codec mac_croatian") \
  X(MAC_FARSI, "mac-farsi", "", SINGLE_BYTE, "Python's codec mac_farsi") \
  X(MAC_GREEK, "mac-greek", "cp10006", SINGLE_BYTE, "Python's codec mac_greek") \
  X(MAC_ICELAND, "mac-iceland", "cp10079", SINGLE_BYTE, "Python's codec mac_iceland") \
  X(MAC_LATIN2, "mac-latin2", "mac-centeuro,maccentraleurope,cp10029,macce,cp1282", SINGLE_BYTE, "Python's codec mac_latin2") \
  X(MAC_ROMANIAN, "mac-romanian", "cp10010", SINGLE_BYTE, "Python's codec mac_romanian") \
  X(MAC_TURKISH, "mac-turkish", "cp10081", SINGLE_BYTE, "Python's codec mac_turkish") \
  X(PTCP154, "ptcp154", "cp154,csptcp154,cyrillic-asian,pt154", SINGLE_BYTE, "Python's codec ptcp154") \
  X(CP037, "cp037", "037,csibm037,ebcdic-cp-ca,ebcdic-cp-nl,ebcdic-cp-us,ebcdic-cp-wt,ibm037,ibm039,cp282,cp1070", SINGLE_BYTE_OTHER, "Python's codec cp037") \
  X(CP273, "cp273", "273,csibm273,ibm273,cp20273", SINGLE_BYTE_OTHER, "Python's codec cp273") \
  X(CP424, "cp424", "424,csibm424,ebcdic-cp-he,ibm424,cp20424", SINGLE_BYTE_OTHER, "Python's codec cp424") \
  X(CP500, "cp500", "500,csibm500,ebcdic-cp-be,ebcdic-cp-ch,ibm500,500v1,cp1084", SINGLE_BYTE_OTHER, "Python's codec cp500") \
  X(CP875, "cp875", "ibm875,ebcdic-greek", SINGLE_BYTE_OTHER, "Python's codec cp875") \
  X(CP1026, "cp1026", "1026,csibm1026,ibm1026", SINGLE_BYTE_OTHER, "Python's codec cp1026") \
  X(CP1140, "cp1140", "1140,ibm1140,csibm1140", SINGLE_BYTE_OTHER, "Python's codec cp1140") \
  X(ARMSCII_8, "armscii-8", "", SINGLE_BYTE, "glibc's ARMSCII-8") \
  X(ISO646_GB, "iso646-gb", "bs_4730,csiso4unitedkingdom,iso-ir-4", SINGLE_BYTE_OTHER, "glibc's BS_4730") \
  X(CP770, "cp770", "ibm770", SINGLE_BYTE, "glibc's CP770") \
  X(CP771, "cp771", "ibm771", SINGLE_BYTE, "glibc's CP771") \
  X(CP772, "cp772", "ibm772", SINGLE_BYTE, "glibc's CP772") \
  X(CP773, "cp773", "ibm773", SINGLE_BYTE, "glibc's CP773") \
  X(CP774, "cp774", "ibm774", SINGLE_BYTE, "glibc's CP774") \
  X(ISO646_CA, "iso646-ca", "csa_z243.4-1985-1,csa7-1,csiso121canadian1,iso-ir-121", SINGLE_BYTE_OTHER, "glibc's CSA_Z243.4-1985-1") \
  X(ISO646_CA2, "iso646-ca2", "csa_z243.4-1985-2,csa7-2,csiso122canadian2,iso-ir-122", SINGLE_BYTE_OTHER, "glibc's CSA_Z243.4-1985-2") \
  X(ISO646_DE, "iso646-de", "din_66003,csiso21german,iso-ir-21", SINGLE_BYTE_OTHER, "glibc's DIN_66003") \
  X(ISO646_DK, "iso646-dk", "ds_2089,csiso646danish", SINGLE_BYTE_OTHER, "glibc's DS_2089") \
  X(EBCDIC_AT_DE, "ebcdic-at-de", "csebcdicatde", SINGLE_BYTE_OTHER, "glibc's EBCDIC-AT-DE") \
  X(EBCDIC_AT_DE_A, "ebcdic-at-de-a", "csebcdicatdea", SINGLE_BYTE_OTHER, "glibc's EBCDIC-AT-DE-A") \
  X(EBCDIC_CA_FR, "ebcdic-ca-fr", "csebcdiccafr", SINGLE_BYTE_OTHER, "glibc's EBCDIC-CA-FR") \
  X(EBCDIC_DK_NO, "ebcdic-dk-no", "csebcdicdkno", SINGLE_BYTE_OTHER, "glibc's EBCDIC-DK-NO") \
  X(EBCDIC_DK_NO_A, "ebcdic-dk-no-a", "csebcdicdknoa", SINGLE_BYTE_OTHER, "glibc's EBCDIC-DK-NO-A") \
  X(EBCDIC_ES, "ebcdic-es", "csebcdices", SINGLE_BYTE_OTHER, "glibc's EBCDIC-ES") \
  X(EBCDIC_ES_A, "ebcdic-es-a", "csebcdicesa", SINGLE_BYTE_OTHER, "glibc's EBCDIC-ES-A") \
  X(EBCDIC_ES_S, "ebcdic-es-s", "csebcdicess", SINGLE_BYTE_OTHER, "glibc's EBCDIC-ES-S") \
  X(EBCDIC_FI_SE, "ebcdic-fi-se", "csebcdicfise", SINGLE_BYTE_OTHER, "glibc's EBCDIC-FI-SE") \
  X(EBCDIC_FI_SE_A, "ebcdic-fi-se-a", "csebcdicfisea", SINGLE_BYTE_OTHER, "glibc's EBCDIC-FI-SE-A") \
  X(EBCDIC_FR, "ebcdic-fr", "csebcdicfr", SINGLE_BYTE_OTHER, "glibc's EBCDIC-FR") \
  X(EBCDIC_IS_FRISS, "ebcdic-is-friss", "", SINGLE_BYTE_OTHER, "glibc's EBCDIC-IS-FRISS") \
  X(EBCDIC_IT, "ebcdic-it", "csebcdicit", SINGLE_BYTE_OTHER, "glibc's EBCDIC-IT") \
  X(EBCDIC_PT, "ebcdic-pt", "csebcdicpt", SINGLE_BYTE_OTHER, "glibc's EBCDIC-PT") \
  X(EBCDIC_UK, "ebcdic-uk", "csebcdicuk", SINGLE_BYTE_OTHER, "glibc's EBCDIC-UK") \
  X(EBCDIC_US, "ebcdic-us", "csebcdicus", SINGLE_BYTE_OTHER, "glibc's EBCDIC-US") \
  X(ISOIR_111, "iso-ir-111", "ecma-cyrillic,csiso111ecmacyrillic,koi8-e", SINGLE_BYTE, "glibc's ECMA-CYRILLIC") \
  X(ISO646_ES, "iso646-es", "csiso17spanish,iso-ir-17", SINGLE_BYTE_OTHER, "glibc's ES") \
  X(ISO646_ES2, "iso646-es2", "csiso85spanish2,iso-ir-85", SINGLE_BYTE_OTHER, "glibc's ES2") \
  X(ISO646_CN, "iso646-cn", "gb_1988-80,csiso58gb1988,iso-ir-57", SINGLE_BYTE_OTHER, "glibc's GB_1988-80") \
  X(GEORGIAN_ACADEMY, "georgian-academy", "", SINGLE_BYTE, "glibc's GEORGIAN-ACADEMY") \
  X(GEORGIAN_PS, "georgian-ps", "geostd8", SINGLE_BYTE, "glibc's GEORGIAN-PS") \
  X(CP038, "cp038", "ibm038,csibm038,ebcdic-int", SINGLE_BYTE_OTHER, "glibc's IBM038") \
  X(CP1004, "cp1004", "ibm1004,os2latin1", SINGLE_BYTE, "glibc's IBM1004") \
  X(CP1008, "cp1008", "ibm1008,csibm1008", SINGLE_BYTE, "glibc's IBM1008") \
  X(CP1025, "cp1025", "ibm1025,csibm1025,cp21025", SINGLE_BYTE_OTHER, "glibc's IBM1025") \
  X(CP1046, "cp1046", "ibm1046,1046", SINGLE_BYTE, "glibc's IBM1046") \
  X(CP1047, "cp1047", "ibm1047,1047", SINGLE_BYTE_OTHER, "glibc's IBM1047") \
  X(CP1097, "cp1097", "ibm1097,csibm1097", SINGLE_BYTE_OTHER, "glibc's IBM1097") \
  X(CP1112, "cp1112", "ibm1112,csibm1112", SINGLE_BYTE_OTHER, "glibc's IBM1112") \
  X(CP1122, "cp1122", "ibm1122,csibm1122", SINGLE_BYTE_OTHER, "glibc's IBM1122") \
  X(CP1123, "cp1123", "ibm1123,csibm1123", SINGLE_BYTE_OTHER, "glibc's IBM1123") \
  X(CP1124, "cp1124", "ibm1124,csibm1124", SINGLE_BYTE, "glibc's IBM1124") \
  X(CP1129, "cp1129", "ibm1129,csibm1129", SINGLE_BYTE, "glibc's IBM1129") \
  X(CP1130, "cp1130", "ibm1130,csibm1130", SINGLE_BYTE_OTHER, "glibc's IBM1130") \
  X(CP1132, "cp1132", "ibm1132,csibm1132", SINGLE_BYTE_OTHER, "glibc's IBM1132") \
  X(CP1133, "cp1133", "ibm1133,csibm1133", SINGLE_BYTE, "glibc's IBM1133") \
  X(CP1137, "cp1137", "ibm1137,csibm1137", SINGLE_BYTE_OTHER, "glibc's IBM1137") \
  X(CP1141, "cp1141", "ibm1141,csibm1141", SINGLE_BYTE_OTHER, "glibc's IBM1141") \
  X(CP1142, "cp1142", "ibm1142,csibm1142", SINGLE_BYTE_OTHER, "glibc's IBM1142") \
  X(CP1143, "cp1143", "ibm1143,csibm1143", SINGLE_BYTE_OTHER, "glibc's IBM1143") \
  X(CP1144, "cp1144", "ibm1144,csibm1144", SINGLE_BYTE_OTHER, "glibc's IBM1144") \
  X(CP1145, "cp1145", "ibm1145,csibm1145", SINGLE_BYTE_OTHER, "glibc's IBM1145") \
  X(CP1146, "cp1146", "ibm1146,csibm1146", SINGLE_BYTE_OTHER, "glibc's IBM1146") \
  X(CP1147, "cp1147", "ibm1147,csibm1147", SINGLE_BYTE_OTHER, "glibc's IBM1147") \
  X(CP1148, "cp1148", "ibm1148,csibm1148", SINGLE_BYTE_OTHER, "glibc's IBM1148") \
  X(CP1149, "cp1149", "ibm1149,csibm1149", SINGLE_BYTE_OTHER, "glibc's IBM1149") \
  X(CP1153, "cp1153", "ibm1153,csibm1153", SINGLE_BYTE_OTHER, "glibc's IBM1153") \
  X(CP1154, "cp1154", "ibm1154,csibm1154", SINGLE_BYTE_OTHER, "glibc's IBM1154") \
  X(CP1155, "cp1155", "ibm1155,csibm1155", SINGLE_BYTE_OTHER, "glibc's IBM1155") \
  X(CP1156, "cp1156", "ibm1156,csibm1156", SINGLE_BYTE_OTHER, "glibc's IBM1156") \
  X(CP1157, "cp1157", "ibm1157,csibm1157", SINGLE_BYTE_OTHER, "glibc's IBM1157") \
  X(CP1158, "cp1158", "ibm1158,csibm1158", SINGLE_BYTE_OTHER, "glibc's IBM1158") \
  X(CP1160, "cp1160", "ibm1160,csibm1160", SINGLE_BYTE_OTHER, "glibc's IBM1160") \
  X(CP1161, "cp1161", "ibm1161,csibm1161", SINGLE_BYTE_OTHER, "glibc's IBM1161") \
  X(CP1163, "cp1163", "ibm1163,csibm1163", SINGLE_BYTE, "glibc's IBM1163") \
  X(CP1164, "cp1164", "ibm1164,csibm1164", SINGLE_BYTE_OTHER, "glibc's IBM1164") \
  X(CP1166, "cp1166", "ibm1166,csibm1166", SINGLE_BYTE_OTHER, "glibc's IBM1166") \
  X(CP1167, "cp1167", "ibm1167,csibm1167", SINGLE_BYTE, "glibc's IBM1167") \
  X(CP12712, "cp12712", "ibm12712,csibm12712", SINGLE_BYTE_OTHER, "glibc's IBM12712") \
  X(CP16804, "cp16804", "ibm16804,csibm16804", SINGLE_BYTE_OTHER, "glibc's IBM16804") \
  X(EBCDIC_INT1, "ebcdic-int1", "ibm256,cp256", SINGLE_BYTE_OTHER, "glibc's IBM256") \
  X(CP274, "cp274", "ibm274,csibm274,ebcdic-be", SINGLE_BYTE_OTHER, "glibc's IBM274") \
  X(CP275, "cp275", "ibm275,csibm275,ebcdic-br", SINGLE_BYTE_OTHER, "glibc's IBM275") \
  X(CP277, "cp277", "ibm277,csibm277,ebcdic-cp-dk,ebcdic-cp-no,cp20277", SINGLE_BYTE_OTHER, "glibc's IBM277") \
  X(CP278, "cp278", "ibm278,csibm278,ebcdic-cp-fi,ebcdic-cp-se,cp20278", SINGLE_BYTE_OTHER, "glibc's IBM278") \
  X(CP280, "cp280", "ibm280,csibm280,ebcdic-cp-it,cp20280", SINGLE_BYTE_OTHER, "glibc's IBM280") \
  X(CP281, "cp281", "ibm281,csibm281,ebcdic-jp-e", SINGLE_BYTE_OTHER, "glibc's IBM281") \
  X(CP284, "cp284", "ibm284,cp1079,csibm284,ebcdic-cp-es,cp20284", SINGLE_BYTE_OTHER, "glibc's IBM284") \
  X(CP285, "cp285", "ibm285,csibm285,ebcdic-cp-gb,cp20285", SINGLE_BYTE_OTHER, "glibc's IBM285") \
  X(CP290, "cp290", "ibm290,csibm290,ebcdic-jp-kana,cp20290", SINGLE_BYTE_OTHER, "glibc's IBM290") \
  X(CP297, "cp297", "ibm297,cp1081,csibm297,ebcdic-cp-fr,cp20297", SINGLE_BYTE_OTHER, "glibc's IBM297") \
  X(CP420, "cp420", "ibm420,csibm420,ebcdic-cp-ar1,cp20420", SINGLE_BYTE_OTHER, "glibc's IBM420") \
  X(CP423, "cp423", "ibm423,csibm423,ebcdic-cp-gr,cp20423", SINGLE_BYTE_OTHER, "glibc's IBM423") \
  X(CP4517, "cp4517", "ibm4517,csibm4517", SINGLE_BYTE_OTHER, "glibc's IBM4517") \
  X(CP4899, "cp4899", "ibm4899,csibm4899", SINGLE_BYTE_OTHER, "glibc's IBM4899") \
  X(CP4909, "cp4909", "ibm4909,csibm4909", SINGLE_BYTE, "glibc's IBM4909") \
  X(CP4971, "cp4971", "ibm4971,csibm4971", SINGLE_BYTE_OTHER, "glibc's IBM4971") \
  X(CP803, "cp803", "ibm803,csibm803", SINGLE_BYTE_OTHER, "glibc's IBM803") \
  X(CP851, "cp851", "ibm851,851,csibm851", SINGLE_BYTE, "glibc's IBM851") \
  X(CP866NAV, "cp866nav", "ibm866nav,866nav", SINGLE_BYTE, "glibc's IBM866NAV") \
  X(CP868, "cp868", "ibm868,cp-ar,csibm868", SINGLE_BYTE, "glibc's IBM868") \
  X(CP870, "cp870", "ibm870,csibm870,ebcdic-cp-roece,ebcdic-cp-yu", SINGLE_BYTE_OTHER, "glibc's IBM870") \
  X(CP871, "cp871", "ibm871,csibm871,ebcdic-cp-is,cp20871", SINGLE_BYTE_OTHER, "glibc's IBM871") \
  X(IBM874, "ibm874", "874", SINGLE_BYTE, "glibc's IBM874") \
  X(CP880, "cp880", "ibm880,csibm880,ebcdic-cyrillic,cp20880", SINGLE_BYTE_OTHER, "glibc's IBM880") \
  X(CP901, "cp901", "ibm901,csibm901", SINGLE_BYTE, "glibc's IBM901") \
  X(CP902, "cp902", "ibm902,csibm902", SINGLE_BYTE, "glibc's IBM902") \
  X(CP9030, "cp9030", "ibm9030,csibm9030", SINGLE_BYTE_OTHER, "glibc's IBM9030") \
  X(CP904, "cp904", "ibm904,904,csibm904", SINGLE_BYTE, "glibc's IBM904") \
  X(CP905, "cp905", "ibm905,csibm905,ebcdic-cp-tr,cp20905", SINGLE_BYTE_OTHER, "glibc's IBM905") \
  X(CP9066, "cp9066", "ibm9066,csibm9066", SINGLE_BYTE_OTHER, "glibc's IBM9066") \
  X(CP918, "cp918", "ibm918,csibm918,ebcdic-cp-ar2", SINGLE_BYTE_OTHER, "glibc's IBM918") \
  X(CP922, "cp922", "ibm922,csibm922", SINGLE_BYTE, "glibc's IBM922") \
  X(ISO646_IT, "iso646-it", "csiso15italian,iso-ir-15", SINGLE_BYTE_OTHER, "glibc's IT") \
  X(ISO646_JP, "iso646-jp", "jis_c6220-1969-ro,csiso14jisc6220ro,iso-ir-14", SINGLE_BYTE_OTHER, "glibc's JIS_C6220-1969-RO") \
  X(ISO646_JP_OCR_B, "iso646-jp-ocr-b", "jis_c6229-1984-b,csiso92jisc62991984b,iso-ir-92,jp-ocr-b", SINGLE_BYTE_OTHER, "glibc's JIS_C6229-1984-B") \
  X(ISO646_YU, "iso646-yu", "jus_i.b1.002,csiso141jusib1002,iso-ir-141", SINGLE_BYTE_OTHER, "glibc's JUS_I.B1.002") \
  X(ISO646_KR, "iso646-kr", "ksc5636,csksc5636", SINGLE_BYTE_OTHER, "glibc's KSC5636") \
  X(MIK, "mik", "bulgaria-pc", SINGLE_BYTE, "glibc's MIK") \
  X(ISO646_HU, "iso646-hu", "msz_7795.3,csiso86hungarian,iso-ir-86", SINGLE_BYTE_OTHER, "glibc's MSZ_7795.3") \
  X(ISO646_CU, "iso646-cu", "nc_nc00-10,csiso151cuba,cuba,iso-ir-151,nc_nc00-10:81", SINGLE_BYTE_OTHER, "glibc's NC_NC00-10") \
  X(ISO646_FR, "iso646-fr", "nf_z_62-010,csiso69french,iso-ir-69", SINGLE_BYTE_OTHER, "glibc's NF_Z_62-010") \
  X(ISO646_FR1, "iso646-fr1", "nf_z_62-010_1973,csiso25french,iso-ir-25,nf_z_62-010_(1973)", SINGLE_BYTE_OTHER, "glibc's NF_Z_62-010_1973") \
  X(ISO646_NO, "iso646-no", "ns_4551-1,csiso60danishnorwegian,csiso60norwegian1,iso-ir-60", SINGLE_BYTE_OTHER, "glibc's NS_4551-1") \
  X(ISO646_NO2, "iso646-no2", "ns_4551-2,csiso61norwegian2,iso-ir-61", SINGLE_BYTE_OTHER, "glibc's NS_4551-2") \
  X(ISO646_PT, "iso646-pt", "csiso16portugese,iso-ir-16", SINGLE_BYTE_OTHER, "glibc's PT") \
  X(ISO646_PT2, "iso646-pt2", "csiso84portuguese2,iso-ir-84", SINGLE_BYTE_OTHER, "glibc's PT2") \
  X(ISO646_SE, "iso646-se", "sen_850200_b,csiso10swedish,iso-ir-10,iso646-fi,ss636127", SINGLE_BYTE_OTHER, "glibc's SEN_850200_B") \
  X(ISO646_SE2, "iso646-se2", "sen_850200_c,csiso11swedishfornames,iso-ir-11,swe7", SINGLE_BYTE_OTHER, "glibc's SEN_850200_C") \
  X(TCVN5712_1, "tcvn5712-1", "tcvn-5712,tcvn,tcvn5712-1:1993,vscii", SINGLE_BYTE_OTHER, "glibc's TCVN5712-1") \
  X(VISCII, "viscii", "csviscii,viscii1.1-1", SINGLE_BYTE_OTHER, "glibc's VISCII") \
  X(JOHAB, "johab", "cp1361,ms1361,ko16ksccs", MULTI_BYTE, "KS X 1001, annex 3") \
  X(EUC_TW, "euc-tw", "cp51950,zht32euc", MULTI_BYTE, "CNS 11643") \
  X(EUC_JIS_2004, "euc-jis-2004", "jisx0213,euc-jisx0213", MULTI_BYTE, "JIS X 0213:2004") \
  X(SHIFT_JIS_2004, "shift_jis-2004", "sjis-2004,shift_jisx0213", MULTI_BYTE, "JIS X 0213:2004") \
  X(ISO2022_JP_2004, "iso-2022-jp-2004", "", MULTI_BYTE, "JIS X 0213:2004") \
  X(HZ, "hz", "hzgb,hz-gb-2312,cp52936", MULTI_BYTE, "RFC 1843") \
  X(ISO2022_KR, "iso-2022-kr", "csiso2022kr,cp50225", MULTI_BYTE, "RFC 1557") \
  X(ISO2022_CN, "iso-2022-cn", "csiso2022cn,cp50227,cp50229", MULTI_BYTE, "RFC 1922") \
  X(UTF7, "utf-7", "u7,unicode-1-1-utf-7,cp65000,csunicode11utf7", MULTI_BYTE, "RFC 2152") \
  X(MARC8, "marc-8", "ansel,marc", MULTI_BYTE, "MARC 21 Specifications") \
  X(BIG5_HKSCS, "big5-hkscs", "hkscs,csbig5hkscs,big5-hk,zht16hkscs,zht16hkscs31", MULTI_BYTE, "HKSCS-2008")

/* clang-format on */

#endif
