/* SPDX-License-Identifier: MIT
 *
 * Table lookups as LIR: code that loads from abi_tables declares their size, so
 * that bounds checks are eliminated where the index is below it.
 */
#ifndef TG_ABI_TABLES_H
#define TG_ABI_TABLES_H

#include "lir/builder.h"

/* The word of abi_tables at an index; 0 outside. */
lir_value
abi_table_lookup(struct lir_builder *builder, lir_value index);

#endif
