/* SPDX-License-Identifier: MIT
 *
 * Texture opcodes that name a sampler, and mean the view of the same number:
 * which component of which operand is what, by opcode and target.
 */
#include "lower/texture/texture.h"

#include <assert.h>

#include "lower/operands/location.h"
#include "lower/operands/operands.h"

/* ---- operands ------------------------------------------------------------ */

bool
texture_has_levels(enum tg_target target)
{
   assert(target < TG_NUM_TARGETS);
   return target != TG_TARGET_BUFFER &&
          !(tg_target_row(target)->flags & TG_TARGET_FLAG_MSAA);
}

void
texture_read_coordinates(struct lower_context *context, struct texture *texture,
                         enum tg_target target, unsigned src)
{
   assert(src < context->instruction->num_src);
   const struct tg_target_info *info = tg_target_row(target);

   texture->kind.target = info->plain;
   for (unsigned i = 0; i < info->num_derivs; i++)
      texture->argument[SAMPLE_COORD + i] = lower_src(context, src, i);
   if (info->flags & TG_TARGET_FLAG_ARRAY)
      texture->argument[SAMPLE_LAYER] =
         lower_src(context, src, info->num_coords - 1u);
}

/* Of a shadow target; the last has it in an operand of its own. */
static void
read_reference(struct lower_context *context, struct texture *texture)
{
   const struct tg_target_info *info =
      tg_target_row(context->instruction->target);

   if (!(info->flags & TG_TARGET_FLAG_SHADOW))
      return;
   texture->kind.compares = true;
   texture->argument[SAMPLE_REFERENCE] =
      info->reference > 4 ? lower_src(context, 1, 0)
                          : lower_src(context, 0, info->reference - 1u);
}

void
texture_read_offsets(struct lower_context *context, struct texture *texture)
{
   const struct tg_instruction *instruction = context->instruction;
   const unsigned num_axes = tg_target_row(texture->kind.target)->num_offsets;

   texture->kind.num_offsets = instruction->num_tex_offsets;
   for (unsigned i = 0; i < instruction->num_tex_offsets; i++) {
      const struct tg_tex_offset *offset = &instruction->tex_offset[i];
      const struct lower_location location = lower_locate_direct(
         context, (enum tg_file)offset->file, (uint32_t)offset->index);
      for (unsigned a = 0; a < num_axes; a++)
         texture->argument[SAMPLE_OFFSET + 3 * i + a] =
            lower_load_location(context, &location, offset->swizzle[a]);
   }
}

/* ---- level of detail ----------------------------------------------------- */

void
texture_give_lod(struct texture *texture, lir_value lod)
{
   texture->kind.lod = SAMPLE_LOD_GIVEN;
   texture->argument[SAMPLE_LEVEL] = lod;
}

static bool
has_quads(const struct lower_context *context)
{
   return context->shader->processor == TG_PROCESSOR_FRAG;
}

/* One for the whole quad: right minus left in the lower row, bottom minus top
 * in the left column. */
static void
derive(struct lower_context *context, struct texture *texture)
{
   struct lir_builder *builder = &context->builder;
   const unsigned num_derivs = tg_target_row(texture->kind.target)->num_derivs;
   const lir_value lower_left = lir_const32(builder, 2);

   for (unsigned i = 0; i < num_derivs; i++) {
      const lir_value coord = texture->argument[SAMPLE_COORD + i];
      const lir_value dx = lir_fddx(builder, coord);
      const lir_value dy = lir_fddy(builder, coord);
      texture->argument[SAMPLE_DX + i] = lir_read_quad(builder, dx, lower_left);
      texture->argument[SAMPLE_DY + i] = lir_read_quad(builder, dy, lower_left);
   }
}

void
texture_derive_lod(struct lower_context *context, struct texture *texture)
{
   if (!has_quads(context)) {
      texture_give_lod(texture, lir_constf(&context->builder, 0.0f));
      return;
   }
   texture->kind.lod = SAMPLE_LOD_DERIVED;
   derive(context, texture);
}

void
texture_bias_lod(struct lower_context *context, struct texture *texture,
                 lir_value bias)
{
   texture_give_lod(texture, bias);
   if (!has_quads(context))
      return;
   texture->kind.lod = SAMPLE_LOD_DERIVED_BIAS;
   derive(context, texture);
}

void
texture_read_derivatives(struct lower_context *context, struct texture *texture,
                         unsigned dx, unsigned dy)
{
   const unsigned num_derivs = tg_target_row(texture->kind.target)->num_derivs;

   texture->kind.lod = SAMPLE_LOD_DERIVED;
   for (unsigned i = 0; i < num_derivs; i++) {
      texture->argument[SAMPLE_DX + i] = lower_src(context, dx, i);
      texture->argument[SAMPLE_DY + i] = lower_src(context, dy, i);
   }
}

/* ---- the opcodes --------------------------------------------------------- */

static struct texture
read_texture(struct lower_context *context, enum sample_operation operation)
{
   struct texture texture = {.kind.operation = (uint8_t)operation};

   texture_read_coordinates(context, &texture, context->instruction->target, 0);
   read_reference(context, &texture);
   texture_read_offsets(context, &texture);
   return texture;
}

/* The sampler is always the last operand. */
static void
give_texture(struct lower_context *context, const struct texture *texture)
{
   lir_value result[4];

   texture_look_up(context, texture, context->instruction->num_src - 1u,
                   result);
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, result[c]);
}

/* TEX and TEX2. */
void
lower_op_tex(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_derive_lod(context, &texture);
   give_texture(context, &texture);
}

void
lower_op_tex_lz(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_give_lod(&texture, lir_constf(&context->builder, 0.0f));
   give_texture(context, &texture);
}

/* w divides coordinates and reference, but no layer. */
static void
project(struct lower_context *context, struct texture *texture)
{
   struct lir_builder *builder = &context->builder;
   const lir_value w = lower_src(context, 0, 3);

   for (unsigned i = 0; i < tg_target_row(texture->kind.target)->num_derivs;
        i++) {
      lir_value *coord = &texture->argument[SAMPLE_COORD + i];
      *coord = lir_fdiv(builder, *coord, w);
   }
   if (texture->kind.compares) {
      lir_value *reference = &texture->argument[SAMPLE_REFERENCE];
      *reference = lir_fdiv(builder, *reference, w);
   }
}

void
lower_op_txp(struct lower_context *context)
{
   const bool ignores_q = context->shader->quirks & TG_QUIRK_CUBES_WITHOUT_Q;
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   if (!ignores_q || texture.kind.target != TG_TARGET_CUBE)
      project(context, &texture);
   texture_derive_lod(context, &texture);
   give_texture(context, &texture);
}

/* Of TXB2 and TXL2: after the reference where the coordinates have no room for
 * that. */
static lir_value
read_extra(struct lower_context *context)
{
   const bool has_reference =
      tg_target_row(context->instruction->target)->reference > 4;

   return lower_src(context, 1, has_reference ? 1 : 0);
}

void
lower_op_txb(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);
   const lir_value bias = lower_src(context, 0, 3);

   texture_bias_lod(context, &texture, bias);
   give_texture(context, &texture);
}

void
lower_op_txb2(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);
   const lir_value bias = read_extra(context);

   texture_bias_lod(context, &texture, bias);
   give_texture(context, &texture);
}

void
lower_op_txl(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_give_lod(&texture, lower_src(context, 0, 3));
   give_texture(context, &texture);
}

void
lower_op_txl2(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_give_lod(&texture, read_extra(context));
   give_texture(context, &texture);
}

void
lower_op_txd(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_read_derivatives(context, &texture, 1, 2);
   give_texture(context, &texture);
}

void
texture_read_slice(struct lower_context *context, struct texture *texture)
{
   if (texture->kind.target == TG_TARGET_CUBE ||
       texture->kind.target == TG_TARGET_CUBE_ARRAY)
      texture->argument[SAMPLE_LAYER] = lower_src(context, 0, 2);
}

/* Multisampled targets have a sample where the others have a level. */
static struct texture
read_fetch(struct lower_context *context, bool has_level)
{
   struct texture texture = read_texture(context, SAMPLE_FETCH);
   const unsigned flags = tg_target_row(texture.kind.target)->flags;

   texture_read_slice(context, &texture);
   if (flags & TG_TARGET_FLAG_MSAA)
      texture.argument[SAMPLE_INDEX] = lower_src(context, 0, 3);
   else if (has_level && texture_has_levels(texture.kind.target))
      texture_give_lod(&texture, lower_src(context, 0, 3));
   return texture;
}

void
lower_op_txf(struct lower_context *context)
{
   const struct texture texture = read_fetch(context, true);

   give_texture(context, &texture);
}

void
lower_op_txf_lz(struct lower_context *context)
{
   const struct texture texture = read_fetch(context, false);

   give_texture(context, &texture);
}

void
lower_op_txq(struct lower_context *context)
{
   const struct tg_target_info *target =
      tg_target_row(context->instruction->target);
   struct texture texture = {
      .kind = {.operation = SAMPLE_SIZE, .target = target->plain},
   };

   /* The one level of a RECT is number 0, whatever the operand says. */
   if (target->plain == TG_TARGET_RECT)
      texture_give_lod(&texture, lir_const32(&context->builder, 0));
   else if (texture_has_levels((enum tg_target)target->plain))
      texture_give_lod(&texture, lower_src(context, 0, 0));
   give_texture(context, &texture);
}

void
lower_op_txqs(struct lower_context *context)
{
   const struct tg_target_info *target =
      tg_target_row(context->instruction->target);
   const struct texture texture = {
      .kind = {.operation = SAMPLE_COUNT, .target = target->plain},
   };

   give_texture(context, &texture);
}

/* An immediate tells the component when the code is written. */
static void
read_component(struct lower_context *context, struct texture *texture)
{
   const struct tg_src *src = &context->instruction->src[1];
   const int32_t index = src->reg.index.offset;

   if (src->reg.file == TG_FILE_IMM && !src->reg.index.indirect &&
       !src->negate && !src->absolute && index >= 0 &&
       (uint32_t)index < context->shader->num_immediates) {
      texture->kind.component =
         context->shader->immediates[index].words[src->swizzle[0]] & 3;
      return;
   }
   texture->kind.component = SAMPLE_ANY_COMPONENT;
   texture->argument[SAMPLE_INDEX] = lower_src(context, 1, 0);
}

void
lower_op_tg4(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_GATHER);

   if (!texture.kind.compares)
      read_component(context, &texture);
   give_texture(context, &texture);
}

void
lower_op_lodq(struct lower_context *context)
{
   struct texture texture = {.kind.operation = SAMPLE_LOD};

   texture_read_coordinates(context, &texture, context->instruction->target, 0);
   texture_derive_lod(context, &texture);
   give_texture(context, &texture);
}
