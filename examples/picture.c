/* SPDX-License-Identifier: MIT
 *
 * Reading and writing PNG files, and the clock.
 */
#include "picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void
fail(const char *name, const char *what)
{
   fprintf(stderr, "%s: %s\n", name, what);
   exit(1);
}

double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

uint32_t *
read_picture(const char *path, uint32_t *width, uint32_t *height)
{
   png_image image = {.version = PNG_IMAGE_VERSION};

   if (!png_image_begin_read_from_file(&image, path))
      fail(path, image.message);
   image.format = PNG_FORMAT_RGBA;
   uint32_t *words = malloc(PNG_IMAGE_SIZE(image));
   if (!words)
      fail(path, "out of memory");
   if (!png_image_finish_read(&image, NULL, words, 0, NULL))
      fail(path, image.message);
   *width = image.width;
   *height = image.height;
   return words;
}

void
write_picture(const char *path, const uint32_t *words, uint32_t width,
              uint32_t height)
{
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = width,
      .height = height,
      .format = PNG_FORMAT_RGBA,
   };

   if (!png_image_write_to_file(&image, path, 0, words, 0, NULL))
      fail(path, image.message);
}
