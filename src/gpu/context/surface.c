/* SPDX-License-Identifier: MIT
 *
 * Surfaces: the whole of a resource, and which parts of one can be drawn to.
 */
#include "gpu/context/surface.h"

#include <assert.h>

#include "gpu/context/context.h"

struct tg_surface
tg_surface_of(struct tg_resource *resource)
{
   assert(resource);
   return (struct tg_surface){
      .resource = resource,
      .format = resource->desc.format,
      .last_layer = resource_num_slices(resource, 0) - 1,
   };
}

static bool
can_be_drawn_to(uint32_t number, bool is_depth)
{
   const uint32_t uses = is_depth ? TG_FORMAT_USE_DEPTH | TG_FORMAT_USE_STENCIL
                                  : TG_FORMAT_USE_RENDERED;
   return tg_format_get_uses(number) & uses;
}

enum tg_result
gpu_check_surface(struct tg_surface *surface, const char *name, bool is_depth,
                  struct tg_diagnostics *diagnostics)
{
   const struct tg_resource *resource = surface->resource;
   if (resource_is_buffer(resource))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%s is a buffer", name);
   if (!surface->format)
      surface->format = resource->desc.format;
   if (surface->level > resource->desc.last_level ||
       surface->first_layer > surface->last_layer ||
       surface->last_layer >= resource_num_slices(resource, surface->level))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%s has no level %u with layers %u to %u", name,
                                surface->level, surface->first_layer,
                                surface->last_layer);
   if (!can_be_drawn_to(surface->format, is_depth) ||
       format_info((enum tg_format)surface->format)->block_bytes !=
          resource->written.format->block_bytes ||
       resource->written.format->block_width != 1)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "state", "%s cannot have format %s", name,
         tg_format_name(surface->format) ? tg_format_name(surface->format)
                                         : "?");
   return TG_OK;
}
