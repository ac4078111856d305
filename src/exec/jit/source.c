/* SPDX-License-Identifier: MIT
 *
 * Lines and files of origins.
 */
#include "exec/jit/source.h"

#include <stdlib.h>

uint32_t
jit_find_source_line(const struct lir_symbols *symbols, uint32_t origin)
{
   return origin < symbols->num_lines ? symbols->lines[origin] : 0;
}

const char *
jit_find_source_file(const struct lir_symbols *symbols)
{
   return symbols->file ? symbols->file : "kernel";
}

char *
jit_find_source_folder(const struct lir_symbols *symbols)
{
   return *jit_find_source_file(symbols) == '/' ? NULL : realpath(".", NULL);
}
