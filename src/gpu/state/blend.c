/* SPDX-License-Identifier: MIT
 *
 * Blend objects.
 */
#include "gpu/core/fault.h"

#include "gpu/state/check.h"
#include "gpu/state/objects.h"
#include "util/sized.h"
#include <assert.h>

#define TWO_KEYS                                                               \
   {.colormask = TG_CHANNEL_RGBA},                                             \
   {                                                                           \
      .colormask = TG_CHANNEL_RGBA                                             \
   }

const struct tg_blend gpu_default_blend = {
   .state = TG_BLEND_INIT,
   .key = {TWO_KEYS, TWO_KEYS, TWO_KEYS, TWO_KEYS},
};

/* 0 stands for ONE, which plays no part where blending is off. */
static bool
is_factor(uint8_t factor)
{
   const uint32_t valid = 0x07be07ffu; /* bit i: factor i */
   return factor < 32 && (valid >> factor & 1);
}

static enum tg_result
check_target(const struct tg_blend_target *target, unsigned number,
             struct tg_diagnostics *diagnostics)
{
   const enum tg_result result =
      GPU_CHECK_MEMBERS(diagnostics, {"rgb_func", target->rgb_func, 5},
                        {"alpha_func", target->alpha_func, 5},
                        {"colormask", target->colormask, 16});
   if (result != TG_OK || !target->blend_enable)
      return result;
   if (is_factor(target->rgb_src_factor) && is_factor(target->rgb_dst_factor) &&
       is_factor(target->alpha_src_factor) &&
       is_factor(target->alpha_dst_factor))
      return TG_OK;
   return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "a blend factor of target %u is none", number);
}

/* The source as it is. */
static bool
is_replacing(const struct tg_blend_target *target)
{
   return target->rgb_func == TG_BLEND_ADD &&
          target->alpha_func == TG_BLEND_ADD &&
          target->rgb_src_factor == TG_BLEND_ONE &&
          target->alpha_src_factor == TG_BLEND_ONE &&
          target->rgb_dst_factor == TG_BLEND_ZERO &&
          target->alpha_dst_factor == TG_BLEND_ZERO;
}

static struct lower_blend_key
blend_key(const struct tg_blend_target *target)
{
   if (!target->blend_enable || is_replacing(target))
      return (struct lower_blend_key){.colormask = target->colormask};
   return (struct lower_blend_key){
      .enabled = true,
      .rgb_func = target->rgb_func,
      .rgb_src_factor = target->rgb_src_factor,
      .rgb_dst_factor = target->rgb_dst_factor,
      .alpha_func = target->alpha_func,
      .alpha_src_factor = target->alpha_src_factor,
      .alpha_dst_factor = target->alpha_dst_factor,
      .colormask = target->colormask,
   };
}

enum tg_result
tg_blend_create(struct tg_device *device, const struct tg_blend_state *given,
                struct tg_diagnostics *diagnostics, struct tg_blend **blend_out)
{
   assert(device);
   assert(blend_out);
   struct tg_blend blend = {0};
   const struct tg_blend_state *state = &blend.state;
   enum tg_result result =
      tg_blend_state_take(&blend.state, given, diagnostics);
   if (result == TG_OK)
      result = GPU_CHECK_MEMBERS(diagnostics,
                                 {"logicop_func", state->logicop_func, 16});
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS && result == TG_OK; i++) {
      const unsigned number = state->independent_blend_enable ? i : 0;
      result = check_target(&state->targets[number], number, diagnostics);
      blend.key[i] = blend_key(&state->targets[number]);
   }
   if (result != TG_OK)
      return result;
   struct tg_blend *made = gpu_object_create(device, &blend, sizeof(blend));
   if (!made)
      return TG_ERROR_MEMORY;
   *blend_out = made;
   return TG_OK;
}

struct tg_blend *
tg_blend_ref(struct tg_blend *blend)
{
   if (blend)
      gpu_object_ref(&blend->object);
   return blend;
}

void
tg_blend_destroy(struct tg_blend *blend)
{
   if (blend)
      gpu_object_drop(&blend->object, sizeof(*blend));
}
