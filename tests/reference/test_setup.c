/* SPDX-License-Identifier: MIT
 *
 * Setup and rasteriser by themselves, without shaders: how often they cover the
 * samples of a picture with random primitives, against the reference.
 *
 * usage: test_setup [PRIMITIVES] of each style for each number of samples
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../gpu/canvas.h"
#include "cases.h"

enum { BATCH = 500 };

static int num_primitives = 300;

static uint16_t expected[CASE_SIZE][CASE_SIZE][REF_MAX_SAMPLES];
static bool is_open[CASE_SIZE][CASE_SIZE][REF_MAX_SAMPLES];

static void
count_samples(const struct ref_shape *shape)
{
   const struct ref_bounds bounds = ref_get_bounds(shape);
   for (int y = bounds.min_y; y < bounds.max_y; y++) {
      for (int x = bounds.min_x; x < bounds.max_x; x++) {
         for (int s = 0; s < shape->setup->num_samples; s++) {
            const enum ref_cover cover = ref_covers(shape, x, y, s);
            expected[y][x][s] += cover == REF_IN;
            is_open[y][x][s] |= cover == REF_OPEN;
         }
      }
   }
}

/* Draws it on the canvas, too, unless nothing can be concluded from it. */
static void
draw(struct canvas *canvas, const struct ref_setup *setup, enum ref_kind kind,
     const struct rig_vertex *vertices)
{
   struct record records[3] = {{{0}}};
   struct ref_vertex v[3];
   struct ref_shape shapes[REF_MAX_SHAPES];
   bool is_unknown = false;
   for (int i = 0; i < (int)kind; i++) {
      const struct rig_vertex *from = &vertices[i];
      v[i] = rig_ref_vertex(from);
      memcpy(records[i].position, from->position, sizeof(from->position));
      memcpy(records[i].distance, from->clip_distance,
             sizeof(from->clip_distance));
      records[i].point_size[0] = from->point_size;
      records[i].edge_flag[0] = from->edge_flag;
   }
   const int count = ref_make_shapes(setup, kind, v, shapes, &is_unknown);
   if (is_unknown)
      return;
   for (int i = 0; i < count; i++)
      count_samples(&shapes[i]);
   struct gpu_setup_primitive primitive =
      canvas_primitive(records, (unsigned)kind);
   primitive.restarts_stipple = true;
   assert_true(canvas_draw_primitive(canvas, &primitive));
}

static struct canvas *
make_canvas(const struct ref_setup *setup)
{
   struct canvas *canvas = canvas_create((uint32_t)setup->num_samples);
   canvas->rasterizer.state = setup->rasterizer;
   canvas->state.viewports[0] = setup->viewport;
   canvas->state.scissors[0] = setup->scissor;
   memcpy(canvas->state.polygon_stipple, setup->stipple,
          sizeof(setup->stipple));
   /* Registers of a record, in its order. */
   canvas->layout.point_size = 1;
   canvas->layout.edge_flag = 2;
   canvas->layout.clip_distance[0] = 7;
   canvas->layout.clip_distance[1] = 8;
   canvas->layout.num_clip_distances = 8;
   return canvas;
}

static void
compare(const struct canvas *canvas, const struct style *style, int num_samples)
{
   for (int y = 0; y < CASE_SIZE; y++) {
      for (int x = 0; x < CASE_SIZE; x++) {
         for (int s = 0; s < num_samples; s++) {
            if (!is_open[y][x][s] &&
                canvas->count[y][x][s] != expected[y][x][s])
               fail_msg("%s, %d samples: sample %d of pixel (%d, %d) is "
                        "covered %d times, not %d",
                        style->name, num_samples, s, x, y,
                        canvas->count[y][x][s], expected[y][x][s]);
         }
      }
   }
}

static void
run_style(const struct style *style, int num_samples, uint64_t *seed)
{
   const int count = num_primitives / (style->share ? style->share : 1);
   for (int done = 0; done < count; done += BATCH) {
      const struct ref_setup setup = style_setup(style, num_samples, seed);
      struct canvas *canvas = make_canvas(&setup);
      memset(expected, 0, sizeof(expected));
      memset(is_open, 0, sizeof(is_open));
      for (int i = done; i < count && i < done + BATCH; i++) {
         struct rig_vertex vertices[3];
         style_primitive(style, seed, vertices);
         draw(canvas, &setup, style->kind, vertices);
      }
      compare(canvas, style, num_samples);
      canvas_destroy(canvas);
   }
}

static void
shapes_cover_what_the_reference_says(void **test)
{
   const int num_samples = *(const int *)*test;
   uint64_t seed = (uint64_t)num_samples;
   for (int i = 0; i < num_styles; i++)
      run_style(&styles[i], num_samples, &seed);
}

int
main(int argc, char **argv)
{
   static int counts[] = {1, 2, 4, 8, 16};
#define CASE(i)                                                                \
   {                                                                           \
      .name = "shapes", .test_func = shapes_cover_what_the_reference_says,     \
      .initial_state = &counts[i]                                              \
   }
   const struct CMUnitTest tests[] = {CASE(0), CASE(1), CASE(2), CASE(3),
                                      CASE(4)};
   if (argc > 1)
      num_primitives = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
