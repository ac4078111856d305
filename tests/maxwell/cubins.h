/* SPDX-License-Identifier: MIT
 *
 * Cubins for tests: the header, the sections in their order, their names, and
 * the headers of sections at the end.
 */
#ifndef TESTS_MAXWELL_CUBINS_H
#define TESTS_MAXWELL_CUBINS_H

#include <stddef.h>
#include <stdint.h>

struct cubin_section {
   const char *name;
   const uint64_t *words;
   size_t num_words;
};

/* Sections stand at these indices in the file. */
enum { CUBIN_NAMES = 1, CUBIN_FIRST = 2 };

/* Writes a cubin for sm_`sm` and returns its size. Aborts when it needs more
 * than `room` bytes. */
size_t
cubin_make(unsigned sm, const struct cubin_section *sections, size_t count,
           uint8_t *out, size_t room);

/* Where the header of a section begins. */
size_t
cubin_header(const uint8_t *cubin, size_t index);

/* Sets a little-endian number. */
void
cubin_set(uint8_t *at, uint64_t value, size_t size);

#define CUBIN_SET(at, type, member, value)                                     \
   cubin_set((at) + offsetof(type, member), value, sizeof(((type *)0)->member))

#endif
