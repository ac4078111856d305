/* SPDX-License-Identifier: MIT
 *
 * Clears.
 */
#include <string.h>

#include "format/format.h"
#include "gpu/context.h"

void
gpu_clear(struct tg_resource *resource, const float color[4])
{
   const struct resource_level *level = &resource->written.layout.level[0];
   const size_t bytes = resource->written.format->block_bytes;
   unsigned char pixel[32] = {0};
   uint32_t words[4];
   if (resource_is_buffer(resource))
      return;

   memcpy(words, color, sizeof(words));
   format_pack((enum tg_format)resource->desc.format, words, pixel);
   for (uint32_t y = 0; y < level->height; y++) {
      unsigned char *row = resource_texel(resource, 0, 0, 0, y, 0);
      for (uint32_t x = 0; x < level->width; x++)
         memcpy(row + x * bytes, pixel, bytes);
   }
}
