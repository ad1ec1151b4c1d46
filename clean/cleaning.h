/* clean/cleaning.h: which steps of utf8_clean are applied to a text, in which order, and how often.
**
** How a step is applied is the caller's: it has the memory for the result.
*/
#ifndef UTF8_CLEAN_CLEANING_H
#define UTF8_CLEAN_CLEANING_H

#include "core/utf8core.h"
#include "core/utf8form.h"

typedef struct Utf8Cleaning Utf8Cleaning;

/* Each method returns 0 or an error, which ends the cleaning. A method that changes the text stores it in c. */
typedef struct Utf8CleaningMethods {
  /* Stores the result of utf8form_clean_needed() for all of the text. */
  int (*find_needed)(const Utf8Cleaning *c, unsigned steps, unsigned *needed);
  int (*restore)(Utf8Cleaning *c); /* MOJIBAKE */
  int (*normalize)(Utf8Cleaning *c, Utf8NormalForm form);
  int (*apply)(Utf8Cleaning *c, Utf8CleanStep step); /* all other steps but TRIM */
} Utf8CleaningMethods;

/* A text that is being cleaned, the first member of the caller's struct. bytes[0..size) is well-formed. A step has
** changed the text if bytes or size differ. */
struct Utf8Cleaning {
  const Utf8CleaningMethods *methods;
  const uint8_t *bytes;
  size_t size;
};

/* Cleans the text by a set of steps, of which REPAIR was applied. Returns 0 or a method's error. */
int utf8clean_text(Utf8Cleaning *c, unsigned steps);

#endif
