/* SPDX-License-Identifier: MIT
 *
 * Batches: shapes sorted by the tiles that they touch, and what is taken out of
 * one when the next begins in the same memory.
 */
#include "../sweep.h"
#include "gpu/queue/batch.h"

enum { WIDTH = 256, HEIGHT = 128, NUM_CONSTANTS = 3, MANY = 200 };

/* Its constants are `number` and the two after it. */
static bool
add(struct gpu_batch *batch, uint32_t number, int32_t x, int32_t y,
    int32_t width, int32_t height)
{
   const struct gpu_shape shape = {
      .min_x = x,
      .min_y = y,
      .max_x = x + width - 1,
      .max_y = y + height - 1,
      .layer = number,
      .constants = batch->num_constants,
   };
   uint32_t *words = gpu_batch_add_constants(batch, NUM_CONSTANTS);

   for (uint32_t i = 0; words && i < NUM_CONSTANTS; i++)
      words[i] = number + i;
   return words && gpu_batch_add_shapes(batch, &shape, 1);
}

static void
begin(struct gpu_batch *batch)
{
   gpu_batch_begin(batch, NULL, NULL, WIDTH, HEIGHT);
}

/* A tile has these shapes, by their numbers, in that order. */
static void
expect_run(const struct gpu_batch *batch, uint32_t number, uint32_t tile,
           uint32_t count, const uint32_t *shapes)
{
   const struct gpu_run *run = &batch->runs[number];

   assert_int_equal(run->tile, tile);
   assert_int_equal(run->count, count);
   for (uint32_t i = 0; i < count; i++) {
      const struct gpu_shape *shape =
         &batch->shapes[batch->order[run->first + i]];

      assert_int_equal(shape->layer, shapes[i]);
      for (uint32_t k = 0; k < NUM_CONSTANTS; k++)
         assert_int_equal(batch->constants[shape->constants + k],
                          shapes[i] + k);
   }
}

/* Tiles are 64 pixels, four in a row: the wide shape is in tiles 0 and 1, the
 * others in tile 5. */
static void
add_three(struct gpu_batch *batch)
{
   begin(batch);
   assert_true(add(batch, 10, 70, 70, 10, 10));
   assert_true(add(batch, 20, 60, 3, 5, 5));
   assert_true(add(batch, 30, 127, 64, 1, 64));
   assert_true(gpu_batch_seal(batch));
}

static void
expect_three(const struct gpu_batch *batch)
{
   static const uint32_t wide[] = {20}, others[] = {10, 30};

   assert_int_equal(batch->num_runs, 3);
   expect_run(batch, 0, 0, 1, wide);
   expect_run(batch, 1, 1, 1, wide);
   expect_run(batch, 2, 5, 2, others);
}

static void
little_is_copied(void **state)
{
   const size_t three = 3 * sizeof(struct gpu_shape) +
                        3 * sizeof(struct gpu_run) +
                        (4 + 3 * NUM_CONSTANTS) * sizeof(uint32_t);
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   struct gpu_batch batch, taken, nothing;
   struct tg_arena arena;
   size_t num_bytes = 1000;
   (void)state;

   tg_arena_init(&arena, &allocator);
   gpu_batch_init(&batch, &allocator);
   add_three(&batch);
   assert_true(gpu_batch_take(&batch, &arena, &taken, &num_bytes));
   assert_int_equal(num_bytes, 1000 + three);
   const size_t num_calls = counter.calls;
   begin(&batch);
   assert_true(add(&batch, 40, 0, 0, 1, 1));
   assert_true(gpu_batch_seal(&batch));
   assert_int_equal(counter.calls, num_calls); /* the memory is there */
   assert_int_equal(batch.num_runs, 1);
   expect_run(&batch, 0, 0, 1, (const uint32_t[]){40});
   expect_three(&taken);

   begin(&batch);
   assert_true(gpu_batch_seal(&batch));
   assert_true(gpu_batch_take(&batch, &arena, &nothing, &num_bytes));
   assert_int_equal(nothing.num_runs, 0);
   assert_int_equal(num_bytes, 1000 + three);
   gpu_batch_finish(&batch);
   expect_three(&taken);
   gpu_batch_finish(&taken);
   tg_arena_finish(&arena);
   assert_int_equal(counter.in_use, 0);
}

static bool
add_many(struct gpu_batch *batch)
{
   bool is_good = true;

   begin(batch);
   for (uint32_t i = 0; i < MANY && is_good; i++)
      is_good = add(batch, 10 * i, (int32_t)(i % 2) * 64, 0, 1, 1);
   return is_good && gpu_batch_seal(batch);
}

static void
much_is_handed_over(void **state)
{
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   struct gpu_batch batch, taken;
   uint32_t even[MANY / 2], odd[MANY / 2];
   struct tg_arena arena;
   size_t num_bytes = 0;
   (void)state;

   for (uint32_t i = 0; i < MANY / 2; i++) {
      even[i] = 20 * i;
      odd[i] = 20 * i + 10;
   }
   tg_arena_init(&arena, &allocator);
   gpu_batch_init(&batch, &allocator);
   assert_true(add_many(&batch));
   const struct gpu_shape *shapes = batch.shapes;
   assert_true(gpu_batch_take(&batch, &arena, &taken, &num_bytes));
   assert_ptr_equal(taken.shapes, shapes);
   assert_null(batch.shapes);
   assert_int_equal(num_bytes, counter.in_use);
   tg_arena_finish(&arena);
   add_three(&batch);
   expect_three(&batch);
   expect_run(&taken, 0, 0, MANY / 2, even);
   expect_run(&taken, 1, 1, MANY / 2, odd);
   gpu_batch_finish(&taken);
   gpu_batch_finish(&batch);
   assert_int_equal(counter.in_use, 0);
}

/* A shape in each of many tiles needs much to sort, which does not stay. */
static void
scratch_is_bounded(void **state)
{
   enum { NUM_PIXELS = 64 * 128 }; /* 128 by 128 tiles */
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   struct gpu_batch batch;
   (void)state;

   gpu_batch_init(&batch, &allocator);
   gpu_batch_begin(&batch, NULL, NULL, NUM_PIXELS, NUM_PIXELS);
   assert_true(add(&batch, 10, 0, 0, NUM_PIXELS, NUM_PIXELS));
   assert_true(gpu_batch_seal(&batch));
   assert_int_equal(batch.num_runs, 128 * 128);
   expect_run(&batch, 128 * 128 - 1, 128 * 128 - 1, 1, (const uint32_t[]){10});
   assert_null(batch.touches);
   assert_null(batch.starts);
   gpu_batch_finish(&batch);
   assert_int_equal(counter.in_use, 0);
}

static enum tg_result
fill_and_take(const struct tg_allocator *allocator)
{
   struct gpu_batch batch, few = {0}, many = {0};
   struct tg_arena arena;
   size_t num_bytes = 0;
   bool is_good;

   tg_arena_init(&arena, allocator);
   gpu_batch_init(&batch, allocator);
   begin(&batch);
   is_good = add(&batch, 10, 0, 0, WIDTH, HEIGHT) && gpu_batch_seal(&batch) &&
             gpu_batch_take(&batch, &arena, &few, &num_bytes) &&
             add_many(&batch) &&
             gpu_batch_take(&batch, &arena, &many, &num_bytes);
   if (many.allocator)
      gpu_batch_finish(&many);
   gpu_batch_finish(&batch);
   tg_arena_finish(&arena);
   return is_good ? TG_OK : TG_ERROR_MEMORY;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(fill_and_take);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(little_is_copied),
      cmocka_unit_test(much_is_handed_over),
      cmocka_unit_test(scratch_is_bounded),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
