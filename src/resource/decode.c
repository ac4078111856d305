/* SPDX-License-Identifier: MIT
 *
 * Decoded copies of compressed textures. Their blocks stay as they were
 * written; the texels that shaders read lie beside them, one set for each
 * format that they were seen through.
 */
#include "resource/resource.h"
#include "util/minmax.h"

/* Where a block of the written storage begins. */
static const unsigned char *
block_at(const struct tg_resource *resource,
         const struct resource_blocks *blocks, uint32_t z)
{
   const struct resource_storage *written = &resource->written;

   return (const unsigned char *)written->data +
          resource_address(&written->layout.level[blocks->level], blocks->x,
                           blocks->y, z, blocks->sample);
}

/* Decodes a box of blocks into storage; blocks hang over a level's edge. */
static void
decode(const struct tg_resource *resource, struct resource_storage *storage,
       const struct resource_blocks *blocks)
{
   const struct format_info *own = resource->written.format;
   const struct resource_level *from =
      &resource->written.layout.level[blocks->level];
   const struct resource_level *to = &storage->layout.level[blocks->level];
   const uint32_t x = blocks->x * own->block_width;
   const uint32_t y = blocks->y * own->block_height;
   const uint32_t width =
      tg_min_u32(blocks->width * own->block_width, to->width - x);
   const uint32_t height =
      tg_min_u32(blocks->height * own->block_height, to->height - y);

   for (uint32_t z = blocks->z; z < blocks->z + blocks->depth; z++) {
      uint64_t address = resource_address(to, x, y, z, 0);

      format_decode(storage->decoded_as, block_at(resource, blocks, z),
                    (size_t)from->row_pitch,
                    (unsigned char *)storage->data + address,
                    (size_t)to->row_pitch, width, height);
   }
}

void
resource_decode_blocks(struct tg_resource *resource,
                       const struct resource_blocks *blocks)
{
   if (!blocks->width || !blocks->height)
      return;
   for (struct resource_storage *s = resource->decoded; s; s = s->next)
      decode(resource, s, blocks);
}

static void
decode_all(const struct tg_resource *resource, struct resource_storage *storage)
{
   const struct resource_layout *layout = &resource->written.layout;

   for (uint32_t i = 0; i < layout->num_levels; i++) {
      const struct resource_blocks all = {
         .level = i,
         .width = layout->level[i].width,
         .height = layout->level[i].height,
         .depth = layout->level[i].num_slices,
      };

      decode(resource, storage, &all);
   }
}

static const struct resource_storage *
find_decoded(const struct tg_resource *resource, enum tg_format format)
{
   const struct resource_storage *storage = resource->decoded;

   while (storage && storage->decoded_as != format)
      storage = storage->next;
   return storage;
}

/* The mutex is held. */
static enum tg_result
add_decoded(struct tg_resource *resource, enum tg_format format,
            struct tg_diagnostics *diagnostics)
{
   const struct tg_allocator *allocator = resource->allocator;
   struct resource_storage *storage =
      allocator->resize(allocator->user, NULL, 0, sizeof(*storage));

   if (!storage)
      return TG_ERROR_MEMORY;
   *storage = (struct resource_storage){
      .format = format_info(format_decoded(format)),
      .decoded_as = format,
      .next = resource->decoded,
   };
   const enum tg_result result =
      resource_storage_init(storage, &resource->desc, allocator, diagnostics);
   if (result != TG_OK) {
      allocator->resize(allocator->user, storage, sizeof(*storage), 0);
      return result;
   }
   decode_all(resource, storage);
   resource->decoded = storage;
   return TG_OK;
}

enum tg_result
resource_get_decoded(struct tg_resource *resource, enum tg_format format,
                     struct tg_diagnostics *diagnostics,
                     const struct resource_storage **storage_out)
{
   enum tg_result result = TG_OK;

   pthread_mutex_lock(&resource->mutex);
   if (!find_decoded(resource, format))
      result = add_decoded(resource, format, diagnostics);
   pthread_mutex_unlock(&resource->mutex);
   if (result == TG_OK)
      *storage_out = find_decoded(resource, format);
   return result;
}

void
resource_free_decoded(struct tg_resource *resource)
{
   const struct tg_allocator *allocator = resource->allocator;

   for (struct resource_storage *s = resource->decoded, *next; s; s = next) {
      next = s->next;
      resource_storage_finish(s, allocator);
      allocator->resize(allocator->user, s, sizeof(*s), 0);
   }
   resource->decoded = NULL;
}
