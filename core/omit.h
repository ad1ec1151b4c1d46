/* core/omit.h: the parts that a small build leaves out.
**
**     cc -DUTF8EXT_OMIT_MOJIBAKE -DUTF8EXT_OMIT_FORM ...
**
** docs/install.md lists them. A part that needs another one is left out with it. tool/sources.sh says
** which files a part has; in their place, omitted.c of the same folder has what other files call.
** UTF8_HAS_X is 1, or 0 if the part X is left out. Only core/simd/ reads UTF8EXT_OMIT_SIMD, which
** leaves out the vector kernels.
*/
#ifndef UTF8_CORE_OMIT_H
#define UTF8_CORE_OMIT_H

#if defined UTF8EXT_OMIT_LEGACY && !defined UTF8EXT_OMIT_DETECT
#define UTF8EXT_OMIT_DETECT
#endif
#if defined UTF8EXT_OMIT_DETECT && !defined UTF8EXT_OMIT_MOJIBAKE
#define UTF8EXT_OMIT_MOJIBAKE
#endif

/* arrow/ has functions of all parts. */
#if (defined UTF8EXT_OMIT_MOJIBAKE || defined UTF8EXT_OMIT_FORM) &&                    \
    !defined UTF8EXT_OMIT_ARROW
#define UTF8EXT_OMIT_ARROW
#endif

#ifdef UTF8EXT_OMIT_ARROW
#define UTF8_HAS_ARROW 0
#else
#define UTF8_HAS_ARROW 1
#endif

#ifdef UTF8EXT_OMIT_MOJIBAKE
#define UTF8_HAS_MOJIBAKE     0
#define UTF8_OMITTED_MOJIBAKE "; not in this build: mojibake (UTF8EXT_OMIT_MOJIBAKE)"
#else
#define UTF8_HAS_MOJIBAKE     1
#define UTF8_OMITTED_MOJIBAKE ""
#endif

#ifdef UTF8EXT_OMIT_DETECT
#define UTF8_HAS_DETECT     0
#define UTF8_OMITTED_DETECT "; not in this build: auto, repair (UTF8EXT_OMIT_DETECT)"
#else
#define UTF8_HAS_DETECT     1
#define UTF8_OMITTED_DETECT ""
#endif

#ifdef UTF8EXT_OMIT_LEGACY
#define UTF8_HAS_LEGACY     0
#define UTF8_OMITTED_LEGACY "; not in this build: legacy charsets (UTF8EXT_OMIT_LEGACY)"
#else
#define UTF8_HAS_LEGACY     1
#define UTF8_OMITTED_LEGACY ""
#endif

#ifdef UTF8EXT_OMIT_FORM
#define UTF8_HAS_FORM     0
#define UTF8_OMITTED_FORM "; not in this build: closest (UTF8EXT_OMIT_FORM)"
#else
#define UTF8_HAS_FORM     1
#define UTF8_OMITTED_FORM ""
#endif

/* What messages add to a list of accepted names: those that this build lacks. */
#define UTF8_OMITTED                                                                   \
  UTF8_OMITTED_MOJIBAKE UTF8_OMITTED_DETECT UTF8_OMITTED_LEGACY UTF8_OMITTED_FORM

#endif
