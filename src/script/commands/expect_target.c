/* SPDX-License-Identifier: MIT
 *
 * Expectations of pixels of the framebuffer.
 */
#include <math.h>
#include <string.h>

#include "format/format.h"
#include "script/commands/commands.h"

enum { MAX_TEXEL_SIZE = 32 /* bytes: four channels of 64 bits */ };

/* ---- reading ------------------------------------------------------------- */

/* target N, depth, stencil, or nothing: the first target */
static bool
read_target(struct script_cursor *cursor, struct script_probe *probe)
{
   if (cursor_accept_words(cursor, "target"))
      return cursor_read_number(cursor, 0, TG_MAX_COLOR_BUFFERS - 1,
                                "a colour target", &probe->target);
   if (cursor_accept_words(cursor, "depth"))
      probe->target = SCRIPT_DEPTH;
   else if (cursor_accept_words(cursor, "stencil"))
      probe->target = SCRIPT_STENCIL;
   return true;
}

/* [layer L] [sample S] */
static bool
read_slice(struct script_cursor *cursor, struct script_probe *probe)
{
   if (cursor_accept_words(cursor, "layer") &&
       !cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1, "a layer",
                           &probe->layer))
      return false;
   return !cursor_accept_words(cursor, "sample") ||
          cursor_read_number(cursor, 0, TG_MAX_TEXTURE_SAMPLES - 1, "a sample",
                             &probe->sample);
}

/* FILE */
static bool
read_picture(struct script_cursor *cursor, struct script_probe *probe)
{
   if (probe->target >= SCRIPT_DEPTH)
      return cursor_complain(cursor, "only colours have a picture");
   if (probe->layer == SCRIPT_AS_IS)
      probe->layer = 0;
   return script_texture_read_path(cursor, &probe->path);
}

/* pixel X Y, rect X Y W H, all; of depth and stencil X Y alone is a pixel. */
static bool
read_area(struct script_cursor *cursor, struct script_probe *probe)
{
   const bool is_rect = cursor_accept_words(cursor, "rect");

   if (!is_rect && cursor_accept_words(cursor, "all"))
      return true;
   if (!is_rect && !cursor_accept_words(cursor, "pixel") &&
       probe->target < SCRIPT_DEPTH)
      return cursor_complain(cursor,
                             "expected one of pixel, rect, all, picture");
   probe->width = probe->height = 1;
   return cursor_read_number(cursor, 0, TG_MAX_FRAMEBUFFER_SIZE - 1, "a column",
                             &probe->x) &&
          cursor_read_number(cursor, 0, TG_MAX_FRAMEBUFFER_SIZE - 1, "a row",
                             &probe->y) &&
          (!is_rect || (cursor_read_number(cursor, 1, TG_MAX_FRAMEBUFFER_SIZE,
                                           "a width", &probe->width) &&
                        cursor_read_number(cursor, 1, TG_MAX_FRAMEBUFFER_SIZE,
                                           "a height", &probe->height)));
}

/* rgba R G B A, or a depth or stencil */
static bool
read_color(struct script_cursor *cursor, struct script_probe *probe)
{
   const unsigned count = probe->target < SCRIPT_DEPTH ? 4 : 1;

   if (count == 4 && !cursor_accept_words(cursor, "rgba"))
      return cursor_complain(cursor, "expected rgba");
   return script_read_double_values(cursor, count, probe->color);
}

/* [within T] */
static bool
read_distance(struct script_cursor *cursor, struct script_probe *probe)
{
   probe->has_tolerance = cursor_accept_words(cursor, "within");
   return !probe->has_tolerance ||
          script_read_double_value(cursor, "a distance", &probe->tolerance);
}

bool
script_read_expect_target(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_probe *probe = &command->probe;

   *probe = (struct script_probe){
      .layer = SCRIPT_AS_IS,
      .sample = SCRIPT_AS_IS,
   };
   /* The words that chose the command say what is looked at. */
   cursor->at = script->source.text + command->position.offset;
   cursor_accept_words(cursor, "expect");
   if (!read_target(cursor, probe) || !read_slice(cursor, probe))
      return false;
   const bool good = cursor_accept_words(cursor, "picture")
                        ? read_picture(cursor, probe)
                        : read_area(cursor, probe) && read_color(cursor, probe);

   return good && read_distance(cursor, probe);
}

/* ---- comparing ----------------------------------------------------------- */

/* Pixels that are compared, a row at a time. */
struct pixels {
   struct script_runner *runner;
   const struct script_probe *probe;
   struct tg_surface surface;
   enum tg_format format;
   uint32_t texel_size;
   unsigned num_channels;
   uint8_t expected[MAX_TEXEL_SIZE]; /* what the colour is in this format */
   uint8_t *row;
   struct tg_box box; /* of the pixels; z from the surface's first layer */
   uint32_t first_sample, end_sample;
   uint64_t num_wrong;
   double wrong[4];
   uint32_t wrong_x, wrong_y, wrong_layer, wrong_sample;
};

static double
channel_of(enum format_class class, uint32_t word)
{
   float value;

   switch (class) {
   case FORMAT_CLASS_SINT: return (int32_t)word;
   case FORMAT_CLASS_UINT: return word;
   case FORMAT_CLASS_FLOAT: break;
   }
   memcpy(&value, &word, sizeof(value));
   return value;
}

static void
unpack(const struct pixels *pixels, const uint8_t *texel, double color[4])
{
   uint32_t words[4];

   if (pixels->probe->target == SCRIPT_STENCIL) {
      color[0] = format_unpack_stencil(pixels->format, texel);
      return;
   }
   format_unpack(pixels->format, texel, words);
   for (unsigned i = 0; i < 4; i++)
      color[i] = channel_of(
         (enum format_class)format_info(pixels->format)->class, words[i]);
}

uint32_t
script_expect_target_color_word(uint32_t format, double value)
{
   const float number = (float)value;
   uint32_t word;

   switch ((enum format_class)format_info((enum tg_format)format)->class) {
   case FORMAT_CLASS_SINT:
      return (uint32_t)(int32_t)fmax(fmin(value, INT32_MAX), INT32_MIN);
   case FORMAT_CLASS_UINT: return (uint32_t)fmax(fmin(value, UINT32_MAX), 0);
   case FORMAT_CLASS_FLOAT: break;
   }
   memcpy(&word, &number, sizeof(word));
   return word;
}

/* What the expected colour reads as when it has been written. */
static void
round_color(const struct pixels *pixels, double color[4])
{
   uint8_t texel[MAX_TEXEL_SIZE] = {0};
   uint32_t words[4] = {0};

   if (pixels->probe->target == SCRIPT_STENCIL) {
      color[0] = pixels->probe->color[0];
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      words[i] = script_expect_target_color_word(pixels->format,
                                                 pixels->probe->color[i]);
   format_pack(pixels->format, words, texel);
   unpack(pixels, texel, color);
}

/* Without tolerance a pixel must be what the colour becomes when it is
 * written; a NaN matches none but itself. */
static bool
matches(const struct pixels *pixels, const double *expected,
        const double *color)
{
   for (unsigned i = 0; i < pixels->num_channels; i++) {
      const double tolerance = pixels->probe->tolerance;
      const bool same =
         pixels->probe->has_tolerance
            ? fabs(color[i] - pixels->probe->color[i]) <= tolerance
            : color[i] == expected[i] &&
                 signbit(color[i]) == signbit(expected[i]);

      if (!same && !(isnan(color[i]) && isnan(pixels->probe->color[i])))
         return false;
   }
   return true;
}

static enum tg_result
compare_row(struct pixels *pixels, uint32_t y, uint32_t layer, uint32_t sample)
{
   const struct tg_box box = {
      .x = pixels->box.x,
      .y = y,
      .z = pixels->surface.first_layer + layer,
      .width = pixels->box.width,
      .height = 1,
      .depth = 1,
   };
   double expected[4] = {0}, color[4] = {0};
   enum tg_result result =
      script_drawing_read(pixels->runner, pixels->surface.resource,
                          pixels->surface.level, sample, &box, pixels->row);

   round_color(pixels, expected);
   for (uint32_t x = 0; x < box.width && result == TG_OK; x++) {
      unpack(pixels, pixels->row + (size_t)x * pixels->texel_size, color);
      if (matches(pixels, expected, color) || pixels->num_wrong++)
         continue;
      memcpy(pixels->wrong, color, sizeof(color));
      pixels->wrong_x = box.x + x;
      pixels->wrong_y = y;
      pixels->wrong_layer = layer;
      pixels->wrong_sample = sample;
   }
   return result;
}

static enum tg_result
pay_for_row(struct pixels *pixels)
{
   const uint64_t cost = (uint64_t)pixels->box.width * SCRIPT_TEXEL_WORK;

   return tg_work_pay(&pixels->runner->work, cost) ? TG_OK : TG_ERROR_LIMIT;
}

static enum tg_result
compare(struct pixels *pixels)
{
   const struct tg_box *box = &pixels->box;
   enum tg_result result = TG_OK;

   for (uint32_t layer = box->z; layer < box->z + box->depth; layer++) {
      for (uint32_t s = pixels->first_sample; s < pixels->end_sample; s++) {
         for (uint32_t y = box->y; y < box->y + box->height; y++) {
            if (result == TG_OK)
               result = pay_for_row(pixels);
            if (result == TG_OK)
               result = compare_row(pixels, y, layer, s);
         }
      }
   }
   return result;
}

static enum tg_result
fail_pixel(const struct pixels *pixels, const struct script_command *command)
{
   struct tg_strbuf message = {.allocator = pixels->runner->allocator};

   tg_strbuf_printf(&message, "pixel %u %u", pixels->wrong_x, pixels->wrong_y);
   if (pixels->box.depth > 1 || pixels->box.z)
      tg_strbuf_printf(&message, " of layer %u", pixels->wrong_layer);
   if (pixels->end_sample > 1)
      tg_strbuf_printf(&message, " sample %u", pixels->wrong_sample);
   tg_strbuf_add(&message, " is");
   for (unsigned i = 0; i < pixels->num_channels; i++)
      tg_strbuf_printf(&message, " %.9g", pixels->wrong[i]);
   if (pixels->num_wrong > 1)
      tg_strbuf_printf(&message, "; %llu pixels are wrong in all",
                       (unsigned long long)pixels->num_wrong);
   enum tg_result result =
      script_fail(pixels->runner, command, "%s",
                  message.data ? message.data : "out of memory");
   tg_strbuf_finish(&message);
   return result;
}

/* ---- expect -------------------------------------------------------------- */

/* The pixels of a probe; false after a complaint when they are not there. */
static bool
find_pixels(const struct script_command *command, struct pixels *pixels)
{
   const struct script_probe *probe = pixels->probe;
   const struct script_state *state = &pixels->runner->drawing.state;
   const struct tg_surface *surface = &pixels->surface;
   const uint32_t num_layers = surface->last_layer - surface->first_layer + 1;
   const uint32_t num_samples =
      tg_resource_get_desc(surface->resource)->samples;
   const uint32_t width = probe->width ? probe->width : state->width;
   const uint32_t height = probe->height ? probe->height : state->height;

   if (probe->x + width > state->width || probe->y + height > state->height) {
      script_fail(pixels->runner, command, "the picture is %u by %u pixels",
                  state->width, state->height);
      return false;
   }
   const bool is_layer = probe->layer != SCRIPT_AS_IS;
   const bool is_sample = probe->sample != SCRIPT_AS_IS;
   if ((is_layer && probe->layer >= num_layers) ||
       (is_sample && probe->sample >= num_samples)) {
      script_fail(pixels->runner, command,
                  "the target has %u layers and %u samples", num_layers,
                  num_samples);
      return false;
   }
   pixels->box = (struct tg_box){
      .x = probe->x,
      .y = probe->y,
      .z = is_layer ? probe->layer : 0,
      .width = width,
      .height = height,
      .depth = is_layer ? 1 : num_layers,
   };
   pixels->first_sample = is_sample ? probe->sample : 0;
   pixels->end_sample = is_sample ? probe->sample + 1 : num_samples;
   return true;
}

/* Compares with a row of memory to read pixels into. */
static enum tg_result
compare_with_row(struct pixels *pixels, const struct script_command *command)
{
   const struct tg_allocator *allocator = pixels->runner->allocator;
   const size_t size = (size_t)pixels->box.width * pixels->texel_size;

   pixels->row = allocator->resize(allocator->user, NULL, 0, size);
   if (!pixels->row)
      return TG_ERROR_MEMORY;
   enum tg_result result = compare(pixels);
   allocator->resize(allocator->user, pixels->row, size, 0);
   if (tg_work_has_ended(&pixels->runner->work))
      return TG_ERROR_LIMIT;
   if (result != TG_OK)
      return script_drawing_result(pixels->runner, command, result,
                                   "the pixels cannot be read");
   return pixels->num_wrong ? fail_pixel(pixels, command) : TG_OK;
}

enum tg_result
script_do_expect_target(struct script_runner *runner,
                        const struct script_command *command)
{
   const struct script_probe *probe = &command->probe;
   const unsigned attachment =
      probe->target == SCRIPT_STENCIL ? SCRIPT_DEPTH : probe->target;
   struct pixels pixels = {.runner = runner, .probe = probe};

   if (!runner->drawing.gpu)
      return script_fail(runner, command, "nothing was drawn before");
   enum tg_result result = script_drawing_begin(runner, command);
   if (result != TG_OK)
      return result;

   pixels.surface = script_drawing_surface(runner, attachment);
   if (!pixels.surface.resource)
      return script_fail(runner, command, "there is no such target");
   pixels.format = (enum tg_format)(
      pixels.surface.format
         ? pixels.surface.format
         : tg_resource_get_desc(pixels.surface.resource)->format);
   pixels.texel_size = tg_format_get_block(pixels.format).bytes;
   pixels.num_channels = probe->target < SCRIPT_DEPTH ? 4 : 1;
   if (probe->target == SCRIPT_STENCIL && !format_has_stencil(pixels.format))
      return script_fail(runner, command, "the format has no stencil");
   if (!find_pixels(command, &pixels))
      return TG_ERROR_INPUT;
   const struct tg_box *box = &pixels.box;
   result = script_runner_touch_pixels(
      runner, command,
      (uint64_t)box->width * box->height * box->depth *
         (pixels.end_sample - pixels.first_sample));
   if (result != TG_OK || !probe->path.length)
      return result == TG_OK ? compare_with_row(&pixels, command) : result;
   pixels.surface.first_layer += probe->layer;
   return script_expect_picture(runner, command, &pixels.surface);
}
