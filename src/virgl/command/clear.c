/* SPDX-License-Identifier: MIT
 *
 * Clears of the framebuffer and of textures.
 */
#include "virgl/resource/resource.h"
#include "virgl/wire/decode.h"

enum tg_result
virgl_do_clear(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   const union tg_color color = {.u = {words[2], words[3], words[4], words[5]}};

   return tg_context_clear(call->context->context, words[1] & TG_CLEAR_ALL,
                           NULL, &color, virgl_double(&words[6]),
                           (uint8_t)words[8], call->diagnostics);
}

enum tg_result
virgl_do_clear_texture(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   const struct tg_box box = virgl_decode_box(&words[3]);
   struct tg_resource *texture;
   enum tg_result result = virgl_get_resource(call, words[1], &texture);

   if (result != TG_OK)
      return result;
   if (!texture)
      return virgl_refuse_call(call, "there is no texture to clear");
   return tg_context_clear_texture(call->context->context, texture, words[2],
                                   &box, &words[9], call->diagnostics);
}
