/* SPDX-License-Identifier: MIT
 *
 * The file format of recordings: what chunks stand for.
 */
#include "record/format.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers are written as they are in memory");
_Static_assert(sizeof(struct record_create) == 48 &&
                  sizeof(struct record_transfer) == 72 &&
                  sizeof(struct record_chunk_head) == 24,
               "the file has no gaps");

struct virgl_resource_desc
record_format_unpack_desc(const struct record_create *create)
{
   const uint32_t *words = create->desc;

   return (struct virgl_resource_desc){
      words[0], words[1], words[2], words[3], words[4],
      words[5], words[6], words[7], words[8],
   };
}

struct virgl_transfer
record_format_unpack_transfer(const struct record_transfer *packed)
{
   const int32_t *box = packed->box;

   return (struct virgl_transfer){
      .handle = packed->handle,
      .level = packed->level,
      .box = {box[0], box[1], box[2], box[3], box[4], box[5]},
      .stride = packed->stride,
      .layer_stride = packed->layer_stride,
      .offset = packed->offset,
   };
}
