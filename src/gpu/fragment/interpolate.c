/* SPDX-License-Identifier: MIT
 *
 * Attribute interpolation: where a lane is in the pixel, and the values of
 * planes there.
 */
#include "gpu/fragment/fragment_parts.h"

#include <assert.h>

#include "abi/tables.h"
#include "util/length.h"

/* Attributes that are interpolated before the shader: more would have to be
 * kept in memory. */
enum { MOST_INTERPOLATED = 4 };

/* ---- places -------------------------------------------------------------- */

/* abi_tables has places in sixteenths. */
enum { PLACE_UNITS = 16, PLACE_CENTER = PLACE_UNITS / 2 };

struct fragment_place
fragment_interpolation_center(struct lir_builder *builder)
{
   const lir_value half = lir_constf(builder, 0.5f);
   return (struct fragment_place){half, half};
}

static uint32_t
first_position(const struct fragment_kernel *kernel)
{
   return ABI_TABLE_POSITIONS + (kernel->key->num_samples - 1u) * 2;
}

/* One coordinate of a sample, a number that is known. */
static float
sample_coordinate(const struct fragment_kernel *kernel, unsigned number,
                  unsigned axis)
{
   assert(number < kernel->key->num_samples);
   assert(axis < 2);
   const uint32_t entry = first_position(kernel) + number * 2 + axis;
   return (float)abi_tables[entry] / PLACE_UNITS;
}

static struct fragment_place
known_sample(struct lir_builder *builder, const struct fragment_kernel *kernel,
             unsigned number)
{
   const float at_x = sample_coordinate(kernel, number, 0);
   const float at_y = sample_coordinate(kernel, number, 1);
   const lir_value x = lir_constf(builder, at_x);
   const lir_value y = lir_constf(builder, at_y);
   return (struct fragment_place){x, y};
}

static lir_value
load_coordinate(struct lir_builder *builder,
                const struct fragment_kernel *kernel, lir_value number,
                unsigned axis)
{
   assert(axis < 2);
   const lir_value count = lir_const32(builder, kernel->key->num_samples);
   const lir_value first = lir_const32(builder, first_position(kernel) + axis);
   const lir_value one = lir_const32(builder, 1);
   const lir_value twice = lir_ishl(builder, number, one);
   const lir_value entry = lir_iadd(builder, first, twice);
   const lir_value units = abi_table_lookup(builder, entry);
   const lir_value exists = lir_ult(builder, number, count);
   const lir_value center = lir_const32(builder, PLACE_CENTER);
   const lir_value chosen = lir_sel32(builder, exists, units, center);
   const lir_value value = lir_u2f(builder, chosen);
   const lir_value scale = lir_constf(builder, 1.0f / PLACE_UNITS);
   return lir_fmul(builder, value, scale);
}

struct fragment_place
fragment_interpolation_sample(struct lir_builder *builder,
                              const struct fragment_kernel *kernel,
                              lir_value number)
{
   if (kernel->key->num_samples == 1)
      return fragment_interpolation_center(builder);
   const lir_value x = load_coordinate(builder, kernel, number, 0);
   const lir_value y = load_coordinate(builder, kernel, number, 1);
   return (struct fragment_place){x, y};
}

struct fragment_place
fragment_interpolation_place(struct lir_builder *builder,
                             const struct fragment_kernel *kernel)
{
   if (!kernel->key->is_per_sample)
      return fragment_interpolation_center(builder);
   const lir_value number = fragment_input_word(builder, GPU_FRAGMENT_SAMPLE);
   return fragment_interpolation_sample(builder, kernel, number);
}

/* Where samples are shaded by themselves all is taken there. */
bool
fragment_is_at_own_place(const struct fragment_kernel *kernel, uint32_t reg)
{
   assert(reg < TG_LENGTH(kernel->shader->input));
   return kernel->shader->input[reg].location != TG_LOCATION_CENTROID ||
          kernel->key->is_per_sample;
}

/* A helper without samples finds -1, which is no sample. */
struct fragment_place
fragment_interpolation_centroid(struct lir_builder *builder,
                                const struct fragment_kernel *kernel)
{
   if (kernel->key->num_samples == 1)
      return fragment_interpolation_center(builder);
   const lir_value covered =
      fragment_input_word(builder, GPU_FRAGMENT_COVERAGE);
   const lir_value all = lir_const32(builder, fragment_all_samples(kernel));
   const lir_value is_full = lir_ieq(builder, covered, all);
   const lir_value none = lir_const32(builder, UINT32_MAX);
   const lir_value first = lir_ilsb(builder, covered);
   const lir_value number = lir_sel32(builder, is_full, none, first);
   return fragment_interpolation_sample(builder, kernel, number);
}

/* ---- planes -------------------------------------------------------------- */

/* From the shape's reference to the place, along one axis. All are multiples of
 * 1/16 that floats hold, so the order does not count, and what does not wait
 * for the pixel comes first. */
static lir_value
distance(struct lir_builder *builder, uint32_t axis, lir_value place)
{
   const lir_value pixel = fragment_pixel_word(builder, axis);
   const lir_value corner = lir_i2f(builder, pixel);
   const lir_value reference = fragment_shape_word(builder, GPU_SHAPE_X + axis);
   const lir_value from_reference = lir_fsub(builder, place, reference);
   return lir_fadd(builder, corner, from_reference);
}

lir_value
fragment_interpolated_plane(struct lir_builder *builder, uint32_t word,
                            const struct fragment_place *place)
{
   const lir_value dx = distance(builder, 0, place->x);
   const lir_value dy = distance(builder, 1, place->y);
   const lir_value a = fragment_shape_word(builder, word);
   const lir_value da_dx = fragment_shape_word(builder, word + GPU_PLANE_DX);
   const lir_value da_dy = fragment_shape_word(builder, word + GPU_PLANE_DY);
   const lir_value in_row = lir_ffma(builder, dx, da_dx, a);
   return lir_ffma(builder, dy, da_dy, in_row);
}

/* Each is divided by 1 / w itself: where an attribute is as a constant times
 * it, as 1.0 is, nothing is lost. */
lir_value
fragment_interpolated_attribute(struct lir_builder *builder,
                                const struct fragment_kernel *kernel,
                                uint32_t attribute, unsigned channel,
                                const struct fragment_place *place)
{
   assert(attribute < TG_LENGTH(kernel->key->interpolation));
   const unsigned interpolation = kernel->key->interpolation[attribute];
   const uint32_t word = gpu_shape_attribute(attribute, channel);
   if (interpolation == GPU_INTERPOLATE_CONSTANT)
      return fragment_shape_word(builder, word);

   const lir_value value = fragment_interpolated_plane(builder, word, place);
   if (interpolation == GPU_INTERPOLATE_LINEAR)
      return value;
   const lir_value w = fragment_interpolated_plane(builder, GPU_SHAPE_W, place);
   return lir_fdiv(builder, value, w);
}

/* ---- perspective --------------------------------------------------------- */

static bool
is_perspective(const struct fragment_kernel *kernel, uint32_t attribute)
{
   const uint32_t reg = kernel->interface->input[attribute];
   return kernel->key->interpolation[attribute] ==
             GPU_INTERPOLATE_PERSPECTIVE &&
          fragment_is_at_own_place(kernel, reg);
}

/* Sets a new variable; 0, and a builder that has failed, when out of memory. */
static uint32_t
set_new_var(struct lir_builder *builder, lir_value value)
{
   const uint32_t var =
      lir_module_add_var(builder->module, LIR_TYPE_B32, "interpolated");
   if (var == UINT32_MAX) {
      builder->failed = true;
      return 0;
   }
   lir_setvar(builder, var, value);
   return var;
}

/* Gives the first few attributes variables, with their planes' values. Returns
 * how many there are. */
static unsigned
interpolate_planes(struct lir_builder *builder, struct fragment_kernel *kernel,
                   const struct fragment_place *place)
{
   const uint32_t num_attributes = kernel->interface->num_attributes;
   unsigned num = 0;
   for (uint32_t i = 0; i < num_attributes && num < MOST_INTERPOLATED; i++) {
      if (!is_perspective(kernel, i))
         continue;
      for (unsigned c = 0; c < 4; c++) {
         const lir_value value = fragment_interpolated_plane(
            builder, gpu_shape_attribute(i, c), place);
         kernel->attribute_var[i][c] = set_new_var(builder, value);
      }
      kernel->is_interpolated[i] = true;
      num++;
   }
   return num;
}

/* Divisions of several values by one. A division takes as long as some ten
 * multiply-adds, so where there are many, a divisor is inverted once, and each
 * product with the inverse is corrected to the quotient, which it is unless
 * something overflows or is denormal (Markstein, Computation of elementary
 * functions on the IBM RISC System/6000 processor, 1990). */
struct divisor {
   lir_value number;
   bool is_inverted;
   lir_value inverse, negative;
};

static struct divisor
make_divisor(struct lir_builder *builder, lir_value number, bool is_inverted)
{
   struct divisor divisor = {.number = number, .is_inverted = is_inverted};
   if (is_inverted) {
      const lir_value one = lir_constf(builder, 1.0f);
      divisor.inverse = lir_fdiv(builder, one, number);
      divisor.negative = lir_fneg(builder, number);
   }
   return divisor;
}

static lir_value
divide(struct lir_builder *builder, lir_value value,
       const struct divisor *divisor)
{
   if (!divisor->is_inverted)
      return lir_fdiv(builder, value, divisor->number);
   const lir_value product = lir_fmul(builder, value, divisor->inverse);
   const lir_value rest = lir_ffma(builder, product, divisor->negative, value);
   return lir_ffma(builder, rest, divisor->inverse, product);
}

static void
divide_planes(struct lir_builder *builder, const struct fragment_kernel *kernel,
              const struct divisor *w)
{
   for (uint32_t i = 0; i < kernel->interface->num_attributes; i++) {
      for (unsigned c = 0; c < 4 && kernel->is_interpolated[i]; c++) {
         const uint32_t var = kernel->attribute_var[i][c];
         const lir_value value = lir_getvar(builder, var);
         const lir_value quotient = divide(builder, value, w);
         lir_setvar(builder, var, quotient);
      }
   }
}

void
fragment_interpolate(struct lir_builder *builder,
                     struct fragment_kernel *kernel)
{
   const struct fragment_place place =
      fragment_interpolation_place(builder, kernel);
   const unsigned num = interpolate_planes(builder, kernel, &place);
   if (num == 0)
      return;
   const lir_value w =
      fragment_interpolated_plane(builder, GPU_SHAPE_W, &place);
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value zero = lir_const32(builder, 0);
   const lir_value differs = lir_fne(builder, w, one);
   const lir_value lanes = lir_ballot(builder, differs);
   const lir_value any = lir_ine(builder, lanes, zero);
   lir_begin_if(builder, any);
   const struct divisor divisor = make_divisor(builder, w, num > 1);
   divide_planes(builder, kernel, &divisor);
   lir_end(builder);
}

/* ---- depth --------------------------------------------------------------- */

/* From the centre's z, so that several samples share what leads there. */
static lir_value
z_at(struct lir_builder *builder, const struct fragment_place *place)
{
   const struct fragment_place center = fragment_interpolation_center(builder);
   const lir_value z =
      fragment_interpolated_plane(builder, GPU_SHAPE_Z, &center);
   const lir_value dz_dx =
      fragment_shape_word(builder, GPU_SHAPE_Z + GPU_PLANE_DX);
   const lir_value dz_dy =
      fragment_shape_word(builder, GPU_SHAPE_Z + GPU_PLANE_DY);
   const lir_value dx = lir_fsub(builder, place->x, center.x);
   const lir_value dy = lir_fsub(builder, place->y, center.y);
   const lir_value in_row = lir_ffma(builder, dx, dz_dx, z);
   return lir_ffma(builder, dy, dz_dy, in_row);
}

static lir_value
center_z(struct lir_builder *builder)
{
   const struct fragment_place center = fragment_interpolation_center(builder);
   return fragment_interpolated_plane(builder, GPU_SHAPE_Z, &center);
}

lir_value
fragment_interpolated_z(struct lir_builder *builder,
                        const struct fragment_kernel *kernel)
{
   if (!kernel->key->is_per_sample || kernel->key->is_by_pixel)
      return center_z(builder);
   const struct fragment_place place =
      fragment_interpolation_place(builder, kernel);
   return z_at(builder, &place);
}

lir_value
fragment_interpolated_sample_z(struct lir_builder *builder,
                               const struct fragment_kernel *kernel,
                               unsigned number)
{
   if (kernel->key->is_by_pixel)
      return center_z(builder);
   const struct fragment_place place = known_sample(builder, kernel, number);
   return z_at(builder, &place);
}
