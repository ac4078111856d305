/* SPDX-License-Identifier: MIT
 *
 * File input and output, whole or not at all.
 */
#include "cli/io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/io/diagnostics.h"
#include "cli/io/hex_words.h"
#include "cli/io/standard_output.h"
#include "cli/table/commands.h"
#include "util/strbuf.h"

/* No shader comes near; a mistaken FILE should not fill memory. */
enum { MAX_FILE_MIB = 256, MAX_FILE = MAX_FILE_MIB << 20 };

/* ---- reading ------------------------------------------------------------- */

/* Reads to the end of a descriptor. NULL and errno, EFBIG for too much. */
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

/* A name of no file has no quotation marks. */
static void
complain_of_reading(const char *quote, const char *name)
{
   if (errno == EFBIG)
      cli_complain("cannot read %s%s%s: it has %d MiB or more", quote, name,
                   quote, MAX_FILE_MIB);
   else
      cli_complain("cannot read %s%s%s: %s", quote, name, quote,
                   strerror(errno));
}

char *
cli_read_file(const char *path, size_t *length_out)
{
   if (cli_is_stdio(path)) {
      static bool was_read;

      if (was_read) {
         cli_complain("standard input can be read once; give a file for one -");
         return NULL;
      }
      was_read = true;
      char *data = read_all(STDIN_FILENO, length_out);
      if (!data)
         complain_of_reading("", "standard input");
      return data;
   }

   int fd = open(path, O_RDONLY | O_CLOEXEC);
   char *data = fd >= 0 ? read_all(fd, length_out) : NULL;
   if (!data)
      complain_of_reading("'", path);
   if (fd >= 0)
      close(fd);
   return data;
}

/* ---- writing ------------------------------------------------------------- */

bool
cli_write_files(const struct file_output *outputs, unsigned count)
{
   const char *path;

   if (file_write(outputs, count, &path))
      return true;
   cli_complain("cannot write '%s': %s", path, strerror(errno));
   return false;
}

bool
cli_write_file(const char *path, const void *data, size_t size)
{
   const struct file_output output = {.path = path, .data = data, .size = size};

   if (!cli_is_stdio(path))
      return cli_write_files(&output, 1);
   if (!cli_is_text(data, size) && isatty(STDOUT_FILENO)) {
      cli_complain("standard output is a terminal, and this is not text; "
                   "-o FILE names a file for it");
      return false;
   }
   return cli_output_bytes(data, size);
}

int
cli_write_string_file(const char *path, char *string)
{
   if (!string)
      return cli_diagnostics_status(TG_ERROR_MEMORY);

   bool good = cli_write_file(path, string, strlen(string));
   tg_string_free(string);
   return good ? CLI_OK : CLI_FAILED;
}

int
cli_write_json_file(const char *path, char *json)
{
   struct tg_strbuf text = {0};

   if (!json)
      return cli_diagnostics_status(TG_ERROR_MEMORY);
   tg_strbuf_add(&text, json);
   tg_strbuf_add_char(&text, '\n');
   tg_string_free(json);
   return cli_write_string_file(path, tg_strbuf_take(&text));
}
