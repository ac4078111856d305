/* SPDX-License-Identifier: MIT
 *
 * Texture lookups a second: shaders of the public API on one thread against a
 * sampler in plain C. docs/performance.md explains the method.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "scalar_sampler.h"
#include "tungsten/run.h"

enum {
   SIZE = 1024,
   NUM_LOOKUPS = 8, /* of a lane, in a shader */
   NUM_ROUNDS = 31,
   NUM_RUNS = 500, /* in a round */
   LOOKUPS_A_ROUND = NUM_RUNS * NUM_LOOKUPS * TG_MAX_LANES,
};

static void
require(bool is_good, const char *what)
{
   if (is_good)
      return;
   fprintf(stderr, "%s\n", what);
   exit(EXIT_FAILURE);
}

/* ---- what is looked up --------------------------------------------------- */

static struct tg_resource *
make_resource(void)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = SIZE,
      .height = SIZE,
      .last_level = tg_full_last_level(SIZE, SIZE, 1),
   };
   const struct tg_box box = {.width = SIZE, .height = SIZE, .depth = 1};
   uint32_t *texels = malloc(SIZE * SIZE * sizeof(*texels));
   struct tg_resource *resource;

   require(texels, "out of memory");
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      texels[i] = i * 2654435761u;
   require(tg_resource_create(NULL, &desc, NULL, &resource) == TG_OK &&
              tg_resource_write(resource, 0, 0, &box, texels, 0, 0) == TG_OK &&
              tg_resource_generate_mipmaps(resource) == TG_OK,
           "no texture");
   free(texels);
   return resource;
}

static struct scalar_texture
make_texture(const struct tg_resource *resource)
{
   struct scalar_texture texture = {
      .width = SIZE,
      .height = SIZE,
      .num_levels = (int)tg_full_last_level(SIZE, SIZE, 1) + 1,
   };

   for (uint32_t i = 0; i < (uint32_t)texture.num_levels; i++) {
      const uint32_t size = SIZE >> i;
      const struct tg_box box = {.width = size, .height = size, .depth = 1};
      uint32_t *texels = malloc((size_t)size * size * sizeof(*texels));

      require(texels &&
                 tg_resource_read(resource, i, 0, &box, texels, 0, 0) == TG_OK,
              "a level cannot be read");
      texture.level[i] = texels;
   }
   return texture;
}

static void
free_texture(struct scalar_texture *texture)
{
   for (int i = 0; i < texture->num_levels; i++)
      free((uint32_t *)(uintptr_t)texture->level[i]);
}

typedef float coord_list[NUM_LOOKUPS][TG_MAX_LANES][2];

/* 4 by 4 pixels, each lookup elsewhere and turned a little more, 1.4 texels a
 * pixel. */
static void
fill_coords(coord_list coords)
{
   for (int i = 0; i < NUM_LOOKUPS; i++) {
      const double c = cos(0.3 * i) * 1.4, s = sin(0.3 * i) * 1.4;

      for (int lane = 0; lane < TG_MAX_LANES; lane++) {
         const int quad = lane / 4;
         const int x = quad % 2 * 2 + lane % 2;
         const int y = quad / 2 * 2 + lane / 2 % 2;

         coords[i][lane][0] = (float)((i * 97.3 + c * x - s * y) / SIZE);
         coords[i][lane][1] = (float)((i * 41.7 + s * x + c * y) / SIZE);
      }
   }
}

struct filter {
   const char *name;
   const char *opcode;
   struct tg_sampler_desc sampler;
   void (*sample)(const struct scalar_texture *texture, float s, float t,
                  float texel_out[4]); /* NULL: trilinear */
};

static const struct filter filters[] = {
   {"nearest",
    "TEX_LZ",
    {.size = sizeof(struct tg_sampler_desc),
     .mip_filter = TG_MIP_NONE,
     .max_lod = 1000},
    scalar_nearest},
   {"bilinear",
    "TEX_LZ",
    {.size = sizeof(struct tg_sampler_desc),
     .min_filter = TG_FILTER_LINEAR,
     .mag_filter = TG_FILTER_LINEAR,
     .mip_filter = TG_MIP_NONE,
     .max_lod = 1000},
    scalar_bilinear},
   {"trilinear",
    "TEX",
    {.size = sizeof(struct tg_sampler_desc),
     .min_filter = TG_FILTER_LINEAR,
     .mag_filter = TG_FILTER_LINEAR,
     .mip_filter = TG_MIP_LINEAR,
     .max_lod = 1000},
    NULL},
};

/* ---- both ways ----------------------------------------------------------- */

struct subject {
   const struct filter *filter;
   const struct scalar_texture *texture;
   struct tg_bindings *bindings;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_run *run;
   coord_list coords;
   float sums[TG_MAX_LANES][4]; /* of the scalar sampler */
};

/* The texels of all lookups, added up. */
static void
write_shader(const char *opcode, char *text, size_t size)
{
   int length = snprintf(text, size,
                         "FRAG\nDCL IN[0..%d], GENERIC[0], PERSPECTIVE\n"
                         "DCL OUT[0], COLOR\nDCL SAMP[0]\n"
                         "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..1]\n",
                         NUM_LOOKUPS - 1);

   for (int i = 0; i < NUM_LOOKUPS; i++)
      length += snprintf(text + length, size - (size_t)length,
                         "%s TEMP[1], IN[%d], SAMP[0], 2D\n"
                         "ADD TEMP[0], TEMP[0], TEMP[1]\n",
                         opcode, i);
   snprintf(text + length, size - (size_t)length, "MOV OUT[0], TEMP[0]\nEND\n");
}

static void
make_run(struct subject *subject)
{
   char text[2048];

   write_shader(subject->filter->opcode, text, sizeof(text));
   require(tg_shader_parse(NULL, "bench", text, strlen(text), TG_DIALECT_2019,
                           NULL, &subject->shader) == TG_OK &&
              tg_program_create(NULL, subject->shader, NULL, NULL,
                                &subject->program) == TG_OK &&
              tg_run_create(subject->program, TG_MAX_LANES, &subject->run) ==
                 TG_OK,
           "no shader");
   for (uint32_t i = 0; i < NUM_LOOKUPS; i++) {
      for (int lane = 0; lane < TG_MAX_LANES; lane++) {
         uint32_t words[4] = {0};

         memcpy(words, subject->coords[i][lane],
                sizeof(subject->coords[i][lane]));
         tg_run_set(subject->run, TG_RUN_INPUT, 0, i, lane, words);
      }
   }
}

static void
make_subject(struct subject *subject, const struct filter *filter,
             struct tg_resource *resource, const struct scalar_texture *texture)
{
   const struct tg_view_desc all = tg_view_desc_of(resource);
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;

   *subject = (struct subject){.filter = filter, .texture = texture};
   fill_coords(subject->coords);
   make_run(subject);
   require(
      tg_bindings_create(NULL, &subject->bindings) == TG_OK &&
         tg_view_create(NULL, &all, NULL, &view) == TG_OK &&
         tg_sampler_create(NULL, &filter->sampler, NULL, &sampler) == TG_OK &&
         tg_bindings_set_view(subject->bindings, 0, view, NULL) == TG_OK &&
         tg_bindings_set_sampler(subject->bindings, 0, sampler, NULL) == TG_OK,
      "nothing bound");
   tg_sampler_destroy(sampler);
   tg_view_destroy(view);
   tg_run_set_bindings(subject->run, subject->bindings);
}

static void
clean_up(struct subject *subject)
{
   tg_run_destroy(subject->run);
   tg_program_destroy(subject->program);
   tg_shader_destroy(subject->shader);
   tg_bindings_destroy(subject->bindings);
}

static void
run_shader(struct subject *subject)
{
   require(tg_run_execute(subject->run, NULL) == TG_OK, "does not run");
}

static void
add(float sum[4], const float texel[4])
{
   for (int c = 0; c < 4; c++)
      sum[c] += texel[c];
}

static void
run_scalar(struct subject *subject)
{
   memset(subject->sums, 0, sizeof(subject->sums));
   for (int i = 0; i < NUM_LOOKUPS; i++) {
      for (int lane = 0; lane < TG_MAX_LANES; lane++) {
         float(*coord)[2] = &subject->coords[i][lane];
         float texels[4][4];

         if (subject->filter->sample) {
            subject->filter->sample(subject->texture, (*coord)[0], (*coord)[1],
                                    texels[0]);
            add(subject->sums[lane], texels[0]);
         } else if (lane % 4 == 0) {
            scalar_trilinear_quad(subject->texture, coord, texels);
            for (int k = 0; k < 4; k++)
               add(subject->sums[lane + k], texels[k]);
         }
      }
   }
}

/* To rounding, and what it does to a logarithm. */
static void
check(struct subject *subject)
{
   run_shader(subject);
   run_scalar(subject);
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      uint32_t words[4];
      float values[4];

      tg_run_get_output(subject->run, 0, 0, lane, words);
      memcpy(values, words, sizeof(values));
      for (int c = 0; c < 4; c++)
         require(fabsf(values[c] - subject->sums[lane][c]) < 1e-3f,
                 "results differ");
   }
}

/* ---- time ---------------------------------------------------------------- */

typedef void (*runner)(struct subject *subject);

/* Nanoseconds of processor time a lookup. */
static double
measure(struct subject *subject, runner run)
{
   struct timespec begin, end;

   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
   for (int i = 0; i < NUM_RUNS; i++)
      run(subject);
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
   return ((double)(end.tv_sec - begin.tv_sec) * 1e9 +
           (double)(end.tv_nsec - begin.tv_nsec)) /
          LOOKUPS_A_ROUND;
}

/* The two take turns, and each round gives a ratio. */
static void
race(struct subject *subject)
{
   double shader[NUM_ROUNDS], scalar[NUM_ROUNDS], ratio[NUM_ROUNDS];

   for (int i = 0; i < NUM_ROUNDS; i++) {
      shader[i] = measure(subject, run_shader);
      scalar[i] = measure(subject, run_scalar);
      ratio[i] = scalar[i] / shader[i];
   }
   const double middle = bench_median(ratio, NUM_ROUNDS);
   printf("%-10s %8.1f %8.1f   %.2f (%.2f to %.2f)\n", subject->filter->name,
          1e3 / bench_median(shader, NUM_ROUNDS),
          1e3 / bench_median(scalar, NUM_ROUNDS), middle,
          ratio[NUM_ROUNDS / 10], ratio[NUM_ROUNDS - 1 - NUM_ROUNDS / 10]);
}

int
main(void)
{
   struct tg_resource *resource = make_resource();
   struct scalar_texture texture = make_texture(resource);

   printf("RGBA8 lookups on one thread, millions a second\n"
          "             shader   scalar   ratio (first and last tenth)\n");
   for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
      struct subject subject;

      make_subject(&subject, &filters[i], resource, &texture);
      check(&subject);
      race(&subject);
      clean_up(&subject);
   }
   free_texture(&texture);
   tg_resource_destroy(resource);
   return EXIT_SUCCESS;
}
