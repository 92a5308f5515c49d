/* UTF-8 (RFC 3629): no overlong forms, no surrogates, at most U+10FFFF. */
#ifndef MOCCASIN_UTF8_H
#define MOCCASIN_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the valid character that `text` (length >= 1) begins with, or 0. */
size_t utf8_length(const char *text, size_t length);

/* Writes a code point (at most U+10FFFF, no surrogate); returns its bytes. */
size_t utf8_encode(uint32_t code, char out[4]);

/* Puts a question mark for each byte that belongs to no valid character, up to
 * the terminating NUL.  Returns `text`. */
char *utf8_repair(char *text);

#endif
