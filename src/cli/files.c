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

#include "cli/color.h"
#include "cli/commands.h"
#include "util/strbuf.h"

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

bool
cli_is_stdio(const char *path)
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
   if (cli_is_stdio(path)) {
      static bool was_read;

      if (was_read) {
         cli_complain("standard input can be read once; give a file for one -");
         return NULL;
      }
      was_read = true;
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

/* The folder in which a file is or will be. */
static bool
stat_folder(const char *path, struct stat *info)
{
   const char *slash = strrchr(path, '/');
   char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
   bool good = (!slash || folder) && stat(slash ? folder : ".", info) == 0;

   free(folder);
   return good;
}

static const char *
last_name(const char *path)
{
   const char *slash = strrchr(path, '/');

   return slash ? slash + 1 : path;
}

bool
cli_is_same_file(const char *a, const char *b)
{
   struct stat of_a, of_b;
   bool has_a = stat(a, &of_a) == 0;
   bool has_b = stat(b, &of_b) == 0;

   if (has_a != has_b || (has_a && !S_ISREG(of_a.st_mode)))
      return false;
   if (!has_a && (strcmp(last_name(a), last_name(b)) != 0 ||
                  !stat_folder(a, &of_a) || !stat_folder(b, &of_b)))
      return false;
   return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Writes to what is no regular file: a pipe or a device. */
static bool
write_through(const struct cli_output *output)
{
   int fd = open(output->path, O_WRONLY | O_CLOEXEC);
   if (fd < 0)
      return false;

   bool good = write_all(fd, output->head, output->head_size) &&
               write_all(fd, output->data, output->size);
   return close(fd) == 0 && good;
}

/* A file on its way. */
struct new_file {
   char *target;    /* the name that it will get; NULL: no regular file */
   char *temporary; /* the name that it has, or NULL */
   mode_t mode;
};

/* Writes it beside its name. False and errno. */
static bool
write_beside(struct new_file *file, const struct cli_output *output)
{
   if (asprintf(&file->temporary, "%s.XXXXXX", file->target) < 0) {
      file->temporary = NULL;
      return false;
   }

   int fd = mkostemp(file->temporary, O_CLOEXEC);
   if (fd < 0) {
      free(file->temporary);
      file->temporary = NULL;
      return false;
   }
   bool good = write_all(fd, output->head, output->head_size) &&
               write_all(fd, output->data, output->size) &&
               fchmod(fd, file->mode) == 0;
   int reason = errno;
   bool is_closed = close(fd) == 0;
   if (!good)
      errno = reason;
   return good && is_closed;
}

static bool
prepare(struct new_file *file, const struct cli_output *output)
{
   struct stat info;

   if (stat(output->path, &info) != 0) {
      mode_t mask = umask(0);

      umask(mask);
      file->mode = 0666 & ~mask;
      file->target = strdup(output->path);
   } else if (S_ISREG(info.st_mode)) {
      /* A link stays a link. */
      file->mode = info.st_mode & 07777;
      file->target = realpath(output->path, NULL);
      if (file->target && access(file->target, W_OK) != 0)
         return false;
   } else {
      return true;
   }
   return file->target && write_beside(file, output);
}

static bool
commit(struct new_file *file, const struct cli_output *output)
{
   if (!file->target)
      return write_through(output);
   if (rename(file->temporary, file->target) != 0)
      return false;
   free(file->temporary);
   file->temporary = NULL;
   return true;
}

static void
finish(struct new_file *file)
{
   if (file->temporary)
      unlink(file->temporary);
   free(file->temporary);
   free(file->target);
}

typedef bool (*file_step)(struct new_file *file,
                          const struct cli_output *output);

static bool
for_each_file(struct new_file *files, const struct cli_output *outputs,
              unsigned count, file_step step)
{
   for (unsigned i = 0; i < count; i++) {
      if (step(&files[i], &outputs[i]))
         continue;
      cli_complain("cannot write '%s': %s", outputs[i].path, strerror(errno));
      return false;
   }
   return true;
}

bool
cli_write_files(const struct cli_output *outputs, unsigned count)
{
   struct new_file *files = calloc(count + 1, sizeof(*files));
   if (!files) {
      cli_complain("out of memory");
      return false;
   }
   bool good = for_each_file(files, outputs, count, prepare) &&
               for_each_file(files, outputs, count, commit);
   for (unsigned i = 0; i < count; i++)
      finish(&files[i]);
   free(files);
   return good;
}

bool
cli_write(const char *path, const void *data, size_t size)
{
   const struct cli_output output = {.path = path, .data = data, .size = size};

   if (cli_is_stdio(path))
      return fwrite(data, 1, size, stdout) == size;
   return cli_write_files(&output, 1);
}

int
cli_write_string(const char *path, char *string)
{
   if (!string)
      return cli_status_of(TG_ERROR_MEMORY);

   bool good = cli_write(path, string, strlen(string));
   tg_string_free(string);
   return good ? CLI_OK : CLI_FAILED;
}

int
cli_write_json(const char *path, char *json)
{
   struct tg_strbuf text = {0};

   if (!json)
      return cli_status_of(TG_ERROR_MEMORY);
   tg_strbuf_add(&text, json);
   tg_strbuf_add_char(&text, '\n');
   tg_string_free(json);
   return cli_write_string(path, tg_strbuf_take(&text));
}

/* ---- printing ------------------------------------------------------------ */

void
cli_print_diagnostics(const struct tg_diagnostics *diagnostics,
                      const struct cli_options *options)
{
   if (!tg_diagnostics_count(diagnostics))
      return;

   char *text =
      tg_diagnostics_styled_text(diagnostics, cli_message_style(options));
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
