/* SPDX-License-Identifier: MIT
 *
 * Limits, by calls that keep to them and calls that go beyond.
 *
 * The pipe has CAPS_WIDTH by CAPS_HEIGHT pixels of float colours.
 */
#include "caps_rows.h"
#include "../bind.h"
#include "../state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/tessellate.h"

/* ---- resources ----------------------------------------------------------- */

/* Large ones need not be there: it is enough that memory is what they lack. */
static void *
resize_small(void *user, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *usual = tg_default_allocator();
   (void)user;
   return new_size > 16u << 20
             ? NULL
             : usual->resize(usual->user, ptr, old_size, new_size);
}

static const struct tg_allocator small = {resize_small, NULL};

static enum tg_result
create(struct tg_resource_desc desc)
{
   struct tg_resource *resource = NULL;
   desc.size = sizeof(desc);
   const enum tg_result result =
      tg_resource_create(&small, &desc, NULL, &resource);
   tg_resource_destroy(resource);
   return result == TG_ERROR_MEMORY ? TG_OK : result;
}

/* Is there such a texture? */
static bool
has(enum tg_texture_target target, uint64_t width, uint64_t height,
    uint64_t depth, uint64_t layers)
{
   return create((struct tg_resource_desc){
             .target = target,
             .format = TG_FORMAT_R8_UNORM,
             .width = (uint32_t)width,
             .height = (uint32_t)height,
             .depth = (uint32_t)depth,
             .layers = (uint32_t)layers,
          }) == TG_OK;
}

/* Along each axis. */
bool
takes_max_texture_2d_size(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return has(TG_TEXTURE_2D, number, 1, 1, 1) &&
          has(TG_TEXTURE_2D, 1, number, 1, 1) &&
          has(TG_TEXTURE_RECT, number, 1, 1, 1) &&
          has(TG_TEXTURE_1D, number, 1, 1, 1);
}

bool
takes_max_texture_3d_size(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return has(TG_TEXTURE_3D, number, 1, 1, 1) &&
          has(TG_TEXTURE_3D, 1, number, 1, 1) &&
          has(TG_TEXTURE_3D, 1, 1, number, 1);
}

bool
takes_max_texture_cube_size(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return has(TG_TEXTURE_CUBE, number, number, 1, 6);
}

bool
takes_max_texture_layers(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return has(TG_TEXTURE_2D_ARRAY, 1, 1, 1, number) &&
          has(TG_TEXTURE_1D_ARRAY, 1, 1, 1, number);
}

bool
takes_max_texture_cubes(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return has(TG_TEXTURE_CUBE_ARRAY, 1, 1, 1, 6 * number);
}

bool
takes_max_texture_levels(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return create((struct tg_resource_desc){
             .target = TG_TEXTURE_2D,
             .format = TG_FORMAT_R8_UNORM,
             .width = TG_MAX_TEXTURE_SIZE,
             .height = 1,
             .last_level = (uint32_t)number - 1,
          }) == TG_OK;
}

static bool
has_samples(uint64_t samples)
{
   return create((struct tg_resource_desc){
             .target = TG_TEXTURE_2D,
             .format = TG_FORMAT_R8_UNORM,
             .width = 1,
             .height = 1,
             .samples = (uint32_t)samples,
          }) == TG_OK;
}

bool
takes_max_texture_samples(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   return has_samples(number);
}

static enum tg_result
set_framebuffer(struct pipe *pipe, struct tg_framebuffer_state framebuffer)
{
   framebuffer.size = sizeof(framebuffer);
   return tg_context_set_framebuffer(pipe->gpu, &framebuffer, NULL);
}

bool
holds_sample_counts(struct pipe *pipe, const struct tg_caps *caps)
{
   for (uint32_t n = 1; n <= 64; n++) {
      const bool is_there = n < 32 && caps->sample_counts >> n & 1;
      const struct tg_framebuffer_state framebuffer = {
         .width = 1, .height = 1, .samples = n};
      if (has_samples(n) != is_there ||
          (set_framebuffer(pipe, framebuffer) == TG_OK) != is_there)
         return false;
   }
   return true;
}

/* 16384 by 16384 texels of 16 bytes are one byte too many. */
bool
holds_max_resource_bytes(struct pipe *pipe, const struct tg_caps *caps)
{
   const struct tg_resource_desc buffer = {
      .target = TG_TEXTURE_BUFFER, .width = (uint32_t)caps->max_resource_bytes};
   struct tg_resource_desc texture = {.target = TG_TEXTURE_2D,
                                      .format = TG_FORMAT_R32G32B32A32_FLOAT,
                                      .width = 16384,
                                      .height = 16384};
   (void)pipe;
   const enum tg_result more = create(texture);
   texture.height--;
   return caps->max_resource_bytes == UINT64_C(16384) * 16384 * 16 - 1 &&
          create(buffer) == TG_OK && more == TG_ERROR_LIMIT &&
          create(texture) == TG_OK;
}

bool
holds_buffer_offset_alignment(struct pipe *pipe, const struct tg_caps *caps)
{
   struct tg_bindings *bindings = pipe->fragment;
   struct tg_resource *buffer = pipe_texture(pipe, TG_FORMAT_NONE, 64, 1, 0);
   struct tg_view_desc view = tg_view_desc_of(buffer);
   struct tg_image image = tg_image_of(buffer);
   view.size = image.size = 16;
   for (uint32_t offset = 0; offset < 32; offset++) {
      const bool is_good = offset % caps->buffer_offset_alignment == 0;
      view.offset = image.offset = offset;
      for (unsigned file = 0; file <= TG_BUFFER_INPUT; file++) {
         if ((tg_bindings_set_buffer(bindings, (enum tg_buffer_file)file, 0,
                                     buffer, offset, 16, NULL) == TG_OK) !=
             is_good)
            return false;
      }
      if ((bind_view(bindings, 0, &view, NULL) == TG_OK) != is_good ||
          (tg_bindings_set_image(bindings, 0, &image, NULL) == TG_OK) !=
             is_good)
         return false;
   }
   return true;
}

bool
takes_max_anisotropy(struct pipe *pipe, uint64_t number)
{
   struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   sampler.max_anisotropy = (uint8_t)number;
   return bind_sampler(pipe->fragment, 0, &sampler, NULL) == TG_OK;
}

/* ---- texels -------------------------------------------------------------- */

/* A texture of the pipe whose texel x of row 0 is (x, 10 x, 20 x, 30 x). */
static void
bind_ramp(struct pipe *pipe)
{
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   struct tg_resource *texture =
      pipe_texture(pipe, TG_FORMAT_R32G32B32A32_FLOAT, 128, 1, 0);
   float *texel = (float *)pipe_texels(texture, 0);
   for (int x = 0; x < 128; x++) {
      for (int c = 0; c < 4; c++)
         texel[x * 4 + c] = (float)(x * (c ? c * 10 : 1));
   }
   pipe_set_texture(pipe, 0, texture, &sampler);
}

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}, {0, 0, 0, 0}},
   {{3, -1, 0, 1}, {0, 0, 0, 0}},
   {{-1, 3, 0, 1}, {0, 0, 0, 0}},
};

/* The pixel (0, 0) that a fragment shader makes. */
static const float *
shade(struct pipe *pipe, const char *text)
{
   pipe->state.fs = pipe_shader(pipe, text);
   pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   return pipe_pixel(pipe, 0, 0);
}

/* From texel 64. */
static bool
is_moved_by(struct pipe *pipe, int32_t offset)
{
   char text[300];
   bind_ramp(pipe);
   snprintf(text, sizeof(text),
            "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
            "DCL SVIEW[0], 2D, FLOAT\n"
            "IMM[0] INT32 {64, 0, 0, 0}\nIMM[1] INT32 {%d, 0, 0, 0}\n"
            "TXF OUT[0], IMM[0], SAMP[0], 2D, IMM[1].xyz\nEND\n",
            (int)offset);
   return shade(pipe, text)[0] == (float)(64 + offset);
}

/* The gather's right texel, from between texels 63 and 64. */
static bool
gather_is_moved_by(struct pipe *pipe, int32_t offset)
{
   char text[300];
   bind_ramp(pipe);
   snprintf(text, sizeof(text),
            "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
            "DCL SVIEW[0], 2D, FLOAT\n"
            "IMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\nIMM[1] INT32 {%d, 0, 0, 0}\n"
            "TG4 OUT[0], IMM[0], IMM[1].yyyy, SAMP[0], 2D, IMM[1].xyz\nEND\n",
            (int)offset);
   return shade(pipe, text)[1] == (float)(64 + offset);
}

bool
holds_min_texel_offset(struct pipe *pipe, const struct tg_caps *caps)
{
   return caps->min_texel_offset <= -8 &&
          is_moved_by(pipe, caps->min_texel_offset) &&
          gather_is_moved_by(pipe, caps->min_texel_offset);
}

bool
holds_max_texel_offset(struct pipe *pipe, const struct tg_caps *caps)
{
   return caps->max_texel_offset >= 7 &&
          is_moved_by(pipe, caps->max_texel_offset) &&
          gather_is_moved_by(pipe, caps->max_texel_offset);
}

/* The four texels of a gather are at s = 0.5 / 128: 127 (repeated), 0. */
bool
holds_max_gather_components(struct pipe *pipe, const struct tg_caps *caps)
{
   for (uint32_t c = 0; c < caps->max_gather_components; c++) {
      char text[300];
      bind_ramp(pipe);
      snprintf(text, sizeof(text),
               "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
               "DCL SVIEW[0], 2D, FLOAT\n"
               "IMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\n"
               "IMM[1] UINT32 {%u, 0, 0, 0}\n"
               "TG4 OUT[0], IMM[0], IMM[1].xxxx, SAMP[0], 2D\nEND\n",
               (unsigned)c);
      const float unit = c ? (float)c * 10 : 1;
      const float *pixel = shade(pipe, text);
      if (pixel[0] != 63 * unit || pixel[1] != 64 * unit)
         return false;
   }
   return caps->max_gather_components == 4;
}

/* ---- places -------------------------------------------------------------- */

bool
takes_max_views(struct pipe *pipe, uint64_t number)
{
   const struct tg_view_desc view = tg_view_desc_of(pipe->color);
   return bind_view(pipe->fragment, (unsigned)number - 1, &view, NULL) == TG_OK;
}

bool
takes_max_samplers(struct pipe *pipe, uint64_t number)
{
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   return bind_sampler(pipe->fragment, (unsigned)number - 1, &sampler, NULL) ==
          TG_OK;
}

bool
takes_max_images(struct pipe *pipe, uint64_t number)
{
   const struct tg_image image = tg_image_of(pipe->color);
   return tg_bindings_set_image(pipe->fragment, (unsigned)number - 1, &image,
                                NULL) == TG_OK;
}

static bool
takes_buffer(struct pipe *pipe, enum tg_buffer_file file, uint64_t number)
{
   struct tg_resource *buffer = pipe_texture(pipe, TG_FORMAT_NONE, 16, 1, 0);
   return tg_bindings_set_buffer(pipe->fragment, file, (unsigned)number - 1,
                                 buffer, 0, 16, NULL) == TG_OK;
}

bool
takes_max_shader_buffers(struct pipe *pipe, uint64_t number)
{
   return takes_buffer(pipe, TG_BUFFER_SHADER, number);
}

bool
takes_max_counter_buffers(struct pipe *pipe, uint64_t number)
{
   return takes_buffer(pipe, TG_BUFFER_COUNTER, number);
}

bool
takes_max_constant_buffers(struct pipe *pipe, uint64_t number)
{
   return takes_buffer(pipe, TG_BUFFER_CONSTANT, number);
}

/* ---- shaders ------------------------------------------------------------- */

static bool
takes_shader_with(struct pipe *pipe, const char *text,
                  const struct tg_stream_output_info *output)
{
   struct tg_shader *source = NULL;
   struct tg_gpu_shader *shader = NULL;
   enum tg_result result = tg_shader_parse(NULL, "test", text, strlen(text),
                                           TG_DIALECT_2019, NULL, &source);
   if (result == TG_OK)
      result = tg_gpu_shader_create(tg_context_get_device(pipe->gpu), source,
                                    output, NULL, &shader);
   tg_gpu_shader_destroy(shader);
   tg_shader_destroy(source);
   return result == TG_OK;
}

/* `format` has one %llu. */
static bool
takes_shader(struct pipe *pipe, const char *format, uint64_t number)
{
   char text[400];
   const char *at = strstr(format, "%llu");
   snprintf(text, sizeof(text), "%.*s%llu%s", (int)(at - format), format,
            (unsigned long long)number, at + 4);
   return takes_shader_with(pipe, text, NULL);
}

bool
takes_max_constant_registers(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe, "VERT\nDCL CONST[0][0..%llu]\nEND\n", number - 1);
}

bool
takes_max_inputs(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe, "FRAG\nDCL IN[0..%llu], GENERIC[0]\nEND\n",
                       number - 1);
}

bool
takes_max_outputs(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe, "VERT\nDCL OUT[0..%llu], GENERIC[0]\nEND\n",
                       number - 1);
}

/* Linking is what refuses. */
bool
takes_max_varyings(struct pipe *pipe, uint64_t number)
{
   char text[200];
   snprintf(text, sizeof(text),
            "FRAG\nDCL IN[0..%llu], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n"
            "MOV OUT[0], IN[0]\nEND\n",
            (unsigned long long)number - 1);
   pipe->state.fs = pipe_shader(pipe, text);
   pipe_set_vertices(pipe, whole, 3);
   return pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3) == TG_OK;
}

bool
takes_max_temporaries(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe, "VERT\nDCL TEMP[0..%llu]\nEND\n", number - 1);
}

bool
takes_max_nesting(struct pipe *pipe, uint64_t number)
{
   (void)pipe;
   static const char head[] = "VERT\nIMM[0] UINT32 {0, 0, 0, 0}\n";
   static const char begin[] = "UIF IMM[0].xxxx\n", end[] = "ENDIF\n";
   const size_t size =
      sizeof(head) + number * (strlen(begin) + strlen(end)) + 5;
   char *text = malloc(size), *at = text;
   assert_non_null(text);
   at += sprintf(at, "%s", head);
   for (uint64_t i = 0; i < number; i++)
      at += sprintf(at, "%s", begin);
   for (uint64_t i = 0; i < number; i++)
      at += sprintf(at, "%s", end);
   sprintf(at, "END\n");
   struct tg_shader *source = NULL;
   enum tg_result result = tg_shader_parse(NULL, "test", text, strlen(text),
                                           TG_DIALECT_2019, NULL, &source);
   if (result == TG_OK)
      result = tg_shader_validate(source, NULL);
   tg_shader_destroy(source);
   free(text);
   return result == TG_OK;
}

static const char lines_of_patch[] = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 1\n"
                                     "DCL OUT[0], POSITION\nEND\n";

/* A primitive of patches has an evaluation shader. */
static enum tg_result
draw_mode(struct pipe *pipe, unsigned mode, uint8_t patch_vertices)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_gpu_shader *eval =
      mode == TG_PRIM_PATCHES ? pipe_shader(pipe, lines_of_patch) : NULL;
   info.mode = (uint8_t)mode;
   info.vertices_per_patch = patch_vertices;
   if (!pipe->state.vertices.buffer)
      pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(
      tg_context_set_shader(pipe->gpu, TG_GPU_TESS_EVAL, eval, NULL), TG_OK);
   const enum tg_result result = pipe_draw_info(pipe, &info, 3);
   assert_int_equal(
      tg_context_set_shader(pipe->gpu, TG_GPU_TESS_EVAL, NULL, NULL), TG_OK);
   return result;
}

bool
takes_max_patch_vertices(struct pipe *pipe, uint64_t number)
{
   const bool controls = takes_shader(
      pipe, "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT %llu\nEND\n", number);
   const bool draws =
      draw_mode(pipe, TG_PRIM_PATCHES, (uint8_t)number) == TG_OK;
   assert_int_equal(controls, draws);
   return draws;
}

static uint32_t
num_segments(float level)
{
   static struct gpu_tess_patch patch;
   const struct gpu_tess_mode mode = {.domain = TG_PRIMITIVE_LINES,
                                      .spacing = GPU_TESS_EQUAL};
   const struct gpu_tess_levels levels = {.outer = {1, level, 1, 1},
                                          .inner = {1, 1}};
   gpu_tessellate(&mode, &levels, &patch);
   return patch.num_indices / 2;
}

bool
holds_max_tess_level(struct pipe *pipe, const struct tg_caps *caps)
{
   const float most = caps->max_tess_level;
   (void)pipe;
   return num_segments(most) == (uint32_t)most &&
          num_segments(most + 1) == (uint32_t)most &&
          num_segments(most - 1) == (uint32_t)most - 1;
}

/* One primitive of points, all of whose outputs are written. */
bool
holds_max_geometry_components(struct pipe *pipe, const struct tg_caps *caps)
{
   static const char format[] = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                                "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                "PROPERTY GS_MAX_OUTPUT_VERTICES %u\n"
                                "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\n"
                                "DCL OUT[1..%u], GENERIC[0]\nDCL TEMP[0]\n"
                                "IMM[0] UINT32 {0, 1, %u, %u}\n"
                                "MOV TEMP[0].x, IMM[0].xxxx\n"
                                "BGNLOOP\n"
                                "USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"
                                "UIF TEMP[0].yyyy\nBRK\nENDIF\n"
                                "MOV OUT[0], IN[0][0]\nMOV OUT[%u], IN[0][0]\n"
                                "EMIT IMM[0].xxxx\n"
                                "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                "ENDLOOP\nEND\n";
   const uint32_t vertices = caps->max_geometry_vertices;
   const uint32_t outputs = caps->max_outputs;
   char text[800];
   snprintf(text, sizeof(text), format, vertices, outputs - 1, vertices, 0u,
            outputs - 1);
   struct tg_gpu_shader *geometry = pipe_shader(pipe, text);
   assert_int_equal(
      tg_context_set_shader(pipe->gpu, TG_GPU_GEOMETRY, geometry, NULL), TG_OK);
   pipe_set_vertices(pipe, whole, 1);
   const enum tg_result result = pipe_draw(pipe, TG_PRIMITIVE_POINTS, 1);
   return result == TG_OK &&
          caps->max_geometry_components == vertices * outputs * 4 &&
          pipe_statistics(pipe).pipeline.gs_primitives == vertices;
}

bool
takes_max_patch_outputs(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe,
                       "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\n"
                       "DCL OUT[0..%llu], PATCH[0]\nEND\n",
                       number - 1);
}

/* A texel a pixel is level 0; 16384 texels have 15 levels. Level i is i. */
bool
holds_max_lod_bias(struct pipe *pipe, const struct tg_caps *caps)
{
   static const char sampler[] =
      "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
      "DCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
   const float end = 3.0f / 2 * CAPS_WIDTH / TG_MAX_TEXTURE_SIZE;
   const struct pipe_vertex vertices[3] = {
      {{-1, -1, 0, 1}, {0, 0.5f, 0, 0}},
      {{2, -1, 0, 1}, {end, 0.5f, 0, 0}},
      {{-1, 3, 0, 1}, {0, 0.5f, 0, 0}},
   };
   struct tg_sampler_desc sampler_of = TG_SAMPLER_DESC_INIT;
   struct tg_resource *texture =
      pipe_texture(pipe, TG_FORMAT_R32_FLOAT, TG_MAX_TEXTURE_SIZE, 1,
                   TG_MAX_TEXTURE_LEVELS - 1);
   for (uint32_t i = 0; i < TG_MAX_TEXTURE_LEVELS; i++) {
      float *texel = (float *)pipe_texels(texture, i);
      for (uint32_t x = 0; x < (uint32_t)TG_MAX_TEXTURE_SIZE >> i; x++)
         texel[x] = (float)i;
   }
   sampler_of.mip_filter = TG_MIP_NEAREST;
   sampler_of.lod_bias = caps->max_lod_bias;
   pipe_set_texture(pipe, 0, texture, &sampler_of);
   pipe->state.fs = pipe_shader(pipe, sampler);
   pipe_set_vertices(pipe, vertices, 3);
   return pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3) == TG_OK &&
          pipe_pixel(pipe, 3, 3)[0] == TG_MAX_TEXTURE_LEVELS - 1;
}

#define GEOMETRY                                                               \
   "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\n"                                \
   "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"

bool
takes_max_geometry_vertices(struct pipe *pipe, uint64_t number)
{
   return takes_shader(
      pipe, GEOMETRY "PROPERTY GS_MAX_OUTPUT_VERTICES %llu\nEND\n", number);
}

bool
takes_max_geometry_invocations(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe,
                       GEOMETRY "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                                "PROPERTY GS_INVOCATIONS %llu\nEND\n",
                       number);
}

bool
takes_max_clip_distances(struct pipe *pipe, uint64_t number)
{
   return takes_shader(pipe, "VERT\nPROPERTY NUM_CLIPDIST_ENABLED %llu\nEND\n",
                       number);
}

/* ---- vertices ------------------------------------------------------------ */

bool
takes_max_vertex_buffers(struct pipe *pipe, uint64_t number)
{
   return tg_context_set_vertex_buffers(pipe->gpu, (unsigned)number - 1, 1,
                                        NULL, NULL) == TG_OK;
}

bool
takes_max_vertex_elements(struct pipe *pipe, uint64_t number)
{
   struct tg_vertex_element elements[64] = {0};
   for (unsigned i = 0; i < 64; i++)
      elements[i].format = TG_FORMAT_R8_UNORM;
   assert_true(number <= 64);
   return bind_vertex_elements(pipe->gpu, (unsigned)number, elements, NULL) ==
          TG_OK;
}

/* All vertices but the first are beyond the buffer and read 0. */
bool
holds_max_vertex_stride(struct pipe *pipe, const struct tg_caps *caps)
{
   pipe_set_vertices(pipe, whole, 3);
   pipe->state.vertices.stride = caps->max_vertex_stride;
   pipe->state.elements[1].src_offset = caps->max_vertex_stride;
   return caps->max_vertex_stride == UINT32_MAX &&
          pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3) == TG_OK;
}

bool
holds_primitives(struct pipe *pipe, const struct tg_caps *caps)
{
   for (unsigned mode = 0; mode < 40; mode++) {
      const bool is_there = mode < 32 && caps->primitives >> mode & 1;
      if ((draw_mode(pipe, mode, 3) == TG_OK) != is_there)
         return false;
   }
   return true;
}

/* Ranges of nothing. */
bool
takes_max_draws(struct pipe *pipe, uint64_t number)
{
   struct tg_draw_range *ranges = calloc(number, sizeof(*ranges));
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   assert_non_null(ranges);
   info.draws = ranges;
   info.num_draws = (uint32_t)number;
   pipe_set_vertices(pipe, whole, 3);
   const enum tg_result result = pipe_draw_info(pipe, &info, 0);
   free(ranges);
   return result == TG_OK;
}

/* As they would take hours, they stop at the limit of work; that says so. */
bool
takes_max_draw_vertices(struct pipe *pipe, uint64_t number)
{
   const struct tg_context_options options = {.size = sizeof(options),
                                              .max_work = 100000};
   const struct tg_draw_range ranges[2] = {
      {.count = 1u << 30}, {.count = (uint32_t)(number - (1u << 30))}};
   struct pipe other;
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   (void)pipe;
   pipe_init_with(&other, 1, &options, 4, 4, pipe_vertex_shader,
                  pipe_constant_shader);
   info.draws = ranges;
   info.num_draws = 2;
   assert_int_equal(pipe_set_state(&other, other.gpu), TG_OK);
   assert_int_equal(tg_context_draw(other.gpu, &info, other.diagnostics),
                    TG_ERROR_LIMIT);
   const char *message = tg_diagnostics_get(other.diagnostics, 0)->message;
   const bool is_refused = strstr(message, "may have 2^30") != NULL;
   pipe_finish(&other);
   return !is_refused;
}

/* ---- stream output ------------------------------------------------------- */

bool
takes_max_stream_buffers(struct pipe *pipe, uint64_t number)
{
   struct tg_stream_target *targets[16] = {0};
   assert_true(number <= 16);
   const enum tg_result result = tg_context_set_stream_targets(
      pipe->gpu, (unsigned)number, targets, NULL, NULL);
   tg_context_set_stream_targets(pipe->gpu, 0, targets, NULL, NULL);
   return result == TG_OK;
}

static const char emitter[] = GEOMETRY "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                                       "DCL OUT[0], POSITION\nEND\n";

bool
takes_max_streams(struct pipe *pipe, uint64_t number)
{
   struct tg_stream_output_info info = TG_STREAM_OUTPUT_INFO_INIT;
   info.num_outputs = 1;
   info.outputs[0].num_components = 4;
   info.outputs[0].stream = (uint8_t)(number - 1);
   info.stride[0] = 4;
   return takes_shader_with(pipe, emitter, &info);
}

bool
takes_max_stream_outputs(struct pipe *pipe, uint64_t number)
{
   struct tg_stream_output_info info = TG_STREAM_OUTPUT_INFO_INIT;
   info.num_outputs = (uint32_t)number;
   info.stride[0] = TG_MAX_STREAM_OUTPUTS;
   for (unsigned i = 0; i < TG_MAX_STREAM_OUTPUTS; i++) {
      info.outputs[i].num_components = 1;
      info.outputs[i].dst_offset = (uint16_t)i;
   }
   return takes_shader_with(pipe, emitter, &info);
}

/* The last word of a vertex is written. */
bool
holds_max_stream_stride(struct pipe *pipe, const struct tg_caps *caps)
{
   struct tg_stream_output_info info = TG_STREAM_OUTPUT_INFO_INIT;
   info.num_outputs = 1;
   info.stride[0] = (uint16_t)caps->max_stream_stride;
   info.outputs[0].num_components = 1;
   info.outputs[0].dst_offset = (uint16_t)(caps->max_stream_stride - 1);
   const bool is_last = takes_shader_with(pipe, emitter, &info);
   info.outputs[0].dst_offset++;
   return caps->max_stream_stride == UINT16_MAX && is_last &&
          !takes_shader_with(pipe, emitter, &info);
}

/* ---- framebuffers -------------------------------------------------------- */

bool
takes_max_framebuffer_size(struct pipe *pipe, uint64_t number)
{
   const uint32_t size = (uint32_t)number;
   return set_framebuffer(
             pipe, (struct tg_framebuffer_state){.width = size, .height = 1}) ==
             TG_OK &&
          set_framebuffer(pipe, (struct tg_framebuffer_state){
                                   .width = 1, .height = size}) == TG_OK;
}

bool
takes_max_framebuffer_layers(struct pipe *pipe, uint64_t number)
{
   return set_framebuffer(pipe, (struct tg_framebuffer_state){
                                   .layers = (uint32_t)number}) == TG_OK;
}

bool
takes_max_color_buffers(struct pipe *pipe, uint64_t number)
{
   return set_framebuffer(pipe, (struct tg_framebuffer_state){
                                   .num_colors = (uint32_t)number}) == TG_OK;
}

/* 0.5 * 0.25 in the one buffer. */
bool
holds_max_dual_source_buffers(struct pipe *pipe, const struct tg_caps *caps)
{
   struct tg_blend_state blend = TG_BLEND_INIT;
   blend.targets[0] = (struct tg_blend_target){
      .blend_enable = true,
      .rgb_src_factor = TG_BLEND_SRC1_COLOR,
      .rgb_dst_factor = TG_BLEND_ZERO,
      .alpha_src_factor = TG_BLEND_SRC1_ALPHA,
      .alpha_dst_factor = TG_BLEND_ZERO,
      .colormask = TG_CHANNEL_RGBA,
   };
   assert_int_equal(bind_blend(pipe->gpu, &blend, NULL), TG_OK);
   return caps->max_dual_source_buffers == 1 &&
          shade(pipe, "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n"
                      "IMM[0] FLT32 {0.5, 0.25, 0, 0}\n"
                      "MOV OUT[0], IMM[0].xxxx\nMOV OUT[1], IMM[0].yyyy\n"
                      "END\n")[2] == 0.125f;
}

bool
takes_max_viewports(struct pipe *pipe, uint64_t number)
{
   const enum tg_result result =
      tg_context_set_scissors(pipe->gpu, (unsigned)number - 1, 1, NULL, NULL);
   assert_int_equal(
      tg_context_set_viewports(pipe->gpu, (unsigned)number - 1, 1, NULL, NULL),
      result);
   return result == TG_OK;
}

/* ---- rasterizer ---------------------------------------------------------- */

/* A vertex at a place of the pipe's window, in pixels. */
static struct pipe_vertex
at(float x, float y)
{
   return (struct pipe_vertex){
      {x * 2 / CAPS_WIDTH - 1, y * 2 / CAPS_HEIGHT - 1, 0, 1}, {1, 1, 1, 1}};
}

/* Draws, and counts the pixels of a column, or of a row, that it covers. */
static unsigned
count_covered(struct pipe *pipe, enum tg_primitive mode,
              const struct pipe_vertex *vertices, unsigned count, bool is_row)
{
   static const float black[4];
   const unsigned size = is_row ? CAPS_WIDTH : CAPS_HEIGHT;
   unsigned sum = 0;
   pipe_set_vertices(pipe, vertices, count);
   pipe_clear(pipe->color, black);
   assert_int_equal(pipe_draw(pipe, mode, count), TG_OK);
   for (unsigned i = 0; i < size; i++)
      sum += pipe_pixel(pipe, is_row ? i : 8, is_row ? 8 : i)[0] == 1;
   return sum;
}

/* A left side at x, from above the window to below. */
static unsigned
count_right_of(struct pipe *pipe, float x)
{
   const struct pipe_vertex vertices[3] = {at(x, -10), at(x + 4000, -10),
                                           at(x, 4000)};
   return count_covered(pipe, TG_PRIMITIVE_TRIANGLES, vertices, 3, true);
}

/* A side through the centre of pixel 8, which has it, moves by one subpixel;
 * a quarter of one is rounded away. */
bool
holds_subpixel_bits(struct pipe *pipe, const struct tg_caps *caps)
{
   const float one = 1.0f / (float)(1u << caps->subpixel_bits);
   return count_right_of(pipe, 8.5f) == 8 &&
          count_right_of(pipe, 8.5f + one / 4) == 8 &&
          count_right_of(pipe, 8.5f + one) == 7;
}

/* Pixels of row 8 left of the right side of a point with its middle there. */
static unsigned
count_left_of_point(struct pipe *pipe, float size, float middle)
{
   const struct pipe_vertex vertex = at(middle, 8);
   pipe->state.rasterizer.point_size = size;
   pipe->state.rasterizer.point_quad_rasterization = true;
   pipe->state.rasterizer.point_tri_clip = true;
   return count_covered(pipe, TG_PRIMITIVE_POINTS, &vertex, 1, true);
}

bool
holds_max_point_size(struct pipe *pipe, const struct tg_caps *caps)
{
   const float most = caps->max_point_size, middle = 4 - most / 2;
   return count_left_of_point(pipe, most, middle) == 4 &&
          count_left_of_point(pipe, most - 4, middle) == 2 &&
          count_left_of_point(pipe, most + 8, middle) == 4;
}

static unsigned
count_line(struct pipe *pipe, float width)
{
   const struct pipe_vertex line[2] = {at(-10, 150), at(30, 150)};
   pipe->state.rasterizer.line_width = width;
   return count_covered(pipe, TG_PRIMITIVE_LINES, line, 2, false);
}

bool
holds_max_line_width(struct pipe *pipe, const struct tg_caps *caps)
{
   const float most = caps->max_line_width;
   return count_line(pipe, most) == (unsigned)most &&
          count_line(pipe, most - 2) == (unsigned)most - 2 &&
          count_line(pipe, most + 20) == (unsigned)most;
}

/* Of 2^20 a place of 1 is 8 pixels from the left, so that a triangle with a
 * left side there covers the 8 to its right; with twice the scale, too. */
static unsigned
count_far(struct pipe *pipe, float reach)
{
   const float x = (float)(8 - 0x1p20) / 0x1p20f;
   const struct pipe_vertex vertices[3] = {
      {{x, -1, 0, 1}, {1, 1, 1, 1}},
      {{1, -1, 0, 1}, {1, 1, 1, 1}},
      {{x, 1, 0, 1}, {1, 1, 1, 1}},
   };
   pipe->state.viewport.scale[0] = reach;
   pipe->state.viewport.translate[0] = reach;
   return count_covered(pipe, TG_PRIMITIVE_TRIANGLES, vertices, 3, true);
}

bool
holds_max_viewport_reach(struct pipe *pipe, const struct tg_caps *caps)
{
   return count_far(pipe, caps->max_viewport_reach) == 8 &&
          count_far(pipe, caps->max_viewport_reach * 2) == 8 &&
          count_far(pipe, caps->max_viewport_reach / 2) == 12;
}

bool
takes_max_window_rectangles(struct pipe *pipe, uint64_t number)
{
   const struct tg_scissor rectangles[16] = {{0, 0, 1, 1}};
   assert_true(number <= 16);
   return tg_context_set_window_rectangles(pipe->gpu, true, (unsigned)number,
                                           rectangles, NULL) == TG_OK;
}

/* ---- compute ------------------------------------------------------------- */

static bool
dispatches(const struct tg_grid *grid)
{
   static const char text[] = "COMP\nEND\n";
   struct tg_shader *source;
   struct tg_program *program;
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &source),
                    TG_OK);
   assert_int_equal(tg_program_create(NULL, source, NULL, NULL, &program),
                    TG_OK);
   const enum tg_result result = tg_dispatch(program, NULL, grid, NULL);
   tg_program_destroy(program);
   tg_shader_destroy(source);
   return result == TG_OK;
}

bool
takes_max_block_threads(struct pipe *pipe, uint64_t number)
{
   bool takes = true;
   (void)pipe;
   for (unsigned i = 0; i < 3; i++) {
      struct tg_grid grid = TG_GRID_INIT;
      grid.block[i] = (uint32_t)number;
      takes = takes && dispatches(&grid);
   }
   return takes;
}

/* There are none along the other axes, so that nothing runs. */
bool
takes_max_grid_size(struct pipe *pipe, uint64_t number)
{
   bool takes = true;
   (void)pipe;
   for (unsigned i = 0; i < 3; i++) {
      struct tg_grid grid = TG_GRID_INIT;
      memset(grid.grid, 0, sizeof(grid.grid));
      grid.grid[i] = number;
      takes = takes && dispatches(&grid);
   }
   return takes;
}

bool
takes_max_shared_memory(struct pipe *pipe, uint64_t number)
{
   struct tg_grid grid = TG_GRID_INIT;
   (void)pipe;
   grid.shared_size = (uint32_t)number;
   return dispatches(&grid);
}

bool
holds_subgroup_size(struct pipe *pipe, const struct tg_caps *caps)
{
   return shade(pipe, "FRAG\nDCL SV[0], SUBGROUP_SIZE\nDCL OUT[0], COLOR\n"
                      "U2F OUT[0], SV[0].xxxx\nEND\n")[0] ==
          (float)caps->subgroup_size;
}

/* ---- queries ------------------------------------------------------------- */

bool
holds_queries(struct pipe *pipe, const struct tg_caps *caps)
{
   for (unsigned type = 0; type < 40; type++) {
      const bool is_there = type < 32 && caps->queries >> type & 1;
      struct tg_query *query = NULL;
      const enum tg_result result =
         tg_query_create(pipe->gpu, (enum tg_query_type)type, 0, NULL, &query);
      tg_query_destroy(query);
      if ((result == TG_OK) != is_there)
         return false;
   }
   return true;
}

bool
holds_timestamp_frequency(struct pipe *pipe, const struct tg_caps *caps)
{
   union tg_query_result result;
   struct tg_query *query;
   assert_int_equal(
      tg_query_create(pipe->gpu, TG_QUERY_TIMESTAMP_DISJOINT, 0, NULL, &query),
      TG_OK);
   assert_int_equal(tg_query_begin(query, NULL), TG_OK);
   assert_int_equal(tg_query_end(query, NULL), TG_OK);
   assert_true(tg_query_get_result(query, true, &result));
   return result.timestamp_disjoint.frequency == caps->timestamp_frequency;
}
