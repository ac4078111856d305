/* SPDX-License-Identifier: MIT
 *
 * Compressed blocks: four bytes choose format, width and height, the rest are
 * blocks, over and over. Every byte of the texels is written, and none beyond.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "format/format.h"

enum { MAX_SIDE = 40 };

/* The blocks that the texels need, filled from the input. */
static uint8_t *
make_blocks(const uint8_t *data, size_t size, size_t wanted)
{
   uint8_t *blocks = malloc(wanted);

   if (!blocks)
      abort();
   for (size_t i = 0; i < wanted; i++)
      blocks[i] = data[i % size];
   return blocks;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size < 5)
      return 0;
   const enum tg_format format =
      (enum tg_format)((data[0] | data[1] << 8) % TG_NUM_FORMATS);
   if (!format_is_compressed(format))
      return 0;
   const struct format_info *info = format_info(format);
   const uint32_t width = data[2] % MAX_SIDE + 1;
   const uint32_t height = data[3] % MAX_SIDE + 1;
   const size_t columns = (width + info->block_width - 1) / info->block_width;
   const size_t rows = (height + info->block_height - 1) / info->block_height;
   const size_t row_bytes =
      (size_t)width * format_info(format_decoded(format))->block_bytes;

   uint8_t *blocks =
      make_blocks(data + 4, size - 4, columns * rows * info->block_bytes);
   uint8_t *once = malloc(row_bytes * height);
   uint8_t *twice = malloc(row_bytes * height);
   if (!once || !twice)
      abort();
   memset(once, 0x00, row_bytes * height);
   memset(twice, 0xff, row_bytes * height);
   format_decode(format, blocks, columns * info->block_bytes, once, row_bytes,
                 width, height);
   format_decode(format, blocks, columns * info->block_bytes, twice, row_bytes,
                 width, height);
   if (memcmp(once, twice, row_bytes * height) != 0)
      abort();
   free(twice);
   free(once);
   free(blocks);
   return 0;
}
