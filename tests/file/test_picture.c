/* SPDX-License-Identifier: MIT
 *
 * Pictures come back as they were, PNG files of every kind are read, and what
 * is no picture is refused with all memory given back.
 */
#include "../sweep.h"
#include "folder.h"

#include <png.h>

#include "file/picture.h"
#include "util/block.h"
#include "util/work.h"

enum { WIDTH = 37, HEIGHT = 21 };

static uint8_t picture[WIDTH * HEIGHT * 4];

static int
make_picture(void **test)
{
   for (unsigned i = 0; i < sizeof(picture); i++)
      picture[i] = (uint8_t)(i * 73 + i / 256);
   return folder_make(test);
}

/* Bytes as an open file. */
static int
open_bytes(const void *bytes, size_t size)
{
   const int fd = open("bytes", O_RDWR | O_CREAT | O_TRUNC, 0666);

   assert_true(fd >= 0);
   assert_int_equal(write(fd, bytes, size), size);
   assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
   return fd;
}

static void
comes_back(void **test)
{
   struct tg_strbuf png = {0}, fault = {0};
   uint32_t width = 0, height = 0;
   uint8_t *read = NULL;

   (void)test;
   assert_int_equal(
      file_encode_picture(NULL, WIDTH, HEIGHT, picture, &png, &fault), TG_OK);
   const int fd = open_bytes(png.data, png.length);
   assert_int_equal(
      file_decode_picture(NULL, NULL, fd, &fault, &width, &height, &read),
      TG_OK);
   assert_int_equal(width, WIDTH);
   assert_int_equal(height, HEIGHT);
   assert_memory_equal(read, picture, sizeof(picture));
   tg_block_free(read);
   tg_strbuf_finish(&png);
   close(fd);
}

/* ---- kinds of files ------------------------------------------------------ */

/* One pixel as a file has it, and what it is then. */
static const struct kind {
   int type, depth;
   uint8_t bytes[8];
   uint8_t rgba[4];
} kinds[] = {
   {PNG_COLOR_TYPE_RGB_ALPHA, 8, {1, 2, 3, 4}, {1, 2, 3, 4}},
   {PNG_COLOR_TYPE_RGB, 8, {1, 2, 3}, {1, 2, 3, 255}},
   {PNG_COLOR_TYPE_GRAY, 8, {7}, {7, 7, 7, 255}},
   {PNG_COLOR_TYPE_GRAY, 1, {0x80}, {255, 255, 255, 255}},
   {PNG_COLOR_TYPE_GRAY, 2, {0x40}, {85, 85, 85, 255}},
   {PNG_COLOR_TYPE_GRAY_ALPHA, 8, {7, 9}, {7, 7, 7, 9}},
   {PNG_COLOR_TYPE_PALETTE, 8, {1}, {40, 50, 60, 70}},
   /* 0x0181 is 385 / 257 = 1.498, 0x0182 is 1.502 */
   {PNG_COLOR_TYPE_RGB_ALPHA,
    16,
    {0x01, 0x81, 0x01, 0x82, 0xff, 0xff, 0, 0},
    {1, 2, 255, 0}},
   {PNG_COLOR_TYPE_GRAY, 16, {0x80, 0x80}, {128, 128, 128, 255}},
};

/* A gamma of 1 and an interlaced file make no difference. */
static void
write_kind(const struct kind *kind, bool is_interlaced)
{
   static const png_color palette[] = {{0, 0, 0}, {40, 50, 60}};
   static const png_byte alpha[] = {0, 70};
   FILE *file = fopen("kind.png", "wb");
   png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
   png_infop info = png_create_info_struct(png);

   png_init_io(png, file);
   png_set_IHDR(png, info, 1, 1, kind->depth, kind->type,
                is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
   png_set_gAMA(png, info, 1.0);
   if (kind->type == PNG_COLOR_TYPE_PALETTE) {
      png_set_PLTE(png, info, palette, 2);
      png_set_tRNS(png, info, alpha, 2, NULL);
   }
   png_write_info(png, info);
   for (int i = png_set_interlace_handling(png); i > 0; i--)
      png_write_row(png, kind->bytes);
   png_write_end(png, info);
   png_destroy_write_struct(&png, &info);
   fclose(file);
}

static void
reads_every_kind(void **test)
{
   (void)test;
   for (unsigned i = 0; i < 2 * sizeof(kinds) / sizeof(*kinds); i++) {
      const struct kind *kind = &kinds[i / 2];
      struct tg_strbuf fault = {0};
      uint32_t width = 0, height = 0;
      uint8_t *rgba = NULL;

      write_kind(kind, i % 2);
      const int fd = open("kind.png", O_RDONLY);
      assert_int_equal(
         file_decode_picture(NULL, NULL, fd, &fault, &width, &height, &rgba),
         TG_OK);
      assert_int_equal(width * height, 1);
      assert_memory_equal(rgba, kind->rgba, 4);
      tg_block_free(rgba);
      close(fd);
   }
}

/* ---- what is refused ----------------------------------------------------- */

static void
expect_fault(const void *bytes, size_t size, const char *expected)
{
   struct tg_strbuf fault = {0};
   uint32_t width, height;
   uint8_t *rgba = NULL;
   const int fd = open_bytes(bytes, size);

   assert_int_equal(
      file_decode_picture(NULL, NULL, fd, &fault, &width, &height, &rgba),
      TG_ERROR_INPUT);
   assert_null(rgba);
   if (expected)
      assert_string_equal(fault.data, expected);
   assert_true(fault.length > 0);
   tg_strbuf_finish(&fault);
   close(fd);
}

/* The file as it is, with any byte of its first ones changed, and with any end
 * before that of its pixels. */
static void
refuses_damage(void **test)
{
   struct tg_strbuf png = {0}, fault = {0};

   (void)test;
   assert_int_equal(file_encode_picture(NULL, 3, 5, picture, &png, &fault),
                    TG_OK);
   for (size_t i = 0; i < 33; i++) { /* signature and first chunk */
      png.data[i] ^= 1;
      expect_fault(png.data, png.length, NULL);
      png.data[i] ^= 1;
   }
   /* The last chunk has 12 bytes, the checksums before it 8. */
   for (size_t size = 0; size < png.length - 20; size++)
      expect_fault(png.data, size, "ends before the picture does");
   tg_strbuf_finish(&png);
   expect_fault("no picture", 10, "Not a PNG file");
}

static void
refuses_sizes(void **test)
{
   struct tg_strbuf png = {0}, fault = {0};

   (void)test;
   assert_int_equal(file_encode_picture(NULL, 0, 1, picture, &png, &fault),
                    TG_ERROR_INPUT);
   assert_string_equal(
      fault.data, "a picture has from 1 to 16384 pixels each way, not 0 by 1");
   tg_strbuf_finish(&fault);
   assert_int_equal(file_encode_picture(NULL, 1, 16385, picture, &png, &fault),
                    TG_ERROR_INPUT);
   assert_int_equal(png.length, 0);
   tg_strbuf_finish(&fault);
   uint8_t *row = calloc(16384, 4);
   assert_non_null(row);
   assert_int_equal(file_encode_picture(NULL, 16384, 1, row, &png, &fault),
                    TG_OK);
   free(row);
   tg_strbuf_finish(&png);
}

/* ---- memory -------------------------------------------------------------- */

static enum tg_result
there_and_back(const struct tg_allocator *allocator)
{
   struct tg_strbuf png = {.allocator = allocator};
   struct tg_strbuf fault = {.allocator = allocator};
   uint32_t width, height;
   uint8_t *rgba = NULL;
   enum tg_result result =
      file_encode_picture(NULL, WIDTH, HEIGHT, picture, &png, &fault);

   if (result == TG_OK) {
      const int fd = open_bytes(png.data, png.length);

      result = file_decode_picture(allocator, NULL, fd, &fault, &width, &height,
                                   &rgba);
      close(fd);
   }
   tg_block_free(rgba);
   tg_strbuf_finish(&png);
   tg_strbuf_finish(&fault);
   return result;
}

static void
survives_without_memory(void **test)
{
   (void)test;
   sweep(there_and_back);
}

/* Everything is seen by the allocator, libpng's tables and zlib's too. */
static void
counts_all_memory(void **test)
{
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};

   (void)test;
   assert_int_equal(there_and_back(&allocator), TG_OK);
   assert_true(counter.calls > 8);
   assert_int_equal(counter.in_use, 0);
}

/* A picture costs as much as it has pixels, and stops where the work ends. */
static void
pays_for_pixels(void **test)
{
   enum { SIDE = 256, MOST = SIDE * SIDE * 4 };
   static uint8_t pixels[SIDE * SIDE * 4];
   struct tg_strbuf png = {0}, none = {0}, fault = {0};
   struct tg_work_options options = TG_WORK_OPTIONS_INIT;
   struct tg_work work;
   uint32_t width, height;
   uint8_t *rgba = NULL;

   (void)test;
   assert_int_equal(file_encode_picture(NULL, SIDE, SIDE, pixels, &png, &fault),
                    TG_OK);
   const int fd = open_bytes(png.data, png.length);
   options.max_work = MOST;
   options.max_seconds = 0;
   tg_work_init(&work, &options);
   assert_int_equal(
      file_encode_picture(&work, SIDE, SIDE, pixels, &none, &fault),
      TG_ERROR_LIMIT);
   tg_strbuf_finish(&none);
   tg_strbuf_finish(&fault);
   tg_work_init(&work, &options);
   assert_int_equal(
      file_decode_picture(NULL, &work, fd, &fault, &width, &height, &rgba),
      TG_ERROR_LIMIT);
   assert_null(rgba);
   tg_strbuf_finish(&fault);

   /* As much as there is to pay. */
   options.max_work = MOST * 1000;
   tg_work_init(&work, &options);
   assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
   assert_int_equal(
      file_decode_picture(NULL, &work, fd, &fault, &width, &height, &rgba),
      TG_OK);
   tg_block_free(rgba);
   tg_strbuf_finish(&png);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(comes_back, make_picture, folder_remove),
      cmocka_unit_test_setup_teardown(reads_every_kind, make_picture,
                                      folder_remove),
      cmocka_unit_test_setup_teardown(refuses_damage, make_picture,
                                      folder_remove),
      cmocka_unit_test_setup_teardown(refuses_sizes, make_picture,
                                      folder_remove),
      cmocka_unit_test_setup_teardown(survives_without_memory, make_picture,
                                      folder_remove),
      cmocka_unit_test_setup_teardown(counts_all_memory, make_picture,
                                      folder_remove),
      cmocka_unit_test_setup_teardown(pays_for_pixels, make_picture,
                                      folder_remove),
   };
   return cmocka_run_group_tests_name("file: picture", tests, NULL, NULL);
}
