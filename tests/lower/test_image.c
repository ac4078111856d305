/* SPDX-License-Identifier: MIT
 *
 * Images: where a texel is, for every target; coordinates at every edge; the
 * classes of formats; which images fit which instructions; images that are
 * computed or come as handles; the framebuffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "format/format.h"
#include "runner.h"

static struct runner runner;
static struct abi_keys keys;

/* ---- images -------------------------------------------------------------- */

struct image {
   enum tg_target target;
   enum tg_format format, resource_format;
   uint32_t width, height, depth, samples;
   uint32_t offset, row_pitch, slice_pitch, sample_pitch; /* in units */
};

/* Binds memory m of the runner as an image; its word w holds 1000 * m + w. */
static void
bind_image(unsigned place, unsigned m, const struct image *image)
{
   uint32_t *words =
      &runner.descriptors[ABI_IMAGE_FIRST + place * ABI_IMAGE_WORDS];
   struct abi_image_key *key = place < ABI_IMAGE_COLORS
                                  ? &keys.images[place]
                                  : &keys.colors[place - ABI_IMAGE_COLORS];
   struct runner_memory *memory = &runner.memories[m];

   *key = (struct abi_image_key){
      .format = (uint16_t)image->format,
      .resource_format = (uint16_t)image->resource_format,
      .target = (uint8_t)image->target,
   };
   words[ABI_IMAGE_WIDTH] = image->width;
   words[ABI_IMAGE_HEIGHT] = image->height;
   words[ABI_IMAGE_DEPTH] = image->depth;
   words[ABI_IMAGE_SAMPLES] = image->samples;
   words[ABI_IMAGE_OFFSET] = image->offset;
   words[ABI_IMAGE_ROW_PITCH] = image->row_pitch;
   words[ABI_IMAGE_SLICE_PITCH] = image->slice_pitch;
   words[ABI_IMAGE_SAMPLE_PITCH] = image->sample_pitch;
   memory->space = LIR_SPACE_IMAGE;
   memory->binding = place;
   memory->num_bytes = RUNNER_MEMORY_WORDS * 4;
   for (unsigned w = 0; w < RUNNER_MEMORY_WORDS; w++)
      memory->words[w] = 1000 * m + w;
   if (runner.num_memories <= m)
      runner.num_memories = m + 1;
}

/* Parses; images are bound after it. */
static void
begin(const char *text)
{
   runner_init(&runner, TG_DIALECT_2019, text);
   memset(&keys, 0, sizeof(keys));
   runner.options.keys = &keys;
}

static void
run(void)
{
   if (runner.result == TG_OK)
      runner.result = tg_shader_validate(runner.shader, runner.diagnostics);
   if (runner.result == TG_OK)
      runner_run(&runner);
   if (runner.result != TG_OK) {
      char *complaints = tg_diagnostics_text(runner.diagnostics);

      fail_msg("%s\n%s", runner.shader ? runner.shader->source.text : "",
               complaints ? complaints : "");
   }
}

/* ---- coordinates --------------------------------------------------------- */

/* Four by three texels of five slices and two samples, as far as a target has
 * them; a step along each axis leads elsewhere than one along another. */
static const struct image plenty = {
   .format = TG_FORMAT_R32_UINT,
   .resource_format = TG_FORMAT_R32_UINT,
   .width = 4,
   .height = 3,
   .depth = 12,
   .samples = 2,
   .offset = 7,
   .row_pitch = 5,
   .slice_pitch = 31,
   .sample_pitch = 16,
};

/* Which coordinate is what, 9: none; and the greatest number of slices. */
struct target_axes {
   enum tg_target target;
   const char *name;
   unsigned y, slice, sample;
   uint32_t num_slices;
   uint32_t size[4]; /* what RESQ says */
};

static const struct target_axes axes[] = {
   {TG_TARGET_BUFFER, "BUFFER", 9, 9, 9, 1, {4, 0, 0, 1}},
   {TG_TARGET_1D, "1D", 9, 9, 9, 1, {4, 0, 0, 1}},
   {TG_TARGET_2D, "2D", 1, 9, 9, 1, {4, 3, 0, 1}},
   {TG_TARGET_RECT, "RECT", 1, 9, 9, 1, {4, 3, 0, 1}},
   {TG_TARGET_3D, "3D", 1, 2, 9, 12, {4, 3, 12, 1}},
   {TG_TARGET_CUBE, "CUBE", 1, 2, 9, 6, {4, 3, 0, 1}},
   {TG_TARGET_1D_ARRAY, "1D_ARRAY", 9, 1, 9, 12, {4, 12, 0, 1}},
   {TG_TARGET_2D_ARRAY, "2D_ARRAY", 1, 2, 9, 12, {4, 3, 12, 1}},
   {TG_TARGET_CUBE_ARRAY, "CUBE_ARRAY", 1, 2, 9, 12, {4, 3, 2, 1}},
   {TG_TARGET_2D_MSAA, "2D_MSAA", 1, 9, 3, 1, {4, 3, 0, 2}},
   {TG_TARGET_2D_ARRAY_MSAA, "2D_ARRAY_MSAA", 1, 2, 3, 12, {4, 3, 12, 2}},
};

enum { NUM_AXES = sizeof(axes) / sizeof(axes[0]) };

/* Inside of all targets, at the last texel of each axis, and one behind; what
 * a target does not count it does not see. */
static const uint32_t coordinates[LIR_LANES][4] = {
   {0, 0, 0, 0},          {3, 2, 5, 1},          {1, 2, 3, 0},
   {2, 1, 4, 1},          {4, 0, 0, 0},          {0, 3, 0, 0},
   {0, 0, 6, 0},          {0, 0, 11, 0},         {0, 0, 12, 0},
   {0, 11, 0, 0},         {0, 12, 0, 0},         {0, 0, 0, 2},
   {0xffffffff, 0, 0, 0}, {0, 0xffffffff, 0, 0}, {0, 0, 0x80000000, 0},
   {3, 0, 0, 0xffffffff},
};

enum { NO_TEXEL = -1 };

/* The words from the first of a row to one of it, and from the first row to
 * another: a texel is a word. Images of samples are tiled: their one microtile
 * has its columns at 0, 1, 4 and 5, and its rows at 0, 2, 8 and 10. */
static uint32_t
find_column(const struct target_axes *a, uint32_t x)
{
   static const uint32_t tiled[] = {0, 1, 4, 5};

   return a->sample < 4 ? tiled[x] : x;
}

static uint32_t
find_row(const struct target_axes *a, uint32_t y)
{
   static const uint32_t tiled[] = {0, 2, 8};

   return a->sample < 4 ? tiled[y] : y * plenty.row_pitch;
}

/* The word of a lane's texel. */
static int
find_word(const struct target_axes *a, unsigned lane)
{
   const uint32_t *at = coordinates[lane];
   uint32_t word = plenty.offset;

   if (at[0] >= plenty.width)
      return NO_TEXEL;
   word += find_column(a, at[0]);
   if (a->y < 4) {
      if (at[a->y] >= plenty.height)
         return NO_TEXEL;
      word += find_row(a, at[a->y]);
   }
   if (a->slice < 4) {
      if (at[a->slice] >= a->num_slices)
         return NO_TEXEL;
      word += at[a->slice] * plenty.slice_pitch;
   }
   if (a->sample < 4) {
      if (at[a->sample] >= plenty.samples)
         return NO_TEXEL;
      word += at[a->sample] * plenty.sample_pitch;
   }
   return (int)word;
}

/* Runs a body with an image of a target as IMAGE[1]; IN[1] are the coordinates
 * of each lane. %s in the body is the target. */
static void
run_target(const struct target_axes *a, const char *body)
{
   struct image image = plenty;
   char code[512], text[1024];

   snprintf(code, sizeof(code), body, a->name);
   snprintf(text, sizeof(text),
            "VERT\nDCL IN[0..1]\nDCL OUT[0..1]\nDCL TEMP[0]\n"
            "DCL IMAGE[1], %s, PIPE_FORMAT_R32_UINT, WR\n"
            "IMM[0] UINT32 {0, 1, 100, 1000}\n%s\nEND\n",
            a->name, code);
   begin(text);
   image.target = a->target;
   bind_image(1, 0, &image);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      for (unsigned c = 0; c < 4; c++)
         runner.input[4 + c][lane] = coordinates[lane][c];
   }
   run();
}

static void
test_loads(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_AXES; i++) {
      run_target(&axes[i], "LOAD OUT[0], IMAGE[1], IN[1], %s");
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         int word = find_word(&axes[i], lane);

         /* A component that the format has not is 0 outside, alpha too. */
         assert_int_equal(runner.output[0][lane],
                          word == NO_TEXEL ? 0 : (uint32_t)word);
         assert_int_equal(runner.output[1][lane], 0);
         assert_int_equal(runner.output[2][lane], 0);
         assert_int_equal(runner.output[3][lane], word != NO_TEXEL);
      }
      runner_finish(&runner);
   }
}

/* Texels of two words, of which a row of microtiles has 16 pixels: two
 * microtiles each way. */
static void
test_microtiles(void **state)
{
   static const struct image image = {
      .target = TG_TARGET_2D_MSAA,
      .format = TG_FORMAT_R32G32_UINT,
      .resource_format = TG_FORMAT_R32G32_UINT,
      .width = 6,
      .height = 6,
      .depth = 1,
      .samples = 2,
      .offset = 3,
      .row_pitch = 16,
      .sample_pitch = 128,
   };
   static const uint32_t at[][4] = {
      {0, 0, 0, 0}, {3, 2, 0, 0}, {5, 1, 0, 1}, {2, 5, 0, 0}, {4, 4, 0, 1}};
   /* Pixel 5 of the microtile and 8 of its rows; 16 + 1 + 2; 4 of its columns
    * and 2 of its rows, after 2 microtiles; the fourth of these. */
   static const uint32_t pixels[] = {0, 13, 19, 38, 48};

   (void)state;
   begin("VERT\nDCL IN[0..1]\nDCL OUT[0]\n"
         "DCL IMAGE[1], 2D_MSAA, PIPE_FORMAT_R32G32_UINT, WR\n"
         "LOAD OUT[0], IMAGE[1], IN[1], 2D_MSAA\nEND\n");
   bind_image(1, 0, &image);
   for (unsigned lane = 0; lane < 5; lane++) {
      for (unsigned c = 0; c < 4; c++)
         runner.input[4 + c][lane] = at[lane][c];
   }
   run();
   for (unsigned lane = 0; lane < 5; lane++) {
      const uint32_t word = 3 + pixels[lane] * 2 + at[lane][3] * 128;

      assert_int_equal(runner.output[0][lane], word);
      assert_int_equal(runner.output[1][lane], word + 1);
   }
   runner_finish(&runner);
}

/* The words of a row of a tiled image whose texels are bytes are those of four
 * columns: 0, 1, 4 and 5, 16 further in the next microtile. */
static void
test_rows_of_microtiles(void **state)
{
   static const struct image image = {
      .target = TG_TARGET_2D_MSAA,
      .format = TG_FORMAT_R8_UINT,
      .resource_format = TG_FORMAT_R8_UINT,
      .width = 8,
      .height = 5,
      .depth = 1,
      .samples = 2,
      .row_pitch = 8,
      .sample_pitch = 64,
   };
   /* Byte, row and sample; what is there when byte i of memory is i. */
   static const uint32_t rows[][4] = {
      {0, 0, 0, 0x05040100}, {4, 1, 0, 0x17161312}, {0, 4, 1, 0x65646160},
      {4, 5, 0, 0},          {8, 0, 0, 0},
   };
   unsigned char *bytes = (unsigned char *)runner.memories[0].words;

   (void)state;
   begin("COMP\nDCL IN[0..1]\nDCL OUT[0]\nDCL RES[1], 2D_MSAA, RAW, WR\n"
         "LOAD OUT[0].x, RES[1], IN[1]\n"
         "STORE RES[1].x, IN[1], IN[0]\nEND\n");
   bind_image(1, 0, &image);
   for (unsigned i = 0; i < 128; i++)
      bytes[i] = (unsigned char)i;
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const uint32_t *row = rows[lane < 5 ? lane : 4];

      runner.input[0][lane] = 0xd3d2d1d0;
      runner.input[4][lane] = row[0];
      runner.input[5][lane] = row[1];
      runner.input[7][lane] = row[2];
   }
   run();
   for (unsigned lane = 0; lane < 5; lane++)
      assert_int_equal(runner.output[0][lane], rows[lane][3]);
   static const unsigned char stored[] = {0,  1,  4,  5,  18,  19,
                                          22, 23, 96, 97, 100, 101};
   for (unsigned i = 0, k = 0; i < 128; i++) {
      if (k < sizeof(stored) && stored[k] == i)
         assert_int_equal(bytes[i], 0xd0 + k++ % 4);
      else
         assert_int_equal(bytes[i], i);
   }
   runner_finish(&runner);
}

/* Each lane its number, so that the last one of a texel stays. */
static void
test_stores(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_AXES; i++) {
      uint32_t expected[RUNNER_MEMORY_WORDS];

      run_target(&axes[i], "STORE IMAGE[1], IN[1], IN[0], %s");
      for (uint32_t w = 0; w < RUNNER_MEMORY_WORDS; w++)
         expected[w] = w;
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         int word = find_word(&axes[i], lane);

         if (word != NO_TEXEL)
            expected[word] = lane;
      }
      assert_memory_equal(runner.memories[0].words, expected, sizeof(expected));
      runner_finish(&runner);
   }
}

static void
test_atomics(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_AXES; i++) {
      uint32_t expected[RUNNER_MEMORY_WORDS];

      run_target(&axes[i], "ATOMUADD OUT[0].x, IMAGE[1], IN[1], IMM[0].wwww, "
                           "%s, PIPE_FORMAT_R32_UINT");
      for (uint32_t w = 0; w < RUNNER_MEMORY_WORDS; w++)
         expected[w] = w;
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         int word = find_word(&axes[i], lane);

         assert_int_equal(runner.output[0][lane],
                          word == NO_TEXEL ? 0 : expected[word]);
         if (word != NO_TEXEL)
            expected[word] += 1000;
      }
      assert_memory_equal(runner.memories[0].words, expected, sizeof(expected));
      runner_finish(&runner);
   }
}

static void
test_sizes(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_AXES; i++) {
      run_target(&axes[i], "RESQ OUT[0], IMAGE[1], %s");
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(runner.output[c][0], axes[i].size[c]);
      runner_finish(&runner);
   }
}

/* An instruction that names no target has the declaration's. */
static void
test_no_target(void **state)
{
   (void)state;
   run_target(&axes[4], "LOAD OUT[0].x, IMAGE[1], IN[1]");
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      int word = find_word(&axes[4], lane);

      assert_int_equal(runner.output[0][lane],
                       word == NO_TEXEL ? 0 : (uint32_t)word);
   }
   runner_finish(&runner);
}

/* ---- what fits ----------------------------------------------------------- */

/* Reads texel 0 of an image: 7, the word at the offset, if it can be read. */
static uint32_t
read_as(enum tg_target bound, const char *target)
{
   struct image image = plenty;
   char text[512];
   uint32_t value;

   snprintf(text, sizeof(text),
            "VERT\nDCL OUT[0]\nDCL IMAGE[0], %s\nIMM[0] UINT32 {0, 0, 0, 0}\n"
            "LOAD OUT[0].x, IMAGE[0], IMM[0], %s\n"
            "RESQ OUT[0].y, IMAGE[0].xxxx, %s\nEND\n",
            target, target, target);
   begin(text);
   image.target = bound;
   bind_image(0, 0, &image);
   run();
   value = runner.output[0][0];
   runner_finish(&runner);
   return value;
}

static void
test_targets(void **state)
{
   static const struct {
      const char *name;
      enum tg_target bound[8]; /* BUFFER ends the list */
   } fitting[] = {
      {"1D", {TG_TARGET_1D, TG_TARGET_1D_ARRAY}},
      {"1D_ARRAY", {TG_TARGET_1D_ARRAY}},
      {"2D",
       {TG_TARGET_2D, TG_TARGET_RECT, TG_TARGET_3D, TG_TARGET_CUBE,
        TG_TARGET_2D_ARRAY, TG_TARGET_CUBE_ARRAY}},
      {"RECT",
       {TG_TARGET_2D, TG_TARGET_RECT, TG_TARGET_3D, TG_TARGET_CUBE,
        TG_TARGET_2D_ARRAY, TG_TARGET_CUBE_ARRAY}},
      {"3D", {TG_TARGET_3D}},
      {"CUBE", {TG_TARGET_CUBE, TG_TARGET_2D_ARRAY, TG_TARGET_CUBE_ARRAY}},
      {"2D_ARRAY", {TG_TARGET_CUBE, TG_TARGET_2D_ARRAY, TG_TARGET_CUBE_ARRAY}},
      {"CUBE_ARRAY",
       {TG_TARGET_CUBE, TG_TARGET_2D_ARRAY, TG_TARGET_CUBE_ARRAY}},
      {"2D_MSAA", {TG_TARGET_2D_MSAA, TG_TARGET_2D_ARRAY_MSAA}},
      {"2D_ARRAY_MSAA", {TG_TARGET_2D_ARRAY_MSAA}},
   };

   (void)state;
   for (size_t f = 0; f < sizeof(fitting) / sizeof(fitting[0]); f++) {
      for (unsigned i = 0; i < NUM_AXES; i++) {
         bool fits = false;

         for (unsigned b = 0; b < 8 && fitting[f].bound[b]; b++)
            fits |= fitting[f].bound[b] == axes[i].target;
         assert_int_equal(read_as(axes[i].target, fitting[f].name),
                          fits ? 7 : 0);
      }
   }
   assert_int_equal(read_as(TG_TARGET_BUFFER, "BUFFER"), 7);
   assert_int_equal(read_as(TG_TARGET_2D, "BUFFER"), 0);
}

/* A format that is wider than the texel reads 0 and stores nothing; one that is
 * narrower sees the texel's beginning. */
static void
test_format_sizes(void **state)
{
   static const struct {
      const char *name;
      enum tg_format resource_format;
      uint32_t expected; /* of texel 2, from word 4 * unit on */
   } rows[] = {
      {"R32_UINT", TG_FORMAT_R32G32_UINT, 4 + 2 * 2},
      {"R32_UINT", TG_FORMAT_R16_UINT, 0},
      {"R32G32_UINT", TG_FORMAT_R32_UINT, 0},
      {"R8_UINT", TG_FORMAT_R32_UINT, 4 + 2},
      {"R8_UINT", TG_FORMAT_R16_UINT, 3}, /* halfword 6, of word 3 */
      {"R16_UINT", TG_FORMAT_R8G8B8_UINT, 0},
      {"R16G16_UINT", TG_FORMAT_R32_UINT, 4 + 2},
      {"DXT1_RGB", TG_FORMAT_R32G32_UINT, 0},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const struct image image = {
         .target = TG_TARGET_1D,
         .format = rows[i].resource_format,
         .resource_format = rows[i].resource_format,
         .width = 4,
         .offset = 4,
      };
      char text[512];

      snprintf(text, sizeof(text),
               "VERT\nDCL OUT[0]\nDCL IMAGE[0], 1D, WR\n"
               "IMM[0] UINT32 {2, 0, 0, 0}\n"
               "LOAD OUT[0].x, IMAGE[0], IMM[0], 1D, PIPE_FORMAT_%s\n"
               "STORE IMAGE[0], IMM[0], OUT[0], 1D, PIPE_FORMAT_%s\nEND\n",
               rows[i].name, rows[i].name);
      begin(text);
      bind_image(0, 0, &image);
      run();
      assert_int_equal(runner.output[0][0], rows[i].expected);
      for (unsigned w = 0; w < RUNNER_MEMORY_WORDS; w++)
         assert_int_equal(runner.memories[0].words[w], w);
      runner_finish(&runner);
   }
}

/* What names no format is read in that of the view and stored in the resource's
 * own: here 0xff0000ff, and 5. */
static void
test_no_format(void **state)
{
   const struct image image = {
      .target = TG_TARGET_1D,
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .resource_format = TG_FORMAT_R32_UINT,
      .width = 4,
   };

   (void)state;
   begin("VERT\nDCL OUT[0]\nDCL IMAGE[0], 1D, WR\n"
         "IMM[0] UINT32 {0, 1, 5, 0}\n"
         "LOAD OUT[0], IMAGE[0], IMM[0].xxxx, 1D\n"
         "STORE IMAGE[0], IMM[0].yyyy, IMM[0].zzzz, 1D\nEND\n");
   bind_image(0, 0, &image);
   runner.memories[0].words[0] = 0xff0000ff;
   run();
   assert_int_equal(runner.output[0][0], 0x3f800000);
   assert_int_equal(runner.output[1][0], 0);
   assert_int_equal(runner.output[3][0], 0x3f800000);
   assert_int_equal(runner.memories[0].words[1], 5);
   runner_finish(&runner);
}

static void
test_atomic_formats(void **state)
{
   static const struct {
      const char *text;
      enum tg_format bound;
      uint32_t after; /* of word 0, which was 0x3f800000 */
   } rows[] = {
      {"ATOMUADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].yyyy, 1D, "
       "PIPE_FORMAT_R32_SINT",
       TG_FORMAT_R32_UINT, 0x3f800001},
      {"ATOMUADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].yyyy, 1D",
       TG_FORMAT_R32_SINT, 0x3f800001},
      {"ATOMUADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].yyyy, 1D",
       TG_FORMAT_R32_FLOAT, 0x3f800000},
      {"ATOMUADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].yyyy, 1D",
       TG_FORMAT_R8G8B8A8_UINT, 0x3f800000},
      {"ATOMXCHG OUT[0].x, IMAGE[0], IMM[0], IMM[0].yyyy, 1D",
       TG_FORMAT_R32_FLOAT, 1},
      {"ATOMFADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].zzzz, 1D, "
       "PIPE_FORMAT_R32_FLOAT",
       TG_FORMAT_R32_FLOAT, 0x40000000},
      {"ATOMFADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].zzzz, 1D",
       TG_FORMAT_R32_UINT, 0x3f800000},
      {"ATOMUADD OUT[0].x, IMAGE[0], IMM[0], IMM[0].yyyy, 1D, "
       "PIPE_FORMAT_R32_UINT",
       TG_FORMAT_R16_UINT, 0x3f800000},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const struct image image = {
         .target = TG_TARGET_1D,
         .format = rows[i].bound,
         .resource_format = rows[i].bound,
         .width = 4,
      };
      char text[512];

      snprintf(text, sizeof(text),
               "VERT\nDCL OUT[0]\nDCL IMAGE[0], 1D, WR\n"
               "IMM[0] UINT32 {0, 1, 0x3f800000, 0}\n%s\nEND\n",
               rows[i].text);
      begin(text);
      bind_image(0, 0, &image);
      runner.memories[0].words[0] = 0x3f800000;
      runner.launched = runner.live = 1;
      run();
      assert_int_equal(runner.memories[0].words[0], rows[i].after);
      assert_int_equal(runner.output[0][0],
                       rows[i].after == 0x3f800000 ? 0 : 0x3f800000);
      runner_finish(&runner);
   }
}

/* ---- formats ------------------------------------------------------------- */

static uint32_t
bits(float value)
{
   uint32_t word;

   memcpy(&word, &value, sizeof(word));
   return word;
}

/* A texel as words of memory, what it reads as, and what storing `value` makes
 * of it. Floats are given as floats unless the format is one of integers. */
static const struct {
   const char *format;
   bool is_integer;
   uint32_t texel[4];
   double reads[4];
   double value[4];
   uint32_t stored[4];
} formats[] = {
   {"R8G8B8A8_UNORM",
    false,
    {0x330000ff},
    {1, 0, 0, 0.2},
    {0.2, 2, -1, 0.5}, /* 0.5 * 255 is 127.5, and 128 is even */
    {0x8000ff33}},
   {"B8G8R8A8_UNORM",
    false,
    {0x330000ff},
    {0, 0, 1, 0.2},
    {0.2, 1, 0, 1},
    {0xff33ff00}},
   {"R8_UNORM", false, {0x99}, {0.6, 0, 0, 1}, {0.2, 1, 1, 1}, {0x33}},
   {"R8G8_SNORM", false, {0x8081}, {-1, -1, 0, 1}, {-2, 1, 0, 0}, {0x7f81}},
   {"R16G16_SNORM",
    false,
    {0x7fff8001},
    {-1, 1, 0, 1},
    {1, -1, 0, 0},
    {0x80017fff}},
   {"R16_UNORM", false, {0xffff}, {1, 0, 0, 1}, {0.2, 0, 0, 0}, {0x3333}},
   {"R16G16B16A16_FLOAT",
    false,
    {0xc0003c00, 0x00017bff},
    {1, -2, 65504, 0x1p-24},
    {0.5, 1e9, -0x1p-25, 3},
    {0x7c003800, 0x42008000}},
   {"R32_FLOAT",
    false,
    {0x40490fdb},
    {3.14159274, 0, 0, 1},
    {-2, 0, 0, 0},
    {0xc0000000}},
   {"R32G32B32A32_FLOAT",
    false,
    {0x3f800000, 0x40000000, 0x40400000, 0x40800000},
    {1, 2, 3, 4},
    {-1, -2, -3, -4},
    {0xbf800000, 0xc0000000, 0xc0400000, 0xc0800000}},
   {"R11G11B10_FLOAT", /* exponents of bias 15, mantissas of 6, 6, 5 bits */
    false,
    {15u << 6 | 16u << 17 | 14u << 27},
    {1, 2, 0.5, 1},
    {1.5, -1, 4, 0},
    {(15u << 6 | 32) | 0u << 11 | (17u << 5) << 22}},
   {"R10G10B10A2_UNORM",
    false,
    {0x3ffu | 0x155u << 20 | 1u << 30},
    {1, 0, 341.0 / 1023, 1.0 / 3},
    {0, 1, 0, 1},
    {0x3ffu << 10 | 3u << 30}},
   {"R8G8B8A8_UINT",
    true,
    {0x040302ff},
    {255, 2, 3, 4},
    {256, 7, 0, 4294967295.0},
    {0xff0007ff}},
   {"R8G8B8A8_SINT",
    true,
    {0x0403807f},
    {127, -128, 3, 4},
    {-1, -1000, 1000, 5},
    {0x057f80ff}},
   {"R16_SINT", true, {0x8000}, {-32768, 0, 0, 1}, {40000, 0, 0, 0}, {0x7fff}},
   {"R32G32_UINT",
    true,
    {5, 0xffffffff},
    {5, 4294967295.0, 0, 1},
    {1, 2, 3, 4},
    {1, 2}},
   {"R10G10B10A2_UINT",
    true,
    {0x3ffu | 2u << 30},
    {1023, 0, 0, 2},
    {2000, 1, 0, 9},
    {0x3ffu | 1u << 10 | 3u << 30}},
   {"R8G8B8A8_SRGB",
    false,
    {0xff00ff33},
    {0.0331047666, 1, 0, 1}, /* ((0.2 + 0.055) / 1.055) ^ 2.4 */
    {1, 0, 0.0331047666, 0.2},
    {0x333300ff}},
};

static void
test_formats(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      char text[512];

      snprintf(text, sizeof(text),
               "VERT\nDCL IN[0..1]\nDCL OUT[0]\nDCL IMAGE[0], 1D, "
               "PIPE_FORMAT_%s, WR\n"
               "IMM[0] UINT32 {1, 2, 0, 0}\n"
               "LOAD OUT[0], IMAGE[0], IMM[0], 1D, PIPE_FORMAT_%s\n"
               "STORE IMAGE[0].x, IMM[0].yyyy, IN[1], 1D, PIPE_FORMAT_%s\n"
               "END\n",
               formats[i].format, formats[i].format, formats[i].format);
      begin(text);

      const enum tg_format format =
         (enum tg_format)runner.shader->declarations[2].format;
      const struct format_info *info = format_info(format);
      const struct image image = {
         .target = TG_TARGET_1D,
         .format = format,
         .resource_format = format,
         .width = 4,
      };
      bind_image(0, 0, &image);
      unsigned char *bytes = (unsigned char *)runner.memories[0].words;
      memset(bytes, 0xee, RUNNER_MEMORY_WORDS * 4);
      memcpy(bytes + info->block_bytes, formats[i].texel, info->block_bytes);
      for (unsigned c = 0; c < 4; c++) {
         const double value = formats[i].value[c];

         for (unsigned lane = 0; lane < LIR_LANES; lane++)
            runner.input[4 + c][lane] = formats[i].is_integer
                                           ? (uint32_t)(int64_t)value
                                           : bits((float)value);
      }
      run();
      for (unsigned c = 0; c < 4; c++) {
         const double reads = formats[i].reads[c];
         const uint32_t expected = formats[i].is_integer
                                      ? (uint32_t)(int64_t)reads
                                      : bits((float)reads);

         if (runner.output[c][0] != expected)
            fail_msg("%s: channel %u reads as 0x%x, not 0x%x",
                     formats[i].format, c, runner.output[c][0], expected);
      }
      if (memcmp(bytes + 2 * info->block_bytes, formats[i].stored,
                 info->block_bytes) != 0)
         fail_msg(
            "%s: stored 0x%x", formats[i].format,
            *(const uint32_t *)(const void *)(bytes + 2 * info->block_bytes));
      assert_int_equal(bytes[0], 0xee);
      assert_int_equal(bytes[3 * info->block_bytes], 0xee);
      runner_finish(&runner);
   }
}

/* ---- which image --------------------------------------------------------- */

/* Images 0, 1 and 3 are bound; word w of them is w, 1000 + w, 2000 + w. */
static void
bind_some(void)
{
   struct image image = plenty;

   image.target = TG_TARGET_2D;
   bind_image(0, 0, &image);
   bind_image(1, 1, &image);
   image.target = TG_TARGET_3D;
   bind_image(3, 2, &image);
}

static void
expect_lanes(const char *text, const uint32_t expected[LIR_LANES])
{
   begin(text);
   bind_some();
   run();
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if (runner.output[0][lane] != expected[lane])
         fail_msg("%s: lane %u gave %u, not %u", text, lane,
                  runner.output[0][lane], expected[lane]);
   }
}

#define SOME_IMAGES                                                            \
   "VERT\nDCL IN[0]\nDCL OUT[0]\nDCL TEMP[0..1]\nDCL ADDR[0]\n"                \
   "DCL IMAGE[0..3], 2D, PIPE_FORMAT_R32_UINT, WR\n"                           \
   "IMM[0] UINT32 {0, 1, 2, 0x20000}\n"

static void
test_computed_images(void **state)
{
   (void)state;
   /* Texel (1, 1) is word 13; place 2 is empty, place 3 a slice of a volume. */
   expect_lanes(SOME_IMAGES "UARL ADDR[0].x, IN[0].wwww\n"
                            "LOAD OUT[0].x, IMAGE[ADDR[0].x], IMM[0].yyyy, 2D\n"
                            "END\n",
                (const uint32_t[LIR_LANES]){13, 13, 13, 13, 1013, 1013, 1013,
                                            1013, 0, 0, 0, 0, 2013, 2013, 2013,
                                            2013});
   runner_finish(&runner);
   expect_lanes(SOME_IMAGES "UARL ADDR[0].x, IN[0].wwww\n"
                            "LOAD OUT[0].x, IMAGE[ADDR[0].x-1], IMM[0].yyyy, "
                            "2D\n"
                            "END\n",
                (const uint32_t[LIR_LANES]){0, 0, 0, 0, 13, 13, 13, 13, 1013,
                                            1013, 1013, 1013});
   runner_finish(&runner);

   expect_lanes(SOME_IMAGES "UARL ADDR[0].x, IN[0].wwww\n"
                            "STORE IMAGE[ADDR[0].x], IMM[0].yyyy, IN[0], 2D\n"
                            "ATOMUADD OUT[0].x, IMAGE[ADDR[0].x], IMM[0].yyyy, "
                            "IMM[0].yyyy, 2D, PIPE_FORMAT_R32_UINT\n"
                            "END\n",
                (const uint32_t[LIR_LANES]){3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 0,
                                            15, 16, 17, 18});
   assert_int_equal(runner.memories[0].words[13], 7);
   assert_int_equal(runner.memories[1].words[13], 11);
   assert_int_equal(runner.memories[2].words[13], 19);
   runner_finish(&runner);
}

static void
test_handles(void **state)
{
   static const uint32_t sizes[LIR_LANES] = {4, 4, 4, 4, 4, 4, 4, 4,
                                             0, 0, 0, 0, 4, 4, 4, 4};
   static const uint32_t words[LIR_LANES] = {13,   13,   13,   13,  1013, 1013,
                                             1013, 1013, 0,    0,   0,    0,
                                             2013, 2013, 2013, 2013};

   (void)state;
   /* 0x20000 and the place. */
   expect_lanes(SOME_IMAGES "UARL ADDR[0].x, IN[0].wwww\n"
                            "IMG2HND TEMP[0], IMAGE[ADDR[0].x+1]\n"
                            "USEQ TEMP[1].x, TEMP[0].yyyy, TEMP[0].wwww\n"
                            "AND OUT[0].x, TEMP[0].zzzz, TEMP[1].xxxx\n"
                            "END\n",
                (const uint32_t[LIR_LANES]){
                   0x20001, 0x20001, 0x20001, 0x20001, 0x20002, 0x20002,
                   0x20002, 0x20002, 0x20003, 0x20003, 0x20003, 0x20003});
   runner_finish(&runner);
   expect_lanes(SOME_IMAGES "UADD TEMP[0].z, IN[0].wwww, IMM[0].wwww\n"
                            "LOAD OUT[0].x, TEMP[0].zwxx, IMM[0].yyyy, 2D, "
                            "PIPE_FORMAT_R32_UINT\n"
                            "END\n",
                words);
   runner_finish(&runner);
   expect_lanes(SOME_IMAGES "IMG2HND TEMP[0].xy, IMAGE[1]\n"
                            "LOAD OUT[0].x, TEMP[0], IMM[0].yyyy, 2D\n"
                            "END\n",
                (const uint32_t[LIR_LANES]){1013, 1013, 1013, 1013, 1013, 1013,
                                            1013, 1013, 1013, 1013, 1013, 1013,
                                            1013, 1013, 1013, 1013});
   runner_finish(&runner);
   expect_lanes(SOME_IMAGES "UADD TEMP[0].x, IN[0].wwww, IMM[0].wwww\n"
                            "RESQ OUT[0].x, TEMP[0], 2D\n"
                            "END\n",
                sizes);
   runner_finish(&runner);

   /* A high word, another tag, a number without one: unbound. */
   expect_lanes(SOME_IMAGES "MOV TEMP[0].x, IMM[0].wwww\n"
                            "MOV TEMP[0].y, IN[0].zzzz\n"
                            "LOAD OUT[0].x, TEMP[0], IMM[0].yyyy, 2D\n"
                            "LOAD OUT[0].x, IN[0], IMM[0].yyyy, 2D\n"
                            "LOAD OUT[0].x, IMM[0].yxxx, IMM[0].yyyy, 2D\n"
                            "END\n",
                (const uint32_t[LIR_LANES]){0});
   runner_finish(&runner);

   expect_lanes(SOME_IMAGES
                "UADD TEMP[0].x, IN[0].wwww, IMM[0].wwww\n"
                "STORE TEMP[0], IMM[0].yyyy, IN[0], 2D, PIPE_FORMAT_R32_UINT\n"
                "ATOMUADD OUT[0].x, TEMP[0], IMM[0].yyyy, IMM[0].yyyy, 2D, "
                "PIPE_FORMAT_R32_UINT\n"
                "END\n",
                (const uint32_t[LIR_LANES]){3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 0,
                                            15, 16, 17, 18});
   assert_int_equal(runner.memories[1].words[13], 11);
   runner_finish(&runner);
}

/* RES[n] that has neither types nor RAW is image n. */
static void
test_resources(void **state)
{
   (void)state;
   expect_lanes("COMP\nDCL IN[0]\nDCL OUT[0]\nDCL TEMP[0]\n"
                "DCL RES[0..1], 2D, WR\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                "STORE RES[0], IMM[0].zyyy, IN[0]\n"
                "ATOMUADD TEMP[0].x, RES[0], IMM[0].yyyy, IMM[0].yyyy\n"
                "LOAD TEMP[0].x, RES[0], IMM[0].yyyy\n"
                "LOAD TEMP[0].y, RES[1].xxxx, IMM[0].yyyy\n"
                "UADD OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nEND\n",
                (const uint32_t[LIR_LANES]){1042, 1042, 1042, 1042, 1042, 1042,
                                            1042, 1042, 1042, 1042, 1042, 1042,
                                            1042, 1042, 1042, 1042});
   assert_int_equal(runner.memories[0].words[14], 15);
   assert_int_equal(runner.memories[0].words[13], 29);
   runner_finish(&runner);
}

/* Nothing is bound without keys, whatever the words say. */
static void
test_unbound(void **state)
{
   (void)state;
   begin(SOME_IMAGES "LOAD TEMP[0], IMAGE[0], IMM[0].yyyy, 2D\n"
                     "RESQ TEMP[1], IMAGE[0], 2D\n"
                     "OR TEMP[0], TEMP[0], TEMP[1]\n"
                     "OR TEMP[0].xy, TEMP[0].xyxx, TEMP[0].zwxx\n"
                     "OR OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
                     "STORE IMAGE[0], IMM[0].yyyy, IN[0], 2D\n"
                     "END\n");
   bind_some();
   runner.options.keys = NULL;
   run();
   assert_int_equal(runner.output[0][5], 0);
   assert_int_equal(runner.memories[0].words[13], 13);
   runner_finish(&runner);
}

/* Lanes 4 to 11 are live, of which 7 is killed. */
static void
test_helpers(void **state)
{
   (void)state;
   begin("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
         "DCL TEMP[0]\nDCL IMAGE[0], 1D, PIPE_FORMAT_R32_UINT, WR\n"
         "IMM[0] UINT32 {7, 4096, 0, 0}\nIMM[1] FLT32 {-1, 0, 0, 0}\n"
         "USEQ TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n"
         "AND TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
         "KILL_IF TEMP[0].xxxx\n"
         "STORE IMAGE[0], IN[0].xxxx, IMM[0].yyyy, 1D\n"
         "LOAD OUT[0].x, IMAGE[0], IN[0].xxxx, 1D\n"
         "ATOMUADD OUT[0].y, IMAGE[0], IMM[0].zzzz, IMM[0].yyyy, 1D\n"
         "END\n");
   const struct image image = {
      .target = TG_TARGET_1D,
      .format = TG_FORMAT_R32_UINT,
      .resource_format = TG_FORMAT_R32_UINT,
      .width = 20,
   };
   bind_image(0, 0, &image);
   runner.live = 0x0ff0;
   run();
   uint32_t sum = 0;
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const bool is_live = lane >= 4 && lane < 12 && lane != 7;

      assert_int_equal(runner.output[0][lane], is_live ? 4096 : lane);
      assert_int_equal(runner.output[1][lane], is_live ? sum : 0);
      if (lane)
         assert_int_equal(runner.memories[0].words[lane],
                          is_live ? 4096 : lane);
      sum += is_live ? 4096 : 0;
   }
   assert_int_equal(runner.memories[0].words[0], sum);
   runner_finish(&runner);
}

/* ---- the framebuffer ----------------------------------------------------- */

static void
stage_pixel(void *user, struct lir_builder *builder, lir_value pixel_out[4])
{
   (void)user;
   pixel_out[0] = lir_lane(builder);
   pixel_out[1] = lir_const32(builder, 1);
   pixel_out[2] = lir_const32(builder, 2);
   pixel_out[3] = lir_const32(builder, 1);
}

static void
fetch(const char *declarations, const char *operand,
      const struct lower_stage *stage, const struct image *image)
{
   char text[512];

   snprintf(text, sizeof(text),
            "FRAG\nDCL OUT[0], COLOR[1]\nDCL OUT[1], COLOR\nDCL TEMP[0]\n%s"
            "FBFETCH TEMP[0], OUT%s\nMOV OUT[0], TEMP[0]\n"
            "MOV OUT[1], TEMP[0]\nEND\n",
            declarations, operand);
   begin(text);
   bind_image(ABI_IMAGE_COLORS + 1, 0, image);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      runner.input[4][lane] = bits((float)lane - 0.5f);
      runner.input[5][lane] = bits(2.25f);
      runner.sysval[0][lane] = bits((float)lane + 0.5f);
      runner.sysval[1][lane] = bits(1.5f);
   }
   runner.options.stage = stage;
   run();
}

static void
test_framebuffer(void **state)
{
   static const struct lower_stage stage = {.pixel = stage_pixel};
   struct image image = plenty;

   (void)state;
   image.target = TG_TARGET_2D;

   /* POSITION, rounded down: x from -1 on, y 2. */
   fetch("DCL IN[1], POSITION, LINEAR\n", "[0]", NULL, &image);
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      assert_int_equal(runner.output[0][lane],
                       lane >= 1 && lane <= 4 ? 7 + lane - 1 + 10 : 0);
   assert_int_equal(runner.output[3][1], 1);
   assert_int_equal(runner.output[3][0], 0);
   runner_finish(&runner);
   fetch("DCL SV[0], POSITION\n", "[0]", NULL, &image);
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      assert_int_equal(runner.output[0][lane], lane < 4 ? 7 + lane + 5 : 0);
   runner_finish(&runner);

   /* Without, pixel (0, 0); by the swizzle of what is read. */
   fetch("", "[0].wxyz", NULL, &image);
   assert_int_equal(runner.output[0][3], 1);
   assert_int_equal(runner.output[1][3], 7);
   runner_finish(&runner);

   /* COLOR[0] is not bound. */
   fetch("", "[1]", NULL, &image);
   for (unsigned c = 0; c < 4; c++)
      assert_int_equal(runner.output[c][3], 0);
   runner_finish(&runner);

   /* The stage's pixel, layer and sample. */
   fetch("", "[0]", &stage, &image);
   assert_int_equal(runner.output[0][3], 7 + 3 + 5);
   assert_int_equal(runner.output[0][4], 0);
   runner_finish(&runner);
   image.target = TG_TARGET_2D_ARRAY_MSAA;
   fetch("", "[0]", &stage, &image);
   assert_int_equal(runner.output[0][3], 7 + 5 + 2 + 2 * 31 + 16);
   runner_finish(&runner);
   image.target = TG_TARGET_1D_ARRAY;
   fetch("", "[0]", &stage, &image);
   assert_int_equal(runner.output[0][3], 7 + 3 + 2 * 31);
   runner_finish(&runner);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loads),
      cmocka_unit_test(test_microtiles),
      cmocka_unit_test(test_rows_of_microtiles),
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_no_target),
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_format_sizes),
      cmocka_unit_test(test_no_format),
      cmocka_unit_test(test_atomic_formats),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_computed_images),
      cmocka_unit_test(test_handles),
      cmocka_unit_test(test_resources),
      cmocka_unit_test(test_unbound),
      cmocka_unit_test(test_helpers),
      cmocka_unit_test(test_framebuffer),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
