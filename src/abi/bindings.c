/* SPDX-License-Identifier: MIT
 *
 * Which of the things that are bound a shader can see, so that others do not
 * count in its key.
 */
#include "abi/bindings.h"

#include <string.h>

#include "tgsi/analysis/info.h"

#define SEE_ALL(array) memset(array, 0xff, sizeof(array))

/* The places that are declared, as far as there are any. */
static void
see_places(void *keys, size_t key_size, uint32_t num_places,
           const struct tg_declaration *declaration)
{
   uint32_t last =
      declaration->last < num_places ? declaration->last : num_places - 1;

   for (uint32_t i = declaration->first; i <= last; i++)
      memset((unsigned char *)keys + i * key_size, 0xff, key_size);
}

#define SEE(array, declaration)                                                \
   see_places(array, sizeof((array)[0]), sizeof(array) / sizeof((array)[0]),   \
              declaration)

static void
see_declaration(struct abi_keys *seen, const struct tg_declaration *declaration)
{
   switch ((enum tg_file)declaration->file) {
   case TG_FILE_SAMP:
      SEE(seen->views, declaration);
      SEE(seen->samplers, declaration);
      break;
   case TG_FILE_SVIEW: SEE(seen->views, declaration); break;
   case TG_FILE_IMAGE: SEE(seen->images, declaration); break;
   case TG_FILE_RES:
      SEE(seen->views, declaration);
      SEE(seen->images, declaration);
      break;
   default: break;
   }
}

/* Handles lead to any place. */
static void
see_uses(struct abi_keys *seen, uint32_t uses)
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
abi_find_seen_bindings(const struct tg_shader *shader, uint32_t uses,
                       struct abi_keys *seen_out)
{
   *seen_out = (struct abi_keys){0};
   for (uint32_t i = 0; i < shader->num_declarations; i++)
      see_declaration(seen_out, &shader->declarations[i]);
   see_uses(seen_out, uses);
}

void
abi_mask_binding_keys(const struct abi_keys *restrict bound,
                      const struct abi_keys *restrict seen,
                      struct abi_keys *restrict keys_out)
{
   const unsigned char *from = (const unsigned char *)bound;
   const unsigned char *mask = (const unsigned char *)seen;
   unsigned char *to = (unsigned char *)keys_out;

   for (size_t i = 0; i < sizeof(*keys_out); i++)
      to[i] = from[i] & mask[i];
}
