/* SPDX-License-Identifier: MIT
 *
 * The stages of the compiler, in their order. Each either succeeds or has said
 * why not. What they change is the mir they are given.
 */
#ifndef TEGRA_MIR_COMPILE_H
#define TEGRA_MIR_COMPILE_H

#include "tegra/isa/program.h"
#include "tegra/mir/mir.h"

/* What every stage may want to know. */
struct compile {
   const struct tg_tegra_compile_options *options;
   struct tg_diagnostics *diagnostics;
   char **last_listing; /* that the caller was given, or NULL */

   /* Does the shader fit when its arithmetic is not exact? NULL: unknown. */
   bool (*fits_inexactly)(const struct compile *compile,
                          const struct tg_shader *shader,
                          const struct tg_allocator *allocator);
};

/* Gives the caller a listing of what a stage left, if it asked for a trace and
 * that is not what it was before. `round` counts those of the passes from 1; 0
 * is none. TG_ERROR_MEMORY. */
enum tg_result
mir_trace(const struct compile *compile, const struct mir *mir,
          const char *stage, unsigned round);

/* Complains that the program is too large in some way, at the instruction of
 * the shader where that is seen. Returns TG_ERROR_LIMIT. */
enum tg_result
mir_limit(const struct compile *compile, const struct mir *mir, uint32_t origin,
          const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* Instruction selection: TGSI to MIR. Says which line cannot be expressed, and
 * why, for each that cannot. TG_ERROR_UNSUPPORTED, TG_ERROR_LIMIT,
 * TG_ERROR_MEMORY. */
enum tg_result
select_mir(const struct compile *compile, struct mir *mir);

/* The optimization passes, until none of them changes anything or they have run
 * often enough. TG_ERROR_MEMORY. */
enum tg_result
optimize_mir(const struct compile *compile, struct mir *mir);

/* Legalization of operands: literals get their places in c[], operations at
 * most one constant and one attribute. TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
schedule_ports(const struct compile *compile, struct mir *mir);

/* Register allocation, scheduling and encoding: a program. TG_ERROR_LIMIT,
 * TG_ERROR_MEMORY. */
enum tg_result
schedule_emit(const struct compile *compile, struct mir *mir,
              struct tg_tegra_program *program);

#endif
