/* SPDX-License-Identifier: MIT
 *
 * Which order of texels in memory looks up fastest in the interpreter: rows,
 * rows with a gap behind each, tiles of 4 by 4 texels, or the Z-order curve.
 * docs/performance.md explains the method and the choice.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec/exec.h"
#include "lir/builder.h"
#include "lir/passes.h"
#include "measure.h"

enum {
   SIZE = 2048, /* texels a side, 4 bytes each */
   GAP = 16,    /* texels behind a row: a cache line */
   NUM_TEXELS = (SIZE + GAP) * SIZE,
   NUM_WAVES = 8192, /* of 16 lookups, in a round */
   NUM_ROUNDS = 31,
};

/* ---- the orders ---------------------------------------------------------- */

/* The word of texel (x, y) is the sum of a part for each. In C for filling
 * textures, and as LIR for looking things up. */
struct order {
   const char *name;
   uint32_t (*x_part)(uint32_t x);
   uint32_t (*y_part)(uint32_t y);
   lir_value (*emit_x)(struct lir_builder *b, lir_value x);
   lir_value (*emit_y)(struct lir_builder *b, lir_value y);
};

static uint32_t
row_x(uint32_t x)
{
   return x;
}

static uint32_t
row_y(uint32_t y)
{
   return y * SIZE;
}

static uint32_t
gap_y(uint32_t y)
{
   return y * (SIZE + GAP);
}

static uint32_t
tile_x(uint32_t x)
{
   return (x & ~3u) * 4 + (x & 3);
}

static uint32_t
tile_y(uint32_t y)
{
   return (y & ~3u) * SIZE + (y & 3) * 4;
}

static uint32_t
spread(uint32_t x)
{
   x = (x | x << 8) & 0x00ff00ff;
   x = (x | x << 4) & 0x0f0f0f0f;
   x = (x | x << 2) & 0x33333333;
   return (x | x << 1) & 0x55555555;
}

static uint32_t
z_y(uint32_t y)
{
   return spread(y) << 1;
}

static lir_value
emit_row_x(struct lir_builder *b, lir_value x)
{
   (void)b;
   return x;
}

/* Pitches are data in shaders, too: words 0 and 1 of the constants. */
static lir_value
get_pitch(struct lir_builder *b, uint32_t word)
{
   lir_value index = lir_const32(b, word);

   return lir_load32(b, LIR_SPACE_CONST, 0, index);
}

static lir_value
emit_row_y(struct lir_builder *b, lir_value y)
{
   lir_value pitch = get_pitch(b, 0);

   return lir_imul(b, y, pitch);
}

static lir_value
emit_gap_y(struct lir_builder *b, lir_value y)
{
   lir_value pitch = get_pitch(b, 1);

   return lir_imul(b, y, pitch);
}

static lir_value
emit_tile_x(struct lir_builder *b, lir_value x)
{
   lir_value mask = lir_const32(b, ~3u);
   lir_value three = lir_const32(b, 3);
   lir_value two = lir_const32(b, 2);
   lir_value tile = lir_iand(b, x, mask);
   lir_value start = lir_ishl(b, tile, two);
   lir_value rest = lir_iand(b, x, three);

   return lir_iadd(b, start, rest);
}

static lir_value
emit_tile_y(struct lir_builder *b, lir_value y)
{
   lir_value pitch = get_pitch(b, 0);
   lir_value mask = lir_const32(b, ~3u);
   lir_value three = lir_const32(b, 3);
   lir_value two = lir_const32(b, 2);
   lir_value tile = lir_iand(b, y, mask);
   lir_value start = lir_imul(b, tile, pitch);
   lir_value rest = lir_iand(b, y, three);
   lir_value row = lir_ishl(b, rest, two);

   return lir_iadd(b, start, row);
}

static lir_value
emit_z_x(struct lir_builder *b, lir_value x)
{
   static const struct {
      uint32_t shift, mask;
   } steps[] = {
      {8, 0x00ff00ff}, {4, 0x0f0f0f0f}, {2, 0x33333333}, {1, 0x55555555}};

   for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
      lir_value shift = lir_const32(b, steps[i].shift);
      lir_value mask = lir_const32(b, steps[i].mask);
      lir_value shifted = lir_ishl(b, x, shift);
      lir_value both = lir_ior(b, x, shifted);
      x = lir_iand(b, both, mask);
   }
   return x;
}

static lir_value
emit_z_y(struct lir_builder *b, lir_value y)
{
   lir_value one = lir_const32(b, 1);
   lir_value x = emit_z_x(b, y);

   return lir_ishl(b, x, one);
}

static const struct order orders[] = {
   {"rows", row_x, row_y, emit_row_x, emit_row_y},
   {"rows, gap", row_x, gap_y, emit_row_x, emit_gap_y},
   {"4x4 tiles", tile_x, tile_y, emit_tile_x, emit_tile_y},
   {"Z-order", spread, z_y, emit_z_x, emit_z_y},
};

enum { NUM_ORDERS = sizeof(orders) / sizeof(orders[0]) };

/* ---- lookups ------------------------------------------------------------- */

/* Texel coordinates in, wrapped as REPEAT does for powers of two. */
static lir_value
wrap(struct lir_builder *b, lir_value i)
{
   lir_value mask = lir_const32(b, SIZE - 1);

   return lir_iand(b, i, mask);
}

static lir_value
load_texel(struct lir_builder *b, lir_value x_part, lir_value y_part)
{
   lir_value word = lir_iadd(b, x_part, y_part);

   return lir_load32(b, LIR_SPACE_TEXTURE, 0, word);
}

static lir_value
get_channel(struct lir_builder *b, lir_value texel, unsigned c)
{
   lir_value shift = lir_const32(b, 8 * c);
   lir_value mask = lir_const32(b, 255);
   lir_value scale = lir_constf(b, 255.0f);
   lir_value shifted = lir_ushr(b, texel, shift);
   lir_value byte = lir_iand(b, shifted, mask);
   lir_value value = lir_u2f(b, byte);

   return lir_fdiv(b, value, scale);
}

static void
put_out(struct lir_builder *b, unsigned c, lir_value value)
{
   lir_value index = lir_const32(b, c);

   lir_store32(b, LIR_SPACE_OUTPUT, 0, index, value);
}

static lir_value
get_input(struct lir_builder *b, uint32_t word)
{
   lir_value index = lir_const32(b, word);

   return lir_load32(b, LIR_SPACE_INPUT, 0, index);
}

static void
build_nearest(struct lir_builder *b, const struct order *order)
{
   lir_value part[2];

   for (unsigned a = 0; a < 2; a++) {
      lir_value u = get_input(b, a);
      lir_value below = lir_ffloor(b, u);
      lir_value i = lir_f2i(b, below);
      lir_value wrapped = wrap(b, i);
      part[a] = a == 0 ? order->emit_x(b, wrapped) : order->emit_y(b, wrapped);
   }
   lir_value texel = load_texel(b, part[0], part[1]);
   for (unsigned c = 0; c < 4; c++) {
      lir_value value = get_channel(b, texel, c);
      put_out(b, c, value);
   }
}

static lir_value
mix(struct lir_builder *b, lir_value from, lir_value to, lir_value part)
{
   lir_value step = lir_fsub(b, to, from);
   lir_value part_of_step = lir_fmul(b, part, step);

   return lir_fadd(b, from, part_of_step);
}

static void
build_bilinear(struct lir_builder *b, const struct order *order)
{
   lir_value part[2][2], fraction[2];
   lir_value half = lir_constf(b, 0.5f);
   lir_value one = lir_const32(b, 1);

   for (unsigned a = 0; a < 2; a++) {
      lir_value u = get_input(b, a);
      lir_value place = lir_fsub(b, u, half);
      lir_value below = lir_ffloor(b, place);
      lir_value i = lir_f2i(b, below);
      fraction[a] = lir_fsub(b, place, below);
      for (unsigned k = 0; k < 2; k++) {
         lir_value wrapped = wrap(b, i);
         part[a][k] =
            a == 0 ? order->emit_x(b, wrapped) : order->emit_y(b, wrapped);
         i = lir_iadd(b, i, one);
      }
   }
   lir_value texel[2][2];
   for (unsigned j = 0; j < 2; j++) {
      for (unsigned i = 0; i < 2; i++)
         texel[j][i] = load_texel(b, part[0][i], part[1][j]);
   }
   for (unsigned c = 0; c < 4; c++) {
      lir_value row[2];

      for (unsigned j = 0; j < 2; j++) {
         lir_value left = get_channel(b, texel[j][0], c);
         lir_value right = get_channel(b, texel[j][1], c);
         row[j] = mix(b, left, right, fraction[0]);
      }
      lir_value value = mix(b, row[0], row[1], fraction[1]);
      put_out(b, c, value);
   }
}

struct filter {
   const char *name;
   void (*build)(struct lir_builder *b, const struct order *order);
};

static const struct filter filters[] = {
   {"nearest", build_nearest},
   {"bilinear", build_bilinear},
};

enum { NUM_FILTERS = sizeof(filters) / sizeof(filters[0]) };

/* ---- where pixels look --------------------------------------------------- */

typedef uint32_t lanes[LIR_LANES];

/* Texel coordinates of each wave's lanes: u, then v. */
typedef lanes wave_coords[2];

static uint32_t
float_bits(double value)
{
   const float word = (float)value;
   uint32_t bits;

   memcpy(&bits, &word, sizeof(bits));
   return bits;
}

/* The pixel of a lane: waves are 4 by 4 pixels, 16 by 16 of them a tile of the
 * screen, 8 tiles a row, as the rasterizer goes. */
static void
find_pixel(uint32_t wave, uint32_t lane, double *x, double *y)
{
   const uint32_t tile = wave / 256;
   const uint32_t quad = lane / 4;

   *x = tile % 8 * 64 + wave % 16 * 4 + quad % 2 * 2 + lane % 2;
   *y = tile / 8 * 64 + wave / 16 % 16 * 4 + quad / 2 * 2 + lane / 2 % 2;
}

struct pattern {
   const char *name;
   double angle, scale; /* degrees; texels a pixel; 0: anywhere */
};

static const struct pattern patterns[] = {
   {"upright", 0, 1},        {"turned by 90", 90, 1},
   {"turned by 30", 30, 1},  {"magnified by 4", 10, 0.25},
   {"minified by 4", 10, 4}, {"anywhere", 0, 0},
};

enum { NUM_PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

static void
fill_coords(const struct pattern *pattern, wave_coords *coords)
{
   const double angle = pattern->angle * 3.14159265358979 / 180;
   const double c = cos(angle) * pattern->scale;
   const double s = sin(angle) * pattern->scale;
   uint32_t random = 1;

   for (uint32_t wave = 0; wave < NUM_WAVES; wave++) {
      for (uint32_t lane = 0; lane < LIR_LANES; lane++) {
         double place[2], x, y;

         find_pixel(wave, lane, &x, &y);
         place[0] = 700.3 + c * x - s * y;
         place[1] = 300.7 + s * x + c * y;
         for (unsigned a = 0; a < 2; a++) {
            random = random * 1664525 + 1013904223;
            if (pattern->scale == 0)
               place[a] = (random >> 8) * 0x1p-24 * SIZE;
            coords[wave][a][lane] = float_bits(place[a]);
         }
      }
   }
}

/* ---- running ------------------------------------------------------------- */

struct subject {
   struct exec_program *program;
   void *scratch;
   uint32_t *texels;
};

static const uint32_t pitches[2] = {SIZE, SIZE + GAP};

static void *
allocate_lines(size_t size)
{
   void *memory = aligned_alloc(64, (size + 127) / 64 * 64);

   if (!memory) {
      fprintf(stderr, "out of memory\n");
      exit(EXIT_FAILURE);
   }
   return memory;
}

static uint32_t *
make_texels(const struct order *order)
{
   uint32_t *texels = allocate_lines(NUM_TEXELS * sizeof(*texels));

   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++)
         texels[order->x_part(x) + order->y_part(y)] =
            (y * SIZE + x) * 2654435761u;
   }
   return texels;
}

static struct subject
make_subject(const struct order *order, const struct filter *filter)
{
   const struct exec_executor *executor = exec_interpreter();
   const struct lir_pass_options options = {0};
   struct subject subject = {.texels = make_texels(order)};
   struct lir_module module;
   struct lir_builder builder;

   lir_module_init(&module, NULL);
   lir_builder_init(&builder, &module,
                    lir_module_add_function(&module, "lookup"));
   filter->build(&builder, order);
   if (builder.failed || lir_optimize(&module, &options) != TG_OK ||
       executor->compile(NULL, &module, &subject.program) != TG_OK) {
      fprintf(stderr, "%s does not compile\n", order->name);
      exit(EXIT_FAILURE);
   }
   lir_module_finish(&module);
   subject.scratch = allocate_lines(executor->scratch_size(subject.program));
   return subject;
}

static void
clean_up(struct subject *subject)
{
   exec_interpreter()->destroy(subject->program);
   free(subject->scratch);
   free(subject->texels);
}

/* Nanoseconds of processor time for 16 lookups; what they gave, summed up, goes
 * to `check`. */
static double
measure(const struct subject *subject, wave_coords *coords, uint32_t *check)
{
   const struct exec_executor *executor = exec_interpreter();
   static _Alignas(64) lanes output[4];
   const struct exec_memory memories[2] = {
      {(uint32_t *)(uintptr_t)pitches, sizeof(pitches)},
      {subject->texels, NUM_TEXELS * sizeof(uint32_t)},
   };
   struct exec_wave wave = {
      .launched = 0xffff,
      .live = 0xffff,
      .memory[LIR_SPACE_CONST] = &memories[0],
      .num_memories[LIR_SPACE_CONST] = 1,
      .memory[LIR_SPACE_TEXTURE] = &memories[1],
      .num_memories[LIR_SPACE_TEXTURE] = 1,
      .output = {output, 4},
   };
   struct exec_fault fault;
   struct timespec begin, end;

   *check = 0;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
   for (unsigned i = 0; i < NUM_WAVES; i++) {
      wave.input = (struct exec_lane_memory){coords[i], 2};
      if (executor->run(subject->program, &wave, subject->scratch, &fault) !=
          TG_OK)
         exit(EXIT_FAILURE);
      *check = *check * 31 + output[i % 4][i % LIR_LANES];
   }
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
   return ((double)(end.tv_sec - begin.tv_sec) * 1e9 +
           (double)(end.tv_nsec - begin.tv_nsec)) /
          NUM_WAVES;
}

/* The orders take turns; each round gives a ratio to rows. */
static void
compare_orders(struct subject subjects[NUM_ORDERS], const char *filter,
               const struct pattern *pattern, wave_coords *coords)
{
   static double times[NUM_ORDERS][NUM_ROUNDS], ratios[NUM_ORDERS][NUM_ROUNDS];
   uint32_t checks[NUM_ORDERS];

   for (unsigned round = 0; round < NUM_ROUNDS; round++) {
      for (unsigned i = 0; i < NUM_ORDERS; i++) {
         times[i][round] = measure(&subjects[i], coords, &checks[i]);
         ratios[i][round] = times[i][round] / times[0][round];
         if (checks[i] != checks[0]) {
            fprintf(stderr, "%s: results differ\n", orders[i].name);
            exit(EXIT_FAILURE);
         }
      }
   }
   printf("%-9s %-15s %6.0f", filter, pattern->name,
          bench_median(times[0], NUM_ROUNDS));
   for (unsigned i = 1; i < NUM_ORDERS; i++) {
      const double ratio = bench_median(ratios[i], NUM_ROUNDS);

      printf("   %.2f (%.2f to %.2f)", ratio, ratios[i][NUM_ROUNDS / 10],
             ratios[i][NUM_ROUNDS - 1 - NUM_ROUNDS / 10]);
   }
   printf("\n");
}

int
main(void)
{
   wave_coords *coords = allocate_lines(NUM_WAVES * sizeof(*coords));

   printf(
      "%s, %d x %d texels of 4 bytes; ns for 16 lookups in rows, then times "
      "that (median, first and last tenth)\n%-32s",
      exec_interpreter()->name, SIZE, SIZE, "");
   for (unsigned i = 0; i < NUM_ORDERS; i++)
      printf("  %-20s", orders[i].name);
   printf("\n");
   for (unsigned f = 0; f < NUM_FILTERS; f++) {
      struct subject subjects[NUM_ORDERS];

      for (unsigned i = 0; i < NUM_ORDERS; i++)
         subjects[i] = make_subject(&orders[i], &filters[f]);
      for (unsigned i = 0; i < NUM_PATTERNS; i++) {
         fill_coords(&patterns[i], coords);
         compare_orders(subjects, filters[f].name, &patterns[i], coords);
      }
      for (unsigned i = 0; i < NUM_ORDERS; i++)
         clean_up(&subjects[i]);
   }
   free(coords);
   return EXIT_SUCCESS;
}
