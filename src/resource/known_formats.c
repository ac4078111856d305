/* SPDX-License-Identifier: MIT
 *
 * The formats that lower/texel.h knows, until src/format has its table.
 */
#include "resource/layout.h"

#define WORDS(name_, class_, n)                                                \
   [TG_FORMAT_##name_] = {.name = #name_,                                      \
                          .layout = FORMAT_LAYOUT_PLAIN,                       \
                          .class = FORMAT_CLASS_##class_,                      \
                          .block_width = 1,                                    \
                          .block_height = 1,                                   \
                          .block_bytes = 4 * n,                                \
                          .unit = 4,                                           \
                          .num_units = n}

const struct format_info *
resource_format_info(enum tg_format format)
{
   static const struct format_info rows[TG_NUM_FORMATS] = {
      WORDS(R32_FLOAT, FLOAT, 1),       WORDS(R32G32_FLOAT, FLOAT, 2),
      WORDS(R32G32B32_FLOAT, FLOAT, 3), WORDS(R32G32B32A32_FLOAT, FLOAT, 4),
      WORDS(R32_UINT, UINT, 1),         WORDS(R32_SINT, SINT, 1),
      WORDS(R8G8B8A8_UNORM, FLOAT, 1),  WORDS(Z32_FLOAT, FLOAT, 1),
   };

   return &rows[format < TG_NUM_FORMATS ? format : TG_FORMAT_NONE];
}
