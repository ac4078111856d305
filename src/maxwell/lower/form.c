/* SPDX-License-Identifier: MIT
 *
 * Instruction selection: which form does the work of a texture instruction: a
 * scalar one where a row of isa/rows.def has what is asked for, else a full
 * one; with its modifiers and its mask.
 */
#include "maxwell/lower/plan.h"

#include <assert.h>

/* ---- what is asked for --------------------------------------------------- */

static enum maxwell_dim
dim_of(const struct maxwell_lower_plan *plan)
{
   static const uint8_t dims[TG_NUM_TARGETS] = {
      [TG_TARGET_BUFFER] = MAXWELL_DIM_1D,
      [TG_TARGET_1D] = MAXWELL_DIM_1D,
      [TG_TARGET_2D] = MAXWELL_DIM_2D,
      [TG_TARGET_3D] = MAXWELL_DIM_3D,
      [TG_TARGET_CUBE] = MAXWELL_DIM_CUBE,
      [TG_TARGET_RECT] = MAXWELL_DIM_2D,
      [TG_TARGET_1D_ARRAY] = MAXWELL_DIM_ARRAY_1D,
      [TG_TARGET_2D_ARRAY] = MAXWELL_DIM_ARRAY_2D,
      [TG_TARGET_2D_MSAA] = MAXWELL_DIM_2D,
      [TG_TARGET_2D_ARRAY_MSAA] = MAXWELL_DIM_ARRAY_2D,
      [TG_TARGET_CUBE_ARRAY] = MAXWELL_DIM_ARRAY_CUBE,
   };

   return plan->fetches_faces ? MAXWELL_DIM_ARRAY_2D
                              : dims[tg_target_row(plan->target)->plain];
}

/* The level of a RECT is an operand of a fetch all the same, and others than 0
 * are not there. */
static bool
has_levels(enum tg_target target)
{
   return tg_target_row(target)->plain != TG_TARGET_BUFFER &&
          !(tg_target_row(target)->flags & TG_TARGET_FLAG_MSAA);
}

/* The declaration of a view that the instruction names by number, or NULL. */
static const struct tg_declaration *
view_declaration(const struct maxwell_lower_plan *plan,
                 const struct tg_register *reg)
{
   const struct tg_shader *shader = plan->lowering->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      bool is_view =
         declaration->file == TG_FILE_SVIEW || declaration->file == TG_FILE_RES;

      if (is_view && declaration->first <= reg->index.offset &&
          declaration->last >= reg->index.offset)
         return declaration;
   }
   return NULL;
}

static enum tg_target
find_target(const struct maxwell_lower_plan *plan)
{
   const struct tg_register *reg =
      &plan->instruction->src[plan->row->object].reg;

   if (tg_opcode_row(plan->instruction->opcode)->flags & TG_OPCODE_FLAG_TARGET)
      return plan->instruction->target;

   const struct tg_declaration *declaration = view_declaration(plan, reg);
   return declaration ? tg_target_row(declaration->target)->plain
                      : TG_TARGET_UNKNOWN;
}

/* Levels that are known to be 0 or to have no effect need no register. Outside
 * of fragment shaders there are no derivatives: level 0, and a bias is a level.
 */
static enum maxwell_lod
settle_lod(const struct maxwell_lower_plan *plan)
{
   const struct maxwell_lower_row *row = plan->row;
   bool is_fragment = plan->lowering->shader->processor == TG_PROCESSOR_FRAG;
   bool is_zero =
      plan->level_src != MAXWELL_LOWER_NO_SOURCE &&
      maxwell_lower_operand_is_zero(plan, plan->level_src, plan->level_channel);
   unsigned lod = row->lod;

   if (row->work == MAXWELL_LOWER_WORK_FETCH)
      return lod == MAXWELL_LOD_LL && has_levels(plan->target) && !is_zero
                ? MAXWELL_LOD_LL
                : MAXWELL_LOD_LZ;
   if (row->work != MAXWELL_LOWER_WORK_LOOKUP ||
       row->derivative != MAXWELL_LOWER_NO_SOURCE)
      return MAXWELL_LOD_NONE;
   if (lod == MAXWELL_LOD_LB && is_fragment)
      return is_zero ? MAXWELL_LOD_NONE : MAXWELL_LOD_LB;
   if (lod == MAXWELL_LOD_NONE)
      return is_fragment ? MAXWELL_LOD_NONE : MAXWELL_LOD_LZ;
   return lod != MAXWELL_LOD_LZ && !is_zero ? MAXWELL_LOD_LL : MAXWELL_LOD_LZ;
}

/* Where the level, bias or sample is: in w of the coordinates if its operand is
 * left out. What has one level is asked about none. */
static void
find_level(struct maxwell_lower_plan *plan)
{
   const struct maxwell_lower_row *row = plan->row;
   bool is_left_out = row->level_src >= plan->instruction->num_src;
   bool has_none = !has_levels(plan->target) ||
                   tg_target_row(plan->target)->plain == TG_TARGET_RECT;

   plan->level_src = row->level_src;
   plan->level_channel = row->level_channel;
   /* After the reference, where that is in the same source. */
   if (row->level_src == 1 && tg_target_row(plan->target)->reference > 4)
      plan->level_channel++;
   if (row->work == MAXWELL_LOWER_WORK_SIZE && has_none)
      plan->level_src = MAXWELL_LOWER_NO_SOURCE;
   if (plan->level_src != MAXWELL_LOWER_NO_SOURCE && is_left_out) {
      plan->level_src = 0;
      plan->level_channel = 3;
   }
}

void
maxwell_lower_form_request(struct maxwell_lower_plan *plan)
{
   const struct maxwell_lower_row *row = plan->row;

   plan->target = find_target(plan);
   plan->is_multisampled =
      tg_target_row(plan->target)->flags & TG_TARGET_FLAG_MSAA;
   plan->compares =
      tg_target_row(plan->target)->flags & TG_TARGET_FLAG_SHADOW ||
      row->reference != MAXWELL_LOWER_NO_SOURCE;
   const enum tg_target plain = tg_target_row(plan->target)->plain;
   plan->fetches_faces =
      row->work == MAXWELL_LOWER_WORK_FETCH &&
      (plain == TG_TARGET_CUBE || plain == TG_TARGET_CUBE_ARRAY);
   plan->is_in_quad =
      row->derivative != MAXWELL_LOWER_NO_SOURCE &&
      (plan->compares ||
       !(maxwell_forms[MAXWELL_FORM_TXD].targets >> dim_of(plan) & 1));
   find_level(plan);
   plan->lod = settle_lod(plan);
}

/* ---- forms --------------------------------------------------------------- */

bool
maxwell_lower_form_is_bindless(const struct maxwell_lower_plan *plan)
{
   const struct tg_register *reg =
      &plan->instruction->src[plan->row->object].reg;
   bool is_object = reg->file == TG_FILE_SAMP || reg->file == TG_FILE_SVIEW ||
                    reg->file == TG_FILE_RES;

   return !is_object || reg->index.indirect || reg->has_dimension;
}

/* Are derivatives operands? */
static bool
has_derivatives(const struct maxwell_lower_plan *plan)
{
   return plan->row->derivative != MAXWELL_LOWER_NO_SOURCE && !plan->is_in_quad;
}

/* The scalar form that does this work with a row for it, or NULL. */
static const struct maxwell_row *
find_scalar(const struct maxwell_lower_plan *plan)
{
   static const uint8_t forms[] = {
      [MAXWELL_LOWER_WORK_LOOKUP] = MAXWELL_FORM_TEXS,
      [MAXWELL_LOWER_WORK_FETCH] = MAXWELL_FORM_TLDS,
      [MAXWELL_LOWER_WORK_GATHER] = MAXWELL_FORM_TLD4S,
   };
   unsigned num_offsets = plan->instruction->num_tex_offsets;
   unsigned extra = MAXWELL_EXTRA_NONE;

   if (plan->row->work > MAXWELL_LOWER_WORK_GATHER ||
       maxwell_lower_form_is_bindless(plan) ||
       plan->lowering->options.full_only || num_offsets > 1 ||
       has_derivatives(plan))
      return NULL;
   /* An absolute level does not force the comparison. */
   if (plan->compares && plan->lod == MAXWELL_LOD_LL)
      return NULL;
   extra |= plan->compares ? MAXWELL_EXTRA_DC : 0;
   extra |= num_offsets ? MAXWELL_EXTRA_AOFFI : 0;
   extra |= plan->is_multisampled ? MAXWELL_EXTRA_MS : 0;

   enum maxwell_form form = forms[plan->row->work];
   enum maxwell_dim dim = dim_of(plan);
   const struct maxwell_row *row =
      maxwell_isa_row_for(form, dim, plan->lod, extra);
   /* Level 0 as an operand where there is no .LZ. */
   if (!row && plan->lod == MAXWELL_LOD_LZ && !plan->compares)
      row = maxwell_isa_row_for(form, dim, MAXWELL_LOD_LL, extra);
   return row;
}

/* Refuses derivatives, with their line. */
static void
refuse(struct maxwell_lower_plan *plan, const char *why)
{
   const struct tg_shader *shader = plan->lowering->shader;

   tg_diagnose(plan->lowering->diagnostics, TG_SEVERITY_ERROR, "unsupported",
               &shader->source, plan->instruction->position,
               "a fragment shader can do it; others give the level itself, by "
               "TXL or SAMPLE_L",
               "no texture instruction does %s of %s: %s",
               tg_opcode_row(plan->instruction->opcode)->name,
               tg_target_row(plan->target)->name, why);
   plan->result = TG_ERROR_UNSUPPORTED;
}

/* Only quads of fragments have derivatives of their own. */
static bool
can_be_in_quad(struct maxwell_lower_plan *plan)
{
   if (plan->lowering->shader->processor == TG_PROCESSOR_FRAG)
      return true;
   refuse(plan, plan->compares ? "TXD does not compare"
                               : "TXD has 1D and 2D and arrays of them");
   return false;
}

static enum maxwell_form
full_form(const struct maxwell_lower_plan *plan)
{
   static const uint8_t forms[][2] = {
      [MAXWELL_LOWER_WORK_LOOKUP] = {MAXWELL_FORM_TEX, MAXWELL_FORM_TEX_B},
      [MAXWELL_LOWER_WORK_FETCH] = {MAXWELL_FORM_TLD, MAXWELL_FORM_TLD_B},
      [MAXWELL_LOWER_WORK_GATHER] = {MAXWELL_FORM_TLD4, MAXWELL_FORM_TLD4_B},
      [MAXWELL_LOWER_WORK_SIZE] = {MAXWELL_FORM_TXQ, MAXWELL_FORM_TXQ_B},
      [MAXWELL_LOWER_WORK_SAMPLES] = {MAXWELL_FORM_TXQ, MAXWELL_FORM_TXQ_B},
      [MAXWELL_LOWER_WORK_POSITIONS] = {MAXWELL_FORM_TXQ, MAXWELL_FORM_TXQ_B},
      [MAXWELL_LOWER_WORK_LEVEL] = {MAXWELL_FORM_TMML, MAXWELL_FORM_TMML_B},
   };
   bool bindless = maxwell_lower_form_is_bindless(plan);

   if (has_derivatives(plan))
      return bindless ? MAXWELL_FORM_TXD_B : MAXWELL_FORM_TXD;
   return forms[plan->row->work][bindless];
}

/* ---- fields -------------------------------------------------------------- */

/* The component that a gather is of, counted from 1. */
static unsigned
gathered_component(const struct maxwell_lower_plan *plan)
{
   const struct tg_shader *shader = plan->lowering->shader;
   const struct tg_src *src = &plan->instruction->src[1];

   if (plan->row->work != MAXWELL_LOWER_WORK_GATHER)
      return 0;
   if (plan->instruction->opcode == TG_OPCODE_TG4 && !plan->compares &&
       src->reg.file == TG_FILE_IMM &&
       (uint32_t)src->reg.index.offset < shader->num_immediates)
      return 1 +
             (shader->immediates[src->reg.index.offset].words[src->swizzle[0]] &
              3);
   return 1;
}

static void
set_properties(struct maxwell_lower_plan *plan, bool is_half)
{
   struct maxwell_instruction *instruction = &plan->fetch->words[0].instruction;
   unsigned num_offsets = plan->instruction->num_tex_offsets;
   struct maxwell_properties properties = {
      .dim = (uint8_t)dim_of(plan),
      .value =
         {
            [MAXWELL_PROPERTY_F16] = is_half,
            [MAXWELL_PROPERTY_COMP] = (uint8_t)gathered_component(plan),
            [MAXWELL_PROPERTY_LOD] = (uint8_t)plan->lod,
            [MAXWELL_PROPERTY_OFFSET] = num_offsets > 1 ? 2 : num_offsets,
            [MAXWELL_PROPERTY_MS] = plan->is_multisampled,
            [MAXWELL_PROPERTY_DC] = plan->compares,
         },
   };
   uint32_t control = 0;

   for (unsigned i = 0; i < MAXWELL_NUM_PROPERTIES; i++) {
      if (!maxwell_may_have_modifier(instruction->form, i))
         properties.value[i] = 0;
   }
   /* No instruction that is valid asks for more than its form has. */
   bool has_encoding =
      maxwell_set_modifiers(instruction, &control, &properties);
   assert(has_encoding);
   (void)has_encoding;
}

/* The least mask that has all components that are used. */
static const struct maxwell_mask *
find_mask(unsigned components)
{
   const struct maxwell_mask *best = NULL;

   for (unsigned i = 0; i < MAXWELL_NUM_MASKS; i++) {
      const struct maxwell_mask *mask = &maxwell_masks[i];
      bool has_all = (mask->mask & components) == components;

      if (has_all && (!best || __builtin_popcount(mask->mask) <
                                  __builtin_popcount(best->mask)))
         best = mask;
   }
   return best;
}

/* Which Rd1 stands for "not RZ" until registers are given. */
enum { SOME_REGISTER = 0 };

static void
set_mask(struct maxwell_lower_plan *plan)
{
   struct maxwell_instruction *instruction = &plan->fetch->words[0].instruction;

   instruction->rd1 = MAXWELL_RZ;
   if (maxwell_forms[instruction->form].kind == MAXWELL_KIND_FULL) {
      instruction->mask = (uint16_t)plan->components;
      return;
   }
   if (instruction->form == MAXWELL_FORM_TLD4S) {
      instruction->rd1 = SOME_REGISTER;
      return;
   }
   const struct maxwell_mask *mask = find_mask(plan->components);
   instruction->wmask = mask->code;
   instruction->rd1 = mask->has_rd1 ? SOME_REGISTER : MAXWELL_RZ;
}

/* ---- choosing ------------------------------------------------------------ */

/* Halves are for views of floats. Queries have none. */
static bool
wants_half(const struct maxwell_lower_plan *plan)
{
   const struct tg_register *reg =
      &plan->instruction->src[plan->row->object].reg;
   const struct tg_declaration *declaration = view_declaration(plan, reg);

   return plan->lowering->options.half && declaration &&
          declaration->return_type[0] != TG_RETURN_TYPE_UINT &&
          declaration->return_type[0] != TG_RETURN_TYPE_SINT &&
          plan->instruction->saturate == TG_SATURATE_NONE;
}

/* What TXQ asks for. */
static unsigned
query_of(enum maxwell_lower_work work)
{
   enum { DIMENSION = 1, TEXTURE_TYPE = 2, SAMPLER_POSITION = 5 };

   return work == MAXWELL_LOWER_WORK_SIZE      ? DIMENSION
          : work == MAXWELL_LOWER_WORK_SAMPLES ? TEXTURE_TYPE
                                               : SAMPLER_POSITION;
}

void
maxwell_lower_choose_form(struct maxwell_lower_plan *plan)
{
   struct maxwell_instruction *instruction = &plan->fetch->words[0].instruction;
   const struct maxwell_row *row = find_scalar(plan);
   enum maxwell_form form = row ? row->form : full_form(plan);

   if (plan->is_in_quad && !can_be_in_quad(plan))
      return;
   instruction->form = (uint8_t)form;
   instruction->pred = MAXWELL_PT;
   if (row)
      plan->lod = row->lod;
   if (maxwell_form_has(form, MAXWELL_FIELD_dpred))
      instruction->dpred = MAXWELL_PT;
   if (maxwell_form_has(form, MAXWELL_FIELD_query))
      instruction->query = (uint16_t)query_of(plan->row->work);
   set_properties(plan, row && wants_half(plan));
   set_mask(plan);
}
