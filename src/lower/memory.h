/* SPDX-License-Identifier: MIT
 *
 * Words of memory, for memory.c and atomic.c.
 */
#ifndef TG_LOWER_MEMORY_H
#define TG_LOWER_MEMORY_H

#include "lower/object.h"

/* Puts the source that holds an address, or coordinates, into `access->at`. */
void
lower_read_address(struct lower_context *context, unsigned src,
                   struct lower_access *access);

/* The first word that an access to words is about. */
lir_value
lower_word_of(struct lower_context *context, const struct lower_access *access);

#endif
