/* detect/places.c: finds what stands beside bytes above 7F. */
#include "detect/places.h"
#include "detect/bigrams.h"
#include "core/bytes.h"
#include <string.h>

/* Bytes that are read on each side, and equal bytes that are one place. PLACES_NEAR spaces are an edge; more equal bytes
** touch another one. */
#define PLACES_NEAR 16

static int isLineEnd(uint8_t byte) {
  return byte == '\n' || byte == '\r' || byte == '\t' || byte == 0;
}

/* Returns what a byte is that touches the place: a letter itself, or `a` in a longer word. */
static uint8_t kindOfByte(uint8_t byte, int is_in_word) {
  static const uint8_t kinds[] = {PLACE_EDGE, PLACE_NUMBER, PLACE_STOP,
                                  PLACE_JOIN, PLACE_OTHER,  PLACE_OTHER};
  const unsigned class = utf8detect_bigrams_class[byte];
  if (byte >= 0x80) return PLACE_HIGH;
  if (class >= UTF8_CLASS_SPACE) return kinds[class - UTF8_CLASS_SPACE];
  return is_in_word ? 'a' : byte;
}

/* Returns what a byte is beyond spaces. */
static uint8_t kindBeyond(uint8_t byte) {
  return kindOfByte(byte, 1) == PLACE_NUMBER ? PLACE_FAR_NUMBER : PLACE_FAR;
}

static uint8_t kindBefore(const uint8_t *bytes, size_t at) {
  const size_t first = at > PLACES_NEAR ? at - PLACES_NEAR : 0;
  size_t i = at;
  while (i > first && bytes[i - 1] == ' ') i--;
  if (i == first || isLineEnd(bytes[i - 1])) return PLACE_EDGE;
  if (i < at) return kindBeyond(bytes[i - 1]);
  const int is_in_word =
      i > 1 && bytes_is_ascii_letter(bytes[i - 2]) && bytes[i - 1] != 'm';
  return kindOfByte(bytes[i - 1], is_in_word);
}

static uint8_t kindAfter(const uint8_t *bytes, size_t size, size_t at) {
  const size_t last = size - at > PLACES_NEAR ? at + PLACES_NEAR : size;
  size_t i = at;
  while (i < last && bytes[i] == ' ') i++;
  if (i == last || isLineEnd(bytes[i])) return PLACE_EDGE;
  if (i > at) return kindBeyond(bytes[i]);
  const int is_in_word = i + 1 < size && bytes_is_ascii_letter(bytes[i + 1]);
  return kindOfByte(bytes[i], is_in_word);
}

/* Returns where equal bytes end, at most PLACES_NEAR of them. */
static size_t endOfEqual(const uint8_t *bytes, size_t at, size_t until) {
  const size_t last = until - at > PLACES_NEAR ? at + PLACES_NEAR : until;
  size_t end = at;
  while (end < last && bytes[end] == bytes[at]) end++;
  return end;
}

/* Where bytes above 7F touch others this often, they are letters, which say enough of the charset: places are not kept. */
#define PLACES_TOUCHES 16

static void addTouching(Utf8Places *places, unsigned byte) {
  places->touching[byte / 64] |= (uint64_t)1 << byte % 64;
  if (++places->touches == PLACES_TOUCHES) places->count = UTF8_PLACES_MAX + 1;
}

/* Adds a place unless it is known. If they are too many, there are none from then on. */
static void addNewPlace(Utf8Places *places, Utf8Place place) {
  if (place.before == PLACE_HIGH || place.after == PLACE_HIGH) {
    addTouching(places, place.byte);
    return;
  }
  for (size_t i = 0; i < places->count; i++)
    if (memcmp(&places->list[i], &place, sizeof place) == 0) return;
  if (places->count < UTF8_PLACES_MAX) places->list[places->count] = place;
  places->count++;
}

void utf8detect_places_add(Utf8Places *places, const uint8_t *bytes, size_t size,
                           size_t at, size_t until) {
  while (places->count <= UTF8_PLACES_MAX) {
    at = at < until ? bytes_skip_ascii(bytes, at, until) : until;
    if (at == until) return;
    const int is_first = at == 0 || bytes[at - 1] != bytes[at];
    const size_t end = endOfEqual(bytes, at, is_first ? size : until);
    if (is_first)
      addNewPlace(places,
                  (Utf8Place){(uint8_t)(bytes[at] - 0x80), kindBefore(bytes, at),
                              kindAfter(bytes, size, end)});
    at = end;
  }
}
