/* SPDX-License-Identifier: MIT
 *
 * Blits and copies, from their commands.
 */
#include "virgl/resource/resource.h"
#include "virgl/wire/decode.h"
#include "virgl/wire/formats.h"

/* Resource, level and format, and a box whose sizes may be negative. */
static enum tg_result
decode_side(const struct virgl_call *call, const uint32_t words[9],
            struct tg_blit_side *side)
{
   *side = (struct tg_blit_side){
      .level = words[1],
      .format = virgl_format(words[2]),
      .x = (int32_t)words[3],
      .y = (int32_t)words[4],
      .z = (int32_t)words[5],
      .width = (int32_t)words[6],
      .height = (int32_t)words[7],
      .depth = (int32_t)words[8],
   };
   return virgl_get_resource(call, words[0], &side->resource);
}

enum tg_result
virgl_do_blit(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   struct tg_blit_info info = TG_BLIT_INFO_INIT;
   enum tg_result result = decode_side(call, &words[4], &info.dst);

   if (result == TG_OK)
      result = decode_side(call, &words[13], &info.src);
   if (result != TG_OK)
      return result;
   info.mask = (uint8_t)virgl_bits(words[1], 0, 8);
   info.filter = (uint8_t)virgl_bits(words[1], 8, 2);
   info.scissor_enable = virgl_bit(words[1], 10);
   info.render_condition_enable = virgl_bit(words[1], 11);
   info.alpha_blend = virgl_bit(words[1], 12);
   info.scissor = virgl_decode_scissor(&words[2]);
   return tg_context_blit(call->context->context, &info, call->diagnostics);
}

enum tg_result
virgl_do_copy_region(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   const struct tg_box box = virgl_decode_box(&words[8]);
   struct tg_resource *dst, *src;
   enum tg_result result = virgl_get_resource(call, words[1], &dst);

   if (result == TG_OK)
      result = virgl_get_resource(call, words[6], &src);
   if (result != TG_OK)
      return result;
   if (!dst || !src)
      return virgl_refuse_call(call, "a copy needs two resources");
   return tg_context_copy(call->context->context, dst, words[2], words[3],
                          words[4], words[5], src, words[7], &box,
                          call->diagnostics);
}
