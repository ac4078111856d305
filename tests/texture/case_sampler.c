/* SPDX-License-Identifier: MIT
 *
 * The sampler of a case. Its number goes through wrap modes, filters and
 * comparisons, so that each pair of opcode and target meets them.
 */
#include "case_parts.h"

static void
pick_wraps(struct texture_case *c, struct random_source *random)
{
   /* Coordinates in texels go with these alone. */
   static const uint8_t clamps[] = {TG_WRAP_CLAMP, TG_WRAP_CLAMP_TO_EDGE,
                                    TG_WRAP_CLAMP_TO_BORDER};

   for (unsigned i = 0; i < 3; i++) {
      const unsigned turn =
         i == 0 ? c->number : (unsigned)random_below(random, 24);
      c->sampler.wrap[i] =
         is_in_texels(c) ? clamps[turn % 3] : (uint8_t)(turn % 8);
   }
}

static void
pick_filters(struct tg_sampler_desc *sampler, unsigned number)
{
   static const uint8_t filters[][3] = {
      /* min, mag, mip */
      {TG_FILTER_NEAREST, TG_FILTER_NEAREST, TG_MIP_NONE},
      {TG_FILTER_LINEAR, TG_FILTER_LINEAR, TG_MIP_NONE},
      {TG_FILTER_LINEAR, TG_FILTER_LINEAR, TG_MIP_LINEAR},
      {TG_FILTER_NEAREST, TG_FILTER_NEAREST, TG_MIP_NEAREST},
      {TG_FILTER_LINEAR, TG_FILTER_NEAREST, TG_MIP_NEAREST},
      {TG_FILTER_NEAREST, TG_FILTER_LINEAR, TG_MIP_LINEAR},
      {TG_FILTER_NEAREST, TG_FILTER_NEAREST, TG_MIP_LINEAR},
   };
   const uint8_t *filter = filters[number % 7];

   sampler->min_filter = filter[0];
   sampler->mag_filter = filter[1];
   sampler->mip_filter = filter[2];
}

static float
pick_eighths(struct random_source *random, int bound)
{
   return (float)random_around(random, bound) * 0.125f;
}

static bool
can_be_unnormalized(const struct texture_case *c)
{
   return (c->view_target == TG_TARGET_1D || c->view_target == TG_TARGET_2D) &&
          get_form(c) == FORM_LOOKUP && get_opcode(c)->level == LEVEL_ZERO;
}

/* Only what has derivatives can be longer one way than the other. */
static bool
can_be_anisotropic(const struct texture_case *c)
{
   const enum texture_level level = get_opcode(c)->level;

   return get_form(c) == FORM_LOOKUP && c->view_target != TG_TARGET_1D &&
          c->view_target != TG_TARGET_1D_ARRAY && level != LEVEL_ZERO &&
          level != LEVEL_LOD;
}

void
case_pick_sampler(struct texture_case *c, struct random_source *random)
{
   struct tg_sampler_desc *sampler = &c->sampler;

   *sampler = (struct tg_sampler_desc)TG_SAMPLER_DESC_INIT;
   sampler->max_lod = 1000;
   sampler->min_lod = -1000;
   pick_filters(sampler, c->number);
   sampler->compare_func = (uint8_t)(c->number % 8);
   /* A sampler that does not compare makes no comparison; nothing says what is
    * gathered then. */
   sampler->compares = c->number % 2;
   if (is_shadow(c))
      sampler->compares = get_form(c) == FORM_GATHER || c->number % 12 != 11;
   sampler->seamless_cube = c->number / 2 % 2;
   if (c->number % 3 == 1)
      sampler->lod_bias = pick_eighths(random, 12);
   if (c->number % 4 == 2) {
      sampler->min_lod = pick_eighths(random, 16);
      sampler->max_lod = pick_eighths(random, 32);
   }
   if (c->number % 16 == 9 && can_be_unnormalized(c)) {
      sampler->unnormalized_coords = true;
      sampler->mip_filter = TG_MIP_NONE;
      sampler->mag_filter = sampler->min_filter;
   }
   if ((c->number % 16 == 2 || c->number % 16 == 9) && can_be_anisotropic(c))
      sampler->max_anisotropy = (uint8_t)(2 << random_below(random, 4));
   pick_wraps(c, random);
}

/* Sometimes more than the format can hold, where that is bounded. */
void
case_pick_border(struct texture_case *c, struct random_source *random)
{
   const struct format_info *info = format_info(c->subject.recipe.view_format);
   const bool is_wide = info->layout == FORMAT_LAYOUT_PLAIN &&
                        info->channel[0].type != FORMAT_TYPE_FLOAT &&
                        c->number % 2;
   union tg_color *color = &c->sampler.border_color;

   for (unsigned i = 0; i < 4; i++) {
      if (info->class == FORMAT_CLASS_FLOAT)
         color->f[i] =
            is_wide ? random_part(random) * 4 - 2 : random_part(random);
      else if (info->class == FORMAT_CLASS_SINT)
         color->i[i] = random_around(random, is_wide ? 100000 : 100);
      else
         color->u[i] = (uint32_t)random_below(random, is_wide ? 100000 : 100);
   }
}
