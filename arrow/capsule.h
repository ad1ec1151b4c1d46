/* arrow/capsule.h: columns in Python's capsules, for python/src/utf8ext/arrow/ (the Arrow PyCapsule interface).
**
** The capsules are made in Python. Python may free them at any time, also while an exception is being
** raised, so code in C frees what is in them. It needs one function of Python, whose address it gets, and
** so none of Python's headers: one library serves every Python.
*/
#ifndef UTF8_ARROW_CAPSULE_H
#define UTF8_ARROW_CAPSULE_H

#include "arrow/utf8arrow.h"

/* PyCapsule_GetPointer() */
typedef void *Utf8ArrowGetPointer(void *capsule, const char *name);
void utf8arrow_use_capsules(Utf8ArrowGetPointer *get_pointer);

/* Return what a capsule "arrow_schema", "arrow_array" or "arrow_array_stream" holds; NULL if there is no
** memory. */
struct ArrowSchema *utf8arrow_new_schema(const Utf8ArrowColumn *column);
struct ArrowArray *utf8arrow_new_chunk(Utf8ArrowColumn *column, size_t number);
struct ArrowArrayStream *utf8arrow_new_stream(Utf8ArrowColumn *column);

/* The destructors of these capsules. */
void utf8arrow_free_schema(void *capsule);
void utf8arrow_free_chunk(void *capsule);
void utf8arrow_free_stream(void *capsule);

#endif
