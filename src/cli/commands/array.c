/* SPDX-License-Identifier: MIT
 *
 * Loading of arrays. A file's size is compared with what its header promises
 * before anything is allocated, and its bytes go straight into the buffer.
 */
#include "cli/commands/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/standard_output.h"
#include "cli/options/options.h"
#include "file/open.h"
#include "util/work.h"

/* ---- places -------------------------------------------------------------- */

static const struct place_name {
   const char *name;
   enum tg_buffer_file file;
   uint32_t count; /* numbers that there are; 0: it has none */
} place_names[] = {
   {"BUFFER", TG_BUFFER_SHADER, TG_MAX_BUFFERS},
   {"RES", TG_BUFFER_SHADER, TG_MAX_BUFFERS},
   {"HWATOMIC", TG_BUFFER_COUNTER, TG_MAX_COUNTER_BUFFERS},
   {"CONST", TG_BUFFER_CONSTANT, TG_MAX_CONSTANT_BUFFERS},
   {"GLOBAL", TG_BUFFER_GLOBAL, 0},
   {"INPUT", TG_BUFFER_INPUT, 0},
};

enum { NUM_PLACE_NAMES = sizeof(place_names) / sizeof(place_names[0]) };

/* Steps over a number of at most nine digits. */
static bool
read_number(const char **at, uint32_t *number_out)
{
   const char *first = *at;

   for (*number_out = 0; **at >= '0' && **at <= '9' && *at - first < 9; ++*at)
      *number_out = *number_out * 10 + (uint32_t)(**at - '0');
   return *at > first;
}

/* A place without a name is a BUFFER; the row of the name, or NULL. */
static const struct place_name *
read_named_place(const char **at, struct cli_place *place_out)
{
   for (unsigned i = 0; i < NUM_PLACE_NAMES; i++) {
      const struct place_name *row = &place_names[i];
      const size_t length = strlen(row->name);

      if (strncmp(*at, row->name, length) != 0)
         continue;
      *at += length;
      *place_out = (struct cli_place){.file = row->file};
      if (!row->count)
         return row;
      return *(*at)++ == '[' && read_number(at, &place_out->number) &&
                   *(*at)++ == ']'
                ? row
                : NULL;
   }
   *place_out = (struct cli_place){.file = place_names[0].file};
   return read_number(at, &place_out->number) ? &place_names[0] : NULL;
}

enum tg_result
cli_read_array_place(const char *option, const char *argument,
                     struct cli_place *place_out, const char **rest_out)
{
   const char *at = argument;
   const struct place_name *row = read_named_place(&at, place_out);

   if (!row || at[0] != '=' || !at[1]) {
      cli_complain("--%s wants a place and what is there, as in 0=data.npy or "
                   "BUFFER[0]=data.npy, not '%s'",
                   option, argument);
      return TG_ERROR_INPUT;
   }
   if (row->count && place_out->number >= row->count) {
      cli_complain("--%s '%s': there is no %s[%u]; the last is %s[%u]", option,
                   argument, row->name, (unsigned)place_out->number, row->name,
                   (unsigned)row->count - 1);
      return TG_ERROR_INPUT;
   }
   *rest_out = at + 1;
   return TG_OK;
}

struct cli_array *
cli_find_array(struct cli_arrays *arrays, struct cli_place place)
{
   for (unsigned i = 0; i < arrays->count; i++) {
      struct cli_array *array = &arrays->list[i];

      if (array->place.file == place.file &&
          array->place.number == place.number)
         return array;
   }
   return NULL;
}

/* ---- the list ------------------------------------------------------------ */

static enum tg_result
add_array(struct cli_arrays *arrays, const char *argument,
          struct cli_place place, struct cli_array **array_out)
{
   if (cli_find_array(arrays, place)) {
      cli_complain("two arrays are for one place: '%s'", argument);
      return TG_ERROR_INPUT;
   }
   if (arrays->count == CLI_MAX_ARRAYS) {
      cli_complain("there are more than %d arrays", CLI_MAX_ARRAYS);
      return TG_ERROR_INPUT;
   }
   *array_out = &arrays->list[arrays->count++];
   **array_out = (struct cli_array){.place = place};
   return TG_OK;
}

enum tg_result
cli_add_array_file(struct cli_arrays *arrays, const char *argument)
{
   struct cli_array *array;
   struct cli_place place;
   const char *path;
   enum tg_result result =
      cli_read_array_place("buffer", argument, &place, &path);

   if (result == TG_OK && cli_is_stdio(path)) {
      cli_complain("--buffer wants a file with a name, not '%s'", argument);
      return TG_ERROR_INPUT;
   }
   if (result == TG_OK)
      result = add_array(arrays, argument, place, &array);
   if (result == TG_OK)
      array->input = path;
   return result;
}

enum tg_result
cli_add_output_array(struct cli_arrays *arrays, const char *argument)
{
   struct cli_place place;
   const char *path;
   enum tg_result result =
      cli_read_array_place("output", argument, &place, &path);

   if (result != TG_OK)
      return result;
   struct cli_array *array = cli_find_array(arrays, place);
   if (!array || array->output) {
      cli_complain(array ? "two outputs are for one place: '%s'"
                         : "nothing is bound that could be written: '%s'",
                   argument);
      return TG_ERROR_INPUT;
   }
   array->output = path;
   return TG_OK;
}

static enum tg_result
create_buffer(struct cli_array *array, const struct tg_allocator *allocator,
              uint64_t num_bytes, struct tg_diagnostics *diagnostics)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = (uint32_t)num_bytes,
      .height = 1,
      .depth = 1,
      .layers = 1,
   };

   return tg_resource_create(allocator, &desc, diagnostics, &array->resource);
}

enum tg_result
cli_make_array(struct cli_arrays *arrays, const struct tg_allocator *allocator,
               struct cli_place place, uint64_t num_bytes,
               struct tg_diagnostics *diagnostics, struct cli_array **array_out)
{
   enum tg_result result = add_array(arrays, "--set", place, array_out);

   if (result == TG_OK)
      result = create_buffer(*array_out, allocator, num_bytes, diagnostics);
   return result;
}

enum tg_result
cli_add_zero_arrays(struct cli_arrays *arrays,
                    const struct tg_allocator *allocator, const char *argument,
                    struct tg_diagnostics *diagnostics)
{
   struct cli_array *array;
   struct cli_place place;
   const char *word;
   uint64_t size = 0;
   enum tg_result result =
      cli_read_array_place("zeros", argument, &place, &word);

   if (result != TG_OK)
      return result;
   if (!cli_read_size_option(word, TG_MAX_RESOURCE_SIZE, &size) || size == 0) {
      cli_complain("--zeros wants a number of bytes from 1 to %llu, perhaps "
                   "with K, M or G after it, not '%s'",
                   (unsigned long long)TG_MAX_RESOURCE_SIZE, word);
      return TG_ERROR_INPUT;
   }
   result = add_array(arrays, argument, place, &array);
   if (result == TG_OK)
      result = create_buffer(array, allocator, size, diagnostics);
   return result;
}

void
cli_arrays_finish(struct cli_arrays *arrays)
{
   for (unsigned i = 0; i < arrays->count; i++)
      tg_resource_destroy(arrays->list[i].resource);
}

/* ---- reading ------------------------------------------------------------- */

/* Bytes that are read until somebody looks at the clock; and for a unit of
 * work.
 */
enum { READ_PIECE = 16 << 20, READ_BYTES = 16 };

static bool
has_npy_name(const char *path)
{
   size_t length = strlen(path);

   return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* Reads from an offset on; fewer bytes than `size` only at the end. -1 and
 * errno. */
static ssize_t
read_at(int fd, void *data, size_t size, off_t offset)
{
   size_t done = 0;

   while (done < size) {
      ssize_t got =
         pread(fd, (char *)data + done, size - done, offset + (off_t)done);
      if (got < 0 && errno == EINTR)
         continue;
      if (got < 0)
         return -1;
      if (got == 0)
         break;
      done += (size_t)got;
   }
   return (ssize_t)done;
}

static enum tg_result
complain_of_file(const struct cli_array *array, const char *what)
{
   cli_complain("'%s' %s", array->input, what);
   return TG_ERROR_INPUT;
}

static enum tg_result
complain_of_reading(const struct cli_array *array)
{
   cli_complain("cannot read '%s': %s", array->input, strerror(errno));
   return TG_ERROR_IO;
}

static enum tg_result
read_header(struct cli_array *array, int fd, uint64_t file_size)
{
   struct tg_strbuf fault = {0};
   char *head = malloc(TG_NPY_MAX_HEADER);
   enum tg_result result = TG_OK;

   if (!head)
      return TG_ERROR_MEMORY;
   ssize_t size = read_at(fd, head, TG_NPY_MAX_HEADER, 0);
   if (size < 0)
      result = complain_of_reading(array);
   else if (!tg_npy_read(head, (size_t)size, file_size, &array->npy, &fault))
      result = complain_of_file(array, fault.data ? fault.data : "is damaged");
   tg_strbuf_finish(&fault);
   free(head);
   return result;
}

/* What the array holds, in pieces that pay. */
static enum tg_result
read_contents(struct cli_array *array, int fd, off_t offset, size_t size,
              struct tg_work *work, struct tg_diagnostics *diagnostics)
{
   char *data = tg_resource_map_buffer(array->resource);

   for (size_t done = 0; done < size;) {
      const size_t left = size - done;
      const size_t count = left < READ_PIECE ? left : READ_PIECE;

      if (!tg_work_pay(work, count / READ_BYTES))
         return tg_work_diagnose(work, diagnostics, NULL,
                                 (struct tg_position){0});
      const ssize_t got = read_at(fd, data + done, count, offset + (off_t)done);
      if (got < 0)
         return complain_of_reading(array);
      if ((size_t)got < count)
         return complain_of_file(array, "became shorter while it was read");
      done += count;
   }
   return TG_OK;
}

static enum tg_result
read_open_file(struct cli_array *array, int fd,
               const struct tg_allocator *allocator, struct tg_work *work,
               struct tg_diagnostics *diagnostics)
{
   struct stat info;

   if (fstat(fd, &info) != 0)
      return complain_of_reading(array);
   uint64_t offset = 0, size = (uint64_t)info.st_size;
   if (array->is_npy) {
      enum tg_result result = read_header(array, fd, size);

      if (result != TG_OK)
         return result;
      offset = array->npy.header_bytes;
      size = array->npy.data_bytes;
   }
   if (size == 0)
      return complain_of_file(array, "is an array without elements");
   if (size > TG_MAX_RESOURCE_SIZE) {
      cli_complain("'%s' is an array of %llu bytes, and may have %llu",
                   array->input, (unsigned long long)size,
                   (unsigned long long)TG_MAX_RESOURCE_SIZE);
      return TG_ERROR_INPUT;
   }

   enum tg_result result = create_buffer(array, allocator, size, diagnostics);
   if (result != TG_OK)
      return result;
   return read_contents(array, fd, (off_t)offset, (size_t)size, work,
                        diagnostics);
}

enum tg_result
cli_load_array(struct cli_array *array, const struct tg_allocator *allocator,
               struct tg_work *work, struct tg_diagnostics *diagnostics)
{
   const char *fault;
   int fd = file_open(array->input, &fault);

   if (fd < 0) {
      cli_complain("cannot read '%s': %s", array->input, fault);
      return TG_ERROR_IO;
   }
   array->is_npy = has_npy_name(array->input);
   enum tg_result result =
      read_open_file(array, fd, allocator, work, diagnostics);
   close(fd);
   return result;
}

/* ---- writing ------------------------------------------------------------- */

/* The file that it goes to, or NULL. */
static const char *
path_written(const struct cli_array *array)
{
   if (array->output)
      return array->output;
   return array->is_written ? array->input : NULL;
}

enum tg_result
cli_check_output_arrays(const struct cli_arrays *arrays)
{
   for (unsigned i = 0; i < arrays->count; i++) {
      const char *path = path_written(&arrays->list[i]);

      for (unsigned j = 0; path && j < i; j++) {
         const char *other = path_written(&arrays->list[j]);

         if (!other || !file_is_same(path, other))
            continue;
         cli_complain("two arrays are to be written to one file: '%s'", path);
         return TG_ERROR_INPUT;
      }
   }
   return TG_OK;
}

/* What was no .npy file becomes an array of words, or of bytes if these are no
 * whole number of words. */
static void
write_head(struct tg_strbuf *head, const struct cli_array *array)
{
   uint64_t size = tg_resource_get_desc(array->resource)->width;
   const struct tg_npy words = {
      .kind = 'u',
      .item_bytes = size % 4 ? 1 : 4,
      .num_dims = 1,
      .shape = {size % 4 ? size : size / 4},
   };

   tg_npy_write(head, array->is_npy ? &array->npy : &words);
}

static bool
add_output(const struct cli_array *array, const char *path,
           struct tg_strbuf *head, struct file_output *output)
{
   if (has_npy_name(path))
      write_head(head, array);
   *output = (struct file_output){
      .path = path,
      .head = head->data,
      .head_size = head->length,
      .data = tg_resource_map_buffer(array->resource),
      .size = tg_resource_get_desc(array->resource)->width,
   };
   return !head->failed;
}

/* Writes the bytes of the array whose output is standard output, if any. */
static bool
print_array(const struct cli_arrays *arrays)
{
   for (unsigned i = 0; i < arrays->count; i++) {
      const struct cli_array *array = &arrays->list[i];

      if (array->output && cli_is_stdio(array->output))
         return cli_write_file("-", tg_resource_map_buffer(array->resource),
                               tg_resource_get_desc(array->resource)->width);
   }
   return true;
}

enum tg_result
cli_save_arrays(const struct cli_arrays *arrays)
{
   struct file_output outputs[CLI_MAX_ARRAYS];
   struct tg_strbuf heads[CLI_MAX_ARRAYS] = {{0}};
   enum tg_result result = TG_OK;
   unsigned count = 0;

   for (unsigned i = 0; i < arrays->count && result == TG_OK; i++) {
      const struct cli_array *array = &arrays->list[i];
      const char *path = path_written(array);

      if (path && !cli_is_stdio(path) &&
          !add_output(array, path, &heads[i], &outputs[count++]))
         result = TG_ERROR_MEMORY;
   }
   if (result == TG_OK &&
       (!print_array(arrays) || !cli_write_files(outputs, count)))
      result = TG_ERROR_IO;
   for (unsigned i = 0; i < arrays->count; i++)
      tg_strbuf_finish(&heads[i]);
   return result;
}
