/* SPDX-License-Identifier: MIT
 *
 * The driver, tg_maxwell_lower(): the stages in their order.
 */
#include "maxwell/lower/lower.h"

#include <assert.h>

#include "util/sized.h"

enum tg_result
tg_maxwell_lower(const struct tg_allocator *allocator,
                 const struct tg_shader *shader,
                 const struct tg_maxwell_lower_options *given,
                 struct tg_diagnostics *diagnostics,
                 struct tg_maxwell_lowering **lowering_out)
{
   assert(shader);
   assert(lowering_out);
   struct tg_maxwell_lower_options options;
   struct tg_arena arena;
   enum tg_result result =
      tg_maxwell_lower_options_take(&options, given, diagnostics);
   if (result == TG_OK)
      result = tg_shader_validate(shader, diagnostics);
   if (result != TG_OK)
      return result;

   tg_arena_init(&arena, allocator);
   struct tg_maxwell_lowering *lowering =
      tg_arena_alloc(&arena, sizeof(*lowering));
   if (!lowering)
      return TG_ERROR_MEMORY;
   lowering->arena = arena;
   lowering->shader = shader;
   lowering->options = options;
   lowering->diagnostics = diagnostics;

   result = tg_flow_analyse(shader, NULL, &lowering->flow);
   if (result == TG_OK)
      result = maxwell_lower_find_values(lowering);
   if (result == TG_OK)
      result = maxwell_lower_plan(lowering);
   if (result == TG_OK)
      result = maxwell_lower_place(lowering);
   if (result == TG_OK)
      result = maxwell_lower_schedule(lowering);
   lowering->diagnostics = NULL; /* the caller's, and not for later */
   if (result != TG_OK) {
      tg_maxwell_lowering_destroy(lowering);
      return result;
   }
   *lowering_out = lowering;
   return TG_OK;
}

void
tg_maxwell_lowering_destroy(struct tg_maxwell_lowering *lowering)
{
   if (!lowering)
      return;
   tg_maxwell_program_destroy(lowering->program);
   tg_flow_finish(&lowering->flow);

   struct tg_arena arena = lowering->arena; /* which owns the lowering */
   tg_arena_finish(&arena);
}

const struct tg_maxwell_program *
tg_maxwell_lowering_program(const struct tg_maxwell_lowering *lowering)
{
   assert(lowering);
   return lowering->program;
}
