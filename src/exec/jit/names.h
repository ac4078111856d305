/* SPDX-License-Identifier: MIT
 *
 * Names of code for debuggers and profilers, whichever generator it is from, as
 * the environment variable TUNGSTEN_JIT_DEBUG asks for them: "perf" writes the
 * map that perf(1) reads, "gdb" registers code with GDB; a comma is between
 * several. Code that has been named stays until the process ends.
 */
#ifndef TG_EXEC_JIT_NAMES_H
#define TG_EXEC_JIT_NAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lir/lir.h"

bool
jit_names_are_for_perf(void);
bool
jit_names_are_for_gdb(void);

static inline bool
jit_wants_names(void)
{
   return jit_names_are_for_perf() || jit_names_are_for_gdb();
}

/* The name of a module for users, of letters, digits and underscores:
 * "FRAG_shader_7". */
enum { JIT_TITLE_BYTES = 128 };
void
jit_print_name(const struct lir_module *module, char title[JIT_TITLE_BYTES]);

/* Opens the map of this process, /tmp/perf-PID.map, if it is wanted and was not
 * yet: before a sandbox forbids that. Any thread. */
void
jit_open_map_of_names(void);

/* Adds code to the map, if there is one; `number` tells kernels of one shader
 * for different state from each other. Any thread. */
void
jit_add_name_to_map(const struct lir_module *module, uint32_t number,
                    const void *code, size_t size);

/* Registers code with GDB, if it is wanted: see debug.h. Any thread. */
struct jit_debug_info;
void
jit_show_to_gdb(const struct jit_debug_info *info);

/* Of the map, and of what GDB reads. */
extern pthread_mutex_t jit_names_mutex;

/* In a child of fork(): no other thread is naming code. */
void
jit_forget_names(void);

#endif
