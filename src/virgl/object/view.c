/* SPDX-License-Identifier: MIT
 *
 * Sampler views as objects, and which views and samplers a stage has.
 */
#include "virgl/object/object.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/formats.h"

/* ---- objects ------------------------------------------------------------- */

/* Elements from first to last, of those that the buffer has as it is. */
static void
describe_buffer(const uint32_t *words, struct tg_view_desc *desc)
{
   const uint64_t width = tg_resource_get_desc(desc->resource)->width;
   const uint64_t bytes = tg_format_get_block(desc->format).bytes;
   const uint64_t first = words[4] * bytes, end = (words[5] + 1ull) * bytes;

   desc->target = TG_TEXTURE_BUFFER;
   if (first >= width || end <= first)
      return;
   desc->offset = (uint32_t)first;
   desc->size = virgl_limit_texels((end < width ? end : width) - first,
                                   desc->format);
}

/* Of what has no layers none are named, whatever the words say. */
static void
describe_texture(const uint32_t *words, struct tg_view_desc *desc)
{
   const struct tg_resource_desc *resource =
      tg_resource_get_desc(desc->resource);
   const uint32_t target = virgl_bits(words[3], 24, 8);

   desc->target = target ? target : resource->target;
   if (resource->target != TG_TEXTURE_3D) {
      desc->first_layer = virgl_bits(words[4], 0, 16);
      desc->last_layer = virgl_bits(words[4], 16, 16);
   }
   desc->first_level = virgl_bits(words[5], 0, 8);
   desc->last_level = virgl_bits(words[5], 8, 8);
}

enum tg_result
virgl_create_view(const struct virgl_call *call, void **thing_out)
{
   const uint32_t *words = call->words;
   struct tg_view_desc desc = {0};
   enum tg_result result = virgl_get_resource(call, words[2], &desc.resource);

   if (result != TG_OK)
      return result;
   if (!desc.resource)
      return virgl_refuse_call(call, "a view needs a resource");
   desc.format = virgl_format(virgl_bits(words[3], 0, 24));
   for (unsigned i = 0; i < 4; i++)
      desc.swizzle[i] = (uint8_t)virgl_bits(words[6], 3 * i, 3);
   if (tg_resource_get_desc(desc.resource)->target == TG_TEXTURE_BUFFER)
      describe_buffer(words, &desc);
   else
      describe_texture(words, &desc);
   return tg_view_create(call->host->allocator, &desc, call->diagnostics,
                         (struct tg_view **)thing_out);
}

void
virgl_drop_view(struct virgl_context *context, void *thing)
{
   (void)context;
   tg_view_destroy(thing);
}

/* ---- slots --------------------------------------------------------------- */

/* Slots from the one in word 2 on, one for each word after it. */
static enum tg_result
check_slots(const struct virgl_call *call, unsigned num_slots)
{
   const uint32_t first = call->words[2], count = call->length - 2;

   if (call->words[1] >= VIRGL_NUM_STAGES)
      return virgl_refuse_call(call, "there is no stage %u", call->words[1]);
   if (first > num_slots || count > num_slots - first)
      return virgl_refuse_call(call, "slots %u to %u; there are %u", first,
                               first + count, num_slots);
   return TG_OK;
}

typedef void
set_slot(struct tg_bindings *bindings, unsigned slot, void *object);

static void
set_view(struct tg_bindings *bindings, unsigned slot, void *object)
{
   tg_bindings_set_view(bindings, slot, object, NULL);
}

static void
set_sampler(struct tg_bindings *bindings, unsigned slot, void *object)
{
   tg_bindings_set_sampler(bindings, slot, object, NULL);
}

/* An unknown handle leaves its slot empty, and is refused after the others. */
static enum tg_result
set_slots(const struct virgl_call *call, unsigned num_slots,
          enum virgl_object_number type, set_slot *set)
{
   const enum tg_result result = check_slots(call, num_slots);

   if (result != TG_OK)
      return result;
   uint32_t missing = 0;
   for (uint32_t i = 0; i < call->length - 2; i++) {
      const uint32_t handle = call->words[3 + i];
      void *object = virgl_find_object(call->context, handle, type);

      if (handle && !object)
         missing = handle;
      set(call->context->bindings[call->words[1]], call->words[2] + i, object);
   }
   return missing ? virgl_refuse_call(call, "there is no object %u", missing)
                  : TG_OK;
}

enum tg_result
virgl_do_set_views(const struct virgl_call *call)
{
   return set_slots(call, TG_MAX_VIEWS, VIRGL_OBJECT_SAMPLER_VIEW, set_view);
}

enum tg_result
virgl_do_set_samplers(const struct virgl_call *call)
{
   return set_slots(call, TG_MAX_SAMPLERS, VIRGL_OBJECT_SAMPLER_STATE,
                    set_sampler);
}
