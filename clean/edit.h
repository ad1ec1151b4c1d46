/* clean/edit.h: text copied with some of its places replaced. */
#ifndef UTF8_CLEAN_EDIT_H
#define UTF8_CLEAN_EDIT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define UTF8_EDIT_MAX 8

/* A replacement for a place in a text. */
typedef struct Utf8Edit {
  size_t length; /* how many bytes it replaces; 0 if the place is kept */
  size_t used;
  uint8_t bytes[UTF8_EDIT_MAX]; /* the `used` bytes that replace them */
} Utf8Edit;

/* Returns what replaces the place that starts at p[0..size), size > 0. */
typedef Utf8Edit Utf8EditAt(const uint8_t *p, size_t size);

/* Returns what replaces the character reference at p[0..size), which starts with '&'; length is 0
** if there is none. With `closed`, only a reference that ends in a semicolon counts.
** (clean/unescape.c) */
Utf8Edit utf8clean_html_reference(const uint8_t *p, size_t size, int closed);

/* Likewise for the escape of a URL at '%', and that of a JSON string at a backslash. */
Utf8EditAt utf8clean_url_escape, utf8clean_json_escape;

/* Returns the value of a digit of base 10 or 16, or base for any other byte. */
static inline uint32_t utf8clean_digit(uint8_t byte, uint32_t base) {
  const uint8_t lower = byte | 0x20;
  if (byte >= '0' && byte <= '9') return byte - (uint32_t)'0';
  if (base == 16 && lower >= 'a' && lower <= 'f') return lower - (uint32_t)'a' + 10;
  return base;
}

/* Copies what is before the next byte that has a bit of `mask` in starts[], as much as fits. */
static inline size_t utf8clean_copy_unedited(const uint32_t starts[256], unsigned mask,
                                             const uint8_t *text, size_t size,
                                             size_t *at, uint8_t *out, size_t room) {
  const size_t from = *at, end = size - from < room ? size : from + room;
  size_t i = from;
  while (i < end && !(starts[text[i]] & mask)) i++;
  if (i > from) memcpy(out, text + from, i - from);
  *at = i;
  return i - from;
}

/* Copies text[*at..size) to out[0..room), with what edit_at() returns for each byte that has a bit
** of `mask` in starts[], until the text ends or out is full. Returns the number of bytes written,
** and sets *at to where it stopped: size once all is done. room is at least UTF8_EDIT_MAX: each
** call then makes progress, and how the text is cut into calls does not change the result. */
static inline size_t utf8clean_edit(Utf8EditAt *edit_at, const uint32_t starts[256],
                                    unsigned mask, const uint8_t *text, size_t size,
                                    size_t *at, uint8_t *out, size_t room) {
  size_t used = 0;
  for (;;) {
    used +=
        utf8clean_copy_unedited(starts, mask, text, size, at, out + used, room - used);
    if (*at == size || room - used < UTF8_EDIT_MAX) return used;
    const Utf8Edit edit = edit_at(text + *at, size - *at);
    if (edit.length == 0) {
      out[used++] = text[(*at)++];
    } else {
      memcpy(out + used, edit.bytes, edit.used);
      used += edit.used;
      *at += edit.length;
    }
  }
}

#endif
