/* SPDX-License-Identifier: MIT
 *
 * A program in memory: instructions as words, where each came from, constants
 * and names. The assembler, the decoder and the compiler build it; after that
 * it does not change.
 */
#ifndef TEGRA_ISA_PROGRAM_H
#define TEGRA_ISA_PROGRAM_H

#include "tegra/isa/isa.h"
#include "util/arena.h"
#include "util/diagnostics.h"

enum { TEGRA_NUM_NAMES = TG_TEGRA_UNIFORM + 1 };

struct tg_tegra_program {
   struct tg_arena arena; /* owns the program and all below */

   /* The text that it came from, for carets: copies in the arena. `text` is
    * NULL for words; then positions count instructions. */
   struct tg_source source;

   uint32_t num_instructions;
   uint32_t words[TG_TEGRA_MAX_INSTRUCTIONS][TG_TEGRA_WORDS];
   /* Of the instruction in the text; else line 0, and column its number. */
   struct tg_position positions[TG_TEGRA_MAX_INSTRUCTIONS];

   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint8_t constant_masks[TG_TEGRA_NUM_CONSTANTS]; /* bit 0: x is given */

   /* What it was compiled for; AS_COMPILED where that is not known. */
   enum tg_tegra_mad mad;

   /* By enum tg_tegra_name and index; NULL: none. In the arena. */
   const char *names[TEGRA_NUM_NAMES][TG_TEGRA_NUM_CONSTANTS];
};

/* How many registers there are to name. */
uint32_t
tegra_program_num_names(enum tg_tegra_name kind);

/* An empty program, or NULL. Name and text are copied; `text` may be NULL. */
struct tg_tegra_program *
tegra_program_create(const struct tg_allocator *allocator,
                     const struct tg_source *source);

/* Appends an instruction; there must be room for it. */
void
tegra_program_add(struct tg_tegra_program *program,
                  const union tegra_instruction *instruction,
                  struct tg_position position);

/* Sets the end bit of the last instruction, if any. */
void
tegra_program_end_last(struct tg_tegra_program *program);

/* Complains of instruction `number`: in its line where the program came from
 * text, else with its number before the message. As tg_diagnose() otherwise. */
void
tegra_program_diagnose(struct tg_diagnostics *diagnostics,
                       enum tg_severity severity, const char *code,
                       const struct tg_tegra_program *program, uint32_t number,
                       const char *note, const char *format, ...)
   __attribute__((format(printf, 7, 8)));
void
tegra_program_vdiagnose(struct tg_diagnostics *diagnostics,
                        enum tg_severity severity, const char *code,
                        const struct tg_tegra_program *program, uint32_t number,
                        const char *note, const char *format, va_list args)
   __attribute__((format(printf, 7, 0)));

#endif
