/* SPDX-License-Identifier: MIT
 *
 * Resources in memory of the caller: where texels lie, what does not fit, and
 * when the memory is let go of.
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

enum { R32 = TG_FORMAT_R32_UINT, R8 = TG_FORMAT_R8_UNORM };

/* Two layers of 3 by 2 texels: rows 20 bytes apart, layers 64; the last texel
 * ends at 64 + 20 + 12 = 96. */
static const struct tg_resource_desc layers_desc =
   DESC(TG_TEXTURE_2D_ARRAY, R32, 3, 2, 1, 2, 0, 1);
static const struct tg_resource_desc buffer_desc = {
   .size = sizeof(buffer_desc), .target = TG_TEXTURE_BUFFER, .width = 10};

static unsigned num_released;

static void
release(void *user)
{
   num_released += user == &num_released;
}

static struct tg_resource_memory
memory_of(void *address, size_t num_bytes, uint64_t row_stride,
          uint64_t slice_stride)
{
   return (struct tg_resource_memory){
      .size = sizeof(struct tg_resource_memory),
      .address = address,
      .num_bytes = num_bytes,
      .row_stride = row_stride,
      .slice_stride = slice_stride,
      .release = release,
      .user = &num_released,
   };
}

static struct tg_resource *
make(const struct tg_resource_desc *desc,
     const struct tg_resource_memory *memory)
{
   struct tg_resource *resource;

   num_released = 0;
   assert_int_equal(
      tg_resource_create_from_memory(NULL, desc, memory, NULL, &resource),
      TG_OK);
   return resource;
}

/* Word `x` of row `y` of layer `z` is word x + 5 y + 16 z; all others stay. */
static void
texels_lie_where_strides_say(void **state)
{
   uint32_t words[24], texels[12], back[12];
   const struct tg_box all = {.width = 3, .height = 2, .depth = 2};
   const struct tg_resource_memory memory =
      memory_of(words, sizeof(words), 20, 64);
   (void)state;

   memset(words, 0xee, sizeof(words));
   for (uint32_t i = 0; i < 12; i++)
      texels[i] = 100 + i;
   struct tg_resource *resource = make(&layers_desc, &memory);
   assert_int_equal(words[0], 0xeeeeeeee);
   assert_int_equal(tg_resource_write(resource, 0, 0, &all, texels, 0, 0),
                    TG_OK);
   for (uint32_t i = 0; i < 24; i++) {
      const uint32_t z = i / 16, y = i % 16 / 5, x = i % 16 % 5;

      assert_int_equal(words[i],
                       x < 3 && y < 2 ? 100 + z * 6 + y * 3 + x : 0xeeeeeeee);
   }
   words[16 + 5 + 2] = 7;
   assert_int_equal(tg_resource_read(resource, 0, 0, &all, back, 0, 0), TG_OK);
   assert_int_equal(back[11], 7);
   tg_resource_destroy(resource);
   assert_int_equal(num_released, 1);
}

/* Descriptors have the strides, in words. */
static void
views_have_the_strides(void **state)
{
   uint32_t words[24] = {0};
   const struct tg_resource_memory memory =
      memory_of(words, sizeof(words), 20, 64);
   static const uint32_t wanted[] = {3, 2, 1, 2, 1, 1};
   struct tg_bindings *bindings;
   (void)state;

   struct tg_resource *resource = make(&layers_desc, &memory);
   const struct tg_view_desc all = tg_view_desc_of(resource);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   assert_int_equal(bind_view(bindings, 0, &all, NULL), TG_OK);
   const uint32_t *found = bindings->descriptors;
   assert_memory_equal(found, wanted, sizeof(wanted));
   assert_int_equal(found[ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_OFFSET], 0);
   assert_int_equal(found[ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_ROW_PITCH], 5);
   assert_int_equal(found[ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_SLICE_PITCH], 16);
   assert_ptr_equal(bindings->textures[0].data, words);
   assert_int_equal(bindings->textures[0].num_bytes, 96);

   /* What is bound keeps the memory. */
   tg_resource_destroy(resource);
   assert_int_equal(num_released, 0);
   tg_bindings_destroy(bindings);
   assert_int_equal(num_released, 1);
}

static void
buffers_are_mapped_in_place(void **state)
{
   uint32_t words[3] = {1, 2, 3};
   struct tg_resource_memory memory = memory_of(words, sizeof(words), 0, 0);
   (void)state;

   memory.release = NULL;
   struct tg_resource *resource = make(&buffer_desc, &memory);
   assert_ptr_equal(tg_resource_map_buffer(resource), words);
   assert_int_equal(tg_resource_get_size(resource), 10);
   tg_resource_destroy(resource);
   assert_int_equal(num_released, 0);
   assert_int_equal(words[2], 3);
}

/* Without strides texels lie as they do in memory of our own: 3 bytes a row. */
static void
small_texels_have_no_gaps(void **state)
{
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, R8, 3, 3, 1, 1, 0, 1);
   uint32_t words[3] = {0};
   const struct tg_resource_memory memory =
      memory_of(words, sizeof(words), 0, 0);
   const struct tg_box last = {2, 2, 0, 1, 1, 1};
   const uint8_t texel = 9;
   (void)state;

   struct tg_resource *resource = make(&desc, &memory);
   assert_int_equal(tg_resource_write(resource, 0, 0, &last, &texel, 0, 0),
                    TG_OK);
   assert_int_equal(((uint8_t *)words)[8], 9);
   tg_resource_destroy(resource);
}

/* Copies between two strides, over themselves too. */
static void
copies_keep_to_the_rows(void **state)
{
   uint32_t words[24], copy[12];
   const struct tg_resource_memory memory =
      memory_of(words, sizeof(words), 20, 64);
   const struct tg_resource_memory tight = memory_of(copy, sizeof(copy), 0, 0);
   const struct tg_box all = {.width = 3, .height = 2, .depth = 2};
   const struct tg_box layer = {.width = 3, .height = 2, .depth = 1};
   (void)state;

   for (uint32_t i = 0; i < 24; i++)
      words[i] = i;
   struct tg_resource *from = make(&layers_desc, &memory);
   struct tg_resource *to = make(&layers_desc, &tight);
   assert_int_equal(resource_copy(to, 0, 0, 0, 0, from, 0, &all, NULL), TG_OK);
   for (uint32_t i = 0; i < 12; i++)
      assert_int_equal(copy[i], i / 6 * 16 + i % 6 / 3 * 5 + i % 3);
   assert_int_equal(resource_copy(from, 0, 0, 0, 1, from, 0, &layer, NULL),
                    TG_OK);
   assert_int_equal(words[16 + 5 + 2], 7);
   assert_int_equal(words[16 + 3], 19);
   tg_resource_destroy(to);
   tg_resource_destroy(from);
}

/* ---- refusals ------------------------------------------------------------ */

static uint32_t room[64];

static const struct tg_resource_desc levels_desc =
   DESC(TG_TEXTURE_2D, R32, 4, 4, 1, 1, 2, 1);
static const struct tg_resource_desc samples_desc =
   DESC(TG_TEXTURE_2D, R32, 4, 4, 1, 1, 0, 4);
static const struct tg_resource_desc blocks_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 4, 4, 1, 1, 0, 1);
static const struct tg_resource_desc huge_desc =
   DESC(TG_TEXTURE_2D_ARRAY, R32, 16384, 16384, 1, 2048, 0, 1);
static const struct tg_resource_desc bad_desc =
   DESC(TG_TEXTURE_2D, R32, 0, 4, 1, 1, 0, 1);

static const struct {
   const struct tg_resource_desc *desc;
   void *address;
   uint64_t num_bytes, row_stride, slice_stride;
   enum tg_result result;
   const char *message;
} refusals[] = {
   {&levels_desc, room, 256, 0, 0, TG_ERROR_INPUT,
    "memory of the caller is for one level and one sample"},
   {&samples_desc, room, 256, 0, 0, TG_ERROR_INPUT,
    "memory of the caller is for one level and one sample"},
   {&blocks_desc, room, 256, 0, 0, TG_ERROR_UNSUPPORTED,
    "memory of the caller cannot have the compressed format DXT1_RGB"},
   {&bad_desc, room, 256, 0, 0, TG_ERROR_INPUT,
    "a 2D texture has a width of 1 to 16384, not 0"},
   {&layers_desc, NULL, 256, 0, 0, TG_ERROR_INPUT,
    "memory of the caller does not begin at a multiple of 4"},
   {&layers_desc, (char *)room + 2, 200, 0, 0, TG_ERROR_INPUT,
    "memory of the caller does not begin at a multiple of 4"},
   {&layers_desc, room, 95, 20, 64, TG_ERROR_INPUT,
    "memory of the caller has 95 bytes; the resource takes 96"},
   {&layers_desc, room, 47, 0, 0, TG_ERROR_INPUT,
    "memory of the caller has 47 bytes; the resource takes 48"},
   {&buffer_desc, room, 11, 0, 0, TG_ERROR_INPUT,
    "memory of the caller has 11 bytes; the resource takes 12"},
   {&layers_desc, room, 256, 11, 0, TG_ERROR_INPUT,
    "the row stride is 11 bytes; it can be 12 to 4294967295"},
   {&layers_desc, room, 256, 14, 0, TG_ERROR_INPUT,
    "the row stride is 14 bytes; expected a multiple of 4"},
   {&layers_desc, room, UINT64_MAX, UINT64_MAX, 0, TG_ERROR_INPUT,
    "the row stride is 18446744073709551615 bytes; it can be 12 to "
    "4294967295"},
   {&layers_desc, room, 256, 20, 36, TG_ERROR_INPUT,
    "the slice stride is 36 bytes; it can be 40 to 4294967295"},
   {&layers_desc, room, 256, 20, 42, TG_ERROR_INPUT,
    "the slice stride is 42 bytes; expected a multiple of 4"},
   {&layers_desc, room, UINT64_MAX, 0, UINT64_C(0xfffffffc), TG_ERROR_LIMIT,
    "a resource of 4294967316 bytes is too large; the most is 4 GiB - 1"},
   {&huge_desc, room, UINT64_MAX, 0, 0, TG_ERROR_LIMIT,
    "a resource of 2199023255552 bytes is too large; the most is 4 GiB - 1"},
};

static void
what_does_not_fit_is_refused(void **state)
{
   struct tg_diagnostics *said = tg_diagnostics_create(NULL);
   (void)state;

   num_released = 0;
   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      const struct tg_resource_memory memory =
         memory_of(refusals[i].address, refusals[i].num_bytes,
                   refusals[i].row_stride, refusals[i].slice_stride);
      struct tg_resource *resource = NULL;

      assert_int_equal(tg_resource_create_from_memory(NULL, refusals[i].desc,
                                                      &memory, said, &resource),
                       refusals[i].result);
      expect_complaint(said, refusals[i].message);
      assert_null(resource);
   }
   assert_int_equal(num_released, 0);
   tg_diagnostics_destroy(said);
}

/* The default is no memory. */
static void
no_memory_is_refused(void **state)
{
   struct tg_resource *resource = NULL;
   (void)state;

   assert_int_equal(
      tg_resource_create_from_memory(NULL, &buffer_desc, NULL, NULL, &resource),
      TG_ERROR_INPUT);
   assert_null(resource);
}

/* Where it fails nothing is released, else once. */
static enum tg_result
make_and_destroy(const struct tg_allocator *allocator)
{
   const struct tg_resource_memory memory = memory_of(room, sizeof(room), 0, 0);
   struct tg_resource *resource = NULL;

   num_released = 0;
   const enum tg_result result = tg_resource_create_from_memory(
      allocator, &layers_desc, &memory, NULL, &resource);
   assert_int_equal(num_released, 0);
   tg_resource_destroy(resource);
   assert_int_equal(num_released, result == TG_OK);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(make_and_destroy);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(texels_lie_where_strides_say),
      cmocka_unit_test(views_have_the_strides),
      cmocka_unit_test(buffers_are_mapped_in_place),
      cmocka_unit_test(small_texels_have_no_gaps),
      cmocka_unit_test(copies_keep_to_the_rows),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(no_memory_is_refused),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
