/* SPDX-License-Identifier: MIT
 *
 * Frames as pictures: channels of any width become eight bits.
 */
#include "cli/commands/frame.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "file/picture.h"
#include "format/format.h"
#include "virgl/virgl.h"

static void
convert_row(const struct virgl_frame *frame, uint32_t y, uint8_t *rgba)
{
   const uint32_t bytes = tg_format_get_block(frame->format).bytes;
   const uint8_t *texel =
      (const uint8_t *)frame->pixels + (size_t)y * frame->stride;

   for (uint32_t x = 0; x < frame->width; x++, texel += bytes, rgba += 4) {
      uint32_t words[4];

      format_unpack((enum tg_format)frame->format, texel, words);
      format_pack(TG_FORMAT_R8G8B8A8_UNORM, words, rgba);
      rgba[3] = UINT8_MAX;
   }
}

static bool
is_color(uint32_t format)
{
   return tg_format_get_uses(format) & TG_FORMAT_USE_BLENDED;
}

bool
cli_write_frame(const char *path, const struct virgl_frame *frame)
{
   struct tg_strbuf png = {0}, fault = {0};
   const size_t row_bytes = (size_t)frame->width * 4;
   uint8_t *rgba = NULL;
   bool is_good = is_color(frame->format);

   if (is_good) {
      rgba = malloc(row_bytes * frame->height + 1);
      for (uint32_t y = 0; rgba && y < frame->height; y++)
         convert_row(frame, y, rgba + y * row_bytes);
      is_good = rgba && file_encode_picture(NULL, frame->width, frame->height,
                                            rgba, &png, &fault) == TG_OK;
   }
   free(rgba);
   if (is_good)
      is_good = cli_write_file(path, png.data, png.length);
   else
      cli_complain("cannot write '%s': %s", path,
                   fault.length ? fault.data : "the frame is no picture");
   tg_strbuf_finish(&png);
   tg_strbuf_finish(&fault);
   return is_good;
}
