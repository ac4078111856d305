/* SPDX-License-Identifier: MIT
 *
 * Depth-stencil-alpha objects.
 */
#include "gpu/state/check.h"

#include "gpu/state/objects.h"
#include "util/sized.h"
#include <assert.h>

const struct tg_depth_stencil_alpha gpu_default_depth_stencil_alpha = {
   .state = TG_DEPTH_STENCIL_ALPHA_INIT,
};

static enum tg_result
check(const struct tg_depth_stencil_alpha_state *state,
      struct tg_diagnostics *diagnostics)
{
   enum tg_result result =
      GPU_CHECK_MEMBERS(diagnostics, {"depth_func", state->depth_func, 8},
                        {"alpha_func", state->alpha_func, 8});
   for (unsigned i = 0; i < 2 && result == TG_OK; i++) {
      const struct tg_stencil_state *stencil = &state->stencil[i];
      result =
         GPU_CHECK_MEMBERS(diagnostics, {"stencil func", stencil->func, 8},
                           {"stencil fail_op", stencil->fail_op, 8},
                           {"stencil zfail_op", stencil->zfail_op, 8},
                           {"stencil zpass_op", stencil->zpass_op, 8});
   }
   return result;
}

static struct lower_stencil_key
stencil_key(const struct tg_stencil_state *stencil)
{
   return (struct lower_stencil_key){
      .enabled = true,
      .func = stencil->func,
      .fail_op = stencil->fail_op,
      .zfail_op = stencil->zfail_op,
      .zpass_op = stencil->zpass_op,
      .valuemask = stencil->valuemask,
      .writemask = stencil->writemask,
   };
}

/* The second stencil test counts only beside the first. */
static void
work_out(struct tg_depth_stencil_alpha *object)
{
   const struct tg_depth_stencil_alpha_state *state = &object->state;
   object->tests_alpha =
      state->alpha_enabled && state->alpha_func != TG_COMPARE_ALWAYS;
   object->tests_depth =
      state->depth_enabled &&
      (state->depth_func != TG_COMPARE_ALWAYS || state->depth_writemask);
   for (unsigned i = 0; i < 2 && state->stencil[i].enabled; i++)
      object->stencil[i] = stencil_key(&state->stencil[i]);
}

enum tg_result
tg_depth_stencil_alpha_create(struct tg_device *device,
                              const struct tg_depth_stencil_alpha_state *given,
                              struct tg_diagnostics *diagnostics,
                              struct tg_depth_stencil_alpha **object_out)
{
   assert(device);
   assert(object_out);
   struct tg_depth_stencil_alpha object = {0};
   enum tg_result result =
      tg_depth_stencil_alpha_state_take(&object.state, given, diagnostics);
   if (result == TG_OK)
      result = check(&object.state, diagnostics);
   if (result != TG_OK)
      return result;
   work_out(&object);
   struct tg_depth_stencil_alpha *made =
      gpu_object_create(device, &object, sizeof(object));
   if (!made)
      return TG_ERROR_MEMORY;
   *object_out = made;
   return TG_OK;
}

struct tg_depth_stencil_alpha *
tg_depth_stencil_alpha_ref(struct tg_depth_stencil_alpha *object)
{
   if (object)
      gpu_object_ref(&object->object);
   return object;
}

void
tg_depth_stencil_alpha_destroy(struct tg_depth_stencil_alpha *object)
{
   if (object)
      gpu_object_drop(&object->object, sizeof(*object));
}
