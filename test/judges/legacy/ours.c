/* ours.c: the legacy charsets under test, asked through stdin like the judges.
** test/judges/legacy.py describes requests and answers.
*/
#include "charset/legacy/legacy.h"
#include "core/step.h"
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#define LACKS 0xFF /* in place of the length of a record's answer */

typedef struct Bytes {
  uint8_t *at;
  size_t size, room;
} Bytes;

static void *checked(void *memory) {
  if (memory == NULL) exit((fputs("ours: out of memory\n", stderr), 2));
  return memory;
}

static uint8_t *room_for(Bytes *b, size_t more) {
  if (b->room - b->size < more) {
    b->room = 2 * b->room + more;
    b->at = checked(realloc(b->at, b->room));
  }
  return b->at + b->size;
}

static void add(Bytes *b, const void *bytes, size_t size) {
  uint8_t *to = room_for(b, size);
  if (size) memcpy(to, bytes, size);
  b->size += size;
}

/* ---- names --------------------------------------------------------------------------- */

static void name_labels(const Bytes *in, Bytes *out) {
  for (size_t at = 0; at <= in->size;) {
    const uint8_t *end =
        at < in->size ? memchr(in->at + at, '\n', in->size - at) : NULL;
    size_t length = end ? (size_t)(end - in->at) - at : in->size - at;
    Utf8Charset found = utf8core_find_charset((const char *)in->at + at, length);
    const Utf8CharsetRow *row = utf8core_charset(found);
    if (row) add(out, row->name, strlen(row->name));
    add(out, "\n", 1);
    at += length + 1;
  }
}

/* ---- conversion ---------------------------------------------------------------------- */

static Utf8Charset charset;

static uint32_t pseudo_random(uint32_t below) {
  static uint64_t state = 3629;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % below);
}

/* utf8charset_decode_legacy() or utf8charset_encode_legacy(). */
typedef size_t Utf8LegacyCodec(Utf8Charset charset, unsigned *state, const uint8_t *in,
                               size_t size, size_t *at, uint8_t *out, size_t room);

/* Converts all of it; each call has some random room if it is cut. Returns where it stopped. */
static size_t convert(Utf8LegacyCodec *codec, const uint8_t *in, size_t size,
                      Bytes *out, int isCut) {
  unsigned state = 0;
  size_t at = 0, before, n;
  do {
    size_t room = UTF8_LEGACY_ROOM + (isCut ? pseudo_random(100) : 4 * size);
    before = at;
    n = codec(charset, &state, in, size, &at, room_for(out, room), room);
    out->size += n;
  } while (at < size && (n > 0 || at > before));
  if (codec == utf8charset_encode_legacy && at == size) {
    out->size +=
        utf8charset_finish_legacy(charset, &state, room_for(out, UTF8_LEGACY_FINISH));
  }
  return at;
}

/* Converts a whole text twice: in one call and in several. */
static int convert_whole(Utf8LegacyCodec *codec, const Bytes *in, Bytes *out) {
  size_t start = out->size, at = convert(codec, in->at, in->size, out, 0);
  size_t size = out->size - start;
  size_t again = convert(codec, in->at, in->size, out, 1);
  if (again != at || out->size - start - size != size ||
      memcmp(out->at + start, out->at + start + size, size) != 0) {
    exit((fputs("ours: calls make a difference\n", stderr), 2));
  }
  out->size = start + size;
  return at == in->size;
}

static void convert_record(Utf8LegacyCodec *codec, const uint8_t *in, size_t size,
                           Bytes *out) {
  uint8_t length = 0;
  size_t start = out->size;
  add(out, &length, 1);
  if (convert(codec, in, size, out, 0) == size) {
    out->at[start] = (uint8_t)(out->size - start - 1);
  } else {
    out->size = start + 1;
    out->at[start] = LACKS;
  }
}

static void convert_records(Utf8LegacyCodec *codec, size_t record, const Bytes *in,
                            Bytes *out) {
  int isText = codec == utf8charset_encode_legacy;
  for (size_t at = 0, length; at < in->size; at += length) {
    length = isText ? stepWellFormed(in->at + at).length : record;
    if (length > in->size - at) length = in->size - at;
    convert_record(codec, in->at + at, length, out);
  }
}

static void answer(uint8_t operation, size_t record, const Bytes *in, Bytes *out) {
  Utf8LegacyCodec *codec =
      operation == 'd' ? utf8charset_decode_legacy : utf8charset_encode_legacy;
  if (operation == 'l') {
    name_labels(in, out);
  } else if (record) {
    convert_records(codec, record, in, out);
  } else {
    uint8_t all = 1;
    if (operation == 'e') add(out, &all, 1);
    all = (uint8_t)convert_whole(codec, in, out);
    if (operation == 'e') out->at[0] = all;
  }
}

static uint32_t little32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void read_all(Bytes *b, size_t size) {
  b->size = 0;
  if (fread(room_for(b, size + 1), 1, size, stdin) != size) exit(2);
  b->size = size;
}

int main(void) {
  Bytes label = {NULL, 0, 0}, in = {NULL, 0, 0}, out = {NULL, 0, 0};
  uint8_t head[8];
  while (fread(head, 1, sizeof head, stdin) == sizeof head) {
    read_all(&label, head[1]);
    read_all(&in, little32(head + 4));
    charset = utf8core_find_charset((const char *)label.at, label.size);
    out.size = 0;
    answer(head[0], head[2] | (size_t)head[3] << 8, &in, &out);
    uint8_t size[4];
    for (unsigned i = 0; i < 4; i++) size[i] = (uint8_t)(out.size >> 8 * i);
    fwrite(size, 1, sizeof size, stdout);
    if (out.size) fwrite(out.at, 1, out.size, stdout);
    fflush(stdout);
  }
  free(label.at), free(in.at), free(out.at);
  return 0;
}
