/* SPDX-License-Identifier: MIT
 *
 * A pass by itself, as listings before and after, and what it must leave alone.
 */
#ifndef TESTS_TEGRA_PASS_LISTING_H
#define TESTS_TEGRA_PASS_LISTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mir_text.h"
#include "tegra/optimize/optimize.h"

typedef enum tg_result (*pass)(struct mir *mir, bool *changed);

/* Fails unless the pass makes one listing of the other. */
void
check_listing(pass run, const char *before, const char *after);
void
leave_listing(pass run, const char *listing);

/* The same of a program of one block, without its first line. */
void
check(pass run, const char *before, const char *after);
void
leave(pass run, const char *operations);

/* Several listings, each with one of the parts between the same lines. */
void
leave_each(pass run, const char *before, const char *const parts[],
           size_t count, const char *behind);

#endif
