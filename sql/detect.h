/* sql/detect.h: utf8_detect, utf8_detect_score and utf8_detect_column, which sql/check.c
** registers. */
#ifndef UTF8_SQL_DETECT_H
#define UTF8_SQL_DETECT_H

#include "sql/value.h"

void utf8detectfunc_detect(sqlite3_context *ctx, int argc, sqlite3_value **argv);
void utf8detectfunc_score(sqlite3_context *ctx, int argc, sqlite3_value **argv);

/* The aggregate function. */
void utf8detectfunc_step(sqlite3_context *ctx, int argc, sqlite3_value **argv);
void utf8detectfunc_final(sqlite3_context *ctx);

#endif
