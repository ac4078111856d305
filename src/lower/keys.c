/* SPDX-License-Identifier: MIT
 *
 * The members of keys by name, for kernels as text.
 */
#include "lower/bindings.h"
#include "lower/blend.h"
#include "lower/stencil.h"

static const char *
target_name(uint32_t target)
{
   return target < TG_NUM_TARGETS ? tg_targets[target].name : NULL;
}

/* ---- what is bound ------------------------------------------------------- */

static const struct tg_member view_members[] = {
   TG_NAMED(lower_view_key, format, tg_format_name),
   TG_NAMED(lower_view_key, target, target_name),
   TG_NUMBERS(lower_view_key, swizzle),
   TG_NUMBER(lower_view_key, is_depth),
   {0},
};

static const struct tg_member sampler_members[] = {
   TG_NUMBER(lower_sampler_key, is_bound),
   TG_NUMBERS(lower_sampler_key, wrap),
   TG_NUMBER(lower_sampler_key, min_filter),
   TG_NUMBER(lower_sampler_key, mag_filter),
   TG_NUMBER(lower_sampler_key, mip_filter),
   TG_NUMBER(lower_sampler_key, compares),
   TG_NUMBER(lower_sampler_key, compare_func),
   TG_NUMBER(lower_sampler_key, max_anisotropy),
   TG_NUMBER(lower_sampler_key, unnormalized),
   TG_NUMBER(lower_sampler_key, seamless_cube),
   {0},
};

static const struct tg_member image_members[] = {
   TG_NAMED(lower_image_key, format, tg_format_name),
   TG_NAMED(lower_image_key, resource_format, tg_format_name),
   TG_NAMED(lower_image_key, target, target_name),
   {0},
};

const struct tg_member lower_key_members[] = {
   TG_STRUCTS(lower_keys, views, view_members),
   TG_STRUCTS(lower_keys, samplers, sampler_members),
   TG_STRUCTS(lower_keys, images, image_members),
   TG_STRUCTS(lower_keys, colors, image_members),
   {0},
};

/* ---- what fragments go through ------------------------------------------- */

const struct tg_member lower_blend_key_members[] = {
   TG_NUMBER(lower_blend_key, enabled),
   TG_NUMBER(lower_blend_key, rgb_func),
   TG_NUMBER(lower_blend_key, rgb_src_factor),
   TG_NUMBER(lower_blend_key, rgb_dst_factor),
   TG_NUMBER(lower_blend_key, alpha_func),
   TG_NUMBER(lower_blend_key, alpha_src_factor),
   TG_NUMBER(lower_blend_key, alpha_dst_factor),
   TG_NUMBER(lower_blend_key, colormask),
   {0},
};

const struct tg_member lower_stencil_key_members[] = {
   TG_NUMBER(lower_stencil_key, enabled),
   TG_NUMBER(lower_stencil_key, func),
   TG_NUMBER(lower_stencil_key, fail_op),
   TG_NUMBER(lower_stencil_key, zfail_op),
   TG_NUMBER(lower_stencil_key, zpass_op),
   TG_NUMBER(lower_stencil_key, valuemask),
   TG_NUMBER(lower_stencil_key, writemask),
   {0},
};
