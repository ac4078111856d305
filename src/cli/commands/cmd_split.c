/* SPDX-License-Identifier: MIT
 *
 * tungsten split [LOG]
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/standard_output.h"
#include "cli/table/handlers.h"
#include "tungsten/tgsi.h"
#include "util/arena.h"
#include "util/ascii.h"
#include "util/json.h"

/* A shader of the log. */
struct part {
   uint32_t number; /* from 0 */
   bool is_copy;    /* of one before it */
   char *text;      /* to be freed with tg_string_free() */
   size_t length;
   const char *path; /* of its file */
};

struct split {
   const char *log_name;
   struct tg_log *log;
   struct tg_arena arena;
   struct part *parts; /* one for each shader */
   uint32_t count;
};

/* ---- names --------------------------------------------------------------- */

#define SUFFIX ".tgsi"

enum { NUMBER_DIGITS = 4 /* at least */ };

/* NUMBER.STAGE.tgsi, as in 0001.vert.tgsi; NULL when out of memory. */
static const char *
path_of(struct split *split, const char *folder, uint32_t number)
{
   char stage[16];
   size_t length = 0;

   for (const char *c = tg_log_processor_name(split->log, number); *c; c++)
      stage[length++] = tg_ascii_lower(*c);
   return tg_arena_printf(&split->arena, "%s/%0*u.%.*s" SUFFIX, folder,
                          NUMBER_DIGITS, number + 1, (int)length, stage);
}

/* Is that the name of a file that a split may have written? */
static bool
is_name_of_part(const char *name)
{
   const size_t digits = strspn(name, "0123456789");
   const char *stage = name + digits + 1;

   if (digits < NUMBER_DIGITS || name[digits] != '.')
      return false;
   const size_t length = strspn(stage, "abcdefghijklmnopqrstuvwxyz_");
   return length > 0 && strcmp(stage + length, SUFFIX) == 0;
}

/* ---- the folder ---------------------------------------------------------- */

/* Has the folder files of a split? False with a sentence. */
static bool
is_free(const char *folder)
{
   DIR *stream = opendir(folder);
   bool good = true;

   if (!stream) {
      cli_complain("cannot read '%s': %s", folder, strerror(errno));
      return false;
   }
   for (struct dirent *entry = readdir(stream); entry && good;
        entry = readdir(stream))
      good = !is_name_of_part(entry->d_name);
   if (!good)
      cli_complain(
         "'%s' has shaders of a split already; --force writes into it "
         "all the same",
         folder);
   closedir(stream);
   return good;
}

/* Makes the folder if it is not there. False with a sentence. */
static bool
open_folder(const struct cli_options *options, bool *is_new_out)
{
   const char *folder = options->folder;

   *is_new_out = mkdir(folder, 0777) == 0;
   if (*is_new_out)
      return true;
   if (errno != EEXIST) {
      cli_complain("cannot make '%s': %s", folder, strerror(errno));
      return false;
   }
   return options->force || is_free(folder);
}

/* ---- shaders ------------------------------------------------------------- */

static int
compare_parts(const void *a, const void *b)
{
   const struct part *first = *(const struct part *const *)a;
   const struct part *second = *(const struct part *const *)b;

   if (first->length != second->length)
      return first->length < second->length ? -1 : 1;
   const int order = memcmp(first->text, second->text, first->length);
   if (order)
      return order;
   return first->number < second->number ? -1 : 1;
}

/* Marks shaders that are a copy of one before them. */
static bool
find_copies(struct split *split)
{
   struct part **sorted =
      tg_arena_array(&split->arena, split->count, sizeof(struct part *));
   if (!sorted)
      return false;

   for (uint32_t i = 0; i < split->count; i++)
      sorted[i] = &split->parts[i];
   qsort(sorted, split->count, sizeof(struct part *), compare_parts);
   for (uint32_t i = 1; i < split->count; i++)
      sorted[i]->is_copy =
         sorted[i]->length == sorted[i - 1]->length &&
         memcmp(sorted[i]->text, sorted[i - 1]->text, sorted[i]->length) == 0;
   return true;
}

static bool
make_parts(struct split *split, const struct cli_options *options)
{
   split->parts =
      tg_arena_array(&split->arena, split->count, sizeof(*split->parts));
   for (uint32_t i = 0; split->parts && i < split->count; i++) {
      struct part *part = &split->parts[i];

      part->number = i;
      part->path = path_of(split, options->folder, i);
      part->text = tg_log_text(split->log, i);
      if (!part->path || !part->text)
         return false;
      part->length = strlen(part->text);
   }
   return split->parts && (!options->unique || find_copies(split));
}

/* Writes the files. False with a sentence. */
static bool
write_parts(struct split *split)
{
   struct file_output *outputs =
      tg_arena_array(&split->arena, split->count, sizeof(*outputs));
   unsigned count = 0;

   if (!outputs)
      return cli_diagnostics_status(TG_ERROR_MEMORY) == CLI_OK;
   for (uint32_t i = 0; i < split->count; i++) {
      const struct part *part = &split->parts[i];

      if (!part->is_copy)
         outputs[count++] = (struct file_output){
            .path = part->path,
            .data = part->text,
            .size = part->length,
         };
   }
   return cli_write_files(outputs, count);
}

/* ---- the list ------------------------------------------------------------ */

static bool
print_lines(const struct split *split)
{
   for (uint32_t i = 0; i < split->count; i++) {
      if (!split->parts[i].is_copy)
         printf("%s: %s:%u\n", split->parts[i].path, split->log_name,
                tg_log_line(split->log, i));
   }
   return true;
}

static bool
print_json(const struct split *split)
{
   struct tg_json json;

   tg_json_init_array(&json, NULL);
   for (uint32_t i = 0; i < split->count; i++) {
      if (split->parts[i].is_copy)
         continue;

      struct tg_json_value *object = tg_json_object(&json, json.root, NULL);
      tg_json_string(&json, object, "file", split->parts[i].path);
      tg_json_string(&json, object, "stage",
                     tg_log_processor_name(split->log, i));
      tg_json_number(&json, object, "line", tg_log_line(split->log, i));
   }
   return cli_output_json(tg_json_take(&json));
}

/* ---- the command --------------------------------------------------------- */

static int
write_and_list(struct split *split, const struct cli_options *options)
{
   bool is_new = false;

   if (!make_parts(split, options))
      return cli_diagnostics_status(TG_ERROR_MEMORY);
   if (!open_folder(options, &is_new))
      return CLI_FAILED;
   if (!write_parts(split)) {
      if (is_new)
         rmdir(options->folder);
      return CLI_FAILED;
   }
   const bool good = options->json ? print_json(split) : print_lines(split);
   return good ? CLI_OK : CLI_FAILED;
}

static int
split_log(struct cli_call *call, const char *data, size_t size)
{
   struct split split = {
      .log_name = call->num_operands ? call->operands[0] : "-",
   };
   int status = cli_diagnostics_status(tg_log_read(
      NULL, split.log_name, data, size, call->diagnostics, &split.log));
   if (status != CLI_OK)
      return status;

   tg_arena_init(&split.arena, NULL);
   split.count = tg_log_num_shaders(split.log);
   if (split.count) {
      status = write_and_list(&split, &call->options);
   } else {
      cli_complain("'%s' has no shaders", split.log_name);
      status = CLI_FAILED;
   }
   for (uint32_t i = 0; split.parts && i < split.count; i++)
      tg_string_free(split.parts[i].text);
   tg_arena_finish(&split.arena);
   tg_log_destroy(split.log);
   return status;
}

int
cmd_split(struct cli_call *call)
{
   if (!call->options.folder || cli_is_stdio(call->options.folder)) {
      cli_complain("split wants --output=FOLDER");
      return CLI_USAGE;
   }

   size_t size;
   char *data =
      cli_read_file(call->num_operands ? call->operands[0] : "-", &size);
   if (!data)
      return CLI_FAILED;
   const int status = split_log(call, data, size);
   free(data);
   return status;
}
