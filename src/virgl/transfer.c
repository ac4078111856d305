/* SPDX-License-Identifier: MIT
 *
 * Transfers: texels between a resource and memory of the client, or data that
 * came with a command. All places are checked in 64 bits before anything is
 * read or written.
 */
#include "virgl/resource.h"

#include "virgl/formats.h"

/* A transfer that can be done. */
struct move {
   struct virgl_resource *resource;
   uint32_t level;
   struct tg_box box;
   size_t stride, layer_stride;
   unsigned char *data; /* of the box */
};

static enum tg_result
refuse(struct virgl_host *host, const struct virgl_transfer *transfer,
       const char *what)
{
   const struct virgl_box *box = &transfer->box;

   virgl_log(host,
             "transfer of resource %u: %s (level %u, box %d %d %d %d %d %d, "
             "strides %u %u, offset %llu)",
             transfer->handle, what, transfer->level, box->x, box->y, box->z,
             box->width, box->height, box->depth, transfer->stride,
             transfer->layer_stride, (unsigned long long)transfer->offset);
   return TG_ERROR_INPUT;
}

static bool
is_axis_within(int32_t first, int32_t size, uint32_t end)
{
   return first >= 0 && size >= 0 && (uint32_t)first <= end &&
          (uint32_t)size <= end - (uint32_t)first;
}

static bool
is_within(const struct virgl_box *box, const struct virgl_level *level)
{
   return is_axis_within(box->x, box->width, level->width) &&
          is_axis_within(box->y, box->height, level->height) &&
          is_axis_within(box->z, box->depth, level->num_slices);
}

/* Bytes from the first of the box to the end of its last. */
static uint64_t
count_bytes(const struct move *move, const struct tg_format_block *block)
{
   const uint64_t row_bytes =
      (uint64_t)((move->box.width + block->width - 1) / block->width) *
      block->bytes;
   const uint64_t num_rows =
      (move->box.height + block->height - 1) / block->height;

   if (!row_bytes || !num_rows || !move->box.depth)
      return 0;
   return (uint64_t)(move->box.depth - 1) * move->layer_stride +
          (num_rows - 1) * move->stride + row_bytes;
}

/* Rows of data that comes with a command have no gaps. */
static void
pack(struct virgl_level *level, const struct move *move,
     const struct tg_format_block *block)
{
   level->stride =
      (uint64_t)((move->box.width + block->width - 1) / block->width) *
      block->bytes;
   level->layer_stride =
      (move->stride ? move->stride : level->stride) *
      ((move->box.height + block->height - 1) / block->height);
}

static enum tg_result
find_move(struct virgl_host *host, const struct virgl_transfer *transfer,
          unsigned char *data, uint64_t num_bytes, struct move *move)
{
   struct virgl_resource *resource =
      virgl_find_resource(host, transfer->handle);
   struct virgl_level level;

   if (!resource)
      return refuse(host, transfer, "there is no such resource");
   if (resource->desc.num_samples > 1)
      return refuse(host, transfer, "it has several samples");
   if (!virgl_find_level(&resource->desc, transfer->level, &level) ||
       !is_within(&transfer->box, &level))
      return refuse(host, transfer, "the box is not in the level");
   const bool is_apart = data != NULL;
   if (!is_apart) {
      data = resource->memory.address;
      num_bytes = resource->memory.num_bytes;
   }
   if (!data)
      return refuse(host, transfer, "it shares no memory");
   const struct tg_format_block block =
      resource->desc.target == TG_TEXTURE_BUFFER
         ? (struct tg_format_block){1, 1, 1}
         : tg_format_get_block(virgl_format(resource->desc.format));
   const struct virgl_box *box = &transfer->box;
   *move = (struct move){
      .resource = resource,
      .level = transfer->level,
      .box = {(uint32_t)box->x, (uint32_t)box->y, (uint32_t)box->z,
              (uint32_t)box->width, (uint32_t)box->height,
              (uint32_t)box->depth},
      .stride = transfer->stride,
      .layer_stride = transfer->layer_stride,
      .data = data + (transfer->offset <= num_bytes ? transfer->offset : 0),
   };
   if (is_apart)
      pack(&level, move, &block);
   if (!move->stride)
      move->stride = level.stride;
   if (!move->layer_stride)
      move->layer_stride = level.layer_stride;
   if (transfer->offset > num_bytes ||
       count_bytes(move, &block) > num_bytes - transfer->offset)
      return refuse(host, transfer, "it leaves the memory");
   return TG_OK;
}

static enum tg_result
finish(struct virgl_host *host, const struct virgl_transfer *transfer,
       enum tg_result result)
{
   if (result == TG_ERROR_INPUT)
      return refuse(host, transfer, "the box does not begin and end at blocks");
   if (result != TG_OK)
      virgl_log(host, "transfer of resource %u: %s", transfer->handle,
                tg_result_name(result));
   return result;
}

enum tg_result
virgl_host_put(struct virgl_host *host, const struct virgl_transfer *transfer,
               const void *data, uint64_t num_bytes)
{
   struct move move;
   enum tg_result result = find_move(
      host, transfer, (unsigned char *)(uintptr_t)data, num_bytes, &move);

   if (result != TG_OK)
      return result;
   result =
      tg_context_write(host->context, move.resource->resource, move.level, 0,
                       &move.box, move.data, move.stride, move.layer_stride);
   return finish(host, transfer, result);
}

enum tg_result
virgl_host_get(struct virgl_host *host, const struct virgl_transfer *transfer,
               void *data, uint64_t num_bytes)
{
   struct move move;
   enum tg_result result = find_move(host, transfer, data, num_bytes, &move);

   if (result != TG_OK)
      return result;
   result =
      tg_context_read(host->context, move.resource->resource, move.level, 0,
                      &move.box, move.data, move.stride, move.layer_stride);
   return finish(host, transfer, result);
}

bool
virgl_host_find_frame(struct virgl_host *host,
                      const struct virgl_transfer *transfer, void *data,
                      uint64_t num_bytes, struct virgl_frame *frame_out)
{
   const struct virgl_resource *resource =
      virgl_find_resource(host, transfer->handle);
   struct move move;

   if (!resource || !(resource->desc.bind & VIRGL_BIND_DISPLAY_TARGET) ||
       resource->desc.target != TG_TEXTURE_2D || transfer->level != 0 ||
       transfer->box.width != (int32_t)resource->desc.width ||
       transfer->box.height != (int32_t)resource->desc.height ||
       find_move(host, transfer, data, num_bytes, &move) != TG_OK)
      return false;
   *frame_out = (struct virgl_frame){
      .format = virgl_format(resource->desc.format),
      .width = move.box.width,
      .height = move.box.height,
      .stride = move.stride,
      .pixels = move.data,
   };
   return true;
}
