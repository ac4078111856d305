/* SPDX-License-Identifier: MIT
 *
 * Which samples random primitives cover, against the reference. Each primitive
 * has a word of its own and turns over these bits in the samples that it
 * covers, so that what a sample holds in the end says which primitives covered
 * it, and how often.
 *
 * usage: test_coverage [PRIMITIVES] of each kind for each number of samples
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../state.h"
#include "cases.h"

enum { SIZE = CASE_SIZE, MAX_BATCH = 1000 };

static int num_primitives = 300;

/* ---- the reference ------------------------------------------------------- */

struct picture {
   uint32_t word[REF_MAX_SAMPLES][SIZE][SIZE];
   bool is_open[REF_MAX_SAMPLES][SIZE][SIZE];
};

static void
toggle(struct picture *picture, const struct ref_shape *shape, uint32_t word)
{
   const struct ref_bounds bounds = ref_get_bounds(shape);
   for (int y = bounds.min_y; y < bounds.max_y; y++) {
      for (int x = bounds.min_x; x < bounds.max_x; x++) {
         for (int s = 0; s < shape->setup->num_samples; s++) {
            switch (ref_covers(shape, x, y, s)) {
            case REF_IN: picture->word[s][y][x] ^= word; break;
            case REF_OPEN: picture->is_open[s][y][x] = true; break;
            case REF_OUT: break;
            }
         }
      }
   }
}

/* False if nothing can be concluded from it. */
static bool
draw_reference(struct picture *picture, const struct ref_setup *setup,
               enum ref_kind kind, const struct rig_vertex *vertices,
               uint32_t word)
{
   struct ref_vertex v[3];
   struct ref_shape shapes[REF_MAX_SHAPES];
   bool is_open = false;
   for (int i = 0; i < (int)kind; i++)
      v[i] = rig_ref_vertex(&vertices[i]);
   const int count = ref_make_shapes(setup, kind, v, shapes, &is_open);
   if (is_open)
      return false;
   for (int i = 0; i < count; i++)
      toggle(picture, &shapes[i], word);
   return true;
}

/* ---- comparing ----------------------------------------------------------- */

struct score {
   uint64_t samples, open;
};

static void
compare(struct rig *rig, const struct picture *picture, int num_samples,
        const char *name, struct score *score)
{
   static uint32_t word[SIZE][SIZE];
   for (int s = 0; s < num_samples; s++) {
      rig_read(rig, rig_color(rig), s, word);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            score->samples++;
            if (picture->is_open[s][y][x])
               score->open++;
            else if (word[y][x] != picture->word[s][y][x])
               fail_msg("%s, %d samples: sample %d of pixel (%d, %d) is %08x, "
                        "not %08x",
                        name, num_samples, s, x, y, word[y][x],
                        picture->word[s][y][x]);
         }
      }
   }
}

/* A draw of as many primitives as one picture tells apart. */
static void
run_batch(struct rig *rig, const struct style *style,
          const struct ref_setup *setup, int count, uint64_t *seed,
          struct score *score)
{
   static struct rig_vertex vertices[MAX_BATCH * 3];
   static struct picture picture;
   const int first_resource = rig->num_resources;
   uint32_t num_vertices = 0;
   memset(&picture, 0, sizeof(picture));
   for (int i = 0; i < count; i++) {
      const uint32_t word =
         style_primitive(style, seed, &vertices[num_vertices]);
      if (draw_reference(&picture, setup, style->kind, &vertices[num_vertices],
                         word))
         num_vertices += style->kind;
   }
   static const enum tg_prim modes[] = {
      [REF_POINT] = TG_PRIM_POINTS,
      [REF_LINE] = TG_PRIM_LINES,
      [REF_TRIANGLE] = TG_PRIM_TRIANGLES,
   };
   rig_set_setup(rig, setup);
   rig_clear(rig);
   rig_set_vertices(rig, vertices, num_vertices);
   rig_draw(rig, modes[style->kind], num_vertices);
   compare(rig, &picture, setup->num_samples, style->name, score);
   rig_drop_resources(rig, first_resource);
}

/* ---- tests --------------------------------------------------------------- */

/* Fragments turn over the bits that are in the first attribute. */
static const char fragment_shader[] = "FRAG\n"
                                      "DCL IN[0], GENERIC[0], CONSTANT\n"
                                      "DCL OUT[0], COLOR\n"
                                      "MOV OUT[0], IN[0]\n"
                                      "END\n";

static int num_samples;

static void
run_style(const struct style *style)
{
   const struct tg_blend_state blend = {
      .size = sizeof(blend),
      .logicop_enable = true,
      .logicop_func = TG_LOGIC_XOR,
      .targets = {{.colormask = TG_CHANNEL_RGBA}},
   };
   struct score score = {0};
   struct rig rig;
   uint64_t seed = (uint64_t)num_samples;
   rig_init(&rig, 0);
   rig_set_shader(&rig, TG_GPU_VERTEX, rig_full_vertices);
   rig_set_shader(&rig, TG_GPU_FRAGMENT, fragment_shader);
   rig_expect_ok(&rig, bind_blend(rig.gpu, &blend, rig.diagnostics));
   struct ref_setup setup = style_setup(style, num_samples, &seed);
   rig_set_framebuffer(&rig, &setup, "R32_UINT", NULL);
   const int count = num_primitives / (style->share ? style->share : 1);
   for (int done = 0; done < count; done += MAX_BATCH) {
      const int left = count - done;
      setup = style_setup(style, num_samples, &seed);
      run_batch(&rig, style, &setup, left < MAX_BATCH ? left : MAX_BATCH, &seed,
                &score);
   }
   print_message("%-22s %2d samples: %9llu compared, %llu open\n", style->name,
                 num_samples, (unsigned long long)score.samples,
                 (unsigned long long)score.open);
   rig_finish(&rig);
}

static void
primitives_cover_what_the_reference_says(void **test)
{
   num_samples = *(const int *)*test;
   for (int i = 0; i < num_styles; i++)
      run_style(&styles[i]);
}

int
main(int argc, char **argv)
{
   static int counts[] = {1, 2, 4, 8, 16};
#define CASE(i)                                                                \
   {                                                                           \
      .name = "coverage",                                                      \
      .test_func = primitives_cover_what_the_reference_says,                   \
      .initial_state = &counts[i]                                              \
   }
   const struct CMUnitTest tests[] = {CASE(0), CASE(1), CASE(2), CASE(3),
                                      CASE(4)};
   if (argc > 1)
      num_primitives = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
