/* SPDX-License-Identifier: MIT
 *
 * Parsing of unsigned numbers out of the digits of a text.
 */
#ifndef TG_UTIL_NUMBER_H
#define TG_UTIL_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum tg_number {
   TG_NUMBER_GOOD,
   TG_NUMBER_NONE,      /* no digits, or something else among them */
   TG_NUMBER_TOO_LARGE, /* for 64 bits */
};

/* The value of a digit, letters of either case being 10 to 15; else 16. */
unsigned
tg_digit(char c);

/* The number that digits of a base up to 16 are. */
enum tg_number
tg_number_of_digits(const char *text, size_t length, unsigned base,
                    uint64_t *number_out);

/* Decimal digits, or hexadecimal ones after 0x. */
enum tg_number
tg_number_read(const char *text, size_t length, uint64_t *number_out);

#endif
