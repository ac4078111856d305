/* SPDX-License-Identifier: MIT
 *
 * Which of the things that are bound a shader can see, so that others do not
 * count in its key.
 */
#include "lower/bindings.h"

#include <string.h>

#include "tgsi/info.h"

#define SEE(array, first, count)                                               \
   memset(&(array)[first], 0xff, (count) * sizeof((array)[0]))

#define SEE_ALL(array) memset(array, 0xff, sizeof(array))

/* How many of the places that are declared there are. */
static size_t
count_places(const struct tg_declaration *declaration, size_t num_places)
{
   size_t end = declaration->last + (size_t)1;

   if (declaration->first >= num_places)
      return 0;
   return (end < num_places ? end : num_places) - declaration->first;
}

static void
see_declaration(struct lower_keys *seen,
                const struct tg_declaration *declaration)
{
   uint32_t first = declaration->first;
   size_t views = count_places(declaration, LOWER_MAX_VIEWS);
   size_t samplers = count_places(declaration, LOWER_MAX_SAMPLERS);
   size_t images = count_places(declaration, LOWER_MAX_IMAGES);

   switch ((enum tg_file)declaration->file) {
   case TG_FILE_SAMP:
      SEE(seen->views, first, views);
      SEE(seen->samplers, first, samplers);
      break;
   case TG_FILE_SVIEW: SEE(seen->views, first, views); break;
   case TG_FILE_IMAGE: SEE(seen->images, first, images); break;
   case TG_FILE_RES:
      SEE(seen->views, first, views);
      SEE(seen->images, first, images);
      break;
   default: break;
   }
}

/* Handles lead to any place. */
static void
see_uses(struct lower_keys *seen, uint32_t uses)
{
   if (uses & TG_USES_BINDLESS_SAMPLERS) {
      SEE_ALL(seen->views);
      SEE_ALL(seen->samplers);
   }
   if (uses & TG_USES_BINDLESS_IMAGES)
      SEE_ALL(seen->images);
   if (uses & TG_USES_FRAMEBUFFER_FETCH)
      SEE_ALL(seen->colors);
}

void
lower_find_seen(const struct tg_shader *shader, uint32_t uses,
                struct lower_keys *seen_out)
{
   *seen_out = (struct lower_keys){0};
   for (uint32_t i = 0; i < shader->num_declarations; i++)
      see_declaration(seen_out, &shader->declarations[i]);
   see_uses(seen_out, uses);
}

void
lower_mask_keys(const struct lower_keys *bound, const struct lower_keys *seen,
                struct lower_keys *keys_out)
{
   const unsigned char *from = (const unsigned char *)bound;
   const unsigned char *mask = (const unsigned char *)seen;
   unsigned char *to = (unsigned char *)keys_out;

   for (size_t i = 0; i < sizeof(*keys_out); i++)
      to[i] = from[i] & mask[i];
}
