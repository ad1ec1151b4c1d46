/* detect/cause.h: what most likely happened to ill-formed bytes, and what repairs them.
**
**     Utf8Cause cause = utf8detect_cause(bytes, size, UTF8_CHARSET_UNKNOWN);
**     Utf8Repair how;
**     switch (utf8detect_cause_repair(cause, &how)) {
**     case UTF8_CAUSE_KEEP: ...    // write the bytes unchanged
**     case UTF8_CAUSE_REPAIR: ...  // utf8core_repair() under `how`
**     case UTF8_CAUSE_DECODE: ...  // utf8core_decode() in cause.charset
**     }
**
** This is the only place that decides it: policy auto, utf8_audit, the command and the page act on
** what it returns. A wrong letter is worse than a lost one: a charset is the cause only if its
** reading beats all readings with other text by a margin. So the cause is a guess, which later
** versions may improve.
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
  UTF8_CAUSE_OVERLONG, /* only other overlong forms */
  UTF8_CAUSE_CHARSET,  /* text in a charset */
  UTF8_CAUSE_PASTED,   /* UTF-8 into which text in a single-byte charset was pasted */
  UTF8_CAUSE_CUT,      /* UTF-8 that was cut off at its start or end */
  UTF8_CAUSE_DAMAGED,  /* UTF-8 that lost or changed bytes */
  UTF8_CAUSE_UNCLEAR   /* two readings with different text are about equally likely */
} Utf8CauseKind;

typedef struct Utf8Cause {
  Utf8CauseKind kind;
  Utf8Charset charset; /* of CHARSET and PASTED, else UTF8_CHARSET_UNKNOWN */
} Utf8Cause;

/* Returns the cause of bytes[0..size). `column` is the charset of the column that the value is in,
** as utf8_detect_column names it, or UTF8_CHARSET_UNKNOWN. It matters only if the value's own
** cause is unclear: then a legacy charset that reads the value without an error is the cause if
** its reading beats the one as damaged UTF-8; and in a column of UTF-8 the value is damaged.
** The time is linear in size. Takes about 300 KB of the stack. */
Utf8Cause utf8detect_cause(const uint8_t *bytes, size_t size, Utf8Charset column);

/* ---- in parts: for long values, and to save the stack --------------------------------------- */

/* Evidence about one value. About 300 KB. */
typedef struct Utf8CauseEvidence {
  Utf8Evidence whole;    /* all bytes, as text in a legacy charset */
  Utf8PairCounts pasted; /* the bytes of ill-formed subparts */
} Utf8CauseEvidence;

/* Stores the cause in *cause and returns 1 if rules decide it, without evidence. dialect is
** UTF8_STRICT, or UTF8_FROM_UTF16 for the WTF-8 form of UTF-16: its cause is always decided. Reads
** the bytes a few times. */
int utf8detect_cause_by_rules(const uint8_t *bytes, size_t size, unsigned dialect,
                              Utf8Cause *cause);

/* Otherwise: begin, add bytes[0..size) in any number of calls as utf8detect_add() does, and
** decide. */
void utf8detect_cause_begin(Utf8CauseEvidence *evidence);
void utf8detect_cause_add(Utf8CauseEvidence *evidence, const uint8_t *bytes,
                          size_t size, size_t at, size_t until);
Utf8Cause utf8detect_cause_decide(Utf8CauseEvidence *evidence, Utf8Charset column);

/* ---- columns --------------------------------------------------------------------------------- */

/* What the values of a column or of a table are in, for those whose own cause is unclear. Each value
** is compared for itself, in its own language, and adds how much dearer each charset is than its
** best reading. A value counts once, whatever its digits, and of long columns only the first
** UTF8_VOTES_MAX different values. Zeroed before its first use. About 3 KB. */
#define UTF8_VOTES_MAX 256
typedef struct Utf8CauseVotes {
  uint32_t cost[UTF8_CHARSETS];
  uint64_t seen[UTF8_VOTES_MAX]; /* hashes of the values */
  size_t count;
  uint8_t has_byte[128]; /* has a value the byte 80 + i? */
} Utf8CauseVotes;

/* Returns a hash of the value for utf8detect_vote(), or 0 if the value adds nothing to the votes. */
uint64_t utf8detect_vote_hash(const Utf8CauseVotes *votes, const uint8_t *bytes,
                              size_t size);

/* Adds a value with this hash, whose evidence is complete. */
void utf8detect_vote(Utf8CauseVotes *votes, uint64_t hash, Utf8CauseEvidence *evidence);

/* Returns the charset that beats those with other text by the margin of the cause, UTF-8 with damage
** included; UTF8_CHARSET_UNKNOWN if none does. */
Utf8Charset utf8detect_votes_charset(const Utf8CauseVotes *votes);

/* ---- what follows from a cause --------------------------------------------------------------- */

/* Writes the cause's name as SQL shows it: "windows-1251", "utf-8+windows-1252", "cut"; "" for
** UTF8_CAUSE_NONE. */
#define UTF8_CAUSE_NAME_MAX 64
void utf8detect_cause_name(Utf8Cause cause, char name[UTF8_CAUSE_NAME_MAX]);

typedef enum Utf8CauseAction {
  UTF8_CAUSE_KEEP,   /* write the bytes unchanged */
  UTF8_CAUSE_REPAIR, /* utf8core_repair() */
  UTF8_CAUSE_DECODE  /* utf8core_decode() in the cause's charset */
} Utf8CauseAction;

/* Returns what to write. For UTF8_CAUSE_REPAIR stores policy and charset in *how, without its
** dialect. */
Utf8CauseAction utf8detect_cause_repair(Utf8Cause cause, Utf8Repair *how);

#endif
