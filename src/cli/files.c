/* SPDX-License-Identifier: MIT
 *
 * Files, whole or not at all.
 */
#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"

/* No shader comes near; a mistaken FILE should not fill memory. */
enum { MAX_FILE = 256 << 20 };

void
cli_complain(const char *format, ...)
{
   va_list args;

   fflush(stdout);
   fputs("tungsten: ", stderr);
   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fputc('\n', stderr);
}

int
cli_status_of(enum tg_result result)
{
   if (result == TG_OK)
      return CLI_OK;
   if (result == TG_ERROR_MEMORY)
      cli_complain("%s", tg_result_name(result));
   return CLI_FAILED;
}

/* ---- reading ------------------------------------------------------------- */

static bool
is_stdio(const char *path)
{
   return !path || strcmp(path, "-") == 0;
}

/* Reads to the end of a descriptor. NULL and errno. */
static char *
read_all(int fd, size_t *length_out)
{
   size_t length = 0, capacity = 64 << 10;
   char *data = malloc(capacity + 1);

   while (data) {
      ssize_t got = read(fd, data + length, capacity - length);
      if (got < 0 && errno == EINTR)
         continue;
      if (got < 0)
         goto fail;
      if (got == 0)
         break;
      length += (size_t)got;
      if (length < capacity)
         continue;
      if (capacity >= MAX_FILE) {
         errno = EFBIG;
         goto fail;
      }
      capacity *= 2;
      char *larger = realloc(data, capacity + 1);
      if (!larger)
         goto fail;
      data = larger;
   }
   if (data)
      data[length] = '\0';
   *length_out = length;
   return data;

fail:
   free(data);
   return NULL;
}

char *
cli_read(const char *path, size_t *length_out)
{
   if (is_stdio(path)) {
      char *data = read_all(STDIN_FILENO, length_out);
      if (!data)
         cli_complain("cannot read standard input: %s", strerror(errno));
      return data;
   }

   int fd = open(path, O_RDONLY | O_CLOEXEC);
   char *data = fd >= 0 ? read_all(fd, length_out) : NULL;
   if (!data)
      cli_complain("cannot read '%s': %s", path, strerror(errno));
   if (fd >= 0)
      close(fd);
   return data;
}

/* ---- writing ------------------------------------------------------------- */

static bool
write_all(int fd, const char *data, size_t size)
{
   while (size) {
      ssize_t written = write(fd, data, size);
      if (written < 0 && errno == EINTR)
         continue;
      if (written < 0)
         return false;
      data += written;
      size -= (size_t)written;
   }
   return true;
}

/* Writes to what is no regular file: a pipe or a device. */
static bool
write_through(const char *path, const void *data, size_t size)
{
   int fd = open(path, O_WRONLY | O_CLOEXEC);
   if (fd < 0)
      return false;

   bool good = write_all(fd, data, size);
   return close(fd) == 0 && good;
}

/* Writes a new file beside `path` and gives it the name. */
static bool
replace(const char *path, mode_t mode, const void *data, size_t size)
{
   char *temporary;
   if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
      return false;

   int fd = mkostemp(temporary, O_CLOEXEC);
   bool good = fd >= 0 && write_all(fd, data, size) && fchmod(fd, mode) == 0;
   int reason = errno;
   if (fd >= 0 && close(fd) != 0 && good) {
      reason = errno;
      good = false;
   }
   if (good && rename(temporary, path) != 0) {
      reason = errno;
      good = false;
   }
   if (!good && fd >= 0)
      unlink(temporary);
   free(temporary);
   errno = reason;
   return good;
}

static bool
write_path(const char *path, const void *data, size_t size)
{
   struct stat info;
   if (stat(path, &info) != 0) {
      mode_t mask = umask(0);

      umask(mask);
      return replace(path, 0666 & ~mask, data, size);
   }
   if (!S_ISREG(info.st_mode))
      return write_through(path, data, size);

   /* A link stays a link. */
   char *target = realpath(path, NULL);
   bool good = target && access(target, W_OK) == 0 &&
               replace(target, info.st_mode & 07777, data, size);
   int reason = errno;
   free(target);
   errno = reason;
   return good;
}

bool
cli_write(const char *path, const void *data, size_t size)
{
   if (is_stdio(path))
      return fwrite(data, 1, size, stdout) == size;
   if (write_path(path, data, size))
      return true;
   cli_complain("cannot write '%s': %s", path, strerror(errno));
   return false;
}

/* ---- printing ------------------------------------------------------------ */

void
cli_print_diagnostics(const struct tg_diagnostics *diagnostics)
{
   if (!tg_diagnostics_count(diagnostics))
      return;

   char *text = tg_diagnostics_text(diagnostics);
   fflush(stdout);
   fputs(text ? text : "tungsten: out of memory\n", stderr);
   tg_string_free(text);
}

bool
cli_put_string(char *string)
{
   if (!string) {
      cli_complain("%s", tg_result_name(TG_ERROR_MEMORY));
      return false;
   }
   fputs(string, stdout);
   tg_string_free(string);
   return true;
}

bool
cli_put_json(char *json)
{
   return cli_put_string(json) && putchar('\n') != EOF;
}

bool
cli_close_stdout(void)
{
   bool good = fflush(stdout) == 0 && !ferror(stdout);

   if (!good)
      cli_complain("cannot write standard output: %s", strerror(errno));
   return good;
}
