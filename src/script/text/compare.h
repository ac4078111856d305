/* SPDX-License-Identifier: MIT
 *
 * Tolerances: when a value counts as the one that a test expects.
 */
#ifndef TG_SCRIPT_TEXT_COMPARE_H
#define TG_SCRIPT_TEXT_COMPARE_H

#include "script/text/values.h"

enum script_tolerance_kind {
   SCRIPT_EXACT,
   SCRIPT_WITHIN_ULP,
   SCRIPT_WITHIN_DISTANCE,
};

struct script_tolerance {
   enum script_tolerance_kind kind;
   uint32_t ulps;
   double distance;
};

/* Reads `within 2 ulp` or `within 1e-6`, or nothing. */
bool
script_read_compare_tolerance(struct script_cursor *cursor,
                              struct script_tolerance *tolerance_out);

/* Without tolerance bits are compared; a value written as a float or double
 * NaN is equal to any NaN. With one, words are compared as floats, pairs
 * written as doubles as doubles; infinities only equal themselves, and integers
 * of 64 bits are compared by their bits. `words` are those of the channels that
 * were asked for, as many as expected. */
bool
script_compare_values(const struct script_values *expected,
                      const uint32_t *words,
                      const struct script_tolerance *tolerance);

#endif
