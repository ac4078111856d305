/* SPDX-License-Identifier: MIT
 *
 * Words of memory, for memory.c, atomic.c and image_rows.c.
 */
#ifndef TG_LOWER_MEMORY_H
#define TG_LOWER_MEMORY_H

#include "lower/memory/object.h"

/* Puts the source that holds an address, or coordinates, into `access->at`. */
void
lower_memory_address(struct lower_context *context, unsigned src,
                     struct lower_access *access);

/* The first word that an access to words is about. */
lir_value
lower_memory_word_of(struct lower_context *context,
                     const struct lower_access *access);

/* The word of a channel, that of x being `word`. */
lir_value
lower_memory_word_after(struct lir_builder *builder, lir_value word,
                        unsigned channel);

/* Stores the word of a channel, wherever that stands. */
typedef void (*lower_store_function)(struct lower_context *context,
                                     const struct lower_access *access,
                                     uint32_t place, unsigned channel);

/* The words of all channels of an access, as far as they have an effect. */
void
lower_memory_store_each(struct lower_context *context,
                        const struct lower_access *access, uint32_t place,
                        lower_store_function store);

#endif
