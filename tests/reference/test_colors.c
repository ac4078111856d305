/* SPDX-License-Identifier: MIT
 *
 * Colours and depths of random primitives, by every way to interpolate, against
 * the reference. Fragments write what they read into a buffer of floats.
 *
 * usage: test_colors [PRIMITIVES] of each case
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../state.h"
#include "random.h"
#include "rig.h"

enum { SIZE = 128, MAX_BATCH = 200 };

static int num_primitives = 50;

/* ---- cases --------------------------------------------------------------- */

enum place { CENTER, CENTROID, SAMPLE };

struct style {
   const char *declaration; /* of the input, behind the comma */
   enum ref_interpolation interpolation;
   enum place place;
   enum ref_kind kind;
   bool is_offset;
};

static const struct style styles[] = {
   {"CONSTANT", REF_CONSTANT, CENTER, REF_TRIANGLE},
   {"LINEAR", REF_LINEAR, CENTER, REF_TRIANGLE},
   {"PERSPECTIVE", REF_PERSPECTIVE, CENTER, REF_TRIANGLE},
   {"LINEAR, CENTROID", REF_LINEAR, CENTROID, REF_TRIANGLE},
   {"PERSPECTIVE, CENTROID", REF_PERSPECTIVE, CENTROID, REF_TRIANGLE},
   {"LINEAR, SAMPLE", REF_LINEAR, SAMPLE, REF_TRIANGLE},
   {"PERSPECTIVE, SAMPLE", REF_PERSPECTIVE, SAMPLE, REF_TRIANGLE},
   {"PERSPECTIVE", REF_PERSPECTIVE, CENTER, REF_TRIANGLE, true},
   {"LINEAR", REF_LINEAR, CENTER, REF_LINE},
   {"PERSPECTIVE", REF_PERSPECTIVE, CENTER, REF_LINE},
   {"CONSTANT", REF_CONSTANT, CENTER, REF_LINE},
   {"PERSPECTIVE", REF_PERSPECTIVE, CENTER, REF_POINT},
};

/* ---- primitives ---------------------------------------------------------- */

/* Positions have bits to spare; near and far vertices meet in one triangle. */
static void
make_primitive(const struct style *style, uint64_t *seed,
               struct rig_vertex *vertices)
{
   const double x = random_between(seed, 0, SIZE);
   const double y = random_between(seed, 0, SIZE);
   const double reach = random_once_in(seed, 8) ? 100 : 20;
   for (int i = 0; i < (int)style->kind; i++) {
      struct rig_vertex *v = &vertices[i];
      const double w = pow(2, random_between(seed, -4, 4));
      const double at[2] = {x + random_between(seed, -reach, reach),
                            y + random_between(seed, -reach, reach)};
      for (int c = 0; c < 2; c++)
         v->position[c] = (float)((at[c] / (SIZE / 2) - 1) * w);
      v->position[2] = (float)(random_between(seed, -0.9, 0.9) * w);
      v->position[3] = (float)w;
      for (int c = 0; c < 4; c++)
         v->attribute[0][c] = (float)random_between(seed, 0, 1);
   }
}

/* ---- the reference ------------------------------------------------------- */

/* What a sample may hold. */
struct seen {
   bool is_open;
   bool is_drawn;
   int num_choices;
   double color[REF_MAX_SAMPLES + 1][4];
   double depth, depth_slack;
};

static struct seen seen[REF_MAX_SAMPLES][SIZE][SIZE];

static struct ref_place
place_in(const struct ref_setup *setup, int x, int y, int sample)
{
   const bool is_centre = sample < 0;
   const struct ref_place place = ref_sample_place(
      is_centre ? 1 : setup->num_samples, is_centre ? 0 : sample);
   return (struct ref_place){x * REF_SUBPIXELS + place.x,
                             y * REF_SUBPIXELS + place.y};
}

static void
add_choice(const struct ref_shape *shape, const struct style *style,
           struct ref_place at, struct seen *s)
{
   ref_interpolate(shape, at, 0, style->interpolation,
                   s->color[s->num_choices++]);
}

/* The places where the rules let a value be taken: of CENTROID the centre if it
 * is covered, else any sample that is. */
static void
add_colors(const struct ref_shape *shape, const struct style *style, int x,
           int y, int sample, struct seen *s)
{
   const struct ref_setup *setup = shape->setup;
   const struct ref_place centre = place_in(setup, x, y, -1);
   const bool is_inside =
      style->place == CENTROID && ref_triangle_covers(shape, centre) == REF_IN;
   s->num_choices = 0;
   if (style->place == SAMPLE)
      add_choice(shape, style, place_in(setup, x, y, sample), s);
   else if (style->place == CENTER || is_inside)
      add_choice(shape, style, centre, s);
   if (style->place != CENTROID)
      return;
   for (int i = 0; i < setup->num_samples; i++) {
      if (ref_covers(shape, x, y, i) != REF_OUT)
         add_choice(shape, style, place_in(setup, x, y, i), s);
   }
}

static void
see(const struct ref_shape *shape, const struct style *style, int x, int y,
    int sample)
{
   struct seen *s = &seen[sample][y][x];
   const enum ref_cover cover = ref_covers(shape, x, y, sample);
   const struct ref_place at = place_in(shape->setup, x, y, sample);
   if (cover == REF_OUT)
      return;
   if (cover == REF_OPEN) {
      s->is_open = true;
      return;
   }
   *s = (struct seen){.is_drawn = true};
   add_colors(shape, style, x, y, sample, s);
   s->depth = ref_depth(shape, at);
   /* A float's step for each of the values that it is a sum of. */
   const struct ref_place aside = {at.x + 20 * REF_SUBPIXELS, at.y};
   const struct ref_place below = {at.x, at.y + 20 * REF_SUBPIXELS};
   s->depth_slack = 0x1p-22 * (1 + fabs(ref_depth(shape, aside) - s->depth) +
                               fabs(ref_depth(shape, below) - s->depth));
   s->depth = fmin(fmax(s->depth, 0), 1);
}

static bool
draw_reference(const struct ref_setup *setup, const struct style *style,
               const struct rig_vertex *vertices)
{
   struct ref_vertex v[3];
   struct ref_shape shape[REF_MAX_SHAPES];
   bool is_open = false;
   for (int i = 0; i < (int)style->kind; i++)
      v[i] = rig_ref_vertex(&vertices[i]);
   const int count = ref_make_shapes(setup, style->kind, v, shape, &is_open);
   if (is_open)
      return false;
   if (!count)
      return true;
   const struct ref_bounds bounds = ref_get_bounds(shape);
   for (int y = bounds.min_y; y < bounds.max_y; y++) {
      for (int x = bounds.min_x; x < bounds.max_x; x++) {
         for (int s = 0; s < setup->num_samples; s++)
            see(shape, style, x, y, s);
      }
   }
   return true;
}

/* ---- comparing ----------------------------------------------------------- */

struct score {
   uint64_t samples;
   double color, depth; /* greatest differences, the latter in slacks */
};

static double
color_difference(const float is[4], const double expected[4])
{
   double difference = 0;
   for (int c = 0; c < 4; c++) {
      /* What lies outside of the triangle may be anything; floats are as near
       * to that as to 1. */
      const double scale = fmax(1, fabs(expected[c]));
      const double d = fabs((double)is[c] - expected[c]) / scale;
      difference = d > difference || isnan(d) ? d : difference;
   }
   return difference;
}

static void
compare_sample(const struct style *style, int x, int y, int sample,
               const float color[4], float depth, struct score *score)
{
   const struct seen *s = &seen[sample][y][x];
   double best = INFINITY;
   for (int i = 0; i < s->num_choices; i++)
      best = fmin(best, color_difference(color, s->color[i]));
   if (!(best <= 1.0 / 255))
      fail_msg("%s: sample %d of pixel (%d, %d) is (%g, %g, %g, %g), not (%g, "
               "%g, %g, %g)",
               style->declaration, sample, x, y, (double)color[0],
               (double)color[1], (double)color[2], (double)color[3],
               s->color[0][0], s->color[0][1], s->color[0][2], s->color[0][3]);
   const double off = fabs((double)depth - s->depth) / s->depth_slack;
   if (!(off <= 1))
      fail_msg("%s: the depth of sample %d of pixel (%d, %d) is %.9g, not %.9g",
               style->declaration, sample, x, y, (double)depth, s->depth);
   score->samples++;
   score->color = fmax(score->color, best);
   score->depth = fmax(score->depth, off);
}

static void
compare(struct rig *rig, const struct style *style, int num_samples,
        struct score *score)
{
   static float color[SIZE][SIZE][4], depth[SIZE][SIZE];
   for (int s = 0; s < num_samples; s++) {
      rig_read(rig, rig_color(rig), s, color);
      rig_read(rig, rig_depth(rig), s, depth);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            if (seen[s][y][x].is_drawn && !seen[s][y][x].is_open)
               compare_sample(style, x, y, s, color[y][x], depth[y][x], score);
         }
      }
   }
}

/* ---- draws --------------------------------------------------------------- */

static void
run_batch(struct rig *rig, const struct style *style,
          const struct ref_setup *setup, int num_drawn, uint64_t *seed,
          struct score *score)
{
   static struct rig_vertex vertices[MAX_BATCH * 3];
   static const enum tg_prim modes[] = {
      [REF_POINT] = TG_PRIM_POINTS,
      [REF_LINE] = TG_PRIM_LINES,
      [REF_TRIANGLE] = TG_PRIM_TRIANGLES,
   };
   const int first_resource = rig->num_resources;
   uint32_t count = 0;
   memset(seen, 0, sizeof(seen));
   for (int i = 0; i < num_drawn; i++) {
      make_primitive(style, seed, &vertices[count]);
      if (draw_reference(setup, style, &vertices[count]))
         count += style->kind;
   }
   rig_clear(rig);
   rig_set_vertices(rig, vertices, count);
   rig_draw(rig, modes[style->kind], count);
   compare(rig, style, setup->num_samples, score);
   rig_drop_resources(rig, first_resource);
}

static void
set_state(struct rig *rig, struct ref_setup *setup, const struct style *style,
          uint64_t *seed)
{
   struct tg_rasterizer_state *r = &setup->rasterizer;
   r->flatshade_first = random_below(seed, 2);
   r->point_quad_rasterization = true;
   r->point_size = 5;
   r->line_rectangular = setup->num_samples > 1;
   r->line_width = setup->num_samples > 1 ? 3 : 1;
   if (style->is_offset) {
      r->offset_tri = true;
      r->offset_scale = (float)random_between(seed, -2, 2);
      r->offset_units = (float)random_between(seed, -1000, 1000);
      r->offset_clamp = (float)random_between(seed, -0.01, 0.01);
   }
   rig_set_setup(rig, setup);
}

static void
start(struct rig *rig, const struct style *style, struct ref_setup *setup,
      int num_samples)
{
   const struct tg_depth_stencil_alpha_state tests = {
      .size = sizeof(tests),
      .depth_enabled = true,
      .depth_writemask = true,
      .depth_func = TG_COMPARE_ALWAYS,
   };
   char text[256];
   snprintf(text, sizeof(text),
            "FRAG\nDCL IN[0], GENERIC[0], %s\nDCL OUT[0], COLOR\n"
            "MOV OUT[0], IN[0]\nEND\n",
            style->declaration);
   *setup = (struct ref_setup){
      .rasterizer = TG_RASTERIZER_INIT,
      .viewport = tg_viewport_of(SIZE, SIZE, false, false),
      .width = SIZE,
      .height = SIZE,
      .num_samples = num_samples,
   };
   rig_init(rig, 0);
   rig_set_shader(rig, TG_GPU_VERTEX, rig_plain_vertices);
   rig_set_shader(rig, TG_GPU_FRAGMENT, text);
   rig_expect_ok(rig,
                 bind_depth_stencil_alpha(rig->gpu, &tests, rig->diagnostics));
   rig_set_framebuffer(rig, setup, "R32G32B32A32_FLOAT", "Z32_FLOAT");
}

static void
colors_are_those_of_the_reference(void **test)
{
   const int num_samples = *(const int *)*test;
   for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
      struct score score = {0};
      uint64_t seed = i;
      struct ref_setup setup;
      struct rig rig;
      start(&rig, &styles[i], &setup, num_samples);
      for (int done = 0; done < num_primitives; done += MAX_BATCH) {
         const int left = num_primitives - done;
         set_state(&rig, &setup, &styles[i], &seed);
         run_batch(&rig, &styles[i], &setup,
                   left < MAX_BATCH ? left : MAX_BATCH, &seed, &score);
      }
      print_message("%-21s %d vertices, %2d samples: %8llu compared, colours "
                    "within %.7f, depths within %.2f\n",
                    styles[i].declaration, (int)styles[i].kind, num_samples,
                    (unsigned long long)score.samples, score.color,
                    score.depth);
      rig_finish(&rig);
   }
}

int
main(int argc, char **argv)
{
   static int counts[] = {1, 2, 4, 8, 16};
#define CASE(i)                                                                \
   {                                                                           \
      .name = "colors", .test_func = colors_are_those_of_the_reference,        \
      .initial_state = &counts[i]                                              \
   }
   const struct CMUnitTest tests[] = {CASE(0), CASE(1), CASE(2), CASE(3),
                                      CASE(4)};
   if (argc > 1)
      num_primitives = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
