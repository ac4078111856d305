/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of texels as LIR, against format_unpack() and format_pack():
 * every format, all texels of up to 16 bits, edges and random ones of the
 * wider.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi/bindings.h"
#include "abi/tables.h"
#include "exec/exec.h"
#include "format/srgb.h"
#include "lir/passes.h"
#include "lower/fixed_function/texel_units.h"
#include "util/bits.h"

enum {
   MAX_BYTES = 32,
   NUM_RANDOM_WAVES = 64,
   MEMORY_WORDS = LIR_LANES * MAX_BYTES / 4,
   WORD_STENCIL = 4, /* of inputs and outputs, behind x, y, z and w */
   NUM_WORDS,
};

/* ---- a program and its memory -------------------------------------------- */

struct machine {
   enum tg_format format;
   const struct format_info *info;
   struct lir_module module;
   struct lir_builder builder;
   struct exec_program *program;
   void *scratch;
   uint32_t memory[MEMORY_WORDS];
   uint32_t input[NUM_WORDS][LIR_LANES];
   uint32_t output[NUM_WORDS][LIR_LANES];
};

/* The texel of each lane lies at the lane's number. */
static lir_value
begin(struct machine *machine, enum tg_format format)
{
   struct lir_builder *builder = &machine->builder;
   memset(machine, 0, sizeof(*machine));
   machine->format = format;
   machine->info = format_info(format);
   lir_module_init(&machine->module, NULL);
   lir_module_add_function(&machine->module, "main");
   lir_builder_init(builder, &machine->module, 0);
   const lir_value lane = lir_lane(builder);
   const lir_value units = lir_const32(builder, machine->info->num_units);
   return lir_imul(builder, lane, units);
}

/* Lookups in tables are proven to be inside of them. */
static void
check_lookups(struct lir_module *module)
{
   const uint64_t tables = lir_mem(LIR_SPACE_CONST, ABI_CONST_TABLES);
   bool changed = false;
   assert_int_equal(lir_pass_bounds(module, &changed), TG_OK);
   for (uint32_t i = 0; i < module->functions[0].num_insts; i++) {
      const struct lir_inst *inst = &module->functions[0].insts[i];
      assert_true(inst->op != LIR_OP_load32 || inst->imm != tables ||
                  inst->is_inside);
   }
}

static void
compile(struct machine *machine)
{
   const struct exec_executor *executor = exec_find_executor(NULL);
   assert_false(machine->builder.failed);
   check_lookups(&machine->module);
   assert_null(lir_verify(&machine->module));
   assert_int_equal(
      executor->compile(NULL, &machine->module, &machine->program), TG_OK);
   const size_t size = executor->scratch_size(machine->program);
   machine->scratch = aligned_alloc(64, (size + 64) / 64 * 64);
   assert_non_null(machine->scratch);
}

static void
end(struct machine *machine)
{
   exec_find_executor(NULL)->destroy(machine->program);
   free(machine->scratch);
   lir_module_finish(&machine->module);
}

static lir_value
load_input(struct lir_builder *builder, unsigned word)
{
   const lir_value index = lir_const32(builder, word);
   return lir_load32(builder, LIR_SPACE_INPUT, 0, index);
}

static void
give_output(struct lir_builder *builder, unsigned word, lir_value value)
{
   const lir_value index = lir_const32(builder, word);
   lir_store32(builder, LIR_SPACE_OUTPUT, 0, index, value);
}

/* The same as by make_loader(), unit by unit. */
static void
make_loader_of_units(struct machine *machine, enum tg_format format)
{
   struct lir_builder *builder = &machine->builder;
   const lir_value index = begin(machine, format);
   lir_value units[LOWER_MAX_TEXEL_WORDS], texel[4];
   lower_texel_read_units(builder, format, LIR_SPACE_IMAGE, 0, index, units);
   lower_texel_unpack_units(builder, format, units, texel);
   for (unsigned i = 0; i < 4; i++)
      give_output(builder, i, texel[i]);
   if (format_has_stencil(format)) {
      const unsigned channel = machine->info->stencil;
      const lir_value stencil =
         lower_texel_get_unit_bits(builder, format, units, channel);
      give_output(builder, WORD_STENCIL, stencil);
   }
   compile(machine);
}

static void
make_loader(struct machine *machine, enum tg_format format)
{
   struct lir_builder *builder = &machine->builder;
   const lir_value index = begin(machine, format);
   lir_value texel[4];
   lower_texel_load(builder, format, LIR_SPACE_IMAGE, 0, index, texel);
   for (unsigned i = 0; i < 4; i++)
      give_output(builder, i, texel[i]);
   if (format_has_stencil(format)) {
      const lir_value stencil =
         lower_texel_load_stencil(builder, format, LIR_SPACE_IMAGE, 0, index);
      give_output(builder, WORD_STENCIL, stencil);
   }
   compile(machine);
}

static void
make_storer_of_units(struct machine *machine, enum tg_format format,
                     unsigned mask)
{
   struct lir_builder *builder = &machine->builder;
   const lir_value index = begin(machine, format);
   lir_value units[LOWER_MAX_TEXEL_WORDS], texel[4];
   for (unsigned i = 0; i < 4; i++)
      texel[i] = load_input(builder, i);
   lower_texel_read_units(builder, format, LIR_SPACE_IMAGE, 0, index, units);
   lower_texel_pack_units(builder, format, texel, mask, units);
   if (format_has_stencil(format)) {
      const unsigned channel = machine->info->stencil;
      const lir_value stencil = load_input(builder, WORD_STENCIL);
      lower_texel_set_unit_bits(builder, format, channel, stencil, units);
   }
   lower_texel_write_units(builder, format, LIR_SPACE_IMAGE, 0, index, units);
   compile(machine);
}

static void
make_storer(struct machine *machine, enum tg_format format)
{
   struct lir_builder *builder = &machine->builder;
   const lir_value index = begin(machine, format);
   lir_value texel[4];
   for (unsigned i = 0; i < 4; i++)
      texel[i] = load_input(builder, i);
   lower_texel_store(builder, format, LIR_SPACE_IMAGE, 0, index, texel);
   if (format_has_stencil(format)) {
      const lir_value stencil = load_input(builder, WORD_STENCIL);
      lower_texel_store_stencil(builder, format, LIR_SPACE_IMAGE, 0, index,
                                stencil);
   }
   compile(machine);
}

static void
make_masked_storer(struct machine *machine, enum tg_format format,
                   unsigned mask)
{
   struct lir_builder *builder = &machine->builder;
   const lir_value index = begin(machine, format);
   lir_value texel[4];
   for (unsigned i = 0; i < 4; i++)
      texel[i] = load_input(builder, i);
   lower_texel_store_masked(builder, format, LIR_SPACE_IMAGE, 0, index, texel,
                            mask);
   compile(machine);
}

static void
run(struct machine *machine)
{
   static uint32_t tables[ABI_TABLE_WORDS];
   memcpy(tables, abi_tables, sizeof(tables));
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS] = {
      [ABI_CONST_TABLES] = {tables, sizeof(tables)},
   };
   struct exec_memory image = {machine->memory,
                               LIR_LANES * machine->info->block_bytes};
   struct exec_memory words = {machine->memory, sizeof(machine->memory)};
   struct exec_wave wave = {
      .launched = 0xffff,
      .live = 0xffff,
      .memory = {[LIR_SPACE_CONST] = constants,
                 [LIR_SPACE_IMAGE] = &image,
                 [LIR_SPACE_BUFFER] = &words},
      .num_memories = {[LIR_SPACE_CONST] = ABI_NUM_CONST_BINDINGS,
                       [LIR_SPACE_IMAGE] = 1,
                       [LIR_SPACE_BUFFER] = 1},
      .input = {machine->input, NUM_WORDS},
      .output = {machine->output, NUM_WORDS},
   };
   struct exec_fault fault;
   assert_int_equal(exec_find_executor(NULL)->run(machine->program, &wave,
                                                  machine->scratch, &fault),
                    TG_OK);
}

static uint8_t *
texel_of(struct machine *machine, unsigned lane)
{
   return (uint8_t *)machine->memory + lane * machine->info->block_bytes;
}

static unsigned
num_words(const struct machine *machine)
{
   return (machine->info->block_bytes + 3u) / 4;
}

/* ---- comparing ----------------------------------------------------------- */

static bool
is_nan(uint32_t bits)
{
   return (bits & 0x7fffffff) > 0x7f800000;
}

static bool
same_words(const struct format_info *info, const uint32_t *x, const uint32_t *y)
{
   for (unsigned i = 0; i < 4; i++) {
      const bool both_nan =
         info->class == FORMAT_CLASS_FLOAT && is_nan(x[i]) && is_nan(y[i]);
      if (x[i] != y[i] && !both_nan)
         return false;
   }
   return true;
}

/* Runs what is in memory. */
static void
check_loads(struct machine *machine)
{
   run(machine);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const uint8_t *texel = texel_of(machine, lane);
      uint32_t expected[4], found[4];
      format_unpack(machine->format, texel, expected);
      for (unsigned i = 0; i < 4; i++)
         found[i] = machine->output[i][lane];
      if (!same_words(machine->info, found, expected)) {
         printf("%s: loads %08x %08x %08x %08x, expected %08x %08x %08x %08x\n",
                machine->info->name, found[0], found[1], found[2], found[3],
                expected[0], expected[1], expected[2], expected[3]);
         fail();
      }
      if (format_has_stencil(machine->format))
         assert_int_equal(machine->output[WORD_STENCIL][lane],
                          format_unpack_stencil(machine->format, texel));
   }
}

/* Two texels of which the same is read, NaN for NaN. */
static bool
same_texels(const struct machine *machine, const void *x, const void *y)
{
   uint32_t from_x[4], from_y[4];
   if (memcmp(x, y, machine->info->block_bytes) == 0)
      return true;
   if (machine->info->channel[0].bits < 64)
      return false;
   format_unpack(machine->format, x, from_x);
   format_unpack(machine->format, y, from_y);
   return same_words(machine->info, from_x, from_y);
}

/* Runs what is in the inputs, over bits that may or may not stay. */
static void
check_stores(struct machine *machine)
{
   uint8_t expected[LIR_LANES][MAX_BYTES];
   memset(machine->memory, 0x5a, sizeof(machine->memory));
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      uint32_t words[4];
      for (unsigned i = 0; i < 4; i++)
         words[i] = machine->input[i][lane];
      memset(expected[lane], 0x5a, MAX_BYTES);
      format_pack(machine->format, words, expected[lane]);
      if (format_has_stencil(machine->format)) {
         machine->input[WORD_STENCIL][lane] &= 0xff;
         format_pack_stencil(machine->format,
                             (uint8_t)machine->input[WORD_STENCIL][lane],
                             expected[lane]);
      }
   }
   run(machine);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const uint8_t *found = texel_of(machine, lane);
      if (same_texels(machine, found, expected[lane]))
         continue;
      printf("%s: %08x %08x %08x %08x is stored as", machine->info->name,
             machine->input[0][lane], machine->input[1][lane],
             machine->input[2][lane], machine->input[3][lane]);
      for (unsigned i = 0; i < machine->info->block_bytes; i++)
         printf(" %02x, not %02x;", found[i], expected[lane][i]);
      printf("\n");
      fail();
   }
}

/* Whether two texels are the same in the bits of the channels that are, or are
 * not, written from words of a mask. Those of 64 bits may be other NaNs. */
static bool
same_channels(const struct machine *machine, const uint8_t *x, const uint8_t *y,
              unsigned mask)
{
   const struct format_info *info = machine->info;
   bool same = true;
   for (unsigned c = 0; c < info->num_channels; c++) {
      const struct format_channel *channel = &info->channel[c];
      unsigned word = 0;
      while (word < 4 && info->swizzle[word] != c)
         word++;
      if (word == 4 || !(mask >> word & 1) || channel->bits == 64)
         continue;
      for (unsigned b = channel->shift; b < channel->shift + channel->bits; b++)
         same &= (x[b / 8] >> b % 8 & 1) == (y[b / 8] >> b % 8 & 1);
   }
   return same;
}

/* Runs what is in the inputs, over bits of which some stay. */
static void
check_masked_stores(struct machine *machine, unsigned mask)
{
   uint8_t before[LIR_LANES][MAX_BYTES], packed[LIR_LANES][MAX_BYTES];
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      uint32_t words[4];
      for (unsigned i = 0; i < 4; i++)
         words[i] = machine->input[i][lane];
      memcpy(before[lane], texel_of(machine, lane), machine->info->block_bytes);
      format_pack(machine->format, words, packed[lane]);
   }
   run(machine);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const uint8_t *found = texel_of(machine, lane);
      assert_true(same_channels(machine, found, packed[lane], mask));
      assert_true(same_channels(machine, found, before[lane], ~mask));
   }
}

/* ---- values -------------------------------------------------------------- */

static uint64_t random_state = 1;

static uint32_t
random_word(void)
{
   random_state = random_state * UINT64_C(6364136223846793005) + 1;
   return (uint32_t)(random_state >> 32);
}

static const uint32_t edges[] = {
   0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
   0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000,
   0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
   0x7fffffff, 0xffffffff, 0x477fe000, 0x477fefff, 0x477ff000, 0x477e0000,
   0x477e0001, 0x477c0000, 0x477f8000, 0x477f8001, 0x38800000, 0x387fffff,
   0x4f000000, 0x4effffff, 0x4f800000, 0xcf000000, 0x33800000, 0x33000000,
   0x3e2d4278, 0x3b4d2e1c, 0x3b4d2e1d, 0x7fff8000, 0x0000ffff, 0xffff0000,
};

enum { NUM_EDGES = sizeof(edges) / sizeof(*edges) };

/* Near half a step between two values of a normalised channel. */
static uint32_t
random_half_step(void)
{
   const unsigned bits = 1 + random_word() % 16;
   const float most = (float)((1u << bits) - 1);
   const float number = (float)(random_word() & ((1u << bits) - 1));
   float value = (number + 0.5f) / most;
   uint32_t word;
   memcpy(&word, &value, sizeof(word));
   return (word + random_word() % 3 - 1) | (random_word() & 0x80000000);
}

/* A float that some format may have trouble with, or an integer. */
static uint32_t
random_value(void)
{
   switch (random_word() % 5) {
   case 0: return edges[random_word() % NUM_EDGES];
   case 1: return random_half_step();
   case 2: return 0x30000000 + random_word() % 0x18000000; /* 2^-31 to 2^17 */
   case 3: return (uint32_t)((int32_t)random_word() >> random_word() % 32);
   default: return random_word();
   }
}

/* ---- tests --------------------------------------------------------------- */

static bool
is_tested(enum tg_format format)
{
   return format_info(format)->layout != FORMAT_LAYOUT_NONE &&
          !format_is_compressed(format);
}

static void
fill_memory(struct machine *machine, uint32_t wave)
{
   const unsigned bytes = machine->info->block_bytes;
   for (unsigned lane = 0; lane < LIR_LANES && bytes <= 2; lane++) {
      const uint32_t texel = wave * LIR_LANES + lane;
      memcpy(texel_of(machine, lane), &texel, bytes);
   }
   for (unsigned i = 0; i < MEMORY_WORDS && bytes > 2; i++)
      machine->memory[i] = random_value();
}

static void
test_loads(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      if (!is_tested((enum tg_format)i))
         continue;
      struct machine machine;
      make_loader(&machine, (enum tg_format)i);
      const unsigned bytes = machine.info->block_bytes;
      const uint32_t num_waves =
         bytes <= 2 ? (1u << bytes * 8) / LIR_LANES : NUM_RANDOM_WAVES;
      for (uint32_t wave = 0; wave < num_waves; wave++) {
         fill_memory(&machine, wave);
         check_loads(&machine);
      }
      end(&machine);
   }
}

/* Random words, and what all texels of up to 16 bits read as. */
static void
test_stores(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      if (!is_tested((enum tg_format)i))
         continue;
      struct machine machine;
      make_storer(&machine, (enum tg_format)i);
      for (uint32_t wave = 0; wave < 4 * NUM_RANDOM_WAVES; wave++) {
         for (unsigned w = 0; w < NUM_WORDS; w++)
            for (unsigned lane = 0; lane < LIR_LANES; lane++)
               machine.input[w][lane] = random_value();
         check_stores(&machine);
      }
      const unsigned bytes = machine.info->block_bytes;
      for (uint32_t t = 0; bytes <= 2 && t < 1u << bytes * 8; t++) {
         const uint32_t lane = t % LIR_LANES;
         uint32_t words[4];
         format_unpack(machine.format, &t, words);
         for (unsigned w = 0; w < 4; w++)
            machine.input[w][lane] = words[w];
         if (lane == LIR_LANES - 1)
            check_stores(&machine);
      }
      end(&machine);
   }
}

static void
check_masks(void (*make)(struct machine *machine, enum tg_format format,
                         unsigned mask))
{
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      const struct format_info *info = format_info((enum tg_format)i);
      if (!is_tested((enum tg_format)i) ||
          info->layout != FORMAT_LAYOUT_PLAIN ||
          info->colorspace == FORMAT_COLORSPACE_ZS)
         continue;
      for (unsigned turn = 0; turn < 4; turn++) {
         const unsigned mask = random_word() % 16;
         struct machine machine;
         make(&machine, (enum tg_format)i, mask);
         for (unsigned w = 0; w < NUM_WORDS; w++)
            for (unsigned lane = 0; lane < LIR_LANES; lane++)
               machine.input[w][lane] = random_value();
         for (unsigned w = 0; w < MEMORY_WORDS; w++)
            machine.memory[w] = random_word();
         check_masked_stores(&machine, mask);
         end(&machine);
      }
   }
}

static void
test_masks(void **state)
{
   (void)state;
   check_masks(make_masked_storer);
}

/* Unit by unit, the same comes out. */
static void
test_units(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      if (!is_tested((enum tg_format)i))
         continue;
      struct machine machine;
      make_loader_of_units(&machine, (enum tg_format)i);
      for (uint32_t wave = 0; wave < NUM_RANDOM_WAVES; wave++) {
         fill_memory(&machine, wave);
         check_loads(&machine);
      }
      end(&machine);
      make_storer_of_units(&machine, (enum tg_format)i, 15);
      for (uint32_t wave = 0; wave < NUM_RANDOM_WAVES; wave++) {
         for (unsigned w = 0; w < NUM_WORDS; w++)
            for (unsigned lane = 0; lane < LIR_LANES; lane++)
               machine.input[w][lane] = random_value();
         check_stores(&machine);
      }
      end(&machine);
   }
   check_masks(make_storer_of_units);
}

/* All depths of 24 bits, the most for which a quotient takes no division. */
static void
test_long_quotients(void **state)
{
   struct machine machine;

   (void)state;
   make_loader(&machine, TG_FORMAT_Z24X8_UNORM);
   for (uint32_t first = 0; first < 1 << 24; first += LIR_LANES) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         machine.memory[lane] = first + lane;
      run(&machine);
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         const float expected = (float)(first + lane) / 16777215.0f;

         assert_memory_equal(&machine.output[0][lane], &expected,
                             sizeof(expected));
      }
   }
   end(&machine);
}

/* Around halves between depths of 24 bits, one in eleven of them and all where
 * a float's last place changes: the float that is nearest, and those next to
 * it. */
static void
test_long_products(void **state)
{
   const uint32_t step = 11, half = 1 << 23, around = 64;
   struct machine machine;

   (void)state;
   make_storer(&machine, TG_FORMAT_Z24X8_UNORM);
   memset(machine.input, 0, sizeof(machine.input));
   for (uint32_t code = 0; code < (1 << 24) - 1;
        code += code - half + around < 2 * around ? 1 : step) {
      const float tie = (float)((code + 0.5) / 16777215.0);

      for (unsigned lane = 0; lane < 3; lane++) {
         const uint32_t bits = tg_bits_of_float(tie) + lane - 1;

         machine.input[0][lane] = bits;
      }
      run(&machine);
      for (unsigned lane = 0; lane < 3; lane++) {
         const double x = tg_float_of_bits(machine.input[0][lane]);
         const uint32_t expected = (uint32_t)nearbyint(x * 16777215.0);

         assert_int_equal(machine.memory[lane] & 0xffffff, expected);
      }
   }
   end(&machine);
}

static void
test_unit_masks(void **state)
{
   (void)state;
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_B5G6R5_UNORM, 0, 15),
                    0xffff);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_B5G6R5_UNORM, 0, 1),
                    0xf800);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_B8G8R8X8_UNORM, 0, 8), 0);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_B8G8R8X8_UNORM, 0, 15),
                    0xffffff);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_L8A8_UNORM, 0, 6), 0);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_R16G16B16A16_UNORM, 1, 4),
                    0xffff);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_R64G64_FLOAT, 2, 2),
                    UINT32_MAX);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_R64G64_FLOAT, 3, 2),
                    UINT32_MAX);
   assert_int_equal(lower_texel_unit_mask(TG_FORMAT_R64G64_FLOAT, 1, 2), 0);
}

/* Of a shared exponent all values are written, though only green is new: 1.5,
 * 0.25, 3.0 have the mantissas 192, 32 and 384 at 2^-7. */
static void
test_mask_of_shared(void **state)
{
   (void)state;
   struct machine machine;
   const uint32_t before = 192 | 32 << 9 | 384 << 18 | UINT32_C(17) << 27;
   make_masked_storer(&machine, TG_FORMAT_R9G9B9E5_FLOAT, 2);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      machine.memory[lane] = before;
      machine.input[0][lane] = 0x42280000; /* 42 */
      machine.input[1][lane] = 0x40000000; /* 2 */
      machine.input[2][lane] = 0x42280000;
   }
   run(&machine);
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      assert_int_equal(machine.memory[lane],
                       192 | 256 << 9 | 384 << 18 | UINT32_C(17) << 27);
   end(&machine);
}

/* Texels in words of which only their own bytes count: word i of all lanes,
 * then the next. What is behind the texel in its last word is anything. */
static void
make_unpacker(struct machine *machine, enum tg_format format)
{
   struct lir_builder *builder = &machine->builder;
   begin(machine, format);
   const lir_value lane = lir_lane(builder);
   lir_value words[LOWER_MAX_TEXEL_WORDS], texel[4];
   for (unsigned i = 0; i < num_words(machine); i++) {
      const lir_value first = lir_const32(builder, i * LIR_LANES);
      const lir_value index = lir_iadd(builder, lane, first);
      words[i] = lir_load32(builder, LIR_SPACE_BUFFER, 0, index);
   }
   lower_texel_unpack(builder, format, words, texel);
   for (unsigned i = 0; i < 4; i++)
      give_output(builder, i, texel[i]);
   compile(machine);
}

static void
check_unpacks(struct machine *machine)
{
   for (unsigned i = 0; i < MEMORY_WORDS; i++)
      machine->memory[i] = random_value();
   run(machine);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      uint32_t texel[LOWER_MAX_TEXEL_WORDS], expected[4], found[4];
      for (unsigned i = 0; i < num_words(machine); i++)
         texel[i] = machine->memory[i * LIR_LANES + lane];
      format_unpack(machine->format, texel, expected);
      for (unsigned i = 0; i < 4; i++)
         found[i] = machine->output[i][lane];
      assert_true(same_words(machine->info, found, expected));
   }
}

static void
test_unpacks(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      if (!is_tested((enum tg_format)i))
         continue;
      struct machine machine;
      make_unpacker(&machine, (enum tg_format)i);
      for (uint32_t wave = 0; wave < NUM_RANDOM_WAVES; wave++)
         check_unpacks(&machine);
      end(&machine);
   }
}

/* Around the least float of each code, and at the ends of the curve's pieces.
 */
static void
test_srgb_codes(void **state)
{
   (void)state;
   static const enum tg_format formats[] = {
      TG_FORMAT_R8G8B8A8_SRGB,
      TG_FORMAT_B5G6R5_SRGB,
   };
   for (unsigned f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
      struct machine machine;
      unsigned lane = 0;
      make_storer(&machine, formats[f]);
      for (unsigned i = 0; i < FORMAT_SRGB_WORDS + NUM_EDGES; i++) {
         const uint32_t word = i < FORMAT_SRGB_WORDS
                                  ? format_srgb[i]
                                  : edges[i - FORMAT_SRGB_WORDS];
         for (uint32_t step = 0; step < 5; step++) {
            for (unsigned w = 0; w < 4; w++)
               machine.input[w][lane] = word + step - 2;
            if (++lane == LIR_LANES)
               check_stores(&machine);
            lane %= LIR_LANES;
         }
      }
      check_stores(&machine);
      end(&machine);
   }
}

/* Reads outside give what zero bits give, and writes do nothing. */
static void
test_bounds(void **state)
{
   (void)state;
   struct machine machine;
   const lir_value lane = begin(&machine, TG_FORMAT_R8G8B8_UNORM);
   struct lir_builder *builder = &machine.builder;
   const lir_value far = lir_const32(builder, 3 * LIR_LANES - 1);
   const lir_value index = lir_iadd(builder, lane, far);
   lir_value texel[4];
   lower_texel_load(builder, TG_FORMAT_R8G8B8_UNORM, LIR_SPACE_IMAGE, 0, index,
                    texel);
   for (unsigned i = 0; i < 4; i++)
      give_output(builder, i, texel[i]);
   compile(&machine);
   memset(machine.memory, 0xff, sizeof(machine.memory));
   run(&machine);
   /* Lane 0 has red in the last byte; the others have nothing. */
   for (unsigned i = 0; i < LIR_LANES; i++) {
      assert_int_equal(machine.output[0][i], i == 0 ? 0x3f800000 : 0);
      assert_int_equal(machine.output[1][i], 0);
      assert_int_equal(machine.output[3][i], 0x3f800000);
   }
   end(&machine);
}

/* Four bytes are one load. */
static void
test_bytes_are_loaded_at_once(void **state)
{
   (void)state;
   struct machine machine;
   make_loader(&machine, TG_FORMAT_R8G8B8A8_UNORM);
   unsigned num_loads = 0;
   const struct lir_function *function = &machine.module.functions[0];
   for (uint32_t i = 0; i < function->num_insts; i++)
      num_loads += function->insts[i].op == LIR_OP_load32;
   assert_int_equal(num_loads, 1);
   end(&machine);
}

/* A lookup in a module that has no room for the declaration fails. */
static void
test_lookups_without_room(void **state)
{
   static struct machine machine;
   (void)state;
   begin(&machine, TG_FORMAT_R8G8B8A8_SRGB);
   const lir_value index = lir_const32(&machine.builder, 0);
   for (uint32_t i = 1; i <= LIR_MAX_SIZES; i++)
      assert_true(
         lir_module_declare_size(&machine.module, ABI_CONST_TABLES + i, 1));
   assert_false(machine.builder.failed);
   abi_table_lookup(&machine.builder, index);
   assert_true(machine.builder.failed);
   lir_module_finish(&machine.module);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lookups_without_room),
      cmocka_unit_test(test_loads),
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_long_quotients),
      cmocka_unit_test(test_long_products),
      cmocka_unit_test(test_unit_masks),
      cmocka_unit_test(test_mask_of_shared),
      cmocka_unit_test(test_unpacks),
      cmocka_unit_test(test_srgb_codes),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_bytes_are_loaded_at_once),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
