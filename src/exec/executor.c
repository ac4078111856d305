/* SPDX-License-Identifier: MIT
 *
 * Executors by the names that users say and read: "interp", which is the best
 * interpreter of this machine, "interp-" with an instruction set, "jit"
 * likewise, "x86", "auto", and those of exec_others by their own. EXEC_USUAL is
 * the name of the usual one, a choice of the build.
 */
#include <string.h>

#include "exec/exec.h"
#include "tungsten/base.h"

#define INTERPRETER "interp"

struct row {
   const char *name;
   const struct exec_executor *(*get)(const char *argument);
   const char *argument;
};

static const struct exec_executor *
best_interpreter(const char *argument)
{
   (void)argument;
   return exec_interpreter();
}

static const struct row rows[] = {
   {INTERPRETER, best_interpreter, NULL},
#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   {INTERPRETER "-" #name, exec_interpreter_for, #name},
#include "exec/interp/sets.def"
#ifdef EXEC_HAS_JIT
#define JIT_SET(id, name, cpu, features, has_half, has_avx2, has_avx512,       \
                has_scatter, mode, is_there)                                   \
   {name, exec_jit_for, name},
#include "exec/jit/sets.def"
#endif
};

enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* NULL if this machine has it not. */
static const struct exec_executor *
get(const struct row *row)
{
   return row->get(row->argument);
}

const struct exec_executor *
exec_find_executor(const char *name)
{
   if (!name)
      name = EXEC_USUAL;
   for (unsigned i = 0; i < NUM_ROWS; i++) {
      if (strcmp(name, rows[i].name) == 0)
         return get(&rows[i]);
   }
   for (unsigned i = 0; exec_others[i]; i++) {
      if (strcmp(name, exec_others[i]->name) == 0)
         return exec_others[i];
   }
   return NULL;
}

static bool
is_usual(const char *name)
{
   return strcmp(name, EXEC_USUAL) == 0;
}

const char *
tg_executor_name(unsigned number)
{
   if (number-- == 0)
      return EXEC_USUAL;
   for (unsigned i = 0; i < NUM_ROWS; i++) {
      const struct row *row = &rows[i];

      if (get(row) && !is_usual(row->name) && number-- == 0)
         return row->name;
   }
   for (unsigned i = 0; exec_others[i]; i++) {
      if (!is_usual(exec_others[i]->name) && number-- == 0)
         return exec_others[i]->name;
   }
   return NULL;
}
