/* SPDX-License-Identifier: MIT
 *
 * Compressed textures: the texels that a view sees are those of the blocks that
 * were written, each in its place. What is in a block the decoders say, which
 * tests/format judges.
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

enum { MAX_BLOCK_TEXELS = 12 * 12, MAX_TEXEL_BYTES = 16, MAX_BLOCK_BYTES = 16 };

static uint32_t random_state = 12345;

static uint32_t
random_below(uint32_t bound)
{
   random_state = random_state * 1664525 + 1013904223;
   return (random_state >> 8) % bound;
}

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

/* A box of blocks that ends at the level's edge or in front of it. */
static void
random_range(uint32_t size, uint32_t block, uint32_t *first, uint32_t *count)
{
   const uint32_t num_blocks = (size + block - 1) / block;
   const uint32_t begin = random_below(num_blocks);
   const uint32_t end = begin + 1 + random_below(num_blocks - begin);

   *first = begin * block;
   *count = (end * block < size ? end * block : size) - *first;
}

static void
write_randomly(struct tg_resource *resource)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct tg_format_block block = tg_format_get_block(desc->format);
   const uint32_t level = random_below(desc->last_level + 1);
   const uint32_t slices =
      desc->target == TG_TEXTURE_3D ? minify(desc->depth, level) : desc->layers;
   static unsigned char data[65536];
   struct tg_box box;

   random_range(minify(desc->width, level), block.width, &box.x, &box.width);
   random_range(minify(desc->height, level), block.height, &box.y, &box.height);
   random_range(slices, 1, &box.z, &box.depth);
   for (size_t i = 0; i < sizeof(data); i++)
      data[i] = (unsigned char)random_below(256);
   assert_int_equal(tg_resource_write(resource, level, 0, &box, data, 0, 0),
                    TG_OK);
}

/* The texel (x, y) of a slice, from its block alone. */
static void
decode_texel(const struct tg_resource *resource, uint32_t level, uint32_t x,
             uint32_t y, uint32_t z, unsigned char texel[MAX_TEXEL_BYTES])
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const enum tg_format format = (enum tg_format)desc->format;
   const struct tg_format_block block = tg_format_get_block(format);
   const uint32_t width = minify(desc->width, level);
   const uint32_t height = minify(desc->height, level);
   const uint32_t bytes = format_info(format_decoded(format))->block_bytes;
   unsigned char bits[MAX_BLOCK_BYTES];
   unsigned char texels[MAX_BLOCK_TEXELS * MAX_TEXEL_BYTES];
   struct tg_box box = {x - x % block.width, y - y % block.height, z,
                        block.width,         block.height,         1};

   if (box.x + box.width > width)
      box.width = width - box.x;
   if (box.y + box.height > height)
      box.height = height - box.y;
   assert_int_equal(tg_resource_read(resource, level, 0, &box, bits, 0, 0),
                    TG_OK);
   format_decode(format, bits, block.bytes, texels, (size_t)block.width * bytes,
                 block.width, block.height);
   memcpy(texel,
          texels + ((y - box.y) * block.width + (x - box.x)) * (size_t)bytes,
          bytes);
}

static void
compare_level(const struct tg_resource *resource,
              const struct tg_bindings *bindings, uint32_t level)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct format_info *format =
      format_info((enum tg_format)bindings->keys.views[0].format);
   const uint32_t *words =
      &bindings->descriptors[ABI_VIEW_LEVEL_WORDS + level * ABI_LEVEL_WORDS];
   const uint32_t slices =
      desc->target == TG_TEXTURE_3D ? minify(desc->depth, level) : desc->layers;

   for (uint32_t z = 0; z < slices; z++) {
      for (uint32_t y = 0; y < minify(desc->height, level); y++) {
         for (uint32_t x = 0; x < minify(desc->width, level); x++) {
            const size_t unit = (size_t)words[ABI_LEVEL_OFFSET] +
                                z * words[ABI_LEVEL_SLICE_PITCH] +
                                y * words[ABI_LEVEL_ROW_PITCH] +
                                x * format->num_units;
            unsigned char expected[MAX_TEXEL_BYTES];

            decode_texel(resource, level, x, y, z, expected);
            assert_memory_equal(
               (const unsigned char *)bindings->textures[0].data +
                  unit * format->unit,
               expected, format->block_bytes);
         }
      }
   }
}

static void
check(const struct tg_resource_desc *desc)
{
   struct tg_resource *resource = make_resource(desc);
   struct tg_bindings *bindings = NULL;
   const struct tg_view_desc view = tg_view_desc_of(resource);

   write_randomly(resource);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   for (int i = 0; i < 5; i++)
      write_randomly(resource);
   for (uint32_t level = 0; level <= desc->last_level; level++)
      compare_level(resource, bindings, level);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

static void
test_placement(void **state)
{
   (void)state;
   static const uint16_t formats[] = {
      TG_FORMAT_DXT5_RGBA,       TG_FORMAT_RGTC1_SNORM,     TG_FORMAT_ETC2_RGB8,
      TG_FORMAT_BPTC_RGBA_UNORM, TG_FORMAT_BPTC_RGB_FLOAT,  TG_FORMAT_ASTC_5x4,
      TG_FORMAT_ASTC_12x10_SRGB, TG_FORMAT_R8G8_B8G8_UNORM,
   };

   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      for (uint32_t size = 1; size < 20; size += 3) {
         const uint32_t format = formats[i];
         const uint32_t last = tg_full_last_level(size, size, 1);
         const struct tg_resource_desc descs[] = {
            DESC(TG_TEXTURE_2D, format, size + 2, size, 1, 1, last, 1),
            DESC(TG_TEXTURE_CUBE, format, size, size, 1, 6, last, 1),
            DESC(TG_TEXTURE_3D, format, size, size + 1, 3, 1, last, 1),
            DESC(TG_TEXTURE_1D_ARRAY, format, size, 1, 1, 4, last, 1),
         };

         for (size_t k = 0; k < sizeof(descs) / sizeof(descs[0]); k++)
            check(&descs[k]);
      }
   }
}

/* ---- memory that runs out ------------------------------------------------ */

static enum tg_result
see_twice(const struct tg_allocator *allocator)
{
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 20, 20, 1, 1, 4, 1);
   struct tg_resource *resource = NULL;
   struct tg_bindings *bindings = NULL;
   enum tg_result result =
      tg_resource_create(allocator, &desc, NULL, &resource);

   if (result == TG_OK)
      result = tg_bindings_create(allocator, &bindings);
   for (uint32_t i = 0; i < 2 && result == TG_OK; i++) {
      struct tg_view_desc view = tg_view_desc_of(resource);

      view.format = i ? TG_FORMAT_DXT1_SRGB : TG_FORMAT_DXT1_RGB;
      result = bind_view(bindings, i, &view, NULL);
      assert_int_equal(result == TG_OK, bindings->textures[i].data != NULL);
   }
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
   return result;
}

static void
test_memory(void **state)
{
   (void)state;
   sweep(see_twice);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_placement),
      cmocka_unit_test(test_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
