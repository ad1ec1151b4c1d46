/* detect/places.h: what stands beside the bytes above 7F of a value, where no word surrounds them: signs and lone letters.
** The neighbours of a byte say more of it than its bigrams do: beyond a space, too.
*/
#ifndef UTF8_DETECT_PLACES_H
#define UTF8_DETECT_PLACES_H

#include <stddef.h>
#include <stdint.h>

/* What stands on one side of a byte: one of these, or an ASCII letter that touches it, as the m in m². A letter of a longer
** word is `a`. */
enum {
  PLACE_EDGE,       /* the start or the end of a line */
  PLACE_NUMBER,     /* a digit */
  PLACE_STOP,       /* . , ; : ! ? ) ] } */
  PLACE_JOIN,       /* - ' / _ */
  PLACE_OTHER,      /* another ASCII sign */
  PLACE_FAR_NUMBER, /* a digit beyond spaces */
  PLACE_FAR,        /* something else beyond spaces */
  PLACE_HIGH        /* another byte above 7F */
};

/* A byte, less 80, and what stands beside it; equal bytes in a row are one. */
typedef struct Utf8Place {
  uint8_t byte;
  uint8_t before;
  uint8_t after;
} Utf8Place;

/* The different places of the bytes above 7F in any number of values, where they touch no other byte above 7F. */
#define UTF8_PLACES_MAX 48
typedef struct Utf8Places {
  uint8_t count;   /* UTF8_PLACES_MAX + 1: there are more, or many bytes touch others */
  uint8_t touches; /* how often a byte touches another one */
  Utf8Place list[UTF8_PLACES_MAX];
  uint64_t touching[2]; /* bit n: the byte 80 + n touches another one somewhere */
} Utf8Places;

/* Does the byte, less 80, touch another one somewhere? */
static inline int utf8detect_places_is_touching(const Utf8Places *places,
                                                unsigned byte) {
  return places->touching[byte / 64] >> byte % 64 & 1;
}

/* Adds the places of the bytes above 7F among bytes[at..until) of a value. */
void utf8detect_places_add(Utf8Places *places, const uint8_t *bytes, size_t size,
                           size_t at, size_t until);

/* Does a letter stand directly beside the byte? */
static inline int utf8detect_place_is_in_word(const Utf8Place *place) {
  return place->before >= 'A' || place->after >= 'A';
}

/* Is there a number beside it? */
static inline int utf8detect_place_is_by_number(const Utf8Place *place) {
  return place->before == PLACE_NUMBER || place->before == PLACE_FAR_NUMBER ||
         place->after == PLACE_NUMBER || place->after == PLACE_FAR_NUMBER;
}

#endif
