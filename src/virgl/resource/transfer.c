/* SPDX-License-Identifier: MIT
 *
 * Transfers: texels between a resource and memory of the client, or data that
 * came with a command. All offsets are checked in 64 bits before anything is
 * read or written.
 */
#include <assert.h>

#include "virgl/core/log.h"
#include "virgl/resource/layout.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/formats.h"

/* A transfer that can be done. */
struct move {
   struct virgl_resource *resource;
   uint32_t level;
   struct tg_box box;
   size_t stride, layer_stride;
   unsigned char *data; /* of the box */
   uint64_t num_bytes;  /* from there to the end of its last texel */
   uint64_t row_bytes;
   uint32_t num_rows;
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

static void
count_bytes(struct move *move, const struct tg_format_block *block)
{
   move->row_bytes =
      (uint64_t)virgl_count_blocks(move->box.width, block->width) *
      block->bytes;
   move->num_rows = virgl_count_blocks(move->box.height, block->height);
}

/* Strides that are not given: those of the level, or of data that comes with a
 * command and has no gaps. */
static void
complete_strides(struct move *move, const struct virgl_level *level,
                 bool is_apart)
{
   if (!move->stride)
      move->stride = is_apart ? move->row_bytes : level->stride;
   if (!move->layer_stride)
      move->layer_stride =
         is_apart ? move->stride * move->num_rows : level->layer_stride;
   if (move->row_bytes && move->num_rows && move->box.depth)
      move->num_bytes = (uint64_t)(move->box.depth - 1) * move->layer_stride +
                        (uint64_t)(move->num_rows - 1) * move->stride +
                        move->row_bytes;
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
   if (!virgl_layout_find_level(&resource->desc, transfer->level, &level) ||
       !is_within(&transfer->box, &level))
      return refuse(host, transfer, "the box is not in the level");
   const bool is_apart = data != NULL;
   if (!is_apart) {
      data = resource->memory.address;
      num_bytes = resource->memory.num_bytes;
   }
   if (!data)
      return refuse(host, transfer, "it shares no memory");
   const struct tg_format_block block = virgl_layout_block(&resource->desc);
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
   count_bytes(move, &block);
   complete_strides(move, &level, is_apart);
   if (transfer->offset > num_bytes ||
       move->num_bytes > num_bytes - transfer->offset)
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

/* Has the resource left its shared memory, if it had to before that is read or
 * written as another place? */
static enum tg_result
leave_shared(struct virgl_host *host, const struct virgl_transfer *transfer)
{
   struct virgl_resource *resource =
      virgl_find_resource(host, transfer->handle);
   const enum tg_result result =
      resource ? virgl_resource_leave_shared(host, resource) : TG_OK;

   if (result != TG_OK)
      virgl_log(host, "transfer of resource %u: %s", transfer->handle,
                tg_result_name(result));
   return result;
}

/* ---- into a resource ----------------------------------------------------- */

static enum tg_result
put(struct virgl_host *host, const struct virgl_transfer *transfer,
    const void *data, uint64_t num_bytes, bool is_shared)
{
   const struct virgl_observer *observer = host->options.observer;
   struct move move;
   enum tg_result result = data ? TG_OK : leave_shared(host, transfer);

   if (result == TG_OK)
      result = find_move(host, transfer, (unsigned char *)(uintptr_t)data,
                         num_bytes, &move);
   if (result != TG_OK)
      return result;
   const void *bytes = move.data;
   if (observer && is_shared)
      bytes = observer->read_shared(observer->user, bytes, move.num_bytes);
   result =
      tg_context_write(host->context, move.resource->resource, move.level, 0,
                       &move.box, bytes, move.stride, move.layer_stride);
   return finish(host, transfer, result);
}

enum tg_result
virgl_host_transfer_put(struct virgl_host *host,
                        const struct virgl_transfer *transfer, const void *data,
                        uint64_t num_bytes)
{
   const struct virgl_observer *observer = host->options.observer;

   if (observer)
      observer->put(observer->user, transfer, data, num_bytes);
   tg_profile_begin(host->profile, TG_PROFILE_DECODE);
   const enum tg_result result = put(host, transfer, data, num_bytes, !data);
   tg_profile_end(host->profile);
   return result;
}

enum tg_result
virgl_transfer_put_shared(struct virgl_host *host,
                          const struct virgl_transfer *transfer,
                          const struct virgl_memory *memory)
{
   return put(host, transfer, memory ? memory->address : NULL,
              memory ? memory->num_bytes : 0, true);
}

enum tg_result
virgl_transfer_put_words(struct virgl_host *host,
                         const struct virgl_transfer *transfer,
                         const uint32_t *words, uint64_t num_words)
{
   assert(words);
   return put(host, transfer, words, num_words * sizeof(*words), false);
}

/* ---- out of a resource --------------------------------------------------- */

/* Would the box be read to where it is? */
static bool
is_in_place(const struct move *move)
{
   const struct virgl_resource *resource = move->resource;
   struct virgl_level level;

   if (!resource->is_in_place || !move->num_bytes ||
       !virgl_layout_find_level(&resource->desc, 0, &level))
      return false;
   const struct tg_format_block block = virgl_layout_block(&resource->desc);
   const unsigned char *first = (unsigned char *)resource->memory.address +
                                move->box.y * level.stride +
                                (uint64_t)move->box.x * block.bytes;
   return move->data == first && move->stride == level.stride;
}

/* Texels that are in place have only to be waited for. */
static enum tg_result
read_texels(struct virgl_host *host, const struct move *move)
{
   if (!is_in_place(move))
      return tg_context_read(host->context, move->resource->resource,
                             move->level, 0, &move->box, move->data,
                             move->stride, move->layer_stride);
   tg_context_wait(host->context, move->resource->resource, TG_ACCESS_READ,
                   UINT64_MAX);
   return TG_OK;
}

static enum tg_result
get(struct virgl_host *host, const struct virgl_transfer *transfer, void *data,
    uint64_t num_bytes, bool is_command)
{
   const struct virgl_observer *observer = host->options.observer;
   struct move move;
   enum tg_result result = find_move(host, transfer, data, num_bytes, &move);

   if (result == TG_OK && !data && !is_in_place(&move)) {
      result = leave_shared(host, transfer);
      if (result == TG_OK)
         result = find_move(host, transfer, data, num_bytes, &move);
   }
   if (result != TG_OK)
      return result;
   result = read_texels(host, &move);
   const struct virgl_rows rows = {
      .first = move.data,
      .row_bytes = move.row_bytes,
      .stride = move.stride,
      .layer_stride = move.layer_stride,
      .num_rows = move.num_rows,
      .num_slices = move.box.depth,
   };
   if (observer && result == TG_OK)
      observer->get(observer->user, transfer, data != NULL, is_command, &rows);
   return finish(host, transfer, result);
}

enum tg_result
virgl_host_transfer_get(struct virgl_host *host,
                        const struct virgl_transfer *transfer, void *data,
                        uint64_t num_bytes)
{
   tg_profile_begin(host->profile, TG_PROFILE_DECODE);
   const enum tg_result result = get(host, transfer, data, num_bytes, false);
   tg_profile_end(host->profile);
   return result;
}

enum tg_result
virgl_transfer_get_shared(struct virgl_host *host,
                          const struct virgl_transfer *transfer,
                          const struct virgl_memory *memory)
{
   return get(host, transfer, memory ? memory->address : NULL,
              memory ? memory->num_bytes : 0, true);
}

bool
virgl_transfer_is_frame(const struct virgl_resource_desc *desc,
                        const struct virgl_transfer *transfer)
{
   const struct virgl_box *box = &transfer->box;
   const struct tg_format_block block = virgl_layout_block(desc);

   return (desc->bind & VIRGL_BIND_DISPLAY_TARGET) &&
          desc->target == TG_TEXTURE_2D && transfer->level == 0 &&
          box->width == (int32_t)desc->width &&
          box->height == (int32_t)desc->height && box->depth == 1 &&
          block.width == 1 && block.height == 1;
}

bool
virgl_host_find_frame(struct virgl_host *host,
                      const struct virgl_transfer *transfer, void *data,
                      uint64_t num_bytes, struct virgl_frame *frame_out)
{
   const struct virgl_resource *resource =
      virgl_find_resource(host, transfer->handle);
   struct move move;

   if (!resource || !virgl_transfer_is_frame(&resource->desc, transfer) ||
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
