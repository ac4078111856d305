/* SPDX-License-Identifier: MIT
 *
 * Textures without a test: a runner that runs nothing.
 */
#include "script/run/textures.h"

#include <assert.h>

#include "script/run/runner.h"
#include "util/memory.h"

static void
add_sampler(struct script_textures *textures, uint32_t number,
            const struct tg_sampler_desc *sampler)
{
   assert(sampler);
   if (number >= TG_MAX_SAMPLERS)
      return;
   textures->own_samplers[number] = *sampler;
   textures->samplers[number] = &textures->own_samplers[number];
}

static void
add_place(struct script_textures *textures, const struct script_place *place)
{
   const uint32_t number = place->number;

   if (place->kind == SCRIPT_PLACE_TEXTURE) {
      textures->own_views[number] =
         script_bound_view(textures->runner, place, &place->binding);
      textures->views[number] = &textures->own_views[number];
   }
   if (place->kind == SCRIPT_PLACE_TEXTURE ||
       place->kind == SCRIPT_PLACE_SAMPLER)
      add_sampler(textures, number, &place->binding.sampler);
}

static enum tg_result
make(struct script_textures *textures, const struct script *script,
     struct tg_diagnostics *diagnostics)
{
   textures->runner =
      tg_alloc_zeroed(script->quota.below, sizeof(*textures->runner));
   if (!textures->runner)
      return TG_ERROR_MEMORY;

   enum tg_result result =
      script_runner_init(textures->runner, script, diagnostics);
   if (result == TG_OK)
      result = script_bound_update(textures->runner);
   for (uint32_t i = 0; i < script->num_places && result == TG_OK; i++)
      add_place(textures, script->places[i]);
   return result;
}

enum tg_result
script_textures_create(const struct script *script,
                       struct tg_diagnostics *diagnostics,
                       struct script_textures **textures_out)
{
   struct script_textures *textures =
      tg_alloc_zeroed(script->quota.below, sizeof(*textures));
   if (!textures)
      return TG_ERROR_MEMORY;

   textures->allocator = script->quota.below;
   enum tg_result result = make(textures, script, diagnostics);
   if (result != TG_OK) {
      script_textures_destroy(textures);
      return result;
   }
   *textures_out = textures;
   return TG_OK;
}

void
script_textures_destroy(struct script_textures *textures)
{
   if (!textures)
      return;
   const struct tg_allocator *allocator = textures->allocator;
   if (textures->runner) {
      script_runner_finish(textures->runner);
      allocator->resize(allocator->user, textures->runner,
                        sizeof(*textures->runner), 0);
   }
   allocator->resize(allocator->user, textures, sizeof(*textures), 0);
}
