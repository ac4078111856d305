/* SPDX-License-Identifier: MIT
 *
 * The texture of a case: format, sizes, and the part that the view shows.
 */
#include "case_parts.h"

/* A resource's format and the one that it is seen through. */
struct format_pair {
   uint16_t resource, view;
};

#define SAME(name)                                                             \
   {                                                                           \
      TG_FORMAT_##name, TG_FORMAT_##name                                       \
   }

static const struct format_pair plain_formats[] = {
   SAME(R8G8B8A8_UNORM),
   SAME(R32G32B32A32_FLOAT),
   SAME(R8_UNORM),
   SAME(R16G16_UNORM),
   SAME(R8G8B8A8_SNORM),
   SAME(R16_SNORM),
   SAME(R16G16B16A16_FLOAT),
   SAME(R32G32_FLOAT),
   SAME(R11G11B10_FLOAT),
   SAME(R9G9B9E5_FLOAT),
   SAME(R8G8B8A8_SRGB),
   SAME(B8G8R8X8_SRGB),
   SAME(B8G8R8A8_UNORM),
   SAME(R10G10B10A2_UNORM),
   SAME(B5G6R5_UNORM),
   SAME(B4G4R4A4_UNORM),
   SAME(L8_UNORM),
   SAME(A8_UNORM),
   SAME(I8_UNORM),
   SAME(L8A8_UNORM),
   SAME(L16_FLOAT),
   SAME(I32_FLOAT),
   SAME(R8G8B8_UNORM),
   SAME(R32G32B32_FLOAT),
   SAME(R16G16B16A16_UNORM),
   SAME(R8G8_SSCALED),
   SAME(R32_UNORM),
   {TG_FORMAT_R8G8B8A8_UNORM, TG_FORMAT_R8G8B8A8_SRGB},
   {TG_FORMAT_R32_UINT, TG_FORMAT_R16G16_FLOAT},
   {TG_FORMAT_R16G16B16A16_UINT, TG_FORMAT_R16G16B16A16_SNORM},
};

static const struct format_pair integer_formats[] = {
   SAME(R8G8B8A8_UINT),
   SAME(R8_SINT),
   SAME(R16G16_SINT),
   SAME(R16G16B16A16_UINT),
   SAME(R32G32B32A32_UINT),
   SAME(R32_SINT),
   SAME(R10G10B10A2_UINT),
   SAME(L8A8_UINT),
   {TG_FORMAT_R32_FLOAT, TG_FORMAT_R32_UINT},
   {TG_FORMAT_R8G8B8A8_SNORM, TG_FORMAT_R8G8B8A8_SINT},
};

static const struct format_pair compressed_formats[] = {
   SAME(DXT1_RGB),        SAME(DXT1_RGBA),       SAME(DXT3_RGBA),
   SAME(DXT5_SRGBA),      SAME(RGTC1_UNORM),     SAME(RGTC2_SNORM),
   SAME(LATC1_UNORM),     SAME(ETC1_RGB8),       SAME(ETC2_RGBA8),
   SAME(ETC2_SRGB8),      SAME(ETC2_RG11_SNORM), SAME(BPTC_RGBA_UNORM),
   SAME(BPTC_RGB_UFLOAT), SAME(ASTC_4x4),        SAME(ASTC_8x5_SRGB),
};

static const struct format_pair depth_formats[] = {
   SAME(Z16_UNORM),
   SAME(Z32_FLOAT),
   SAME(Z24X8_UNORM),
   SAME(Z24_UNORM_S8_UINT),
   SAME(Z32_FLOAT_S8X24_UINT),
   SAME(X8Z24_UNORM),
   SAME(Z32_UNORM),
   SAME(R32_FLOAT),
};

static bool
can_be_compressed(const struct texture_case *c)
{
   return c->view_target == TG_TARGET_2D ||
          c->view_target == TG_TARGET_2D_ARRAY || is_cube(c);
}

static bool
is_filtering(const struct tg_sampler_desc *sampler)
{
   return sampler->min_filter == TG_FILTER_LINEAR ||
          sampler->mag_filter == TG_FILTER_LINEAR ||
          sampler->mip_filter == TG_MIP_LINEAR || sampler->max_anisotropy > 1;
}

static struct format_pair
pick(const struct format_pair *pairs, int count, struct random_source *random)
{
   return pairs[random_below(random, count)];
}

static struct format_pair
pick_format(const struct texture_case *c, struct random_source *random)
{
   const bool may_be_integer =
      get_form(c) != FORM_LOOKUP || !is_filtering(&c->sampler);

   if (is_shadow(c) && c->view_target != TG_TARGET_3D)
      return pick(depth_formats, COUNT(depth_formats), random);
   if (may_be_integer && random_below(random, 3) == 0)
      return pick(integer_formats, COUNT(integer_formats), random);
   if (can_be_compressed(c) && random_below(random, 3) == 0)
      return pick(compressed_formats, COUNT(compressed_formats), random);
   return pick(plain_formats, COUNT(plain_formats), random);
}

static int
pick_size(struct random_source *random)
{
   static const int sizes[] = {1, 2, 3, 4, 5, 8, 13, 16, 24, 31, 32, 64};

   return sizes[random_below(random, COUNT(sizes))];
}

/* Now and then as wide as textures can be. */
static int
pick_width(enum tg_target target, struct random_source *random)
{
   static const int wide[] = {1000, 4095, TG_MAX_TEXTURE_SIZE};
   const bool may_be_wide =
      target != TG_TARGET_3D && target != TG_TARGET_2D_ARRAY_MSAA &&
      target != TG_TARGET_CUBE && target != TG_TARGET_CUBE_ARRAY;

   return may_be_wide && random_below(random, 16) == 0
             ? wide[random_below(random, COUNT(wide))]
             : pick_size(random);
}

static void
pick_sizes(struct subject_recipe *recipe, struct random_source *random)
{
   recipe->width = pick_width(recipe->target, random);
   recipe->height =
      recipe->width > 64 ? 1 + random_below(random, 2) : pick_size(random);
   switch (recipe->target) {
   case TG_TARGET_3D:
      recipe->width = 1 + recipe->width / 2;
      recipe->height = 1 + recipe->height / 4;
      recipe->depth = 1 + random_below(random, 9);
      break;
   case TG_TARGET_CUBE:
   case TG_TARGET_CUBE_ARRAY:
      recipe->width = recipe->height = 1 + recipe->width / 2;
      recipe->layers =
         recipe->target == TG_TARGET_CUBE ? 6 : 6 + 6 * random_below(random, 3);
      break;
   case TG_TARGET_BUFFER:
   case TG_TARGET_1D: recipe->height = 1; break;
   case TG_TARGET_1D_ARRAY:
      recipe->height = 1;
      recipe->layers = 1 + random_below(random, 6);
      break;
   case TG_TARGET_2D_ARRAY:
   case TG_TARGET_2D_ARRAY_MSAA:
      recipe->layers = 1 + random_below(random, 4);
      break;
   default: break;
   }
}

/* Layers that one look at the view takes. */
static int
get_unit(enum tg_target target)
{
   return target == TG_TARGET_CUBE || target == TG_TARGET_CUBE_ARRAY ? 6 : 1;
}

/* An array, of which the view shows a part as its own target. */
static void
pick_array(struct subject_recipe *recipe, struct random_source *random)
{
   switch (recipe->target) {
   case TG_TARGET_1D: recipe->resource_target = TG_TARGET_1D_ARRAY; break;
   case TG_TARGET_2D:
   case TG_TARGET_CUBE:
   case TG_TARGET_CUBE_ARRAY:
      recipe->resource_target = TG_TARGET_2D_ARRAY;
      break;
   default: return;
   }
   recipe->first_layer = random_below(random, 4);
   recipe->last_layer += recipe->first_layer;
   recipe->layers += recipe->first_layer + random_below(random, 3);
}

/* A view of some of the levels and layers, or of all. */
static void
pick_part(struct subject_recipe *recipe, struct random_source *random)
{
   const int unit = get_unit(recipe->target);

   recipe->last_level = recipe->num_levels - 1;
   recipe->last_layer = recipe->layers - 1;
   if (random_below(random, 2) == 0)
      return;
   recipe->first_level = random_below(random, (recipe->num_levels + 1) / 2);
   recipe->last_level -=
      random_below(random, (recipe->last_level - recipe->first_level) / 2 + 1);
   if (recipe->target == TG_TARGET_CUBE)
      return;
   recipe->first_layer = unit * random_below(random, recipe->layers / unit);
   recipe->last_layer -=
      unit *
      random_below(random, (recipe->layers - recipe->first_layer) / unit);
}

static void
pick_swizzle(const struct texture_case *c, struct subject_recipe *recipe,
             struct random_source *random)
{
   for (unsigned i = 0; i < 4; i++)
      recipe->swizzle[i] = (uint8_t)i;
   /* What a gather of comparisons does with a swizzle is nowhere said. */
   if (c->number % 4 != 3 || (get_form(c) == FORM_GATHER && is_shadow(c)))
      return;
   for (unsigned i = 0; i < 4; i++)
      recipe->swizzle[i] = (uint8_t)random_below(random, 6);
}

struct subject_recipe
case_pick_texture(const struct texture_case *c, struct random_source *random)
{
   const struct format_pair formats = pick_format(c, random);
   struct subject_recipe recipe = {
      .target = c->view_target,
      .resource_target = c->view_target,
      .format = formats.resource,
      .view_format = formats.view,
      .depth = 1,
      .layers = 1,
      .num_levels = 1,
      .num_samples = is_msaa(c) ? 2 << random_below(random, 4) : 1,
   };

   pick_sizes(&recipe, random);
   if (recipe.target != TG_TARGET_BUFFER && recipe.target != TG_TARGET_RECT &&
       !is_msaa(c)) {
      const int full = 1 + (int)tg_full_last_level((uint32_t)recipe.width,
                                                   (uint32_t)recipe.height,
                                                   (uint32_t)recipe.depth);
      recipe.num_levels = c->number % 5 == 4 ? 1 : full;
   }
   pick_part(&recipe, random);
   if (c->number % 6 == 1)
      pick_array(&recipe, random);
   pick_swizzle(c, &recipe, random);
   return recipe;
}
