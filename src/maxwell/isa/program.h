/* SPDX-License-Identifier: MIT
 *
 * A program in memory: words, control bits, and where each came from. The
 * assembler, the decoders and the lowering build it; after that it does not
 * change.
 */
#ifndef MAXWELL_ISA_PROGRAM_H
#define MAXWELL_ISA_PROGRAM_H

#include "maxwell/isa/isa.h"
#include "util/arena.h"
#include "util/diagnostics.h"

/* What fills the last bundle of code up. */
#define MAXWELL_NOP UINT64_C(0x50b0000000070f00)

struct tg_maxwell_program {
   struct tg_arena arena; /* owns the program and all below */

   /* The text that it came from, for carets: copies in the arena. `text` is
    * NULL for words; then positions count instructions. */
   struct tg_source source;

   uint32_t num_instructions;
   uint64_t *words;
   uint32_t *controls;
   /* Of the instruction in the text; else line 0, and column its number. */
   struct tg_position *positions;
   /* A bit for each index of a handle whose texture was said to have integers.
    */
   uint32_t integer_indices[(MAXWELL_MAX_INDEX + 1) / 32];
   uint32_t word_capacity, control_capacity, position_capacity;
};

/* An empty program, or NULL. Name and text are copied; `text` may be NULL. */
struct tg_maxwell_program *
maxwell_program_create(const struct tg_allocator *allocator,
                       const struct tg_source *source);

/* Appends an instruction. TG_ERROR_LIMIT when there are
 * TG_MAXWELL_MAX_INSTRUCTIONS already, TG_ERROR_MEMORY. */
enum tg_result
maxwell_program_add(struct tg_maxwell_program *program, uint64_t word,
                    uint32_t control, struct tg_position position);

/* Where the instruction with this number is in code, in bytes from its start.
 */
size_t
maxwell_program_code_address(uint32_t index);

/* Says that the texture with the handle at `index` has integers. */
void
maxwell_program_set_integer(struct tg_maxwell_program *program, unsigned index);

bool
maxwell_program_is_integer(const struct tg_maxwell_program *program,
                           unsigned index);

#endif
