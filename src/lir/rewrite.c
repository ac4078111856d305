/* SPDX-License-Identifier: MIT
 *
 * Rewriting function by function, and the closing of gaps.
 */
#include "lir/rewrite.h"

static bool
begin(struct lir_rewrite *rewrite)
{
   uint32_t num_insts = rewrite->function->num_insts;

   rewrite->changed = false;
   rewrite->stands_for =
      tg_arena_array(rewrite->scratch, num_insts, sizeof(*rewrite->stands_for));
   if (!rewrite->stands_for)
      return false;
   for (uint32_t i = 0; i < num_insts; i++)
      rewrite->stands_for[i] = i;
   return true;
}

/* Moves what is kept to the front. After the walk, stands_for holds the new
 * number of what stands for each value. */
static void
close_gaps(struct lir_rewrite *rewrite)
{
   struct lir_function *function = rewrite->function;
   uint32_t num_kept = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      uint32_t stand_in = rewrite->stands_for[i];

      if (stand_in == i) {
         struct lir_inst inst = function->insts[i];

         lir_rewrite_operands(rewrite, &inst);
         rewrite->stands_for[i] = num_kept;
         function->insts[num_kept++] = inst;
      } else if (stand_in != LIR_DROPPED) {
         rewrite->stands_for[i] = rewrite->stands_for[stand_in];
      }
   }
   function->num_insts = num_kept;
}

enum tg_result
lir_rewrite_module(struct lir_module *module,
                   bool (*rewrite_function)(struct lir_rewrite *rewrite,
                                            void *user),
                   void *user, bool *changed_out)
{
   struct tg_arena scratch;
   bool good = true;

   tg_arena_init(&scratch, module->arena.allocator);
   for (uint32_t i = 0; good && i < module->num_functions; i++) {
      struct lir_rewrite rewrite = {
         .module = module,
         .function = &module->functions[i],
         .function_index = i,
         .scratch = &scratch,
      };

      good = begin(&rewrite) && rewrite_function(&rewrite, user);
      if (good && rewrite.changed) {
         close_gaps(&rewrite);
         *changed_out = true;
      }
      tg_arena_finish(&scratch);
   }
   return good ? TG_OK : TG_ERROR_MEMORY;
}
