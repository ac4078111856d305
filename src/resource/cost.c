/* SPDX-License-Identifier: MIT
 *
 * What filling and decoding cost, in units of work.
 */
#include "format/format.h"
#include "resource/resource.h"

enum {
   COST_BYTES = 16,    /* bytes that are filled or copied for a unit */
   COST_ROW = 8,       /* of blocks */
   COST_DECODED = 512, /* a block that is decoded */
};

/* Rows that are filled byte by byte take as long as bytes of some more. */
uint64_t
resource_cost(const struct tg_resource *resource,
              const struct resource_blocks *blocks)
{
   const uint64_t num_rows =
      (uint64_t)blocks->height * blocks->depth * resource->desc.samples;
   const uint64_t row_bytes =
      (uint64_t)blocks->width * resource->written.format->block_bytes;
   uint64_t cost = num_rows * (row_bytes / COST_BYTES + COST_ROW);

   for (const struct resource_storage *s = resource->decoded; s; s = s->next)
      cost += num_rows * blocks->width * COST_DECODED;
   return cost;
}

uint64_t
resource_decoding_cost(const struct tg_resource *resource,
                       enum tg_format format)
{
   const struct resource_layout *layout = &resource->written.layout;
   uint64_t cost = 0;

   for (const struct resource_storage *s = resource->decoded; s; s = s->next) {
      if (s->decoded_as == format)
         return 0;
   }
   for (uint32_t i = 0; format_is_compressed(format) && i < layout->num_levels;
        i++)
      cost += (uint64_t)layout->level[i].width * layout->level[i].height *
              layout->level[i].num_slices * COST_DECODED;
   return cost;
}
