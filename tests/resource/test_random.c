/* SPDX-License-Identifier: MIT
 *
 * Descriptions at random, sane ones and hostile ones. Boxes that are written
 * are compared with a model that knows a texel by its coordinates; and
 * whatever could be bound leads to no address outside of the memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../bind.h"
#include "complaint.h"
#include "resource/bindings.h"

enum { TURNS = 3000, MAX_TEXELS = 4096 };

/* ---- numbers ------------------------------------------------------------- */

static uint64_t random_state = 1;

/* xorshift64 */
static uint32_t
random32(void)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return (uint32_t)(random_state >> 32);
}

static uint32_t
random_below(uint32_t bound)
{
   return random32() % bound;
}

/* Mostly small, now and then at an edge. */
static uint32_t
random_size(void)
{
   static const uint32_t edges[] = {
      0,     1,     2047,      2048,       2049,
      16384, 16385, INT32_MAX, UINT32_MAX, UINT32_MAX - 1};

   if (random_below(16) == 0)
      return edges[random_below(sizeof(edges) / sizeof(edges[0]))];
   return random_below(20) + (random_below(20) != 0);
}

/* Formats of every unit and class, and one that is none. */
static uint32_t
random_format(void)
{
   static const uint16_t formats[] = {
      TG_FORMAT_R8G8B8A8_UNORM,
      TG_FORMAT_R32_FLOAT,
      TG_FORMAT_R32_UINT,
      TG_FORMAT_R32G32B32_FLOAT,
      TG_FORMAT_R32G32B32A32_FLOAT,
      TG_FORMAT_Z32_FLOAT,
      TG_FORMAT_NV12,
   };

   return formats[random_below(sizeof(formats) / sizeof(formats[0]))];
}

static struct tg_resource_desc
random_desc(void)
{
   struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = random_below(10),
      .format = random_format(),
      .width = random_size(),
      .height = random_below(4) ? random_size() : 1,
      .depth = random_below(4) ? 1 : random_size(),
      .layers = random_below(3) ? 1 : random_size(),
      .last_level = random_below(3),
      .samples = 1u << random_below(3) * random_below(3),
   };

   if (desc.target == TG_TEXTURE_CUBE || desc.target == TG_TEXTURE_CUBE_ARRAY) {
      desc.height = desc.width;
      desc.layers = 6 * (1 + random_below(2));
   }
   return desc;
}

/* ---- the model ----------------------------------------------------------- */

/* What was written last to texels of a level and sample, in an order of the
 * model's own; 0 at first. */
struct model {
   uint32_t width, height, depth, texel_bytes;
   unsigned char *bytes;
};

static unsigned char *
model_texel(const struct model *model, uint32_t x, uint32_t y, uint32_t z)
{
   size_t number = ((size_t)x * model->height + y) * model->depth + z;

   return model->bytes + number * model->texel_bytes;
}

static struct tg_box
random_box(const struct model *model)
{
   struct tg_box box = {
      .x = random_below(model->width + 1),
      .y = random_below(model->height + 1),
      .z = random_below(model->depth + 1),
   };

   box.width = random_below(model->width - box.x + 1);
   box.height = random_below(model->height - box.y + 1);
   box.depth = random_below(model->depth - box.z + 1);
   return box;
}

static void
write_model(const struct model *model, const struct tg_box *box,
            const unsigned char *data)
{
   for (uint32_t z = 0; z < box->depth; z++) {
      for (uint32_t y = 0; y < box->height; y++) {
         for (uint32_t x = 0; x < box->width; x++) {
            memcpy(model_texel(model, box->x + x, box->y + y, box->z + z), data,
                   model->texel_bytes);
            data += model->texel_bytes;
         }
      }
   }
}

static void
compare_model(const struct model *model, const struct tg_box *box,
              const unsigned char *data)
{
   for (uint32_t z = 0; z < box->depth; z++) {
      for (uint32_t y = 0; y < box->height; y++) {
         for (uint32_t x = 0; x < box->width; x++) {
            assert_memory_equal(
               model_texel(model, box->x + x, box->y + y, box->z + z), data,
               model->texel_bytes);
            data += model->texel_bytes;
         }
      }
   }
}

/* Sizes of a level, worked out from the description. */
static struct model
model_of(const struct tg_resource_desc *desc, uint32_t level)
{
   struct model model = {
      .width = desc->width >> level,
      .height = desc->height >> level,
      .depth = desc->depth >> level,
      .texel_bytes = desc->target == TG_TEXTURE_BUFFER
                        ? 1
                        : tg_format_get_block(desc->format).bytes,
   };

   model.width += model.width == 0;
   model.height += model.height == 0;
   model.depth = (model.depth + (model.depth == 0)) * desc->layers;
   return model;
}

static void
use_level(struct tg_resource *resource, uint32_t level, uint32_t sample)
{
   struct model model = model_of(tg_resource_get_desc(resource), level);
   size_t size = (size_t)model.width * model.height * model.depth;

   if (size > MAX_TEXELS)
      return;
   size *= model.texel_bytes;
   model.bytes = calloc(size, 1);
   unsigned char *data = malloc(size);
   assert_non_null(model.bytes);
   assert_non_null(data);
   for (int i = 0; i < 4; i++) {
      struct tg_box box = random_box(&model);

      for (size_t k = 0; k < size; k++)
         data[k] = (unsigned char)random32();
      assert_int_equal(
         tg_resource_write(resource, level, sample, &box, data, 0, 0), TG_OK);
      write_model(&model, &box, data);
      box = random_box(&model);
      assert_int_equal(
         tg_resource_read(resource, level, sample, &box, data, 0, 0), TG_OK);
      compare_model(&model, &box, data);
   }
   free(data);
   free(model.bytes);
}

/* ---- what was bound ------------------------------------------------------ */

/* The last texel of the last slice and sample of a level lies in memory. */
static void
expect_inside(const struct exec_memory *memory, uint16_t format,
              const uint32_t level[ABI_LEVEL_WORDS], uint32_t width,
              uint32_t height, uint32_t slices, uint32_t samples,
              uint32_t sample_pitch)
{
   uint32_t bytes = tg_format_get_block(format).bytes;
   uint32_t unit = format_info((enum tg_format)format)->unit;
   uint64_t last = level[ABI_LEVEL_OFFSET];

   if (!width || !slices)
      return;
   last += (uint64_t)(slices - 1) * level[ABI_LEVEL_SLICE_PITCH];
   last += (uint64_t)(height - 1) * level[ABI_LEVEL_ROW_PITCH];
   last += (uint64_t)(samples - 1) * sample_pitch;
   last = last * unit + (uint64_t)width * bytes;
   assert_true(last <= memory->num_bytes);
}

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static void
check_view(const struct tg_bindings *bindings)
{
   const uint32_t *words = &bindings->descriptors[ABI_VIEW_FIRST];

   for (uint32_t i = 0; i < words[ABI_VIEW_LEVELS]; i++) {
      uint32_t depth = minify(words[ABI_VIEW_DEPTH], i);

      expect_inside(
         &bindings->textures[0], bindings->keys.views[0].format,
         &words[ABI_VIEW_LEVEL_WORDS + i * ABI_LEVEL_WORDS],
         minify(words[ABI_VIEW_WIDTH], i) * (words[ABI_VIEW_WIDTH] != 0),
         minify(words[ABI_VIEW_HEIGHT], i), depth * words[ABI_VIEW_LAYERS],
         words[ABI_VIEW_SAMPLES], words[ABI_VIEW_SAMPLE_PITCH]);
   }
}

static void
check_image(const struct tg_bindings *bindings)
{
   const uint32_t *words = &bindings->descriptors[ABI_IMAGE_FIRST];
   const uint32_t level[ABI_LEVEL_WORDS] = {
      words[ABI_IMAGE_OFFSET],
      words[ABI_IMAGE_ROW_PITCH],
      words[ABI_IMAGE_SLICE_PITCH],
   };

   expect_inside(&bindings->images[0], bindings->keys.images[0].format, level,
                 words[ABI_IMAGE_WIDTH], words[ABI_IMAGE_HEIGHT],
                 words[ABI_IMAGE_DEPTH], words[ABI_IMAGE_SAMPLES],
                 words[ABI_IMAGE_SAMPLE_PITCH]);
}

static uint32_t
random_part(uint32_t size)
{
   return random_below(8) ? random_below(size) : random_size();
}

static bool
bind_some_view(struct tg_bindings *bindings, struct tg_resource *resource)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   struct tg_view_desc view = tg_view_desc_of(resource);

   view.format = random_format();
   if (random_below(2))
      view.target = random_below(10);
   view.first_level = random_part(desc->last_level + 1);
   view.last_level = random_part(desc->last_level + 1);
   view.first_layer = random_part(desc->layers);
   view.last_layer = random_part(desc->layers);
   view.offset = random_part(desc->width);
   view.size = random_part(desc->width);
   return bind_view(bindings, 0, &view, NULL) == TG_OK;
}

static bool
bind_image(struct tg_bindings *bindings, struct tg_resource *resource)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   struct tg_image image = tg_image_of(resource);

   image.format = random_format();
   image.level = random_part(desc->last_level + 1);
   image.first_layer = random_part(desc->layers * desc->depth);
   image.last_layer = random_part(desc->layers * desc->depth);
   image.offset = random_part(desc->width);
   image.size = random_part(desc->width);
   return tg_bindings_set_image(bindings, 0, &image, NULL) == TG_OK;
}

/* ---- turns --------------------------------------------------------------- */

static void
test_random(void **state)
{
   (void)state;
   unsigned num_made = 0, num_views = 0, num_images = 0;
   struct tg_bindings *bindings = NULL;

   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   for (int turn = 0; turn < TURNS; turn++) {
      struct tg_resource_desc desc = random_desc();
      struct tg_resource *resource = NULL;

      if (tg_resource_create(NULL, &desc, NULL, &resource) != TG_OK) {
         assert_null(resource);
         continue;
      }
      num_made++;
      desc = *tg_resource_get_desc(resource);
      for (uint32_t level = 0; level <= desc.last_level; level++) {
         for (uint32_t sample = 0; sample < desc.samples; sample++)
            use_level(resource, level, sample);
      }
      for (int i = 0; i < 8; i++) {
         if (bind_some_view(bindings, resource)) {
            check_view(bindings);
            num_views++;
         }
         if (bind_image(bindings, resource)) {
            check_image(bindings);
            num_images++;
         }
      }
      tg_resource_destroy(resource);
   }
   tg_bindings_destroy(bindings);

   /* Enough of it made sense. */
   assert_true(num_made > TURNS / 10);
   assert_true(num_views > TURNS / 10);
   assert_true(num_images > TURNS / 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
