/* detect/cause.h: what most likely happened to ill-formed bytes, and what repairs them.
**
**     Utf8Cause cause = utf8detect_cause(bytes, size);
**     Utf8Repair how;
**     switch (utf8detect_cause_repair(cause, &how)) {
**     case UTF8_CAUSE_KEEP: ...    // write the bytes unchanged
**     case UTF8_CAUSE_REPAIR: ...  // utf8core_repair() under `how`
**     case UTF8_CAUSE_DECODE: ...  // utf8core_decode() in cause.charset
**     }
**
** Policy auto, utf8_audit, the command and the page act on it, and on nothing else. A wrong letter is worse
** than a lost one: a text is written only if its probability (detect/readings.h) is at least 0.999. So the
** cause is a guess, which later versions may improve.
**
** Nothing is allocated, and nothing is shared between threads.
*/
#ifndef UTF8_DETECT_CAUSE_H
#define UTF8_DETECT_CAUSE_H

#include "detect/model.h"

/* In order of precedence. */
typedef enum Utf8CauseKind {
  UTF8_CAUSE_NONE,     /* well-formed */
  UTF8_CAUSE_BINARY,   /* not text */
  UTF8_CAUSE_CESU8,    /* surrogate pairs, each surrogate encoded on its own */
  UTF8_CAUSE_MUTF8,    /* C0 80 for NUL, and perhaps such pairs */
  UTF8_CAUSE_OVERLONG, /* only other overlong sequences */
  UTF8_CAUSE_CHARSET,  /* text in a charset */
  UTF8_CAUSE_PASTED,   /* UTF-8 into which text in a single-byte charset was pasted */
  UTF8_CAUSE_CUT,      /* UTF-8 that was cut off at its start or end */
  UTF8_CAUSE_DAMAGED,  /* UTF-8 that lost or changed bytes */
  UTF8_CAUSE_UNCLEAR   /* two readings with different text are about equally likely */
} Utf8CauseKind;

typedef struct Utf8Cause {
  Utf8CauseKind kind;
  Utf8Charset charset; /* of CHARSET and PASTED, else UTF8_CHARSET_UNKNOWN */
  int is_escaped; /* it is the cause of the bytes that utf8form_unescape_surrogates() makes of the value */
} Utf8Cause;

/* Is each ill-formed byte of the value part of a surrogate, and is one of these U+DC80..U+DCFF outside of a pair?
** Then Python has read bytes that were not UTF-8 with errors="surrogateescape" and written them with
** "surrogatepass". What comes of utf8form_unescape_surrogates() has a cause, or is well-formed; store 1 in its
** is_escaped. The value may end in a cut sequence after ESCAPES_BEFORE_CUT of them. */
int utf8detect_is_escaped(const uint8_t *bytes, size_t size);

/* Returns the cause of bytes[0..size), of a value alone; detect/readings.h has the cause of a value
** in a column. The time is linear in size. Takes about 380 KB of the stack. */
Utf8Cause utf8detect_cause(const uint8_t *bytes, size_t size);

/* ---- in chunks: for long values, and to save the stack --------------------------------------- */

/* What the errors of the value that is being added are, up to `at`. */
typedef struct Utf8Overlongs {
  size_t at;
  size_t bytes; /* in overlong sequences */
  size_t size;  /* of the value */
  size_t sequences;
  int has_attack; /* a sequence is of a character that attacks hide, or longer than two bytes */
  int is_other; /* an error is not an overlong sequence */
} Utf8Overlongs;

/* Evidence about one value. About 300 KB. */
typedef struct Utf8CauseEvidence {
  Utf8Overlongs overlongs;
  Utf8Evidence whole; /* all bytes, as text in a legacy charset */
  Utf8IllFormed pasted;
} Utf8CauseEvidence;

/* Stores the cause in *cause and returns 1 if rules decide it, without evidence. dialect is
** UTF8_STRICT, or UTF8_FROM_UTF16 for UTF-16 as WTF-8: its cause is always decided. Like
** utf8core_detect(), reads the bytes in one go, at the speed of validation. */
int utf8detect_cause_by_rules(const uint8_t *bytes, size_t size, unsigned dialect,
                              Utf8Cause *cause);

/* Otherwise: begin, add bytes[0..size) in any number of calls as utf8detect_add() does; then
** detect/readings.h decides. */
void utf8detect_cause_begin(Utf8CauseEvidence *evidence);
void utf8detect_cause_add(Utf8CauseEvidence *evidence, const uint8_t *bytes,
                          size_t size, size_t at, size_t until);

/* Is every error of the value, whose evidence is complete, an overlong sequence, and does something show that
** they are not characters of a multi-byte charset, such as C1 B7 of GBK? Then that is the cause. */
int utf8detect_cause_is_overlong(const Utf8CauseEvidence *evidence);

/* ---- what follows from a cause --------------------------------------------------------------- */

/* Writes the cause's name as SQL shows it: "windows-1251", "utf-8+windows-1252", "cut"; "" for
** UTF8_CAUSE_NONE. Of an escaped value that is text in one or two charsets it is "surrogateescape". */
#define UTF8_CAUSE_NAME_MAX 64
void utf8detect_cause_name(Utf8Cause cause, char name[UTF8_CAUSE_NAME_MAX]);

typedef enum Utf8CauseAction {
  UTF8_CAUSE_KEEP,   /* write the bytes unchanged */
  UTF8_CAUSE_REPAIR, /* utf8core_repair() */
  UTF8_CAUSE_DECODE  /* utf8core_decode() in the cause's charset */
} Utf8CauseAction;

/* Returns what to write. For UTF8_CAUSE_REPAIR stores policy and charset in *how, without its
** dialect. If the cause is escaped, REPAIR and DECODE are of the unescaped bytes. */
Utf8CauseAction utf8detect_cause_repair(Utf8Cause cause, Utf8Repair *how);

#endif
