/* SPDX-License-Identifier: MIT
 *
 * Buffer renaming: who holds a buffer's memory keeps it, bindings find the new
 * one, and what has to stay where it is does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../bind.h"
#include "../desc.h"
#include "../sweep.h"
#include "complaint.h"
#include "resource/bindings.h"
#include "util/quota.h"

enum { NUM_BYTES = 64 };

static const struct tg_resource_desc buffer_desc = {.size = sizeof(buffer_desc),
                                                    .target = TG_TEXTURE_BUFFER,
                                                    .width = NUM_BYTES};
static const struct tg_resource_desc texture_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_R32_UINT, 8, 4, 1, 1, 0, 1);

static void
fill(struct tg_resource *buffer, int value)
{
   const struct tg_box all = {0, 0, 0, NUM_BYTES, 1, 1};
   unsigned char bytes[NUM_BYTES];

   memset(bytes, value, sizeof(bytes));
   assert_int_equal(tg_resource_write(buffer, 0, 0, &all, bytes, 0, 0), TG_OK);
}

static void
expect_bytes(const struct exec_memory *memory, int value)
{
   unsigned char bytes[NUM_BYTES];

   memset(bytes, value, sizeof(bytes));
   assert_int_equal(memory->num_bytes, NUM_BYTES);
   assert_memory_equal(memory->data, bytes, NUM_BYTES);
}

static void
expect_now(const struct tg_resource *buffer, int value)
{
   struct resource_hold hold = resource_hold(buffer);

   expect_bytes(&hold.memory, value);
   resource_release(&hold);
}

static void
holders_keep_what_they_have(void **state)
{
   struct tg_resource *buffer = make_resource(&buffer_desc);
   (void)state;

   fill(buffer, 0x11);
   struct resource_hold first = resource_hold(buffer);
   assert_true(resource_rename(buffer, RESOURCE_KEPT));
   expect_now(buffer, 0x11);
   fill(buffer, 0x22);
   struct resource_hold second = resource_hold(buffer);
   assert_true(resource_rename(buffer, RESOURCE_CLEARED));
   expect_now(buffer, 0);
   tg_resource_destroy(buffer);
   expect_bytes(&first.memory, 0x11);
   expect_bytes(&second.memory, 0x22);
   resource_release(&first);
   resource_release(&second);
   assert_null(first.block);
}

/* Two blocks take turns while nobody holds either. */
static void
blocks_are_used_again(void **state)
{
   struct tg_quota memory;
   struct tg_resource *buffer;
   (void)state;

   tg_quota_init(&memory, NULL, UINT64_MAX);
   assert_int_equal(
      tg_resource_create(&memory.allocator, &buffer_desc, NULL, &buffer),
      TG_OK);
   assert_true(resource_rename(buffer, RESOURCE_CLEARED));
   const uint64_t of_two = atomic_load(&memory.held);
   for (unsigned i = 1; i < 10; i++) {
      fill(buffer, (int)i);
      assert_true(
         resource_rename(buffer, i % 2 ? RESOURCE_CLEARED : RESOURCE_KEPT));
      assert_int_equal(atomic_load(&memory.held), of_two);
      expect_now(buffer, i % 2 ? 0 : (int)i);
   }
   tg_resource_destroy(buffer);
   assert_int_equal(atomic_load(&memory.held), 0);
}

static void
some_stay_where_they_are(void **state)
{
   struct tg_resource *buffer = make_resource(&buffer_desc);
   struct tg_resource *texture = make_resource(&texture_desc);
   uint32_t words[NUM_BYTES / 4] = {0};
   const struct tg_resource_memory memory = {
      .size = sizeof(memory), .address = words, .num_bytes = sizeof(words)};
   struct tg_resource *callers;
   (void)state;

   assert_false(resource_rename(texture, RESOURCE_KEPT));
   assert_int_equal(tg_resource_create_from_memory(NULL, &buffer_desc, &memory,
                                                   NULL, &callers),
                    TG_OK);
   assert_false(resource_rename(callers, RESOURCE_KEPT));
   resource_pin_against_renaming(buffer);
   resource_pin_against_renaming(buffer);
   assert_false(resource_rename(buffer, RESOURCE_KEPT));
   resource_unpin_for_renaming(buffer);
   assert_false(resource_rename(buffer, RESOURCE_KEPT));
   resource_unpin_for_renaming(buffer);
   assert_true(resource_rename(buffer, RESOURCE_KEPT));
   const unsigned char *bytes = tg_resource_map_buffer(buffer);
   assert_false(resource_rename(buffer, RESOURCE_KEPT));
   fill(buffer, 0x33);
   assert_int_equal(bytes[NUM_BYTES - 1], 0x33);
   tg_resource_destroy(callers);
   tg_resource_destroy(texture);
   tg_resource_destroy(buffer);
}

/* Bindings see the new memory from when they are asked to, at the same offset;
 * snapshots that they have given do not. */
static void
bindings_follow(void **state)
{
   struct tg_resource *buffer = make_resource(&buffer_desc);
   struct tg_resource *other = make_resource(&buffer_desc);
   const struct tg_view_desc view = tg_view_desc_of(buffer);
   const struct tg_image image = tg_image_of(buffer);
   struct tg_bindings *bindings;
   struct resource_snapshot before, after;
   (void)state;

   fill(buffer, 0x44);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 3,
                                           buffer, 0, NUM_BYTES, NULL),
                    TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 4,
                                           other, 0, NUM_BYTES, NULL),
                    TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_COUNTER, 1,
                                           buffer, 8, 16, NULL),
                    TG_OK);
   assert_int_equal(bind_view(bindings, 2, &view, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_image(bindings, 1, &image, NULL), TG_OK);
   resource_refresh_snapshot(bindings);
   assert_true(resource_snapshot_take(bindings, &before));
   const uint32_t *of_other = bindings->constants[4].data;

   assert_true(resource_rename(buffer, RESOURCE_CLEARED));
   fill(buffer, 0x55);
   expect_bytes(&bindings->constants[3], 0x44);
   resource_refresh_snapshot(bindings);
   expect_bytes(&bindings->constants[3], 0x55);
   assert_ptr_equal(bindings->constants[4].data, of_other);
   assert_true(resource_snapshot_take(bindings, &after));
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   tg_resource_destroy(other);
   static const struct {
      enum resource_slot_kind kind;
      unsigned slot;
   } places[] = {{RESOURCE_CONSTANTS, 3},
                 {RESOURCE_BUFFERS, ABI_BUFFER_COUNTERS + 1},
                 {RESOURCE_VIEWS, 2},
                 {RESOURCE_IMAGES, 1}};
   for (unsigned i = 0; i < 4; i++) {
      const struct exec_memory *old =
         &resource_snapshot_slots(&before, places[i].kind)
             .memory[places[i].slot];
      const struct exec_memory *new =
         &resource_snapshot_slots(&after, places[i].kind)
             .memory[places[i].slot];

      assert_int_equal(old->data[0], 0x44444444);
      assert_int_equal(new->data[0], 0x55555555);
   }
   resource_snapshot_drop(&before);
   resource_snapshot_drop(&after);
}

/* ---- threads ------------------------------------------------------------- */

enum { NUM_TURNS = 2000 };

/* All bytes of what is held are of one fill. */
static void *
hold_again_and_again(void *user)
{
   const struct tg_resource *buffer = user;

   for (unsigned i = 0; i < NUM_TURNS; i++) {
      struct resource_hold hold = resource_hold(buffer);
      const unsigned char *bytes = (const unsigned char *)hold.memory.data;

      if (bytes[0] > 1)
         abort();
      resource_release(&hold);
   }
   return NULL;
}

static void
threads_hold_while_others_rename(void **state)
{
   struct tg_resource *buffer = make_resource(&buffer_desc);
   pthread_t thread;
   (void)state;

   assert_int_equal(pthread_create(&thread, NULL, hold_again_and_again, buffer),
                    0);
   for (unsigned i = 0; i < NUM_TURNS; i++)
      assert_true(resource_rename(buffer, RESOURCE_CLEARED));
   pthread_join(thread, NULL);
   tg_resource_destroy(buffer);
}

/* ---- memory -------------------------------------------------------------- */

/* A renaming that finds no memory changes nothing. */
static enum tg_result
rename_once(const struct tg_allocator *allocator)
{
   struct tg_resource *buffer;
   enum tg_result result =
      tg_resource_create(allocator, &buffer_desc, NULL, &buffer);

   if (result != TG_OK)
      return result;
   fill(buffer, 0x66);
   if (!resource_rename(buffer, RESOURCE_CLEARED)) {
      expect_now(buffer, 0x66);
      result = TG_ERROR_MEMORY;
   }
   tg_resource_destroy(buffer);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(rename_once);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(holders_keep_what_they_have),
      cmocka_unit_test(blocks_are_used_again),
      cmocka_unit_test(some_stay_where_they_are),
      cmocka_unit_test(bindings_follow),
      cmocka_unit_test(threads_hold_while_others_rename),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
