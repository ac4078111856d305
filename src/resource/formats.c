/* SPDX-License-Identifier: MIT
 *
 * Format queries of the public API.
 */
#include <assert.h>
#include <string.h>

#include "resource/layout.h"
#include "tungsten/resource.h"
#include "util/ascii.h"

uint32_t
tg_format_number(const char *name)
{
   for (uint32_t i = 1; i < TG_NUM_FORMATS; i++) {
      const char *known = tg_format_row(i)->name;

      if (strlen(name) == strlen(known) &&
          tg_ascii_compare(name, known, strlen(known)) == 0)
         return i;
   }
   return TG_FORMAT_NONE;
}

const char *
tg_format_name(uint32_t format)
{
   return format < TG_NUM_FORMATS ? tg_format_row(format)->name : NULL;
}

bool
tg_format_is_supported(uint32_t format)
{
   return tg_format_get_uses(format) & TG_FORMAT_USE_TRANSFER;
}

uint32_t
tg_format_get_uses(uint32_t format)
{
   return format < TG_NUM_FORMATS ? format_uses((enum tg_format)format) : 0;
}

uint32_t
tg_format_get_sample_counts(uint32_t format)
{
   const uint32_t uses = tg_format_get_uses(format);
   if (uses & TG_FORMAT_USE_MULTISAMPLE)
      return TG_SAMPLE_COUNTS;
   return uses & TG_FORMAT_USE_TRANSFER ? 1 << 1 : 0;
}

struct tg_format_block
tg_format_get_block(uint32_t format)
{
   if (!tg_format_is_supported(format))
      return (struct tg_format_block){0};

   const struct format_info *info = format_info((enum tg_format)format);
   return (struct tg_format_block){
      info->block_width,
      info->block_height,
      info->block_bytes,
   };
}
