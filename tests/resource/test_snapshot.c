/* SPDX-License-Identifier: MIT
 *
 * Snapshots: they see what was bound when they were taken, and share what has
 * not changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../bind.h"
#include "../desc.h"
#include "../sweep.h"
#include "complaint.h"
#include "resource/bindings.h"
#include "util/quota.h"

static const struct tg_resource_desc texture_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_R32_UINT, 8, 4, 1, 1, 0, 1);
static const struct tg_resource_desc buffer_desc = {
   .size = sizeof(buffer_desc), .target = TG_TEXTURE_BUFFER, .width = 64};

static struct tg_bindings *
make_bindings(void)
{
   struct tg_bindings *bindings;

   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   return bindings;
}

static struct resource_snapshot
take(struct tg_bindings *bindings)
{
   struct resource_snapshot snapshot;

   assert_true(resource_snapshot_take(bindings, &snapshot));
   return snapshot;
}

static void
bind_texture(struct tg_bindings *bindings, unsigned place,
             struct tg_resource *texture)
{
   const struct tg_view_desc all = tg_view_desc_of(texture);

   assert_int_equal(bind_view(bindings, place, &all, NULL), TG_OK);
}

static void
bind_all_kinds(struct tg_bindings *bindings, struct tg_resource *texture,
               struct tg_resource *buffer)
{
   const struct tg_image image = tg_image_of(texture);

   bind_texture(bindings, 5, texture);
   assert_int_equal(bind_sampler(bindings, 3, NULL, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_image(bindings, 2, &image, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_color(bindings, 1, &image, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 4,
                                           buffer, 0, 64, NULL),
                    TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_COUNTER, 2,
                                           buffer, 16, 32, NULL),
                    TG_OK);
}

/* A word of CONST memory as a wave reads it: 0 beyond the end. */
static uint32_t
read_word(const struct exec_memory *memory, size_t word)
{
   return (word + 1) * 4 <= memory->num_bytes ? memory->data[word] : 0;
}

static void
expect_same_words(const struct exec_memory *a, const struct exec_memory *b)
{
   for (size_t i = 0; i < LOWER_DESCRIPTOR_WORDS; i++)
      assert_int_equal(read_word(a, i), read_word(b, i));
}

static void
expect_same_space(const struct exec_wave *a, const struct exec_wave *b,
                  unsigned space)
{
   for (unsigned i = 0; i < b->num_memories[space]; i++) {
      const struct exec_memory *wanted = &b->memory[space][i];

      if (i < a->num_memories[space])
         assert_memory_equal(&a->memory[space][i], wanted, sizeof(*wanted));
      else
         assert_null(wanted->data);
   }
}

/* Waves see the same of a snapshot as of the bindings. */
static void
snapshots_see_what_is_bound(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *texture = make_resource(&texture_desc);
   struct tg_resource *buffer = make_resource(&buffer_desc);
   struct exec_memory live[LOWER_NUM_CONST_BINDINGS] = {{0}};
   struct exec_memory taken[LOWER_NUM_CONST_BINDINGS] = {{0}};
   struct exec_wave live_wave = {0}, taken_wave = {0};
   (void)state;

   bind_all_kinds(bindings, texture, buffer);
   struct resource_snapshot snapshot = take(bindings);
   resource_bind_constants(bindings, live);
   resource_bind_wave(bindings, &live_wave);
   resource_snapshot_bind_constants(&snapshot, taken);
   resource_snapshot_bind_wave(&snapshot, &taken_wave);
   for (unsigned i = 0; i < LOWER_MAX_CONST_BUFFERS; i++)
      assert_memory_equal(&taken[i], &live[i], sizeof(live[i]));
   for (unsigned i = LOWER_CONST_VIEWS; i <= LOWER_CONST_IMAGES; i++)
      expect_same_words(&taken[i], &live[i]);
   assert_ptr_equal(taken[LOWER_CONST_TABLES].data, lower_tables);
   expect_same_space(&taken_wave, &live_wave, LIR_SPACE_TEXTURE);
   expect_same_space(&taken_wave, &live_wave, LIR_SPACE_IMAGE);
   expect_same_space(&taken_wave, &live_wave, LIR_SPACE_BUFFER);
   assert_int_equal(taken_wave.num_memories[LIR_SPACE_TEXTURE], 6);
   assert_int_equal(read_word(&taken[LOWER_CONST_VIEWS],
                              5 * LOWER_VIEW_WORDS + LOWER_VIEW_WIDTH),
                    8);
   resource_snapshot_drop(&snapshot);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   tg_resource_destroy(texture);
}

/* What is bound later, or goes, is not seen; what was bound stays. */
static void
snapshots_do_not_change(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *first = make_resource(&texture_desc);
   struct tg_resource *second = make_resource(&texture_desc);
   uint32_t *texels = first->written.data;
   (void)state;

   bind_texture(bindings, 0, first);
   struct resource_snapshot snapshot = take(bindings);
   struct resource_snapshot another = resource_snapshot_ref(&snapshot);
   bind_texture(bindings, 0, second);
   bind_texture(bindings, 7, second);
   tg_resource_destroy(first);
   tg_resource_destroy(second);
   struct resource_snapshot later = take(bindings);
   tg_bindings_destroy(bindings);
   resource_snapshot_drop(&snapshot);
   assert_null(snapshot.tables[RESOURCE_VIEWS]);

   struct resource_slots slots =
      resource_snapshot_slots(&another, RESOURCE_VIEWS);
   assert_int_equal(slots.count, 1);
   assert_ptr_equal(slots.memory[0].data, texels);
   assert_int_equal(texels[31], 0);
   slots = resource_snapshot_slots(&later, RESOURCE_VIEWS);
   assert_int_equal(slots.count, 8);
   assert_ptr_not_equal(slots.memory[0].data, texels);
   assert_null(slots.memory[3].data);
   resource_snapshot_drop(&another);
   resource_snapshot_drop(&later);
}

/* Only the kind that was written has another table. */
static void
what_has_not_changed_is_shared(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *texture = make_resource(&texture_desc);
   struct tg_resource *buffer = make_resource(&buffer_desc);
   (void)state;

   bind_all_kinds(bindings, texture, buffer);
   struct resource_snapshot first = take(bindings), same = take(bindings);
   assert_memory_equal(first.tables, same.tables, sizeof(same.tables));
   assert_true(first.num_new_bytes > 0);
   assert_int_equal(same.num_new_bytes, 0);
   bind_texture(bindings, 5, texture);
   struct resource_snapshot other = take(bindings);
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++)
      assert_int_equal(other.tables[i] == first.tables[i], i != RESOURCE_VIEWS);
   resource_snapshot_drop(&other);
   resource_snapshot_drop(&same);
   resource_snapshot_drop(&first);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   tg_resource_destroy(texture);
}

/* Nothing costs nothing, and nothing is seen. */
static void
nothing_is_bound(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct exec_memory constants[LOWER_NUM_CONST_BINDINGS] = {{0}};
   (void)state;

   struct resource_snapshot of_none = take(NULL), of_nothing = take(bindings);
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++) {
      assert_null(of_none.tables[i]);
      assert_null(of_nothing.tables[i]);
      assert_int_equal(
         resource_snapshot_slots(&of_none, (enum resource_slot_kind)i).count,
         0);
   }
   resource_snapshot_bind_constants(&of_none, constants);
   assert_int_equal(constants[LOWER_CONST_VIEWS].num_bytes, 0);
   assert_int_equal(constants[LOWER_CONST_TABLES].num_bytes,
                    sizeof(lower_tables));
   resource_snapshot_drop(&of_nothing);
   tg_bindings_destroy(bindings);
}

/* What is emptied is let go of at once, though it was in a snapshot before. */
static void
bindings_keep_nothing_that_was(void **state)
{
   struct tg_quota memory;
   struct tg_resource *texture;
   struct tg_bindings *bindings = make_bindings();
   (void)state;

   tg_quota_init(&memory, NULL, UINT64_MAX);
   assert_int_equal(
      tg_resource_create(&memory.allocator, &texture_desc, NULL, &texture),
      TG_OK);
   bind_texture(bindings, 0, texture);
   tg_resource_destroy(texture);
   struct resource_snapshot snapshot = take(bindings);
   resource_snapshot_drop(&snapshot);
   assert_int_not_equal(atomic_load(&memory.held), 0);
   assert_int_equal(tg_bindings_set_view(bindings, 0, NULL, NULL), TG_OK);
   assert_int_equal(atomic_load(&memory.held), 0);
   tg_bindings_destroy(bindings);
}

static enum tg_result
take_two(const struct tg_allocator *allocator)
{
   struct tg_resource *texture = NULL, *buffer = NULL;
   struct tg_bindings *bindings = NULL;
   struct resource_snapshot first = {0}, second = {0};
   enum tg_result result =
      tg_resource_create(allocator, &texture_desc, NULL, &texture);

   if (result == TG_OK)
      result = tg_resource_create(allocator, &buffer_desc, NULL, &buffer);
   if (result == TG_OK)
      result = tg_bindings_create(allocator, &bindings);
   if (result == TG_OK) {
      bind_all_kinds(bindings, texture, buffer);
      if (!resource_snapshot_take(bindings, &first))
         result = TG_ERROR_MEMORY;
   }
   if (result == TG_OK) {
      bind_texture(bindings, 0, texture);
      if (!resource_snapshot_take(bindings, &second))
         result = TG_ERROR_MEMORY;
   }
   resource_snapshot_drop(&first);
   resource_snapshot_drop(&second);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   tg_resource_destroy(texture);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(take_two);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(snapshots_see_what_is_bound),
      cmocka_unit_test(snapshots_do_not_change),
      cmocka_unit_test(what_has_not_changed_is_shared),
      cmocka_unit_test(nothing_is_bound),
      cmocka_unit_test(bindings_keep_nothing_that_was),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
