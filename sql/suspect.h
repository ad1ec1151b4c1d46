/* sql/suspect.h: the scalar functions about well-formed text, for a connection. */
#ifndef UTF8_SQL_SUSPECT_H
#define UTF8_SQL_SUSPECT_H

#include "sql/functions.h"

/* The functions of sql/suspect.c, for utf8func_add() and utf8func_remove(). */
extern const Utf8Function utf8suspectfunc_list[];

#endif
