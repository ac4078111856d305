/* SPDX-License-Identifier: MIT
 *
 * Rules about texture opcodes: texture_rules.def as a table, texel offsets,
 * and what a view's declaration says against what the instruction says.
 */
#include "tgsi/validate/validate.h"

enum texture_rule {
   ILLEGAL, /* also of opcodes that are not in the table */
   LEGAL,
   ODD,
   STRICTLY_ODD,
};

struct texture_row {
   bool is_texture;
   uint8_t max_offsets;
   uint8_t targets[TG_TARGET_UNKNOWN]; /* enum texture_rule */
};

static const struct texture_row rows[TG_NUM_OPCODES] = {
#define X ILLEGAL
#define o LEGAL
#define w ODD
#define s STRICTLY_ODD
#define TG_TEXTURE_RULE(name, offsets, ...)                                    \
   [TG_OPCODE_##name] = {true, offsets, {__VA_ARGS__}},
#include "tgsi/validate/texture_rules.def"
#undef X
#undef o
#undef w
#undef s
};

static const char *
target_name(unsigned target)
{
   return tg_target_row(target < TG_NUM_TARGETS ? target : TG_TARGET_UNKNOWN)
      ->name;
}

/* The declaration of the view or, for `type` SAMP, of the sampler. */
static const struct tg_declaration *
find_object(const struct validation *validation, enum tg_type type)
{
   for (unsigned i = 0; i < validation->instruction->num_src; i++) {
      if (validation->info->src_type[i] == type)
         return validate_find_register(validation,
                                       &validation->instruction->src[i].reg);
   }
   return NULL;
}

/* False when the target is not known: the view is chosen by an index, stands
 * for the render target, or is not declared, which others complain about. */
static bool
get_target(const struct validation *validation, unsigned *target_out)
{
   if (tg_opcode_row(validation->instruction->opcode)->flags &
       TG_OPCODE_FLAG_TARGET) {
      *target_out = validation->instruction->target;
      return validation->instruction->has_texture;
   }

   const struct tg_declaration *view = find_object(validation, TG_TYPE_VIEW);
   if (!view || (view->file != TG_FILE_SVIEW && view->file != TG_FILE_RES))
      return false;
   *target_out = view->target;
   return true;
}

/* As it is written, which is not always the name of its row. */
static const char *
opcode_name(const struct validation *validation)
{
   return tg_opcode_row(validation->instruction->opcode)->name;
}

static void
check_target(struct validation *validation, const struct texture_row *row,
             unsigned target)
{
   const struct tg_position position = validation->instruction->position;
   const char *name = opcode_name(validation);
   const enum texture_rule rule =
      target < TG_TARGET_UNKNOWN ? row->targets[target] : ILLEGAL;

   if (rule == ILLEGAL)
      validate_error(validation, position, "bad-target", NULL,
                     "%s cannot be used with %s", name, target_name(target));
   else if (rule == ODD || (rule == STRICTLY_ODD && validation->is_strict))
      validate_warning(validation, position, "odd-target",
                       "the specifications rule it out", "%s of %s", name,
                       target_name(target));
}

/* Three operands leave the level in w, where a cube array has its layer. */
static void
check_old_level(struct validation *validation, unsigned target)
{
   if (validation->instruction->opcode == TG_OPCODE_SAMPLE_L &&
       validation->instruction->num_src == 3 && target < TG_NUM_TARGETS &&
       tg_target_row(target)->num_coords == 4)
      validate_error(validation, validation->instruction->position,
                     "bad-target", "the level has an operand of its own then",
                     "SAMPLE_L with three sources cannot be used with %s",
                     target_name(target));
}

static void
check_offsets(struct validation *validation, const struct texture_row *row,
              bool has_target, unsigned target)
{
   const struct tg_instruction *instruction = validation->instruction;
   const unsigned count = instruction->num_tex_offsets;
   const char *name = opcode_name(validation);

   if (count == 0)
      return;
   if (row->max_offsets == 0)
      validate_error(validation, instruction->position, "bad-offset", NULL,
                     "%s takes no texel offset", name);
   else if (count != 1 && count != row->max_offsets)
      validate_error(validation, instruction->position, "bad-offset",
                     row->max_offsets == 1 ? "expected one at most"
                                           : "expected none, one or four",
                     "%s has %u texel offsets", name, count);
   else if (has_target && target < TG_NUM_TARGETS &&
            !tg_target_row(target)->num_offsets)
      validate_error(validation, instruction->position, "bad-offset", NULL,
                     "%s has no texel offsets", target_name(target));
}

static bool
is_used_as(unsigned view_target, unsigned target)
{
   return view_target == target || view_target == TG_TARGET_UNKNOWN;
}

/* TEX SAMP[n] looks at SVIEW[n]; the shader may leave it undeclared. */
static void
check_view_of_sampler(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_declaration *sampler = find_object(validation, TG_TYPE_SAMP);

   validation->is_used_whole[TG_FILE_SVIEW] = true;
   if (!sampler || sampler->file != TG_FILE_SAMP)
      return;

   const unsigned last = instruction->num_src - 1;
   const int32_t index = instruction->src[last].reg.index.offset;
   const struct tg_declaration *view = tg_declared_find(
      &validation->declared, validation->shader, TG_FILE_SVIEW, 0, index);
   if (!view || is_used_as(view->target, instruction->target))
      return;
   validate_warning(validation, instruction->position, "odd-target",
                    validate_format_text("SVIEW[%d] is declared as %s", index,
                                         target_name(view->target))
                       .text,
                    "%s of %s", opcode_name(validation),
                    target_name(instruction->target));
}

/* One shader uses TEX and its kin or SAMPLE and its kin. */
static void
check_kind(struct validation *validation)
{
   const bool is_sample = validation->info->group == TG_GROUP_SAMPLE;

   if (validation->info->group != TG_GROUP_TEX && !is_sample)
      return;
   if (validation->has_texture_kind[!is_sample] &&
       !validation->has_texture_kind[is_sample])
      validate_warning(
         validation, validation->instruction->position, "mixed-texture",
         "a shader uses opcodes with samplers like TEX or with "
         "views like SAMPLE",
         "%s after opcodes of the other kind", opcode_name(validation));
   validation->has_texture_kind[is_sample] = true;
}

void
validate_texture(struct validation *validation)
{
   const struct texture_row *row = &rows[validation->info - tg_opcodes];
   unsigned target = TG_TARGET_UNKNOWN;

   if (!row->is_texture)
      return;

   const bool has_target = get_target(validation, &target);
   if (has_target) {
      check_target(validation, row, target);
      check_old_level(validation, target);
   }
   check_offsets(validation, row, has_target, target);
   check_kind(validation);
   if (validation->info->group == TG_GROUP_TEX)
      check_view_of_sampler(validation);
}

/* ---- views of the whole shader ------------------------------------------- */

/* With opcodes like TEX a shader declares the view of each sampler or of none,
 * and SAMP[n] means SVIEW[n]. */
void
validate_texture_views(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   const struct tg_declared *declared = &validation->declared;
   const uint32_t end = declared->file_begin[TG_FILE_SAMP + 1];

   if (!validation->has_texture_kind[0] ||
       !tg_declared_has_file(declared, TG_FILE_SVIEW))
      return;
   for (uint32_t i = declared->file_begin[TG_FILE_SAMP]; i < end; i++) {
      const struct tg_declared_range *range = &declared->ranges[i];
      uint32_t sampler = range->first;

      while (
         sampler <= range->last &&
         tg_declared_find(declared, shader, TG_FILE_SVIEW, 0, (int32_t)sampler))
         sampler++;
      if (sampler <= range->last)
         validate_warning(
            validation, shader->declarations[range->declaration].position,
            "missing-view", "views are declared for all samplers or for none",
            "SAMP[%u] has no SVIEW[%u]", sampler, sampler);
   }
}
