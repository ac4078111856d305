/* SPDX-License-Identifier: MIT
 *
 * The decompiler's driver, from words to a TGSI shader.
 */
#include "tegra/decompile/decompile.h"

#include <assert.h>

static void
decode(struct decompile *decompile)
{
   const struct tg_tegra_program *program = decompile->program;

   decompile->num_instructions = program->num_instructions;
   for (uint32_t i = 0; i < program->num_instructions; i++)
      decompile->instructions[i] = tegra_isa_decode(program->words[i]);
}

enum tg_result
tg_tegra_decompile(const struct tg_allocator *allocator,
                   const struct tg_tegra_program *program,
                   struct tg_diagnostics *diagnostics, char **text_out)
{
   assert(program);
   assert(text_out);
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct decompile *decompile = tg_arena_alloc(&arena, sizeof(*decompile));
   if (!decompile) {
      tg_arena_finish(&arena);
      return TG_ERROR_MEMORY;
   }
   decompile->arena = arena;
   decompile->body.allocator = arena.allocator;
   decompile->program = program;
   decompile->diagnostics = diagnostics;
   decode(decompile);
   decompile_learn_flow(decompile);

   char *text = NULL;
   enum tg_result result = decompile_check_flow_ends(decompile);
   if (result == TG_OK) {
      if (!decompile_structure(decompile) && !decompile->out_of_memory)
         decompile_machine(decompile);
      text = decompile_text_take(decompile);
      result = text ? TG_OK : TG_ERROR_MEMORY;
   }
   tg_strbuf_finish(&decompile->body);
   arena = decompile->arena; /* which owns what holds it */
   tg_arena_finish(&arena);
   if (result == TG_OK)
      *text_out = text;
   return result;
}
