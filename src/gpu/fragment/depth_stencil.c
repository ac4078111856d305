/* SPDX-License-Identifier: MIT
 *
 * Depth and stencil tests of one texel, sample by sample: read, compared,
 * written. Depths are compared as the format has them, fixed-point ones as
 * integers.
 */
#include <assert.h>

#include "gpu/fragment/fragment_parts.h"
#include "lower/fixed_function/channel.h"
#include "util/length.h"

static enum tg_format
format_of(const struct gpu_fragment_key *key)
{
   return (enum tg_format)key->depth_format;
}

static const struct format_channel *
depth_channel(const struct gpu_fragment_key *key)
{
   return format_depth_channel(format_of(key));
}

static unsigned
stencil_number(const struct gpu_fragment_key *key)
{
   return format_info(format_of(key))->stencil;
}

/* ---- what there is to do ------------------------------------------------- */

bool
fragment_has_depth_stencil_tests(const struct gpu_fragment_key *key)
{
   return key->depth_enabled || key->depth_bounds || key->stencil[0].enabled ||
          key->stencil[1].enabled;
}

static bool
has_stencil(const struct gpu_fragment_key *key)
{
   return key->stencil[0].enabled || key->stencil[1].enabled;
}

static bool
writes_depth(const struct gpu_fragment_key *key)
{
   return key->depth_enabled && key->depth_write;
}

static bool
writes_stencil(const struct gpu_fragment_key *key)
{
   return lower_stencil_writes(&key->stencil[0]) ||
          lower_stencil_writes(&key->stencil[1]);
}

static bool
face_writes_on_failure(const struct gpu_fragment_key *key, unsigned face)
{
   assert(face < TG_LENGTH(key->stencil));
   const struct lower_stencil_key *stencil = &key->stencil[face];
   return stencil->enabled && stencil->writemask &&
          (stencil->fail_op != TG_STENCIL_KEEP ||
           (stencil->zfail_op != TG_STENCIL_KEEP && key->depth_enabled));
}

bool
fragment_depth_stencil_failing_writes(const struct gpu_fragment_key *key)
{
   return face_writes_on_failure(key, 0) || face_writes_on_failure(key, 1);
}

/* ---- depth --------------------------------------------------------------- */

/* Held to where depths may be, as the bits of the format. Packing holds those
 * of fixed point. */
static lir_value
pack_depth(struct lir_builder *builder, const struct gpu_fragment_key *key,
           lir_value z)
{
   const struct format_channel *channel = depth_channel(key);
   if (key->depth_clamp) {
      const lir_value least = fragment_shape_word(builder, GPU_SHAPE_MIN_DEPTH);
      const lir_value most = fragment_shape_word(builder, GPU_SHAPE_MAX_DEPTH);
      const lir_value above = lir_fmax(builder, z, least);
      z = lir_fmin(builder, above, most);
   } else if (channel->type == FORMAT_TYPE_FLOAT) {
      z = lir_fsat(builder, z);
   }
   return lower_channel_pack(builder, channel, z);
}

static lir_value
compare_depths(struct lir_builder *builder, const struct gpu_fragment_key *key,
               lir_value depth, const lir_value *old)
{
   const enum tg_compare func = (enum tg_compare)key->depth_func;
   const struct format_info *info = format_info(format_of(key));
   const lir_value bits =
      lower_texel_get_unit_bits(builder, format_of(key), old, info->depth);
   if (depth_channel(key)->type == FORMAT_TYPE_FLOAT)
      return lower_compare_func_of_floats(builder, func, depth, bits);
   return lower_compare_func_of_uints(builder, func, depth, bits);
}

/* Of the depth that is there already. */
static lir_value
check_bounds(struct lir_builder *builder, const struct gpu_fragment_key *key,
             const lir_value *old)
{
   lir_value texel[4];
   lower_texel_unpack_units(builder, format_of(key), old, texel);
   const lir_value least = fragment_frame_word(builder, GPU_FRAME_DEPTH_BOUNDS);
   const lir_value most =
      fragment_frame_word(builder, GPU_FRAME_DEPTH_BOUNDS + 1);
   const lir_value is_above = lir_fge(builder, texel[0], least);
   const lir_value is_below = lir_fge(builder, most, texel[0]);
   return lir_band(builder, is_above, is_below);
}

/* ---- stencil ------------------------------------------------------------- */

static lir_value
find_reference(struct lir_builder *builder, const struct gpu_fragment_key *key,
               const struct fragment_values *values)
{
   if (values && values->has_reference)
      return values->reference;
   const lir_value front = fragment_frame_word(builder, GPU_FRAME_STENCIL_REF);
   if (!key->stencil[1].enabled)
      return front;
   const lir_value back =
      fragment_frame_word(builder, GPU_FRAME_STENCIL_REF + 1);
   const lir_value is_front = fragment_is_front(builder);
   return lir_sel32(builder, is_front, front, back);
}

static lir_value
old_stencil(struct lir_builder *builder, const struct gpu_fragment_key *key,
            const lir_value *old)
{
   return lower_texel_get_unit_bits(builder, format_of(key), old,
                                    stencil_number(key));
}

/* Each face by its own rules. */
static lir_value
test_stencil(struct lir_builder *builder, const struct gpu_fragment_key *key,
             lir_value reference, const lir_value *old)
{
   const lir_value stencil = old_stencil(builder, key, old);
   const lir_value front =
      lower_stencil_test(builder, &key->stencil[0], reference, stencil);
   if (!key->stencil[1].enabled)
      return front;
   const lir_value back =
      lower_stencil_test(builder, &key->stencil[1], reference, stencil);
   const lir_value is_front = fragment_is_front(builder);
   const lir_value is_back = lir_bnot(builder, is_front);
   const lir_value in_front = lir_band(builder, is_front, front);
   const lir_value at_back = lir_band(builder, is_back, back);
   return lir_bor(builder, in_front, at_back);
}

static lir_value
update_stencil(struct lir_builder *builder, const struct gpu_fragment_key *key,
               lir_value reference, const struct fragment_test *test)
{
   const lir_value stencil = old_stencil(builder, key, test->old);
   const lir_value front =
      lower_stencil_update(builder, &key->stencil[0], reference, stencil,
                           test->stencil_passes, test->depth_passes);
   if (!key->stencil[1].enabled)
      return front;
   const lir_value back =
      lower_stencil_update(builder, &key->stencil[1], reference, stencil,
                           test->stencil_passes, test->depth_passes);
   const lir_value is_front = fragment_is_front(builder);
   return lir_sel32(builder, is_front, front, back);
}

/* ---- one sample ---------------------------------------------------------- */

static void
test_sample(struct lir_builder *builder, const struct gpu_fragment_key *key,
            const struct fragment_values *values, lir_value z, lir_value index,
            struct fragment_test *test)
{
   const lir_value yes = lir_const1(builder, true);
   *test = (struct fragment_test){
      .index = index,
      .is_bounded = yes,
      .stencil_passes = yes,
      .depth_passes = yes,
   };
   lower_texel_read_units(builder, format_of(key), LIR_SPACE_SURFACE,
                          GPU_BINDING_DEPTH, index, test->old);
   if (key->depth_bounds)
      test->is_bounded = check_bounds(builder, key, test->old);
   if (has_stencil(key)) {
      const lir_value reference = find_reference(builder, key, values);
      test->stencil_passes = test_stencil(builder, key, reference, test->old);
   }
   if (key->depth_enabled) {
      test->depth = pack_depth(builder, key, z);
      test->depth_passes = compare_depths(builder, key, test->depth, test->old);
   }
   const lir_value both =
      lir_band(builder, test->stencil_passes, test->depth_passes);
   test->passes = lir_band(builder, test->is_bounded, both);
}

/* In active lanes. Where failing writes too, depth goes by how it went, and
 * lanes out of bounds are not here. */
static void
write_sample(struct lir_builder *builder, const struct gpu_fragment_key *key,
             const struct fragment_values *values,
             const struct fragment_test *test)
{
   lir_value units[LOWER_MAX_TEXEL_WORDS];
   const struct format_info *info = format_info(format_of(key));
   for (unsigned i = 0; i < info->num_units; i++)
      units[i] = test->old[i];
   if (writes_depth(key)) {
      lir_value depth = test->depth;
      if (fragment_depth_stencil_failing_writes(key)) {
         const lir_value old = lower_texel_get_unit_bits(
            builder, format_of(key), test->old, info->depth);
         depth = lir_sel32(builder, test->passes, depth, old);
      }
      lower_texel_set_unit_bits(builder, format_of(key), info->depth, depth,
                                units);
   }
   if (writes_stencil(key)) {
      const lir_value reference = find_reference(builder, key, values);
      const lir_value stencil = update_stencil(builder, key, reference, test);
      lower_texel_set_unit_bits(builder, format_of(key), stencil_number(key),
                                stencil, units);
   }
   lower_texel_write_units(builder, format_of(key), LIR_SPACE_SURFACE,
                           GPU_BINDING_DEPTH, test->index, units);
}

/* ---- all samples of a lane ----------------------------------------------- */

static lir_value
test_samples(struct lir_builder *builder, const struct fragment_kernel *kernel,
             lir_value covered, const struct fragment_values *values,
             lir_value index, struct fragment_test *tests)
{
   const lir_value pitch =
      fragment_texel_sample_pitch(builder, GPU_BINDING_DEPTH);
   lir_value passed = covered;
   for (unsigned i = 0; i < kernel->key->num_samples; i++) {
      const lir_value z =
         values && values->has_z
            ? values->z
            : fragment_interpolated_sample_z(builder, kernel, i);
      const lir_value others = lir_const32(builder, ~(UINT32_C(1) << i));
      if (i)
         index = lir_iadd(builder, index, pitch);
      test_sample(builder, kernel->key, values, z, index, &tests[i]);
      const lir_value rest = lir_iand(builder, passed, others);
      passed = lir_sel32(builder, tests[i].passes, passed, rest);
   }
   return passed;
}

lir_value
fragment_depth_stencil_test(struct lir_builder *builder,
                            const struct fragment_kernel *kernel,
                            lir_value covered,
                            const struct fragment_values *values,
                            struct fragment_test tests[FRAGMENT_MAX_SAMPLES])
{
   const lir_value index = fragment_texel(builder, kernel, GPU_BINDING_DEPTH,
                                          format_of(kernel->key));
   if (fragment_has_samples(kernel))
      return test_samples(builder, kernel, covered, values, index, tests);
   const lir_value z = values && values->has_z
                          ? values->z
                          : fragment_interpolated_z(builder, kernel);
   test_sample(builder, kernel->key, values, z, index, &tests[0]);
   return lir_band(builder, covered, tests[0].passes);
}

void
fragment_depth_stencil_write(
   struct lir_builder *builder, const struct fragment_kernel *kernel,
   lir_value covered, const struct fragment_values *values,
   const struct fragment_test tests[FRAGMENT_MAX_SAMPLES])
{
   const struct gpu_fragment_key *key = kernel->key;
   const bool has_samples = fragment_has_samples(kernel);
   if (!writes_depth(key) && !writes_stencil(key))
      return;
   for (unsigned i = 0; i < (has_samples ? key->num_samples : 1u); i++) {
      lir_value writes = has_samples
                            ? fragment_coverage_has_sample(builder, covered, i)
                            : covered;
      writes = lir_band(builder, writes, tests[i].is_bounded);
      lir_begin_if(builder, writes);
      write_sample(builder, key, values, &tests[i]);
      lir_end(builder);
   }
}
