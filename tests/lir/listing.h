/* SPDX-License-Identifier: MIT
 *
 * Modules from listings, so that tests can say in text what goes in and what
 * must come out. The language is that of lir_print(), except that values may
 * be numbered as one likes, as long as a number is given once a function.
 */
#ifndef TESTS_LIR_LISTING_H
#define TESTS_LIR_LISTING_H

#include "lir/lir.h"

/* Makes a module of a listing. Nothing is verified; the test fails at what
 * is no listing. The caller finishes the module. */
void
listing_parse(struct lir_module *module, const char *text);

/* The test fails unless the module's listing is that of `expected`. */
void
listing_check(const struct lir_module *module, const char *expected);

#endif
