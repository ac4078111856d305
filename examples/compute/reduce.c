/* SPDX-License-Identifier: MIT
 *
 * How bright a picture is, all in all and at its brightest: sums in shared
 * memory, then atomic operations.
 *
 *    reduce IN.png
 */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, NUM_BLOCKS = 64 };

static uint32_t
brightness(uint32_t word)
{
   return (word & 255) + (word >> 8 & 255) + (word >> 16 & 255);
}

int
main(int argc, char **argv)
{
   struct kernel kernel;
   uint32_t width, height;

   if (argc != 2) {
      fputs("usage: reduce IN.png\n", stderr);
      return 2;
   }
   uint32_t *picture = read_picture(argv[1], &width, &height);
   uint32_t num_pixels = width * height;
   struct tg_resource *pixels = make_buffer(num_pixels);
   struct tg_resource *result = make_buffer(2);
   const uint32_t *words = tg_resource_map_buffer(result);
   memcpy(tg_resource_map_buffer(pixels), picture, (size_t)num_pixels * 4);

   kernel_open(&kernel, "reduce.comp.tgsi", NULL);
   kernel_set(&kernel, (uint32_t[]){num_pixels, BLOCK * NUM_BLOCKS}, 2);
   kernel_bind(&kernel, 0, pixels);
   kernel_bind(&kernel, 1, result);
   double begin = now();
   kernel_run(&kernel, NUM_BLOCKS, 1);
   double seconds = now() - begin;

   uint32_t sum = 0, most = 0;
   for (uint32_t i = 0; i < num_pixels; i++) {
      uint32_t bright = brightness(picture[i]);

      sum += bright;
      most = bright > most ? bright : most;
   }
   printf("reduce: %u pixels, sum %u, most %u; plain C: %u, %u; %.3f s\n",
          num_pixels, words[0], words[1], sum, most, seconds);
   bool is_right = words[0] == sum && words[1] == most;

   kernel_close(&kernel);
   tg_resource_destroy(pixels);
   tg_resource_destroy(result);
   free(picture);
   return !is_right;
}
