/* SPDX-License-Identifier: MIT
 *
 * Assembly: whatever parts draws are cut into, their primitives are those that
 * one gets who reads the indices one by one, in order, with their ids; and no
 * part shades a vertex twice or is larger than it may be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/assemble.h"

/* ---- what is drawn ------------------------------------------------------- */

static uint64_t random_state = 1;

static uint32_t
random_word(void)
{
   random_state = random_state * UINT64_C(6364136223846793005) + 1;
   return (uint32_t)(random_state >> 32);
}

static struct tg_resource *
make_buffer(const void *data, uint32_t size)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = size,
   };
   const struct tg_box box = {.width = size, .height = 1, .depth = 1};
   struct tg_resource *buffer;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &buffer), TG_OK);
   assert_int_equal(tg_resource_write(buffer, 0, 0, &box, data, 0, 0), TG_OK);
   return buffer;
}

static void
init(struct gpu_draws *draws, const struct tg_draw_info *info)
{
   assert_int_equal(gpu_draws_init(draws, tg_default_allocator(), info, NULL),
                    TG_OK);
}

/* ---- what is expected ---------------------------------------------------- */

struct corner {
   uint32_t vertex, instance;
};

/* A primitive as it should come out. */
struct expected {
   struct corner corner[GPU_MAX_PATCH_VERTICES];
   struct gpu_stream_primitive primitive;
   uint32_t base_vertex, start_instance, draw_id;
};

struct expectation {
   const uint8_t *indices; /* or NULL */
   uint32_t num_index_bytes;
   struct gpu_assembler_options options;
   uint32_t num, capacity;
   struct expected *list;
};

static void
expect(struct expectation *e, const struct tg_draw_info *info,
       const struct gpu_range *range, const struct gpu_primitive *primitive,
       uint32_t instance, uint32_t id)
{
   const bool is_left_out = info->mode >= TG_PRIM_LINES_ADJACENCY &&
                            info->mode <= TG_PRIM_TRIANGLE_STRIP_ADJACENCY &&
                            !e->options.keeps_adjacency;
   if (e->num == e->capacity) {
      e->capacity = e->capacity ? e->capacity * 2 : 64;
      e->list = realloc(e->list, e->capacity * sizeof(*e->list));
      assert_non_null(e->list);
   }
   struct expected *out = &e->list[e->num++];
   *out = (struct expected){
      .primitive = {.id = id,
                    .provoking = primitive->provoking,
                    .edges = primitive->edges,
                    .begins = primitive->begins},
      .base_vertex =
         info->index_size ? (uint32_t)range->index_bias : range->start,
      .start_instance = range->start_instance,
      .draw_id = range->draw_id,
   };
   /* Of lines with adjacency 1 and 2 are left, of triangles 0, 2 and 4. */
   static const uint8_t kept[2][3] = {{1, 2}, {0, 2, 4}};
   const unsigned num = primitive->num_vertices;
   if (!is_left_out) {
      for (unsigned i = 0; i < num; i++)
         out->corner[i] = (struct corner){primitive->vertex[i], instance};
      return;
   }
   for (unsigned i = 0; i < num / 2; i++) {
      const uint8_t from = kept[num == 6][i];
      out->corner[i] = (struct corner){primitive->vertex[from], instance};
      if (from == primitive->provoking)
         out->primitive.provoking = (uint8_t)i;
   }
}

/* Index `place` of bytes, 0 beyond them. */
static uint64_t
index_at(const struct expectation *e, const struct tg_draw_info *info,
         uint64_t place)
{
   const uint64_t first = info->index_offset + place * info->index_size;
   uint64_t index = 0;
   if (first + info->index_size > e->num_index_bytes)
      return 0;
   for (unsigned i = info->index_size; i-- > 0;)
      index = index << 8 | e->indices[first + i];
   return index;
}

static void
expect_instance(struct expectation *e, const struct tg_draw_info *info,
                const struct gpu_range *range, uint32_t instance)
{
   struct gpu_decomposer decomposer;
   struct gpu_primitive out[2];
   uint32_t id = UINT32_MAX;
   gpu_primitives_init(&decomposer, (enum tg_primitive)info->mode,
                       e->options.first_provokes, info->vertices_per_patch);
   for (uint64_t i = 0; i <= range->count; i++) {
      unsigned num;
      uint64_t vertex = (uint64_t)range->start + i;
      bool ends = i == range->count;
      if (info->index_size) {
         const uint64_t index = index_at(e, info, vertex);
         ends |= info->primitive_restart && index == info->restart_index;
         vertex = (index + (uint64_t)(int64_t)range->index_bias) & UINT32_MAX;
      }
      if (vertex > UINT32_MAX)
         vertex = UINT32_MAX;
      num = ends ? gpu_primitives_end(&decomposer, out)
                 : gpu_primitives_add(&decomposer, (uint32_t)vertex, out);
      for (unsigned n = 0; n < num; n++) {
         id += !out[n].is_more;
         expect(e, info, range, &out[n], instance, id);
      }
   }
}

/* ---- what comes out ------------------------------------------------------ */

static void
check_vertices_differ(const struct gpu_assembly *assembly)
{
   for (uint32_t i = 0; i < assembly->num_vertices; i++) {
      for (uint32_t j = 0; j < i; j++)
         assert_true(assembly->vertex[i] != assembly->vertex[j] ||
                     assembly->instance[i] != assembly->instance[j]);
   }
}

static void
check_primitive(const struct gpu_assembly *assembly, uint32_t number,
                const struct expected *expected)
{
   const uint32_t num = assembly->vertices_per_primitive;
   for (uint32_t i = 0; i < num; i++) {
      const uint32_t place = assembly->corner[number * num + i];
      assert_in_range(place, 0, assembly->num_vertices - 1);
      assert_int_equal(assembly->vertex[place], expected->corner[i].vertex);
      assert_int_equal(assembly->instance[place], expected->corner[i].instance);
   }
   assert_memory_equal(&assembly->primitives[number], &expected->primitive,
                       sizeof(expected->primitive));
   assert_int_equal(assembly->base_vertex, expected->base_vertex);
   assert_int_equal(assembly->start_instance, expected->start_instance);
   assert_int_equal(assembly->draw_id, expected->draw_id);
}

static struct gpu_assembler assembler;
static struct gpu_assembly assembly;

/* Returns how many parts there were. */
static unsigned
check(struct expectation *e, const struct gpu_draws *draws)
{
   uint64_t num_read = 0, num_to_read = 0;
   uint32_t done = 0;
   unsigned num_parts = 0;
   e->num = 0;
   for (uint32_t d = 0; d < draws->num_draws; d++) {
      const struct gpu_range range = gpu_draws_get(draws, d);
      for (uint32_t i = 0; i < range.instance_count; i++)
         expect_instance(e, &draws->info, &range, i);
      num_to_read += (uint64_t)range.count * range.instance_count;
   }
   gpu_assembler_init(&assembler, draws, &e->options);
   while (gpu_assembler_cut(&assembler, &assembly)) {
      gpu_assembler_fill(&assembler, &assembly);
      check_vertices_differ(&assembly);
      assert_in_range(assembly.num_vertices, 0, GPU_ASSEMBLY_VERTICES);
      assert_true(assembly.num_primitives <= 2 ||
                  (assembly.num_primitives - 1) * e->options.amplification <=
                     GPU_ASSEMBLY_AMPLIFIED);
      assert_in_range(assembly.num_primitives, 0, e->num - done);
      for (uint32_t i = 0; i < assembly.num_primitives; i++)
         check_primitive(&assembly, i, &e->list[done++]);
      num_read += assembly.num_read;
      num_parts++;
   }
   assert_int_equal(done, e->num);
   assert_int_equal(num_read, num_to_read);
   return num_parts;
}

/* ---- tests --------------------------------------------------------------- */

/* Every type, index size and provoking vertex, with restarts, biases, several
 * draws and instances, and indices beyond the buffer. */
static void
test_random_draws(void **state)
{
   (void)state;
   enum { NUM_BYTES = 4001 };
   static const uint8_t sizes[] = {0, 1, 2, 4};
   static const int32_t biases[] = {0, 5, -3, INT32_MAX, INT32_MIN};
   static uint8_t bytes[NUM_BYTES];
   struct expectation e = {.indices = bytes, .num_index_bytes = NUM_BYTES};
   for (unsigned round = 0; round < 600; round++) {
      const uint8_t size = sizes[random_word() % 4];
      const uint32_t num_values = 1 + random_word() % 700;
      memset(bytes, 0, sizeof(bytes));
      for (uint32_t i = 0; size && i + size <= NUM_BYTES; i += size) {
         const uint32_t small = random_word() % num_values;
         const uint32_t value = random_word() % 8 ? small : UINT32_MAX - small;
         memcpy(bytes + i, &value, size);
      }
      struct tg_draw_range ranges[3];
      for (unsigned i = 0; i < 3; i++)
         ranges[i] = (struct tg_draw_range){
            .start = random_word() % 8 ? random_word() % 600 : UINT32_MAX - 50,
            .count =
               random_word() % 3 ? random_word() % 90 : random_word() % 1500,
            .index_bias = biases[random_word() % 5],
         };
      struct tg_draw_info info = TG_DRAW_INFO_INIT;
      info.mode = (uint8_t)(round % 15);
      info.vertices_per_patch = (uint8_t)(1 + random_word() % 32);
      info.index_size = size;
      info.index_buffer = make_buffer(bytes, NUM_BYTES);
      info.index_offset = random_word() % 3 ? 0 : random_word() % 9;
      info.primitive_restart = random_word() % 2;
      info.restart_index = random_word() % num_values;
      info.instance_count = 1 + random_word() % 4;
      info.start_instance = random_word();
      info.draws = ranges;
      info.num_draws = 1 + random_word() % 3;
      info.first_draw_id = random_word() % 2;
      struct gpu_draws draws;
      init(&draws, &info);
      e.options = (struct gpu_assembler_options){
         .first_provokes = random_word() % 2,
         .keeps_adjacency = random_word() % 2,
         .amplification = random_word() % 4 ? 0 : random_word() % 20000,
      };
      check(&e, &draws);
      gpu_draws_finish(&draws);
      tg_resource_destroy(info.index_buffer);
   }
   free(e.list);
}

/* Small instances share parts, and large draws are in several. */
static void
test_sizes(void **state)
{
   (void)state;
   static const struct {
      uint8_t mode;
      uint32_t count, instances, amplification;
      unsigned least, most; /* parts */
   } cases[] = {
      {TG_PRIM_TRIANGLE_STRIP, 4, 1000, 0, 3, 3},
      {TG_PRIM_TRIANGLES, 3000, 1, 0, 2, 2},
      {TG_PRIM_TRIANGLE_FAN, 4000, 1, 0, 4, 4},
      {TG_PRIM_LINE_STRIP, 4000, 1, 0, 4, 4},
      {TG_PRIM_LINE_LOOP, 4000, 1, 0, 4, 4},
      {TG_PRIM_POINTS, 500, 1, 0, 1, 1},
      {TG_PRIM_POINTS, 1, GPU_ASSEMBLY_READ, 0, 64, 64},
      {TG_PRIM_LINES, 1, 3 * GPU_ASSEMBLY_READ, 0, 3, 3},
      {TG_PRIM_POINTS, 100, 1, GPU_ASSEMBLY_AMPLIFIED / 10, 10, 12},
      {TG_PRIM_QUADS, 40, 1, UINT32_MAX, 10, 11},
      {TG_PRIM_TRIANGLES, 2, 5, 0, 1, 1},
      {TG_PRIM_PATCHES, 320, 1, 4225, 4, 5},
   };
   struct expectation e = {0};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      const struct tg_draw_range range = {.count = cases[i].count};
      struct tg_draw_info info = TG_DRAW_INFO_INIT;
      info.mode = cases[i].mode;
      info.vertices_per_patch = 32;
      info.draws = &range;
      info.instance_count = cases[i].instances;
      struct gpu_draws draws;
      init(&draws, &info);
      e.options.amplification = cases[i].amplification;
      assert_in_range(check(&e, &draws), cases[i].least, cases[i].most);
      gpu_draws_finish(&draws);
   }
   free(e.list);
}

/* A buffer of nothing but restarts is read in parts, too. */
static void
test_restarts_alone(void **state)
{
   (void)state;
   const struct tg_draw_range range = {.count = 3 * GPU_ASSEMBLY_READ};
   struct expectation e = {0};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.index_size = 4;
   info.index_buffer = make_buffer("", 1);
   info.primitive_restart = true;
   info.draws = &range;
   struct gpu_draws draws;
   init(&draws, &info);
   assert_int_equal(check(&e, &draws), 4);
   assert_int_equal(e.num, 0);
   gpu_draws_finish(&draws);
   tg_resource_destroy(info.index_buffer);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_draws),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_restarts_alone),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
