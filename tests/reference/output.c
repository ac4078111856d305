/* SPDX-License-Identifier: MIT
 *
 * Fragment tests and blending, in the order in which the specification has
 * them.
 */
#include <math.h>

#include "output.h"

static double
clamp(double x, double low, double high)
{
   return fmin(fmax(x, low), high);
}

static double
max_of(int bits)
{
   return ldexp(1, bits) - 1;
}

static bool
compare(uint8_t func, double a, double b)
{
   switch ((enum tg_compare)func) {
   case TG_COMPARE_NEVER: return false;
   case TG_COMPARE_LESS: return a < b;
   case TG_COMPARE_EQUAL: return a == b;
   case TG_COMPARE_LEQUAL: return a <= b;
   case TG_COMPARE_GREATER: return a > b;
   case TG_COMPARE_NOTEQUAL: return a != b;
   case TG_COMPARE_GEQUAL: return a >= b;
   case TG_COMPARE_ALWAYS: return true;
   }
   return false;
}

/* ---- depth and stencil --------------------------------------------------- */

double
ref_store_depth(const struct ref_output *output, double depth)
{
   const double clamped = clamp(depth, 0, 1);
   if (!output->depth_bits)
      return (double)(float)clamped;
   return rint(clamped * max_of(output->depth_bits));
}

static bool
passes_bounds(const struct ref_output *output, const struct ref_sample *sample)
{
   const struct tg_depth_stencil_alpha_state *tests = &output->tests;
   if (!tests->depth_bounds_test || !output->has_depth)
      return true;
   const double depth = output->depth_bits
                           ? sample->depth / max_of(output->depth_bits)
                           : sample->depth;
   return depth >= (double)tests->depth_bounds_min &&
          depth <= (double)tests->depth_bounds_max;
}

static bool
passes_depth(const struct ref_output *output, const struct ref_sample *sample,
             double depth)
{
   return !output->tests.depth_enabled || !output->has_depth ||
          compare(output->tests.depth_func, depth, sample->depth);
}

static int
stencil_op(uint8_t op, int stencil, int ref)
{
   switch ((enum tg_stencil_op)op) {
   case TG_STENCIL_KEEP: return stencil;
   case TG_STENCIL_ZERO: return 0;
   case TG_STENCIL_REPLACE: return ref;
   case TG_STENCIL_INCR: return stencil < 255 ? stencil + 1 : 255;
   case TG_STENCIL_DECR: return stencil > 0 ? stencil - 1 : 0;
   case TG_STENCIL_INCR_WRAP: return (stencil + 1) % 256;
   case TG_STENCIL_DECR_WRAP: return (stencil + 255) % 256;
   case TG_STENCIL_INVERT: return 255 - stencil;
   }
   return stencil;
}

/* Both tests, and what becomes of the stencil by how they end. */
static bool
test_stencil_and_depth(const struct ref_output *output, bool is_front,
                       double depth, struct ref_sample *sample)
{
   const int side = !is_front && output->tests.stencil[1].enabled;
   const struct tg_stencil_state *state = &output->tests.stencil[side];
   const int ref = output->stencil_ref[side];
   const bool passes = passes_depth(output, sample, depth);
   if (!output->tests.stencil[0].enabled || !output->has_stencil)
      return passes;
   const bool stencil_passes = compare(state->func, ref & state->valuemask,
                                       sample->stencil & state->valuemask);
   const uint8_t op = !stencil_passes ? state->fail_op
                      : passes        ? state->zpass_op
                                      : state->zfail_op;
   const int value = stencil_op(op, sample->stencil, ref);
   sample->stencil = (uint8_t)((sample->stencil & ~state->writemask) |
                               (value & state->writemask));
   return stencil_passes && passes;
}

/* ---- blending ------------------------------------------------------------ */

struct sources {
   double source[4], source1[4], target[4], constant[4];
};

/* The factor of one channel. */
static double
factor(uint8_t factor, const struct sources *s, int c)
{
   switch ((enum tg_blend_factor)factor) {
   case TG_BLEND_ONE: return 1;
   case TG_BLEND_ZERO: return 0;
   case TG_BLEND_SRC_COLOR: return s->source[c];
   case TG_BLEND_INV_SRC_COLOR: return 1 - s->source[c];
   case TG_BLEND_SRC_ALPHA: return s->source[3];
   case TG_BLEND_INV_SRC_ALPHA: return 1 - s->source[3];
   case TG_BLEND_DST_COLOR: return s->target[c];
   case TG_BLEND_INV_DST_COLOR: return 1 - s->target[c];
   case TG_BLEND_DST_ALPHA: return s->target[3];
   case TG_BLEND_INV_DST_ALPHA: return 1 - s->target[3];
   case TG_BLEND_CONST_COLOR: return s->constant[c];
   case TG_BLEND_INV_CONST_COLOR: return 1 - s->constant[c];
   case TG_BLEND_CONST_ALPHA: return s->constant[3];
   case TG_BLEND_INV_CONST_ALPHA: return 1 - s->constant[3];
   case TG_BLEND_SRC1_COLOR: return s->source1[c];
   case TG_BLEND_INV_SRC1_COLOR: return 1 - s->source1[c];
   case TG_BLEND_SRC1_ALPHA: return s->source1[3];
   case TG_BLEND_INV_SRC1_ALPHA: return 1 - s->source1[3];
   case TG_BLEND_SRC_ALPHA_SATURATE:
      return c == 3 ? 1 : fmin(s->source[3], 1 - s->target[3]);
   }
   return 0;
}

static double
blend_channel(const struct tg_blend_target *state, const struct sources *s,
              int c)
{
   const bool is_alpha = c == 3;
   const uint8_t func = is_alpha ? state->alpha_func : state->rgb_func;
   const double a =
      s->source[c] *
      factor(is_alpha ? state->alpha_src_factor : state->rgb_src_factor, s, c);
   const double b =
      s->target[c] *
      factor(is_alpha ? state->alpha_dst_factor : state->rgb_dst_factor, s, c);
   switch ((enum tg_blend_func)func) {
   case TG_BLEND_ADD: return a + b;
   case TG_BLEND_SUBTRACT: return a - b;
   case TG_BLEND_REVERSE_SUBTRACT: return b - a;
   case TG_BLEND_MIN: return fmin(s->source[c], s->target[c]);
   case TG_BLEND_MAX: return fmax(s->source[c], s->target[c]);
   }
   return 0;
}

/* Sixteen operations by their truth table: bit 2 s + d of the number. */
static uint32_t
logic(uint8_t op, uint32_t source, uint32_t target, int bits)
{
   uint32_t result = 0;
   for (int i = 0; i < bits; i++) {
      const int s = source >> i & 1, d = target >> i & 1;
      result |= (uint32_t)(op >> (2 * s + d) & 1) << i;
   }
   return result;
}

/* ---- colours ------------------------------------------------------------- */

static double
from_srgb(double x)
{
   return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double
to_srgb(double x)
{
   return x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static bool
is_fixed_point(const struct ref_output *output)
{
   return output->kind == REF_UNORM || output->kind == REF_SRGB;
}

static double
load(const struct ref_output *output, const struct ref_sample *sample, int c)
{
   if (c == 3 && !output->has_alpha)
      return 1;
   if (!is_fixed_point(output))
      return sample->color[c];
   const double x = sample->color[c] / max_of(output->bits);
   return output->kind == REF_SRGB && c < 3 ? from_srgb(x) : x;
}

static double
store(const struct ref_output *output, double x, int c)
{
   if (output->kind == REF_UINT)
      return clamp(x, 0, max_of(output->bits));
   if (output->kind == REF_FLOAT)
      return x;
   x = clamp(x, 0, 1);
   if (output->kind == REF_SRGB && c < 3)
      x = to_srgb(x);
   return rint(x * max_of(output->bits));
}

static void
get_sources(const struct ref_output *output,
            const struct ref_fragment *fragment,
            const struct ref_sample *sample, struct sources *s)
{
   for (int c = 0; c < 4; c++) {
      s->source[c] = fragment->color[0][c];
      s->source1[c] = fragment->color[1][c];
      s->constant[c] = output->blend_color[c];
      if (is_fixed_point(output)) {
         s->source[c] = clamp(s->source[c], 0, 1);
         s->source1[c] = clamp(s->source1[c], 0, 1);
         s->constant[c] = clamp(s->constant[c], 0, 1);
      }
      s->target[c] = load(output, sample, c);
   }
}

static void
write_color(const struct ref_output *output,
            const struct ref_fragment *fragment, struct ref_sample *sample)
{
   const struct tg_blend_target *target = &output->blend.targets[0];
   const struct ref_sample old = *sample;
   struct sources sources;
   get_sources(output, fragment, &old, &sources);
   for (int c = 0; c < 4; c++) {
      if (!(target->colormask >> c & 1))
         continue;
      double value = store(output, sources.source[c], c);
      if (output->blend.logicop_enable) {
         if (output->kind == REF_UNORM || output->kind == REF_UINT)
            value = logic(output->blend.logicop_func, (uint32_t)value,
                          (uint32_t)old.color[c], output->bits);
      } else if (target->blend_enable && output->kind != REF_UINT) {
         value = store(output, blend_channel(target, &sources, c), c);
      }
      sample->color[c] = value;
   }
}

/* ---- everything ---------------------------------------------------------- */

bool
ref_output(const struct ref_output *output, const struct ref_fragment *fragment,
           struct ref_sample *sample)
{
   const struct tg_depth_stencil_alpha_state *tests = &output->tests;
   const double depth = ref_store_depth(output, fragment->depth);
   struct ref_fragment shaded = *fragment;
   if (output->blend.alpha_to_one && output->multisample)
      shaded.color[0][3] = shaded.color[1][3] = 1;
   if (tests->alpha_enabled && output->kind != REF_UINT &&
       !compare(tests->alpha_func, shaded.color[0][3],
                (double)tests->alpha_ref_value))
      return false;
   if (!passes_bounds(output, sample) ||
       !test_stencil_and_depth(output, fragment->is_front, depth, sample))
      return false;
   if (tests->depth_enabled && tests->depth_writemask && output->has_depth)
      sample->depth = depth;
   write_color(output, &shaded, sample);
   return true;
}
