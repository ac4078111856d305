/* SPDX-License-Identifier: MIT
 *
 * Pictures come back as they were written, and what cannot be written leaves
 * nothing behind.
 */
#include "util/picture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 37, HEIGHT = 21 };

struct folder {
   char path[64];
   char file[96];
};

static int
make_folder(void **test)
{
   static struct folder folder;
   snprintf(folder.path, sizeof(folder.path), "/tmp/tungsten-png-XXXXXX");
   if (!mkdtemp(folder.path))
      return -1;
   snprintf(folder.file, sizeof(folder.file), "%s/picture.png", folder.path);
   *test = &folder;
   return 0;
}

/* Fails when anything but the picture is left in the folder. */
static int
remove_folder(void **test)
{
   const struct folder *folder = *test;
   unlink(folder->file);
   return rmdir(folder->path);
}

static void
comes_back(void **test)
{
   const struct folder *folder = *test;
   uint8_t written[WIDTH * HEIGHT * 4], *read = NULL;
   uint32_t width = 0, height = 0;
   for (unsigned i = 0; i < sizeof(written); i++)
      written[i] = (uint8_t)(i * 73 + i / 256);

   for (int twice = 0; twice < 2; twice++) {
      assert_int_equal(
         tg_picture_write(folder->file, WIDTH, HEIGHT, written, NULL), TG_OK);
      assert_int_equal(
         tg_picture_read(NULL, folder->file, NULL, &width, &height, &read),
         TG_OK);
      assert_int_equal(width, WIDTH);
      assert_int_equal(height, HEIGHT);
      assert_memory_equal(read, written, sizeof(written));
      tg_picture_free(NULL, read, width, height);
      written[0]++;
   }
}

static void
refuses(void **test)
{
   const struct folder *folder = *test;
   const uint8_t pixel[4] = {1, 2, 3, 4};
   uint32_t width, height;
   uint8_t *read;
   char path[128];

   assert_int_equal(tg_picture_write(folder->file, 0, 1, pixel, NULL),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_picture_write(folder->file, 16385, 1, pixel, NULL),
                    TG_ERROR_INPUT);
   snprintf(path, sizeof(path), "%s/no/picture.png", folder->path);
   assert_int_equal(tg_picture_write(path, 1, 1, pixel, NULL), TG_ERROR_IO);
   /* A folder is in the way. */
   assert_int_equal(tg_picture_write(folder->path, 1, 1, pixel, NULL),
                    TG_ERROR_IO);
   assert_int_equal(tg_picture_read(NULL, path, NULL, &width, &height, &read),
                    TG_ERROR_IO);
}

/* A pipe gets the bytes and stays a pipe. */
static void
writes_to_a_pipe(void **test)
{
   const struct folder *folder = *test;
   const uint8_t pixel[4] = {1, 2, 3, 4};
   uint8_t bytes[1024];
   struct stat info;

   assert_int_equal(mkfifo(folder->file, 0600), 0);
   const int fd = open(folder->file, O_RDONLY | O_NONBLOCK);
   assert_true(fd >= 0);
   assert_int_equal(tg_picture_write(folder->file, 1, 1, pixel, NULL), TG_OK);
   assert_true(read(fd, bytes, sizeof(bytes)) > 8);
   assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
   close(fd);
   assert_int_equal(stat(folder->file, &info), 0);
   assert_true(S_ISFIFO(info.st_mode));
}

static void
refuses_what_is_no_png(void **test)
{
   const struct folder *folder = *test;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   const uint8_t pixels[16 * 16 * 4] = {1, 2, 3};
   uint32_t width, height;
   uint8_t *read;

   /* Cut off behind the header. */
   assert_int_equal(tg_picture_write(folder->file, 16, 16, pixels, NULL),
                    TG_OK);
   assert_int_equal(truncate(folder->file, 40), 0);
   assert_int_equal(
      tg_picture_read(NULL, folder->file, diagnostics, &width, &height, &read),
      TG_ERROR_INPUT);
   assert_int_equal(truncate(folder->file, 0), 0);
   assert_int_equal(
      tg_picture_read(NULL, folder->file, diagnostics, &width, &height, &read),
      TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_count(diagnostics), 2);
   tg_diagnostics_destroy(diagnostics);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(comes_back, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(writes_to_a_pipe, make_folder,
                                      remove_folder),
      cmocka_unit_test_setup_teardown(refuses, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(refuses_what_is_no_png, make_folder,
                                      remove_folder),
   };
   return cmocka_run_group_tests_name("util: picture", tests, NULL, NULL);
}
