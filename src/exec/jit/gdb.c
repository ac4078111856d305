/* SPDX-License-Identifier: MIT
 *
 * GDB's JIT interface, for code that has no object file: one is made of it in
 * memory. GDB stops at __jit_debug_register_code() and reads the descriptor; it
 * finds both by their names, as it finds those of LLVM, which registers its
 * objects itself.
 */
#include <stdlib.h>

#include "exec/jit/debug.h"
#include "exec/jit/names.h"

/* ---- what GDB reads ------------------------------------------------------ */

struct jit_code_entry {
   struct jit_code_entry *next, *previous;
   const char *file;
   uint64_t file_size;
};

enum { REGISTER = 1 };

struct jit_descriptor {
   uint32_t version;
   uint32_t action;
   struct jit_code_entry *relevant;
   struct jit_code_entry *first;
};

/* Local symbols: GDB takes a global one of the program to be what libraries
 * mean by that name, as LLVM's does. */
static struct jit_descriptor __attribute__((used))
__jit_debug_descriptor = {.version = 1};

/* The breakpoint; the compiler shall think that it does something. */
static void __attribute__((noinline, used)) __jit_debug_register_code(void)
{
   __asm__ volatile("" ::: "memory");
}

/* ---- registration -------------------------------------------------------- */

/* NULL when out of memory. */
static struct jit_code_entry *
make_entry(const struct jit_debug_info *info)
{
   struct jit_code_entry *entry = calloc(1, sizeof(*entry));
   size_t size;

   if (!entry)
      return NULL;
   entry->file = jit_make_debug_object(info, &size);
   entry->file_size = size;
   if (entry->file)
      return entry;
   free(entry);
   return NULL;
}

/* What is registered stays to the end of the process, as its code does. */
void
jit_show_to_gdb(const struct jit_debug_info *info)
{
   struct jit_code_entry *entry =
      jit_names_are_for_gdb() ? make_entry(info) : NULL;

   if (!entry)
      return;
   pthread_mutex_lock(&jit_names_mutex);
   entry->next = __jit_debug_descriptor.first;
   if (entry->next)
      entry->next->previous = entry;
   __jit_debug_descriptor.first = entry;
   __jit_debug_descriptor.relevant = entry;
   __jit_debug_descriptor.action = REGISTER;
   __jit_debug_register_code();
   pthread_mutex_unlock(&jit_names_mutex);
}
