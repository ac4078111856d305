/* SPDX-License-Identifier: MIT
 *
 * The commands that draw and those that look at what was drawn.
 */
#include <math.h>
#include <string.h>

#include "format/format.h"
#include "resource/resource.h"
#include "script/runner.h"

/* ---- clear --------------------------------------------------------------- */

static bool
read_floats(struct script_cursor *cursor, unsigned count, float *floats)
{
   for (unsigned i = 0; i < count; i++) {
      double value;

      if (!script_read_double(cursor, "a number", &value))
         return false;
      floats[i] = (float)value;
      script_accept_char(cursor, ',');
   }
   return true;
}

static enum tg_result
begin_clear(struct script_runner *runner, const struct script_command *command)
{
   enum tg_result result = script_drawing_begin(runner, command);

   return result == TG_OK
             ? script_touch_pixels(runner, command,
                                   (uint64_t)runner->drawing.width *
                                      runner->drawing.height)
             : result;
}

bool
script_read_clear_color(struct script_cursor *cursor,
                        const struct script *script,
                        struct script_command *command)
{
   (void)script;
   return read_floats(cursor, 4, command->color);
}

enum tg_result
script_do_clear_color(struct script_runner *runner,
                      const struct script_command *command)
{
   enum tg_result result = begin_clear(runner, command);

   if (result == TG_OK)
      result = script_drawing_clear(runner, TG_CLEAR_COLOR0, command->color);
   return result;
}

bool
script_read_clear_depth(struct script_cursor *cursor,
                        const struct script *script,
                        struct script_command *command)
{
   (void)script;
   memset(command->color, 0, sizeof(command->color));
   return read_floats(cursor, 1, command->color);
}

enum tg_result
script_do_clear_depth(struct script_runner *runner,
                      const struct script_command *command)
{
   enum tg_result result = begin_clear(runner, command);

   if (result == TG_OK)
      result = script_drawing_clear(runner, TG_CLEAR_DEPTH, command->color);
   return result;
}

/* ---- draw ---------------------------------------------------------------- */

/* draw [indexed] PRIMITIVE FIRST COUNT [instances N] */
bool
script_read_draw(struct script_cursor *cursor, const struct script *script,
                 struct script_command *command)
{
   struct script_draw *draw = &command->draw;
   (void)script;

   draw->indexed = script_accept_words(cursor, "indexed");
   struct script_word word = script_peek_word(cursor);
   int primitive = tg_primitive_find(word.text, word.length);
   if (primitive < 0)
      return script_complain(cursor, "expected a primitive: triangles or "
                                     "triangle_strip");
   script_read_word(cursor);
   draw->primitive = (enum tg_primitive)primitive;
   draw->num_instances = 1;
   if (!script_read_number(cursor, 0, UINT32_MAX, "the first vertex",
                           &draw->first) ||
       !script_read_number(cursor, 0, SCRIPT_MAX_INDICES,
                           "a number of vertices", &draw->count))
      return false;
   return !script_accept_words(cursor, "instances") ||
          script_read_number(cursor, 0, SCRIPT_MAX_INDICES,
                             "a number of instances", &draw->num_instances);
}

enum tg_result
script_do_draw(struct script_runner *runner,
               const struct script_command *command)
{
   return script_drawing_draw(runner, command);
}

/* ---- expect -------------------------------------------------------------- */

/* rgba R G B A [within T], or D [within T] */
static bool
read_probe_color(struct script_cursor *cursor, struct script_probe *probe)
{
   unsigned count = probe->is_depth ? 1 : 4;

   if (!probe->is_depth && !script_accept_words(cursor, "rgba"))
      return script_complain(cursor, "expected rgba");
   for (unsigned i = 0; i < count; i++) {
      if (!script_read_double(cursor, "a number", &probe->color[i]))
         return false;
      script_accept_char(cursor, ',');
   }
   probe->has_tolerance = script_accept_words(cursor, "within");
   return !probe->has_tolerance ||
          script_read_double(cursor, "a distance", &probe->tolerance);
}

static bool
read_place(struct script_cursor *cursor, uint32_t *x_out, uint32_t *y_out)
{
   return script_read_number(cursor, 0, SCRIPT_MAX_SIZE - 1, "a column",
                             x_out) &&
          script_read_number(cursor, 0, SCRIPT_MAX_SIZE - 1, "a row", y_out);
}

/* What one pixel holds: its colour, or its depth. */
static bool
read_pixel_probe(struct script_cursor *cursor, bool is_depth,
                 struct script_probe *probe)
{
   *probe = (struct script_probe){
      .width = 1,
      .height = 1,
      .is_depth = is_depth,
   };
   return read_place(cursor, &probe->x, &probe->y) &&
          read_probe_color(cursor, probe);
}

bool
script_read_expect_pixel(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   (void)script;
   return read_pixel_probe(cursor, false, &command->probe);
}

bool
script_read_expect_depth(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   (void)script;
   return read_pixel_probe(cursor, true, &command->probe);
}

bool
script_read_expect_rect(struct script_cursor *cursor,
                        const struct script *script,
                        struct script_command *command)
{
   struct script_probe *probe = &command->probe;

   (void)script;
   *probe = (struct script_probe){0};
   return read_place(cursor, &probe->x, &probe->y) &&
          script_read_number(cursor, 1, SCRIPT_MAX_SIZE, "a width",
                             &probe->width) &&
          script_read_number(cursor, 1, SCRIPT_MAX_SIZE, "a height",
                             &probe->height) &&
          read_probe_color(cursor, probe);
}

bool
script_read_expect_all(struct script_cursor *cursor,
                       const struct script *script,
                       struct script_command *command)
{
   (void)script;
   command->probe = (struct script_probe){0};
   return read_probe_color(cursor, &command->probe);
}

/* Pixels of a framebuffer that are compared with a colour. */
struct target {
   const struct tg_resource *resource;
   enum tg_format format;
   unsigned num_channels;
   uint32_t expected_words[4]; /* what the colour is in this format */
};

static struct target
find_target(const struct script_drawing *drawing,
            const struct script_probe *probe)
{
   struct target target = {
      .resource = probe->is_depth ? drawing->depth : drawing->color,
      .format = probe->is_depth ? TG_FORMAT_Z32_FLOAT : drawing->format,
      .num_channels = probe->is_depth ? 1 : 4,
   };
   union tg_color color;

   for (unsigned i = 0; i < 4; i++)
      color.f[i] = (float)probe->color[i];
   format_pack(target.format, color.u, target.expected_words);
   return target;
}

/* Without tolerance a pixel must be what the colour becomes when it is
 * written. */
static bool
pixel_matches(const struct target *target, const struct script_probe *probe,
              const uint32_t *words)
{
   if (!probe->has_tolerance)
      return memcmp(words, target->expected_words,
                    tg_format_get_block(target->format).bytes) == 0;

   union tg_color color;
   format_unpack(target->format, words, color.u);
   for (unsigned i = 0; i < target->num_channels; i++) {
      /* Written so that a NaN does not match. */
      if (!(fabs((double)color.f[i] - probe->color[i]) <= probe->tolerance))
         return false;
   }
   return true;
}

static enum tg_result
fail_pixel(struct script_runner *runner, const struct script_command *command,
           const struct target *target, const uint32_t *words, uint32_t x,
           uint32_t y, uint32_t num_wrong)
{
   union tg_color color;
   format_unpack(target->format, words, color.u);

   struct tg_strbuf message = {0};
   tg_strbuf_printf(&message, "pixel %u %u is", x, y);
   for (unsigned i = 0; i < target->num_channels; i++)
      tg_strbuf_printf(&message, " %.9g", (double)color.f[i]);
   if (num_wrong > 1)
      tg_strbuf_printf(&message, "; %u pixels are wrong in all", num_wrong);
   enum tg_result result = script_fail(
      runner, command, "%s", message.data ? message.data : "out of memory");
   tg_strbuf_finish(&message);
   return result;
}

static enum tg_result
expect_pixels(struct script_runner *runner,
              const struct script_command *command)
{
   const struct script_probe *probe = &command->probe;
   const struct script_drawing *drawing = &runner->drawing;

   if (!drawing->color)
      return script_fail(runner, command, "nothing was drawn before");
   uint32_t width = probe->width ? probe->width : drawing->width;
   uint32_t height = probe->height ? probe->height : drawing->height;
   if (probe->x + width > drawing->width || probe->y + height > drawing->height)
      return script_fail(runner, command, "the picture is %u by %u pixels",
                         drawing->width, drawing->height);

   enum tg_result result =
      script_touch_pixels(runner, command, (uint64_t)width * height);
   if (result != TG_OK)
      return result;

   const struct target target = find_target(drawing, probe);
   const uint32_t *wrong = NULL;
   uint32_t num_wrong = 0, wrong_x = 0, wrong_y = 0;
   for (uint32_t y = probe->y; y < probe->y + height; y++) {
      for (uint32_t x = probe->x; x < probe->x + width; x++) {
         const uint32_t *words = resource_texel(target.resource, 0, 0, x, y, 0);

         if (pixel_matches(&target, probe, words) || num_wrong++)
            continue;
         wrong = words;
         wrong_x = x;
         wrong_y = y;
      }
   }
   return wrong ? fail_pixel(runner, command, &target, wrong, wrong_x, wrong_y,
                             num_wrong)
                : TG_OK;
}

enum tg_result
script_do_expect_pixel(struct script_runner *runner,
                       const struct script_command *command)
{
   return expect_pixels(runner, command);
}

enum tg_result
script_do_expect_depth(struct script_runner *runner,
                       const struct script_command *command)
{
   return expect_pixels(runner, command);
}

enum tg_result
script_do_expect_rect(struct script_runner *runner,
                      const struct script_command *command)
{
   return expect_pixels(runner, command);
}

enum tg_result
script_do_expect_all(struct script_runner *runner,
                     const struct script_command *command)
{
   return expect_pixels(runner, command);
}
