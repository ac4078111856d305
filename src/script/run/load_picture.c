/* SPDX-License-Identifier: MIT
 *
 * Loading of pictures that a script names, from the folder of the script.
 */
#include <string.h>
#include <unistd.h>

#include "file/open.h"
#include "file/picture.h"
#include "script/run/runner.h"

const char *
script_load_picture_folder(struct script_runner *runner)
{
   const char *name = runner->script->source.name;
   const char *slash = strrchr(name, '/');

   return tg_arena_strndup(&runner->arena, name,
                           slash ? (size_t)(slash - name) + 1 : 0);
}

/* Its header has the size, so that one that is too large for the memory is
 * refused before it is read. */
static enum tg_result
read_picture(struct script_runner *runner, int file,
             struct tg_diagnostics *errors, uint32_t *width_out,
             uint32_t *height_out, uint8_t **rgba_out)
{
   struct tg_strbuf fault = {.allocator = runner->allocator};
   enum tg_result result =
      file_decode_picture(runner->allocator, &runner->work, file, &fault,
                          width_out, height_out, rgba_out);

   if (result == TG_ERROR_INPUT)
      tg_complain(errors, result, "png", "%s", fault.data);
   if (result == TG_ERROR_LIMIT)
      tg_work_diagnose(&runner->work, errors, NULL, (struct tg_position){0});
   tg_strbuf_finish(&fault);
   return result;
}

enum tg_result
script_load_picture(struct script_runner *runner, const char *path,
                    uint32_t *width_out, uint32_t *height_out,
                    uint8_t **rgba_out)
{
   struct tg_diagnostics *errors = script_errors(runner);
   const char *folder = script_load_picture_folder(runner);
   const char *fault;

   if (!errors || !folder)
      return TG_ERROR_MEMORY;
   if (runner->limits->no_files)
      return tg_complain(errors, TG_ERROR_LIMIT, "png",
                         "pictures are not read");
   const int file = file_open_beneath(folder, path, &fault);
   if (file < 0)
      return tg_complain(errors, TG_ERROR_IO, "png", "%s", fault);
   const enum tg_result result =
      read_picture(runner, file, errors, width_out, height_out, rgba_out);
   close(file);
   return result;
}
