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
   for (size_t i = 0; i < ABI_DESCRIPTOR_WORDS; i++)
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
   struct exec_memory live[ABI_NUM_CONST_BINDINGS] = {{0}};
   struct exec_memory taken[ABI_NUM_CONST_BINDINGS] = {{0}};
   struct exec_wave live_wave = {0}, taken_wave = {0};
   (void)state;

   bind_all_kinds(bindings, texture, buffer);
   struct resource_snapshot snapshot = take(bindings);
   resource_bind_constants(bindings, live);
   resource_bind_wave(bindings, &live_wave);
   resource_snapshot_bind_constants(&snapshot, taken);
   resource_snapshot_bind_wave(&snapshot, &taken_wave);
   for (unsigned i = 0; i < ABI_MAX_CONST_BUFFERS; i++)
      assert_memory_equal(&taken[i], &live[i], sizeof(live[i]));
   for (unsigned i = ABI_CONST_VIEWS; i <= ABI_CONST_IMAGES; i++)
      expect_same_words(&taken[i], &live[i]);
   assert_ptr_equal(taken[ABI_CONST_TABLES].data, abi_tables);
   expect_same_space(&taken_wave, &live_wave, LIR_SPACE_TEXTURE);
   expect_same_space(&taken_wave, &live_wave, LIR_SPACE_IMAGE);
   expect_same_space(&taken_wave, &live_wave, LIR_SPACE_BUFFER);
   assert_int_equal(taken_wave.num_memories[LIR_SPACE_TEXTURE], 6);
   assert_int_equal(
      read_word(&taken[ABI_CONST_VIEWS], 5 * ABI_VIEW_WORDS + ABI_VIEW_WIDTH),
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

/* What is bound anew costs its own chunk of descriptors; the others are where
 * they were. */
static void
chunks_are_shared(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *texture = make_resource(&texture_desc);
   struct exec_memory before[ABI_NUM_CONST_BINDINGS] = {{0}};
   struct exec_memory after[ABI_NUM_CONST_BINDINGS] = {{0}};
   const unsigned place = 2 * ABI_CHUNK_VIEWS + 3;
   (void)state;

   for (unsigned i = 0; i < 3 * ABI_CHUNK_VIEWS; i++)
      bind_texture(bindings, i, texture);
   struct resource_snapshot first = take(bindings);
   assert_int_equal(tg_bindings_set_view(bindings, place, NULL, NULL), TG_OK);
   struct resource_snapshot second = take(bindings);
   resource_snapshot_bind_constants(&first, before);
   resource_snapshot_bind_constants(&second, after);
   for (unsigned i = 0; i < 2; i++)
      assert_ptr_equal(before[ABI_CONST_VIEWS + i].data,
                       after[ABI_CONST_VIEWS + i].data);
   const size_t width = 3 * ABI_VIEW_WORDS + ABI_VIEW_WIDTH;
   assert_int_equal(read_word(&before[ABI_CONST_VIEWS + 2], width), 8);
   assert_int_equal(read_word(&after[ABI_CONST_VIEWS + 2], width), 0);
   assert_null(after[ABI_CONST_VIEWS + 3].data);
   resource_snapshot_drop(&first);
   resource_snapshot_drop(&second);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(texture);
}

/* ---- constants that are copied ------------------------------------------- */

static const uint32_t four_words[4] = {1, 2, 3, 4};

/* The constants of a place as waves of a draw see them. */
static struct exec_memory
constants_of(const struct resource_snapshot *snapshot, unsigned place)
{
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS] = {{0}};

   resource_snapshot_bind_constants(snapshot, constants);
   return constants[place];
}

static void
copied_constants_stay_as_they_were(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   uint32_t words[4];
   (void)state;

   memcpy(words, four_words, sizeof(words));
   assert_int_equal(tg_bindings_set_constants(bindings, 5, words, 16, NULL),
                    TG_OK);
   struct resource_snapshot first = take(bindings);
   assert_true(first.num_new_bytes > 16);
   words[2] = 7;
   assert_int_equal(
      read_word(&(struct exec_memory){bindings->constants[5].data, 16}, 2), 3);
   assert_int_equal(tg_bindings_set_constants(bindings, 5, words, 11, NULL),
                    TG_OK);
   struct resource_snapshot second = take(bindings);
   tg_bindings_destroy(bindings);
   const struct exec_memory before = constants_of(&first, 5);
   const struct exec_memory after = constants_of(&second, 5);
   assert_int_equal(before.num_bytes, 16);
   assert_memory_equal(before.data, four_words, 16);
   /* Eleven bytes of three words. */
   assert_int_equal(after.num_bytes, 12);
   assert_int_equal(read_word(&after, 1), 2);
   assert_int_equal(read_word(&after, 2), 7);
   assert_int_equal(resource_snapshot_slots(&second, RESOURCE_CONSTANTS).copied,
                    UINT64_C(1) << 5);
   resource_snapshot_drop(&first);
   resource_snapshot_drop(&second);
}

/* A place has a buffer or a copy, whichever came last. */
static void
copies_and_buffers_take_turns(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *buffer = make_resource(&buffer_desc);
   (void)state;

   for (unsigned i = 0; i < 4; i++) {
      if (i % 2)
         assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT,
                                                 0, buffer, 0, 64, NULL),
                          TG_OK);
      else
         assert_int_equal(
            tg_bindings_set_constants(bindings, 0, four_words, 16, NULL),
            TG_OK);
      struct resource_snapshot snapshot = take(bindings);
      assert_int_equal(constants_of(&snapshot, 0).num_bytes, i % 2 ? 64 : 16);
      assert_int_equal(
         resource_snapshot_slots(&snapshot, RESOURCE_CONSTANTS).copied,
         !(i % 2));
      resource_snapshot_drop(&snapshot);
   }
   assert_int_equal(tg_bindings_set_constants(bindings, 0, NULL, 0, NULL),
                    TG_OK);
   struct resource_snapshot snapshot = take(bindings);
   assert_null(snapshot.tables[RESOURCE_CONSTANTS]);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
}

static void
strange_constants_are_refused(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_diagnostics *said = tg_diagnostics_create(NULL);
   static const uint32_t many[TG_MAX_INLINE_CONSTANTS / 4 + 1];
   (void)state;

   assert_int_equal(tg_bindings_set_constants(bindings, 1, many,
                                              TG_MAX_INLINE_CONSTANTS, said),
                    TG_OK);
   assert_int_equal(tg_bindings_set_constants(
                       bindings, 1, many, TG_MAX_INLINE_CONSTANTS + 1, said),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_bindings_set_constants(bindings, 1, NULL, 4, said),
                    TG_ERROR_INPUT);
   assert_int_equal(
      tg_bindings_set_constants(bindings, 32, four_words, 16, said),
      TG_ERROR_INPUT);
   char *text = tg_diagnostics_text(said);
   assert_string_equal(
      text,
      "bindings: error: 1048577 bytes of constants are too many; the most is "
      "1048576\n"
      "bindings: error: 4 bytes of constants are nowhere\n"
      "bindings: error: there is no constant buffer 32; the last is 31\n");
   tg_string_free(text);
   assert_int_equal(bindings->constants[1].num_bytes, TG_MAX_INLINE_CONSTANTS);
   tg_diagnostics_destroy(said);
   tg_bindings_destroy(bindings);
}

/* ---- nothing ------------------------------------------------------------- */

/* Nothing costs nothing, and nothing is seen. */
static void
nothing_is_bound(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS] = {{0}};
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
   assert_int_equal(constants[ABI_CONST_VIEWS].num_bytes, 0);
   assert_int_equal(constants[ABI_CONST_TABLES].num_bytes, sizeof(abi_tables));
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
      result = tg_bindings_set_constants(bindings, 1, four_words, 16, NULL);
      if (result == TG_OK && !resource_snapshot_take(bindings, &second))
         result = TG_ERROR_MEMORY;
   }
   resource_snapshot_drop(&first);
   resource_snapshot_drop(&second);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   tg_resource_destroy(texture);
   return result;
}

/* Once they are refreshed, bindings know the last slot in which something is,
 * whatever was bound and unbound after it. */
static void
slots_end_after_the_last(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *texture = make_resource(&texture_desc);
   (void)state;

   bind_texture(bindings, 2, texture);
   bind_texture(bindings, 7, texture);
   resource_refresh_snapshot(bindings);
   assert_int_equal(bindings->ends[RESOURCE_VIEWS], 8);
   assert_int_equal(tg_bindings_set_view(bindings, 7, NULL, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_image(bindings, 9, NULL, NULL), TG_OK);
   resource_refresh_snapshot(bindings);
   assert_int_equal(bindings->ends[RESOURCE_VIEWS], 3);
   assert_int_equal(bindings->ends[RESOURCE_IMAGES], 0);
   bind_texture(bindings, 4, texture);
   resource_refresh_snapshot(bindings);
   assert_int_equal(bindings->ends[RESOURCE_VIEWS], 5);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(texture);
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
      cmocka_unit_test(chunks_are_shared),
      cmocka_unit_test(copied_constants_stay_as_they_were),
      cmocka_unit_test(copies_and_buffers_take_turns),
      cmocka_unit_test(strange_constants_are_refused),
      cmocka_unit_test(nothing_is_bound),
      cmocka_unit_test(bindings_keep_nothing_that_was),
      cmocka_unit_test(slots_end_after_the_last),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
