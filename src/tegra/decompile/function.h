/* SPDX-License-Identifier: MIT
 *
 * Functions of a program whose calls and returns are in pairs, as control-flow
 * graphs of instructions.
 */
#ifndef TEGRA_DECOMPILE_FUNCTION_H
#define TEGRA_DECOMPILE_FUNCTION_H

#include "tegra/decompile/decompile.h"

struct decompile_function {
   uint32_t entry; /* instruction */
   bool is_main;
   bool is_stale;    /* is to be visited again */
   unsigned depth;   /* of the stack when it begins, at most */
   unsigned vectors; /* that are A0's */
   uint32_t begin;   /* number of its BGNSUB */
   /* Entries that it has pushed when it reaches an instruction; -1: it does
    * not. */
   int8_t pushed[TG_TEGRA_MAX_INSTRUCTIONS];
};

struct decompile_functions {
   struct decompile *decompile;
   struct decompile_function *items; /* the first is the main part */
   uint32_t count, capacity;
   bool failed; /* calls and returns are not in pairs */
};

void
decompile_find_functions(struct decompile_functions *functions);

/* The subroutine that begins with an instruction, found or made. NULL when out
 * of memory. */
struct decompile_function *
decompile_find_function(struct decompile_functions *functions, int entry);

#endif
