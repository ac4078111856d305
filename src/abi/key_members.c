/* SPDX-License-Identifier: MIT
 *
 * The members of keys by name, for kernels as text.
 */
#include "abi/bindings.h"
#include "format/format.h"

/* Targets of views, without SHADOW. */
static const char *
target_name(uint32_t target)
{
   if (target >= TG_NUM_TARGETS || tg_target_row(target)->plain != target)
      return NULL;
   return tg_target_row(target)->name;
}

/* Formats of texels as they lie in memory: those of compressed textures have
 * been unpacked. */
static const char *
format_name(uint32_t format)
{
   if (format >= TG_NUM_FORMATS ||
       !(format_uses((enum tg_format)format) & TG_FORMAT_USE_TRANSFER) ||
       format_is_compressed((enum tg_format)format))
      return NULL;
   return tg_format_row(format)->name;
}

static const struct tg_member view_members[] = {
   TG_NAMED(abi_view_key, format, format_name),
   TG_NAMED(abi_view_key, target, target_name),
   TG_NUMBERS_TO(abi_view_key, swizzle, ABI_NUM_SWIZZLES - 1),
   TG_NUMBER_TO(abi_view_key, is_depth, 1),
   {0},
};

static const struct tg_member sampler_members[] = {
   TG_NUMBER_TO(abi_sampler_key, is_bound, 1),
   TG_NUMBERS_TO(abi_sampler_key, wrap, ABI_NUM_WRAPS - 1),
   TG_NUMBER_TO(abi_sampler_key, min_filter, ABI_NUM_FILTERS - 1),
   TG_NUMBER_TO(abi_sampler_key, mag_filter, ABI_NUM_FILTERS - 1),
   TG_NUMBER_TO(abi_sampler_key, mip_filter, ABI_NUM_MIP_FILTERS - 1),
   TG_NUMBER_TO(abi_sampler_key, compares, 1),
   TG_NUMBER_TO(abi_sampler_key, compare_func, ABI_NUM_COMPARES - 1),
   TG_NUMBER_TO(abi_sampler_key, max_anisotropy, 16),
   TG_NUMBER_TO(abi_sampler_key, unnormalized, 1),
   TG_NUMBER_TO(abi_sampler_key, seamless_cube, 1),
   {0},
};

static const struct tg_member image_members[] = {
   TG_NAMED(abi_image_key, format, format_name),
   TG_NAMED(abi_image_key, resource_format, format_name),
   TG_NAMED(abi_image_key, target, target_name),
   {0},
};

const struct tg_member abi_key_members[] = {
   TG_STRUCTS(abi_keys, views, view_members),
   TG_STRUCTS(abi_keys, samplers, sampler_members),
   TG_STRUCTS(abi_keys, images, image_members),
   TG_STRUCTS(abi_keys, colors, image_members),
   {0},
};
