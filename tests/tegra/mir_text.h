/* SPDX-License-Identifier: MIT
 *
 * Operations out of the listing that mir_print() makes of them, so that tests
 * of passes are listings before and after.
 */
#ifndef TESTS_TEGRA_MIR_TEXT_H
#define TESTS_TEGRA_MIR_TEXT_H

#include "tegra/mir/compile.h"

/* Fails the test when a line is none of a listing. mir_finish() frees it. */
void
mir_read(struct mir *mir, const char *listing);

/* Fails when the listing is not `expected`. */
void
assert_mir(const struct mir *mir, const char *expected);

/* The stages with these options; NULL: the defaults. */
struct compile
test_compile(const struct tg_tegra_compile_options *options);

#endif
