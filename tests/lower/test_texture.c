/* SPDX-License-Identifier: MIT
 *
 * Texture opcodes, each with values that were worked out by hand. The textures
 * are such that this is easy: texel (x, y) of slice z of level l, sample s, is
 *
 *    red    1000 l + 100 z + 10 y + x (+ 10000 s)
 *
 * in R32_FLOAT, so that linear filtering inside of a slice gives the same
 * expression of what lies between. Level 0 is 4 wide and high (4 slices of a
 * volume, 3 layers of an array, 2 cubes of a cube array, 12 texels of a
 * buffer), and there are three levels. Depths are red / 64.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../sweep.h"
#include "lower/lower.h"
#include "tgsi/tables.h"
#include "tungsten/run.h"

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
   const struct tg_resource_desc desc = {
      TG_TEXTURE_2D, format, 2, 1, 1, 1, 0, 1};
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

/* ---- cases --------------------------------------------------------------- */

/* One instruction that writes OUT[0], in all lanes alike unless `dx` or `dy`
 * say what IN[0] gains from one lane of a quad to the next. */
struct lookup {
   const char *instruction;
   const char *texture;       /* name of a kind; NULL: nothing is bound */
   struct tg_sampler sampler; /* all zero: nearest, repeating, level 0 */
   float in[5][4];
   float expected[4];
   float dx[4], dy[4];
   bool takes_integers, gives_integers;
   bool is_depth;
   bool is_vertex;           /* no quads */
   bool is_2011;             /* the dialect */
   uint32_t first_level;     /* of the view */
   const char *declarations; /* instead of those of SAMP and SVIEW */
   enum tg_format format;    /* not NONE: two texels, which are `texels` */
   const void *texels;
   const uint8_t *swizzle; /* of the view; NULL: as it is */
};

enum { X, Y, Z, W };

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
   struct tg_view view = tg_view_of(texture);

   view.first_level = lookup->first_level;
   if (lookup->swizzle)
      memcpy(view.swizzle, lookup->swizzle, sizeof(view.swizzle));
   if (tg_resource_get_desc(texture)->target == TG_TEXTURE_BUFFER)
      view.format = TG_FORMAT_R32_FLOAT;
   assert_int_equal(tg_bindings_set_view(bindings, 0, &view, NULL), TG_OK);
   assert_int_equal(
      tg_bindings_set_sampler(bindings, 0, &lookup->sampler, NULL), TG_OK);
}

static void
check(const struct lookup *lookup, float tolerance)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_resource *texture = NULL;
   struct tg_bindings *bindings = NULL;
   struct tg_program *program = NULL;
   struct tg_shader *shader = NULL;
   struct tg_run *run = NULL;

   write_shader(lookup);
   enum tg_result result =
      tg_shader_parse(NULL, "test", shader_text, strlen(shader_text),
                      lookup->is_2011 ? TG_DIALECT_2011 : TG_DIALECT_2019,
                      diagnostics, &shader);
   if (result == TG_OK)
      result = tg_program_create(NULL, shader, NULL, diagnostics, &program);
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

#define CHECK(lookups, tolerance)                                              \
   for (size_t i = 0; i < sizeof(lookups) / sizeof((lookups)[0]); i++)         \
   check(&(lookups)[i], tolerance)

#define NEAREST                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_NONE, .max_lod = 100                                \
   }
#define LINEAR                                                                 \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_NONE, .wrap = {EDGE, EDGE, EDGE}, .max_lod = 100,   \
      .seamless_cube = true                                                    \
   }
#define MIPMAPPED                                                              \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .max_lod = 100                             \
   }
#define TRILINEAR                                                              \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_LINEAR, .max_lod = 100                              \
   }
#define EDGE TG_WRAP_CLAMP_TO_EDGE

/* ---- each target --------------------------------------------------------- */

/* (0.3, 0.6) is in texel (1, 2); (0.5, 0.5) is between texels 1 and 2. */
static void
test_targets(void **state)
{
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 1D",
       "1D",
       NEAREST,
       {{0.3f, 9}},
       {1, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D",
       "3D",
       NEAREST,
       {{0.3f, 0.6f, 0.9f}},
       {321, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], RECT",
       "RECT",
       NEAREST,
       {{1.5f, 2.9f}},
       {21, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 1D_ARRAY",
       "1D_ARRAY",
       NEAREST,
       {{0.3f, 1.6f}},
       {201, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       NEAREST,
       {{0.3f, 0.6f, 0.5f}},
       {121, 0, 0, 1}},
      /* Layers are held to those that there are. */
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       NEAREST,
       {{0.3f, 0.6f, 7}},
       {221, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       NEAREST,
       {{0.3f, 0.6f, -7}},
       {21, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       NEAREST,
       {{0.3f, 0.6f, NAN}},
       {21, 0, 0, 1}},
      /* Faces: s = (sc / ma + 1) / 2. */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{2, 0.4f, 1.6f}},
       {10, 0, 0, 1}}, /* +x: sc = -z: s = 0.1, tc = -y: t = 0.4 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{-2, 0.4f, 1.6f}},
       {113, 0, 0, 1}}, /* -x: sc = z: s = 0.9 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{0.4f, 2, 1.6f}},
       {232, 0, 0, 1}}, /* +y: s = 0.6, tc = z: t = 0.9 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{0.4f, -2, 1.6f}},
       {302, 0, 0, 1}}, /* -y: tc = -z: t = 0.1 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{0.4f, 1.6f, 2}},
       {402, 0, 0, 1}}, /* +z: s = 0.6, tc = -y: t = 0.1 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{0.4f, 1.6f, -2}},
       {501, 0, 0, 1}}, /* -z: sc = -x: s = 0.4 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBEARRAY",
       "CUBEARRAY",
       NEAREST,
       {{0.4f, 1.6f, -2, 1}},
       {1101, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], CUBEARRAY",
       "CUBEARRAY",
       NEAREST,
       {{0.4f, 1.6f, -2, 0.4f}},
       {501, 0, 0, 1}},

      {"TEX OUT[0], IN[0], SAMP[0], 1D",
       "1D",
       LINEAR,
       {{0.5f}},
       {1.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       LINEAR,
       {{0.5f, 0.5f}},
       {16.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       LINEAR,
       {{0.4375f, 0.6875f}},
       {23.75f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D",
       "3D",
       LINEAR,
       {{0.5f, 0.5f, 0.5f}},
       {166.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], RECT",
       "RECT",
       LINEAR,
       {{2, 1}},
       {6.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 1D_ARRAY",
       "1D_ARRAY",
       LINEAR,
       {{0.5f, 1}},
       {101.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       LINEAR,
       {{0.5f, 0.5f, 2}},
       {216.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], CUBE",
       "CUBE",
       LINEAR,
       {{0, 0, 1}},
       {416.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], CUBEARRAY",
       "CUBEARRAY",
       LINEAR,
       {{0, 0, 1, 1}},
       {1016.5f, 0, 0, 1}},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- wrap modes ---------------------------------------------------------- */

/* A row of four texels 0 1 2 3 with a border of -8, at coordinates from before
 * it and behind it. */
static const struct wrap_row {
   uint8_t mode;
   float nearest[3]; /* in texels: at -1.2, 5.2 and 8.4 */
   float linear[3];  /* at -0.25, 4.25 and -1.75 */
} wrap_rows[] = {
   {TG_WRAP_REPEAT, {2, 1, 0}, {2.25f, 0.75f, 1.75f}},
   {TG_WRAP_CLAMP, {0, 3, 3}, {-4, -2.5f, -4}},
   {TG_WRAP_CLAMP_TO_EDGE, {0, 3, 3}, {0, 3, 0}},
   {TG_WRAP_CLAMP_TO_BORDER, {-8, -8, -8}, {-6, -5.25f, -8}},
   {TG_WRAP_MIRROR_REPEAT, {1, 2, 0}, {0, 3, 1.25f}},
   {TG_WRAP_MIRROR_CLAMP, {1, 3, 3}, {0, -2.5f, 1.25f}},
   {TG_WRAP_MIRROR_CLAMP_TO_EDGE, {1, 3, 3}, {0, 3, 1.25f}},
   {TG_WRAP_MIRROR_CLAMP_TO_BORDER, {1, -8, -8}, {0, -5.25f, 1.25f}},
};

static void
check_wrap(const struct wrap_row *row, bool is_linear, bool is_unnormalized,
           unsigned which)
{
   static const float nearest[3] = {-1.2f, 5.2f, 8.4f};
   static const float linear[3] = {-0.25f, 4.25f, -1.75f};
   const uint8_t filter = is_linear ? TG_FILTER_LINEAR : TG_FILTER_NEAREST;
   const float at = is_linear ? linear[which] : nearest[which];
   const struct lookup lookup = {
      .instruction = "TEX OUT[0], IN[0], SAMP[0], 1D",
      .texture = "1D",
      .sampler =
         {
            .wrap = {row->mode, row->mode, row->mode},
            .min_filter = filter,
            .mag_filter = filter,
            .mip_filter = TG_MIP_NONE,
            .unnormalized_coords = is_unnormalized,
            .border_color.f = {-8, 5, 6, 7},
         },
      .in = {{is_unnormalized ? at : at / 4}},
      .expected = {is_linear ? row->linear[which] : row->nearest[which], 0, 0,
                   1},
   };

   check(&lookup, 0);
}

static void
test_wrap_modes(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof(wrap_rows) / sizeof(wrap_rows[0]); i++) {
      for (unsigned which = 0; which < 3; which++) {
         for (unsigned how = 0; how < 4; how++)
            check_wrap(&wrap_rows[i], how & 1, how & 2, which);
      }
   }
}

/* Coordinates that are no numbers count as 0. */
static void
test_odd_coordinates(void **state)
{
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{NAN, 0.6f}},
       {20, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.3f, INFINITY}},
       {1, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       LINEAR,
       {{0.625f, -INFINITY}},
       {2, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       LINEAR,
       {{0.625f, 1e30f}},
       {32, 0, 0, 1}},
      {"TXP OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f, 0, 0}},
       {0, 0, 0, 1}},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- levels -------------------------------------------------------------- */

static void
test_levels(void **state)
{
#define TXL "TXL OUT[0], IN[0], SAMP[0], 2D"
#define BIASED                                                                 \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .lod_bias = 1, .max_lod = 100              \
   }
#define BETWEEN                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .min_lod = 1, .max_lod = 1.25f             \
   }
#define CROSSED                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_NEAREST, .min_lod = 2, .max_lod = 1                 \
   }
#define TWO_FILTERS                                                            \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mip_filter = TG_MIP_NONE,               \
      .max_lod = 100                                                           \
   }
#define BLENDED                                                                \
   {                                                                           \
      .mip_filter = TG_MIP_LINEAR, .max_lod = 100                              \
   }
   static const struct lookup lookups[] = {
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 0.4f}}, {0, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 0.6f}}, {1000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 1.5f}}, {1000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 1.6f}}, {2000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 9}}, {2000, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, -9}}, {0, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, NAN}}, {0, 0, 0, 1}},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, INFINITY}}, {2000, 0, 0, 1}},
      {TXL, "2D", NEAREST, {{0, 0, 0, 2}}, {0, 0, 0, 1}},
      {TXL, "2D", BIASED, {{0, 0, 0, 0.6f}}, {2000, 0, 0, 1}},
      {TXL, "2D", BETWEEN, {{0, 0, 0, 0}}, {1000, 0, 0, 1}},
      {TXL, "2D", BETWEEN, {{0, 0, 0, 9}}, {1000, 0, 0, 1}},
      {TXL, "2D", CROSSED, {{0, 0, 0, 0}}, {2000, 0, 0, 1}},
      {TXL, "2D", BLENDED, {{0, 0, 0, 0.5f}}, {500, 0, 0, 1}},
      {TXL, "2D", BLENDED, {{0, 0, 0, 1.25f}}, {1250, 0, 0, 1}},
      {TXL, "2D", BLENDED, {{0, 0, 0, 2}}, {2000, 0, 0, 1}},
      /* (0.5, 0.5): 16.5 of level 0, 1005.5 of level 1, which is 2 wide. */
      {TXL,
       "2D",
       TRILINEAR,
       {{0.5f, 0.5f, 0, 0.25f}},
       {0.75f * 16.5f + 0.25f * 1005.5f, 0, 0, 1}},
      /* Texels that are magnified have another filter. */
      {TXL, "2D", TWO_FILTERS, {{0.5f, 0.5f, 0, 0}}, {22, 0, 0, 1}},
      {TXL, "2D", TWO_FILTERS, {{0.5f, 0.5f, 0, 0.1f}}, {16.5f, 0, 0, 1}},
      /* A view's levels count from its first. */
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 0}}, {1000, 0, 0, 1}, .first_level = 1},
      {TXL, "2D", MIPMAPPED, {{0, 0, 0, 9}}, {2000, 0, 0, 1}, .first_level = 1},
      {"TEX_LZ OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, 2}},
       {0, 0, 0, 1},
       .dx = {1}},
      {"TEX_LZ OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       BIASED,
       {{0}},
       {1000, 0, 0, 1}},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* Steps of a whole texture lead to the same texel in each lane: 4 texels, which
 * is level 2. */
static void
test_derivatives(void **state)
{
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0}},
       {2000, 0, 0, 1},
       .dx = {1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0}},
       {2000, 0, 0, 1},
       .dy = {0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", MIPMAPPED, {{0}}, {0, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D",
       "3D",
       MIPMAPPED,
       {{0}},
       {2000, 0, 0, 1},
       .dy = {0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       MIPMAPPED,
       {{0, 0, 1}},
       {2100, 0, 0, 1},
       .dx = {-1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0}},
       {0, 0, 0, 1},
       .dx = {1},
       .is_vertex = true},
      {"TXB OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, -1}},
       {1000, 0, 0, 1},
       .dx = {1}},
      {"TXB OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, NAN}},
       {2000, 0, 0, 1},
       .dx = {1}},
      {"TXB OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, 1}},
       {1000, 0, 0, 1},
       .is_vertex = true},
      {"TXB2 OUT[0], IN[0], IN[1].xxxx, SAMP[0], CUBEARRAY",
       "CUBEARRAY",
       MIPMAPPED,
       {{1, 0.1f, 0.1f, 1}, {1}},
       {1600, 0, 0, 1},
       .is_vertex = true},
      {"TXL2 OUT[0], IN[0], IN[1].xxxx, SAMP[0], CUBEARRAY",
       "CUBEARRAY",
       MIPMAPPED,
       {{1, 0.1f, 0.1f, 1}, {2}},
       {2600, 0, 0, 1}},
      {"TXP OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.6f, 1.2f, 0, 2}},
       {21, 0, 0, 1}},
      {"TXP OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, 2}},
       {2000, 0, 0, 1},
       .dy = {0, 2}},
      {"TXP OUT[0], IN[0], SAMP[0], 1D_ARRAY",
       "1D_ARRAY",
       NEAREST,
       {{0.6f, 2, 0, 2}},
       {201, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0}, {0.5f}, {0, 0.25f}},
       {1000, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       MIPMAPPED,
       {{0, 0, 2}, {0}, {0, 1}},
       {2200, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], RECT",
       "RECT",
       MIPMAPPED,
       {{1.5f, 2.5f}, {4}, {0}},
       {21, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0}, {NAN}, {NAN}},
       {0, 0, 0, 1}},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D",
       "2D",
       MIPMAPPED,
       {{0}, {INFINITY}, {0}},
       {2000, 0, 0, 1}},
      /* On a face that is 4 wide, s goes from -1 to 1: z by 1 is 2 texels. */
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], CUBE",
       "CUBE",
       MIPMAPPED,
       {{1, 0.1f, 0.1f}, {0, 0, 1}, {0, 0.25f}},
       {1000, 0, 0, 1}},
      /* Along the direction itself nothing moves. */
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], CUBE",
       "CUBE",
       MIPMAPPED,
       {{1, 0.5f, 0.5f}, {8, 4, 4}, {0}},
       {11, 0, 0, 1}},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* The footprint is 4 texels by 1: four probes of level 0, at 0.2, 0.4, 0.6 and
 * 0.8 of a texture's width around 0.625. */
static void
test_anisotropy(void **state)
{
#define ANISOTROPIC(n)                                                         \
   {                                                                           \
      .wrap = {EDGE, EDGE, EDGE}, .min_filter = TG_FILTER_LINEAR,              \
      .mag_filter = TG_FILTER_LINEAR, .mip_filter = TG_MIP_NEAREST,            \
      .max_anisotropy = n, .max_lod = 100                                      \
   }
#define TXD "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 2D"
   static const struct lookup lookups[] = {
      {TXD,
       "2D",
       ANISOTROPIC(16),
       {{0.625f, 0.125f}, {1}, {0, 0.25f}},
       {(0.8f + 1.6f + 2.4f + 3) / 4, 0, 0, 1}},
      {TXD,
       "2D",
       ANISOTROPIC(16),
       {{0.125f, 0.625f}, {0.25f}, {0, 1}},
       {(8 + 16 + 24 + 30) / 4.0f, 0, 0, 1}},
      /* Two probes, of level 1, where texels are 1000 and 1001. */
      {TXD,
       "2D",
       ANISOTROPIC(2),
       {{0.5f, 0.125f}, {1}, {0, 0.25f}},
       {(1000 + 1 / 6.0f + 1000 + 5 / 6.0f) / 2, 0, 0, 1}},
      {TXD,
       "2D",
       ANISOTROPIC(1),
       {{0.5f, 0.125f}, {1}, {0, 0.25f}},
       {2000, 0, 0, 1}},
      {TXD, "2D", ANISOTROPIC(16), {{0.5f, 0.125f}}, {1.5f, 0, 0, 1}},
   };

   (void)state;
   CHECK(lookups, 0.001f);
}

static void
test_lod_queries(void **state)
{
#define LODQ "LODQ OUT[0], IN[0], SAMP[0], 2D"
#define LOD "LOD OUT[0], IN[0], SVIEW[0], SAMP[0]"
   static const struct lookup lookups[] = {
      {LODQ, "2D", MIPMAPPED, {{0}}, {2, 2, 0, 0}, .dx = {1}},
      {LODQ, "2D", NEAREST, {{0}}, {0, 2, 0, 0}, .dx = {1}},
      {LODQ, "2D", BETWEEN, {{0}}, {1, 2, 0, 0}, .dx = {1}},
      {LODQ, "2D", BIASED, {{0}}, {2, 5, 0, 0}, .dx = {4}},
      {LODQ,
       "2D",
       BLENDED,
       {{0}},
       {0.5f, 0.5f, 0, 0},
       .dx = {0.25f * 1.41421356f}},
      {LOD, "2D", MIPMAPPED, {{0}}, {2, 3, 0, 0}, .dy = {0, 2}},
      {"LOD OUT[0], IN[0], SVIEW[0].yxzw, SAMP[0]",
       "2D",
       MIPMAPPED,
       {{0}},
       {3, 2, 0, 0},
       .dy = {0, 2}},
   };

   (void)state;
   CHECK(lookups, 1e-5f);
}

/* ---- offsets ------------------------------------------------------------- */

/* IMM[1] is (-1, 1, -2, 2), IMM[3] (2^31 - 1, -2^31, ...), which repeat as -1
 * and 0 do. */
static void
test_offsets(void **state)
{
#define MIRRORED                                                               \
   {                                                                           \
      .wrap = {TG_WRAP_MIRROR_REPEAT, TG_WRAP_MIRROR_REPEAT},                  \
      .mip_filter = TG_MIP_NONE                                                \
   }
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].yzx",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {2, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].wwx",
       "2D",
       NEAREST,
       {{0.6f, 0.6f}},
       {0, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].yzx",
       "2D",
       LINEAR,
       {{0.5f, 0.75f}},
       {7.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D, IMM[1].yzx",
       "3D",
       NEAREST,
       {{0.3f, 0.6f, 0.9f}},
       {202, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[3].xyw",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {20, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[3].xyw",
       "2D",
       MIRRORED,
       {{0.3f, 0.6f}},
       {20, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[3].xyw",
       "2D",
       LINEAR,
       {{0.3f, 0.6f}},
       {3, 0, 0, 1}},
      {"TXL OUT[0], IN[0], SAMP[0], 2D, IMM[1].yxx",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, 1}},
       {1011, 0, 0, 1}},
      {"TXF OUT[0], IN[0], SAMP[0], 2D, IMM[1].yzx",
       "2D",
       NEAREST,
       {{1, 2}},
       {2, 0, 0, 1},
       .takes_integers = true},
      {"TXF OUT[0], IN[0], SAMP[0], 2D, IN[1].xyz",
       "2D",
       NEAREST,
       {{1, 2}, {2, 1}},
       {33, 0, 0, 1},
       .takes_integers = true},
      {"TXF OUT[0], IN[0], SAMP[0], 2D, IN[1].xyz",
       "2D",
       NEAREST,
       {{1, 2}, {3, 1}},
       {0, 0, 0, 0},
       .takes_integers = true},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- texels by number ---------------------------------------------------- */

static void
test_fetches(void **state)
{
#define TXF(target, ...)                                                       \
   {                                                                           \
      "TXF OUT[0], IN[0], SAMP[0], " target, target, NEAREST,                  \
      {                                                                        \
         {                                                                     \
            __VA_ARGS__                                                        \
         }                                                                     \
      }
#define GIVES(...)                                                             \
   {__VA_ARGS__}, .takes_integers = true                                       \
   }
#define NOTHING GIVES(0, 0, 0, 0)
   static const struct lookup lookups[] = {
      TXF("1D", 1, 0, 0, 1), GIVES(1001, 0, 0, 1), TXF("2D", 1, 2),
      GIVES(21, 0, 0, 1), TXF("2D", 1, 1, 0, 1), GIVES(1011, 0, 0, 1),
      TXF("2D", 2, 1, 0, 1), NOTHING, TXF("2D", -1, 1), NOTHING,
      TXF("2D", 0, 4), NOTHING, TXF("2D", 0, 0, 0, 3), NOTHING,
      TXF("2D", 0, 0, 0, -1), NOTHING, TXF("3D", 1, 2, 3), GIVES(321, 0, 0, 1),
      TXF("3D", 0, 0, 2, 1), NOTHING, TXF("RECT", 1, 2), GIVES(21, 0, 0, 1),
      TXF("RECT", 1, 2, 0, 1), NOTHING, TXF("1D_ARRAY", 1, 2),
      GIVES(201, 0, 0, 1), TXF("1D_ARRAY", 1, 3), NOTHING,
      TXF("2D_ARRAY", 1, 1, 2, 1), GIVES(1211, 0, 0, 1),
      TXF("2D_ARRAY", 1, 1, -1), NOTHING, TXF("CUBE", 1, 2, 4),
      GIVES(421, 0, 0, 1), TXF("CUBEARRAY", 1, 2, 11), GIVES(1121, 0, 0, 1),
      TXF("BUFFER", 11, 0, 0, 9), GIVES(11, 0, 0, 1), TXF("BUFFER", 12),
      NOTHING, TXF("2D_MSAA", 1, 2, 0, 3), GIVES(30021, 0, 0, 1),
      TXF("2D_MSAA", 1, 2, 0, 4), NOTHING, TXF("2D_ARRAY_MSAA", 1, 2, 2, 1),
      GIVES(10221, 0, 0, 1),
      {"TXF_LZ OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{1, 2, 0, 1}},
       GIVES(21, 0, 0, 1),
       {"SAMPLE_I OUT[0], IN[0], SVIEW[0]", "2D", NEAREST, {{1, 1, 0, 1}},
        GIVES(1011, 0, 0, 1),
        {"SAMPLE_I OUT[0], IN[0], SVIEW[0].wzyx", "2D_ARRAY", NEAREST,
         {{1, 1, 2}}, GIVES(1, 0, 0, 211),
         {"SAMPLE_I OUT[0], IN[0], SVIEW[0]", "BUFFER", NEAREST, {{5, 1, 1, 1}},
          GIVES(5, 0, 0, 1),
          {"SAMPLE_I_MS OUT[0], IN[0], SVIEW[0], IN[1].xxxx", "2D_MSAA",
           NEAREST, {{1, 2, 0, 1}, {2}}, GIVES(20021, 0, 0, 1),
           {
              "SAMPLE_I_MS OUT[0], IN[0], SVIEW[0], IN[1].xxxx",
              "2D_ARRAY_MSAA",
              NEAREST,
              {{1, 2, 1, 1}, {3}},
              GIVES(30121, 0, 0, 1),
              {"LOAD OUT[0], IN[0], RES[0]",
               "2D",
               NEAREST,
               {{1, 1, 0, 1}},
               {1011, 0, 0, 1},
               .takes_integers = true,
               .declarations = "DCL RES[0], 2D, FLOAT\n",
               .is_2011 = true},
              {"LOAD_MS OUT[0], IN[0], RES[0], IN[1].xxxx",
               "2D_MSAA",
               NEAREST,
               {{1, 2, 0, 1}, {2}},
               {20021, 0, 0, 1},
               .takes_integers = true,
               .declarations = "DCL RES[0], 2D_MSAA, FLOAT\n",
               .is_2011 = true},
              {"LOAD_MS OUT[0], IN[0], RES[0]",
               "2D_MSAA",
               NEAREST,
               {{1, 2, 0, 1}},
               {10021, 0, 0, 1},
               .takes_integers = true,
               .declarations = "DCL RES[0], 2D_MSAA, FLOAT\n",
               .is_2011 = true},
           };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- questions ----------------------------------------------------------- */

static void
test_queries(void **state)
{
#define TXQ(target, level, ...)                                                \
   {                                                                           \
      "TXQ OUT[0], IN[0], SAMP[0], " target, target, NEAREST, {{level}},       \
         {__VA_ARGS__}, .takes_integers = true, .gives_integers = true         \
   }
#define ASK(instruction, target, x, ...)                                       \
   {                                                                           \
      instruction, target, NEAREST, {{x}}, {__VA_ARGS__},                      \
         .takes_integers = true, .gives_integers = true                        \
   }
#define ASK_2011(instruction, target, x, ...)                                  \
   {                                                                           \
      instruction, target, NEAREST, {{x}}, {__VA_ARGS__},                      \
         .takes_integers = true, .gives_integers = true, .is_2011 = true,      \
         .declarations = "DCL RES[0], " target ", FLOAT\n"                     \
   }
   static const struct lookup lookups[] = {
      TXQ("BUFFER", 1, 12, 0, 0, 1),
      TXQ("1D", 0, 4, 0, 0, 3),
      TXQ("2D", 1, 2, 2, 0, 3),
      TXQ("2D", 3, 0, 0, 0, 3),
      TXQ("2D", -1, 0, 0, 0, 3),
      TXQ("3D", 1, 2, 2, 2, 3),
      TXQ("CUBE", 2, 1, 1, 0, 3),
      TXQ("RECT", 7, 4, 4, 0, 1),
      TXQ("1D_ARRAY", 1, 2, 3, 0, 3),
      TXQ("2D_ARRAY", 1, 2, 2, 3, 3),
      TXQ("CUBEARRAY", 0, 4, 4, 2, 3),
      TXQ("2D_MSAA", 7, 4, 4, 0, 1),
      TXQ("2D_ARRAY_MSAA", 7, 4, 4, 3, 1),
      ASK("TXQS OUT[0], SAMP[0], 2D", "2D", 0, 1, 0, 0, 0),
      ASK("TXQS OUT[0], SAMP[0], 2D_MSAA", "2D_MSAA", 0, 4, 0, 0, 0),
      ASK("SVIEWINFO OUT[0], IN[0], SVIEW[0].wzyx", "2D", 1, 2, 2, 0, 3),
      ASK("SVIEWINFO OUT[0], IN[0], SVIEW[0]", "1D_ARRAY", 0, 4, 3, 0, 3),
      ASK_2011("RESINFO OUT[0], IN[0], RES[0]", "2D", 1, 2, 2, 0, 3),
      ASK_2011("RESINFO OUT[0], IN[0], RES[0]", "1D_ARRAY", 0, 4, 3, 0, 0),
      ASK("SAMPLE_INFO OUT[0], SVIEW[0]", "2D", 0, 1, 0, 0, 0),
      ASK("SAMPLE_INFO OUT[0], SVIEW[0]", "2D_MSAA", 0, 4, 0, 0, 0),
      ASK("SAMPLE_INFO OUT[0], SVIEW[0].yxzw", "2D_MSAA", 0, 0, 4, 0, 0),
      ASK("SAMPLE_INFO OUT[0], TEMP[0]", "2D", 0, 1, 0, 0, 0),
      ASK_2011("SAMPLE_INFO OUT[0], RES[0]", "2D", 0, 0, 0, 0, 0),
      /* Sample 1 of 4 is 6/16 to the right of the middle and 2/16 above. */
      {"SAMPLE_POS OUT[0], SVIEW[0], IN[0].xxxx",
       "2D_MSAA",
       NEAREST,
       {{1}},
       {14 / 16.0f, 6 / 16.0f, 0, 0},
       .takes_integers = true},
      {"SAMPLE_POS OUT[0], SVIEW[0], IN[0].xxxx",
       "2D_MSAA",
       NEAREST,
       {{4}},
       {0.5f, 0.5f, 0, 0},
       .takes_integers = true},
      {"SAMPLE_POS OUT[0], SVIEW[0], IN[0].xxxx",
       "2D",
       NEAREST,
       {{1}},
       {0.5f, 0.5f, 0, 0},
       .takes_integers = true},
      ASK_2011("SAMPLE_POS OUT[0], RES[0], IN[0].xxxx", "2D", 0, 0, 0, 0, 0),
      ASK_2011("SAMPLE_POS OUT[0], RES[0], IN[0].xxxx", "2D_MSAA", 4, 0, 0, 0,
               0),
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- gathering ----------------------------------------------------------- */

static void
test_gathers(void **state)
{
#define SHADOW(func)                                                           \
   {                                                                           \
      .mip_filter = TG_MIP_NONE, .compares = true,                             \
      .compare_func = TG_COMPARE_##func                                        \
   }
   static const struct lookup lookups[] = {
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {21, 22, 12, 11}},
      {"TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {1, 1, 1, 1}},
      {"MOV TEMP[0], IMM[0].xxww\n"
       "  TG4 OUT[0], IN[0], TEMP[0].xxxx, SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {21, 22, 12, 11}},
      {"MOV TEMP[0], IMM[0].xxww\n"
       "  TG4 OUT[0], IN[0], TEMP[0].zzzz, SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {1, 1, 1, 1}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D_ARRAY",
       "2D_ARRAY",
       NEAREST,
       {{0.5f, 0.5f, 1}},
       {121, 122, 112, 111}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], RECT",
       "RECT",
       NEAREST,
       {{2, 2}},
       {21, 22, 12, 11}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], CUBE",
       "CUBE",
       NEAREST,
       {{0, 0, 1}},
       {421, 422, 412, 411}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], CUBEARRAY",
       "CUBEARRAY",
       NEAREST,
       {{0, 0, 1, 1}},
       {1021, 1022, 1012, 1011}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[1].yzx",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {2, 3, 33, 32}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xxx, IMM[0].yxx, "
       "IMM[0].xyx, IMM[1].xxx",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {11, 12, 21, 0}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOW2D",
       "2D",
       SHADOW(LESS),
       {{0.5f, 0.5f, 15 / 64.0f}},
       {1, 1, 0, 0},
       .is_depth = true},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOW2D_ARRAY",
       "2D_ARRAY",
       SHADOW(LESS),
       {{0.5f, 0.5f, 1, 121.5f / 64}},
       {0, 1, 0, 0},
       .is_depth = true},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOWCUBE",
       "CUBE",
       SHADOW(GREATER),
       {{0, 0, 1, 415 / 64.0f}},
       {0, 0, 1, 1},
       .is_depth = true},
      {"TG4 OUT[0], IN[0], IN[1].xxxx, SAMP[0], SHADOWCUBEARRAY",
       "CUBEARRAY",
       SHADOW(GREATER),
       {{0, 0, 1, 1}, {1011.5f / 64}},
       {0, 0, 0, 1},
       .is_depth = true},
      /* Texel -1 is 0, -2 is 1, -3 is 2 in a mirror. */
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D",
       "2D",
       {.wrap = {TG_WRAP_MIRROR_CLAMP_TO_EDGE}},
       {{-0.4375f, 0.5f}},
       {22, 21, 11, 12}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D",
       "2D",
       LINEAR,
       {{0.0625f, 0.5f}},
       {20, 20, 10, 10}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D",
       "2D",
       {.wrap = {TG_WRAP_CLAMP}, .border_color.f = {-8}},
       {{-3, 0.5f}},
       {-8, 20, 10, -8}},
      {"GATHER4 OUT[0], IN[0], SVIEW[0], SAMP[0]",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {21, 22, 12, 11}},
      {"GATHER4 OUT[0], IN[0], SVIEW[0].wzyx, SAMP[0]",
       "2D",
       NEAREST,
       {{0.5f, 0.5f}},
       {11, 12, 22, 21}},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- comparisons --------------------------------------------------------- */

/* (0.3, 0.6) is depth 21 / 64. */
static void
test_comparisons(void **state)
{
#define TEX_SHADOW "TEX OUT[0], IN[0], SAMP[0], SHADOW2D"
#define COMPARED(func, reference, k)                                           \
   {                                                                           \
      TEX_SHADOW, "2D", SHADOW(func), {{0.3f, 0.6f, (reference) / 64.0f}},     \
         {k, k, k, 1}, .is_depth = true                                        \
   }
#define PCF                                                                    \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_NONE, .compares = true,                             \
      .compare_func = TG_COMPARE_LESS                                          \
   }
   static const struct lookup lookups[] = {
      COMPARED(NEVER, 21, 0),
      COMPARED(LESS, 20, 1),
      COMPARED(LESS, 21, 0),
      COMPARED(EQUAL, 21, 1),
      COMPARED(EQUAL, 20, 0),
      COMPARED(LEQUAL, 21, 1),
      COMPARED(LEQUAL, 22, 0),
      COMPARED(GREATER, 22, 1),
      COMPARED(GREATER, 21, 0),
      COMPARED(NOTEQUAL, 22, 1),
      COMPARED(NOTEQUAL, 21, 0),
      COMPARED(GEQUAL, 21, 1),
      COMPARED(GEQUAL, 20, 0),
      COMPARED(ALWAYS, 21, 1),
      COMPARED(NOTEQUAL, NAN, 0),
      COMPARED(GEQUAL, NAN, 0),
      COMPARED(GREATER, 640, 1),
      /* Of four texels two pass. */
      {TEX_SHADOW,
       "2D",
       PCF,
       {{0.5f, 0.5f, 15 / 64.0f}},
       {0.5f, 0.5f, 0.5f, 1},
       .is_depth = true},
      {TEX_SHADOW,
       "2D",
       PCF,
       {{0.5625f, 0.5f, 11.5f / 64}},
       {0.875f, 0.875f, 0.875f, 1},
       .is_depth = true},
      /* A sampler that does not compare gives the depth. */
      {TEX_SHADOW,
       "2D",
       NEAREST,
       {{0.3f, 0.6f, 0}},
       {21 / 64.0f, 21 / 64.0f, 21 / 64.0f, 1},
       .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       SHADOW(LESS),
       {{0.3f, 0.6f, 0}},
       {21 / 64.0f, 21 / 64.0f, 21 / 64.0f, 1},
       .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOW1D",
       "1D",
       SHADOW(EQUAL),
       {{0.3f, 9, 1 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOWRECT",
       "RECT",
       SHADOW(EQUAL),
       {{1, 2, 21 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOW1D_ARRAY",
       "1D_ARRAY",
       SHADOW(EQUAL),
       {{0.3f, 2, 201 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOW2D_ARRAY",
       "2D_ARRAY",
       SHADOW(EQUAL),
       {{0.3f, 0.6f, 1, 121 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOWCUBE",
       "CUBE",
       SHADOW(EQUAL),
       {{2, 0.4f, 1.6f, 10 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TEX2 OUT[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY",
       "CUBEARRAY",
       SHADOW(EQUAL),
       {{2, 0.4f, 1.6f, 1}, {610 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TXP OUT[0], IN[0], SAMP[0], SHADOW2D",
       "2D",
       SHADOW(EQUAL),
       {{0.6f, 1.2f, 42 / 64.0f, 2}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TXL2 OUT[0], IN[0], IN[1], SAMP[0], SHADOWCUBE",
       "CUBE",
       SHADOW(EQUAL),
       {{2, 0.4f, 1.6f, 10 / 64.0f}, {1}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], SHADOW2D_ARRAY",
       "2D_ARRAY",
       SHADOW(EQUAL),
       {{0.3f, 0.6f, 1, 121 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"SAMPLE_C OUT[0], IN[0], SVIEW[0].x, SAMP[0], IN[1].xxxx",
       "2D",
       SHADOW(EQUAL),
       {{0.3f, 0.6f}, {21 / 64.0f}},
       {1, 1, 1, 1},
       .is_depth = true},
      {"SAMPLE_C_LZ OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx",
       "2D",
       SHADOW(EQUAL),
       {{0.3f, 0.6f}, {20 / 64.0f}},
       {0, 0, 0, 1},
       .is_depth = true},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- views --------------------------------------------------------------- */

static void
test_views(void **state)
{
   static const uint8_t swizzle[4] = {TG_SWIZZLE_W, TG_SWIZZLE_0, TG_SWIZZLE_X,
                                      TG_SWIZZLE_1};
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {1, 0, 21, 1},
       .swizzle = swizzle},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       {.wrap = {TG_WRAP_CLAMP_TO_BORDER, TG_WRAP_CLAMP_TO_BORDER},
        .mip_filter = TG_MIP_NONE,
        .border_color.f = {-8, 5, 6, 7}},
       {{-1, 0.6f}},
       {1, 0, -8, 1},
       .swizzle = swizzle},
      {"TXF OUT[0], IN[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{7, 2}},
       {0, 0, 0, 0},
       .takes_integers = true,
       .swizzle = swizzle},
      {"SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 1}},
      {"SAMPLE OUT[0], IN[0], SVIEW[0].wyxz, SAMP[0]",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {1, 0, 21, 0}},
      {"SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]",
       "2D_ARRAY",
       NEAREST,
       {{0.3f, 0.6f, 1}},
       {121, 0, 0, 1}},
      {"SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0], IMM[1].yzx",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {2, 0, 0, 1}},
      {"SAMPLE_B OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx",
       "2D",
       MIPMAPPED,
       {{0}, {-1}},
       {1000, 0, 0, 1},
       .dx = {1}},
      {"SAMPLE_L OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, 1}, {2}},
       {2000, 0, 0, 1}},
      {"SAMPLE_L OUT[0], IN[0], RES[0], SAMP[0]",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, 1}},
       {1000, 0, 0, 1},
       .is_2011 = true,
       .declarations = "DCL RES[0], 2D, FLOAT\nDCL SAMP[0]\n"},
      {"SAMPLE_D OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1], IN[2]",
       "2D",
       MIPMAPPED,
       {{0}, {0.5f}, {0, 0.25f}},
       {1000, 0, 0, 1}},
      /* A view of another target is as none. */
      {"TEX OUT[0], IN[0], SAMP[0], 3D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D",
       NULL,
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0},
       .declarations = "DCL SAMP[0]\n"},
      {"TXQ OUT[0], IN[0], SAMP[0], 2D",
       NULL,
       NEAREST,
       {{0}},
       {0, 0, 0, 0},
       .declarations = "DCL SAMP[0]\n"},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- formats ------------------------------------------------------------- */

/* At the middle between two texels, and far to the left, where the border is.
 */
static void
test_formats(void **state)
{
#define BORDERED(filter, border, ...)                                          \
   {                                                                           \
      .wrap = {TG_WRAP_CLAMP_TO_BORDER, TG_WRAP_REPEAT}, .min_filter = filter, \
      .mag_filter = filter, .mip_filter = TG_MIP_LINEAR,                       \
      .border_color.border = {__VA_ARGS__}, .max_anisotropy = 4                \
   }
#define TEX2D "TEX OUT[0], IN[0], SAMP[0], 2D"
#define FLOATS BORDERED(TG_FILTER_LINEAR, f, 0.125f, 0.25f, 0.5f, 0.75f)
#define INTEGERS BORDERED(TG_FILTER_LINEAR, i, -1, 2, 3, 4)
   static const uint8_t bytes[] = {0, 255, 51, 102};
   static const uint8_t colors[] = {0, 51, 102, 255, 255, 102, 51, 0};
   static const int32_t integers[] = {5, -7};
   static const uint16_t depths[] = {0, 65535};
   static const uint8_t swizzle[4] = {TG_SWIZZLE_1, TG_SWIZZLE_X, TG_SWIZZLE_0,
                                      TG_SWIZZLE_W};
   static const struct lookup lookups[] = {
      {TEX2D,
       "2D",
       FLOATS,
       {{0.5f}},
       {0.5f, 0.3f, 0.3f, 0.5f},
       .format = TG_FORMAT_R8G8B8A8_UNORM,
       .texels = colors},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0.125f, 0.25f, 0.5f, 0.75f},
       .format = TG_FORMAT_B8G8R8A8_UNORM,
       .texels = colors},
      {TEX2D,
       "2D",
       FLOATS,
       {{0.5f}},
       {0.5f, 0.5f, 0.5f, 1},
       .format = TG_FORMAT_L8_UNORM,
       .texels = bytes},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0.125f, 0.125f, 0.125f, 1},
       .format = TG_FORMAT_L8_UNORM,
       .texels = bytes},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0.125f, 0.125f, 0.125f, 0.75f},
       .format = TG_FORMAT_L8A8_UNORM,
       .texels = bytes},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0, 0, 0, 0.75f},
       .format = TG_FORMAT_A8_UNORM,
       .texels = bytes},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0.125f, 0.125f, 0.125f, 0.125f},
       .format = TG_FORMAT_I8_UNORM,
       .texels = bytes},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0.125f, 0.25f, 0, 1},
       .format = TG_FORMAT_R8G8_UNORM,
       .texels = bytes},
      {TEX2D,
       "2D",
       FLOATS,
       {{-9}},
       {0.125f, 0.125f, 0.125f, 1},
       .format = TG_FORMAT_Z16_UNORM,
       .texels = depths},
      /* Integers are not blended, nor are probes of them. */
      {TEX2D,
       "2D",
       INTEGERS,
       {{0.9f}},
       {-7, 0, 0, 1},
       .gives_integers = true,
       .format = TG_FORMAT_R32_SINT,
       .texels = integers},
      {TEX2D,
       "2D",
       INTEGERS,
       {{-9}},
       {-1, 0, 0, 1},
       .gives_integers = true,
       .format = TG_FORMAT_R32_SINT,
       .texels = integers},
      {TEX2D,
       "2D",
       INTEGERS,
       {{-9}},
       {1, -1, 0, 1},
       .gives_integers = true,
       .format = TG_FORMAT_R32_SINT,
       .texels = integers,
       .swizzle = swizzle},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D",
       "2D",
       INTEGERS,
       {{0.5f, 0.5f}},
       {5, -7, -7, 5},
       .gives_integers = true,
       .format = TG_FORMAT_R32_SINT,
       .texels = integers},
      /* Nothing is above the greatest depth that there can be. */
      {TEX_SHADOW,
       "2D",
       SHADOW(GREATER),
       {{0.75f, 0.5f, 2}},
       {0, 0, 0, 1},
       .format = TG_FORMAT_Z16_UNORM,
       .texels = depths},
      {TEX_SHADOW,
       "2D",
       SHADOW(EQUAL),
       {{0.75f, 0.5f, 2}},
       {1, 1, 1, 1},
       .format = TG_FORMAT_Z16_UNORM,
       .texels = depths},
      {TEX_SHADOW,
       "2D",
       SHADOW(EQUAL),
       {{0.25f, 0.5f, -2}},
       {1, 1, 1, 1},
       .format = TG_FORMAT_Z16_UNORM,
       .texels = depths},
      {TEX_SHADOW,
       "2D",
       SHADOW(LEQUAL),
       {{0.25f, 0.5f, NAN}},
       {0, 0, 0, 1},
       .format = TG_FORMAT_Z16_UNORM,
       .texels = depths},
   };

   (void)state;
   CHECK(lookups, 1e-6f);
}

/* ---- units that are computed --------------------------------------------- */

static void
test_computed_units(void **state)
{
#define TWO "DCL SAMP[0..1]\nDCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], 2D, FLOAT\n"
   static const struct lookup lookups[] = {
      {"UARL ADDR[0].x, IMM[0].xxxx\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 1},
       .declarations = TWO},
      {"UARL ADDR[0].x, IMM[1].xxxx\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x+1], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 1},
       .declarations = TWO},
      /* Nothing is bound to the second, and the third is not declared. */
      {"UARL ADDR[0].x, IMM[0].yyyy\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0},
       .declarations = TWO},
      {"UARL ADDR[0].x, IMM[0].zzzz\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0},
       .declarations = TWO},
      {"UARL ADDR[0].x, IMM[0].xxxx\n"
       "  SAMPLE OUT[0], IN[0], SVIEW[ADDR[0].x], SAMP[ADDR[0].x]",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 1},
       .declarations = TWO},
      {"UARL ADDR[0].x, IMM[0].yyyy\n"
       "  SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[ADDR[0].x]",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0},
       .declarations = TWO},
      {"SAMP2HND TEMP[0].xy, SAMP[0], 2D\n"
       "  TEX OUT[0], IN[0], TEMP[0], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 1}},
      {"SAMP2HND TEMP[0].xy, SAMP[0], 2D\n"
       "  TXQ OUT[0], IMM[0].yyyy, TEMP[0], 2D",
       "2D",
       NEAREST,
       {{0}},
       {2, 2, 0, 3},
       .gives_integers = true},
      {"SAMP2HND TEMP[0].xy, SAMP[0], 2D\n"
       "  MOV TEMP[0].y, IMM[0].yyyy\n"
       "  TEX OUT[0], IN[0], TEMP[0], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"TEX OUT[0], IN[0], IMM[2], 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"TEX OUT[0], IN[0], IMM[3].xxxx, 2D",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"SAMP2HND OUT[0], SAMP[0], 2D",
       "2D",
       NEAREST,
       {{0}},
       {0x10000, 0, 0x10000, 0},
       .gives_integers = true},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* What differs from lane to lane is taken out again behind the lookup. */
static void
test_lanes(void **state)
{
   static const struct lookup lookups[] = {
      /* Nothing is bound to the sampler of every other lane. */
      {"ARL ADDR[0].x, IN[0].zzzz\n"
       "  TEX TEMP[0], IN[0], SAMP[ADDR[0].x], 2D\n"
       "  MAD OUT[0].x, IN[0].zzzz, IMM[2].xxxx, TEMP[0].xxxx",
       "2D",
       NEAREST,
       {{0.3f, 0.6f}},
       {21, 0, 0, 0},
       .dx = {0, 0, 1},
       .declarations = TWO},
      {"TXL TEMP[0], IN[0], SAMP[0], 2D\n"
       "  MAD OUT[0].x, IN[0].wwww, IMM[2].yyyy, TEMP[0].xxxx",
       "2D",
       MIPMAPPED,
       {{0}},
       {0, 0, 0, 0},
       .dx = {0, 0, 0, 1},
       .dy = {0, 0, 0, 1}},
      {"TXB TEMP[0], IN[0], SAMP[0], 2D\n"
       "  MAD OUT[0].x, IN[0].wwww, IMM[2].yyyy, TEMP[0].xxxx",
       "2D",
       MIPMAPPED,
       {{0, 0, 0, -1}},
       {2000, 0, 0, 0},
       .dx = {1, 0, 0, 1}},
      /* Lanes that do not come here take part in the quad. */
      {"SLT TEMP[1].x, IN[0].zzzz, IMM[2].xxxx\n"
       "  IF TEMP[1].xxxx\n"
       "    TEX TEMP[0], IN[0], SAMP[0], 2D\n"
       "  ENDIF\n"
       "  SGE TEMP[1].x, IN[0].zzzz, IMM[2].xxxx\n"
       "  MUL TEMP[1].x, TEMP[1].xxxx, IMM[2].yyyy\n"
       "  MAD OUT[0].x, TEMP[1].xxxx, IMM[2].zzzz, TEMP[0].xxxx",
       "2D",
       MIPMAPPED,
       {{0}},
       {2000, 0, 0, 0},
       .dx = {1, 0, 30}},
   };

   (void)state;
   CHECK(lookups, 0);
}

/* ---- cubes --------------------------------------------------------------- */

/* Toward the edge between +z (right side, column 3) and +x (left side, column
 * 0): half of each. Toward the corner of +x, +y and +z: the fourth texel is
 * the mean of three, which the blend is then, too. */
static void
test_seams(void **state)
{
#define PER_FACE                                                               \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_NONE, .wrap = {                                     \
         EDGE,                                                                 \
         EDGE,                                                                 \
         EDGE                                                                  \
      }                                                                        \
   }
#define TEX_CUBE "TEX OUT[0], IN[0], SAMP[0], CUBE"
   static const struct lookup lookups[] = {
      /* Row 1.5: (413 + 423) / 2 = 418 and (10 + 20) / 2 = 15. */
      {TEX_CUBE, "CUBE", LINEAR, {{0.9999999f, 0, 1}}, {216.5f, 0, 0, 1}},
      {TEX_CUBE, "CUBE", LINEAR, {{1, 0, 0.9999999f}}, {216.5f, 0, 0, 1}},
      {TEX_CUBE, "CUBE", PER_FACE, {{0.9999999f, 0, 1}}, {418, 0, 0, 1}},
      {TEX_CUBE, "CUBE", PER_FACE, {{1, 0, 0.9999999f}}, {15, 0, 0, 1}},
      /* +z row 0, +y row 3: (402.5 - 1 + ...): columns 1 and 2 of both. */
      {TEX_CUBE,
       "CUBE",
       LINEAR,
       {{0, 0.9999999f, 1}},
       {(401.5f + 231.5f) / 2, 0, 0, 1}},
      /* +x row 0 meets +y column 3, upside down: rows 1 and 2. */
      {TEX_CUBE,
       "CUBE",
       LINEAR,
       {{1, 0.9999999f, 0}},
       {(1.5f + 218) / 2, 0, 0, 1}},
      /* -y below -z: +-s is turned round. */
      {TEX_CUBE,
       "CUBE",
       LINEAR,
       {{0, -0.9999999f, -1}},
       {(531.5f + 331.5f) / 2, 0, 0, 1}},
      /* The corner: (403 + 0 + 233) / 3. */
      {TEX_CUBE, "CUBE", LINEAR, {{0.9999999f, 0.9999999f, 1}}, {212, 0, 0, 1}},
   };

   (void)state;
   CHECK(lookups, 0.01f);
}

/* ---- memory that runs out ------------------------------------------------ */

/* Many functions, so that their list grows, too. */
static const char many_text[] =
   "FRAG\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
   "DCL OUT[0], COLOR\n"
   "DCL SAMP[0..20]\n"
   "DCL ADDR[0]\n"
   "IMM[0] INT32 {0, 1, 2, 3}\n"
   "  UARL ADDR[0].x, IMM[0].yyyy\n"
   "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D\n"
   "  TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[1], 2D, IMM[0].xyz\n"
   "  TXQ OUT[0], IMM[0].xxxx, SAMP[2], 2D\n"
   "  END\n";

static enum tg_result
lower_many(const struct tg_allocator *allocator)
{
   static struct lower_keys keys;
   const struct lower_options options = {.keys = &keys};
   struct tg_shader *shader = NULL;
   struct lir_module module;

   for (unsigned i = 0; i <= 20; i++) {
      keys.views[i].format = TG_FORMAT_R8G8B8A8_UNORM;
      keys.views[i].target = TG_TARGET_2D;
      keys.samplers[i].is_bound = true;
      keys.samplers[i].mip_filter = LOWER_MIP_LINEAR;
   }
   assert_int_equal(tg_shader_parse(NULL, "many", many_text,
                                    sizeof(many_text) - 1, TG_DIALECT_2019,
                                    NULL, &shader),
                    TG_OK);
   lir_module_init(&module, allocator);
   const enum tg_result result = lower_shader(shader, &options, &module, NULL);
   lir_module_finish(&module);
   tg_shader_destroy(shader);
   return result;
}

static void
test_out_of_memory(void **state)
{
   (void)state;
   sweep(lower_many);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_wrap_modes),
      cmocka_unit_test(test_odd_coordinates),
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_anisotropy),
      cmocka_unit_test(test_lod_queries),
      cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_fetches),
      cmocka_unit_test(test_queries),
      cmocka_unit_test(test_gathers),
      cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_views),
      cmocka_unit_test(test_computed_units),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_seams),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
