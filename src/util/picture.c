/* SPDX-License-Identifier: MIT
 *
 * PNG files by way of libpng's simplified interface, which takes no callbacks
 * and does not jump.
 */
#include "util/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/diagnostics.h"
#include "util/strbuf.h"

static enum tg_result
complain(struct tg_diagnostics *diagnostics, enum tg_result result,
         const char *path, const char *what)
{
   const struct tg_source source = {.name = path};
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "png", &source,
               (struct tg_position){0}, NULL, "%s", what);
   return result;
}

static enum tg_result
complain_of_size(struct tg_diagnostics *diagnostics, const char *path,
                 uint32_t width, uint32_t height)
{
   const struct tg_source source = {.name = path};
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "png", &source,
               (struct tg_position){0}, NULL,
               "a picture has from 1 to %d pixels each way, not %u by %u",
               TG_PICTURE_MAX_SIZE, width, height);
   return TG_ERROR_INPUT;
}

static bool
is_size(uint32_t width, uint32_t height)
{
   return width && height && width <= TG_PICTURE_MAX_SIZE &&
          height <= TG_PICTURE_MAX_SIZE;
}

static png_image
make_image(void)
{
   png_image image;
   memset(&image, 0, sizeof(image));
   image.version = PNG_IMAGE_VERSION;
   return image;
}

/* ---- writing ------------------------------------------------------------- */

/* A new file that nobody else has; NULL with errno set. */
static FILE *
create_file(const char *path)
{
   const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
   if (fd < 0)
      return NULL;
   FILE *file = fdopen(fd, "wb");
   if (!file) {
      close(fd);
      unlink(path);
   }
   return file;
}

/* Is it a pipe or a device? It is written to and never replaced. */
static bool
is_device(const char *path)
{
   struct stat info;
   return stat(path, &info) == 0 && !S_ISREG(info.st_mode) &&
          !S_ISDIR(info.st_mode);
}

/* What went wrong, or NULL. The file is closed either way. */
static const char *
write_image(FILE *file, png_image *image, const uint8_t *rgba)
{
   const bool is_written =
      png_image_write_to_stdio(image, file, 0, rgba, 0, NULL) != 0;
   const bool is_closed = fclose(file) == 0;
   if (!is_written)
      return image->message;
   return is_closed ? NULL : strerror(errno);
}

enum tg_result
tg_picture_write(const char *path, uint32_t width, uint32_t height,
                 const uint8_t *rgba, struct tg_diagnostics *diagnostics)
{
   if (!is_size(width, height))
      return complain_of_size(diagnostics, path, width, height);

   struct tg_strbuf name = {0};
   tg_strbuf_printf(&name, "%s.%ld.tmp", path, (long)getpid());
   char *beside = tg_strbuf_take(&name);
   if (!beside)
      return TG_ERROR_MEMORY;

   png_image image = make_image();
   image.width = width;
   image.height = height;
   image.format = PNG_FORMAT_RGBA;
   const bool is_direct = is_device(path);
   FILE *file = is_direct ? fopen(path, "wbe") : create_file(beside);
   const char *fault = file ? write_image(file, &image, rgba) : strerror(errno);
   if (!is_direct && !fault && rename(beside, path) != 0)
      fault = strerror(errno);
   if (!is_direct && fault && file)
      unlink(beside);
   tg_string_free(beside);
   return fault ? complain(diagnostics, TG_ERROR_IO, path, fault) : TG_OK;
}

/* ---- reading ------------------------------------------------------------- */

static enum tg_result
read_pixels(const struct tg_allocator *allocator, const char *path,
            png_image *image, struct tg_diagnostics *diagnostics,
            uint8_t **rgba_out)
{
   if (!is_size(image->width, image->height))
      return complain_of_size(diagnostics, path, image->width, image->height);
   image->format = PNG_FORMAT_RGBA;
   uint8_t *rgba =
      allocator->resize(allocator->user, NULL, 0, PNG_IMAGE_SIZE(*image));
   if (!rgba)
      return TG_ERROR_MEMORY;
   if (!png_image_finish_read(image, NULL, rgba, 0, NULL)) {
      tg_picture_free(allocator, rgba, image->width, image->height);
      return complain(diagnostics, TG_ERROR_INPUT, path, image->message);
   }
   *rgba_out = rgba;
   return TG_OK;
}

enum tg_result
tg_picture_read(const struct tg_allocator *allocator, const char *path,
                struct tg_diagnostics *diagnostics, uint32_t *width_out,
                uint32_t *height_out, uint8_t **rgba_out)
{
   if (!allocator)
      allocator = tg_default_allocator();
   FILE *file = fopen(path, "rbe");
   if (!file)
      return complain(diagnostics, TG_ERROR_IO, path, strerror(errno));

   png_image image = make_image();
   enum tg_result result;
   if (png_image_begin_read_from_stdio(&image, file))
      result = read_pixels(allocator, path, &image, diagnostics, rgba_out);
   else
      result = complain(diagnostics, TG_ERROR_INPUT, path, image.message);
   if (result == TG_OK) {
      *width_out = image.width;
      *height_out = image.height;
   }
   png_image_free(&image);
   fclose(file);
   return result;
}

void
tg_picture_free(const struct tg_allocator *allocator, uint8_t *rgba,
                uint32_t width, uint32_t height)
{
   if (!allocator)
      allocator = tg_default_allocator();
   if (rgba)
      allocator->resize(allocator->user, rgba, (size_t)width * height * 4, 0);
}
