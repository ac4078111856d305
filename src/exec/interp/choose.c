/* SPDX-License-Identifier: MIT
 *
 * Which of the compiled interpreters runs on this machine. The one place that
 * asks the processor what it can do.
 */
#include "exec/interp/sets.h"

#include <string.h>

#include "tungsten/base.h"

struct choice {
   const struct exec_executor *executor;
   bool (*is_there)(void);
};

#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   static bool has_##name(void)                                                \
   {                                                                           \
      return is_there;                                                         \
   }
#include "exec/interp/sets.def"

static const struct choice choices[] = {
#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   {&INTERP_EXECUTOR(name), has_##name},
#include "exec/interp/sets.def"
};

enum { NUM_CHOICES = sizeof(choices) / sizeof(choices[0]) };

const struct exec_executor *
exec_interpreter(void)
{
   unsigned i = 0;

   while (!choices[i].is_there()) /* the last one always is */
      i++;
   return choices[i].executor;
}

/* ---- names --------------------------------------------------------------- */

#define INTERPRETER "interp"

/* What users say and read: "interp", which is the best of those that follow,
 * and "interp-" with an instruction set. */
static const char *const names[] = {
   INTERPRETER,
#define INTERP_INSTRUCTION_SET(name, is_there) INTERPRETER "-" #name,
#include "exec/interp/sets.def"
};

const struct exec_executor *
exec_find(const char *name)
{
   if (!name || strcmp(name, INTERPRETER) == 0)
      return exec_interpreter();
   for (unsigned i = 0; i < NUM_CHOICES; i++) {
      if (strcmp(name, names[i + 1]) == 0)
         return choices[i].is_there() ? choices[i].executor : NULL;
   }
   return NULL;
}

const char *
tg_executor_name(unsigned number)
{
   for (unsigned i = 0; i <= NUM_CHOICES; i++) {
      if (i > 0 && !choices[i - 1].is_there())
         continue;
      if (number-- == 0)
         return names[i];
   }
   return NULL;
}

const struct exec_executor *
exec_interpreter_for(const char *instruction_set)
{
   for (unsigned i = 0; i < NUM_CHOICES; i++) {
      const struct choice *choice = &choices[i];

      if (strcmp(choice->executor->name, instruction_set) == 0)
         return choice->is_there() ? choice->executor : NULL;
   }
   return NULL;
}
