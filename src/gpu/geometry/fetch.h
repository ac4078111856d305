/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch as LIR: from the number of a vertex, or of an instance, to the
 * four words of an attribute, whatever its format, stride and offset.
 *
 * Rows that are not in the buffer, or end beyond it, read as four zeros. Where
 * rows lie and how many there are is data; code is made for the format, for
 * what counts the rows, and for whether they begin at whole words.
 */
#ifndef TG_GPU_FETCH_H
#define TG_GPU_FETCH_H

#include "exec/exec.h"
#include "format/format.h"
#include "lir/builder.h"
#include "tungsten/gpu.h"

enum gpu_fetch_rate {
   GPU_FETCH_ONCE, /* row 0, always: a stride of 0 */
   GPU_FETCH_BY_VERTEX,
   GPU_FETCH_BY_INSTANCE,
};

/* What code is made for; no padding. */
struct gpu_fetch_key {
   uint16_t format; /* enum tg_format */
   uint8_t rate;    /* enum gpu_fetch_rate */
   uint8_t is_aligned;
};

_Static_assert(sizeof(struct gpu_fetch_key) == 4, "no padding");

/* The words that say where the rows are; of aligned ones offset and stride are
 * in words, else in bytes. */
enum gpu_fetch_word {
   GPU_FETCH_OFFSET, /* of row 0 in the memory */
   GPU_FETCH_STRIDE,
   GPU_FETCH_ROWS, /* that are whole */
   GPU_FETCH_DIVISOR,
   GPU_FETCH_WORDS,
};

/* An attribute that is bound. */
struct gpu_fetch {
   struct gpu_fetch_key key;
   uint32_t words[GPU_FETCH_WORDS];
   struct exec_memory memory;
};

/* `element` has the format of a checked object, and `memory` is all that of the
 * buffer's resource; of no words where there is none. */
struct gpu_fetch
gpu_fetch_bind(const struct tg_vertex_element *element,
               const struct tg_vertex_buffer *buffer,
               const struct exec_memory *memory);

/* Where an attribute's words and memory are bound: words from `first_word` of a
 * CONST binding on, memory at another. */
struct gpu_fetch_place {
   uint32_t words_binding, first_word, memory_binding;
};

/* Which row is wanted. */
struct gpu_fetch_row {
   lir_value vertex, instance, start_instance;
};

/* Floats, or integers of a pure integer format; what the format has not is 0,
 * and 1 in the last of them. sRGB needs abi_tables bound. */
void
gpu_fetch_emit(struct lir_builder *builder, const struct gpu_fetch_key *key,
               const struct gpu_fetch_place *place,
               const struct gpu_fetch_row *row, lir_value attribute_out[4]);

#endif
