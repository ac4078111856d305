/* SPDX-License-Identifier: MIT
 *
 * How the validator's diagnostics spell registers, masks and stages.
 */
#include "tgsi/validate/validate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct validate_text
validate_format_text(const char *format, ...)
{
   struct validate_text text;
   va_list args;

   va_start(args, format);
   vsnprintf(text.text, sizeof(text.text), format, args);
   va_end(args);
   return text;
}

static const char *
file_name(unsigned file)
{
   return file < TG_NUM_FILES ? tg_file_row(file)->name : "?";
}

static struct validate_text
index_text(const struct tg_index *index)
{
   struct validate_text array = {""};

   if (!index->indirect)
      return validate_format_text("[%d]", index->offset);
   if (index->array_id)
      array = validate_format_text("(%u)", index->array_id);
   if (!index->offset)
      return validate_format_text("[%s[%d].%c]%s", file_name(index->file),
                                  index->index, "xyzw"[index->component & 3],
                                  array.text);
   return validate_format_text("[%s[%d].%c%+d]%s", file_name(index->file),
                               index->index, "xyzw"[index->component & 3],
                               index -> offset, array.text);
}

struct validate_text
validate_register_text(const struct tg_register *reg)
{
   struct validate_text dimension = {""};
   struct validate_text index = index_text(&reg->index);

   if (reg->has_dimension)
      dimension = index_text(&reg->dimension);

   struct validate_text text = {""};
   snprintf(text.text, sizeof(text.text), "%s%.40s%.40s", file_name(reg->file),
            dimension.text, index.text);
   return text;
}

struct validate_text
validate_mask_text(unsigned mask)
{
   return validate_format_text(
      "%s%s%s%s", mask & TG_MASK_X ? "x" : "", mask & TG_MASK_Y ? "y" : "",
      mask & TG_MASK_Z ? "z" : "", mask & TG_MASK_W ? "w" : "");
}

struct validate_text
validate_stages_text(unsigned stages)
{
   struct validate_text text = {""};
   unsigned left = stages;

   for (unsigned stage = 0; stage < TG_NUM_STAGES; stage++) {
      if (!(left & 1u << stage))
         continue;
      left &= ~(1u << stage);
      if (text.text[0])
         strcat(text.text, left ? ", " : " or ");
      strcat(text.text, tg_processor_row(stage)->name);
   }
   return text.text[0] ? text : (struct validate_text){"no stage"};
}
