/* SPDX-License-Identifier: MIT
 *
 * From the operands of a lane to what the reference sampler says of them. Which
 * component of which source means what: the tables of targets and opcodes.
 */
#include <math.h>
#include <string.h>

#include "case_parts.h"

static double
get_float(const struct texture_case *c, unsigned lane, unsigned source,
          unsigned component)
{
   float value;

   memcpy(&value, &c->sources[lane][source][component], sizeof(value));
   return value;
}

static int32_t
get_int(const struct texture_case *c, unsigned lane, unsigned source,
        unsigned component)
{
   return (int32_t)c->sources[lane][source][component];
}

/* x of the source that the opcode names, or w of the first. */
static double
get_operand(const struct texture_case *c, unsigned lane)
{
   return get_float(c, lane, get_operand_source(c), get_operand_component(c));
}

static bool
is_array(const struct texture_case *c)
{
   return tg_targets[c->target].flags & TG_TARGET_FLAG_ARRAY;
}

/* Single precision divides, as the shader does. */
static void
get_coord(const struct texture_case *c, unsigned lane, double coord[3])
{
   const float w = (float)get_float(c, lane, 0, 3);

   for (unsigned i = 0; i < 3; i++) {
      coord[i] =
         i < tg_targets[c->target].num_derivs ? get_float(c, lane, 0, i) : 0;
      if (texture_opcodes[c->opcode].divides)
         coord[i] = (float)coord[i] / w;
   }
}

static double
get_reference(const struct texture_case *c, unsigned lane)
{
   const unsigned component = tg_targets[c->target].reference;
   const float w = (float)get_float(c, lane, 0, 3);

   if (texture_opcodes[c->opcode].compares)
      return get_operand(c, lane);
   if (component > 4)
      return get_float(c, lane, 1, 0);
   const double reference =
      component ? get_float(c, lane, 0, component - 1) : 0;
   return texture_opcodes[c->opcode].divides ? (float)reference / w : reference;
}

static bool
does_compare(const struct texture_case *c)
{
   const bool is_shadow = tg_targets[c->target].flags & TG_TARGET_FLAG_SHADOW;

   return c->sampler.compares && (tg_opcodes[c->opcode].group == TG_GROUP_SAMPLE
                                     ? texture_opcodes[c->opcode].compares
                                     : is_shadow);
}

/* ---- the footprint ------------------------------------------------------- */

static struct reference_footprint
get_quad(const struct texture_case *c, unsigned lane)
{
   double coord[4][3];

   if (c->stage != TG_PROCESSOR_FRAG)
      return reference_explicit(0);
   for (unsigned i = 0; i < 4; i++)
      get_coord(c, (lane & ~3u) + i, coord[i]);
   return reference_quad(&c->subject.reference, &c->sampler, coord, lane);
}

static struct reference_footprint
get_derivatives(const struct texture_case *c, unsigned lane,
                const double coord[3])
{
   const unsigned source = get_operand_source(c);
   double d[2][3];

   for (unsigned i = 0; i < 3; i++) {
      const bool is_there = i < tg_targets[c->target].num_derivs;

      d[0][i] = is_there ? get_float(c, lane, source, i) : 0;
      d[1][i] = is_there ? get_float(c, lane, source + 1, i) : 0;
   }
   return reference_derivatives(&c->subject.reference, &c->sampler, coord, d[0],
                                d[1]);
}

static struct reference_footprint
get_footprint(const struct texture_case *c, unsigned lane,
              const double coord[3])
{
   switch ((enum texture_level)texture_opcodes[c->opcode].level) {
   case LEVEL_QUAD:
   case LEVEL_BIAS: return get_quad(c, lane);
   case LEVEL_ZERO: break;
   case LEVEL_LOD: return reference_explicit(get_operand(c, lane));
   case LEVEL_DERIVATIVES: return get_derivatives(c, lane, coord);
   }
   return reference_explicit(0);
}

static void
get_offset(const struct texture_case *c, unsigned lane, int offset[3])
{
   for (unsigned i = 0; i < 3; i++) {
      offset[i] = 0;
      if (c->num_offsets && i < tg_targets[c->target].num_offsets)
         offset[i] = c->varies_offset ? get_int(c, lane, CASE_OFFSETS, i)
                                      : c->offsets[0][i];
   }
}

static struct reference_lookup
get_lookup(const struct texture_case *c, unsigned lane)
{
   struct reference_lookup lookup = {
      .compares = does_compare(c),
      .reference = get_reference(c, lane),
   };

   get_coord(c, lane, lookup.coord);
   get_offset(c, lane, lookup.offset);
   if (is_array(c))
      lookup.layer =
         get_float(c, lane, 0, tg_targets[c->target].num_coords - 1u);
   lookup.footprint = get_footprint(c, lane, lookup.coord);
   if (texture_opcodes[c->opcode].level == LEVEL_BIAS)
      lookup.bias = get_operand(c, lane);
   return lookup;
}

/* ---- the forms ----------------------------------------------------------- */

static void
judge_lookup(const struct texture_case *c, unsigned lane,
             struct reference_result *result)
{
   const struct reference_lookup lookup = get_lookup(c, lane);

   reference_sample(&c->subject.reference, &c->sampler, &lookup, result);
}

/* TG4 chooses the component behind the view's swizzle; GATHER4 gathers red, and
 * the swizzle moves the four texels. */
static void
judge_gather(const struct texture_case *c, unsigned lane,
             struct reference_result *result)
{
   const uint8_t *swizzle = c->subject.reference.swizzle;
   const bool is_sample = c->opcode == TG_OPCODE_GATHER4;
   const int channel =
      is_sample || does_compare(c) ? TG_SWIZZLE_X : swizzle[c->component];
   struct reference_lookup lookup = get_lookup(c, lane);
   int offsets[4][3];

   memcpy(offsets, c->offsets, sizeof(offsets));
   reference_gather(&c->subject.reference, &c->sampler, &lookup,
                    channel <= TG_SWIZZLE_W ? channel : 0,
                    c->num_offsets == 4 ? offsets : NULL, result);
   for (int i = 0; channel > TG_SWIZZLE_W && i < 4; i++)
      result->value[i] = channel == TG_SWIZZLE_1;
   if (is_sample)
      reference_swizzle(swizzle, result->value);
}

static void
judge_fetch(const struct texture_case *c, unsigned lane,
            struct reference_result *result)
{
   const struct tg_target_info *target = &tg_targets[c->target];
   const bool is_msaa = tg_targets[c->view_target].flags & TG_TARGET_FLAG_MSAA;
   const unsigned operand = get_operand_source(c);
   const int32_t last = get_int(c, lane, operand, operand ? 0 : 3);
   const int slice = get_slice_component(c);
   int64_t coord[3] = {0}; /* x, y, slice */
   int64_t level = 0;
   int offset[3];

   get_offset(c, lane, offset);
   for (unsigned i = 0; i < target->num_derivs; i++)
      coord[i] = (int64_t)get_int(c, lane, 0, i) + offset[i];
   if (slice >= 0)
      coord[2] = get_int(c, lane, 0, (unsigned)slice);
   if (texture_opcodes[c->opcode].level == LEVEL_LOD && !is_msaa &&
       c->target != TG_TARGET_BUFFER)
      level = last;
   reference_fetch(&c->subject.reference, coord[0], coord[1], coord[2], level,
                   is_msaa ? last : 0, result);
}

static void
judge_size(const struct texture_case *c, unsigned lane,
           struct reference_result *result)
{
   const bool has_levels = c->view_target != TG_TARGET_BUFFER &&
                           c->view_target != TG_TARGET_RECT &&
                           !(tg_targets[c->target].flags & TG_TARGET_FLAG_MSAA);

   reference_query_size(&c->subject.reference,
                        has_levels ? (uint32_t)get_int(c, lane, 0, 0) : 0,
                        result);
   /* The text of 2011 leaves no place for the levels of a 1D array. */
   if (c->opcode == TG_OPCODE_RESINFO && c->view_target == TG_TARGET_1D_ARRAY)
      result->value[3] = 0;
}

/* One sample is none in 2011. */
static void
judge_samples(const struct texture_case *c, struct reference_result *result)
{
   const int count = c->subject.reference.num_samples;

   *result = (struct reference_result){.value[0] =
                                          c->is_old && count == 1 ? 0 : count};
}

/* In sixteenths of a pixel from its middle: Direct3D's standard patterns. */
static void
judge_position(const struct texture_case *c, unsigned lane,
               struct reference_result *result)
{
   static const int8_t positions[][2] = {
      {0, 0},  {4, 4},  {-4, -4}, {-2, -6}, {6, -2},  {-6, 2},  {2, 6},
      {1, -3}, {-1, 3}, {5, 1},   {-3, -5}, {-5, 5},  {-7, -1}, {3, 7},
      {7, -7}, {1, 1},  {-1, -3}, {-3, 2},  {4, -1},  {-5, -2}, {2, 5},
      {5, 3},  {3, -5}, {-2, 6},  {0, -7},  {-4, -6}, {-6, 4},  {-8, 0},
      {7, -4}, {6, 7},  {-7, -8}};
   const int count = c->subject.reference.num_samples;
   const int32_t index = c->is_short ? 0 : get_int(c, lane, 1, 0);
   const int8_t *position = positions[0];
   const bool is_there = index >= 0 && index < count;

   *result = (struct reference_result){0};
   if (c->is_old && (!is_there || count == 1))
      return; /* what there is not is at 0 */
   if (is_there)
      position = positions[count - 1 + index];
   result->value[0] = 0.5 + position[0] / 16.0;
   result->value[1] = 0.5 + position[1] / 16.0;
}

struct judgement
case_judge(const struct texture_case *c, unsigned lane)
{
   const enum format_class class =
      format_info(c->subject.recipe.view_format)->class;
   struct judgement judgement = {.is_integer = class != FORMAT_CLASS_FLOAT};
   struct reference_result *result = &judgement.result;

   switch ((enum texture_form)texture_opcodes[c->opcode].form) {
   case FORM_LOOKUP: judge_lookup(c, lane, result); break;
   case FORM_GATHER: judge_gather(c, lane, result); break;
   case FORM_FETCH: judge_fetch(c, lane, result); break;
   case FORM_LOD: {
      const struct reference_lookup lookup = get_lookup(c, lane);
      reference_query_lod(&c->subject.reference, &c->sampler, &lookup, result);
      judgement.is_integer = false;
      break;
   }
   case FORM_SIZE:
      judge_size(c, lane, result);
      judgement.is_integer = true;
      break;
   case FORM_SAMPLES:
      judge_samples(c, result);
      judgement.is_integer = true;
      break;
   case FORM_POSITION:
      judge_position(c, lane, result);
      judgement.is_integer = false;
      break;
   case FORM_NONE:
   case FORM_HANDLE: result->is_open = true; break;
   }
   /* Sizes do not look at the operand's swizzle. */
   if (texture_opcodes[c->opcode].form != FORM_SIZE) {
      reference_swizzle(c->swizzle, result->value);
      reference_swizzle(c->swizzle, result->tolerance);
   }
   return judgement;
}
