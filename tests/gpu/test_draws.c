/* SPDX-License-Identifier: MIT
 *
 * Which draws a call consists of: from the caller, from an indirect buffer with
 * or without a count, and from a stream output target; and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sweep.h"
#include "gpu/geometry/draws.h"
#include "gpu/geometry/stream_output.h"

/* Words 0 to 3 of junk, then draws of 7 words each. */
enum { FIRST = 4, STRIDE = 7, NUM_WORDS = FIRST + 3 * STRIDE };

static const uint32_t words[NUM_WORDS] = {
   2,  3, 4, 0xffffffff, /* a count: 2 */
   30, 2, 7, 5,          11, 0,     0, 100, 20, 3, 0xfffffffe,
   12, 0, 0, 9,          0,  70000, 6, 13,  0,  0,
};

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

static enum tg_result
init(struct gpu_draws *draws, const struct tg_draw_info *info)
{
   return gpu_draws_init(draws, tg_default_allocator(), info, NULL);
}

static void
check_range(const struct gpu_draws *draws, uint32_t number,
            const struct gpu_range *expected)
{
   const struct gpu_range found = gpu_draws_get(draws, number);
   assert_int_equal(found.start, expected->start);
   assert_int_equal(found.count, expected->count);
   assert_int_equal(found.index_bias, expected->index_bias);
   assert_int_equal(found.start_instance, expected->start_instance);
   assert_int_equal(found.instance_count, expected->instance_count);
   assert_int_equal(found.draw_id, expected->draw_id);
}

/* ---- good ones ----------------------------------------------------------- */

static void
test_direct(void **state)
{
   (void)state;
   static const struct tg_draw_range ranges[] = {{1, 2, 3}, {4, 5, -6}};
   struct tg_resource *buffer = make_buffer(words, sizeof(words));
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = ranges;
   info.num_draws = 2;
   info.first_draw_id = 9;
   info.start_instance = 8;
   info.instance_count = 7;
   for (uint8_t size = 0; size <= 4; size += 4) {
      struct gpu_draws draws;
      info.index_size = size;
      info.index_buffer = size ? buffer : NULL;
      assert_int_equal(init(&draws, &info), TG_OK);
      assert_int_equal(draws.num_draws, 2);
      check_range(&draws, 0, &(struct gpu_range){1, 2, size ? 3 : 0, 8, 7, 9});
      check_range(&draws, 1,
                  &(struct gpu_range){4, 5, size ? -6 : 0, 8, 7, 10});
      gpu_draws_finish(&draws);
   }
   tg_resource_destroy(buffer);
}

/* A stride of 0 is that of arguments without gaps. */
static void
test_packed_indirect(void **state)
{
   static const uint32_t plain[8] = {1, 2, 3, 4, 5, 6, 7, 8};
   static const uint32_t indexed[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct gpu_draws draws;
   (void)state;
   struct tg_resource *buffer = make_buffer(plain, sizeof(plain));
   info.indirect = buffer;
   info.num_draws = 2;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(gpu_draws_get(&draws, 0).start, 3);
   assert_int_equal(gpu_draws_get(&draws, 1).count, 5);
   assert_int_equal(gpu_draws_get(&draws, 1).start_instance, 8);
   gpu_draws_finish(&draws);
   tg_resource_destroy(buffer);

   buffer = make_buffer(indexed, sizeof(indexed));
   info.indirect = info.index_buffer = buffer;
   info.index_size = 4;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(gpu_draws_get(&draws, 1).count, 6);
   assert_int_equal(gpu_draws_get(&draws, 1).start_instance, 10);
   gpu_draws_finish(&draws);
   info.num_draws = 3;
   assert_int_equal(init(&draws, &info), TG_ERROR_INPUT);
   tg_resource_destroy(buffer);
}

static void
test_indirect(void **state)
{
   (void)state;
   struct tg_resource *buffer = make_buffer(words, sizeof(words));
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct gpu_draws draws;
   info.indirect = buffer;
   info.indirect_offset = FIRST * 4;
   info.indirect_stride = STRIDE * 4;
   info.num_draws = 3;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(draws.num_draws, 3);
   check_range(&draws, 0, &(struct gpu_range){7, 30, 0, 5, 2, 0});
   check_range(&draws, 1, &(struct gpu_range){3, 100, 0, 0xfffffffe, 20, 1});
   check_range(&draws, 2, &(struct gpu_range){70000, 9, 0, 6, 0, 2});
   gpu_draws_finish(&draws);

   info.index_size = 2;
   info.index_buffer = buffer;
   info.indirect_count = buffer;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(draws.num_draws, 2);
   check_range(&draws, 0, &(struct gpu_range){7, 30, 5, 11, 2, 0});
   check_range(&draws, 1, &(struct gpu_range){3, 100, -2, 12, 20, 1});
   /* What is written later does not count. */
   const uint32_t other = 1;
   const struct tg_box box = {
      .x = FIRST * 4, .width = 4, .height = 1, .depth = 1};
   assert_int_equal(tg_resource_write(buffer, 0, 0, &box, &other, 0, 0), TG_OK);
   check_range(&draws, 0, &(struct gpu_range){7, 30, 5, 11, 2, 0});
   gpu_draws_finish(&draws);

   /* There are no more than num_draws, and a count of 0 needs no buffer. */
   info.indirect_count_offset = 3 * 4;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(draws.num_draws, 3);
   gpu_draws_finish(&draws);
   info.indirect_count_offset = (FIRST + 5) * 4;
   info.indirect_offset = 0xfffffffc;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(draws.num_draws, 0);
   gpu_draws_finish(&draws);
   tg_resource_destroy(buffer);
}

static void
test_streamed(void **state)
{
   (void)state;
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct gpu_draws draws;
   struct tg_stream_target target = {.num_vertices = 5};
   info.count_from_stream_output = &target;
   info.instance_count = 3;
   assert_int_equal(init(&draws, &info), TG_OK);
   assert_int_equal(draws.num_draws, 1);
   target.num_vertices = 6;
   check_range(&draws, 0, &(struct gpu_range){.count = 5, .instance_count = 3});
   gpu_draws_finish(&draws);
   info.index_size = 4;
   assert_int_equal(init(&draws, &info), TG_ERROR_INPUT);
}

/* ---- bad ones ------------------------------------------------------------ */

static void
refuse(const struct tg_draw_info *info, enum tg_result expected,
       const char *message)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct gpu_draws draws;
   assert_non_null(diagnostics);
   assert_int_equal(
      gpu_draws_init(&draws, tg_default_allocator(), info, diagnostics),
      expected);
   assert_int_equal(tg_diagnostics_count(diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message, message);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_refused(void **state)
{
   (void)state;
   static const struct tg_draw_range range = {0, 3, 0};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   info.mode = 15;
   refuse(&info, TG_ERROR_INPUT, "mode is 15; there is no such primitive");
   info.mode = TG_PRIM_PATCHES;
   refuse(&info, TG_ERROR_INPUT, "vertices_per_patch is 0; expected 1 to 32");
   info.vertices_per_patch = 33;
   refuse(&info, TG_ERROR_INPUT, "vertices_per_patch is 33; expected 1 to 32");
   info.mode = TG_PRIM_LINES;
   info.index_size = 3;
   refuse(&info, TG_ERROR_INPUT,
          "index_size is 3; expected 1, 2 or 4, or 0 for none");
   info.index_size = 4;
   refuse(&info, TG_ERROR_INPUT, "an indexed draw without a buffer of indices");
   info.index_size = 0;
   info.draws = NULL;
   refuse(&info, TG_ERROR_INPUT, "there are no draws, but num_draws is 1");
   info.num_draws = (1 << 20) + 1;
   info.draws = &range;
   refuse(&info, TG_ERROR_LIMIT, "num_draws is 1048577; a call may have 2^20");
   info.num_draws = 1;
   info.instance_count = 400000000;
   refuse(&info, TG_ERROR_LIMIT,
          "draw 0 has 3 vertices times 400000000 instances; a call may have "
          "2^30 in all");
}

/* Buffers whose contents are anything. */
static void
test_hostile_indirect(void **state)
{
   (void)state;
   static const uint32_t hostile[] = {1 << 29, 1, 0, 0, 1 << 29, 1,
                                      0,       0, 1, 1, 0,       0};
   struct tg_resource *buffer = make_buffer(hostile, sizeof(hostile));
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct gpu_draws draws;
   info.indirect = buffer;
   info.indirect_stride = 16;
   info.num_draws = 2;
   assert_int_equal(init(&draws, &info), TG_OK);
   gpu_draws_finish(&draws);
   info.num_draws = 3;
   refuse(&info, TG_ERROR_LIMIT,
          "draw 2 has 1 vertices times 1 instances; a call may have 2^30 in "
          "all");
   info.num_draws = 4;
   refuse(&info, TG_ERROR_INPUT,
          "4 indirect draws reach beyond their buffer of 48 bytes");
   info.num_draws = 1 << 20;
   info.indirect_stride = 0xfffffffc;
   refuse(&info, TG_ERROR_INPUT,
          "1048576 indirect draws reach beyond their buffer of 48 bytes");
   info.indirect_stride = 2;
   refuse(&info, TG_ERROR_INPUT,
          "indirect_stride is 2; expected a multiple of 4");
   info.indirect_offset = 6;
   refuse(&info, TG_ERROR_INPUT,
          "indirect_offset is 6; expected a multiple of 4");
   info.indirect_offset = 0;
   info.indirect_count = buffer;
   info.indirect_count_offset = 48;
   refuse(&info, TG_ERROR_INPUT,
          "indirect_count_offset is 48; the buffer has 48 bytes");
   info.indirect = NULL;
   refuse(&info, TG_ERROR_INPUT, "indirect_count is set, but indirect is not");
   tg_resource_destroy(buffer);
}

static struct tg_resource *swept_buffer;

static enum tg_result
swept(const struct tg_allocator *allocator)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct gpu_draws draws;
   info.indirect = swept_buffer;
   const enum tg_result result = gpu_draws_init(&draws, allocator, &info, NULL);
   if (result == TG_OK)
      gpu_draws_finish(&draws);
   return result;
}

static void
test_without_memory(void **state)
{
   (void)state;
   swept_buffer = make_buffer(words, sizeof(words));
   sweep(swept);
   tg_resource_destroy(swept_buffer);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direct),
      cmocka_unit_test(test_indirect),
      cmocka_unit_test(test_packed_indirect),
      cmocka_unit_test(test_streamed),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_hostile_indirect),
      cmocka_unit_test(test_without_memory),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
