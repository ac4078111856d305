/* SPDX-License-Identifier: MIT
 *
 * Inputs and system values of a fragment shader, by semantic.
 */
#include "gpu/fragment/fragment_parts.h"

#include <assert.h>

#include "util/length.h"

/* ---- places -------------------------------------------------------------- */

/* Where samples are shaded by themselves all is taken there. */
static struct fragment_place
declared_place(struct lir_builder *builder,
               const struct fragment_kernel *kernel, uint32_t reg)
{
   return fragment_is_at_own_place(kernel, reg)
             ? fragment_interpolation_place(builder, kernel)
             : fragment_interpolation_centroid(builder, kernel);
}

static struct fragment_place
find_place(struct lir_builder *builder, const struct fragment_kernel *kernel,
           uint32_t reg, enum lower_place place, const lir_value at[2])
{
   struct fragment_place found;
   switch (place) {
   case LOWER_PLACE_CENTROID:
      return fragment_interpolation_centroid(builder, kernel);
   case LOWER_PLACE_SAMPLE:
      return fragment_interpolation_sample(builder, kernel, at[0]);
   case LOWER_PLACE_OFFSET:
      found = fragment_interpolation_center(builder);
      found.x = lir_fadd(builder, found.x, at[0]);
      found.y = lir_fadd(builder, found.y, at[1]);
      return found;
   default: return declared_place(builder, kernel, reg);
   }
}

/* ---- values -------------------------------------------------------------- */

/* y, z or w of what has only an x. */
static lir_value
default_channel(struct lir_builder *builder, unsigned channel)
{
   return lir_constf(builder, channel == 3 ? 1.0f : 0.0f);
}

/* (word, 0, 0, 1) */
static lir_value
shape_scalar(struct lir_builder *builder, uint32_t word, unsigned channel)
{
   if (channel)
      return default_channel(builder, channel);
   return fragment_shape_word(builder, word);
}

/* x or y of POSITION, under the shader's conventions of origin and centre. */
static lir_value
window_coordinate(struct lir_builder *builder,
                  const struct fragment_kernel *kernel, unsigned axis,
                  lir_value place)
{
   lir_value pixel = fragment_pixel_word(builder, axis);
   if (axis == 1 && kernel->shader->origin_lower_left) {
      const lir_value height = fragment_frame_word(builder, GPU_FRAME_HEIGHT);
      const lir_value one_row = lir_const32(builder, 1);
      const lir_value one = lir_constf(builder, 1.0f);
      const lir_value last = lir_isub(builder, height, one_row);
      pixel = lir_isub(builder, last, pixel);
      place = lir_fsub(builder, one, place);
   }
   const lir_value corner = lir_i2f(builder, pixel);
   if (kernel->shader->center_integer) {
      const lir_value half = lir_constf(builder, 0.5f);
      place = lir_fsub(builder, place, half);
   }
   return lir_fadd(builder, corner, place);
}

static lir_value
position(struct lir_builder *builder, const struct fragment_kernel *kernel,
         unsigned channel, const struct fragment_place *place)
{
   assert(channel < 4);
   switch (channel) {
   case 0: return window_coordinate(builder, kernel, 0, place->x);
   case 1: return window_coordinate(builder, kernel, 1, place->y);
   case 2: return fragment_interpolated_plane(builder, GPU_SHAPE_Z, place);
   default: return fragment_interpolated_plane(builder, GPU_SHAPE_W, place);
   }
}

/* The lane's own position, with the z of its tests. */
static lir_value
own_position(struct lir_builder *builder, const struct fragment_kernel *kernel,
             unsigned channel)
{
   if (channel == 2)
      return fragment_interpolated_z(builder, kernel);
   const struct fragment_place place =
      fragment_interpolation_place(builder, kernel);
   return position(builder, kernel, channel, &place);
}

/* ---- inputs -------------------------------------------------------------- */

/* A fog coordinate of which only x is the vertex shader's. */
static bool
is_forced(const struct tg_gpu_shader *shader, uint32_t reg, unsigned channel)
{
   assert(reg < TG_LENGTH(shader->input));
   return channel > 0 && shader->input[reg].name == TG_SEMANTIC_FOG &&
          tg_dialect_row(shader->shader->dialect)->fog_x;
}

/* What no output matches. */
static lir_value
missing_attribute(struct lir_builder *builder, unsigned semantic,
                  unsigned channel)
{
   if (semantic == TG_SEMANTIC_FOG)
      return default_channel(builder, channel);
   return lir_const32(builder, 0);
}

static lir_value
attribute_input(struct lir_builder *builder,
                const struct fragment_kernel *kernel, uint32_t reg,
                unsigned channel, enum lower_place where,
                const struct fragment_place *place)
{
   const struct tg_gpu_shader *shader = kernel->shader;
   if (is_forced(shader, reg, channel))
      return default_channel(builder, channel);

   const int attribute = gpu_link_interface_find(kernel->interface, reg);
   if (attribute < 0 ||
       kernel->key->interpolation[attribute] == GPU_INTERPOLATE_NOTHING)
      return missing_attribute(builder, shader->input[reg].name, channel);
   if (where == LOWER_PLACE_DECLARED && kernel->is_interpolated[attribute])
      return lir_getvar(builder, kernel->attribute_var[attribute][channel]);
   return fragment_interpolated_attribute(builder, kernel, (uint32_t)attribute,
                                          channel, place);
}

lir_value
fragment_input(void *user, struct lir_builder *builder, uint32_t reg,
               unsigned channel, enum lower_place where, const lir_value at[2])
{
   const struct fragment_kernel *kernel = user;
   const struct fragment_place place =
      find_place(builder, kernel, reg, where, at);
   assert(reg < TG_LENGTH(kernel->shader->input));
   switch (kernel->shader->input[reg].name) {
   case TG_SEMANTIC_POSITION:
      if (where == LOWER_PLACE_DECLARED)
         return own_position(builder, kernel, channel);
      return position(builder, kernel, channel, &place);
   case TG_SEMANTIC_FACE: return shape_scalar(builder, GPU_SHAPE_FACE, channel);
   case TG_SEMANTIC_PRIM_ID:
      return shape_scalar(builder, GPU_SHAPE_ID, channel);
   case TG_SEMANTIC_LAYER:
      return shape_scalar(builder, GPU_SHAPE_WRITTEN_LAYER, channel);
   case TG_SEMANTIC_VIEWPORT_INDEX:
      return shape_scalar(builder, GPU_SHAPE_WRITTEN_VIEWPORT, channel);
   default:
      return attribute_input(builder, kernel, reg, channel, where, &place);
   }
}

/* ---- system values ------------------------------------------------------- */

/* All the lanes' masks fit into x. */
static lir_value
subgroup_value(struct lir_builder *builder, unsigned semantic)
{
   const lir_value lane = lir_lane(builder);
   const lir_value one = lir_const32(builder, 1);
   const lir_value all = lir_const32(builder, (UINT32_C(1) << LIR_LANES) - 1);
   const lir_value bit = lir_ishl(builder, one, lane);
   const lir_value below = lir_isub(builder, bit, one);
   const lir_value up_to = lir_ior(builder, below, bit);
   switch (semantic) {
   case TG_SEMANTIC_SUBGROUP_SIZE: return lir_const32(builder, LIR_LANES);
   case TG_SEMANTIC_SUBGROUP_INVOCATION: return lane;
   case TG_SEMANTIC_SUBGROUP_EQ_MASK: return bit;
   case TG_SEMANTIC_SUBGROUP_GE_MASK: return lir_ixor(builder, all, below);
   case TG_SEMANTIC_SUBGROUP_GT_MASK: return lir_ixor(builder, all, up_to);
   case TG_SEMANTIC_SUBGROUP_LE_MASK: return up_to;
   default: return below;
   }
}

/* Samples that the shape covers; with FS_POST_DEPTH_COVERAGE, those of them
 * that passed the tests. Without multisampling 1 (2019, SAMPLEMASK). */
static lir_value
sample_mask(struct lir_builder *builder, const struct fragment_kernel *kernel)
{
   const lir_value one = lir_const32(builder, 1);
   if (!fragment_is_multisampled(kernel))
      return one;
   if (kernel->key->is_per_sample) {
      const lir_value number =
         fragment_input_word(builder, GPU_FRAGMENT_SAMPLE);
      return lir_ishl(builder, one, number);
   }
   if (kernel->shader->post_depth_coverage)
      return kernel->covered;
   return fragment_input_word(builder, GPU_FRAGMENT_COVERAGE);
}

static lir_value
own_sample(struct lir_builder *builder, const struct fragment_kernel *kernel)
{
   if (!kernel->key->is_per_sample)
      return lir_const32(builder, 0);
   return fragment_input_word(builder, GPU_FRAGMENT_SAMPLE);
}

static lir_value
sample_position(struct lir_builder *builder,
                const struct fragment_kernel *kernel, unsigned channel)
{
   const struct fragment_place place =
      fragment_interpolation_place(builder, kernel);
   if (channel > 1)
      return lir_const32(builder, 0);
   return channel ? place.y : place.x;
}

/* x of those that have no more. */
static lir_value
scalar_sysval(struct lir_builder *builder, const struct fragment_kernel *kernel,
              unsigned semantic)
{
   switch (semantic) {
   case TG_SEMANTIC_FACE: {
      const lir_value is_front = fragment_is_front(builder);
      return lir_b2i(builder, is_front);
   }
   case TG_SEMANTIC_PRIM_ID: return fragment_shape_word(builder, GPU_SHAPE_ID);
   case TG_SEMANTIC_LAYER:
      return fragment_shape_word(builder, GPU_SHAPE_WRITTEN_LAYER);
   case TG_SEMANTIC_VIEWPORT_INDEX:
      return fragment_shape_word(builder, GPU_SHAPE_WRITTEN_VIEWPORT);
   case TG_SEMANTIC_SAMPLEID: return own_sample(builder, kernel);
   case TG_SEMANTIC_SAMPLEMASK: return sample_mask(builder, kernel);
   case TG_SEMANTIC_HELPER_INVOCATION: {
      const lir_value is_helper = lir_bnot(builder, kernel->was_live);
      return lir_b2i(builder, is_helper);
   }
   case TG_SEMANTIC_SUBGROUP_SIZE:
   case TG_SEMANTIC_SUBGROUP_INVOCATION:
   case TG_SEMANTIC_SUBGROUP_EQ_MASK:
   case TG_SEMANTIC_SUBGROUP_GE_MASK:
   case TG_SEMANTIC_SUBGROUP_GT_MASK:
   case TG_SEMANTIC_SUBGROUP_LE_MASK:
   case TG_SEMANTIC_SUBGROUP_LT_MASK: return subgroup_value(builder, semantic);
   default: return lir_const32(builder, 0);
   }
}

lir_value
fragment_sysval(void *user, struct lir_builder *builder, uint32_t reg,
                unsigned channel)
{
   const struct fragment_kernel *kernel = user;
   assert(reg < TG_LENGTH(kernel->shader->sysval));
   const unsigned semantic = kernel->shader->sysval[reg].name;
   if (semantic == TG_SEMANTIC_POSITION)
      return own_position(builder, kernel, channel);
   if (semantic == TG_SEMANTIC_SAMPLEPOS)
      return sample_position(builder, kernel, channel);
   if (channel == 0)
      return scalar_sysval(builder, kernel, semantic);
   return lir_const32(builder, semantic == TG_SEMANTIC_FACE && channel == 3);
}

/* ---- the framebuffer ----------------------------------------------------- */

void
fragment_pixel(void *user, struct lir_builder *builder, lir_value pixel_out[4])
{
   const struct fragment_kernel *kernel = user;
   pixel_out[0] = fragment_pixel_word(builder, 0);
   pixel_out[1] = fragment_pixel_word(builder, 1);
   pixel_out[2] = fragment_shape_word(builder, GPU_SHAPE_LAYER);
   pixel_out[3] = own_sample(builder, kernel);
}
