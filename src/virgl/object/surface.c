/* SPDX-License-Identifier: MIT
 *
 * Surfaces: render-target views of a level and its layers. Whether one can be
 * drawn to shows when it is attached.
 */
#include "virgl/object/surface.h"

#include "virgl/core/memory.h"
#include "virgl/object/object.h"
#include "virgl/resource/layout.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/formats.h"

enum tg_result
virgl_create_surface(const struct virgl_call *call, void **thing_out)
{
   const uint32_t *words = call->words;
   struct tg_resource *resource;
   enum tg_result result = virgl_get_resource(call, words[2], &resource);

   if (result != TG_OK)
      return result;
   if (!resource)
      return virgl_refuse_call(call, "a surface needs a resource");
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   if (words[4] > desc->last_level)
      return virgl_refuse_call(call, "a surface of level %u of %u", words[4],
                               desc->last_level);
   struct virgl_surface *surface = virgl_alloc(call->host, sizeof(*surface));
   if (!surface)
      return TG_ERROR_MEMORY;
   *surface = (struct virgl_surface){
      .surface = {.resource = tg_resource_ref(resource),
                  .format = virgl_format(words[3]),
                  .level = words[4],
                  .first_layer = virgl_bits(words[5], 0, 16),
                  .last_layer = virgl_bits(words[5], 16, 16)},
      .width = virgl_minify(desc->width, words[4]),
      .height = virgl_minify(desc->height, words[4]),
   };
   *thing_out = surface;
   return TG_OK;
}

void
virgl_drop_surface(struct virgl_context *context, void *thing)
{
   struct virgl_surface *surface = thing;

   tg_resource_destroy(surface->surface.resource);
   virgl_free(context->host, surface, sizeof(*surface));
}

/* No capability offers these. */
enum tg_result
virgl_create_msaa_surface(const struct virgl_call *call, void **thing_out)
{
   (void)thing_out;
   return virgl_refuse_call(call,
                            "implicit samples of surfaces are not offered");
}

void
virgl_drop_msaa_surface(struct virgl_context *context, void *thing)
{
   (void)context;
   (void)thing;
}
