/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch, as a kernel of its own, against format_unpack() of the bytes:
 * every format at odd offsets and strides, at the end of the buffer and beyond
 * it, by vertex and by instance. Code that has the same key is compiled once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi/bindings.h"
#include "gpu/geometry/fetch.h"
#include "gpu/state/objects.h"
#include "lir/passes.h"
#include "resource/resource.h"

/* ---- a kernel that fetches ----------------------------------------------- */

enum { INPUT_VERTEX, INPUT_INSTANCE, INPUT_START, NUM_INPUTS };
enum {
   BINDING_WORDS = ABI_NUM_CONST_BINDINGS,
   BINDING_MEMORY,
   NUM_BINDINGS,
   FIRST_WORD = 5,
};

/* Code of a key, kept for others of that format. */
struct kernel {
   struct gpu_fetch_key key;
   struct lir_module module;
   struct exec_program *program; /* NULL: there is none yet */
   void *scratch;
};

enum { NUM_RATES = GPU_FETCH_BY_INSTANCE + 1 };
static struct kernel kernels[NUM_RATES][2]; /* by what else is in the key */

struct machine {
   struct gpu_fetch fetch;
   const struct kernel *kernel;
   uint32_t input[NUM_INPUTS][LIR_LANES];
   uint32_t output[4][LIR_LANES];
};

static lir_value
load_input(struct lir_builder *builder, uint32_t word)
{
   const lir_value index = lir_const32(builder, word);
   return lir_load32(builder, LIR_SPACE_INPUT, 0, index);
}

static void
finish(struct kernel *kernel)
{
   if (!kernel->program)
      return;
   exec_find_executor(NULL)->destroy(kernel->program);
   free(kernel->scratch);
   lir_module_finish(&kernel->module);
   *kernel = (struct kernel){0};
}

static int
finish_kernels(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_RATES * 2; i++)
      finish(&kernels[i / 2][i % 2]);
   return 0;
}

static void
write_module(struct kernel *kernel)
{
   static const struct gpu_fetch_place place = {BINDING_WORDS, FIRST_WORD,
                                                BINDING_MEMORY};
   struct lir_builder builder;
   lir_value attribute[4];
   lir_module_init(&kernel->module, NULL);
   lir_module_add_function(&kernel->module, "main");
   lir_builder_init(&builder, &kernel->module, 0);
   const lir_value vertex = load_input(&builder, INPUT_VERTEX);
   const lir_value instance = load_input(&builder, INPUT_INSTANCE);
   const lir_value start = load_input(&builder, INPUT_START);
   const struct gpu_fetch_row row = {vertex, instance, start};
   gpu_fetch_emit(&builder, &kernel->key, &place, &row, attribute);
   for (unsigned i = 0; i < 4; i++) {
      const lir_value index = lir_const32(&builder, i);
      lir_store32(&builder, LIR_SPACE_OUTPUT, 0, index, attribute[i]);
   }
   assert_false(builder.failed);
   assert_null(lir_verify(&kernel->module));
}

static const struct kernel *
find_kernel(const struct gpu_fetch_key *key)
{
   const struct exec_executor *executor = exec_find_executor(NULL);
   struct kernel *kernel = &kernels[key->rate][key->is_aligned];
   if (kernel->program && memcmp(&kernel->key, key, sizeof(*key)) == 0)
      return kernel;
   finish(kernel);
   kernel->key = *key;
   write_module(kernel);
   assert_int_equal(executor->compile(NULL, &kernel->module, &kernel->program),
                    TG_OK);
   const size_t size = executor->scratch_size(kernel->program);
   kernel->scratch = aligned_alloc(64, (size + 64) / 64 * 64);
   assert_non_null(kernel->scratch);
   return kernel;
}

static void
make(struct machine *machine, const struct tg_vertex_element *element,
     const struct tg_vertex_buffer *buffer)
{
   memset(machine, 0, sizeof(*machine));
   /* The buffer is not renamed while it is read. */
   struct resource_hold hold = resource_hold(buffer->buffer);
   machine->fetch = gpu_fetch_bind(element, buffer, &hold.memory);
   resource_release(&hold);
   machine->kernel = find_kernel(&machine->fetch.key);
}

static void
run(struct machine *machine)
{
   static uint32_t tables[ABI_TABLE_WORDS];
   uint32_t words[FIRST_WORD + GPU_FETCH_WORDS] = {0};
   memcpy(tables, abi_tables, sizeof(tables));
   memcpy(words + FIRST_WORD, machine->fetch.words,
          sizeof(machine->fetch.words));
   const struct exec_memory constants[NUM_BINDINGS] = {
      [ABI_CONST_TABLES] = {tables, sizeof(tables), NULL},
      [BINDING_WORDS] = {words, sizeof(words), NULL},
      [BINDING_MEMORY] = machine->fetch.memory,
   };
   struct exec_wave wave = {
      .launched = 0xffff,
      .live = 0xffff,
      .memory = {[LIR_SPACE_CONST] = constants},
      .num_memories = {[LIR_SPACE_CONST] = NUM_BINDINGS},
      .input = {machine->input, NUM_INPUTS},
      .output = {machine->output, 4},
   };
   struct exec_fault fault;
   assert_int_equal(
      exec_find_executor(NULL)->run(machine->kernel->program, &wave,
                                    machine->kernel->scratch, &fault),
      TG_OK);
}

/* ---- what is expected ---------------------------------------------------- */

enum { MAX_BYTES = 2048 };

/* A buffer of random bytes; its end is where words end only sometimes. */
struct bytes {
   struct tg_resource *resource;
   uint32_t size;
   uint8_t at[MAX_BYTES];
};

static uint64_t random_state = 1;

static uint32_t
random_word(void)
{
   random_state = random_state * UINT64_C(6364136223846793005) + 1;
   return (uint32_t)(random_state >> 32);
}

static void
make_bytes(struct bytes *bytes, uint32_t size)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = size,
   };
   const struct tg_box box = {.width = size, .height = 1, .depth = 1};
   assert_true(size <= MAX_BYTES);
   bytes->size = size;
   for (uint32_t i = 0; i < size; i++)
      bytes->at[i] = (uint8_t)random_word();
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &bytes->resource),
                    TG_OK);
   assert_int_equal(
      tg_resource_write(bytes->resource, 0, 0, &box, bytes->at, 0, 0), TG_OK);
}

/* The words of row `row`, or zeros. A stride of 0 makes all rows one. */
static void
expect(const struct bytes *bytes, const struct tg_vertex_element *element,
       const struct tg_vertex_buffer *buffer, uint64_t row, uint32_t words[4])
{
   const struct format_info *info = format_info(element->format);
   const uint64_t first =
      (uint64_t)buffer->offset + element->src_offset + row * buffer->stride;
   uint8_t texel[32];
   memset(words, 0, 4 * sizeof(*words));
   if ((row > UINT32_MAX && buffer->stride) ||
       first + info->block_bytes > bytes->size)
      return;
   memcpy(texel, bytes->at + first, info->block_bytes);
   format_unpack(element->format, texel, words);
}

static bool
is_nan(uint32_t bits)
{
   return (bits & 0x7fffffff) > 0x7f800000;
}

static void
compare(const struct machine *machine, const struct bytes *bytes,
        const struct tg_vertex_element *element,
        const struct tg_vertex_buffer *buffer)
{
   const struct format_info *info = format_info(element->format);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      uint64_t row = machine->input[INPUT_VERTEX][lane];
      if (element->instance_divisor)
         row = (uint64_t)machine->input[INPUT_START][lane] +
               machine->input[INPUT_INSTANCE][lane] / element->instance_divisor;
      uint32_t expected[4];
      expect(bytes, element, buffer, row, expected);
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t found = machine->output[i][lane];
         const bool both_nan = info->class == FORMAT_CLASS_FLOAT &&
                               is_nan(found) && is_nan(expected[i]);
         if (found == expected[i] || both_nan)
            continue;
         printf("%s, offset %u + %u, stride %u, row %llu: word %u is %08x, "
                "expected %08x\n",
                info->name, buffer->offset, element->src_offset, buffer->stride,
                (unsigned long long)row, i, found, expected[i]);
         fail();
      }
   }
}

/* Fetches the first rows, those around the last one, and far ones. */
static void
check(const struct bytes *bytes, const struct tg_vertex_element *element,
      const struct tg_vertex_buffer *buffer)
{
   struct machine machine;
   make(&machine, element, buffer);
   const uint32_t last = machine.fetch.words[GPU_FETCH_ROWS];
   for (uint32_t lane = 0; lane < LIR_LANES; lane++) {
      machine.input[INPUT_VERTEX][lane] = lane < 7    ? lane
                                          : lane < 12 ? last + lane - 10
                                          : lane < 13 ? UINT32_MAX
                                                      : random_word();
      machine.input[INPUT_INSTANCE][lane] = lane % 4 ? lane : random_word();
      machine.input[INPUT_START][lane] = lane < 14 ? lane / 2 : UINT32_MAX - 1;
   }
   run(&machine);
   compare(&machine, bytes, element, buffer);
}

/* ---- tests --------------------------------------------------------------- */

static const uint32_t strides[] = {0, 1, 2, 3, 4, 7, 12, 16, 33, 64, 500};
static const uint32_t offsets[] = {0, 1, 2, 3, 4, 6, 13};

enum {
   NUM_STRIDES = sizeof(strides) / sizeof(*strides),
   NUM_OFFSETS = sizeof(offsets) / sizeof(*offsets),
};

static void
check_format(const struct bytes *bytes, enum tg_format format)
{
   for (unsigned s = 0; s < NUM_STRIDES; s++) {
      for (unsigned o = 0; o < NUM_OFFSETS; o++) {
         const struct tg_vertex_element element = {
            .src_offset = offsets[(o + s) % NUM_OFFSETS],
            .format = format,
         };
         const struct tg_vertex_buffer buffer = {
            .buffer = bytes->resource,
            .offset = offsets[o],
            .stride = strides[s],
         };
         check(bytes, &element, &buffer);
      }
   }
}

/* What cannot be fetched is what Gallium's vertex buffers do not have either.
 */
static void
test_every_format(void **state)
{
   (void)state;
   static struct bytes bytes[4];
   unsigned num_formats = 0;
   for (unsigned i = 0; i < 4; i++)
      make_bytes(&bytes[i], 201 + i);
   for (unsigned f = 0; f < TG_NUM_FORMATS; f++) {
      if (!gpu_is_vertex_element_format((enum tg_format)f))
         continue;
      check_format(&bytes[f % 4], (enum tg_format)f);
      num_formats++;
   }
   for (unsigned i = 0; i < 4; i++)
      tg_resource_destroy(bytes[i].resource);
   assert_in_range(num_formats, 250, TG_NUM_FORMATS);
   assert_false(gpu_is_vertex_element_format(TG_FORMAT_NONE));
   assert_false(gpu_is_vertex_element_format(TG_FORMAT_Z32_FLOAT));
   assert_false(gpu_is_vertex_element_format(TG_FORMAT_DXT1_RGB));
   assert_false(gpu_is_vertex_element_format(TG_FORMAT_R8G8_B8G8_UNORM));
   assert_true(gpu_is_vertex_element_format(TG_FORMAT_R64G64B64A64_FLOAT));
   assert_true(gpu_is_vertex_element_format(TG_FORMAT_R11G11B10_FLOAT));
}

static void
test_instances(void **state)
{
   (void)state;
   static const uint32_t divisors[] = {1, 2, 3, 7, 16, UINT32_MAX};
   static struct bytes bytes;
   make_bytes(&bytes, 150);
   for (unsigned d = 0; d < 6; d++) {
      for (unsigned s = 0; s < NUM_STRIDES; s++) {
         const struct tg_vertex_element element = {
            .src_offset = d,
            .format = TG_FORMAT_R8G8B8_UNORM,
            .instance_divisor = divisors[d],
         };
         const struct tg_vertex_buffer buffer = {
            .buffer = bytes.resource,
            .stride = strides[s],
         };
         check(&bytes, &element, &buffer);
      }
   }
   tg_resource_destroy(bytes.resource);
}

/* Offsets and strides whose sums do not fit, and no buffer at all. */
static void
test_hostile(void **state)
{
   (void)state;
   static const struct {
      uint32_t src_offset, offset, stride;
   } cases[] = {
      {UINT32_MAX, 0, 4},
      {0, UINT32_MAX, 4},
      {UINT32_MAX, UINT32_MAX, 1},
      {4, UINT32_MAX - 3, 4},
      {8, 0, UINT32_MAX},
      {0, 8, 0x80000000},
      {0, 0, 0x40000000},
      {100, 0, 0},
      {96, 0, 4},
      {97, 0, 4},
      {100, 0, 1},
      {101, 0, 1},
   };
   static struct bytes bytes;
   make_bytes(&bytes, 100);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      const struct tg_vertex_element element = {
         .src_offset = cases[i].src_offset,
         .format = TG_FORMAT_R8G8B8A8_UNORM,
      };
      const struct tg_vertex_buffer buffer = {bytes.resource, cases[i].offset,
                                              cases[i].stride};
      check(&bytes, &element, &buffer);
   }
   tg_resource_destroy(bytes.resource);

   static const struct bytes nothing;
   const struct tg_vertex_element element = {
      .format = TG_FORMAT_R32G32_FLOAT,
   };
   check(&nothing, &element, &(struct tg_vertex_buffer){.stride = 8});
   check(&nothing, &element, &(struct tg_vertex_buffer){.stride = 0});
}

/* One load for each word of the attribute, and one more where it is shifted. */
static void
test_words_are_loaded_once(void **state)
{
   (void)state;
   static struct bytes bytes;
   make_bytes(&bytes, 64);
   for (uint32_t offset = 0; offset < 2; offset++) {
      const struct tg_vertex_element element = {
         .src_offset = offset,
         .format = TG_FORMAT_R8G8B8A8_UNORM,
      };
      const struct tg_vertex_buffer buffer = {bytes.resource, 0, 4};
      struct machine machine;
      make(&machine, &element, &buffer);
      const struct lir_function *function =
         &machine.kernel->module.functions[0];
      unsigned num_loads = 0;
      for (uint32_t i = 0; i < function->num_insts; i++)
         num_loads +=
            function->insts[i].op == LIR_OP_load32 &&
            function->insts[i].imm == lir_mem(LIR_SPACE_CONST, BINDING_MEMORY);
      assert_int_equal(num_loads, 1 + offset);
   }
   tg_resource_destroy(bytes.resource);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_format),
      cmocka_unit_test(test_instances),
      cmocka_unit_test(test_hostile),
      cmocka_unit_test(test_words_are_loaded_once),
   };
   return cmocka_run_group_tests(tests, NULL, finish_kernels);
}
