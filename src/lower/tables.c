/* SPDX-License-Identifier: MIT
 *
 * Words that code looks things up in.
 */
#include "lower/bindings.h"

const uint32_t lower_tables[LOWER_TABLE_WORDS] = {
#include "format/srgb.def"
};
