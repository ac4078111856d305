/* SPDX-License-Identifier: MIT */
#include "lookup.h"
#include "../bind.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../desc.h"

/* ---- textures ------------------------------------------------------------ */

enum { SIZE = 4, LAST_LEVEL = 2, MAX_SLICES = 12 };

/* A texture of each target; the names are those of the view's declaration. */
static const struct kind {
   enum tg_texture_target target;
   const char *name;
   uint8_t height, depth, layers, last_level, samples;
} kinds[] = {
   {TG_TEXTURE_BUFFER, "BUFFER", 1, 1, 1, 0, 1},
   {TG_TEXTURE_1D, "1D", 1, 1, 1, LAST_LEVEL, 1},
   {TG_TEXTURE_2D, "2D", SIZE, 1, 1, LAST_LEVEL, 1},
   {TG_TEXTURE_3D, "3D", SIZE, SIZE, 1, LAST_LEVEL, 1},
   {TG_TEXTURE_CUBE, "CUBE", SIZE, 1, 6, LAST_LEVEL, 1},
   {TG_TEXTURE_RECT, "RECT", SIZE, 1, 1, 0, 1},
   {TG_TEXTURE_1D_ARRAY, "1D_ARRAY", 1, 1, 3, LAST_LEVEL, 1},
   {TG_TEXTURE_2D_ARRAY, "2D_ARRAY", SIZE, 1, 3, LAST_LEVEL, 1},
   {TG_TEXTURE_CUBE_ARRAY, "CUBEARRAY", SIZE, 1, 12, LAST_LEVEL, 1},
   {TG_TEXTURE_2D, "2D_MSAA", SIZE, 1, 1, 0, 4},
   {TG_TEXTURE_2D_ARRAY, "2D_ARRAY_MSAA", SIZE, 1, 3, 0, 4},
};

static const struct kind *
find_kind(const char *name)
{
   for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      if (strcmp(kinds[i].name, name) == 0)
         return &kinds[i];
   }
   fail_msg("no texture %s", name);
   return NULL;
}

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static void
fill_level(struct tg_resource *texture, uint32_t level, uint32_t sample,
           float scale)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(texture);
   const uint32_t width = minify(desc->width, level);
   const uint32_t height = minify(desc->height, level);
   const uint32_t slices = minify(desc->depth, level) * desc->layers;
   float texels[MAX_SLICES * SIZE * SIZE];
   float *texel = texels;

   for (uint32_t z = 0; z < slices; z++) {
      for (uint32_t y = 0; y < height; y++) {
         for (uint32_t x = 0; x < width; x++)
            *texel++ =
               (float)(1000 * level + 100 * z + 10 * y + x + 10000 * sample) *
               scale;
      }
   }
   const struct tg_box box = {0, 0, 0, width, height, slices};
   assert_int_equal(
      tg_resource_write(texture, level, sample, &box, texels, 0, 0), TG_OK);
}

/* Two texels of a format, side by side. */
static struct tg_resource *
make_pair(enum tg_format format, const void *texels)
{
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, format, 2, 1, 1, 1, 0, 1);
   const struct tg_box box = {0, 0, 0, 2, 1, 1};
   struct tg_resource *texture = NULL;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &texture), TG_OK);
   assert_int_equal(tg_resource_write(texture, 0, 0, &box, texels, 0, 0),
                    TG_OK);
   return texture;
}

static struct tg_resource *
make_texture(const struct kind *kind, bool is_depth)
{
   const bool is_buffer = kind->target == TG_TEXTURE_BUFFER;
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = kind->target,
      .format = is_depth ? TG_FORMAT_Z32_FLOAT : TG_FORMAT_R32_FLOAT,
      .width = is_buffer ? 12 * sizeof(float) : SIZE,
      .height = kind->height,
      .depth = kind->depth,
      .layers = kind->layers,
      .last_level = kind->last_level,
      .samples = kind->samples,
   };
   struct tg_resource *texture = NULL;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &texture), TG_OK);
   if (is_buffer) {
      float *texels = tg_resource_map_buffer(texture);
      for (unsigned i = 0; i < 12; i++)
         texels[i] = (float)i;
      return texture;
   }
   for (uint32_t level = 0; level <= desc.last_level; level++) {
      for (uint32_t sample = 0; sample < kind->samples; sample++)
         fill_level(texture, level, sample, is_depth ? 1.0f / 64 : 1.0f);
   }
   return texture;
}

static char shader_text[4096];

static void
write_shader(const struct lookup *lookup)
{
   const char *stage = lookup->is_vertex ? "VERT" : "FRAG";
   const char *interpolation = lookup->is_vertex ? "" : ", PERSPECTIVE";
   int length = snprintf(shader_text, sizeof(shader_text), "%s\n", stage);

   for (unsigned i = 0; i < 5; i++)
      length += snprintf(shader_text + length, sizeof(shader_text) - length,
                         lookup->is_vertex ? "DCL IN[%u]\n"
                                           : "DCL IN[%u], GENERIC[%u]%s\n",
                         i, i, interpolation);
   if (lookup->declarations)
      length += snprintf(shader_text + length, sizeof(shader_text) - length,
                         "%s", lookup->declarations);
   else
      length +=
         snprintf(shader_text + length, sizeof(shader_text) - length,
                  "DCL SAMP[0]\nDCL SVIEW[0], %s, FLOAT\n", lookup->texture);
   snprintf(shader_text + length, sizeof(shader_text) - length,
            "DCL OUT[0], %s\n"
            "DCL TEMP[0..1]\n"
            "DCL ADDR[0]\n"
            "IMM[0] INT32 {0, 1, 2, 3}\n"
            "IMM[1] INT32 {-1, 1, -2, 2}\n"
            "IMM[2] FLT32 {21.0, -1000.0, -2.0, 0.0}\n"
            "IMM[3] INT32 {2147483647, -2147483648, 1000001, 0}\n"
            "  %s\n"
            "  END\n",
            lookup->is_vertex ? "POSITION" : "COLOR", lookup->instruction);
}

static uint32_t
input_word(const struct lookup *lookup, unsigned reg, unsigned c, unsigned lane)
{
   float value = lookup->in[reg][c];
   uint32_t word;

   if (reg == 0)
      value += (lane & 1 ? lookup->dx[c] : 0) + (lane & 2 ? lookup->dy[c] : 0);
   if (lookup->takes_integers)
      return (uint32_t)(int32_t)value;
   memcpy(&word, &value, sizeof(word));
   return word;
}

static void
give_inputs(const struct lookup *lookup, struct tg_run *run)
{
   for (unsigned reg = 0; reg < 5; reg++) {
      for (int lane = 0; lane < TG_MAX_LANES; lane++) {
         uint32_t words[4];
         for (unsigned c = 0; c < 4; c++)
            words[c] = input_word(lookup, reg, c, (unsigned)lane);
         assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 0, reg, lane, words),
                          TG_OK);
      }
   }
}

/* Texels are small integers and weights of few bits: results are exact, but for
 * the logarithm and what follows from it. */
static void
expect(const struct lookup *lookup, const struct tg_run *run, float tolerance)
{
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      uint32_t words[4];
      assert_int_equal(tg_run_get_output(run, 0, 0, lane, words), TG_OK);
      for (unsigned c = 0; c < 4; c++) {
         float value;
         memcpy(&value, &words[c], sizeof(value));
         if (lookup->gives_integers)
            value = (float)(int32_t)words[c];
         if (!(fabsf(value - lookup->expected[c]) <= tolerance))
            fail_msg("%s of %s at %g %g %g %g: lane %u has %g in %c, expected "
                     "%g\n%s",
                     lookup->instruction,
                     lookup->texture ? lookup->texture : "nothing",
                     lookup->in[0][0], lookup->in[0][1], lookup->in[0][2],
                     lookup->in[0][3], lane, value, "xyzw"[c],
                     lookup -> expected[c], shader_text);
      }
   }
}

static void
bind_texture(const struct lookup *lookup, struct tg_bindings *bindings,
             struct tg_resource *texture)
{
   struct tg_view_desc view = tg_view_desc_of(texture);
   struct tg_sampler_desc sampler = lookup->sampler;

   sampler.size = sizeof(sampler);
   view.first_level = lookup->first_level;
   if (lookup->swizzle)
      memcpy(view.swizzle, lookup->swizzle, sizeof(view.swizzle));
   if (tg_resource_get_desc(texture)->target == TG_TEXTURE_BUFFER)
      view.format = TG_FORMAT_R32_FLOAT;
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_int_equal(bind_sampler(bindings, 0, &sampler, NULL), TG_OK);
}

static void
check_program(const struct lookup *lookup, bool is_optimized, float tolerance)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_resource *texture = NULL;
   struct tg_bindings *bindings = NULL;
   struct tg_program *program = NULL;
   struct tg_shader *shader = NULL;
   struct tg_run *run = NULL;

   options.optimize = is_optimized;
   write_shader(lookup);
   enum tg_result result =
      tg_shader_parse(NULL, "test", shader_text, strlen(shader_text),
                      lookup->is_2011 ? TG_DIALECT_2011 : TG_DIALECT_2019,
                      diagnostics, &shader);
   if (result == TG_OK)
      result = tg_program_create(NULL, shader, &options, diagnostics, &program);
   if (result != TG_OK)
      fail_msg("%s%s", shader_text, tg_diagnostics_text(diagnostics));
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   if (lookup->texture) {
      texture = lookup->texels
                   ? make_pair(lookup->format, lookup->texels)
                   : make_texture(find_kind(lookup->texture), lookup->is_depth);
      bind_texture(lookup, bindings, texture);
   }
   assert_int_equal(tg_run_create(program, TG_MAX_LANES, &run), TG_OK);
   tg_run_set_bindings(run, bindings);
   give_inputs(lookup, run);
   assert_int_equal(tg_run_execute(run, diagnostics), TG_OK);
   expect(lookup, run, tolerance);

   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(texture);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

void
lookup_check(const struct lookup *lookup, float tolerance)
{
   check_program(lookup, false, tolerance);
   check_program(lookup, true, tolerance);
}
