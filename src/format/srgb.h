/* SPDX-License-Identifier: MIT
 *
 * Offsets of the sRGB tables in srgb.def. C and LIR read the same words.
 */
#ifndef TG_FORMAT_SRGB_H
#define TG_FORMAT_SRGB_H

#include <stdint.h>

enum { FORMAT_SRGB_WORDS = 2 * (256 + 32 + 64) };

/* Floats as bits. */
extern const uint32_t format_srgb[FORMAT_SRGB_WORDS];

/* The first of the linear values of codes of 5, 6 or 8 bits. */
static inline uint32_t
format_srgb_decode(unsigned bits)
{
   return bits == 8 ? 0 : bits == 5 ? 2 * 256 : 2 * (256 + 32);
}

/* The first of the floats from which on each code is the nearest. */
static inline uint32_t
format_srgb_encode(unsigned bits)
{
   return format_srgb_decode(bits) + (1u << bits);
}

#endif
