/* SPDX-License-Identifier: MIT
 *
 * Shader variants: the code of a program. How a texture is read depends on its
 * format and on the sampler, so there is a variant of the code for each kind of
 * bindings that the program has run with. It is made when it is first needed;
 * threads that share the program share it.
 */
#ifndef TG_RUN_VARIANT_H
#define TG_RUN_VARIANT_H

#include "exec/kernel.h"
#include "lower/lower.h"

struct run_variants;

/* Finds or compiles the variant for what is bound, NULL for nothing, and for an
 * entry, 0 unless the program is made of kernels. It lives as long as the
 * program. Any thread. Errors are those of tg_program_create(). */
enum tg_result
run_get_variant(const struct tg_program *program,
                const struct tg_bindings *bindings, uint32_t entry,
                struct tg_diagnostics *diagnostics,
                const struct exec_code **code_out);

/* Makes the set of a program, with the variant for nothing bound. */
enum tg_result
run_variants_create(struct tg_program *program,
                    struct tg_diagnostics *diagnostics);

/* Takes a program that has none, too. */
void
run_variants_destroy(struct tg_program *program);

#endif
