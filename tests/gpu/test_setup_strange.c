/* SPDX-License-Identifier: MIT
 *
 * Any bits as vertices, with any state that can be set: what comes out keeps
 * within the bounds that the rasteriser and the fragments rely on.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"
#include "util/bits.h"

enum { SIZE = CANVAS_SIZE };

/* Often an ordinary number, sometimes one of the others that floats can be. */
static uint32_t
random_bits(uint32_t *seed)
{
   static const float strange[] = {0,        -0.0f,     INFINITY,  -INFINITY,
                                   NAN,      0x1p-149f, 0x1p-126f, -0x1p-140f,
                                   0x1p127f, -0x1p127f, 1,         -1};
   const uint32_t count = sizeof(strange) / sizeof(*strange);
   switch (random_below(seed, 40)) {
   case 0: return tg_bits_of_float(strange[random_below(seed, count)]);
   case 1:
      return random_below(seed, 1u << 16) << 16 | random_below(seed, 1u << 16);
   default:
      return tg_bits_of_float(
         ((float)random_below(seed, 1 << 24) / (1 << 23) - 1) *
         (random_below(seed, 4) ? 2.0f : 100000.0f));
   }
}

static bool
flip(uint32_t *seed)
{
   return random_below(seed, 2);
}

static void
choose_rasterizer(struct tg_rasterizer_state *rasterizer, uint32_t *seed)
{
   *rasterizer = (struct tg_rasterizer_state){
      .size = sizeof(struct tg_rasterizer_state),
      .front_ccw = flip(seed),
      .cull_face = (uint8_t)(random_below(seed, 3) ? 0 : random_below(seed, 4)),
      .fill_front = (uint8_t)random_below(seed, 3),
      .fill_back = (uint8_t)random_below(seed, 3),
      .offset_point = flip(seed),
      .offset_line = flip(seed),
      .offset_tri = flip(seed),
      .offset_units = 3e38f,
      .offset_scale = flip(seed) ? -3e38f : 1,
      .scissor = !random_below(seed, 4),
      .poly_smooth = flip(seed),
      .poly_stipple_enable = flip(seed),
      .point_smooth = flip(seed),
      .point_quad_rasterization = flip(seed),
      .point_size_per_vertex = flip(seed),
      .point_size = (float)random_below(seed, 5000),
      .point_tri_clip = flip(seed),
      .line_smooth = flip(seed),
      .line_stipple_enable = flip(seed),
      .line_last_pixel = flip(seed),
      .line_rectangular = flip(seed),
      .line_width = (float)random_below(seed, 500),
      .line_stipple_factor = (uint8_t)(4 + random_below(seed, 252)),
      .line_stipple_pattern = (uint16_t)random_below(seed, 1u << 16),
      .multisample = flip(seed),
      .half_pixel_center = flip(seed),
      .bottom_edge_rule = flip(seed),
      .clip_halfz = flip(seed),
      .depth_clip_near = flip(seed),
      .depth_clip_far = flip(seed),
      .depth_clamp = flip(seed),
      .clip_plane_enable = (uint8_t)(flip(seed) ? 0 : random_below(seed, 256)),
   };
}

/* A number that a viewport may have. */
static float
random_scale(uint32_t *seed)
{
   const float reach = random_below(seed, 4) ? SIZE : TG_MAX_VIEWPORT_REACH;
   return ((float)random_below(seed, 2049) / 1024 - 1) * reach;
}

static void
choose_state(struct canvas *canvas, uint32_t *seed)
{
   choose_rasterizer(&canvas->rasterizer.state, seed);
   for (int i = 0; i < 3 && flip(seed); i++) {
      canvas->state.viewports[0].scale[i] = random_scale(seed);
      canvas->state.viewports[0].translate[i] = random_scale(seed);
   }
   canvas->state.scissors[0] = (struct tg_scissor){
      (uint16_t)random_below(seed, 200), (uint16_t)random_below(seed, 200),
      (uint16_t)random_below(seed, 65536), (uint16_t)random_below(seed, 65536)};
   for (int i = 0; i < TG_MAX_CLIP_PLANES * 4; i++)
      ((uint32_t *)canvas->state.clip_planes)[i] = random_bits(seed);
   canvas->layout.is_window_space = !random_below(seed, 4);
   canvas->layout.point_size = 1;
   canvas->layout.edge_flag = flip(seed) ? 2 : GPU_NO_REGISTER;
   canvas->layout.clip_distance[0] = flip(seed) ? 7 : GPU_NO_REGISTER;
   canvas->layout.num_clip_distances = (uint8_t)random_below(seed, 5);
   canvas->layout.num_cull_distances = (uint8_t)random_below(seed, 2);
   canvas->interface.wrap[0] = 15;
   canvas->interface.is_sprite[0] = flip(seed);
}

static void
check_shape(const struct gpu_shape *shape)
{
   assert_true(shape->min_x >= 0 && shape->max_x < SIZE);
   assert_true(shape->min_y >= 0 && shape->max_y < SIZE);
   assert_true(shape->min_x <= shape->max_x && shape->min_y <= shape->max_y);
   assert_true(shape->num_edges <= GPU_MAX_EDGES);
   /* So that a block of 4 by 4 pixels changes 256ths of it by less than 2^31.
    */
   for (unsigned i = 0; i < shape->num_edges; i++)
      assert_true(llabs(shape->edge[i].a) + llabs(shape->edge[i].b) < 1 << 29);
}

static void
anything_is_harmless(void **test)
{
   (void)test;
   uint32_t seed = 1;
   int num_drawn = 0;
   for (int round = 0; round < 10000; round++) {
      struct canvas *canvas = canvas_create(1u << round % 5);
      uint32_t vertices[3][sizeof(struct record) / 4];
      struct gpu_setup_primitive primitive = {
         .num_vertices = (uint8_t)(1 + round % 3), .edges = 7};
      choose_state(canvas, &seed);
      for (int i = 0; i < 3; i++) {
         for (size_t k = 0; k < sizeof(struct record) / 4; k++)
            vertices[i][k] = random_bits(&seed);
         /* Mostly in front of the eye. */
         if (random_below(&seed, 4))
            vertices[i][3] &= 0x3fffffff;
         primitive.vertex[i] = vertices[i];
      }
      assert_true(canvas_draw_primitive(canvas, &primitive));
      for (uint32_t i = 0; i < canvas->num_shapes; i++)
         check_shape(&canvas->shapes[i]);
      num_drawn += canvas->num_shapes != 0;
      canvas_destroy(canvas);
   }
   assert_true(num_drawn > 1200);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(anything_is_harmless),
   };
   return cmocka_run_group_tests_name("gpu: strange primitives", tests, NULL,
                                      NULL);
}
