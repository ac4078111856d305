/* SPDX-License-Identifier: MIT
 *
 * Selection of the TGSI opcode, and target, that does an instruction's work on
 * a texture: that depends on the texture too, since an instruction that does
 * not fit it reads as 0.
 */
#include <string.h>

#include "format/format.h"
#include "maxwell/simulate/simulate.h"

/* ---- which opcode -------------------------------------------------------- */

/* What TEX is with each level of detail, and what it is where the fourth
 * component is taken. */
static const struct {
   uint16_t opcode, second;
} tex_opcodes[MAXWELL_NUM_LODS] = {
   [MAXWELL_LOD_NONE] = {TG_OPCODE_TEX, TG_OPCODE_TEX},
   [MAXWELL_LOD_LZ] = {TG_OPCODE_TEX_LZ, TG_OPCODE_TEX_LZ},
   [MAXWELL_LOD_LB] = {TG_OPCODE_TXB, TG_OPCODE_TXB2},
   [MAXWELL_LOD_LL] = {TG_OPCODE_TXL, TG_OPCODE_TXL2},
   [MAXWELL_LOD_LBA] = {TG_OPCODE_TXB, TG_OPCODE_TXB2},
   [MAXWELL_LOD_LLA] = {TG_OPCODE_TXL, TG_OPCODE_TXL2},
};

static enum tg_opcode
opcode_of_tex(const struct maxwell_instruction *instruction,
              enum tg_target target)
{
   const struct tg_target_info *info = tg_target_row(target);
   bool is_full = info->num_coords == 4 || info->reference == 4;

   if (info->reference == 5 && instruction->lod <= MAXWELL_LOD_LZ)
      return TG_OPCODE_TEX2;
   return is_full ? tex_opcodes[instruction->lod].second
                  : tex_opcodes[instruction->lod].opcode;
}

static enum tg_opcode
opcode_of(const struct maxwell_instruction *instruction, enum tg_target target)
{
   enum { DIMENSION = 1 };

   switch (instruction->form) {
   case MAXWELL_FORM_TEX:
   case MAXWELL_FORM_TEX_B: return opcode_of_tex(instruction, target);
   case MAXWELL_FORM_TLD:
   case MAXWELL_FORM_TLD_B:
      return instruction->ll || instruction->ms ? TG_OPCODE_TXF
                                                : TG_OPCODE_TXF_LZ;
   case MAXWELL_FORM_TLD4:
   case MAXWELL_FORM_TLD4_B: return TG_OPCODE_TG4;
   case MAXWELL_FORM_TXD:
   case MAXWELL_FORM_TXD_B: return TG_OPCODE_TXD;
   case MAXWELL_FORM_TXQ:
   case MAXWELL_FORM_TXQ_B:
      return instruction->query == DIMENSION ? TG_OPCODE_TXQ : TG_OPCODE_TXQS;
   case MAXWELL_FORM_TMML:
   case MAXWELL_FORM_TMML_B: return TG_OPCODE_LODQ;
   default: return maxwell_isa_find_row(instruction)->opcode;
   }
}

/* The targets of views with which an instruction's target goes, and what a
 * lookup of it is. The first that fits is taken; -1 is none. */
static const struct {
   int8_t dim, view;
   uint8_t target, shadow, multisampled; /* enum tg_target */
} target_rows[] = {
#define NO_TARGET TG_TARGET_UNKNOWN
   {MAXWELL_DIM_1D, TG_TEXTURE_1D, TG_TARGET_1D, TG_TARGET_SHADOW1D, NO_TARGET},
   {MAXWELL_DIM_1D, TG_TEXTURE_BUFFER, TG_TARGET_BUFFER, NO_TARGET, NO_TARGET},
   {MAXWELL_DIM_ARRAY_1D, TG_TEXTURE_1D_ARRAY, TG_TARGET_1D_ARRAY,
    TG_TARGET_SHADOW1D_ARRAY, NO_TARGET},
   {MAXWELL_DIM_2D, TG_TEXTURE_2D, TG_TARGET_2D, TG_TARGET_SHADOW2D,
    TG_TARGET_2D_MSAA},
   {MAXWELL_DIM_2D, TG_TEXTURE_RECT, TG_TARGET_RECT, TG_TARGET_SHADOWRECT,
    NO_TARGET},
   {MAXWELL_DIM_ARRAY_2D, TG_TEXTURE_2D_ARRAY, TG_TARGET_2D_ARRAY,
    TG_TARGET_SHADOW2D_ARRAY, TG_TARGET_2D_ARRAY_MSAA},
   {MAXWELL_DIM_3D, TG_TEXTURE_3D, TG_TARGET_3D, NO_TARGET, NO_TARGET},
   {MAXWELL_DIM_CUBE, TG_TEXTURE_CUBE, TG_TARGET_CUBE, TG_TARGET_SHADOWCUBE,
    NO_TARGET},
   {MAXWELL_DIM_ARRAY_CUBE, TG_TEXTURE_CUBE_ARRAY, TG_TARGET_CUBE_ARRAY,
    TG_TARGET_SHADOWCUBE_ARRAY, NO_TARGET},
#undef NO_TARGET
};

/* Targets that differ in their layers alone, and how many layers the plain one
 * has. */
static const struct {
   uint8_t dim, array_dim;   /* enum maxwell_dim */
   uint8_t view, array_view; /* enum tg_texture_target */
   uint8_t layers;
} layered_rows[] = {
   {MAXWELL_DIM_1D, MAXWELL_DIM_ARRAY_1D, TG_TEXTURE_1D, TG_TEXTURE_1D_ARRAY,
    1},
   {MAXWELL_DIM_2D, MAXWELL_DIM_ARRAY_2D, TG_TEXTURE_2D, TG_TEXTURE_2D_ARRAY,
    1},
   {MAXWELL_DIM_CUBE, MAXWELL_DIM_ARRAY_CUBE, TG_TEXTURE_CUBE,
    TG_TEXTURE_CUBE_ARRAY, 6},
};

/* An array does as a texture without layers, of which it shows its first, and
 * such a texture as an array of one. */
static void
adapt_view(enum maxwell_dim dim, struct tg_view_desc *view)
{
   for (size_t i = 0; i < sizeof(layered_rows) / sizeof(layered_rows[0]); i++) {
      if (dim == layered_rows[i].dim &&
          view->target == layered_rows[i].array_view) {
         view->target = layered_rows[i].view;
         view->last_layer = view->first_layer + layered_rows[i].layers - 1;
      } else if (dim == layered_rows[i].array_dim &&
                 view->target == layered_rows[i].view) {
         view->target = layered_rows[i].array_view;
      }
   }
}

static bool
is_multisampled(const struct tg_view_desc *view)
{
   return tg_resource_get_desc(view->resource)->samples > 1;
}

static enum tg_target
find_target(enum maxwell_dim dim, bool compares,
            const struct tg_view_desc *view)
{
   for (size_t i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
      if (target_rows[i].dim == (int)dim &&
          target_rows[i].view == (int)view->target)
         return is_multisampled(view) ? target_rows[i].multisampled
                : compares            ? target_rows[i].shadow
                                      : target_rows[i].target;
   }
   return TG_TARGET_UNKNOWN;
}

/* A query has the target of the view, whatever it is. */
static enum tg_target
target_of_view(const struct tg_view_desc *view)
{
   for (size_t i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
      if (target_rows[i].view == (int)view->target)
         return is_multisampled(view) ? target_rows[i].multisampled
                                      : target_rows[i].target;
   }
   return TG_TARGET_UNKNOWN;
}

bool
maxwell_lookup_is_query(const struct maxwell_instruction *instruction)
{
   return instruction->form == MAXWELL_FORM_TXQ ||
          instruction->form == MAXWELL_FORM_TXQ_B;
}

static bool
compares(const struct maxwell_instruction *instruction)
{
   const struct maxwell_row *row = maxwell_isa_find_row(instruction);

   return row ? row->extra & MAXWELL_EXTRA_DC : instruction->dc;
}

static enum maxwell_dim
dim_of(const struct maxwell_instruction *instruction)
{
   const struct maxwell_row *row = maxwell_isa_find_row(instruction);

   return row ? row->dim : instruction->dim;
}

static enum tg_return_type
type_of(const struct tg_view_desc *view)
{
   switch (format_info(view->format)->class) {
   case FORMAT_CLASS_UINT: return TG_RETURN_TYPE_UINT;
   case FORMAT_CLASS_SINT: return TG_RETURN_TYPE_SINT;
   default: return TG_RETURN_TYPE_FLOAT;
   }
}

/* ---- the lookup ---------------------------------------------------------- */

static unsigned
num_offsets(const struct maxwell_instruction *instruction,
            const struct maxwell_group sources[2])
{
   bool has_one = false, has_second = false;

   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &sources[i];

      for (unsigned j = 0; j < group->count; j++) {
         has_one |= group->content[j] == MAXWELL_OPERAND_OFFSET;
         has_second |= group->content[j] == MAXWELL_OPERAND_OFFSET_2;
      }
   }
   if (instruction->form == MAXWELL_FORM_TXD ||
       instruction->form == MAXWELL_FORM_TXD_B)
      has_one = instruction->aoffi;
   return has_second ? MAXWELL_OFFSETS : has_one;
}

/* Absolute levels leave it to the sampler whether there is a comparison, all
 * others force it. */
static void
force_comparison(const struct maxwell_instruction *instruction,
                 struct tg_sampler_desc *sampler)
{
   const struct maxwell_row *row = maxwell_isa_find_row(instruction);
   unsigned lod = row ? row->lod : instruction->lod;

   if (compares(instruction) && lod != MAXWELL_LOD_LL && lod != MAXWELL_LOD_LLA)
      sampler->compares = true;
}

bool
maxwell_lookup_prepare(struct maxwell_lookup *lookup,
                       const struct maxwell_instruction *instruction,
                       const struct maxwell_group sources[2],
                       const struct tg_view_desc *view,
                       const struct tg_sampler_desc *sampler, bool is_fragment)
{
   memset(lookup, 0, sizeof(*lookup));
   lookup->view = *view;
   lookup->sampler = *sampler;
   force_comparison(instruction, &lookup->sampler);
   if (!maxwell_lookup_is_query(instruction))
      adapt_view(dim_of(instruction), &lookup->view);

   enum tg_target target =
      maxwell_lookup_is_query(instruction)
         ? target_of_view(&lookup->view)
         : find_target(dim_of(instruction), compares(instruction),
                       &lookup->view);
   if (target == TG_TARGET_UNKNOWN)
      return false;
   /* Without quads TEX2 is at level 0, for which it has no other opcode. */
   enum tg_opcode opcode = opcode_of(instruction, target);
   if (opcode == TG_OPCODE_TEX2 && instruction->lod == MAXWELL_LOD_LZ)
      is_fragment = false;
   lookup->key = (struct maxwell_kernel_key){
      .opcode = (uint16_t)opcode,
      .target = (uint8_t)target,
      .type = (uint8_t)type_of(view),
      .component = (uint8_t)instruction->comp,
      .num_offsets = (uint8_t)num_offsets(instruction, sources),
      .is_fragment = is_fragment,
   };
   return true;
}
