/* SPDX-License-Identifier: MIT
 *
 * Layout of one piece of memory for several things that waves use, each of
 * which begins where a cache line does.
 */
#ifndef TG_RUN_MEMORY_H
#define TG_RUN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "exec/exec.h"

enum { MEMORY_ALIGNMENT = 64 };

/* A word of lane memory. */
typedef uint32_t lane_words[LIR_LANES];

/* Memory that grows by things at multiples of MEMORY_ALIGNMENT; `overflowed`
 * once its size cannot be said. */
struct run_memory_layout {
   size_t size;
   bool overflowed;
};

/* Adds an array to a layout; returns its offset. */
size_t
run_memory_add(struct run_memory_layout *layout, size_t count, size_t size);

/* Aligned memory. The allocator knows nothing of alignment. NULL when out of
 * memory. */
void *
run_memory_allocate(const struct tg_allocator *allocator, size_t size);

/* Frees what run_memory_allocate() gave for this size. */
void
run_memory_free(const struct tg_allocator *allocator, void *memory,
                size_t size);

#endif
