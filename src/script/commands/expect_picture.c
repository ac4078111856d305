/* SPDX-License-Identifier: MIT
 *
 * Expectations of a target as a whole: the picture of a file. Where the two
 * differ, a picture of their difference is written beside the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/picture.h"
#include "file/write.h"
#include "script/commands/commands.h"
#include "util/block.h"
#include "util/strbuf.h"

/* Both have the same size. */
struct comparison {
   struct script_picture is; /* becomes the difference */
   const uint8_t *should;    /* as many pixels */
   double tolerance;         /* of 255 */
   uint64_t num_wrong;
   size_t first;      /* pixel that is wrong */
   unsigned greatest; /* distance of a channel, of pixels that are wrong */
};

/* The greatest distance of the pixel's channels; 0 where it is near enough. */
static unsigned
find_distance(const struct comparison *comparison, size_t pixel)
{
   unsigned greatest = 0;

   for (size_t i = pixel * 4; i < pixel * 4 + 4; i++) {
      const int distance = comparison->is.rgba[i] - comparison->should[i];

      if ((unsigned)abs(distance) > greatest)
         greatest = (unsigned)abs(distance);
   }
   return greatest <= comparison->tolerance ? 0 : greatest;
}

static void
compare(struct comparison *comparison)
{
   const size_t count = (size_t)comparison->is.width * comparison->is.height;

   for (size_t i = 0; i < count; i++) {
      const unsigned distance = find_distance(comparison, i);

      if (distance && !comparison->num_wrong++)
         comparison->first = i;
      if (distance > comparison->greatest)
         comparison->greatest = distance;
   }
}

/* The distances of the colours, not less than that of alpha, so stretched that
 * the greatest is white; black where the pixel is near enough. */
static void
paint_difference(struct comparison *comparison)
{
   const size_t count = (size_t)comparison->is.width * comparison->is.height;

   for (size_t i = 0; i < count; i++) {
      uint8_t *is = comparison->is.rgba + i * 4;
      const uint8_t *should = comparison->should + i * 4;
      const bool is_wrong = find_distance(comparison, i) != 0;
      const int alpha = abs(is[3] - should[3]);

      for (unsigned c = 0; c < 3; c++) {
         const int distance = abs(is[c] - should[c]);
         const int shown = distance > alpha ? distance : alpha;

         is[c] =
            is_wrong ? (uint8_t)(shown * 255 / (int)comparison->greatest) : 0;
      }
      is[3] = 255;
   }
}

/* ---- the file of the difference ------------------------------------------ */

void
script_expect_picture_beside(struct tg_strbuf *name, const char *picture,
                             const char *what)
{
   const char *slash = strrchr(picture, '/');
   const char *dot = strrchr(slash ? slash : picture, '.');
   const size_t length = dot ? (size_t)(dot - picture) : strlen(picture);

   tg_strbuf_printf(name, "%.*s.%s%s", (int)length, picture, what,
                    dot ? dot : ".png");
}

/* Nothing but files of this folder is replaced, so no link is followed. */
static bool
may_write(const char *path)
{
   struct stat info;

   if (lstat(path, &info) != 0)
      return errno == ENOENT;
   return S_ISREG(info.st_mode);
}

/* Why the file could not be written, if so, is added to `fault`. */
static enum tg_result
write_picture(struct tg_work *work, const char *path,
              const struct script_picture *picture, struct tg_strbuf *fault)
{
   struct tg_strbuf png = {.allocator = fault->allocator};
   enum tg_result result = file_encode_picture(
      work, picture->width, picture->height, picture->rgba, &png, fault);
   const struct file_output output = {
      .path = path, .data = png.data, .size = png.length};
   const char *blamed;

   if (result == TG_OK && !file_write(&output, 1, &blamed)) {
      tg_strbuf_add(fault, strerror(errno));
      result = TG_ERROR_IO;
   }
   tg_strbuf_finish(&png);
   return result;
}

/* Writes the difference to the file of a name in the script's folder, and what
 * became of it into the note. */
static enum tg_result
write_difference(struct script_runner *runner, const char *name,
                 const struct script_picture *difference,
                 struct tg_strbuf *note)
{
   struct tg_strbuf path = {.allocator = runner->allocator};
   struct tg_strbuf fault = {.allocator = runner->allocator};
   const char *folder = script_load_picture_folder(runner);
   enum tg_result result = TG_OK;

   tg_strbuf_printf(&path, "%s%s", folder ? folder : "", name);
   if (!folder || path.failed)
      result = TG_ERROR_MEMORY;
   else if (!may_write(path.data))
      tg_strbuf_printf(note, "%s is no regular file and stays as it is", name);
   else if ((result = write_picture(&runner->work, path.data, difference,
                                    &fault)) == TG_OK)
      tg_strbuf_printf(note, "%s shows where", name);
   else
      tg_strbuf_printf(note, "%s: %s", name, fault.data ? fault.data : "");
   tg_strbuf_finish(&fault);
   tg_strbuf_finish(&path);
   return result == TG_ERROR_MEMORY ? result : TG_OK;
}

/* ---- expect picture ------------------------------------------------------ */

static void
describe(const struct comparison *comparison, const char *path,
         struct tg_strbuf *message)
{
   const size_t width = comparison->is.width, first = comparison->first;
   const uint8_t *is = comparison->is.rgba + first * 4;
   const uint8_t *should = comparison->should + first * 4;

   tg_strbuf_printf(message,
                    "pixel %zu %zu is %02x%02x%02x%02x, and %02x%02x%02x%02x "
                    "in %s",
                    first % width, first / width, is[0], is[1], is[2], is[3],
                    should[0], should[1], should[2], should[3], path);
   if (comparison->num_wrong > 1)
      tg_strbuf_printf(message, "; %llu pixels are wrong in all",
                       (unsigned long long)comparison->num_wrong);
   tg_strbuf_printf(message, ", by %.3g at most", comparison->greatest / 255.0);
}

static enum tg_result
fail(struct script_runner *runner, const struct script_command *command,
     const char *path, struct comparison *comparison)
{
   struct tg_strbuf message = {.allocator = runner->allocator};
   struct tg_strbuf name = {.allocator = runner->allocator};
   struct tg_strbuf note = {.allocator = runner->allocator};
   enum tg_result result = TG_ERROR_MEMORY;

   describe(comparison, path, &message);
   paint_difference(comparison);
   script_expect_picture_beside(&name, path, "difference");
   if (!name.failed)
      result = write_difference(runner, name.data, &comparison->is, &note);
   if (message.failed || note.failed)
      result = TG_ERROR_MEMORY;
   if (result == TG_OK) {
      tg_diagnose(runner->diagnostics, TG_SEVERITY_ERROR, "test-failed",
                  &runner->script->source, command->position, note.data, "%s",
                  message.data);
      result = TG_ERROR_INPUT;
   }
   tg_strbuf_finish(&note);
   tg_strbuf_finish(&name);
   tg_strbuf_finish(&message);
   return result;
}

/* Compares with the pixels of a file. */
static enum tg_result
compare_with(struct script_runner *runner, const struct script_command *command,
             const struct tg_surface *surface, const char *path,
             const uint8_t *rgba)
{
   const struct script_probe *probe = &command->probe;
   struct comparison comparison = {
      .should = rgba,
      .tolerance = probe->has_tolerance ? probe->tolerance * 255 : 0,
   };
   enum tg_result result = script_picture_copy(
      runner, runner->allocator, surface, probe->sample, &comparison.is);

   if (result == TG_OK)
      compare(&comparison);
   if (comparison.num_wrong)
      result = fail(runner, command, path, &comparison);
   tg_block_free(comparison.is.rgba);
   return result;
}

enum tg_result
script_expect_picture(struct script_runner *runner,
                      const struct script_command *command,
                      const struct tg_surface *surface)
{
   const struct script_state *state = &runner->drawing.state;
   const struct script_word *word = &command->probe.path;
   const char *path =
      tg_arena_strndup(&runner->arena, word->text, word->length);
   uint32_t width = 0, height = 0;
   uint8_t *rgba = NULL;

   if (!path)
      return TG_ERROR_MEMORY;
   enum tg_result result =
      script_load_picture(runner, path, &width, &height, &rgba);
   if (result == TG_ERROR_MEMORY)
      return result;
   if (result != TG_OK)
      return script_fail(runner, command, "%s: %s", path,
                         script_first_error(runner));
   if (width == state->width && height == state->height)
      result = compare_with(runner, command, surface, path, rgba);
   else
      result = script_fail(runner, command,
                           "the picture is %u by %u pixels, and that of %s %u "
                           "by %u",
                           state->width, state->height, path, width, height);
   tg_block_free(rgba);
   return result;
}
