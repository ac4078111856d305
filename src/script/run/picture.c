/* SPDX-License-Identifier: MIT
 *
 * Read-back of a target as a picture: a layer of it, eight bits a channel.
 * Samples become their mean.
 */
#include <string.h>

#include "format/format.h"
#include "script/run/runner.h"
#include "script/script.h"
#include "util/block.h"

enum { MAX_TEXEL_SIZE = 32 };

/* Units of work of a pixel that is looked at, besides those of its samples. */
enum { PIXEL_WORK = 32, SAMPLE_WORK = 16 };

static enum tg_result
complain(const struct script_runner *runner, uint32_t line, const char *text)
{
   const struct tg_source source = {.name = runner->script->source.name};

   tg_diagnose(runner->diagnostics, TG_SEVERITY_ERROR, "test-failed", &source,
               (struct tg_position){.line = line, .column = 1}, NULL, "%s",
               text);
   return TG_ERROR_INPUT;
}

/* A row of samples, one after the other, is read into `row`. */
struct samples {
   const struct tg_surface *surface; /* its first layer */
   enum tg_format format;
   uint32_t first, count;
   uint8_t *row;
};

/* Adds a texel to a colour; integers are shown as so many 255ths. */
static void
add_texel(enum tg_format format, const uint8_t *texel, double color[4])
{
   const unsigned class = format_info(format)->class;
   union tg_color value;

   format_unpack(format, texel, value.u);
   for (unsigned i = 0; i < 4; i++) {
      if (class == FORMAT_CLASS_FLOAT)
         color[i] += (double)value.f[i];
      else
         color[i] += (value.u[i] & 255) / 255.0;
   }
}

/* sRGB texels stay encoded. */
static void
pack_pixel(const struct format_info *info, const double color[4],
           unsigned num_samples, uint8_t rgba[4])
{
   const bool is_srgb = info->colorspace == FORMAT_COLORSPACE_SRGB;
   union tg_color mean;
   uint32_t pixel = 0;

   for (unsigned i = 0; i < 4; i++)
      mean.f[i] = (float)(color[i] / num_samples);
   format_pack(is_srgb ? TG_FORMAT_R8G8B8A8_SRGB : TG_FORMAT_R8G8B8A8_UNORM,
               mean.u, &pixel);
   for (unsigned i = 0; i < 4; i++)
      rgba[i] = (uint8_t)(pixel >> i * 8);
}

static enum tg_result
copy_row(struct script_runner *runner, const struct samples *samples,
         uint32_t y, uint8_t *rgba)
{
   const uint32_t width = runner->drawing.state.width;
   const struct tg_surface *surface = samples->surface;
   const uint32_t texel_size = tg_format_get_block(samples->format).bytes;
   const size_t row_size = (size_t)width * texel_size;
   const struct tg_box box = {
      .y = y,
      .z = surface->first_layer,
      .width = width,
      .height = 1,
      .depth = 1,
   };

   if (!tg_work_pay(&runner->work,
                    (uint64_t)width *
                       (PIXEL_WORK + SAMPLE_WORK * samples->count)))
      return TG_ERROR_LIMIT;
   for (uint32_t s = 0; s < samples->count; s++) {
      enum tg_result result = script_drawing_read(
         runner, surface->resource, surface->level, samples->first + s, &box,
         samples->row + s * row_size);
      if (result != TG_OK)
         return result;
   }
   for (uint32_t x = 0; x < width; x++) {
      double color[4] = {0};

      for (uint32_t s = 0; s < samples->count; s++)
         add_texel(samples->format,
                   samples->row + s * row_size + (size_t)x * texel_size, color);
      pack_pixel(format_info(samples->format), color, samples->count,
                 rgba + (size_t)x * 4);
   }
   return TG_OK;
}

enum tg_result
script_picture_copy(struct script_runner *runner,
                    const struct tg_allocator *allocator,
                    const struct tg_surface *surface, uint32_t sample,
                    struct script_picture *picture_out)
{
   const struct script_state *state = &runner->drawing.state;
   const struct tg_resource_desc *desc =
      tg_resource_get_desc(surface->resource);
   const size_t row_size =
      (size_t)state->width * MAX_TEXEL_SIZE * TG_MAX_TEXTURE_SAMPLES;
   const struct tg_allocator *own = runner->allocator;
   uint8_t *rgba = tg_block_resize(allocator, NULL,
                                   (size_t)state->width * state->height * 4);
   const struct samples samples = {
      .surface = surface,
      .format =
         (enum tg_format)(surface->format ? surface->format : desc->format),
      .first = sample == SCRIPT_AS_IS ? 0 : sample,
      .count = sample == SCRIPT_AS_IS ? desc->samples : 1,
      .row = own->resize(own->user, NULL, 0, row_size),
   };
   enum tg_result result = rgba && samples.row ? TG_OK : TG_ERROR_MEMORY;

   for (uint32_t y = 0; y < state->height && result == TG_OK; y++)
      result =
         copy_row(runner, &samples, y, rgba + (size_t)y * state->width * 4);
   if (samples.row)
      own->resize(own->user, samples.row, row_size, 0);
   if (result != TG_OK) {
      tg_block_free(rgba);
      return result;
   }
   *picture_out = (struct script_picture){
      .width = state->width,
      .height = state->height,
      .rgba = rgba,
   };
   return TG_OK;
}

bool
script_has_picture(const struct script_runner *runner)
{
   return runner->drawing.gpu && runner->drawing.has_framebuffer;
}

enum tg_result
script_picture_of_test(struct script_runner *runner, uint32_t line,
                       struct script_picture *picture_out)
{
   if (!script_has_picture(runner))
      return complain(runner, line, "the test draws nothing");
   const struct tg_surface surface = script_drawing_surface(runner, 0);

   return surface.resource
             ? script_picture_copy(runner, runner->quota.below, &surface,
                                   SCRIPT_AS_IS, picture_out)
             : complain(runner, line, "the test has no colours");
}
