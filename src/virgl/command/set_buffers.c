/* SPDX-License-Identifier: MIT
 *
 * Bindings of a stage: constant buffers, shader buffers and shader images. A
 * range of a buffer is cut at the buffer's end.
 */
#include <assert.h>

#include "util/length.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/formats.h"

static enum tg_result
check_stage(const struct virgl_call *call)
{
   if (call->words[1] >= VIRGL_NUM_STAGES)
      return virgl_refuse_call(call, "there is no stage %u", call->words[1]);
   return TG_OK;
}

/* ---- constants ----------------------------------------------------------- */

enum tg_result
virgl_do_set_constants(const struct virgl_call *call)
{
   const enum tg_result result = check_stage(call);

   if (result != TG_OK)
      return result;
   return tg_bindings_set_constants(call->context->bindings[call->words[1]],
                                    call->words[2], &call->words[3],
                                    (call->length - 2) * 4, call->diagnostics);
}

/* ---- buffers ------------------------------------------------------------- */

/* A part that begins beyond the buffer is none. */
static enum tg_result
set_buffer(const struct virgl_call *call, uint32_t stage,
           enum tg_buffer_file file, uint32_t place, uint32_t offset,
           uint32_t length, struct tg_resource *resource)
{
   assert(stage < TG_LENGTH(call->context->bindings));
   if (resource) {
      const uint32_t width = tg_resource_get_desc(resource)->width;

      if (offset > width)
         offset = width & ~(uint32_t)(TG_BUFFER_OFFSET_ALIGNMENT - 1);
      if (length > width - offset)
         length = width - offset;
   }
   return tg_bindings_set_buffer(call->context->bindings[stage], file, place,
                                 resource, offset, length, call->diagnostics);
}

enum tg_result
virgl_do_set_uniform_buffer(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   struct tg_resource *resource = NULL;
   enum tg_result result = check_stage(call);

   if (result == TG_OK)
      result = virgl_get_resource(call, words[5], &resource);
   if (result == TG_OK)
      result = set_buffer(call, words[1], TG_BUFFER_CONSTANT, words[2],
                          words[3], words[4], resource);
   return result;
}

/* Slots of three words each, {offset, length, resource}. */
static enum tg_result
set_buffers(const struct virgl_call *call, uint32_t stage,
            enum tg_buffer_file file, uint32_t first, const uint32_t *words,
            uint32_t count)
{
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < count && result == TG_OK; i++) {
      struct tg_resource *resource;

      result = virgl_get_resource(call, words[3 * i + 2], &resource);
      if (result == TG_OK)
         result = set_buffer(call, stage, file, first + i, words[3 * i],
                             words[3 * i + 1], resource);
   }
   return result;
}

/* Clients empty more slots than there are. */
static uint32_t
trim_slots(const uint32_t *words, unsigned num_words, uint32_t first,
           uint32_t count, uint32_t num_slots)
{
   while (count && (first >= num_slots || count > num_slots - first) &&
          !words[num_words * count - 1])
      count--;
   return count;
}

enum tg_result
virgl_do_set_shader_buffers(const struct virgl_call *call)
{
   const uint32_t *slots = &call->words[3];
   const enum tg_result result = check_stage(call);

   if (result != TG_OK)
      return result;
   return set_buffers(call, call->words[1], TG_BUFFER_SHADER, call->words[2],
                      slots,
                      trim_slots(slots, 3, call->words[2],
                                 (call->length - 2) / 3, TG_MAX_BUFFERS));
}

enum tg_result
virgl_do_set_atomic_buffers(const struct virgl_call *call)
{
   const uint32_t *slots = &call->words[2];
   const uint32_t count = trim_slots(
      slots, 3, call->words[1], (call->length - 1) / 3, TG_MAX_COUNTER_BUFFERS);
   enum tg_result result = TG_OK;

   for (uint32_t stage = 0; stage < VIRGL_NUM_STAGES && result == TG_OK;
        stage++)
      result = set_buffers(call, stage, TG_BUFFER_COUNTER, call->words[1],
                           slots, count);
   return result;
}

/* ---- images -------------------------------------------------------------- */

static void
describe_image(const uint32_t *words, struct tg_image *image)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(image->resource);

   image->format = virgl_format(words[0]);
   if (desc->target != TG_TEXTURE_BUFFER) {
      image->first_layer = virgl_bits(words[2], 0, 16);
      image->last_layer = virgl_bits(words[2], 16, 16);
      image->level = virgl_bits(words[3], 0, 8);
      return;
   }
   if (words[2] >= desc->width)
      return;
   image->offset = words[2];
   image->size = virgl_limit_texels(
      words[3] < desc->width - words[2] ? words[3] : desc->width - words[2],
      image->format);
}

static enum tg_result
set_image(const struct virgl_call *call, uint32_t slot, const uint32_t *words)
{
   assert(call->words[1] < VIRGL_NUM_STAGES);
   struct tg_bindings *bindings = call->context->bindings[call->words[1]];
   struct tg_image image = {0};
   enum tg_result result = virgl_get_resource(call, words[4], &image.resource);

   if (result == TG_OK && image.resource)
      describe_image(words, &image);
   if (result == TG_OK)
      result = tg_bindings_set_image(
         bindings, slot, image.resource ? &image : NULL, call->diagnostics);
   if (result != TG_OK)
      tg_bindings_set_image(bindings, slot, NULL, NULL);
   return result;
}

enum tg_result
virgl_do_set_images(const struct virgl_call *call)
{
   const uint32_t *slots = &call->words[3];
   enum tg_result result = check_stage(call);

   if (result != TG_OK)
      return result;
   const uint32_t count = trim_slots(slots, 5, call->words[2],
                                     (call->length - 2) / 5, TG_MAX_IMAGES);
   for (uint32_t i = 0; i < count && result == TG_OK; i++)
      result = set_image(call, call->words[2] + i, &slots[5 * i]);
   return result;
}
