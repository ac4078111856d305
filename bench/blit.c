/* SPDX-License-Identifier: MIT
 *
 * Blits by what they do: pixels of the target a second, with one thread and
 * with two, and the time against that of memset() for as many bytes.
 *
 *    bench_blit [LOAD]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "tungsten/gpu.h"

enum { NUM_ROUNDS = 15, SIZE = 1024 };

/* A blit of SIZE by SIZE pixels, or of all levels of a mipmap. */
struct load {
   const char *name;
   const char *to, *from; /* formats */
   uint32_t samples;      /* of the source */
   uint32_t divisor;      /* the source's part that is seen */
   uint8_t filter;
   bool turns; /* upside down */
   bool mipmap;
};

static const struct load loads[] = {
   {"copy", "R8G8B8A8_UNORM", "R8G8B8A8_UNORM", 1, 1, .turns = true},
   {"nearest, twice", "R8G8B8A8_UNORM", "R8G8B8A8_UNORM", 1, 2, 0},
   {"linear, twice", "R8G8B8A8_UNORM", "R8G8B8A8_UNORM", 1, 2,
    TG_FILTER_LINEAR},
   {"to half floats", "R16G16B16A16_FLOAT", "R8G8B8A8_UNORM", 1, 1, 0},
   {"resolve of 4", "R8G8B8A8_UNORM", "R8G8B8A8_UNORM", 4, 1, 0},
   {"resolve in sRGB", "R8G8B8A8_SRGB", "R8G8B8A8_SRGB", 4, 1, 0},
   {"mipmap", "R8G8B8A8_UNORM", "R8G8B8A8_UNORM", 1, 1, TG_FILTER_LINEAR,
    .mipmap = true},
};

enum { NUM_LOADS = sizeof(loads) / sizeof(loads[0]) };

/* The textures of a load, seen by a GPU of one thread and one of two. */
struct subject {
   const struct load *load;
   struct tg_context *gpu[2];
   struct tg_resource *to, *from;
};

static void
expect_ok(enum tg_result result)
{
   if (result == TG_OK)
      return;
   fprintf(stderr, "blit: %s\n", tg_result_name(result));
   exit(1);
}

static struct tg_resource *
make_texture(const char *format, uint32_t samples, uint32_t last_level)
{
   struct tg_resource *resource;
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number(format),
      .width = SIZE,
      .height = SIZE,
      .last_level = last_level,
      .samples = samples,
   };

   expect_ok(tg_resource_create(NULL, &desc, NULL, &resource));
   return resource;
}

/* Pixels that all differ, in all samples. */
static void
fill(struct tg_resource *texture)
{
   static uint32_t texels[SIZE * SIZE];
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};
   uint32_t random = 1;

   for (uint32_t s = 0; s < tg_resource_get_desc(texture)->samples; s++) {
      for (uint32_t i = 0; i < SIZE * SIZE; i++)
         texels[i] = random = random * 1664525 + 1013904223;
      expect_ok(tg_resource_write(texture, 0, s, &box, texels, 0, 0));
   }
}

static void
make_subject(struct subject *subject, const struct load *load)
{
   const uint32_t last_level = load->mipmap ? 10 : 0;

   subject->load = load;
   for (unsigned i = 0; i < 2; i++) {
      struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
      struct tg_device *device;

      options.num_threads = i + 1;
      expect_ok(tg_device_create(NULL, &options, &device));
      expect_ok(tg_context_create(device, NULL, &subject->gpu[i]));
      tg_device_destroy(device);
   }
   subject->from = make_texture(load->from, load->samples, last_level);
   subject->to =
      load->mipmap ? subject->from : make_texture(load->to, 1, last_level);
   fill(subject->from);
}

static void
destroy_subject(struct subject *subject)
{
   for (unsigned i = 0; i < 2; i++)
      tg_context_destroy(subject->gpu[i]);
   if (subject->to != subject->from)
      tg_resource_destroy(subject->to);
   tg_resource_destroy(subject->from);
}

static struct tg_blit_side
make_side(struct tg_resource *resource, uint32_t level, uint32_t divisor)
{
   const int32_t size = (int32_t)(SIZE >> level) / (int32_t)divisor;

   return (struct tg_blit_side){
      .resource = resource,
      .level = level,
      .width = size,
      .height = size,
      .depth = 1,
   };
}

static double
measure(const struct subject *subject, unsigned num_threads)
{
   const struct load *load = subject->load;
   struct tg_context *gpu = subject->gpu[num_threads - 1];
   const uint32_t last_level = tg_resource_get_desc(subject->to)->last_level;
   struct tg_blit_info info = {
      .size = sizeof(info), .mask = TG_CHANNEL_RGBA, .filter = load->filter};
   const double begin = bench_now();

   for (uint32_t l = load->mipmap; l <= last_level; l++) {
      info.dst = make_side(subject->to, l, 1);
      info.src =
         make_side(subject->from, load->mipmap ? l - 1 : 0, load->divisor);
      if (load->turns) {
         info.src.y = info.src.height;
         info.src.height = -info.src.height;
      }
      expect_ok(tg_context_blit(gpu, &info, NULL));
   }
   return bench_now() - begin;
}

static double
measure_memset(void *memory, size_t size)
{
   const double begin = bench_now();

   memset(memory, 1, size);
   __asm__ volatile("" : : "r"(memory) : "memory");
   return bench_now() - begin;
}

/* One thread, two threads and memset() take turns. */
static void
race(const struct load *load)
{
   struct subject subject;
   double time[2][NUM_ROUNDS], scaling[NUM_ROUNDS], to_memset[NUM_ROUNDS];
   const size_t num_pixels =
      load->mipmap ? (SIZE * SIZE - 1) / 3 : (size_t)SIZE * SIZE;
   const size_t size =
      num_pixels * tg_format_get_block(tg_format_number(load->to)).bytes;
   void *memory = malloc(size);

   if (!memory)
      exit(1);
   make_subject(&subject, load);
   measure_memset(memory, size);
   for (unsigned k = 1; k <= 2; k++)
      measure(&subject, k);
   for (int i = 0; i < NUM_ROUNDS; i++) {
      for (unsigned k = 0; k < 2; k++)
         time[k][i] = measure(&subject, k + 1);
      scaling[i] = time[0][i] / time[1][i];
      to_memset[i] = time[0][i] / measure_memset(memory, size);
   }
   const double median = bench_median(time[0], NUM_ROUNDS);
   printf("%-18s %9.1f %9.1f", load->name, (double)num_pixels / median * 1e-6,
          (double)num_pixels / time[0][0] * 1e-6);
   bench_print_ratio(scaling, NUM_ROUNDS);
   bench_print_ratio(to_memset, NUM_ROUNDS);
   printf("\n");
   destroy_subject(&subject);
   free(memory);
}

int
main(int argc, char **argv)
{
   printf("millions of pixels of the target a second\n");
   printf("%-18s %9s %9s  %-23s  %s\n", "one thread:", "median", "best",
          "gain of a second one", "times of memset()");
   for (int i = 0; i < NUM_LOADS; i++) {
      if (bench_is_wanted(loads[i].name, argc - 1, argv + 1))
         race(&loads[i]);
   }
   return 0;
}
