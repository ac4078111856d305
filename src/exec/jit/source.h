/* SPDX-License-Identifier: MIT
 *
 * Where code came from, as line tables have it, whichever generator makes them:
 * a file, and the lines of origins in it.
 */
#ifndef TG_EXEC_JIT_SOURCE_H
#define TG_EXEC_JIT_SOURCE_H

#include <stdint.h>

#include "lir/lir.h"

/* The line of an origin, from 1; 0: it has none. */
uint32_t
jit_find_source_line(const struct lir_symbols *symbols, uint32_t origin);

/* The name of the file; borrowed. */
const char *
jit_find_source_file(const struct lir_symbols *symbols);

/* The folder that the file's name is relative to, for the caller to free().
 * NULL: none, since the name is absolute or the folder is not known. */
char *
jit_find_source_folder(const struct lir_symbols *symbols);

#endif
