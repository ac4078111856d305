/* SPDX-License-Identifier: MIT
 *
 * Sampler state: what can be one, as key and as words. Sampler objects never
 * change, so that any number of bindings may share them.
 */
#include <assert.h>
#include <string.h>

#include "resource/bindings.h"
#include "util/bits.h"
#include "util/sized.h"

static enum tg_result
complain(struct tg_diagnostics *diagnostics, const char *what, unsigned number)
{
   return tg_complain(diagnostics, TG_ERROR_INPUT, "bindings",
                      "sampler: there is no %s %u", what, number);
}

static enum tg_result
check(const struct tg_sampler_desc *sampler, struct tg_diagnostics *diagnostics)
{
   for (unsigned i = 0; i < 3; i++) {
      if (sampler->wrap[i] >= ABI_NUM_WRAPS)
         return complain(diagnostics, "wrap mode", sampler->wrap[i]);
   }
   if (sampler->min_filter >= ABI_NUM_FILTERS)
      return complain(diagnostics, "filter", sampler->min_filter);
   if (sampler->mag_filter >= ABI_NUM_FILTERS)
      return complain(diagnostics, "filter", sampler->mag_filter);
   if (sampler->mip_filter >= ABI_NUM_MIP_FILTERS)
      return complain(diagnostics, "filter of levels", sampler->mip_filter);
   if (sampler->compare_func >= ABI_NUM_COMPARES)
      return complain(diagnostics, "comparison", sampler->compare_func);
   if (sampler->max_anisotropy > TG_MAX_ANISOTROPY)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "bindings",
                         "sampler: an anisotropy of %u; the most is %d",
                         sampler->max_anisotropy, TG_MAX_ANISOTROPY);
   return TG_OK;
}

enum tg_result
resource_describe_sampler(const struct tg_sampler_desc *sampler,
                          struct tg_diagnostics *diagnostics,
                          struct abi_sampler_key *key,
                          uint32_t words[ABI_SAMPLER_WORDS])
{
   const enum tg_result result = check(sampler, diagnostics);

   if (result != TG_OK)
      return result;
   /* What plays no part is left 0, so that fewer keys differ. */
   *key = (struct abi_sampler_key){
      .is_bound = 1,
      .wrap = {sampler->wrap[0], sampler->wrap[1], sampler->wrap[2]},
      .min_filter = sampler->min_filter,
      .mag_filter = sampler->mag_filter,
      .mip_filter = sampler->mip_filter,
      .compares = sampler->compares,
      .compare_func = sampler->compares ? sampler->compare_func : 0,
      .max_anisotropy =
         sampler->max_anisotropy > 1 ? sampler->max_anisotropy : 0,
      .unnormalized = sampler->unnormalized_coords,
      .seamless_cube = sampler->seamless_cube,
   };
   words[ABI_SAMPLER_LOD_BIAS] = tg_bits_of_float(sampler->lod_bias);
   words[ABI_SAMPLER_MIN_LOD] = tg_bits_of_float(sampler->min_lod);
   words[ABI_SAMPLER_MAX_LOD] = tg_bits_of_float(sampler->max_lod);
   memcpy(&words[ABI_SAMPLER_BORDER], sampler->border_color.u,
          sizeof(sampler->border_color.u));
   return TG_OK;
}

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

uint64_t
tg_sampler_handle(unsigned place)
{
   return place < ABI_MAX_SAMPLERS ? ABI_HANDLE_SAMPLER + place : 0;
}
