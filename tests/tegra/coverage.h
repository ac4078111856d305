/* SPDX-License-Identifier: MIT
 *
 * What golden tests claim to cover, held against the tables: every field, every
 * opcode of both units, known or not, and every end has to be claimed by a file
 * that has it indeed. Claims are "field ID", "vector NAME", "scalar NAME" (a
 * number where there is no name) and "end NAME".
 */
#ifndef TESTS_TEGRA_COVERAGE_H
#define TESTS_TEGRA_COVERAGE_H

#include "golden.h"

struct coverage;

struct coverage *
coverage_create(void);
void
coverage_destroy(struct coverage *coverage);

/* A file is read in these three steps. */
void
coverage_begin_file(struct coverage *coverage);
void
coverage_add_program(struct coverage *coverage,
                     const struct tg_tegra_program *program);
void
coverage_add_end(struct coverage *coverage, enum tg_tegra_end end);

/* Takes its claims. How many are of nothing, or of what the file does not have;
 * they are told on stderr. */
unsigned
coverage_end_file(struct coverage *coverage, const char *path,
                  const char *claims);

/* How much nobody has claimed, told on stderr. */
unsigned
coverage_missing(const struct coverage *coverage);

#endif
