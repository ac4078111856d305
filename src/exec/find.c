/* SPDX-License-Identifier: MIT
 *
 * Executors by the names that users say and read: "interp", which is the best
 * interpreter of this machine, "interp-" with an instruction set, and those of
 * exec_others by their own. EXEC_USUAL is the name of the usual one, a choice
 * of the build.
 */
#include <string.h>

#include "exec/exec.h"
#include "tungsten/base.h"

#define INTERPRETER "interp"

struct row {
   const char *name;
   const char *instruction_set; /* NULL: the best that there is */
};

static const struct row interpreters[] = {
   {INTERPRETER, NULL},
#define INTERP_INSTRUCTION_SET(name, is_there) {INTERPRETER "-" #name, #name},
#include "exec/interp/sets.def"
};

enum { NUM_INTERPRETERS = sizeof(interpreters) / sizeof(interpreters[0]) };

/* NULL if this machine has it not. */
static const struct exec_executor *
get(const struct row *row)
{
   return row->instruction_set ? exec_interpreter_for(row->instruction_set)
                               : exec_interpreter();
}

const struct exec_executor *
exec_find(const char *name)
{
   if (!name)
      name = EXEC_USUAL;
   for (unsigned i = 0; i < NUM_INTERPRETERS; i++) {
      if (strcmp(name, interpreters[i].name) == 0)
         return get(&interpreters[i]);
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
   for (unsigned i = 0; i < NUM_INTERPRETERS; i++) {
      const struct row *row = &interpreters[i];

      if (get(row) && !is_usual(row->name) && number-- == 0)
         return row->name;
   }
   for (unsigned i = 0; exec_others[i]; i++) {
      if (!is_usual(exec_others[i]->name) && number-- == 0)
         return exec_others[i]->name;
   }
   return NULL;
}
