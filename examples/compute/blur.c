/* SPDX-License-Identifier: MIT
 *
 * Blurs a picture: five weights along rows, then along columns. Integers all
 * the way, so that plain C gives the same words.
 *
 *    blur IN.png [OUT.png]
 */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUM_WEIGHTS = 5, BLOCK = 16 };

static const uint32_t weights[NUM_WEIGHTS] = {1, 4, 6, 4, 1}; /* of 16 */

/* CONST[0..6] of the shader. */
struct constants {
   uint32_t width, height;
   uint32_t dx, dy; /* where the next pixel is */
   uint32_t last_x, last_y, zero[2];
   uint32_t weights[NUM_WEIGHTS][4]; /* in x */
};

/* ---- plain C ------------------------------------------------------------- */

static uint32_t
clamp(int64_t at, uint32_t size)
{
   return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

static uint32_t
blur_pixel(const uint32_t *in, uint32_t width, uint32_t height, uint32_t x,
           uint32_t y, unsigned dx, unsigned dy)
{
   uint32_t sums[4] = {0};
   uint32_t word = 0;

   for (int i = 0; i < NUM_WEIGHTS; i++) {
      uint32_t at_x = clamp((int64_t)x + (i - 2) * (int)dx, width);
      uint32_t at_y = clamp((int64_t)y + (i - 2) * (int)dy, height);

      for (unsigned c = 0; c < 4; c++)
         sums[c] +=
            weights[i] * (in[(size_t)at_y * width + at_x] >> c * 8 & 255);
   }
   for (unsigned c = 0; c < 4; c++)
      word |= (sums[c] + 8) / 16 << c * 8;
   return word;
}

static void
blur_plainly(const uint32_t *in, uint32_t *out, uint32_t width, uint32_t height,
             unsigned dx, unsigned dy)
{
   for (uint32_t y = 0; y < height; y++) {
      for (uint32_t x = 0; x < width; x++)
         out[(size_t)y * width + x] =
            blur_pixel(in, width, height, x, y, dx, dy);
   }
}

/* ---- the shader ---------------------------------------------------------- */

static void
blur(struct kernel *kernel, struct tg_resource *in, struct tg_resource *out,
     uint32_t width, uint32_t height, unsigned dx, unsigned dy)
{
   struct constants constants = {
      .width = width,
      .height = height,
      .dx = dx,
      .dy = dy,
      .last_x = width - 1,
      .last_y = height - 1,
   };

   for (unsigned i = 0; i < NUM_WEIGHTS; i++)
      constants.weights[i][0] = weights[i];
   kernel_set(kernel, &constants, sizeof(constants) / 4);
   kernel_bind(kernel, 0, in);
   kernel_bind(kernel, 1, out);
   kernel_run(kernel, (width + BLOCK - 1) / BLOCK,
              (height + BLOCK - 1) / BLOCK);
}

int
main(int argc, char **argv)
{
   struct kernel kernel;
   uint32_t width, height;

   if (argc < 2 || argc > 3) {
      fputs("usage: blur IN.png [OUT.png]\n", stderr);
      return 2;
   }
   uint32_t *picture = read_picture(argv[1], &width, &height);
   size_t num_pixels = (size_t)width * height;
   uint32_t *expected = malloc(num_pixels * 4);
   struct tg_resource *a = make_buffer(num_pixels);
   struct tg_resource *b = make_buffer(num_pixels);
   uint32_t *words = tg_resource_map_buffer(a);
   if (!expected)
      return 1;
   for (size_t i = 0; i < num_pixels; i++)
      words[i] = picture[i];

   kernel_open(&kernel, "blur.comp.tgsi", NULL);
   double begin = now();
   blur(&kernel, a, b, width, height, 1, 0);
   blur(&kernel, b, a, width, height, 0, 1);
   double seconds = now() - begin;

   size_t num_wrong = 0;
   blur_plainly(picture, expected, width, height, 1, 0);
   blur_plainly(expected, picture, width, height, 0, 1);
   for (size_t i = 0; i < num_pixels; i++)
      num_wrong += words[i] != picture[i];
   printf("blur: %u by %u pixels, %zu unlike plain C, %.3f s\n", width, height,
          num_wrong, seconds);
   if (argc == 3)
      write_picture(argv[2], words, width, height);

   kernel_close(&kernel);
   tg_resource_destroy(a);
   tg_resource_destroy(b);
   free(expected);
   free(picture);
   return num_wrong != 0;
}
