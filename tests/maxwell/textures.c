/* SPDX-License-Identifier: MIT
 *
 * Textures with varied contents.
 */
#include "textures.h"

#include <assert.h>
#include <stdlib.h>

#include "util/bits.h"

enum { SIZE = 8, LAYERS = 4, LEVELS = 4, SAMPLES = 4, BUFFER_TEXELS = 64 };

uint32_t
texture_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

static uint32_t
resource_target(enum tg_target target)
{
   switch (tg_targets[target].plain) {
   case TG_TARGET_BUFFER: return TG_TEXTURE_BUFFER;
   case TG_TARGET_1D: return TG_TEXTURE_1D;
   case TG_TARGET_3D: return TG_TEXTURE_3D;
   case TG_TARGET_CUBE: return TG_TEXTURE_CUBE;
   case TG_TARGET_RECT: return TG_TEXTURE_RECT;
   case TG_TARGET_1D_ARRAY: return TG_TEXTURE_1D_ARRAY;
   case TG_TARGET_2D_ARRAY:
   case TG_TARGET_2D_ARRAY_MSAA: return TG_TEXTURE_2D_ARRAY;
   case TG_TARGET_CUBE_ARRAY: return TG_TEXTURE_CUBE_ARRAY;
   default: return TG_TEXTURE_2D;
   }
}

static struct tg_resource_desc
describe(enum tg_target target, const char *format)
{
   struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = resource_target(target),
      .format = tg_format_number(format),
      .width = SIZE,
      .height = SIZE,
      .depth = 1,
      .layers = 1,
      .last_level = LEVELS - 1,
      .samples = 1,
   };

   switch (desc.target) {
   case TG_TEXTURE_BUFFER:
      desc.format = 0;
      desc.width = BUFFER_TEXELS * 16;
      desc.height = 1;
      desc.last_level = 0;
      break;
   case TG_TEXTURE_1D_ARRAY:
      desc.layers = LAYERS;
      desc.height = 1;
      break;
   case TG_TEXTURE_1D: desc.height = 1; break;
   case TG_TEXTURE_3D: desc.depth = SIZE; break;
   case TG_TEXTURE_RECT: desc.last_level = 0; break;
   case TG_TEXTURE_2D_ARRAY: desc.layers = LAYERS; break;
   case TG_TEXTURE_CUBE: desc.layers = 6; break;
   case TG_TEXTURE_CUBE_ARRAY: desc.layers = 12; break;
   default: break;
   }
   if (tg_targets[target].flags & TG_TARGET_FLAG_MSAA) {
      desc.samples = SAMPLES;
      desc.last_level = 0;
   }
   return desc;
}

static uint32_t
random_word(enum tg_return_type type, uint64_t *seed)
{
   uint32_t random = texture_random(seed);

   if (type == TG_RETURN_TYPE_UINT || type == TG_RETURN_TYPE_SINT)
      return random;
   return tg_bits_of_float((float)(random >> 8) * 0x1p-24f);
}

static void
fill_level(struct tg_resource *resource, uint32_t level, unsigned channels,
           enum tg_return_type type, uint64_t *seed)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   static uint32_t texels[SIZE * SIZE * SIZE * 2 * 4];
   struct tg_box box = {
      .width = desc->width >> level ? desc->width >> level : 1,
      .height = desc->height >> level ? desc->height >> level : 1,
      .depth = desc->depth >> level ? desc->depth >> level : 1};

   box.depth *= desc->layers;
   uint32_t count = box.width * box.height * box.depth * channels;
   for (uint32_t sample = 0; sample < desc->samples; sample++) {
      for (uint32_t i = 0; i < count; i++)
         texels[i] = random_word(type, seed);
      enum tg_result result =
         tg_resource_write(resource, level, sample, &box, texels, 0, 0);
      if (result != TG_OK)
         abort();
   }
}

struct tg_view_desc
texture_make(enum tg_target target, enum tg_return_type type, bool is_compared,
             uint64_t seed)
{
   const char *format = is_compared                   ? "R32_FLOAT"
                        : type == TG_RETURN_TYPE_UINT ? "R32G32B32A32_UINT"
                        : type == TG_RETURN_TYPE_SINT ? "R32G32B32A32_SINT"
                                                      : "R32G32B32A32_FLOAT";
   struct tg_resource_desc desc = describe(target, format);
   struct tg_resource *resource = NULL;

   if (tg_resource_create(NULL, &desc, NULL, &resource) != TG_OK)
      abort();
   struct tg_view_desc view = tg_view_desc_of(resource);
   if (desc.target == TG_TEXTURE_BUFFER) {
      uint32_t *words = tg_resource_map_buffer(resource);

      for (unsigned i = 0; i < BUFFER_TEXELS * 4; i++)
         words[i] = random_word(type, &seed);
      view.format = tg_format_number(format);
      return view;
   }
   for (uint32_t level = 0; level <= desc.last_level; level++)
      fill_level(resource, level, is_compared ? 1 : 4, type, &seed);
   return view;
}

struct tg_sampler_desc
texture_sampler(enum tg_target target, bool is_compared)
{
   struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;

   sampler.min_filter = sampler.mag_filter = TG_FILTER_LINEAR;
   sampler.mip_filter = TG_MIP_LINEAR;
   sampler.compares = is_compared;
   sampler.compare_func = TG_COMPARE_LEQUAL;
   if (tg_targets[target].plain == TG_TARGET_RECT) {
      sampler.unnormalized_coords = true;
      sampler.mip_filter = TG_MIP_NONE;
      for (unsigned i = 0; i < 3; i++)
         sampler.wrap[i] = TG_WRAP_CLAMP_TO_EDGE;
   }
   return sampler;
}
