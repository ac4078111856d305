/* SPDX-License-Identifier: MIT
 *
 * One step of 4096 bodies that attract each other. Blocks take the others
 * through shared memory, 256 at a time. Compared with doubles in plain C.
 *
 *    nbody
 */
#include "kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUM_BODIES = 4096, BLOCK = 256 };

static const float softening = 1e-3f, time_step = 1e-2f;

/* Coordinates are below 1 or little more: a few units in the last place. */
static const double tolerance = 5e-7;

/* CONST[0..1] of the shader. */
struct constants {
   uint32_t num_tiles, tile_bytes, zero[2];
   float softening, time_step, none[2];
};

/* x, y, z and in w the mass, or nothing. */
struct vector {
   float x, y, z, w;
};

static float
random_number(uint32_t *state)
{
   *state = *state * 1664525 + 1013904223;
   return (float)(*state >> 8) * 0x1p-23f - 1.0f;
}

static void
make_bodies(struct vector *positions, struct vector *speeds)
{
   uint32_t state = 1;

   for (unsigned i = 0; i < NUM_BODIES; i++) {
      positions[i] = (struct vector){
         random_number(&state),
         random_number(&state),
         random_number(&state),
         (random_number(&state) + 1.5f) / NUM_BODIES,
      };
      speeds[i] = (struct vector){
         0.1f * random_number(&state),
         0.1f * random_number(&state),
         0.1f * random_number(&state),
         0,
      };
   }
}

/* Where body `i` will be. */
static void
move_plainly(const struct vector *positions, const struct vector *speeds,
             unsigned i, double moved[3])
{
   const struct vector *p = &positions[i];
   double pull[3] = {0};

   for (unsigned k = 0; k < NUM_BODIES; k++) {
      double x = (double)positions[k].x - p->x;
      double y = (double)positions[k].y - p->y;
      double z = (double)positions[k].z - p->z;
      double square = x * x + y * y + z * z + softening;
      double factor = positions[k].w / (square * sqrt(square));

      pull[0] += x * factor;
      pull[1] += y * factor;
      pull[2] += z * factor;
   }
   moved[0] = p->x + (speeds[i].x + pull[0] * time_step) * time_step;
   moved[1] = p->y + (speeds[i].y + pull[1] * time_step) * time_step;
   moved[2] = p->z + (speeds[i].z + pull[2] * time_step) * time_step;
}

static double
largest(double a, double b)
{
   return a > b || !(b == b) ? a : b;
}

int
main(void)
{
   const struct constants constants = {
      .num_tiles = NUM_BODIES / BLOCK,
      .tile_bytes = BLOCK * sizeof(struct vector),
      .softening = softening,
      .time_step = time_step,
   };
   struct tg_resource *buffers[3];
   struct vector *vectors[3];
   static struct vector speeds[NUM_BODIES];
   struct kernel kernel;

   kernel_open(&kernel, "nbody.comp.tgsi", NULL);
   kernel_set(&kernel, &constants, sizeof(constants) / 4);
   for (unsigned i = 0; i < 3; i++) {
      buffers[i] = make_buffer(NUM_BODIES * 4);
      vectors[i] = tg_resource_map_buffer(buffers[i]);
      kernel_bind(&kernel, i, buffers[i]);
   }
   make_bodies(vectors[0], vectors[1]);
   for (unsigned i = 0; i < NUM_BODIES; i++)
      speeds[i] = vectors[1][i];

   double begin = now();
   kernel_run(&kernel, NUM_BODIES / BLOCK, 1);
   double seconds = now() - begin;

   double error = 0;
   for (unsigned i = 0; i < NUM_BODIES; i++) {
      double moved[3];

      move_plainly(vectors[0], speeds, i, moved);
      error = largest(fabs(vectors[2][i].x - moved[0]), error);
      error = largest(fabs(vectors[2][i].y - moved[1]), error);
      error = largest(fabs(vectors[2][i].z - moved[2]), error);
   }
   printf("nbody: %d bodies, at most %.1e from plain C in doubles, %.3f s\n",
          NUM_BODIES, error, seconds);

   kernel_close(&kernel);
   for (unsigned i = 0; i < 3; i++)
      tg_resource_destroy(buffers[i]);
   return !(error < tolerance);
}
