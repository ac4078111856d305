/* SPDX-License-Identifier: MIT
 *
 * The GPU that tests against the reference draw with.
 */
#include "rig.h"
#include "../context.h"
#include "../state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DECLARE_VERTEX                                                         \
   "VERT\n"                                                                    \
   "DCL IN[0..5]\n"                                                            \
   "DCL OUT[0], POSITION\n"                                                    \
   "DCL OUT[1], GENERIC[0]\n"                                                  \
   "DCL OUT[2], GENERIC[1]\n"
#define PASS_VERTEX                                                            \
   "MOV OUT[0], IN[0]\n"                                                       \
   "MOV OUT[1], IN[1]\n"                                                       \
   "MOV OUT[2], IN[2]\n"

const char rig_plain_vertices[] = DECLARE_VERTEX PASS_VERTEX "END\n";
const char rig_full_vertices[] = DECLARE_VERTEX
   "DCL OUT[3], PSIZE\n"
   "DCL OUT[4], EDGEFLAG\n"
   "DCL OUT[5], CLIPDIST[0]\n"
   "DCL OUT[6], CLIPDIST[1]\n" PASS_VERTEX "MOV OUT[3].x, IN[3].xxxx\n"
   "MOV OUT[4].x, IN[3].yyyy\n"
   "MOV OUT[5], IN[4]\n"
   "MOV OUT[6], IN[5]\n"
   "END\n";

void
rig_expect_ok(const struct rig *rig, enum tg_result result)
{
   if (result == TG_OK)
      return;
   char *text = tg_diagnostics_text(rig->diagnostics);
   print_error("%s\n%s", tg_result_name(result), text ? text : "");
   tg_string_free(text);
   fail();
}

static uint32_t
format_of(const char *name)
{
   const uint32_t format = tg_format_number(name);
   assert_int_not_equal(format, 0);
   return format;
}

static void
set_elements(struct rig *rig)
{
   const uint32_t offsets[] = {
      offsetof(struct rig_vertex, position),
      offsetof(struct rig_vertex, attribute[0]),
      offsetof(struct rig_vertex, attribute[1]),
      offsetof(struct rig_vertex, point_size),
      offsetof(struct rig_vertex, clip_distance[0]),
      offsetof(struct rig_vertex, clip_distance[4]),
   };
   enum { COUNT = sizeof(offsets) / sizeof(offsets[0]) };
   struct tg_vertex_element elements[COUNT] = {0};
   for (int i = 0; i < COUNT; i++) {
      elements[i].src_offset = offsets[i];
      elements[i].format = format_of("R32G32B32A32_FLOAT");
   }
   rig_expect_ok(
      rig, bind_vertex_elements(rig->gpu, COUNT, elements, rig->diagnostics));
}

void
rig_init(struct rig *rig, unsigned num_threads)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = num_threads;
   *rig = (struct rig){.diagnostics = tg_diagnostics_create(NULL)};
   assert_non_null(rig->diagnostics);
   rig_expect_ok(rig, context_alone(NULL, &options, NULL, &rig->gpu));
   set_elements(rig);
}

void
rig_finish(struct rig *rig)
{
   rig_expect_ok(rig, tg_context_finish(rig->gpu, rig->diagnostics));
   for (int i = 0; i < rig->num_shaders; i++)
      tg_gpu_shader_destroy(rig->shaders[i]);
   tg_context_destroy(rig->gpu);
   for (int i = 0; i < rig->num_shaders; i++)
      tg_shader_destroy(rig->sources[i]);
   for (int i = 0; i < rig->num_resources; i++)
      tg_resource_destroy(rig->resources[i]);
   tg_diagnostics_destroy(rig->diagnostics);
}

void
rig_set_shader(struct rig *rig, enum tg_gpu_stage stage, const char *text)
{
   const int i = rig->num_shaders++;
   assert_true(i < RIG_MAX_SHADERS);
   rig_expect_ok(rig, tg_shader_parse(NULL, "test", text, strlen(text),
                                      TG_DIALECT_2019, rig->diagnostics,
                                      &rig->sources[i]));
   rig_expect_ok(rig, tg_gpu_shader_create(tg_context_get_device(rig->gpu),
                                           rig->sources[i], NULL,
                                           rig->diagnostics, &rig->shaders[i]));
   rig_expect_ok(rig, tg_context_set_shader(rig->gpu, stage, rig->shaders[i],
                                            rig->diagnostics));
}

/* ---- resources ----------------------------------------------------------- */

static struct tg_resource *
make_resource(struct rig *rig, const struct tg_resource_desc *desc)
{
   assert_true(rig->num_resources < RIG_MAX_RESOURCES);
   struct tg_resource **resource = &rig->resources[rig->num_resources++];
   rig_expect_ok(rig,
                 tg_resource_create(NULL, desc, rig->diagnostics, resource));
   return *resource;
}

struct tg_resource *
rig_texture(struct rig *rig, const char *format, int width, int height,
            int num_samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = format_of(format),
      .width = (uint32_t)width,
      .height = (uint32_t)height,
      .samples = (uint32_t)num_samples,
   };
   return make_resource(rig, &desc);
}

struct tg_resource *
rig_buffer(struct rig *rig, const void *data, size_t size)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = (uint32_t)size,
   };
   const struct tg_box box = {.width = (uint32_t)size, .height = 1, .depth = 1};
   struct tg_resource *buffer = make_resource(rig, &desc);
   rig_expect_ok(rig, tg_resource_write(buffer, 0, 0, &box, data, 0, 0));
   return buffer;
}

void
rig_drop_resources(struct rig *rig, int first)
{
   rig_expect_ok(rig, tg_context_finish(rig->gpu, rig->diagnostics));
   while (rig->num_resources > first)
      tg_resource_destroy(rig->resources[--rig->num_resources]);
}

static struct tg_box
whole(struct tg_resource *texture)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(texture);
   return (struct tg_box){
      .width = desc->width, .height = desc->height, .depth = 1};
}

void
rig_read(struct rig *rig, struct tg_resource *texture, int sample, void *data)
{
   const struct tg_box box = whole(texture);
   rig_expect_ok(rig, tg_context_finish(rig->gpu, rig->diagnostics));
   rig_expect_ok(
      rig, tg_resource_read(texture, 0, (uint32_t)sample, &box, data, 0, 0));
}

void
rig_write(struct rig *rig, struct tg_resource *texture, int sample,
          const void *data)
{
   const struct tg_box box = whole(texture);
   rig_expect_ok(rig, tg_context_finish(rig->gpu, rig->diagnostics));
   rig_expect_ok(
      rig, tg_resource_write(texture, 0, (uint32_t)sample, &box, data, 0, 0));
}

void
rig_clear(struct rig *rig)
{
   const union tg_color color = {0};
   rig_expect_ok(rig, tg_context_clear(rig->gpu, TG_CLEAR_ALL, NULL, &color,
                                       1.0, 0, rig->diagnostics));
}

/* ---- state --------------------------------------------------------------- */

void
rig_set_setup(struct rig *rig, const struct ref_setup *setup)
{
   struct tg_context *gpu = rig->gpu;
   rig_expect_ok(rig,
                 bind_rasterizer(gpu, &setup->rasterizer, rig->diagnostics));
   rig_expect_ok(rig, tg_context_set_viewports(gpu, 0, 1, &setup->viewport,
                                               rig->diagnostics));
   rig_expect_ok(rig, tg_context_set_scissors(gpu, 0, 1, &setup->scissor,
                                              rig->diagnostics));
   tg_context_set_polygon_stipple(gpu, setup->stipple);
}

void
rig_set_framebuffer(struct rig *rig, const struct ref_setup *setup,
                    const char *color, const char *depth)
{
   struct tg_framebuffer_state *framebuffer = &rig->framebuffer;
   *framebuffer = (struct tg_framebuffer_state){
      .size = sizeof(struct tg_framebuffer_state),
      .width = (uint32_t)setup->width,
      .height = (uint32_t)setup->height,
      .num_colors = 1,
   };
   framebuffer->colors[0] = tg_surface_of(
      rig_texture(rig, color, setup->width, setup->height, setup->num_samples));
   if (depth)
      framebuffer->depth_stencil = tg_surface_of(rig_texture(
         rig, depth, setup->width, setup->height, setup->num_samples));
   rig_expect_ok(
      rig, tg_context_set_framebuffer(rig->gpu, framebuffer, rig->diagnostics));
   rig_set_setup(rig, setup);
}

struct tg_resource *
rig_color(const struct rig *rig)
{
   return rig->framebuffer.colors[0].resource;
}

struct tg_resource *
rig_depth(const struct rig *rig)
{
   return rig->framebuffer.depth_stencil.resource;
}

/* ---- draws --------------------------------------------------------------- */

struct ref_vertex
rig_ref_vertex(const struct rig_vertex *vertex)
{
   struct ref_vertex v = {
      .point_size = (double)vertex->point_size,
      .is_edge = vertex->edge_flag != 0,
   };
   for (int c = 0; c < 4; c++) {
      v.position[c] = (double)vertex->position[c];
      for (int i = 0; i < REF_NUM_ATTRIBUTES; i++)
         v.attribute[i][c] = (double)vertex->attribute[i][c];
   }
   for (int i = 0; i < TG_MAX_CLIP_PLANES; i++)
      v.clip_distance[i] = (double)vertex->clip_distance[i];
   return v;
}

void
rig_set_vertices(struct rig *rig, const struct rig_vertex *vertices,
                 size_t count)
{
   const struct tg_vertex_buffer buffer = {
      .buffer = rig_buffer(rig, vertices, count * sizeof(*vertices)),
      .stride = sizeof(*vertices),
   };
   rig_expect_ok(rig, tg_context_set_vertex_buffers(rig->gpu, 0, 1, &buffer,
                                                    rig->diagnostics));
}

void
rig_draw(struct rig *rig, enum tg_prim mode, uint32_t count)
{
   const struct tg_draw_range range = {.count = count};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = (uint8_t)mode;
   info.draws = &range;
   rig_expect_ok(rig, tg_context_draw(rig->gpu, &info, rig->diagnostics));
}
