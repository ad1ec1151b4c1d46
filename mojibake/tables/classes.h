/* classes.h: declares the tables of tables.h. Made by tool/mojibake/tables.py --write.
*/
#ifndef UTF8_MOJIBAKE_TABLES_CLASSES_H
#define UTF8_MOJIBAKE_TABLES_CLASSES_H

#include <stdint.h>

/* clang-format off */

#define MOJIBAKE_CHARSETS 22
#define MOJIBAKE_CLASSES 60
#define MOJIBAKE_WITH_RIVALS 29 /* charsets and rivals */

/* The charsets that the bits of a scan from MOJIBAKE_CHARSETS on stand for. */
#define MOJIBAKE_SCAN_FURTHER 0x194u

/* The charsets that the code names. */
#define MOJIBAKE_LATIN1 1
#define MOJIBAKE_MACINTOSH 4

/* Scripts; from LIVING on, those without a language in detect/model.h. */
#define MOJIBAKE_SCRIPT_LATIN 1
#define MOJIBAKE_SCRIPT_LIVING 8

/* A kind is a character that some charset has, or a class for all other characters. */
#define MOJIBAKE_KINDS 811
#define MOJIBAKE_KIND_OF_CLASS 738

#define MOJIBAKE_SPACE 0
#define MOJIBAKE_LOWER 1
#define MOJIBAKE_UPPER 2
#define MOJIBAKE_DIGIT 3
#define MOJIBAKE_STOP 4
#define MOJIBAKE_JOIN 5
#define MOJIBAKE_SIGN 6
#define MOJIBAKE_CONTROL 7
#define MOJIBAKE_NBSP 8
#define MOJIBAKE_LATIN_LOWER 9
#define MOJIBAKE_LATIN_UPPER 10
#define MOJIBAKE_LATIN_RARE 11
#define MOJIBAKE_VIETNAMESE 12
#define MOJIBAKE_GREEK_LOWER 13
#define MOJIBAKE_GREEK_UPPER 14
#define MOJIBAKE_GREEK_TONOS 15
#define MOJIBAKE_GREEK_RARE 16
#define MOJIBAKE_CYRILLIC_LOWER 17
#define MOJIBAKE_CYRILLIC_UPPER 18
#define MOJIBAKE_CYRILLIC_EAST_LOWER 19
#define MOJIBAKE_CYRILLIC_EAST_UPPER 20
#define MOJIBAKE_CYRILLIC_SOUTH_LOWER 21
#define MOJIBAKE_CYRILLIC_SOUTH_UPPER 22
#define MOJIBAKE_CYRILLIC_RARE 23
#define MOJIBAKE_HEBREW 24
#define MOJIBAKE_HEBREW_MARK 25
#define MOJIBAKE_ARABIC 26
#define MOJIBAKE_ARABIC_RARE 27
#define MOJIBAKE_INDIC 28
#define MOJIBAKE_THAI 29
#define MOJIBAKE_LIVING 30
#define MOJIBAKE_HANGUL 31
#define MOJIBAKE_KANA 32
#define MOJIBAKE_HAN 33
#define MOJIBAKE_CJK_SIGN 34
#define MOJIBAKE_DASH 35
#define MOJIBAKE_APOSTROPHE 36
#define MOJIBAKE_QUOTE 37
#define MOJIBAKE_LEFT_GUILLEMET 38
#define MOJIBAKE_RIGHT_GUILLEMET 39
#define MOJIBAKE_ELLIPSIS 40
#define MOJIBAKE_CURRENCY 41
#define MOJIBAKE_MARK 42
#define MOJIBAKE_DEGREE 43
#define MOJIBAKE_MATH 44
#define MOJIBAKE_FRACTION 45
#define MOJIBAKE_ACCENT 46
#define MOJIBAKE_INVERTED 47
#define MOJIBAKE_HYPHEN 48
#define MOJIBAKE_BOX 49
#define MOJIBAKE_SHADE 50
#define MOJIBAKE_SYMBOL 51
#define MOJIBAKE_EMOJI 52
#define MOJIBAKE_JOINER 53
#define MOJIBAKE_COMBINING 54
#define MOJIBAKE_C1 55
#define MOJIBAKE_REPLACEMENT 56
#define MOJIBAKE_LIGATURE 57
#define MOJIBAKE_RARE 58
#define MOJIBAKE_NONE 59

typedef struct Utf8MojibakeTraits {
  uint8_t class;
  uint8_t script; /* of a class of letters; 0 for other classes */
  uint8_t cost;   /* of the character within its class */
} Utf8MojibakeTraits;

/* The charsets, as bits, in which a scan stops at a kind. */
typedef struct Utf8MojibakeScan {
  uint32_t two;  /* it leads a sequence of two bytes */
  uint32_t more; /* it leads a longer one */
  uint32_t next; /* it continues a sequence */
  uint32_t last; /* it may be the third byte of one */
} Utf8MojibakeScan;

/* Each charset and rival, in order of preference. */
extern const uint8_t utf8mojibake_charset[MOJIBAKE_WITH_RIVALS];
/* Where in kind each block of 64 code points of the BMP starts. */
extern const uint16_t utf8mojibake_block[1024];
/* The kinds of blocks, which overlap. */
extern const uint16_t utf8mojibake_kind[7305];
/* What is known of a kind. */
extern const Utf8MojibakeTraits utf8mojibake_traits[MOJIBAKE_KINDS];
/* The cost of a class after a class. */
extern const uint8_t utf8mojibake_pair[MOJIBAKE_CLASSES][MOJIBAKE_CLASSES];
/* What a letter costs in addition, by the script of the letter before and its own. */
extern const int8_t utf8mojibake_switch[12][12];
/* Is it a class of capital letters? */
extern const uint8_t utf8mojibake_is_upper[MOJIBAKE_CLASSES];
/* The charsets, rivals included, in which a kind is a lead byte. */
extern const uint32_t utf8mojibake_lead[MOJIBAKE_KINDS];
/* The charsets in which it is a continuation byte. */
extern const uint32_t utf8mojibake_continuation[MOJIBAKE_KINDS];
/* A kind's mask in before_space. */
extern const uint8_t utf8mojibake_before_space_from[MOJIBAKE_KINDS];
/* Charsets in which a space after a kind may have been A0. */
extern const uint32_t utf8mojibake_before_space[16];
/* What a scan stops at. */
extern const Utf8MojibakeScan utf8mojibake_scan[MOJIBAKE_KINDS];
/* Where a kind's masks start in agreeing. */
extern const uint16_t utf8mojibake_agreeing_from[MOJIBAKE_KINDS];
/* The charsets that have the same byte for a kind; each charset is in one mask of a kind. */
extern const uint32_t utf8mojibake_agreeing[618];
/* The byte of a kind, or 0; 20 and 1A for a space and U+FFFD that may stand for a byte. */
extern const uint8_t utf8mojibake_byte[MOJIBAKE_WITH_RIVALS][MOJIBAKE_KINDS];
/* What it costs that a whole line was misread in a charset. */
extern const uint8_t utf8mojibake_rarity[MOJIBAKE_WITH_RIVALS];

/* clang-format on */
#endif
