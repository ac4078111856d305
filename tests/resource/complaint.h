/* SPDX-License-Identifier: MIT
 *
 * Refusals, for the tests of this folder.
 */
#ifndef TESTS_RESOURCE_COMPLAINT_H
#define TESTS_RESOURCE_COMPLAINT_H

#include "tungsten/resource.h"

/* Asserts that one error was said, this one, and forgets it. */
void
expect_complaint(struct tg_diagnostics *diagnostics, const char *message);

/* A resource that must be possible. */
struct tg_resource *
make_resource(const struct tg_resource_desc *desc);

#endif
