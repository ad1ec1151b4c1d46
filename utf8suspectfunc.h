/* utf8suspectfunc.h: the scalar functions about well-formed text, for a connection. */
#ifndef UTF8SUSPECTFUNC_H
#define UTF8SUSPECTFUNC_H

#include "utf8func.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* The functions of utf8suspectfunc.c, for utf8func_add() and utf8func_remove(). */
extern const Utf8Function utf8suspectfunc_list[];

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
