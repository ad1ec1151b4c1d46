/* suspect/scan.h: finds where suspicious code points may start, 64 bytes at a time. */
#ifndef UTF8_SUSPECT_SCAN_H
#define UTF8_SUSPECT_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a block, and those that a scan of one reads: three more decide what starts at its end. */
#define SUSPECT_BLOCK ((size_t)64)
#define SUSPECT_READ  (SUSPECT_BLOCK + 3)

/* Looks at the blocks that start at text, text + 64, ... and of which text has SUSPECT_READ bytes. Returns the
** offset of the first one in which a suspicious code point may start, and stores in *starts where: bit i
** for byte i. If there is none, returns the offset at which the next block would start. Never misses
** one, but may set the bit of another byte. text is well-formed; it may start inside a sequence. */
size_t utf8suspect_skip(const uint8_t *text, size_t size, uint64_t *starts);

#endif
