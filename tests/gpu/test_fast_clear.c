/* SPDX-License-Identifier: MIT
 *
 * Fast clears: random clears and rectangles, in targets of each texel size,
 * come out as in a plain array of pixels; which clears are kept; and when they
 * are stored.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "format/format.h"
#include "gpu/raster/fast_clear.h"
#include "pipe.h"

/* The largest have non-temporal stores, but for rows that are no whole cache
 * lines. */
enum { WHOLE_LINES = 528, MOST_WIDTH = 531, MOST_HEIGHT = 520, NUM_STEPS = 60 };

/* What a pixel should hold: the color in 255ths, and the depth in eighths. */
struct pixel {
   uint8_t color, depth;
};

struct scene {
   struct pipe pipe;
   struct tg_resource *target, *depth;
   enum tg_format format;
   uint32_t width, height;         /* of the textures */
   uint32_t num_columns, num_rows; /* of the framebuffer */
   struct pixel pixels[MOST_HEIGHT][MOST_WIDTH];
};

static uint32_t seed = 1;

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % limit;
}

/* Small or large. */
static struct tg_scissor
random_area(const struct scene *scene)
{
   const uint32_t x = random_below(scene->num_columns);
   const uint32_t y = random_below(scene->num_rows);
   const uint32_t most = random_below(3) ? 24 : MOST_WIDTH;
   const uint32_t width = 1 + random_below(most);
   const uint32_t height = 1 + random_below(most);

   return (struct tg_scissor){
      .min_x = (uint16_t)x,
      .min_y = (uint16_t)y,
      .max_x = (uint16_t)tg_min_u32(x + width, scene->num_columns),
      .max_y = (uint16_t)tg_min_u32(y + height, scene->num_rows),
   };
}

/* ---- steps, here and there ----------------------------------------------- */

static void
clear(struct scene *scene, const struct tg_scissor *area_or_null)
{
   const struct tg_scissor whole = {0, 0, (uint16_t)scene->num_columns,
                                    (uint16_t)scene->num_rows};
   const struct tg_scissor *area = area_or_null ? area_or_null : &whole;
   const uint32_t buffers =
      (uint32_t[]){TG_CLEAR_COLOR0, TG_CLEAR_DEPTH,
                   TG_CLEAR_COLOR0 | TG_CLEAR_DEPTH}[random_below(3)];
   const uint8_t color = (uint8_t)random_below(256);
   const uint8_t depth = (uint8_t)random_below(9);
   const float value = (float)color / 255.0f;
   const union tg_color given = {.f = {value, value, value, value}};
   assert_int_equal(tg_context_clear(scene->pipe.gpu, buffers, area_or_null,
                                     &given, depth / 8.0, 0,
                                     scene->pipe.diagnostics),
                    TG_OK);
   for (uint32_t y = area->min_y; y < area->max_y; y++) {
      for (uint32_t x = area->min_x; x < area->max_x; x++) {
         if (buffers & TG_CLEAR_COLOR0)
            scene->pixels[y][x].color = color;
         if (buffers & TG_CLEAR_DEPTH)
            scene->pixels[y][x].depth = depth;
      }
   }
}

static float
clip_of(uint32_t pixel, uint32_t size)
{
   return (float)(2.0 * pixel / size - 1.0);
}

/* Two triangles that are the area. */
static void
cover(const struct scene *scene, const struct tg_scissor *area,
      struct pipe_vertex vertices[6])
{
   static const uint8_t corners[6] = {0, 1, 2, 2, 1, 3};
   const float x[2] = {clip_of(area->min_x, scene->width),
                       clip_of(area->max_x, scene->width)};
   const float y[2] = {clip_of(area->min_y, scene->height),
                       clip_of(area->max_y, scene->height)};
   for (unsigned i = 0; i < 6; i++) {
      vertices[i].position[0] = x[corners[i] & 1];
      vertices[i].position[1] = y[corners[i] >> 1];
   }
}

/* One that covers all, up to so large that its edges take more than 32 bits,
 * and one that covers nothing. */
static void
cover_all(struct pipe_vertex vertices[6])
{
   const float reach = (float[]){3, 30, 60}[random_below(3)];
   static const float x[6] = {0, 1}, y[6] = {0, 0, 1};
   for (unsigned i = 0; i < 6; i++) {
      vertices[i].position[0] = x[i] > 0 ? reach : -1;
      vertices[i].position[1] = y[i] > 0 ? reach : -1;
   }
}

/* An area, as triangles or as the scissor of a large one, where it is nearer.
 */
static void
draw(struct scene *scene)
{
   const struct tg_scissor area = random_area(scene);
   const struct tg_scissor whole = {0, 0, (uint16_t)scene->num_columns,
                                    (uint16_t)scene->num_rows};
   const bool is_cut = random_below(2);
   const uint8_t color = (uint8_t)random_below(256);
   const uint8_t depth = (uint8_t)random_below(8);
   const float value = (float)color / 255.0f;
   struct pipe_vertex vertices[6];
   const struct tg_draw_range range = {.count = 6};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct pipe *pipe = &scene->pipe;
   for (unsigned i = 0; i < 6; i++)
      vertices[i] = (struct pipe_vertex){
         {0, 0, (float)depth / 4.0f - 1.0f, 1},
         {value, value, value, value},
      };
   if (is_cut)
      cover_all(vertices);
   else
      cover(scene, &area, vertices);
   const struct tg_box box = {
      .width = sizeof(vertices),
      .height = 1,
      .depth = 1,
   };
   assert_int_equal(tg_context_write(pipe->gpu, pipe->state.vertices.buffer, 0,
                                     0, &box, vertices, 0, 0),
                    TG_OK);
   assert_int_equal(tg_context_set_scissors(pipe->gpu, 0, 1,
                                            is_cut ? &area : &whole,
                                            pipe->diagnostics),
                    TG_OK);
   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
   for (uint32_t j = area.min_y; j < area.max_y; j++) {
      for (uint32_t i = area.min_x; i < area.max_x; i++) {
         if (depth < scene->pixels[j][i].depth)
            scene->pixels[j][i] = (struct pixel){color, depth};
      }
   }
}

/* ---- what is there ------------------------------------------------------- */

static void
expect_color(enum tg_format format, const uint8_t *texel, uint8_t color)
{
   const float value = (float)color / 255.0f;
   uint8_t wide[16];
   switch (format) {
   case TG_FORMAT_R8_UNORM:
   case TG_FORMAT_R8G8_UNORM:
   case TG_FORMAT_R8G8B8A8_UNORM:
   case TG_FORMAT_R16G16B16A16_UNORM: /* 65535 is 255 times 0x101 */
      memset(wide, color, sizeof(wide));
      break;
   default:
      for (unsigned i = 0; i < sizeof(wide); i += sizeof(value))
         memcpy(wide + i, &value, sizeof(value));
      break;
   }
   assert_memory_equal(texel, wide, format_info(format)->block_bytes);
}

/* The one that is drawn to. */
static uint32_t
last_layer(const struct tg_resource *resource)
{
   return resource->desc.layers - 1;
}

static void
compare_sample(const struct scene *scene, uint32_t sample)
{
   for (uint32_t y = 0; y < scene->height; y++) {
      for (uint32_t x = 0; x < scene->width; x++) {
         const struct pixel *pixel = &scene->pixels[y][x];
         float depth;
         memcpy(&depth,
                resource_texel(scene->depth, 0, sample, x, y,
                               last_layer(scene->depth)),
                sizeof(depth));
         expect_color(scene->format,
                      resource_texel(scene->target, 0, sample, x, y,
                                     last_layer(scene->target)),
                      pixel->color);
         assert_true(depth == pixel->depth / 8.0f);
      }
   }
}

static void
compare(struct scene *scene)
{
   assert_int_equal(tg_context_finish(scene->pipe.gpu, scene->pipe.diagnostics),
                    TG_OK);
   resource_settle_one_color(scene->target);
   resource_settle_one_color(scene->depth);
   for (uint32_t i = 0; i < scene->target->desc.samples; i++)
      compare_sample(scene, i);
}

static struct tg_resource *
create(enum tg_format format, uint32_t width, uint32_t height, uint32_t layers,
       uint32_t samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D_ARRAY,
      .format = format,
      .width = width,
      .height = height,
      .layers = layers,
      .samples = samples,
   };
   struct tg_resource *resource;
   assert_int_equal(
      tg_resource_create(tg_default_allocator(), &desc, NULL, &resource),
      TG_OK);
   return resource;
}

/* The target. */
static struct tg_surface
last_layer_of(struct tg_resource *resource)
{
   struct tg_surface surface = tg_surface_of(resource);
   surface.first_layer = surface.last_layer = last_layer(resource);
   return surface;
}

/* Depths of one layer are those of which clears outlive the scene. */
static void
bind_targets(struct scene *scene, uint32_t samples)
{
   struct pipe_state *state = &scene->pipe.state;
   scene->target =
      create(scene->format, scene->width, scene->height, 2, samples);
   scene->depth = create(TG_FORMAT_Z32_FLOAT, scene->width, scene->height,
                         1 + random_below(2), samples);
   state->framebuffer.colors[0] = last_layer_of(scene->target);
   state->framebuffer.depth_stencil = last_layer_of(scene->depth);
   state->rasterizer.multisample = samples > 1;
   state->rasterizer.scissor = true;
   state->depth.depth_enabled = true;
   state->depth.depth_writemask = true;
   state->depth.depth_func = TG_COMPARE_LESS;
}

/* A framebuffer that has less of the textures, or all. */
static void
cut_framebuffer(struct scene *scene)
{
   struct tg_framebuffer_state *framebuffer = &scene->pipe.state.framebuffer;
   const bool is_less = random_below(2);
   scene->num_columns = scene->width - (is_less ? random_below(40) : 0);
   scene->num_rows = scene->height - (is_less ? random_below(40) : 0);
   framebuffer->width = (uint16_t)scene->num_columns;
   framebuffer->height = (uint16_t)scene->num_rows;
   assert_int_equal(tg_context_set_framebuffer(scene->pipe.gpu, framebuffer,
                                               scene->pipe.diagnostics),
                    TG_OK);
}

/* Some frames end in the midst of others, and some are compared: what is
 * pending then is stored. */
static void
run(struct scene *scene, uint32_t width, uint32_t height, uint32_t samples,
    enum tg_format format)
{
   static const struct pipe_vertex none[6];
   struct pipe *pipe = &scene->pipe;
   pipe_init(pipe, width, height, pipe_vertex_shader, pipe_constant_shader);
   memset(scene->pixels, 0, sizeof(scene->pixels));
   scene->width = scene->num_columns = width;
   scene->height = scene->num_rows = height;
   scene->format = format;
   bind_targets(scene, samples);
   pipe_set_vertices(pipe, none, 6);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
   for (uint32_t i = 0; i < NUM_STEPS; i++) {
      const struct tg_scissor area = random_area(scene);
      switch (random_below(10)) {
      case 0: clear(scene, &area); break;
      case 1:
      case 2: clear(scene, NULL); break;
      case 3: compare(scene); break;
      case 4:
         assert_int_equal(tg_context_finish(pipe->gpu, pipe->diagnostics),
                          TG_OK);
         break;
      case 5: cut_framebuffer(scene); break;
      default: draw(scene); break;
      }
   }
   compare(scene);
   pipe_finish(pipe);
   tg_resource_destroy(scene->target);
   tg_resource_destroy(scene->depth);
}

static void
pixels_are_those_of_plain_clears(void **test)
{
   static struct scene scene;
   static const enum tg_format formats[] = {
      TG_FORMAT_R8_UNORM,           TG_FORMAT_R8G8_UNORM,
      TG_FORMAT_R8G8B8A8_UNORM,     TG_FORMAT_R16G16B16A16_UNORM,
      TG_FORMAT_R32G32B32A32_FLOAT,
   };
   (void)test;
   for (unsigned i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
      run(&scene, 75, 90, 1, formats[i]);
      run(&scene, 203, 131, 1, formats[i]);
      run(&scene, 203, 131, 4, formats[i]);
      run(&scene, WHOLE_LINES, MOST_HEIGHT, 1, formats[i]);
      run(&scene, MOST_WIDTH, MOST_HEIGHT, 1, formats[i]);
   }
}

/* ---- which clears are kept ----------------------------------------------- */

struct kept {
   const char *name;
   enum tg_format format;
   struct tg_scissor area;
   uint8_t samples, last_layer, mask;
   bool is_undefined, expected;
   uint8_t beyond; /* columns of the resource to the right of the target */
};

/* clang-format off */
static const struct kept kept[] = {
   {"whole", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 1, 0, 0xff, false, true},
   {"tile", TG_FORMAT_R8G8B8A8_UNORM, {64, 0, 70, 64}, 1, 0, 0xff, false, true},
   {"left", TG_FORMAT_R8G8B8A8_UNORM, {65, 0, 80, 80}, 1, 0, 0xff, false},
   {"top", TG_FORMAT_R8G8B8A8_UNORM, {0, 1, 80, 80}, 1, 0, 0xff, false},
   {"right", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 69, 80}, 1, 0, 0xff, false},
   {"bottom", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 63}, 1, 0, 0xff, false},
   {"samples", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 4, 0, 0xff, false, true},
   {"columns", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 1, 0, 0xff, false, true, 2},
   {"microtiles", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 4, 0, 0xff, false, false, 2},
   {"layers", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 1, 1, 0xff, false},
   {"bits", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 1, 0, 0x0f, false},
   {"checked", TG_FORMAT_R8G8B8A8_UNORM, {0, 0, 80, 80}, 1, 0, 0xff, true},
   {"twelve", TG_FORMAT_R32G32B32_FLOAT, {0, 0, 80, 80}, 1, 0, 0xff, false},
};
/* clang-format on */

/* In the upper right one of four tiles, which has 6 columns. */
static void
expect_kept(const struct kept *row)
{
   const struct tg_framebuffer_state target = {.width = 70, .height = 70};
   const uint8_t texel[16] = {1, 2, 3, 4, 5, 6, 7, 8};
   struct resource_pattern pattern =
      resource_fill_pattern(texel, format_info(row->format)->block_bytes);
   struct gpu_fast_clears clears;
   struct tg_resource *resource =
      create(row->format, 70 + row->beyond, 70, 2, row->samples);
   pattern.mask[pattern.num_bytes - 1] = row->mask;
   if (row->is_undefined)
      assert_int_equal(tg_resource_set_undefined(resource), TG_OK);
   struct tg_surface surface = tg_surface_of(resource);
   surface.last_layer = row->last_layer;
   gpu_fast_clear_begin(&clears, &target, 64, 0);
   if (gpu_fast_clear_add(&clears, &surface, &pattern, &row->area) !=
       row->expected)
      fail_msg("%s", row->name);
   gpu_fast_clear_end(&clears);
   const uint8_t *first = resource_texel(resource, 0, 0, 64, 0, 0);
   assert_int_equal(*first, row->expected ? 1 : 0);
   tg_resource_destroy(resource);
}

static void
clears_of_whole_tiles_are_kept(void **test)
{
   (void)test;
   for (unsigned i = 0; i < sizeof(kept) / sizeof(*kept); i++)
      expect_kept(&kept[i]);
}

/* Large memory of C libraries begins beside a line. */
static void
texels_begin_with_a_cache_line(void **test)
{
   struct tg_resource *resource =
      create(TG_FORMAT_R8G8B8A8_UNORM, 512, 512, 2, 1);
   (void)test;
   assert_int_equal((uintptr_t)resource_texel(resource, 0, 0, 0, 0, 0) %
                       RESOURCE_ALIGNMENT,
                    0);
   tg_resource_destroy(resource);
}

/* One that another one follows leaves nothing: of 64 by 64 texels only the
 * second pattern is there, and nothing before the end. */
static void
clears_are_stored_at_the_end(void **test)
{
   const struct tg_framebuffer_state target = {.width = 64, .height = 64};
   const struct tg_scissor all = {0, 0, 64, 64};
   const struct resource_pattern one = resource_fill_pattern("1", 1);
   const struct resource_pattern two = resource_fill_pattern("2", 1);
   struct gpu_fast_clears clears;
   struct tg_resource *resource = create(TG_FORMAT_R8_UNORM, 64, 64, 2, 1);
   (void)test;
   const struct tg_surface surface = last_layer_of(resource);
   const char *texels = resource_texel(resource, 0, 0, 0, 0, 1);
   gpu_fast_clear_begin(&clears, &target, 0, 0);
   assert_true(gpu_fast_clear_add(&clears, &surface, &one, &all));
   gpu_fast_clear_touch(&clears, 15, 16, 2, 1);
   assert_true(gpu_fast_clear_add(&clears, &surface, &two, &all));
   assert_int_equal(clears.count, 1);
   for (unsigned i = 0; i < 64 * 64; i++) {
      const bool is_touched = i % 64 < 32 && i / 64 >= 16 && i / 64 < 32;
      assert_int_equal(texels[i], is_touched ? '1' : 0);
   }
   gpu_fast_clear_end(&clears);
   assert_int_equal(clears.pending, 0);
   for (unsigned i = 0; i < 64 * 64; i++)
      assert_int_equal(texels[i], '2');
   tg_resource_destroy(resource);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pixels_are_those_of_plain_clears),
      cmocka_unit_test(clears_of_whole_tiles_are_kept),
      cmocka_unit_test(texels_begin_with_a_cache_line),
      cmocka_unit_test(clears_are_stored_at_the_end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
