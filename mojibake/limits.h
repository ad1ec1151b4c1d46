/* mojibake/limits.h: the numbers that decide what is misread, in one table.
**
** Costs are quarters of a bit (tool/mojibake/model.py). test/mojibaketablestest.c has a text for
** each number that comes out differently if the number is one more or one less.
*/
#ifndef UTF8_MOJIBAKE_LIMITS_H
#define UTF8_MOJIBAKE_LIMITS_H

/* A fee of more than any run saves: it is not evidence. */
#define MISREAD_NEVER 4000

enum {
  /* A run is evidence if it saves the threshold of its charset (tables.h) and these fees. */
  MISREAD_NATURAL = 40,  /* it may be part of a word, or be quoted */
  MISREAD_FAMILIAR = 12, /* a lead byte that is seldom meant takes this off */
  MISREAD_SPACE = 40,    /* a space is read as the byte A0 */
  MISREAD_A = 12,        /* likewise in "Ã " for "à"; taken off if that is a word */
  MISREAD_LONE = 80,     /* a single letter of a far script beside other text */
  MISREAD_RATIO = 6,     /* it saves a sixth of what the decoded run costs */
  MISREAD_LIKELY = 12,   /* the charsets before this number are likely */
  MISREAD_HOPELESS = 4,  /* this many first runs without evidence: not the charset */

  /* In misread text, a run is decoded if it saves this. */
  MISREAD_WEAK = 4,
  MISREAD_DAMAGED = -23, /* a byte was lost or became a space */
  MISREAD_WHOLE = -100,  /* nothing else is a byte of the charset */

  /* A run is clear, and no other charset is tried for it. */
  MISREAD_CLEAR = 106, /* it saves this */
  MISREAD_COMMON = 52, /* each decoded code point costs at most this */

  MISREAD_GARBLED = 3, /* with one ragged run in this many others, nothing is decoded */

  /* A rival is out if its characters, in their places, cost this more. Else what differs is
  ** compared with what is near, and each other reading must cost so much more, or nothing is
  ** restored. */
  MISREAD_SURE = 24,
  MISREAD_RIVAL = 16,
  MISREAD_ANSWER = 28, /* the letters of a rival must save this, or it is not written */

  /* At the end of a word in capitals, a sequence is evidence only if the letters save this, in eighths
  ** of a bit. So is a capital letter and a lost byte inside a word. */
  MISREAD_CAPITALS = 40,
  MISREAD_CAPITALS_A = 80,       /* after "Ã", */
  MISREAD_CAPITALS_A_SIGN = 125, /* and if the sign is a dash, an ellipsis or a quote */
  MISREAD_CAPITALS_BETWEEN = 24, /* between two words */
  MISREAD_CAPITALS_SMALL = 110,  /* if a small letter or a space is decoded */

  /* The restored text must be common, or the segment is left as it was. */
  MISREAD_PLAUSIBLE = 40, /* the mean cost of the classes of decoded stretches */
  MISREAD_FIRST = 42,     /* and this for all of them together */
  MISREAD_SIGN = 36,      /* a sign counts at most this */
  MISREAD_TORN = 58,      /* no letter costs more after the one before */
  MISREAD_JOINED = 12,    /* letters of a clean and a misread part cost at most this */
  MISREAD_TOUCHING = 42,  /* the mean of stretches that are clean in part */
  MISREAD_UNCOMMON = 40,  /* a stretch left as it was is garble if it costs more, */
  MISREAD_UNCOMMON_TWO = 58 /* or, if it has two code points, this */
};

#endif
