/* SPDX-License-Identifier: MIT
 *
 * Hierarchical depth against a test of each pixel: a block that is hidden has
 * no pixel that passes, whatever was written in between; and a block whose
 * bounds all fail is hidden.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "gpu/raster/hiz.h"
#include "resource/resource.h"
#include "util/minmax.h"

enum { WIDTH = 61, HEIGHT = 43, TURNS = 40000 };

static const enum tg_format formats[] = {
   TG_FORMAT_Z32_FLOAT,         TG_FORMAT_Z16_UNORM,
   TG_FORMAT_Z24_UNORM_S8_UINT, TG_FORMAT_S8_UINT_Z24_UNORM,
   TG_FORMAT_Z32_UNORM,         TG_FORMAT_Z32_FLOAT_S8X24_UINT,
};

static uint32_t seed = 1;

static float
random_float(void)
{
   seed = seed * 1664525 + 1013904223;
   return (float)(seed >> 8) / 16777216.0f;
}

static struct tg_resource *
create(enum tg_format format, uint32_t samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = format,
      .width = WIDTH,
      .height = HEIGHT,
      .samples = samples,
   };
   struct tg_resource *resource;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   return resource;
}

static float
read_depth(const struct tg_resource *resource, uint32_t sample, uint32_t x,
           uint32_t y)
{
   union tg_color depth;
   format_unpack((enum tg_format)resource->desc.format,
                 resource_texel(resource, 0, sample, x, y, 0), depth.u);
   return depth.f[0];
}

static void
write_depth(struct tg_resource *resource, uint32_t sample, uint32_t x,
            uint32_t y, float value)
{
   const union tg_color depth = {.f = {value}};
   format_pack((enum tg_format)resource->desc.format, depth.u,
               resource_texel(resource, 0, sample, x, y, 0));
}

/* What the format makes of a depth. */
static float
rounded(const struct tg_resource *resource, float value)
{
   const union tg_color depth = {.f = {value}};
   const enum tg_format format = (enum tg_format)resource->desc.format;
   union tg_color back;
   uint32_t texel[2] = {0};
   format_pack(format, depth.u, texel);
   format_unpack(format, texel, back.u);
   return back.f[0];
}

static bool
passes(enum tg_compare func, float z, float depth)
{
   switch (func) {
   case TG_COMPARE_NEVER: return false;
   case TG_COMPARE_LESS: return z < depth;
   case TG_COMPARE_EQUAL: return z == depth;
   case TG_COMPARE_LEQUAL: return z <= depth;
   case TG_COMPARE_GREATER: return z > depth;
   case TG_COMPARE_NOTEQUAL: return z != depth;
   case TG_COMPARE_GEQUAL: return z >= depth;
   default: return true;
   }
}

static uint32_t
float_bits(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* A shape over everything with a random plane, some of them flat. */
struct plane {
   float x, y, a, da_dx, da_dy;
};

static struct plane
random_plane(void)
{
   const float slope = random_float() < 0.5f ? 0.0f : 0.01f;
   return (struct plane){
      .x = floorf(random_float() * 64),
      .y = floorf(random_float() * 64),
      .a = random_float(),
      .da_dx = (random_float() - 0.5f) * slope,
      .da_dy = (random_float() - 0.5f) * slope,
   };
}

static void
store_plane(const struct plane *plane, uint32_t *constants)
{
   constants[GPU_SHAPE_X] = float_bits(plane->x);
   constants[GPU_SHAPE_Y] = float_bits(plane->y);
   constants[GPU_SHAPE_Z] = float_bits(plane->a);
   constants[GPU_SHAPE_Z + GPU_PLANE_DX] = float_bits(plane->da_dx);
   constants[GPU_SHAPE_Z + GPU_PLANE_DY] = float_bits(plane->da_dy);
}

/* As shape.h says, held to [0, 1] and rounded by the format. */
static float
depth_at(const struct tg_resource *resource, const struct plane *plane, float x,
         float y)
{
   const float z = (plane->a + (x - plane->x) * plane->da_dx) +
                   (y - plane->y) * plane->da_dy;
   return rounded(resource, fminf(fmaxf(z, 0.0f), 1.0f));
}

/* Draws the plane into a block, or its left columns; how many pixels pass. If
 * the draw discards any, it does so with every other one. */
static unsigned
draw_block(struct tg_resource *resource, const struct plane *plane,
           const struct gpu_hiz_mode *mode, uint32_t x, uint32_t y,
           uint32_t num_columns)
{
   unsigned count = 0;
   for (uint32_t i = 0; i < 64; i++) {
      const uint32_t px = x + i % 8, py = y + i / 8;
      if (i % 8 >= num_columns || (!mode->keeps && (px + py) % 2))
         continue;
      for (uint32_t s = 0;
           px < WIDTH && py < HEIGHT && s < resource->desc.samples; s++) {
         const float z =
            depth_at(resource, plane, (float)px + 0.5f, (float)py + 0.5f);
         if (!passes((enum tg_compare)mode->func, z,
                     read_depth(resource, s, px, py)))
            continue;
         count++;
         if (mode->writes)
            write_depth(resource, s, px, py, z);
      }
   }
   return count;
}

/* Clears depth, stencil or both in a rectangle, whose sides are often those of
 * blocks. */
static void
clear_some(struct gpu_hiz *hiz, struct tg_resource *resource)
{
   const uint32_t step = random_float() < 0.5f ? 8 : 1;
   const uint32_t min_x = (uint32_t)(random_float() * 40) / step * step;
   const uint32_t min_y = (uint32_t)(random_float() * 30) / step * step;
   const struct tg_scissor area = {
      .min_x = (uint16_t)min_x,
      .min_y = (uint16_t)min_y,
      .max_x = (uint16_t)tg_min_u32(
         min_x + step + (uint32_t)(random_float() * 40) / step * step, WIDTH),
      .max_y = (uint16_t)tg_min_u32(
         min_y + step + (uint32_t)(random_float() * 30) / step * step, HEIGHT),
   };
   const struct format_info *info = format_info(resource->desc.format);
   const struct format_channel *channel =
      format_depth_channel(resource->desc.format);
   const float turn = random_float();
   const union tg_color depth = {.f = {random_float()}};
   uint8_t texel[8] = {0}, ones[8];
   memset(ones, 0xff, sizeof(ones));
   struct resource_pattern pattern =
      resource_fill_pattern(ones, info->block_bytes);
   /* All of it, all but the depth, or but a bit of it. */
   for (unsigned i = 0; i < channel->bits && turn < 0.2f; i++) {
      const unsigned bit =
         channel->shift + (turn < 0.1f ? i : channel->bits - 1u);
      pattern.mask[bit / 8] &= (uint8_t) ~(1u << bit % 8);
   }
   format_pack((enum tg_format)resource->desc.format, depth.u, texel);
   for (unsigned i = 0; i < info->block_bytes; i++)
      pattern.value[i] = texel[i] & pattern.mask[i];
   const struct resource_blocks blocks = {
      .x = area.min_x,
      .y = area.min_y,
      .width = area.max_x - (uint32_t)area.min_x,
      .height = area.max_y - (uint32_t)area.min_y,
      .depth = 1,
   };
   resource_fill(resource, &blocks, &pattern);
   gpu_hiz_clear(hiz, hiz->surface, &pattern, &area);
}

static void
hidden_blocks_have_no_pixel_that_passes(void **test)
{
   (void)test;
   unsigned num_hidden = 0;
   for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
      struct tg_resource *resource = create(formats[f], f == 2 ? 4 : 1);
      const struct tg_framebuffer_state target = {
         .size = sizeof(target),
         .width = WIDTH,
         .height = HEIGHT,
         .depth_stencil = {.resource = resource, .format = formats[f]},
      };
      const struct gpu_shape shape = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
      static struct gpu_hiz hiz;
      gpu_hiz_begin(&hiz, &target, 0, 0);
      for (int turn = 0; turn < TURNS / 6; turn++) {
         const struct plane plane = random_plane();
         const struct gpu_hiz_mode mode = {
            .hides = true,
            .writes = random_float() < 0.5f,
            .func = (uint8_t)(random_float() * 8),
            .keeps = random_float() < 0.75f,
         };
         const uint32_t num_columns = random_float() < 0.75f ? 8 : 3;
         const uint32_t x = (uint32_t)(random_float() * 8) * 8;
         const uint32_t y = (uint32_t)(random_float() * 6) * 8;
         uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
         store_plane(&plane, constants);
         if (x >= WIDTH || y >= HEIGHT)
            continue;
         if (random_float() < 0.1f)
            clear_some(&hiz, resource);
         gpu_hiz_begin_shape(&hiz, constants);
         const bool is_hidden =
            gpu_hiz_hides(&hiz, &mode, &shape, (int32_t)x, (int32_t)y);
         const unsigned count =
            draw_block(resource, &plane, &mode, x, y, num_columns);
         num_hidden += is_hidden;
         assert_false(is_hidden && count);
         for (unsigned i = 0; i < 4 && !is_hidden; i++) {
            const uint32_t px = x + i % 2 * 4, py = y + i / 2 * 4;
            const bool is_whole =
               num_columns == 8 && px + 4 <= WIDTH && py + 4 <= HEIGHT;
            gpu_hiz_note(&hiz, &mode, 0, (int32_t)px, (int32_t)py,
                         is_whole ? 4 : 2, is_whole);
         }
      }
      tg_resource_destroy(resource);
   }
   assert_true(num_hidden > TURNS / 10);
}

/* A buffer whose depths are all this one, and a framebuffer with it. */
static struct tg_resource *
create_target(enum tg_format format, float depth,
              struct tg_framebuffer_state *target)
{
   struct tg_resource *resource = create(format, 1);
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      write_depth(resource, 0, i % WIDTH, i / WIDTH, depth);
   *target = (struct tg_framebuffer_state){
      .size = sizeof(*target),
      .width = WIDTH,
      .height = HEIGHT,
      .depth_stencil = {.resource = resource, .format = format},
   };
   return resource;
}

/* With LESS, 0.6 fails against 0.5, and 0.4 passes. Small shapes read nothing.
 */
static void
what_fails_everywhere_is_hidden(void **test)
{
   (void)test;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z24_UNORM_S8_UINT, 0.5f, &target);
   const struct gpu_hiz_mode mode = {true, true, TG_COMPARE_LESS};
   const struct gpu_hiz_mode silent = {false, true, TG_COMPARE_LESS};
   const struct gpu_shape small = {
      .min_x = 8, .min_y = 8, .max_x = 9, .max_y = 9};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   store_plane(&(struct plane){.a = 0.6f}, constants);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &mode, &small, 8, 8));
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &silent, &large, 9, 10));
   gpu_hiz_begin_shape(&hiz, constants);
   assert_true(gpu_hiz_hides(&hiz, &mode, &large, 9, 10));
   gpu_hiz_begin_shape(&hiz, constants);
   assert_true(gpu_hiz_hides(&hiz, &mode, &small, 8, 8));
   gpu_hiz_begin_shape(&hiz, constants);
   assert_true(gpu_hiz_hides(&hiz, &mode, &large, WIDTH - 1, 32));
   store_plane(&(struct plane){.a = 0.4f}, constants);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &mode, &large, 9, 10));
   gpu_hiz_begin(
      &hiz,
      &(struct tg_framebuffer_state){
         .size = sizeof(struct tg_framebuffer_state), .width = 8, .height = 8},
      0, 0);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &mode, &large, 0, 0));
   tg_resource_destroy(resource);
}

/* Of one shape that is tested as a whole. */
static bool
hides_plane(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
            const struct gpu_shape *shape, const struct plane *plane)
{
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   store_plane(plane, constants);
   gpu_hiz_begin_shape(hiz, constants);
   return gpu_hiz_hides_shape(hiz, mode, shape);
}

static bool
hides_all(struct gpu_hiz *hiz, enum tg_compare func,
          const struct gpu_shape *shape, float z)
{
   const struct gpu_hiz_mode mode = {true, true, (uint8_t)func};
   return hides_plane(hiz, &mode, shape, &(struct plane){.a = z});
}

/* Three blocks each way are small and four are not. A shape at 0.6 may be seen
 * where one depth of 0.7 is among 0.5, and one at 0.8 once 0.9 was drawn. */
static void
small_shapes_are_tested_as_a_whole(void **test)
{
   (void)test;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z24_UNORM_S8_UINT, 0.5f, &target);
   write_depth(resource, 0, 31, 15, 0.7f);
   const struct gpu_shape two = {
      .min_x = 8, .min_y = 8, .max_x = 23, .max_y = 15};
   const struct gpu_shape three = {
      .min_x = 8, .min_y = 8, .max_x = 31, .max_y = 31};
   const struct gpu_shape four = {
      .min_x = 8, .min_y = 8, .max_x = 32, .max_y = 15};
   const struct gpu_shape high = {
      .min_x = 8, .min_y = 7, .max_x = 15, .max_y = 31};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   assert_true(gpu_hiz_is_small(&hiz, &three));
   assert_false(gpu_hiz_is_small(&hiz, &four));
   assert_false(gpu_hiz_is_small(&hiz, &high));
   assert_false(hides_all(&hiz, TG_COMPARE_LESS, &three, 0.6f));
   assert_int_equal(gpu_hiz_num_hidden(&hiz), 0);
   assert_true(hides_all(&hiz, TG_COMPARE_LESS, &two, 0.6f));
   assert_int_equal(gpu_hiz_num_hidden(&hiz), 2);
   assert_true(hides_all(&hiz, TG_COMPARE_LESS, &three, 0.8f));
   assert_int_equal(gpu_hiz_num_hidden(&hiz), 9);
   assert_false(hides_all(&hiz, TG_COMPARE_GREATER, &two, 0.9f));
   assert_false(hides_all(&hiz, TG_COMPARE_LESS, &two, 0.8f));
   assert_true(hides_all(&hiz, TG_COMPARE_LESS, &two, 0.95f));
   tg_resource_destroy(resource);
}

/* A block is read for a shape of 8 by 8 pixels, and not for a few: these may be
 * seen as long as one of their blocks is not known. What is drawn with no test
 * has bounds, too. */
static void
small_shapes_are_hidden_by_what_is_known(void **test)
{
   (void)test;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z32_FLOAT, 0.5f, &target);
   const struct gpu_shape block = {.min_x = 8, .max_x = 15, .max_y = 7};
   const struct gpu_shape within = {.min_x = 8, .max_x = 9, .max_y = 1};
   const struct gpu_shape before = {.min_x = 7, .max_x = 8, .max_y = 1};
   const struct gpu_shape after = {.min_x = 15, .max_x = 16, .max_y = 1};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   assert_false(hides_all(&hiz, TG_COMPARE_LESS, &within, 0.6f));
   assert_true(hides_all(&hiz, TG_COMPARE_LESS, &block, 0.6f));
   assert_true(hides_all(&hiz, TG_COMPARE_LESS, &within, 0.6f));
   assert_false(hides_all(&hiz, TG_COMPARE_LESS, &before, 0.6f));
   assert_false(hides_all(&hiz, TG_COMPARE_LESS, &after, 0.6f));
   assert_false(hides_all(&hiz, TG_COMPARE_ALWAYS, &within, 0.7f));
   assert_false(hides_all(&hiz, TG_COMPARE_LESS, &within, 0.6f));
   assert_true(hides_all(&hiz, TG_COMPARE_LESS, &within, 0.8f));
   tg_resource_destroy(resource);
}

/* Of 16 by 8 pixels only the last column, or row, passes: 0.49 against 0.5, and
 * 0.53 before it. */
static void
bounds_of_small_shapes_reach_the_last_pixel(void **test)
{
   (void)test;
   static const struct plane planes[] = {
      {.x = 15.5f, .a = 0.49f, .da_dx = -0.04f},
      {.y = 7.5f, .a = 0.49f, .da_dy = -0.04f},
   };
   const struct gpu_shape shape = {.max_x = 15, .max_y = 7};
   const struct gpu_hiz_mode mode = {.hides = true, .func = TG_COMPARE_LESS};
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z32_FLOAT, 0.5f, &target);
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   for (unsigned i = 0; i < TG_LENGTH(planes); i++) {
      struct plane plane = planes[i];
      assert_false(hides_plane(&hiz, &mode, &shape, &plane));
      plane.a = 0.55f;
      assert_true(hides_plane(&hiz, &mode, &shape, &plane));
   }
   tg_resource_destroy(resource);
}

/* What a small shape hides has no pixel that passes. */
static void
hidden_small_shapes_have_no_pixels(void **test)
{
   (void)test;
   unsigned num_hidden = 0;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z32_FLOAT, 0.5f, &target);
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   for (int turn = 0; turn < TURNS; turn++) {
      const struct plane plane = random_plane();
      const struct gpu_hiz_mode mode = {
         .hides = true,
         .writes = random_float() < 0.5f,
         .func = (uint8_t)(random_float() * 8),
      };
      const uint32_t x = (uint32_t)(random_float() * (WIDTH / 8 - 1)) * 8;
      const uint32_t y = (uint32_t)(random_float() * (HEIGHT / 8)) * 8;
      const struct gpu_shape shape = {.min_x = (int32_t)x,
                                      .min_y = (int32_t)y,
                                      .max_x = (int32_t)x + 15,
                                      .max_y = (int32_t)y + 7};
      const bool is_hidden = hides_plane(&hiz, &mode, &shape, &plane);
      unsigned count = draw_block(resource, &plane, &mode, x, y, 8);
      count += draw_block(resource, &plane, &mode, x + 8, y, 8);
      num_hidden += is_hidden;
      assert_false(is_hidden && count);
   }
   assert_true(num_hidden > TURNS / 20);
   tg_resource_destroy(resource);
}

/* The pattern of a clear of the depth, or of what else there is. */
static struct resource_pattern
pattern_of(enum tg_format format, float depth, bool is_depth)
{
   const struct format_info *info = format_info(format);
   const union tg_color color = {.f = {depth}};
   uint8_t texel[8] = {0};
   format_pack(format, color.u, texel);
   struct resource_pattern pattern =
      resource_fill_pattern(texel, info->block_bytes);
   /* Z24_UNORM_S8_UINT has its stencil in the highest byte. */
   memset(pattern.mask, is_depth ? 0xff : 0, 3);
   pattern.mask[3] = is_depth ? 0 : 0xff;
   for (unsigned i = 0; i < 4; i++)
      pattern.value[i] &= pattern.mask[i];
   return pattern;
}

/* Bounds follow from a clear of whole blocks: nothing is in the buffer, which
 * is 1.0 everywhere and would hide nothing. */
static void
clears_are_bounds(void **test)
{
   (void)test;
   const enum tg_format format = TG_FORMAT_Z24_UNORM_S8_UINT;
   struct tg_resource *resource = create(format, 1);
   struct tg_resource *other = create(format, 1);
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      write_depth(resource, 0, i % WIDTH, i / WIDTH, 1.0f);
   const struct tg_framebuffer_state target = {
      .size = sizeof(target),
      .width = WIDTH,
      .height = HEIGHT,
      .depth_stencil = {.resource = resource, .format = format},
   };
   const struct tg_surface elsewhere = {.resource = other, .format = format};
   const struct gpu_hiz_mode mode = {true, true, TG_COMPARE_LESS};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   const struct tg_scissor all = {0, 0, WIDTH, HEIGHT};
   const struct tg_scissor some = {9, 8, 16, 16};
   const struct resource_pattern half = pattern_of(format, 0.5f, true);
   const struct resource_pattern stencil = pattern_of(format, 0.0f, false);
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   static struct gpu_hiz hiz;
   static const struct {
      int32_t x, y;
   } places[] = {{8, 8}, {0, 0}, {WIDTH - 1, HEIGHT - 1}};
   store_plane(&(struct plane){.a = 0.6f}, constants);
   for (unsigned i = 0; i < 3; i++) {
      const int32_t x = places[i].x, y = places[i].y;
      gpu_hiz_begin(&hiz, &target, 0, 0);
      gpu_hiz_clear(&hiz, &elsewhere, &half, &all);
      gpu_hiz_begin_shape(&hiz, constants);
      assert_false(gpu_hiz_hides(&hiz, &mode, &large, x, y));
      gpu_hiz_clear(&hiz, &target.depth_stencil, &half, &all);
      gpu_hiz_begin_shape(&hiz, constants);
      assert_true(gpu_hiz_hides(&hiz, &mode, &large, x, y));
      gpu_hiz_clear(&hiz, &target.depth_stencil, &stencil, &all);
      gpu_hiz_begin_shape(&hiz, constants);
      assert_true(gpu_hiz_hides(&hiz, &mode, &large, x, y));
      gpu_hiz_clear(&hiz, &target.depth_stencil, &half, &some);
      gpu_hiz_begin_shape(&hiz, constants);
      assert_int_equal(gpu_hiz_hides(&hiz, &mode, &large, x, y), i != 0);
   }
   tg_resource_destroy(other);
   tg_resource_destroy(resource);
}

static void
count_call(void *user, uint32_t x, uint32_t y)
{
   assert_int_equal(x, 8);
   assert_int_equal(y, 16);
   ++*(unsigned *)user;
}

/* What is still to be drawn comes before the buffer is read. */
static void
the_buffer_is_settled_before_it_is_read(void **test)
{
   (void)test;
   struct tg_resource *resource = create(TG_FORMAT_Z32_FLOAT, 1);
   const struct tg_framebuffer_state target = {
      .size = sizeof(target),
      .width = WIDTH,
      .height = HEIGHT,
      .depth_stencil = {.resource = resource, .format = TG_FORMAT_Z32_FLOAT},
   };
   const struct gpu_hiz_mode mode = {true, true, TG_COMPARE_LESS};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   unsigned num_calls = 0;
   static struct gpu_hiz hiz;
   hiz.settle = count_call;
   hiz.user = &num_calls;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   gpu_hiz_begin_shape(&hiz, constants);
   gpu_hiz_hides(&hiz, &mode, &large, 8, 16);
   assert_int_equal(num_calls, 1);
   gpu_hiz_begin_shape(&hiz, constants);
   gpu_hiz_hides(&hiz, &mode, &large, 8, 16);
   assert_int_equal(num_calls, 1);
   tg_resource_destroy(resource);
}

/* Against 0.5: clamped to at most 0.25, 0.75 passes with LESS; clamped to at
 * least 0.625, 0.1 passes with GREATER. */
static void
clamped_depths_are_where_they_are_held(void **test)
{
   (void)test;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z32_FLOAT, 0.5f, &target);
   const struct gpu_hiz_mode less = {true, true, TG_COMPARE_LESS, true};
   const struct gpu_hiz_mode greater = {true, true, TG_COMPARE_GREATER, true};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   store_plane(&(struct plane){.a = 0.75f}, constants);
   constants[GPU_SHAPE_MIN_DEPTH] = float_bits(0.0f);
   constants[GPU_SHAPE_MAX_DEPTH] = float_bits(0.25f);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &less, &large, 8, 8));
   constants[GPU_SHAPE_MAX_DEPTH] = float_bits(1.0f);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_true(gpu_hiz_hides(&hiz, &less, &large, 8, 8));
   store_plane(&(struct plane){.a = 0.1f}, constants);
   constants[GPU_SHAPE_MIN_DEPTH] = float_bits(0.625f);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &greater, &large, 8, 8));
   tg_resource_destroy(resource);
}

/* Notes that 0.5 is drawn in the four parts of the block at (8, 8), of which so
 * many are covered wholly; is `z` hidden there then? The buffer keeps what
 * hides nothing, so that it follows from the notes alone. */
static bool
hides_after(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
            unsigned num_whole, float z)
{
   const struct gpu_hiz_mode test = {true, true, mode->func, .keeps = true};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      write_depth(hiz->surface->resource, 0, i % WIDTH, i / WIDTH,
                  mode->func == TG_COMPARE_LESS ? 1.0f : 0.0f);
   store_plane(&(struct plane){.a = 0.5f}, constants);
   gpu_hiz_forget(hiz);
   gpu_hiz_begin_shape(hiz, constants);
   assert_false(gpu_hiz_hides(hiz, mode, &large, 8, 8));
   for (unsigned i = 0; i < 4; i++)
      gpu_hiz_note(hiz, mode, 0, (int32_t)(8 + i % 2 * 4),
                   (int32_t)(8 + i / 2 * 4), 4, i < num_whole);
   store_plane(&(struct plane){.a = z}, constants);
   gpu_hiz_begin_shape(hiz, constants);
   return gpu_hiz_hides(hiz, &test, &large, 8, 8);
}

/* A draw that must not be tested, as one whose fragments change the stencil
 * where they fail, writes any depth: after it neither side is a bound. Depths
 * of 0.5 hide 0.25 from GREATER only as long as nothing less is written. */
static void
what_is_not_asked_for_has_no_bounds(void **test)
{
   (void)test;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z32_FLOAT, 0.5f, &target);
   const struct gpu_hiz_mode reads = {true, false, TG_COMPARE_GREATER};
   const struct gpu_hiz_mode silent = {false, true, TG_COMPARE_LESS};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   store_plane(&(struct plane){.a = 0.25f}, constants);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_true(gpu_hiz_hides(&hiz, &reads, &large, 8, 8));
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &silent, &large, 8, 8));
   gpu_hiz_note(&hiz, &silent, 0, 8, 8, 1, 0);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &reads, &large, 8, 8));
   assert_true(gpu_hiz_hides(&hiz, &reads, &large, 16, 8));
   tg_resource_destroy(resource);
}

/* Kernels round z after each sum: what is hidden by less than that is not
 * hidden. */
static void
planes_have_room_for_rounding(void **test)
{
   (void)test;
   struct tg_framebuffer_state target;
   struct tg_resource *resource =
      create_target(TG_FORMAT_Z32_FLOAT, 0.75f, &target);
   const struct gpu_hiz_mode mode = {true, false, TG_COMPARE_LESS};
   const struct gpu_shape large = {.max_x = WIDTH - 1, .max_y = HEIGHT - 1};
   uint32_t constants[GPU_MAX_SHAPE_WORDS] = {0};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   store_plane(&(struct plane){.a = 0.75f + 0x1p-23f}, constants);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_false(gpu_hiz_hides(&hiz, &mode, &large, 8, 8));
   store_plane(&(struct plane){.a = 0.75f + 0x1p-20f}, constants);
   gpu_hiz_begin_shape(&hiz, constants);
   assert_true(gpu_hiz_hides(&hiz, &mode, &large, 8, 8));
   tg_resource_destroy(resource);
}

static void
what_covers_a_block_bounds_it(void **test)
{
   (void)test;
   struct tg_resource *resource = create(TG_FORMAT_Z24_UNORM_S8_UINT, 1);
   const struct tg_framebuffer_state target = {
      .size = sizeof(target),
      .width = WIDTH,
      .height = HEIGHT,
      .depth_stencil = {.resource = resource,
                        .format = TG_FORMAT_Z24_UNORM_S8_UINT},
   };
   const struct gpu_hiz_mode less = {true, true, TG_COMPARE_LESS,
                                     .keeps = true};
   const struct gpu_hiz_mode greater = {true, true, TG_COMPARE_GEQUAL,
                                        .keeps = true};
   const struct gpu_hiz_mode discards = {true, true, TG_COMPARE_LESS};
   const struct gpu_hiz_mode reads = {true, false, TG_COMPARE_LESS,
                                      .keeps = true};
   static struct gpu_hiz hiz;
   gpu_hiz_begin(&hiz, &target, 0, 0);
   assert_true(hides_after(&hiz, &less, 4, 0.6f));
   assert_false(hides_after(&hiz, &less, 4, 0.4f));
   assert_false(hides_after(&hiz, &less, 3, 0.6f));
   assert_true(hides_after(&hiz, &greater, 4, 0.4f));
   assert_false(hides_after(&hiz, &greater, 4, 0.6f));
   assert_false(hides_after(&hiz, &discards, 4, 0.6f));
   assert_false(hides_after(&hiz, &reads, 4, 0.6f));
   tg_resource_destroy(resource);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(hidden_blocks_have_no_pixel_that_passes),
      cmocka_unit_test(clears_are_bounds),
      cmocka_unit_test(the_buffer_is_settled_before_it_is_read),
      cmocka_unit_test(what_fails_everywhere_is_hidden),
      cmocka_unit_test(small_shapes_are_tested_as_a_whole),
      cmocka_unit_test(small_shapes_are_hidden_by_what_is_known),
      cmocka_unit_test(bounds_of_small_shapes_reach_the_last_pixel),
      cmocka_unit_test(hidden_small_shapes_have_no_pixels),
      cmocka_unit_test(clamped_depths_are_where_they_are_held),
      cmocka_unit_test(what_covers_a_block_bounds_it),
      cmocka_unit_test(what_is_not_asked_for_has_no_bounds),
      cmocka_unit_test(planes_have_room_for_rounding),
   };
   return cmocka_run_group_tests_name("gpu: hiz", tests, NULL, NULL);
}
