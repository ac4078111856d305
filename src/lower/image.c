/* SPDX-License-Identifier: MIT
 *
 * Images: sizes.
 */
#include "lower/object.h"

void
lower_image_load(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4])
{
   (void)access, (void)place, (void)result;
   lower_error(context, TG_ERROR_UNSUPPORTED, "unsupported-opcode",
               "%s of an image is not executed", context->info->name);
}

void
lower_image_store(struct lower_context *context,
                  const struct lower_access *access, uint32_t place,
                  lir_value result[4])
{
   lower_image_load(context, access, place, result);
}

bool
lower_image_word(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value *word_out)
{
   lower_image_load(context, access, place, word_out);
   return false;
}

void
lower_image_query(struct lower_context *context,
                  const struct lower_access *access, uint32_t place,
                  lir_value result[4])
{
   lower_image_load(context, access, place, result);
}
