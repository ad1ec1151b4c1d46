/* form/clean.h: the steps of utf8_clean. docs/form.md has the code points of each.
**
**     unsigned steps = utf8form_clean_steps("html,quotes", 11);
**     for (unsigned step = 0; step < UTF8_CLEAN_STEPS; step++)
**       if (utf8form_clean_needed(steps, text, size) & UTF8_CLEAN_BIT(step))
**         ...  // utf8form_clean(step, text, size, &at, out, room)
**
** Text is well-formed UTF-8. As in utf8core.h, nothing is allocated, nothing outside of the text
** is read, and all functions are thread-safe.
*/
#ifndef UTF8_FORM_CLEAN_H
#define UTF8_FORM_CLEAN_H

#include <stddef.h>
#include <stdint.h>

/* In the order in which they are applied, with their names. */
#define UTF8_CLEAN_LIST(X)                                                             \
  X(REPAIR, "repair")                                                                  \
  X(HTML, "html")                                                                      \
  X(MOJIBAKE, "mojibake")                                                              \
  X(ESCAPES, "escapes")                                                                \
  X(LINES, "lines")                                                                    \
  X(LIGATURES, "ligatures")                                                            \
  X(WIDTH, "width")                                                                    \
  X(QUOTES, "quotes")                                                                  \
  X(CONTROLS, "controls")                                                              \
  X(INVISIBLE, "invisible")                                                            \
  X(NFC, "nfc")                                                                        \
  X(NFKC, "nfkc")                                                                      \
  X(TRIM, "trim")

#define UTF8_CLEAN_ENUMERATOR(id, name) UTF8_CLEAN_##id,

typedef enum Utf8CleanStep {
  UTF8_CLEAN_LIST(UTF8_CLEAN_ENUMERATOR)
  /* part of "ftfy": the code points that ftfy removes in addition to those of CONTROLS */
  UTF8_CLEAN_FTFY,
  UTF8_CLEAN_STEPS
} Utf8CleanStep;

/* A set of steps: the sum of their UTF8_CLEAN_BIT(). */
#define UTF8_CLEAN_BIT(step) (1u << (step))
#define UTF8_CLEAN_DEFAULT                                                             \
  (UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR) | UTF8_CLEAN_BIT(UTF8_CLEAN_MOJIBAKE) |           \
   UTF8_CLEAN_BIT(UTF8_CLEAN_NFC))

/* How often the steps are applied at most: again while they change the text. */
#define UTF8_CLEAN_PASSES 64

/* Returns the set of steps that a list names, such as "repair, NFC"; "ftfy" stands for several.
** Returns 0 for an empty list, an unknown name, a step that is named twice, and nfc with nfkc.
** Case is ignored, and spaces around a name. */
unsigned utf8form_clean_steps(const char *list, size_t size);

/* The names with ", " between them, for messages. */
extern const char utf8form_clean_names[];

/* Returns those of the steps that may change the text; all others leave it as it is. With HTML, the
** result has the bit UTF8_CLEAN_HAS_TAG if there is a '<'. The text may be a part of a longer one:
** the results for the parts of a text, combined by |, have the steps that it needs. */
#define UTF8_CLEAN_HAS_TAG UTF8_CLEAN_BIT(UTF8_CLEAN_STEPS)
unsigned utf8form_clean_needed(unsigned steps, const uint8_t *text, size_t size);

/* The next two functions are for the steps from HTML on, except MOJIBAKE, NFC, NFKC and TRIM, which
** have functions of their own. */

/* Returns the first place of text[at..until) that the step changes, or until. */
size_t utf8form_clean_find(Utf8CleanStep step, const uint8_t *text, size_t size,
                           size_t at, size_t until);

/* Copies text[*at..size) to out[0..room), changed by the step, until the text ends or out is full.
** Returns the number of bytes written, and sets *at to where it stopped: size once all is done.
**
** Start with *at = 0, or with the result of utf8form_clean_find() if you have copied what is before;
** call until *at is size, and append what each call wrote. room is at least UTF8_CLEAN_ROOM: each
** call then makes progress, and how the text is cut into calls does not change the result. */
#define UTF8_CLEAN_ROOM 64
size_t utf8form_clean(Utf8CleanStep step, const uint8_t *text, size_t size, size_t *at,
                      uint8_t *out, size_t room);

/* Stores in *from and *end what is left of the text without the white space at both ends. */
void utf8form_trim(const uint8_t *text, size_t size, size_t *from, size_t *end);

#endif
