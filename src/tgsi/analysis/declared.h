/* SPDX-License-Identifier: MIT
 *
 * Look-up of a register's declaration. The declared registers are kept as
 * disjoint ranges, sorted, so that size and look-ups depend on the number of
 * declarations and not on how many registers they cover.
 */
#ifndef TG_TGSI_ANALYSIS_DECLARED_H
#define TG_TGSI_ANALYSIS_DECLARED_H

#include "tgsi/shader/shader.h"

#define TG_NO_DECLARATION UINT32_MAX

/* Registers first to last of a file, in one dimension. A declaration without
 * dimension and one of a per-vertex file have dimension 0, so that CONST[3]
 * and CONST[0][3] are the same register. */
struct tg_declared_range {
   uint32_t declaration; /* its index in the shader */
   uint16_t dimension, first, last;
   uint8_t file;
};

struct tg_declared {
   struct tg_declared_range *ranges;
   uint32_t num_ranges;
   uint32_t file_begin[TG_NUM_FILES + 1]; /* where a file's ranges begin */

   /* For each declaration an earlier one that has some of its registers too,
    * or TG_NO_DECLARATION. Those registers count to the earlier one. */
   uint32_t *overlaps;
};

/* Reads the declarations; those of no file and those that end before they
 * begin are left out. All memory comes from `arena`. False: out of it. */
bool
tg_declared_init(struct tg_declared *declared, const struct tg_shader *shader,
                 struct tg_arena *arena);

/* The declaration of a register or NULL. `shader` is that of the init. */
const struct tg_declaration *
tg_declared_find(const struct tg_declared *declared,
                 const struct tg_shader *shader, enum tg_file file,
                 uint32_t dimension, int32_t index);

/* Is there any register of this file, in this dimension? */
bool
tg_declared_has_file(const struct tg_declared *declared, enum tg_file file);
bool
tg_declared_has_dimension(const struct tg_declared *declared, enum tg_file file,
                          uint32_t dimension);

#endif
