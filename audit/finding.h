/* audit/finding.h: what an audit found: a value to be repaired, or something that cannot be
** read. */
#ifndef UTF8_AUDIT_FINDING_H
#define UTF8_AUDIT_FINDING_H

#include "audit/context.h"
#include "detect/readings.h"
#include "suspect/suspect.h"

/* What only the values of its column show of a well-formed value: audit/misread.h. */
typedef enum AuditShown {
  AUDIT_NOT_SHOWN,
  AUDIT_LATIN1,   /* it was read as Latin-1 */
  AUDIT_ACCIDENT, /* it is well-formed by accident */
  AUDIT_MOJIBAKE  /* it is misread UTF-8 */
} AuditShown;

/* Zeroed before its first use. Owns `unreadable` and what is open as `text`: utf8audit_clear_finding()
** frees them. x belongs to the statement of the row, and is valid until that moves on. */
typedef struct AuditFinding {
  char *unreadable; /* the column `error`; or NULL, and all of the following is set: */
  int column;       /* the column's index in AuditTable.columns */
  sqlite3_value *x; /* the value where SQLite has it */
  Utf8Value text;   /* x, open */
  size_t offset;    /* of the first error, or of the first suspect */
  Utf8SuspectKind kind; /* of the suspect; UTF8_SUSPECT_NONE if x is ill-formed */
  const char
      *through; /* the charset in which mojibake was misread; of other findings NULL */
  AuditShown shown;
  /* If it is shown: its likeliest reading, of which misread UTF-8 has only the probability, and how many words or
  ** runs were misread. */
  Utf8Reading misread;
  size_t words;
  /* Set by audit/repair.h: */
  Utf8Readings *readings; /* of an ill-formed value; NULL if nobody reads its cause */
  AuditRepair repair;     /* what makes the column `repaired` of the value */
  /* the same, or no function if no UPDATE can or should write that */
  AuditRepair update;
} AuditFinding;

/* Frees what *found owns, and zeroes it. */
void utf8audit_clear_finding(AuditFinding *found);

/* Validates the TEXT x of a column, the only place that does. Returns SQLITE_ROW if x is
** ill-formed or, if the policy asks for it, suspicious, with *found set except for what audit/repair.h sets;
** SQLITE_DONE if it is neither; else an error code. */
int utf8audit_check_value(AuditFinding *found, const AuditContext *context, int column,
                          sqlite3_value *x);

/* Counts the ill-formed subparts of the value; or its code points, or misread runs, of the kind
** that was found first. Returns SQLITE_OK or an error code. */
int utf8audit_count(const AuditFinding *found, sqlite3 *db, sqlite3_int64 *count);

/* Makes *found "unreadable: why", or "unreadable: where: why" unless where is NULL. Returns
** SQLITE_ROW or SQLITE_NOMEM. */
int utf8audit_set_unreadable(AuditFinding *found, const char *where, const char *why);

/* Like SQLITE_NOMEM, of utf8ext's own memory: not a sign of a corrupt page. */
#define AUDIT_NO_MEMORY (SQLITE_NOMEM | 1 << 8)

/* Does an error of sqlite3_step() mean that a page is corrupt or a row is too long? Then other rows
** may be readable. A corrupt page can also make SQLite report SQLITE_NOMEM.
** From 3.43 on, that still ends the audit: SQLite then marks the whole connection as out of memory,
** and clears the mark only while no statement runs; but the one that reads utf8_audit does. */
int utf8audit_is_corrupt(int rc);

/* Does an error that is not of a corrupt page end the audit? Other errors make something unreadable. */
int utf8audit_is_fatal(int rc);

/* Returns SQLite's message about the error rc, which a call of SQLite has just returned. */
const char *utf8audit_why(sqlite3 *db, int rc);

/* Handles the error rc, described by why: returns its code if it ends the audit, otherwise
** stores why as the finding and returns SQLITE_ROW. Call it before any other function of
** SQLite. why may be utf8audit_why()'s. */
int utf8audit_failed(AuditFinding *found, sqlite3 *db, int rc, const char *why);

#endif
