/* SPDX-License-Identifier: MIT
 *
 * PNG files by way of libpng, which takes its memory from the caller's
 * allocator and comes back here by longjmp() when something is wrong. What is
 * known of a picture then is in a structure that its users see as well.
 */
#include "file/picture.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "util/block.h"
#include "util/work.h"

/* Units of work. */
enum {
   DECODE_PIXEL = 20,
   ENCODE_PIXEL = 256,
   READ_BYTE = 1, /* of chunks that are skipped */
   READ = 64,     /* of which each takes some reads */
};

struct codec {
   const struct tg_allocator *allocator;
   struct tg_strbuf *fault;
   struct tg_work *work;
   bool is_out_of_memory;
   jmp_buf failed;
   png_structp png;
   png_infop info;

   int fd; /* to read from, by way of a buffer */
   uint8_t buffer[4096];
   size_t next, end;      /* of what is in it */
   struct tg_strbuf *out; /* or to write to */
   uint32_t width, height;
   uint8_t *rgba;
};

/* ---- what libpng calls --------------------------------------------------- */

static png_voidp
allocate(png_structp png, png_alloc_size_t size)
{
   struct codec *codec = png_get_mem_ptr(png);
   void *block = tg_block_resize(codec->allocator, NULL, size);

   codec->is_out_of_memory |= !block;
   return block;
}

static void
release(png_structp png, png_voidp block)
{
   (void)png;
   tg_block_free(block);
}

static PNG_NORETURN void
on_error(png_structp png, png_const_charp message)
{
   struct codec *codec = png_get_error_ptr(png);

   if (!codec->fault->length)
      tg_strbuf_add(codec->fault, message);
   longjmp(codec->failed, 1);
}

static void
on_warning(png_structp png, png_const_charp message)
{
   (void)png;
   (void)message;
}

/* Leaves libpng when the work has an end. */
static void
pay(struct codec *codec, uint64_t cost)
{
   if (codec->work && !tg_work_pay(codec->work, cost))
      png_error(codec->png, "the work has ended");
}

/* Fills the buffer, which is empty. */
static void
refill(struct codec *codec)
{
   ssize_t got;

   do {
      got = read(codec->fd, codec->buffer, sizeof(codec->buffer));
   } while (got < 0 && errno == EINTR);
   if (got < 0)
      png_error(codec->png, strerror(errno));
   if (got == 0)
      png_error(codec->png, "ends before the picture does");
   codec->next = 0;
   codec->end = (size_t)got;
}

static void
read_bytes(png_structp png, png_bytep bytes, size_t size)
{
   struct codec *codec = png_get_io_ptr(png);

   pay(codec, READ + size * READ_BYTE);
   while (size) {
      if (codec->next == codec->end)
         refill(codec);
      const size_t there = codec->end - codec->next;
      const size_t part = size < there ? size : there;

      memcpy(bytes, codec->buffer + codec->next, part);
      codec->next += part;
      bytes += part;
      size -= part;
   }
}

static void
write_bytes(png_structp png, png_bytep bytes, size_t size)
{
   struct codec *codec = png_get_io_ptr(png);

   tg_strbuf_add_n(codec->out, (const char *)bytes, size);
   if (codec->out->failed) {
      codec->is_out_of_memory = true;
      png_error(png, "out of memory");
   }
}

static void
flush(png_structp png)
{
   (void)png;
}

/* ---- both ways ----------------------------------------------------------- */

static bool
check_size(struct codec *codec)
{
   const uint32_t most = FILE_MAX_PICTURE_SIZE;

   if (codec->width && codec->height && codec->width <= most &&
       codec->height <= most)
      return true;
   tg_strbuf_printf(codec->fault,
                    "a picture has from 1 to %u pixels each way, not %u by %u",
                    most, codec->width, codec->height);
   return false;
}

static uint8_t *
row(const struct codec *codec, uint32_t y)
{
   return codec->rgba + (size_t)y * codec->width * 4;
}

/* Runs what calls libpng, and returns how that went. */
static enum tg_result
run(struct codec *codec, bool (*body)(struct codec *codec))
{
   if (setjmp(codec->failed) == 0 && body(codec))
      return TG_OK;
   if (codec->is_out_of_memory || codec->fault->failed)
      return TG_ERROR_MEMORY;
   return tg_work_has_ended(codec->work) ? TG_ERROR_LIMIT : TG_ERROR_INPUT;
}

/* ---- writing ------------------------------------------------------------- */

static bool
encode(struct codec *codec)
{
   if (!check_size(codec))
      return false;
   codec->png =
      png_create_write_struct_2(PNG_LIBPNG_VER_STRING, codec, on_error,
                                on_warning, codec, allocate, release);
   codec->info = codec->png ? png_create_info_struct(codec->png) : NULL;
   if (!codec->info)
      return false;
   png_set_write_fn(codec->png, codec, write_bytes, flush);
   png_set_IHDR(codec->png, codec->info, codec->width, codec->height, 8,
                PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
   png_set_sRGB(codec->png, codec->info, PNG_sRGB_INTENT_PERCEPTUAL);
   png_write_info(codec->png, codec->info);
   for (uint32_t y = 0; y < codec->height; y++) {
      pay(codec, (uint64_t)codec->width * ENCODE_PIXEL);
      png_write_row(codec->png, row(codec, y));
   }
   png_write_end(codec->png, codec->info);
   return true;
}

enum tg_result
file_encode_picture(struct tg_work *work, uint32_t width, uint32_t height,
                    const uint8_t *rgba, struct tg_strbuf *out,
                    struct tg_strbuf *fault)
{
   struct codec codec = {
      .allocator = out->allocator,
      .fault = fault,
      .work = work,
      .out = out,
      .width = width,
      .height = height,
      .rgba = (uint8_t *)(uintptr_t)rgba, /* libpng reads it only */
   };
   const enum tg_result result = run(&codec, encode);

   png_destroy_write_struct(&codec.png, &codec.info);
   return result;
}

/* ---- reading ------------------------------------------------------------- */

/* What the file says before its pixels; all but what they need is skipped. */
static bool
read_head(struct codec *codec)
{
   codec->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, codec, on_error,
                                         on_warning, codec, allocate, release);
   codec->info = codec->png ? png_create_info_struct(codec->png) : NULL;
   if (!codec->info)
      return false;
   png_set_read_fn(codec->png, codec, read_bytes);
   png_set_keep_unknown_chunks(codec->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
   png_read_info(codec->png, codec->info);
   codec->width = png_get_image_width(codec->png, codec->info);
   codec->height = png_get_image_height(codec->png, codec->info);
   return check_size(codec);
}

static bool
make_room(struct codec *codec)
{
   codec->rgba = tg_block_resize(codec->allocator, NULL,
                                 (size_t)codec->width * codec->height * 4);
   codec->is_out_of_memory |= !codec->rgba;
   return codec->rgba;
}

static bool
decode(struct codec *codec)
{
   if (!read_head(codec) || !make_room(codec))
      return false;
   png_set_expand(codec->png);
   png_set_scale_16(codec->png);
   png_set_gray_to_rgb(codec->png);
   png_set_add_alpha(codec->png, 255, PNG_FILLER_AFTER);
   const int num_passes = png_set_interlace_handling(codec->png);
   png_read_update_info(codec->png, codec->info);
   if (png_get_rowbytes(codec->png, codec->info) != (size_t)codec->width * 4)
      png_error(codec->png, "is of a kind that is not known");
   for (int pass = 0; pass < num_passes; pass++) {
      for (uint32_t y = 0; y < codec->height; y++) {
         pay(codec, (uint64_t)codec->width * DECODE_PIXEL);
         png_read_row(codec->png, row(codec, y), NULL);
      }
   }
   return true;
}

enum tg_result
file_decode_picture(const struct tg_allocator *allocator, struct tg_work *work,
                    int fd, struct tg_strbuf *fault, uint32_t *width_out,
                    uint32_t *height_out, uint8_t **rgba_out)
{
   struct codec codec = {
      .allocator = allocator,
      .fault = fault,
      .work = work,
      .fd = fd,
   };
   const enum tg_result result = run(&codec, decode);

   png_destroy_read_struct(&codec.png, &codec.info, NULL);
   if (result != TG_OK) {
      tg_block_free(codec.rgba);
      return result;
   }
   *width_out = codec.width;
   *height_out = codec.height;
   *rgba_out = codec.rgba;
   return TG_OK;
}
