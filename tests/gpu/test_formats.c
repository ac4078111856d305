/* SPDX-License-Identifier: MIT
 *
 * Every format in every use: what tg_format_get_uses() promises works, and what
 * it does not is refused, or is not done.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../bind.h"
#include "../state.h"
#include "format/format.h"
#include "pipe.h"

enum { NUM_SAMPLES = 4 };

/* ---- what the calls take ------------------------------------------------- */

/* Two blocks each way. */
static enum tg_result
create(uint32_t format, uint32_t samples, struct tg_resource **out)
{
   const struct tg_format_block block = tg_format_get_block(format);
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = format,
      .width = block.width ? 2 * block.width : 2,
      .height = block.height ? 2 * block.height : 2,
      .last_level = samples == 1,
      .samples = samples,
   };
   *out = NULL;
   return tg_resource_create(NULL, &desc, NULL, out);
}

static bool
takes_samples(uint32_t format, uint32_t samples)
{
   struct tg_resource *resource;
   const enum tg_result result = create(format, samples, &resource);
   tg_resource_destroy(resource);
   return result == TG_OK;
}

static bool
takes_surface(struct pipe *pipe, struct tg_resource *resource, bool is_depth)
{
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   framebuffer.width = framebuffer.height = 1;
   framebuffer.num_colors = 1;
   *(is_depth ? &framebuffer.depth_stencil : &framebuffer.colors[0]) =
      (struct tg_surface){.resource = resource};
   const enum tg_result result =
      tg_context_set_framebuffer(pipe->gpu, &framebuffer, NULL);
   tg_context_set_framebuffer(pipe->gpu, NULL, NULL);
   return result == TG_OK;
}

static bool
takes_element(struct pipe *pipe, uint32_t format)
{
   const struct tg_vertex_element element = {.format = format};
   return bind_vertex_elements(pipe->gpu, 1, &element, NULL) == TG_OK;
}

static bool
takes_view(struct pipe *pipe, struct tg_resource *resource, uint32_t format)
{
   struct tg_view_desc view = tg_view_desc_of(resource);
   view.format = format;
   const enum tg_result result = bind_view(pipe->fragment, 0, &view, NULL);
   tg_bindings_set_view(pipe->fragment, 0, NULL, NULL);
   return result == TG_OK;
}

static bool
takes_image(struct pipe *pipe, struct tg_resource *resource, uint32_t format)
{
   struct tg_image image = tg_image_of(resource);
   image.format = format;
   const enum tg_result result =
      tg_bindings_set_image(pipe->fragment, 0, &image, NULL);
   tg_bindings_set_image(pipe->fragment, 0, NULL, NULL);
   return result == TG_OK;
}

/* The uses that calls take; `buffer` has room for any texel. */
static uint32_t
uses_taken(struct pipe *pipe, uint32_t format, struct tg_resource *buffer)
{
   struct tg_resource *resource;
   uint32_t uses = 0;
   if (takes_element(pipe, format))
      uses |= TG_FORMAT_USE_VERTEX;
   if (takes_view(pipe, buffer, format))
      uses |= TG_FORMAT_USE_TEXEL_BUFFER;
   if (takes_samples(format, NUM_SAMPLES))
      uses |= TG_FORMAT_USE_MULTISAMPLE;
   if (create(format, 1, &resource) != TG_OK)
      return uses;
   uses |= TG_FORMAT_USE_TRANSFER;
   if (takes_view(pipe, resource, format))
      uses |= TG_FORMAT_USE_SAMPLED;
   if (takes_image(pipe, resource, format))
      uses |= TG_FORMAT_USE_IMAGE;
   if (tg_resource_generate_mipmaps(resource) == TG_OK)
      uses |= TG_FORMAT_USE_MIPMAPS;
   if (takes_surface(pipe, resource, false))
      uses |= TG_FORMAT_USE_RENDERED;
   if (takes_surface(pipe, resource, true))
      uses |= TG_FORMAT_USE_DEPTH | TG_FORMAT_USE_STENCIL;
   tg_resource_destroy(resource);
   return uses;
}

/* Those of uses_taken(). A buffer of depth or stencil is one for both. */
static uint32_t
uses_promised(uint32_t format)
{
   const uint32_t both = TG_FORMAT_USE_DEPTH | TG_FORMAT_USE_STENCIL;
   uint32_t uses = tg_format_get_uses(format);
   uses |= uses & both ? both : 0;
   return uses & ~(uint32_t)(TG_FORMAT_USE_FILTERED | TG_FORMAT_USE_BLENDED);
}

static void
calls_take_what_is_promised(void **state)
{
   struct pipe pipe;
   unsigned num_wrong = 0;
   (void)state;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, pipe_constant_shader);
   struct tg_resource *buffer = pipe_texture(&pipe, TG_FORMAT_NONE, 64, 1, 0);
   for (uint32_t format = 0; format < TG_NUM_FORMATS + 10; format++) {
      const uint32_t taken = uses_taken(&pipe, format, buffer);
      const uint32_t promised = uses_promised(format);
      if (taken == promised)
         continue;
      print_error("%s: %#" PRIx32 " are promised, %#" PRIx32 " are taken\n",
                  tg_format_name(format), promised, taken);
      num_wrong++;
   }
   assert_int_equal(num_wrong, 0);
   pipe_finish(&pipe);
}

static void
textures_have_the_samples_that_are_promised(void **state)
{
   (void)state;
   for (uint32_t format = 0; format < TG_NUM_FORMATS + 10; format++) {
      const uint32_t counts = tg_format_get_sample_counts(format);
      for (uint32_t samples = 1; samples < 32; samples++)
         assert_int_equal(counts >> samples & 1,
                          takes_samples(format, samples));
   }
}

/* Each numbered by hand. */
static void
some_formats_are_as_they_should(void **state)
{
   const uint32_t texture = TG_FORMAT_USE_TRANSFER | TG_FORMAT_USE_SAMPLED;
   const uint32_t plain = texture | TG_FORMAT_USE_TEXEL_BUFFER |
                          TG_FORMAT_USE_IMAGE | TG_FORMAT_USE_MULTISAMPLE;
   const uint32_t filtered = TG_FORMAT_USE_FILTERED | TG_FORMAT_USE_MIPMAPS;
   const uint32_t drawn = TG_FORMAT_USE_VERTEX | TG_FORMAT_USE_RENDERED;
   (void)state;
   assert_int_equal(tg_format_get_uses(TG_FORMAT_NONE), 0);
   assert_int_equal(tg_format_get_uses(UINT32_MAX), 0);
   assert_int_equal(tg_format_get_uses(TG_FORMAT_R8G8B8A8_UNORM),
                    plain | filtered | drawn | TG_FORMAT_USE_BLENDED);
   assert_int_equal(tg_format_get_uses(TG_FORMAT_R32_UINT), plain | drawn);
   assert_int_equal(tg_format_get_uses(TG_FORMAT_R9G9B9E5_FLOAT),
                    plain | filtered | TG_FORMAT_USE_VERTEX);
   assert_int_equal(tg_format_get_uses(TG_FORMAT_Z24_UNORM_S8_UINT),
                    plain | filtered | TG_FORMAT_USE_DEPTH |
                       TG_FORMAT_USE_STENCIL);
   assert_int_equal(tg_format_get_uses(TG_FORMAT_S8_UINT),
                    plain | TG_FORMAT_USE_STENCIL);
   assert_int_equal(tg_format_get_uses(TG_FORMAT_DXT5_RGBA),
                    texture | TG_FORMAT_USE_FILTERED);
   assert_int_equal(tg_format_get_sample_counts(TG_FORMAT_DXT5_RGBA), 1 << 1);
   assert_int_equal(tg_format_get_sample_counts(TG_FORMAT_R32_UINT),
                    TG_SAMPLE_COUNTS);
   assert_int_equal(tg_format_get_sample_counts(TG_FORMAT_NONE), 0);
}

/* ---- filters ------------------------------------------------------------- */

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}, {0.25f, 1, 2, 3}},
   {{3, -1, 0, 1}, {0.25f, 1, 2, 3}},
   {{-1, 3, 0, 1}, {0.25f, 1, 2, 3}},
};

/* The sum of the words of two texels of a texture, (1, 1) blocks from each
 * other, and of what a linear filter makes of the place between them. */
static const char sampler[] =
   "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0..1]\n"
   "DCL SVIEW[0..1], 2D, FLOAT\nDCL CONST[0][0..2]\nDCL TEMP[0..2]\n"
   "IMM[0] FLT32 {1, 1, 1, 1}\n"
   "TEX TEMP[0], CONST[0][0], SAMP[0], 2D\n"
   "TEX TEMP[1], CONST[0][1], SAMP[0], 2D\n"
   "TEX TEMP[2], CONST[0][2], SAMP[1], 2D\n"
   "DP4 OUT[0].x, TEMP[0], IMM[0]\n"
   "DP4 OUT[0].y, TEMP[1], IMM[0]\n"
   "DP4 OUT[0].z, TEMP[2], IMM[0]\n"
   "END\n";

/* Rows of blocks are alike; those of the right column differ from the left. */
static struct tg_resource *
two_columns(uint32_t format)
{
   const struct tg_format_block block = tg_format_get_block(format);
   struct tg_resource *resource;
   uint8_t bytes[2][64];
   assert_int_equal(create(format, 1, &resource), TG_OK);
   memset(bytes[0], 0, sizeof(bytes[0]));
   for (unsigned i = 0; i < sizeof(bytes[1]); i++)
      bytes[1][i] = (uint8_t)(0x3c + i % 4);
   for (uint32_t i = 0; i < 4; i++) {
      const struct tg_box box = {(i & 1) * block.width,
                                 (i >> 1) * block.height,
                                 0,
                                 block.width,
                                 block.height,
                                 1};
      assert_int_equal(
         tg_resource_write(resource, 0, 0, &box, bytes[i & 1], 0, 0), TG_OK);
   }
   return resource;
}

/* Texels in the middle of the top row, left and right of where blocks meet. */
static void
set_places(struct pipe *pipe, uint32_t width)
{
   const float texel = 1.0f / (float)width;
   const float places[3][4] = {
      {0.5f - texel / 2, 0, 0, 0}, {0.5f + texel / 2, 0, 0, 0}, {0.5f}};
   struct tg_resource *constants = pipe->resources[pipe->num_resources - 1];
   memcpy(tg_resource_map_buffer(constants), places, sizeof(places));
}

static void
linear_filters_mix_what_is_promised(void **state)
{
   struct tg_sampler_desc nearest = TG_SAMPLER_DESC_INIT,
                          linear = TG_SAMPLER_DESC_INIT;
   struct pipe pipe;
   unsigned num_wrong = 0, num_told_apart = 0;
   (void)state;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, sampler);
   pipe_set_vertices(&pipe, whole, 3);
   pipe_set_constants(&pipe, 0, pipe_buffer(&pipe, (float[12]){0}, 48));
   linear.min_filter = linear.mag_filter = TG_FILTER_LINEAR;
   linear.wrap[0] = linear.wrap[1] = nearest.wrap[0] = nearest.wrap[1] =
      TG_WRAP_CLAMP_TO_EDGE;
   for (uint32_t format = 1; format < TG_NUM_FORMATS; format++) {
      const uint32_t uses = tg_format_get_uses(format);
      if (!(uses & TG_FORMAT_USE_SAMPLED))
         continue;
      struct tg_resource *texture = two_columns(format);
      pipe_set_texture(&pipe, 0, texture, &nearest);
      pipe_set_texture(&pipe, 1, texture, &linear);
      set_places(&pipe, tg_resource_get_desc(texture)->width);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      const float *pixel = pipe_pixel(&pipe, 0, 0);
      const float a = pixel[0], b = pixel[1], mixed = pixel[2];
      const float mean = (a + b) / 2, away = fabsf(a - b);
      const bool is_mixed = fabsf(mixed - mean) <= away / 8;
      const bool is_one = mixed == a || mixed == b;
      tg_bindings_set_view(pipe.fragment, 0, NULL, NULL);
      tg_bindings_set_view(pipe.fragment, 1, NULL, NULL);
      tg_resource_destroy(texture);
      if (!(away > 0))
         continue;
      num_told_apart++;
      if (uses & TG_FORMAT_USE_FILTERED ? is_mixed : is_one)
         continue;
      print_error("%s: %g and %g give %g\n", tg_format_name(format), a, b,
                  mixed);
      num_wrong++;
   }
   assert_int_equal(num_wrong, 0);
   assert_true(num_told_apart > 250);
   pipe_finish(&pipe);
}

/* ---- draws --------------------------------------------------------------- */

/* A colour that each kind of channel can hold at least twice of. */
static const char painter[] = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\n"
                              "MOV OUT[0], CONST[0][0]\nEND\n";

static void
set_color(struct pipe *pipe, uint32_t format, uint32_t words[4])
{
   const struct format_info *info = format_info((enum tg_format)format);
   const unsigned type = info->channel[0].type == FORMAT_TYPE_VOID
                            ? info->channel[1].type
                            : info->channel[0].type;
   struct tg_resource *constants = pipe->resources[pipe->num_resources - 1];
   for (unsigned c = 0; c < 4; c++) {
      const float f = type == FORMAT_TYPE_USCALED || type == FORMAT_TYPE_SSCALED
                         ? 1.0f
                         : 0.4f;
      if (info->class == FORMAT_CLASS_FLOAT)
         memcpy(&words[c], &f, sizeof(f));
      else
         words[c] = 1;
   }
   memcpy(tg_resource_map_buffer(constants), words, 16);
}

/* Source and target, added. */
static void
set_blend(struct pipe *pipe, bool blends)
{
   struct tg_blend_state blend = TG_BLEND_INIT;
   blend.targets[0] = (struct tg_blend_target){
      .blend_enable = blends,
      .rgb_src_factor = TG_BLEND_ONE,
      .rgb_dst_factor = TG_BLEND_ONE,
      .alpha_src_factor = TG_BLEND_ONE,
      .alpha_dst_factor = TG_BLEND_ONE,
      .colormask = TG_CHANNEL_RGBA,
   };
   assert_int_equal(bind_blend(pipe->gpu, &blend, NULL), TG_OK);
}

static void
draw(struct pipe *pipe, struct tg_resource *texture, bool blends,
     uint8_t texel[32])
{
   const struct tg_box box = {0, 0, 0, 1, 1, 1};
   pipe->state.framebuffer.colors[0] = (struct tg_surface){.resource = texture};
   set_blend(pipe, blends);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(
      tg_context_read(pipe->gpu, texture, 0, 0, &box, texel, 0, 0), TG_OK);
}

static void
draws_and_blends_what_is_promised(void **state)
{
   struct pipe pipe;
   unsigned num_rendered = 0, num_blended = 0;
   (void)state;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, painter);
   pipe_set_vertices(&pipe, whole, 3);
   pipe_set_constants(&pipe, 0, pipe_buffer(&pipe, (float[4]){0}, 16));
   pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
   for (uint32_t format = 1; format < TG_NUM_FORMATS; format++) {
      const uint32_t uses = tg_format_get_uses(format);
      uint8_t once[32], twice[32], expected[32] = {0};
      struct tg_resource *texture;
      uint32_t words[4];
      if (!(uses & TG_FORMAT_USE_RENDERED))
         continue;
      const size_t num_bytes = tg_format_get_block(format).bytes;
      assert_int_equal(create(format, 1, &texture), TG_OK);
      set_color(&pipe, format, words);
      format_pack((enum tg_format)format, words, expected);
      draw(&pipe, texture, false, once);
      draw(&pipe, texture, true, twice);
      assert_memory_equal(once, expected, num_bytes);
      if ((memcmp(once, twice, num_bytes) != 0) !=
          ((uses & TG_FORMAT_USE_BLENDED) != 0))
         fail_msg("%s", tg_format_name(format));
      num_rendered++;
      num_blended += (uses & TG_FORMAT_USE_BLENDED) != 0;
      assert_int_equal(tg_context_set_framebuffer(pipe.gpu, NULL, NULL), TG_OK);
      tg_resource_destroy(texture);
   }
   assert_true(num_blended > 80 && num_rendered - num_blended > 40);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_take_what_is_promised),
      cmocka_unit_test(textures_have_the_samples_that_are_promised),
      cmocka_unit_test(some_formats_are_as_they_should),
      cmocka_unit_test(linear_filters_mix_what_is_promised),
      cmocka_unit_test(draws_and_blends_what_is_promised),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
