/* SPDX-License-Identifier: MIT
 *
 * Lookups: a texture instruction of all threads as the TGSI opcode that does
 * its work. simulate.c makes them of registers; kernel.c runs them.
 */
#ifndef MAXWELL_SIMULATE_H
#define MAXWELL_SIMULATE_H

#include "maxwell/isa/isa.h"
#include "util/arena.h"

enum {
   MAXWELL_SOURCES = 3, /* of the opcodes in question, without objects */
   MAXWELL_OFFSETS = 4,
   MAXWELL_THREADS = TG_MAXWELL_NUM_THREADS,
};

/* What a kernel is made for. */
struct maxwell_kernel_key {
   uint16_t opcode;   /* enum tg_opcode */
   uint8_t target;    /* enum tg_target */
   uint8_t type;      /* enum tg_return_type of the view */
   uint8_t component; /* of a gather */
   uint8_t num_offsets;
   bool is_fragment; /* has quads */
};

struct maxwell_lookup {
   struct maxwell_kernel_key key;
   struct tg_view_desc view;
   struct tg_sampler_desc sampler;
   uint32_t threads; /* that take part; a quad takes part whole */
   /* Registers of the opcode: [source][channel][thread]. */
   uint32_t source[MAXWELL_SOURCES][4][MAXWELL_THREADS];
   uint32_t offset[MAXWELL_OFFSETS][3][MAXWELL_THREADS];
   uint32_t result[4][MAXWELL_THREADS];
};

/* Asks about a texture, and samples nothing? */
bool
maxwell_lookup_is_query(const struct maxwell_instruction *instruction);

/* What an instruction does with a texture and sampler, without parameters and
 * threads. False when the texture has other dimensions than the instruction
 * asks for. */
bool
maxwell_lookup_prepare(struct maxwell_lookup *lookup,
                       const struct maxwell_instruction *instruction,
                       const struct maxwell_group sources[2],
                       const struct tg_view_desc *view,
                       const struct tg_sampler_desc *sampler, bool is_fragment);

/* The parameters, of all threads, from registers. */
void
maxwell_lookup_set_parameters(struct maxwell_lookup *lookup,
                              const struct maxwell_group sources[2],
                              uint32_t (*registers)[TG_MAXWELL_NUM_THREADS]);

/* Kernels that were made, to be used again. */
struct maxwell_kernels {
   struct tg_arena arena;
   struct maxwell_kernel *first;
};

/* Runs a lookup. TG_ERROR_UNSUPPORTED when TGSI has no such opcode with such a
 * target; TG_ERROR_MEMORY; and what binding the view returns. */
enum tg_result
maxwell_kernels_run(struct maxwell_kernels *kernels,
                    struct maxwell_lookup *lookup,
                    struct tg_diagnostics *diagnostics);

void
maxwell_kernels_init(struct maxwell_kernels *kernels,
                     const struct tg_allocator *allocator);
void
maxwell_kernels_finish(struct maxwell_kernels *kernels);

#endif
