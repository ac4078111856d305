/* SPDX-License-Identifier: MIT
 *
 * Places and levels.
 */
#include "script/sections/place.h"

#include <assert.h>

#include "format/format.h"

const struct script_place_rule script_place_rules[SCRIPT_NUM_PLACE_KINDS] = {
#define SCRIPT_PLACE(id, words, count, holds, file)                            \
   {words, count, SCRIPT_HOLDS_##holds, file},
#include "script/sections/places.def"
};

static uint32_t
level_size(uint32_t size, uint32_t level)
{
   assert(level < 32);
   return size >> level ? size >> level : 1;
}

struct script_extent
script_place_level_extent(const struct tg_resource_desc *desc, uint32_t level)
{
   return (struct script_extent){
      .width = level_size(desc->width, level),
      .height = level_size(desc->height, level),
      .slices = desc->target == TG_TEXTURE_3D ? level_size(desc->depth, level)
                                              : desc->layers,
   };
}

bool
script_place_holds_integers(uint32_t format)
{
   return format_is_integer((enum tg_format)format);
}
