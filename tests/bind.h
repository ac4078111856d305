/* SPDX-License-Identifier: MIT
 *
 * Bindings of descriptions, for tests: the object is made, bound and dropped,
 * so that the bindings have it alone.
 */
#ifndef TESTS_BIND_H
#define TESTS_BIND_H

#include "tungsten/resource.h"

static inline enum tg_result
bind_view(struct tg_bindings *bindings, unsigned place,
          const struct tg_view_desc *desc, struct tg_diagnostics *diagnostics)
{
   struct tg_view *view = NULL;
   enum tg_result result = tg_view_create(NULL, desc, diagnostics, &view);

   if (result == TG_OK)
      result = tg_bindings_set_view(bindings, place, view, diagnostics);
   tg_view_destroy(view);
   return result;
}

static inline enum tg_result
bind_sampler(struct tg_bindings *bindings, unsigned place,
             const struct tg_sampler_desc *desc,
             struct tg_diagnostics *diagnostics)
{
   struct tg_sampler *sampler = NULL;
   enum tg_result result = tg_sampler_create(NULL, desc, diagnostics, &sampler);

   if (result == TG_OK)
      result = tg_bindings_set_sampler(bindings, place, sampler, diagnostics);
   tg_sampler_destroy(sampler);
   return result;
}

#endif
