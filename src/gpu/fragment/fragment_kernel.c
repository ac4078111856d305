/* SPDX-License-Identifier: MIT
 *
 * The order of per-fragment operations in the kernel: coverage; early depth and
 * stencil tests where they are allowed; the shader; sample mask, alpha test and
 * alpha to coverage; late depth and stencil tests; output of colours.
 */
#include "gpu/fragment/fragment_parts.h"
#include "lower/lower.h"

/* ---- the order ----------------------------------------------------------- */

static uint8_t
find_output(const struct fragment_kernel *kernel, enum tg_semantic name)
{
   return gpu_find_output(kernel->shader, name, 0);
}

static bool
writes_output(const struct fragment_kernel *kernel, enum tg_semantic name)
{
   return find_output(kernel, name) != GPU_NO_REGISTER;
}

/* Values of FS_DEPTH_LAYOUT. */
enum { DEPTH_GREATER = 2, DEPTH_LESS = 3, DEPTH_UNCHANGED = 4 };

static bool
gives_depth(const struct fragment_kernel *kernel)
{
   return kernel->key->depth_enabled &&
          writes_output(kernel, TG_SEMANTIC_POSITION) &&
          kernel->shader->depth_layout != DEPTH_UNCHANGED;
}

static bool
gives_reference(const struct fragment_kernel *kernel)
{
   return kernel->key->stencil[0].enabled &&
          writes_output(kernel, TG_SEMANTIC_STENCIL);
}

/* Without multisampling the output SAMPLEMASK counts for what the state says.
 */
static bool
masks_samples(const struct fragment_kernel *kernel)
{
   return (fragment_is_multisampled(kernel) || kernel->key->masks_pixels) &&
          writes_output(kernel, TG_SEMANTIC_SAMPLEMASK);
}

static bool
may_discard(const struct fragment_kernel *kernel)
{
   return kernel->shader->kills || kernel->key->alpha_enabled ||
          kernel->key->alpha_to_coverage || masks_samples(kernel);
}

/* Does a fragment that fails with the interpolated depth fail with the shader's
 * too? */
static bool
fails_for_sure(const struct fragment_kernel *kernel)
{
   const unsigned func = kernel->key->depth_func;
   switch (kernel->shader->depth_layout) {
   case DEPTH_GREATER:
      return func == TG_COMPARE_LESS || func == TG_COMPARE_LEQUAL;
   case DEPTH_LESS:
      return func == TG_COMPARE_GREATER || func == TG_COMPARE_GEQUAL;
   default: return false;
   }
}

/* Tests come early where that makes no visible difference, or the shader asks
 * for it: then it has no say in depth and stencil. */
static enum fragment_order
choose_order(const struct fragment_kernel *kernel)
{
   if (kernel->shader->early_depth)
      return FRAGMENT_EARLY;
   if (!fragment_has_depth_stencil_tests(kernel->key))
      return FRAGMENT_NO_TESTS;
   if (kernel->shader->writes_memory || gives_reference(kernel))
      return FRAGMENT_LATE;
   const bool failing_writes =
      fragment_depth_stencil_failing_writes(kernel->key);
   if (gives_depth(kernel))
      return fails_for_sure(kernel) && !failing_writes ? FRAGMENT_REJECT_EARLY
                                                       : FRAGMENT_LATE;
   if (!may_discard(kernel))
      return FRAGMENT_EARLY;
   return failing_writes ? FRAGMENT_LATE : FRAGMENT_TEST_EARLY;
}

/* ---- before the shader --------------------------------------------------- */

static void
count_passed(struct lir_builder *builder, const struct fragment_kernel *kernel,
             lir_value passed)
{
   if (!gpu_fragment_kernel_tells_samples(kernel->shader, kernel->key))
      return;
   const lir_value word = lir_const32(builder, GPU_FRAGMENT_PASSED);
   const lir_value samples = fragment_coverage_word(builder, kernel, passed);
   const lir_value count = lir_ipopcnt(builder, samples);
   const lir_value before = lir_load32(builder, LIR_SPACE_OUTPUT, 0, word);
   const lir_value sum = lir_iadd(builder, before, count);
   lir_store32(builder, LIR_SPACE_OUTPUT, 0, word, sum);
}

static void
count_cost(struct lir_builder *builder, const struct fragment_kernel *kernel)
{
   if (!kernel->key->tells_cost)
      return;
   const lir_value word = lir_const32(builder, GPU_FRAGMENT_COST);
   const lir_value clock = lir_clock(builder);
   const lir_value low = lir_lo64(builder, clock);
   lir_store32(builder, LIR_SPACE_OUTPUT, 0, word, low);
}

/* Lanes that have nothing left run on as helpers, and a wave of such ends. */
static void
leave_if_done(struct lir_builder *builder, const struct fragment_kernel *kernel,
              lir_value passed)
{
   const lir_value any = fragment_coverage_any(builder, kernel, passed);
   const lir_value is_failed = lir_bnot(builder, any);
   lir_kill(builder, is_failed);
   const lir_value live = lir_live(builder);
   const lir_value lanes = lir_ballot(builder, live);
   const lir_value none = lir_const32(builder, 0);
   const lir_value is_done = lir_ieq(builder, lanes, none);
   lir_begin_if(builder, is_done);
   count_cost(builder, kernel);
   lir_br(builder, 0);
   lir_end(builder);
}

/* FBFETCH reads samples where they lie. */
static void
expand_for_fetches(struct lir_builder *builder,
                   const struct fragment_kernel *kernel)
{
   if (!kernel->shader->fetches_colors || !kernel->key->is_per_sample)
      return;
   lir_begin_if(builder, kernel->was_live);
   for (uint32_t i = 0; i < kernel->key->num_colors; i++) {
      if (kernel->key->one_color >> i & 1)
         fragment_output_expand(builder, kernel, i);
   }
   lir_end(builder);
}

/* What comes before the shader of tests. */
static void
write_early_tests(struct lir_builder *builder, struct fragment_kernel *kernel)
{
   kernel->was_live = lir_live(builder);
   kernel->covered = fragment_covered(builder, kernel);
   expand_for_fetches(builder, kernel);
   if (kernel->order == FRAGMENT_NO_TESTS || kernel->order == FRAGMENT_LATE)
      return;

   const lir_value covered = kernel->covered;
   if (!fragment_has_depth_stencil_tests(kernel->key)) {
      count_passed(builder, kernel, covered);
      return;
   }
   const lir_value passed = fragment_depth_stencil_test(
      builder, kernel, covered, NULL, kernel->tests);
   if (kernel->order == FRAGMENT_EARLY) {
      const bool all_write = fragment_depth_stencil_failing_writes(kernel->key);
      fragment_depth_stencil_write(
         builder, kernel, all_write ? covered : passed, NULL, kernel->tests);
      count_passed(builder, kernel, passed);
   }
   kernel->covered = passed;
   leave_if_done(builder, kernel, passed);
}

static void
write_prologue(void *user, struct lir_builder *builder)
{
   struct fragment_kernel *kernel = user;
   write_early_tests(builder, kernel);
   fragment_interpolate(builder, kernel);
}

/* ---- after it ------------------------------------------------------------ */

static lir_value
discard_samples(struct lir_builder *builder,
                const struct fragment_kernel *kernel, lir_value covered)
{
   const struct gpu_fragment_key *key = kernel->key;
   if (masks_samples(kernel)) {
      const uint8_t mask = find_output(kernel, TG_SEMANTIC_SAMPLEMASK);
      const lir_value samples = fragment_output(builder, kernel, mask, 0);
      covered =
         fragment_coverage_and_samples(builder, kernel, covered, samples);
   }
   if (key->alpha_to_coverage && fragment_output_has_alpha(kernel)) {
      const lir_value alpha = fragment_output_alpha(builder, kernel, false);
      const lir_value samples = fragment_alpha_coverage(builder, kernel, alpha);
      covered =
         fragment_coverage_and_samples(builder, kernel, covered, samples);
   }
   if (key->alpha_enabled && fragment_output_has_alpha(kernel)) {
      const lir_value alpha = fragment_output_alpha(builder, kernel, true);
      const lir_value reference =
         fragment_frame_word(builder, GPU_FRAME_ALPHA_REF);
      const lir_value passes = lower_compare_func_of_floats(
         builder, (enum tg_compare)key->alpha_func, alpha, reference);
      covered = fragment_coverage_and_lane(builder, kernel, covered, passes);
   }
   return covered;
}

static struct fragment_values
find_values(struct lir_builder *builder, const struct fragment_kernel *kernel)
{
   struct fragment_values values = {
      .has_z = gives_depth(kernel),
      .has_reference = gives_reference(kernel),
   };
   values.z = fragment_output(builder, kernel,
                              find_output(kernel, TG_SEMANTIC_POSITION), 2);
   values.reference = fragment_output(
      builder, kernel, find_output(kernel, TG_SEMANTIC_STENCIL), 1);
   return values;
}

static lir_value
test_late(struct lir_builder *builder, struct fragment_kernel *kernel,
          lir_value covered)
{
   const struct fragment_values values = find_values(builder, kernel);
   const lir_value passed = fragment_depth_stencil_test(
      builder, kernel, covered, &values, kernel->tests);
   const bool all_write = fragment_depth_stencil_failing_writes(kernel->key);
   fragment_depth_stencil_write(builder, kernel, all_write ? covered : passed,
                                &values, kernel->tests);
   return passed;
}

static void
write_epilogue(void *user, struct lir_builder *builder,
               const uint32_t (*output_var)[4], uint32_t num_outputs)
{
   struct fragment_kernel *kernel = user;
   (void)num_outputs;
   kernel->outputs = output_var;

   lir_value covered = lir_live(builder);
   if (fragment_has_samples(kernel))
      covered =
         fragment_coverage_and_lane(builder, kernel, kernel->covered, covered);
   covered = discard_samples(builder, kernel, covered);
   if (kernel->order == FRAGMENT_TEST_EARLY)
      fragment_depth_stencil_write(builder, kernel, covered, NULL,
                                   kernel->tests);
   else if (kernel->order == FRAGMENT_LATE ||
            kernel->order == FRAGMENT_REJECT_EARLY)
      covered = test_late(builder, kernel, covered);
   if (kernel->order != FRAGMENT_EARLY)
      count_passed(builder, kernel, covered);
   if (!fragment_has_samples(kernel)) {
      const lir_value is_lost = lir_bnot(builder, covered);
      lir_kill(builder, is_lost);
   }
   fragment_output_write_colors(builder, kernel, covered);
   count_cost(builder, kernel);
}

/* ---- the kernel ---------------------------------------------------------- */

bool
gpu_fragment_kernel_tells_samples(const struct tg_gpu_shader *shader,
                                  const struct gpu_fragment_key *key)
{
   return (key->num_samples > 1 && !key->is_per_sample) || shader->early_depth;
}

enum tg_result
gpu_fragment_write_kernel(void *user, const void *key,
                          struct lir_module *module,
                          struct tg_diagnostics *diagnostics)
{
   const struct gpu_fragment_writer *writer = user;
   struct fragment_kernel kernel = {
      .shader = writer->shader,
      .interface = writer->interface,
      .key = key,
   };
   kernel.order = choose_order(&kernel);
   const struct lower_stage stage = {
      .user = &kernel,
      .prologue = write_prologue,
      .input = fragment_input,
      .sysval = fragment_sysval,
      .epilogue = write_epilogue,
      .pixel = fragment_pixel,
      .num_target_samples =
         fragment_is_multisampled(&kernel) ? kernel.key->num_samples : 1,
      .is_per_sample = kernel.key->is_per_sample,
   };
   const struct lower_options options = {
      .stage = &stage,
      .keys = &kernel.key->bound,
      .check = writer->is_checked,
   };
   module->has_tiled_surfaces = kernel.key->num_samples > 1;
   return lower_shader(writer->shader->shader, &options, module, diagnostics);
}
