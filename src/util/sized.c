/* SPDX-License-Identifier: MIT
 *
 * Copies of public structs that begin with their size: see sized.h.
 */
#include "util/sized.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "util/diagnostics.h"

static size_t
size_of(const void *given)
{
   size_t size;

   memcpy(&size, given, sizeof(size));
   return size;
}

static bool
is_known(const struct tg_sized *sized, size_t size)
{
   assert(sized->first <= sized->size);
   return size >= sized->first && size <= sized->size;
}

enum tg_result
tg_sized_take(const struct tg_sized *sized, void *whole, const void *given,
              struct tg_diagnostics *diagnostics)
{
   const size_t size = size_of(given);

   if (size > sized->size)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "size",
                         "the size of a struct %s is %zu; this library knows "
                         "%zu, the program is for a newer one",
                         sized->name, size, sized->size);
   if (!is_known(sized, size))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "size",
                         "the size of a struct %s is %zu; it is %zu, as %s "
                         "sets it",
                         sized->name, size, sized->size, sized->init);
   memcpy(whole, given, size);
   memcpy(whole, &sized->size, sizeof(sized->size));
   return TG_OK;
}

enum tg_result
tg_sized_give(const struct tg_sized *sized, const void *whole, void *given)
{
   const size_t size = size_of(given);

   if (!is_known(sized, size))
      return TG_ERROR_INPUT;
   memcpy((char *)given + sizeof(size), (const char *)whole + sizeof(size),
          size - sizeof(size));
   return TG_OK;
}
