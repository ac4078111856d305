/* SPDX-License-Identifier: MIT
 *
 * View and sampler objects: descriptions that were checked once, as keys and
 * words. They never change, so that any number of bindings may share them.
 */
#include "resource/bindings.h"

#include "util/sized.h"
#include <assert.h>

/* ---- views --------------------------------------------------------------- */

enum tg_result
tg_view_create(const struct tg_allocator *allocator,
               const struct tg_view_desc *desc,
               struct tg_diagnostics *diagnostics, struct tg_view **view_out)
{
   assert(desc);
   assert(view_out);
   struct resource_binding binding = {0};

   if (!allocator)
      allocator = tg_default_allocator();
   const enum tg_result result = resource_describe_view(
      desc, "view", RESOURCE_NO_PLACE, diagnostics, &binding);
   if (result != TG_OK)
      return result;

   struct tg_view *view =
      allocator->resize(allocator->user, NULL, 0, sizeof(*view));
   if (!view)
      return TG_ERROR_MEMORY;
   *view = (struct tg_view){
      .refs = TG_REFCOUNT_INIT,
      .allocator = allocator,
      .resource = tg_resource_ref(desc->resource),
      .binding = binding,
   };
   *view_out = view;
   return TG_OK;
}

struct tg_view *
tg_view_ref(struct tg_view *view)
{
   if (view)
      tg_refcount_add(&view->refs);
   return view;
}

void
tg_view_destroy(struct tg_view *view)
{
   if (!view || !tg_refcount_drop(&view->refs))
      return;

   const struct tg_allocator *allocator = view->allocator;
   tg_resource_destroy(view->resource);
   allocator->resize(allocator->user, view, sizeof(*view), 0);
}

/* ---- samplers ------------------------------------------------------------ */

enum tg_result
tg_sampler_create(const struct tg_allocator *allocator,
                  const struct tg_sampler_desc *given,
                  struct tg_diagnostics *diagnostics,
                  struct tg_sampler **sampler_out)
{
   assert(sampler_out);
   struct tg_sampler_desc desc;
   struct tg_sampler made = {.refs = TG_REFCOUNT_INIT};

   made.allocator = allocator ? allocator : tg_default_allocator();
   enum tg_result result = tg_sampler_desc_take(&desc, given, diagnostics);
   if (result == TG_OK)
      result =
         resource_describe_sampler(&desc, diagnostics, &made.key, made.words);
   if (result != TG_OK)
      return result;

   struct tg_sampler *sampler =
      made.allocator->resize(made.allocator->user, NULL, 0, sizeof(*sampler));
   if (!sampler)
      return TG_ERROR_MEMORY;
   *sampler = made;
   *sampler_out = sampler;
   return TG_OK;
}

struct tg_sampler *
tg_sampler_ref(struct tg_sampler *sampler)
{
   if (sampler)
      tg_refcount_add(&sampler->refs);
   return sampler;
}

void
tg_sampler_destroy(struct tg_sampler *sampler)
{
   if (!sampler || !tg_refcount_drop(&sampler->refs))
      return;

   const struct tg_allocator *allocator = sampler->allocator;
   allocator->resize(allocator->user, sampler, sizeof(*sampler), 0);
}
