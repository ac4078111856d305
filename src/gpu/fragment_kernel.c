/* SPDX-License-Identifier: MIT
 *
 * The fragment kernel, as LIR. Inputs are interpolated where the shader reads
 * them; behind it come the depth test, unless it could be done before, and the
 * output of colours. Values that are needed twice are written twice: merging
 * them is a pass's work.
 */
#include "gpu/fragment_kernel.h"

#include "gpu/context.h"
#include "gpu/shape.h"
#include "lower/compare_func.h"
#include "lower/texel.h"

/* ---- interpolation ------------------------------------------------------- */

static lir_value
emit_constant(struct lir_builder *builder, uint32_t binding, uint32_t word)
{
   const lir_value index = lir_const32(builder, word);
   return lir_load32(builder, LIR_SPACE_CONST, binding, index);
}

/* The pixel's x or y, an integer. */
static lir_value
emit_pixel(struct lir_builder *builder, uint32_t axis)
{
   const lir_value index = lir_const32(builder, axis);
   return lir_load32(builder, LIR_SPACE_INPUT, 0, index);
}

/* From the triangle's reference to where the value is wanted, along one axis:
 * the pixel's centre, or `offset` from there. */
static lir_value
emit_distance(struct lir_builder *builder, uint32_t axis,
              const lir_value *offset)
{
   const lir_value pixel = emit_pixel(builder, axis);
   const lir_value corner = lir_i2f(builder, pixel);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value reference =
      emit_constant(builder, GPU_BINDING_STAGE, GPU_SHAPE_X + axis);
   const lir_value from_reference = lir_fsub(builder, corner, reference);
   const lir_value distance = lir_fadd(builder, from_reference, half);
   if (!offset)
      return distance;
   return lir_fadd(builder, distance, *offset);
}

/* The value of a plane of the triangle. `offset` as for INTERP_OFFSET, or
 * NULL. */
static lir_value
emit_plane(struct lir_builder *builder, uint32_t word, const lir_value *offset)
{
   const lir_value dx =
      emit_distance(builder, GPU_FRAGMENT_X, offset ? &offset[0] : NULL);
   const lir_value dy =
      emit_distance(builder, GPU_FRAGMENT_Y, offset ? &offset[1] : NULL);
   const lir_value a = emit_constant(builder, GPU_BINDING_STAGE, word);
   const lir_value da_dx = emit_constant(builder, GPU_BINDING_STAGE, word + 1);
   const lir_value da_dy = emit_constant(builder, GPU_BINDING_STAGE, word + 2);
   const lir_value along_x = lir_fmul(builder, dx, da_dx);
   const lir_value along_y = lir_fmul(builder, dy, da_dy);
   const lir_value in_row = lir_fadd(builder, a, along_x);
   return lir_fadd(builder, in_row, along_y);
}

static lir_value
emit_attribute(struct lir_builder *builder,
               const struct gpu_interface *interface, uint32_t attribute,
               unsigned channel, const lir_value *offset)
{
   const uint32_t word =
      GPU_SHAPE_ATTRIBUTES + (attribute * 4 + channel) * GPU_SHAPE_PLANE_WORDS;
   if (interface->interpolation[attribute] == GPU_INTERPOLATE_CONSTANT)
      return emit_constant(builder, GPU_BINDING_STAGE, word);

   const lir_value value = emit_plane(builder, word, offset);
   if (interface->interpolation[attribute] == GPU_INTERPOLATE_LINEAR)
      return value;
   const lir_value w = emit_plane(builder, GPU_SHAPE_W, offset);
   return lir_fdiv(builder, value, w);
}

/* ---- inputs -------------------------------------------------------------- */

/* x or y of POSITION, under the shader's conventions of origin and centre. */
static lir_value
emit_position_xy(struct lir_builder *builder,
                 const struct tg_gpu_shader *shader, unsigned axis)
{
   lir_value pixel = emit_pixel(builder, axis);
   if (axis == GPU_FRAGMENT_Y && shader->origin_lower_left) {
      const lir_value height =
         emit_constant(builder, GPU_BINDING_FRAME, GPU_FRAME_HEIGHT);
      const lir_value one = lir_const32(builder, 1);
      const lir_value last = lir_isub(builder, height, one);
      pixel = lir_isub(builder, last, pixel);
   }
   const lir_value corner = lir_i2f(builder, pixel);
   if (shader->center_integer)
      return corner;
   const lir_value half = lir_constf(builder, 0.5f);
   return lir_fadd(builder, corner, half);
}

static lir_value
emit_position(struct lir_builder *builder, const struct tg_gpu_shader *shader,
              unsigned channel)
{
   if (channel < 2)
      return emit_position_xy(builder, shader, channel);
   return emit_plane(builder, channel == 2 ? GPU_SHAPE_Z : GPU_SHAPE_W, NULL);
}

/* y, z or w of what has only an x. */
static lir_value
emit_default(struct lir_builder *builder, unsigned channel)
{
   return lir_constf(builder, channel == 3 ? 1.0f : 0.0f);
}

/* (value, 0, 0, 1) with `value` from the triangle's constants. */
static lir_value
emit_scalar_input(struct lir_builder *builder, uint32_t word, unsigned channel)
{
   if (channel)
      return emit_default(builder, channel);
   return emit_constant(builder, GPU_BINDING_STAGE, word);
}

/* Of a fog coordinate only x is the vertex shader's, in the dialects that say
 * so. */
static bool
is_forced(const struct tg_gpu_shader *shader, uint32_t reg, unsigned channel)
{
   return channel > 0 && shader->input[reg].name == TG_SEMANTIC_FOG &&
          shader->shader->dialect != TG_DIALECT_2019;
}

static lir_value
fragment_input(void *user, struct lir_builder *builder, uint32_t reg,
               unsigned channel, enum lower_place place, const lir_value at[2])
{
   const struct gpu_fragment_writer *writer = user;
   const struct gpu_semantic *input = &writer->shader->input[reg];
   switch (input->name) {
   case TG_SEMANTIC_POSITION:
      return emit_position(builder, writer->shader, channel);
   case TG_SEMANTIC_FACE:
      return emit_scalar_input(builder, GPU_SHAPE_FACE, channel);
   case TG_SEMANTIC_PRIM_ID:
      return emit_scalar_input(builder, GPU_SHAPE_ID, channel);
   }
   if (is_forced(writer->shader, reg, channel))
      return emit_default(builder, channel);

   /* With one sample a pixel, centroid and sample are its centre. */
   const int attribute = gpu_interface_find(writer->interface, reg);
   if (attribute < 0)
      return lir_const32(builder, 0);
   return emit_attribute(builder, writer->interface, (uint32_t)attribute,
                         channel, place == LOWER_PLACE_OFFSET ? at : NULL);
}

static lir_value
fragment_sysval(void *user, struct lir_builder *builder, uint32_t reg,
                unsigned channel)
{
   const struct gpu_fragment_writer *writer = user;
   const struct gpu_semantic *sysval = &writer->shader->sysval[reg];
   const lir_value zero = lir_const32(builder, 0);
   switch (sysval->name) {
   case TG_SEMANTIC_POSITION:
      return emit_position(builder, writer->shader, channel);
   case TG_SEMANTIC_SAMPLEPOS:
      return channel < 2 ? lir_constf(builder, 0.5f) : zero;
   }
   if (channel)
      return zero;
   switch (sysval->name) {
   case TG_SEMANTIC_FACE: {
      const lir_value face =
         emit_constant(builder, GPU_BINDING_STAGE, GPU_SHAPE_FACE);
      const lir_value is_front = lir_flt(builder, zero, face);
      return lir_b2i(builder, is_front);
   }
   case TG_SEMANTIC_PRIM_ID:
      return emit_constant(builder, GPU_BINDING_STAGE, GPU_SHAPE_ID);
   case TG_SEMANTIC_HELPER_INVOCATION: {
      const lir_value live = lir_live(builder);
      const lir_value is_helper = lir_bnot(builder, live);
      return lir_b2i(builder, is_helper);
   }
   case TG_SEMANTIC_SAMPLEMASK: return lir_const32(builder, 1);
   default: return zero;
   }
}

static void
fragment_pixel(void *user, struct lir_builder *builder, lir_value pixel[4])
{
   (void)user;
   for (unsigned i = 0; i < 4; i++)
      pixel[i] = i < 2 ? emit_pixel(builder, i) : lir_const32(builder, 0);
}

/* ---- depth --------------------------------------------------------------- */

static lir_value
emit_frame(struct lir_builder *builder, uint32_t word)
{
   return emit_constant(builder, GPU_BINDING_FRAME, word);
}

/* The first unit of the lane's pixel in a surface. */
static lir_value
emit_pixel_index(struct lir_builder *builder, uint32_t surface,
                 enum tg_format format)
{
   const lir_value x = emit_pixel(builder, GPU_FRAGMENT_X);
   const lir_value y = emit_pixel(builder, GPU_FRAGMENT_Y);
   const lir_value layer =
      emit_constant(builder, GPU_BINDING_STAGE, GPU_SHAPE_LAYER);
   const lir_value units = lir_const32(builder, format_info(format)->num_units);
   const lir_value pitch = emit_frame(builder, GPU_FRAME_ROW_PITCH + surface);
   const lir_value slice = emit_frame(builder, GPU_FRAME_SLICE_PITCH + surface);
   const lir_value offset = emit_frame(builder, GPU_FRAME_OFFSET + surface);
   const lir_value to_slice = lir_imul(builder, layer, slice);
   const lir_value to_row = lir_imul(builder, y, pitch);
   const lir_value to_pixel = lir_imul(builder, x, units);
   const lir_value first = lir_iadd(builder, offset, to_slice);
   const lir_value row = lir_iadd(builder, first, to_row);
   return lir_iadd(builder, row, to_pixel);
}

/* Which lanes pass; those that do write their depth, which is held to [0, 1].
 */
static lir_value
emit_depth_test(struct lir_builder *builder, const struct gpu_fragment_key *key,
                lir_value z)
{
   const lir_value clamped = lower_clamp01(builder, z);
   const lir_value index = emit_pixel_index(builder, GPU_BINDING_DEPTH,
                                            (enum tg_format)key->depth_format);
   const lir_value old =
      lir_load32(builder, LIR_SPACE_SURFACE, GPU_BINDING_DEPTH, index);
   const lir_value is_passed = lower_compare_floats(
      builder, (enum tg_compare)key->depth_func, clamped, old);
   if (!key->depth_write)
      return is_passed;

   const lir_value live = lir_live(builder);
   const lir_value writes = lir_band(builder, live, is_passed);
   lir_begin_if(builder, writes);
   lir_store32(builder, LIR_SPACE_SURFACE, GPU_BINDING_DEPTH, index, clamped);
   lir_end(builder);
   return is_passed;
}

/* ---- outputs ------------------------------------------------------------- */

/* The shader's output with a semantic, or -1. */
static int
find_output(const struct tg_gpu_shader *shader, enum tg_semantic name,
            uint32_t index)
{
   for (uint32_t i = 0; i < shader->layout.num_outputs; i++) {
      const struct gpu_semantic *output = &shader->output[i];
      if (output->declared && output->name == name && output->index == index)
         return (int)i;
   }
   return -1;
}

static lir_value
emit_output(struct lir_builder *builder, const uint32_t output_var[4],
            unsigned channel)
{
   if (output_var[channel] == UINT32_MAX)
      return lir_const32(builder, 0);
   return lir_getvar(builder, output_var[channel]);
}

static void
emit_color(const struct gpu_fragment_writer *writer,
           struct lir_builder *builder, const uint32_t (*output_var)[4],
           uint32_t surface)
{
   const enum tg_format format = writer->key->color_format[surface];
   const int output =
      find_output(writer->shader, TG_SEMANTIC_COLOR,
                  writer->shader->color0_writes_all ? 0 : surface);
   if (format == TG_FORMAT_NONE || output < 0)
      return;

   lir_value color[4];
   for (unsigned c = 0; c < 4; c++)
      color[c] = emit_output(builder, output_var[output], c);
   const lir_value index = emit_pixel_index(builder, surface, format);
   lower_texel_store(builder, format, LIR_SPACE_SURFACE, surface, index, color);
}

static lir_value
emit_fragment_z(const struct gpu_fragment_writer *writer,
                struct lir_builder *builder, const uint32_t (*output_var)[4])
{
   const int output = find_output(writer->shader, TG_SEMANTIC_POSITION, 0);
   if (output >= 0)
      return emit_output(builder, output_var[output], 2);
   return emit_plane(builder, GPU_SHAPE_Z, NULL);
}

/* May the test come before the shader? Not where the shader has a say in what
 * is written, unless it says that it does not mind. */
static bool
tests_early(const struct gpu_fragment_writer *writer)
{
   const struct tg_gpu_shader *shader = writer->shader;
   if (!writer->key->depth_enabled)
      return false;
   return shader->early_depth ||
          (!shader->kills && !shader->writes_memory &&
           find_output(shader, TG_SEMANTIC_POSITION, 0) < 0);
}

/* Lanes that fail run on as helpers, and a wave in which all fail ends. */
static void
fragment_prologue(void *user, struct lir_builder *builder)
{
   const struct gpu_fragment_writer *writer = user;
   if (!tests_early(writer))
      return;

   const lir_value z = emit_plane(builder, GPU_SHAPE_Z, NULL);
   const lir_value is_passed = emit_depth_test(builder, writer->key, z);
   const lir_value is_failed = lir_bnot(builder, is_passed);
   lir_kill(builder, is_failed);
   const lir_value live = lir_live(builder);
   const lir_value lanes = lir_ballot(builder, live);
   const lir_value none = lir_const32(builder, 0);
   const lir_value is_done = lir_ieq(builder, lanes, none);
   lir_begin_if(builder, is_done);
   lir_br(builder, 0);
   lir_end(builder);
}

static void
fragment_epilogue(void *user, struct lir_builder *builder,
                  const uint32_t (*output_var)[4], uint32_t num_outputs)
{
   const struct gpu_fragment_writer *writer = user;
   const struct gpu_fragment_key *key = writer->key;
   (void)num_outputs;

   lir_value writes = lir_live(builder);
   if (key->depth_enabled && !tests_early(writer)) {
      const lir_value z = emit_fragment_z(writer, builder, output_var);
      const lir_value is_passed = emit_depth_test(builder, key, z);
      writes = lir_band(builder, writes, is_passed);
   }
   lir_begin_if(builder, writes);
   for (uint32_t i = 0; i < key->num_colors; i++)
      emit_color(writer, builder, output_var, i);
   lir_end(builder);
}

/* ---- the kernel ---------------------------------------------------------- */

enum tg_result
gpu_fragment_write_kernel(void *user, const void *key,
                          struct lir_module *module,
                          struct tg_diagnostics *diagnostics)
{
   struct gpu_fragment_writer *writer = user;
   writer->key = key;
   const struct lower_stage stage = {
      .user = writer,
      .prologue = fragment_prologue,
      .input = fragment_input,
      .sysval = fragment_sysval,
      .epilogue = fragment_epilogue,
      .pixel = fragment_pixel,
   };
   const struct lower_options options = {
      .stage = &stage,
      .keys = &writer->key->bound,
      .check = writer->is_checked,
   };
   return lower_shader(writer->shader->shader, &options, module, diagnostics);
}
