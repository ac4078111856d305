/* SPDX-License-Identifier: MIT
 *
 * Views, samplers, images and buffers: what fits a resource, and the keys,
 * words and memory that code sees of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../bind.h"
#include "../desc.h"
#include "complaint.h"
#include "resource/bindings.h"

enum { RGBA8 = TG_FORMAT_R8G8B8A8_UNORM, R32 = TG_FORMAT_R32_UINT };

/* Levels in words: 0 at 0, rows of 10, slices of 60; 1 at 192, rows of 5,
 * slices of 15; 2 at 240, rows and slices of 2. Levels begin at multiples of 16
 * words: 3 * 60 = 180, 192 + 3 * 15 = 237. */
static const struct tg_resource_desc array_desc =
   DESC(TG_TEXTURE_2D_ARRAY, R32, 10, 6, 1, 3, 2, 1);

static const struct tg_resource_desc buffer_desc = {
   .size = sizeof(buffer_desc), .target = TG_TEXTURE_BUFFER, .width = 100};

static struct tg_bindings *
make_bindings(void)
{
   struct tg_bindings *bindings = NULL;

   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   return bindings;
}

static const uint32_t *
view_words(const struct tg_bindings *bindings, unsigned place)
{
   return &bindings->descriptors[ABI_VIEW_FIRST + place * ABI_VIEW_WORDS];
}

static const uint32_t *
image_words(const struct tg_bindings *bindings, unsigned place)
{
   return &bindings->descriptors[ABI_IMAGE_FIRST + place * ABI_IMAGE_WORDS];
}

static bool
is_zero(const void *memory, size_t size)
{
   const unsigned char *bytes = memory;

   for (size_t i = 0; i < size; i++) {
      if (bytes[i])
         return false;
   }
   return true;
}

/* ---- words --------------------------------------------------------------- */

static void
test_view(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&array_desc);
   struct tg_view_desc view = tg_view_desc_of(resource);
   static const uint32_t whole[ABI_VIEW_WORDS] = {
      10, 6, 1, 3, 3, 1, 60, 0, 10, 60, 192, 5, 15, 240, 2, 2};
   static const uint32_t part[ABI_VIEW_WORDS] = {5,   3, 1,  2,   2, 1, 15,
                                                 207, 5, 15, 242, 2, 2};
   static const struct abi_view_key key = {
      .format = R32,
      .target = TG_TARGET_2D_ARRAY,
      .swizzle = {TG_SWIZZLE_X, TG_SWIZZLE_Y, TG_SWIZZLE_Z, TG_SWIZZLE_W},
   };

   assert_int_equal(bind_view(bindings, 127, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 127), whole, sizeof(whole));
   assert_memory_equal(&bindings->keys.views[127], &key, sizeof(key));
   assert_ptr_equal(bindings->textures[127].data, resource->written.data);
   assert_int_equal(bindings->textures[127].num_bytes, 4 * 242 + 2 * 4 * 2);

   view.first_level = 1;
   view.first_layer = 1;
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 0), part, sizeof(part));

   assert_int_equal(tg_bindings_set_view(bindings, 0, NULL, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_view(bindings, 127, NULL, NULL), TG_OK);
   assert_true(is_zero(&bindings->keys, sizeof(bindings->keys)));
   assert_true(is_zero(bindings->descriptors, sizeof(bindings->descriptors)));
   assert_true(is_zero(bindings->textures, sizeof(bindings->textures)));
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

/* A layer as a 2D texture, floats for integers, channels in another order. */
static void
test_view_casts(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&array_desc);
   struct tg_view_desc view = {
      .resource = resource,
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_R32_FLOAT,
      .first_layer = 2,
      .last_layer = 2,
      .swizzle = {TG_SWIZZLE_1, TG_SWIZZLE_0, TG_SWIZZLE_X, TG_SWIZZLE_X},
   };
   static const uint32_t words[ABI_VIEW_WORDS] = {10, 6,  1,   1,  1,
                                                  1,  60, 120, 10, 60};
   static const struct abi_view_key key = {
      .format = TG_FORMAT_R32_FLOAT,
      .target = TG_TARGET_2D,
      .swizzle = {TG_SWIZZLE_1, TG_SWIZZLE_0, TG_SWIZZLE_X, TG_SWIZZLE_X},
   };

   assert_int_equal(bind_view(bindings, 5, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 5), words, sizeof(words));
   assert_memory_equal(&bindings->keys.views[5], &key, sizeof(key));
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

static void
test_view_of_3d(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_3D, R32, 4, 2, 5, 1, 2, 1);
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&desc);
   const struct tg_view_desc view = tg_view_desc_of(resource);
   /* 4 by 2 by 5 are 40 words; then from 48 on 2 by 1 by 2, and 1 from 64. */
   static const uint32_t words[ABI_VIEW_WORDS] = {4, 2, 5,  1, 3, 1,  8, 0,
                                                  4, 8, 48, 2, 2, 64, 1, 1};

   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 0), words, sizeof(words));
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

/* What a texel is: of a depth with a stencil either can be seen. */
static void
test_kinds(void **state)
{
   (void)state;
   static const struct {
      uint32_t format, seen_as;
      bool is_depth;
   } cases[] = {
      {TG_FORMAT_Z24_UNORM_S8_UINT, TG_FORMAT_Z24_UNORM_S8_UINT, true},
      {TG_FORMAT_Z24_UNORM_S8_UINT, TG_FORMAT_X24S8_UINT, false},
      {TG_FORMAT_S8_UINT_Z24_UNORM, TG_FORMAT_S8X24_UINT, false},
      {TG_FORMAT_Z32_FLOAT_S8X24_UINT, TG_FORMAT_Z32_FLOAT_S8X24_UINT, false},
      {TG_FORMAT_Z32_FLOAT_S8X24_UINT, TG_FORMAT_X32_S8X24_UINT, false},
      {TG_FORMAT_Z16_UNORM, TG_FORMAT_Z16_UNORM, true},
      {TG_FORMAT_Z32_FLOAT, TG_FORMAT_Z32_FLOAT, false},
      {TG_FORMAT_R8_UNORM, TG_FORMAT_R8_UNORM, false},
      {TG_FORMAT_R8_UNORM, TG_FORMAT_R8_SINT, false},
      {TG_FORMAT_S8_UINT, TG_FORMAT_S8_UINT, false},
   };

   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct tg_resource_desc desc =
         DESC(TG_TEXTURE_2D, cases[i].format, 4, 4, 1, 1, 0, 1);
      struct tg_bindings *bindings = make_bindings();
      struct tg_resource *resource = make_resource(&desc);
      struct tg_view_desc view = tg_view_desc_of(resource);

      view.format = cases[i].seen_as;
      assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
      assert_int_equal(bindings->keys.views[0].format, cases[i].seen_as);
      assert_int_equal(bindings->keys.views[0].is_depth, cases[i].is_depth);
      tg_bindings_destroy(bindings);
      tg_resource_destroy(resource);
   }
}

static void
test_samples(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D_ARRAY, R32, 3, 2, 1, 4, 0, 8);
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&desc);
   const struct tg_view_desc view = tg_view_desc_of(resource);
   const struct tg_image image = {
      .resource = resource, .first_layer = 1, .last_layer = 3};
   /* A sample is a microtile of 16 texels. */
   static const uint32_t words[ABI_VIEW_WORDS] = {3, 2,  1, 4, 1,
                                                  8, 16, 0, 4, 128};
   static const uint32_t of_image[ABI_IMAGE_WORDS] = {3,   2, 3,   8,
                                                      128, 4, 128, 16};

   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_int_equal(bindings->keys.views[0].target, TG_TARGET_2D_ARRAY_MSAA);
   assert_memory_equal(view_words(bindings, 0), words, sizeof(words));
   assert_int_equal(tg_bindings_set_image(bindings, 0, &image, NULL), TG_OK);
   assert_int_equal(bindings->keys.images[0].target, TG_TARGET_2D_ARRAY_MSAA);
   assert_memory_equal(image_words(bindings, 0), of_image, sizeof(of_image));
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

static void
test_buffers_as_texels(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&buffer_desc);
   struct tg_view_desc view = tg_view_desc_of(resource);
   struct tg_image image = tg_image_of(resource);
   static const uint32_t whole[ABI_VIEW_WORDS] = {25, 1, 1, 1, 1, 1};
   /* 50 bytes from 20 on hold 4 times 12. */
   static const uint32_t part[ABI_VIEW_WORDS] = {4, 1, 1, 1, 1, 1, 0, 5};
   static const uint32_t of_image[ABI_IMAGE_WORDS] = {4, 1, 1, 1, 5};

   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 0), whole, sizeof(whole));

   view.format = TG_FORMAT_R32G32B32_FLOAT;
   view.offset = 20;
   view.size = 50;
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 0), part, sizeof(part));
   assert_int_equal(bindings->keys.views[0].target, TG_TARGET_BUFFER);

   image.format = TG_FORMAT_R32G32B32_FLOAT;
   image.offset = 20;
   image.size = 50;
   assert_int_equal(tg_bindings_set_image(bindings, 63, &image, NULL), TG_OK);
   assert_memory_equal(image_words(bindings, 63), of_image, sizeof(of_image));
   assert_int_equal(bindings->keys.images[63].format,
                    TG_FORMAT_R32G32B32_FLOAT);
   assert_int_equal(bindings->keys.images[63].resource_format,
                    TG_FORMAT_R32G32B32_FLOAT);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

static void
test_image(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&array_desc);
   struct tg_image image = tg_image_of(resource);
   static const uint32_t whole[ABI_IMAGE_WORDS] = {10, 6, 3, 1, 0, 10, 60, 60};
   static const uint32_t part[ABI_IMAGE_WORDS] = {5, 3, 1, 1, 207, 5, 15, 15};
   static const struct abi_image_key key = {
      .format = RGBA8, .resource_format = R32, .target = TG_TARGET_2D_ARRAY};

   assert_int_equal(tg_bindings_set_image(bindings, 0, &image, NULL), TG_OK);
   assert_memory_equal(image_words(bindings, 0), whole, sizeof(whole));

   image.level = 1;
   image.first_layer = image.last_layer = 1;
   image.format = RGBA8;
   assert_int_equal(tg_bindings_set_color(bindings, 7, &image, NULL), TG_OK);
   assert_memory_equal(image_words(bindings, ABI_IMAGE_COLORS + 7), part,
                       sizeof(part));
   assert_memory_equal(&bindings->keys.colors[7], &key, sizeof(key));
   assert_ptr_equal(bindings->images[ABI_IMAGE_COLORS + 7].data,
                    resource->written.data);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

static void
test_sampler(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   /* 1000.0 is 0x447a0000, -0.5 is 0xbf000000. */
   static const uint32_t words[ABI_SAMPLER_WORDS] = {
      0xbf000000, 0, 0x447a0000, 1, 2, 3, 0xffffffff};
   static const struct abi_sampler_key key = {
      .is_bound = 1,
      .wrap = {TG_WRAP_REPEAT, TG_WRAP_CLAMP, TG_WRAP_MIRROR_CLAMP},
      .mag_filter = TG_FILTER_LINEAR,
      .mip_filter = TG_MIP_NONE,
      .compares = 1,
      .compare_func = TG_COMPARE_GEQUAL,
   };

   sampler.wrap[1] = TG_WRAP_CLAMP;
   sampler.wrap[2] = TG_WRAP_MIRROR_CLAMP;
   sampler.mag_filter = TG_FILTER_LINEAR;
   sampler.compare_func = TG_COMPARE_GEQUAL;
   sampler.max_anisotropy = 1;
   sampler.lod_bias = -0.5f;
   sampler.border_color = (union tg_color){.u = {1, 2, 3, UINT32_MAX}};
   assert_int_equal(bind_sampler(bindings, 31, &sampler, NULL), TG_OK);
   assert_int_equal(bindings->keys.samplers[31].compare_func, 0);
   sampler.compares = true;
   assert_int_equal(bind_sampler(bindings, 31, &sampler, NULL), TG_OK);
   assert_memory_equal(&bindings->keys.samplers[31], &key, sizeof(key));
   assert_memory_equal(
      &bindings->descriptors[ABI_SAMPLER_FIRST + 31 * ABI_SAMPLER_WORDS], words,
      sizeof(words));
   tg_bindings_destroy(bindings);
}

static void
test_buffers(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&buffer_desc);
   static const struct {
      enum tg_buffer_file file;
      unsigned place;
   } places[] = {{TG_BUFFER_SHADER, 31},
                 {TG_BUFFER_COUNTER, 15},
                 {TG_BUFFER_GLOBAL, 0},
                 {TG_BUFFER_CONSTANT, 31},
                 {TG_BUFFER_INPUT, 0}};
   const struct exec_memory *memories[] = {
      &bindings->buffers[31], &bindings->buffers[ABI_BUFFER_COUNTERS + 15],
      &bindings->buffers[ABI_BUFFER_GLOBAL], &bindings->constants[31],
      &bindings->constants[ABI_CONST_INPUT]};

   for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
      assert_int_equal(tg_bindings_set_buffer(bindings, places[i].file,
                                              places[i].place, resource, 8, 91,
                                              NULL),
                       TG_OK);
      assert_ptr_equal(memories[i]->data, resource->written.data + 2);
      assert_int_equal(memories[i]->num_bytes, 91);
      assert_int_equal(tg_bindings_set_buffer(bindings, places[i].file,
                                              places[i].place, NULL, 0, 0,
                                              NULL),
                       TG_OK);
      assert_null(memories[i]->data);
   }
   tg_bindings_destroy(bindings);
   tg_bindings_destroy(NULL);
   tg_resource_destroy(resource);
}

static void
test_handles(void **state)
{
   (void)state;
   assert_int_equal(tg_sampler_handle(31), ABI_HANDLE_SAMPLER + 31);
   assert_int_equal(tg_sampler_handle(32), 0);
   assert_int_equal(tg_image_handle(0), ABI_HANDLE_IMAGE);
   assert_int_equal(tg_image_handle(64), 0);
}

/* ---- compressed formats -------------------------------------------------- */

static const struct tg_resource_desc blocks_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 10, 6, 1, 1, 1, 1);

static void
bind_as(struct tg_bindings *bindings, struct tg_resource *resource,
        uint32_t format)
{
   struct tg_view_desc view = tg_view_desc_of(resource);

   view.format = format;
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
}

/* Blocks that are zero are black; one becomes white, at (4, 4). */
static void
test_decoded(void **state)
{
   (void)state;
   static const unsigned char white[8] = {0xff, 0xff};
   static const struct tg_box box = {4, 4, 0, 4, 2, 1};
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&blocks_desc);
   /* 10 by 6 words, and 5 by 3 from 64 on. */
   static const uint32_t words[ABI_VIEW_WORDS] = {10, 6,  1,  1,  2, 1, 60,
                                                  0,  10, 60, 64, 5, 15};

   /* 3 by 2 blocks, and 2 by 1. */
   assert_int_equal(resource_decoding_cost(resource, TG_FORMAT_DXT1_RGB),
                    8 * 512);
   bind_as(bindings, resource, TG_FORMAT_DXT1_RGB);
   assert_int_equal(resource_decoding_cost(resource, TG_FORMAT_DXT1_RGB), 0);
   assert_int_equal(resource_decoding_cost(resource, TG_FORMAT_DXT1_SRGBA),
                    8 * 512);
   assert_int_equal(
      resource_decoding_cost(resource, TG_FORMAT_R16G16B16A16_UINT), 0);
   assert_int_equal(bindings->keys.views[0].format, TG_FORMAT_R8G8B8X8_UNORM);
   assert_memory_equal(view_words(bindings, 0), words, sizeof(words));
   assert_int_equal(tg_resource_write(resource, 0, 0, &box, white, 0, 0),
                    TG_OK);
   const uint32_t *texels = bindings->textures[0].data;
   for (uint32_t i = 0; i < 60; i++) {
      bool is_white = i / 10 >= 4 && i % 10 >= 4 && i % 10 < 8;

      assert_int_equal(texels[i] & 0xffffff, is_white ? 0xffffff : 0);
   }

   /* What is decoded later has all that was written. */
   bind_as(bindings, resource, TG_FORMAT_DXT1_SRGBA);
   assert_int_equal(bindings->keys.views[0].format, TG_FORMAT_R8G8B8A8_SRGB);
   assert_ptr_not_equal(bindings->textures[0].data, texels);
   assert_int_equal(bindings->textures[0].data[45], 0xffffffff);
   bind_as(bindings, resource, TG_FORMAT_DXT1_RGB);
   assert_ptr_equal(bindings->textures[0].data, texels);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

/* A block is a texel of two words. */
static void
test_blocks_as_texels(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&blocks_desc);
   struct tg_view_desc view = tg_view_desc_of(resource);
   static const uint32_t words[ABI_VIEW_WORDS] = {2, 1, 1,  1, 1,
                                                  1, 4, 16, 4, 4};

   view.format = TG_FORMAT_R32G32_UINT;
   view.first_level = 1;
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_memory_equal(view_words(bindings, 0), words, sizeof(words));
   assert_ptr_equal(bindings->textures[0].data, resource->written.data);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

/* ---- waves --------------------------------------------------------------- */

static void
test_wave(void **state)
{
   (void)state;
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&buffer_desc);
   struct exec_wave wave = {0};
   uint32_t word = 0;
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS] = {{&word, 4},
                                                           {&word, 4}};

   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 1,
                                           resource, 0, 100, NULL),
                    TG_OK);
   resource_bind_wave(bindings, &wave);
   resource_bind_constants(bindings, constants);
   assert_ptr_equal(wave.memory[LIR_SPACE_BUFFER], bindings->buffers);
   assert_ptr_equal(wave.memory[LIR_SPACE_IMAGE], bindings->images);
   assert_ptr_equal(wave.memory[LIR_SPACE_TEXTURE], bindings->textures);
   assert_ptr_equal(constants[0].data, &word);
   assert_ptr_equal(constants[1].data, resource->written.data);
   assert_ptr_equal(constants[ABI_CONST_VIEWS].data,
                    &bindings->descriptors[ABI_VIEW_FIRST]);
   assert_ptr_equal(constants[ABI_CONST_SAMPLERS].data,
                    &bindings->descriptors[ABI_SAMPLER_FIRST]);
   assert_ptr_equal(constants[ABI_CONST_IMAGES].data,
                    &bindings->descriptors[ABI_IMAGE_FIRST]);

   resource_bind_wave(NULL, &wave);
   assert_null(wave.memory[LIR_SPACE_BUFFER][0].data);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

/* ---- refusals ------------------------------------------------------------ */

struct view_refusal {
   const struct tg_resource_desc *desc;
   struct tg_view_desc view; /* resource, target, format, levels, layers,
                              * offset, size, swizzle */
   enum tg_result result;
   const char *message;
};

static const struct tg_resource_desc flat_desc =
   DESC(TG_TEXTURE_2D, R32, 10, 6, 1, 1, 2, 1);
static const struct tg_resource_desc samples_desc =
   DESC(TG_TEXTURE_2D, R32, 10, 10, 1, 1, 0, 4);
static const struct tg_resource_desc solid_desc =
   DESC(TG_TEXTURE_3D, R32, 10, 6, 4, 1, 1, 1);
static const struct tg_resource_desc faces_desc =
   DESC(TG_TEXTURE_2D_ARRAY, R32, 10, 6, 1, 12, 0, 1);

static const struct tg_resource_desc astc_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_ASTC_4x4, 8, 8, 1, 1, 0, 1);

/* clang-format off */
static const struct view_refusal view_refusals[] = {
   {&flat_desc, {NULL, 9, R32, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: there is no texture target 9"},
   {&flat_desc, {NULL, TG_TEXTURE_3D, R32, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: a 2D texture has no 3D view"},
   {&flat_desc, {NULL, TG_TEXTURE_BUFFER, R32, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: a 2D texture has no BUFFER view"},
   {&samples_desc, {NULL, TG_TEXTURE_RECT, R32, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: a 2D texture with samples has no RECT view"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: it has no format"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, 77777, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: there is no format 77777"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, TG_FORMAT_NV12, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_UNSUPPORTED,
    "view: textures cannot have the format NV12"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, TG_FORMAT_R32G32_FLOAT, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: R32G32_FLOAT has blocks of 8 bytes, R32_UINT of the texture 4"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, R32, 0, 0, 0, 0, 0, 0, {0, 1, 2, 6}}, TG_ERROR_INPUT,
    "view: there is no swizzle 6"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, R32, 1, 3, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: levels 1 to 3 of a texture with levels 0 to 2"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, R32, 2, 1, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: levels 2 to 1 of a texture with levels 0 to 2"},
   {&flat_desc, {NULL, TG_TEXTURE_RECT, R32, 0, 1, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: a RECT view has one level, not 0 to 1"},
   {&array_desc, {NULL, TG_TEXTURE_2D_ARRAY, R32, 0, 0, 0, 3, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: layers 0 to 3 of a texture with 3"},
   {&array_desc, {NULL, TG_TEXTURE_2D_ARRAY, R32, 0, 0, 0, UINT32_MAX, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: layers 0 to 4294967295 of a texture with 3"},
   {&array_desc, {NULL, TG_TEXTURE_2D, R32, 0, 0, 0, 1, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: layers 0 to 1 are 2; a 2D view has 1"},
   {&array_desc, {NULL, TG_TEXTURE_CUBE, R32, 0, 0, 0, 2, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: layers 0 to 2 are 3; a CUBE view has 6"},
   {&faces_desc, {NULL, TG_TEXTURE_CUBE_ARRAY, R32, 0, 0, 0, 6, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: layers 0 to 6 are 7; a CUBE_ARRAY view has a multiple of 6"},
   {&faces_desc, {NULL, TG_TEXTURE_CUBE, R32, 0, 0, 6, 11, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: faces of a cube are square, not 10 by 6"},
   {&solid_desc, {NULL, TG_TEXTURE_3D, R32, 0, 0, 0, 1, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: layers 0 to 1 of a texture with 1"},
   {&buffer_desc, {NULL, TG_TEXTURE_BUFFER, R32, 0, 0, 0, 0, 2, 8, {0}}, TG_ERROR_INPUT,
    "view: the offset 2 is not a multiple of 4"},
   {&buffer_desc, {NULL, TG_TEXTURE_BUFFER, R32, 0, 0, 0, 0, 96, 5, {0}}, TG_ERROR_INPUT,
    "view: 5 bytes from 96 on are not in a buffer of 100 bytes"},
   {&buffer_desc, {NULL, TG_TEXTURE_BUFFER, R32, 0, 0, 0, 0, 104, UINT32_MAX - 100, {0}}, TG_ERROR_INPUT,
    "view: 4294967195 bytes from 104 on are not in a buffer of 100 bytes"},
   {&buffer_desc, {NULL, TG_TEXTURE_BUFFER, 0, 0, 0, 0, 0, 0, 8, {0}}, TG_ERROR_INPUT,
    "view: it has no format"},
   {&buffer_desc, {NULL, TG_TEXTURE_BUFFER, TG_FORMAT_DXT1_RGB, 0, 0, 0, 0, 0, 8, {0}}, TG_ERROR_INPUT,
    "view: a buffer cannot have the compressed format DXT1_RGB"},
   {&blocks_desc, {NULL, TG_TEXTURE_2D, TG_FORMAT_DXT5_RGBA, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: DXT5_RGBA has blocks of 16 bytes, DXT1_RGB of the texture 8"},
   {&blocks_desc, {NULL, TG_TEXTURE_2D, TG_FORMAT_R32G32_UINT, 0, 1, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: a view of the blocks of a texture has one level, not 0 to 1"},
   {&astc_desc, {NULL, TG_TEXTURE_2D, TG_FORMAT_ASTC_8x8, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: ASTC_8x8 has blocks of 8 by 8 texels, ASTC_4x4 of the texture 4 by 4"},
   {&flat_desc, {NULL, TG_TEXTURE_2D, TG_FORMAT_R8G8_B8G8_UNORM, 0, 0, 0, 0, 0, 0, {0}}, TG_ERROR_INPUT,
    "view: R8G8_B8G8_UNORM has blocks of 2 by 1 texels, R32_UINT of the texture 1 by 1"},
};
/* clang-format on */

static void
test_view_refusals(void **state)
{
   (void)state;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_bindings *bindings = make_bindings();
   struct tg_bindings before = *bindings;

   for (size_t i = 0; i < sizeof(view_refusals) / sizeof(view_refusals[0]);
        i++) {
      const struct view_refusal *refusal = &view_refusals[i];
      struct tg_resource *resource = make_resource(refusal->desc);
      struct tg_view_desc view = refusal->view;

      view.resource = resource;
      assert_int_equal(bind_view(bindings, 3, &view, diagnostics),
                       refusal->result);
      expect_complaint(diagnostics, refusal->message);
      assert_memory_equal(bindings, &before, sizeof(before));
      tg_resource_destroy(resource);
   }
   assert_int_equal(tg_bindings_set_view(bindings, 128, NULL, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "there is no view 128; the last is 127");
   tg_bindings_destroy(bindings);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_image_refusals(void **state)
{
   (void)state;
   static const struct {
      const struct tg_resource_desc *desc;
      struct tg_image image; /* resource, format, level, layers, offset, size */
      const char *message;
   } refusals[] = {
      {&flat_desc,
       {NULL, TG_FORMAT_R32G32_FLOAT, 0, 0, 0, 0, 0},
       "image 3: R32G32_FLOAT has blocks of 8 bytes, R32_UINT of the texture "
       "4"},
      {&flat_desc,
       {NULL, 0, 3, 0, 0, 0, 0},
       "image 3: level 3 of a texture with levels 0 to 2"},
      {&array_desc,
       {NULL, 0, 0, 2, 1, 0, 0},
       "image 3: layers 2 to 1 of a texture with 3"},
      {&solid_desc,
       {NULL, 0, 1, 0, 2, 0, 0},
       "image 3: layers 0 to 2 of a texture with 2"},
      {&buffer_desc, {NULL, 0, 0, 0, 0, 0, 4}, "image 3: it has no format"},
      {&blocks_desc,
       {NULL, 0, 0, 0, 0, 0, 0},
       "image 3: a texture of the compressed format DXT1_RGB is no image"},
      {&blocks_desc,
       {NULL, TG_FORMAT_R32G32_UINT, 0, 0, 0, 0, 0},
       "image 3: a texture of the compressed format DXT1_RGB is no image"},
      {&buffer_desc,
       {NULL, R32, 0, 0, 0, 4, 97},
       "image 3: 97 bytes from 4 on are not in a buffer of 100 bytes"},
   };
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_bindings *bindings = make_bindings();

   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      struct tg_resource *resource = make_resource(refusals[i].desc);
      struct tg_image image = refusals[i].image;

      image.resource = resource;
      assert_int_equal(tg_bindings_set_image(bindings, 3, &image, diagnostics),
                       TG_ERROR_INPUT);
      expect_complaint(diagnostics, refusals[i].message);
      tg_resource_destroy(resource);
   }
   assert_int_equal(tg_bindings_set_image(bindings, 64, NULL, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "there is no image 64; the last is 63");
   assert_int_equal(tg_bindings_set_color(bindings, 8, NULL, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "there is no color 8; the last is 7");
   tg_bindings_destroy(bindings);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_sampler_refusals(void **state)
{
   (void)state;
   static const struct {
      struct tg_sampler_desc sampler;
      const char *message;
   } refusals[] = {
      {{.wrap = {0, 0, 8}}, "sampler: there is no wrap mode 8"},
      {{.min_filter = 2}, "sampler: there is no filter 2"},
      {{.mag_filter = 255}, "sampler: there is no filter 255"},
      {{.mip_filter = 3}, "sampler: there is no filter of levels 3"},
      {{.compare_func = 8}, "sampler: there is no comparison 8"},
      {{.max_anisotropy = 17}, "sampler: an anisotropy of 17; the most is 16"},
   };
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_bindings *bindings = make_bindings();

   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      struct tg_sampler_desc sampler = refusals[i].sampler;

      sampler.size = sizeof(sampler);
      assert_int_equal(bind_sampler(bindings, 4, &sampler, diagnostics),
                       TG_ERROR_INPUT);
      expect_complaint(diagnostics, refusals[i].message);
   }
   assert_int_equal(tg_bindings_set_sampler(bindings, 32, NULL, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "there is no sampler 32; the last is 31");
   assert_true(is_zero(&bindings->keys, sizeof(bindings->keys)));
   tg_bindings_destroy(bindings);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_buffer_refusals(void **state)
{
   (void)state;
   static const struct {
      unsigned file, place;
      bool is_texture;
      uint32_t offset, size;
      const char *message;
   } refusals[] = {
      {5, 0, false, 0, 4, "there is no file of buffers 5"},
      {TG_BUFFER_SHADER, 32, false, 0, 4,
       "there is no buffer 32; the last is 31"},
      {TG_BUFFER_COUNTER, 16, false, 0, 4,
       "there is no counter buffer 16; the last is 15"},
      {TG_BUFFER_GLOBAL, 1, false, 0, 4,
       "there is no global memory 1; the last is 0"},
      {TG_BUFFER_SHADER, 1, true, 0, 4, "buffer 1: a texture is no buffer"},
      {TG_BUFFER_CONSTANT, 1, false, 6, 4,
       "constant buffer 1: the offset 6 is not a multiple of 4"},
      {TG_BUFFER_INPUT, 0, false, 100, 1,
       "input memory 0: 1 bytes from 100 on are not in a buffer of 100 bytes"},
      {TG_BUFFER_SHADER, 0, false, 4, UINT32_MAX,
       "buffer 0: 4294967295 bytes from 4 on are not in a buffer of 100 "
       "bytes"},
   };
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *buffer = make_resource(&buffer_desc);
   struct tg_resource *texture = make_resource(&flat_desc);

   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      assert_int_equal(tg_bindings_set_buffer(
                          bindings, (enum tg_buffer_file)refusals[i].file,
                          refusals[i].place,
                          refusals[i].is_texture ? texture : buffer,
                          refusals[i].offset, refusals[i].size, diagnostics),
                       TG_ERROR_INPUT);
      expect_complaint(diagnostics, refusals[i].message);
   }
   assert_true(is_zero(bindings->buffers, sizeof(bindings->buffers)));
   tg_resource_destroy(texture);
   tg_resource_destroy(buffer);
   tg_bindings_destroy(bindings);
   tg_diagnostics_destroy(diagnostics);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_view),
      cmocka_unit_test(test_view_casts),
      cmocka_unit_test(test_view_of_3d),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_buffers_as_texels),
      cmocka_unit_test(test_image),
      cmocka_unit_test(test_sampler),
      cmocka_unit_test(test_buffers),
      cmocka_unit_test(test_handles),
      cmocka_unit_test(test_decoded),
      cmocka_unit_test(test_blocks_as_texels),
      cmocka_unit_test(test_wave),
      cmocka_unit_test(test_view_refusals),
      cmocka_unit_test(test_image_refusals),
      cmocka_unit_test(test_sampler_refusals),
      cmocka_unit_test(test_buffer_refusals),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
