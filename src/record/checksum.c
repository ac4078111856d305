/* SPDX-License-Identifier: MIT
 *
 * Checksums of chunks and of read-backs.
 */
#include <assert.h>

#include "record/format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

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
