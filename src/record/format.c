/* SPDX-License-Identifier: MIT
 *
 * The file format of recordings: checksums, and what chunks stand for.
 */
#include "record/format.h"

#include <assert.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers are written as they are in memory");
_Static_assert(sizeof(struct record_create) == 48 &&
                  sizeof(struct record_transfer) == 72 &&
                  sizeof(struct record_chunk_head) == 24,
               "the file has no gaps");

uint64_t
record_checksum(uint64_t number, uint32_t kind, const void *first,
                uint64_t num_first, const void *rest, uint64_t num_rest)
{
   assert(!num_first || first);
   assert(!num_rest || rest);
   const uint64_t what[3] = {number, kind, num_first + num_rest};
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   XXH64_update(&state, what, sizeof(what));
   if (num_first)
      XXH64_update(&state, first, num_first);
   if (num_rest)
      XXH64_update(&state, rest, num_rest);
   return XXH64_digest(&state);
}

uint64_t
record_checksum_rows(const struct virgl_rows *rows)
{
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   for (uint32_t slice = 0; slice < rows->num_slices; slice++) {
      const unsigned char *row = rows->first + slice * rows->layer_stride;

      for (uint32_t i = 0; i < rows->num_rows; i++, row += rows->stride)
         XXH64_update(&state, row, rows->row_bytes);
   }
   return XXH64_digest(&state);
}

struct virgl_resource_desc
record_unpack_desc(const struct record_create *create)
{
   const uint32_t *words = create->desc;

   return (struct virgl_resource_desc){
      words[0], words[1], words[2], words[3], words[4],
      words[5], words[6], words[7], words[8],
   };
}

struct virgl_transfer
record_unpack_transfer(const struct record_transfer *packed)
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
