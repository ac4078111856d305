/* SPDX-License-Identifier: MIT
 *
 * Which of the compiled interpreters runs on this machine. The one place that
 * asks the processor what it can do.
 */
#include "exec/interp/sets.h"

#include <string.h>

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
