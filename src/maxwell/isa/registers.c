/* SPDX-License-Identifier: MIT
 *
 * Def and use sets of registers: which an instruction reads and writes, and
 * what each holds: of the scalar forms by rows.def and masks.def, of the full
 * forms by the lists below.
 */
#include <string.h>

#include "maxwell/isa/isa.h"

/* ---- groups -------------------------------------------------------------- */

static struct maxwell_group
group_at(unsigned base)
{
   return (struct maxwell_group){.base = (uint8_t)base};
}

/* Appends a register. False when the group is full, which no legal instruction
 * comes to. */
static bool
add(struct maxwell_group *group, unsigned content)
{
   if (group->count == MAXWELL_MAX_GROUP)
      return false;
   group->content[group->count++] = (uint8_t)content;
   return true;
}

/* The same where a condition holds. */
static bool
add_if(bool condition, struct maxwell_group *group, unsigned content)
{
   return !condition || add(group, content);
}

/* ---- sources ------------------------------------------------------------- */

static bool
sources_of_row(const struct maxwell_instruction *instruction,
               struct maxwell_group groups[2])
{
   const struct maxwell_row *row = maxwell_isa_find_row(instruction);
   if (!row)
      return false;

   for (unsigned i = 0; i < 4; i++) {
      if (row->operand[i])
         add(&groups[i / 2], row->operand[i]);
   }
   return true;
}

/* Layer and coordinates, the first of which is `s`; the others follow it. */
static bool
add_coordinates(struct maxwell_group *group,
                const struct maxwell_instruction *instruction,
                enum maxwell_operand s)
{
   const struct maxwell_dim_info *dim = &maxwell_dims[instruction->dim];

   add_if(dim->is_array, group, MAXWELL_OPERAND_LAYER);
   for (unsigned i = 0; i < dim->num_coordinates; i++)
      add(group, s + i);
   return true;
}

static bool
is_bindless(const struct maxwell_instruction *instruction)
{
   return maxwell_forms[instruction->form].is_bindless;
}

static bool
sources_of_tex(const struct maxwell_instruction *instruction,
               struct maxwell_group groups[2])
{
   struct maxwell_group *b = &groups[1];
   bool has_lod = instruction->lod >= MAXWELL_LOD_LB;

   return maxwell_lod_names[instruction->lod] && !instruction->lc &&
          add_coordinates(&groups[0], instruction, MAXWELL_OPERAND_S) &&
          add_if(is_bindless(instruction), b, MAXWELL_OPERAND_HANDLE) &&
          add_if(has_lod, b, MAXWELL_OPERAND_LOD) &&
          add_if(instruction->aoffi, b, MAXWELL_OPERAND_OFFSET) &&
          add_if(instruction->dc, b, MAXWELL_OPERAND_DC);
}

static bool
sources_of_tld(const struct maxwell_instruction *instruction,
               struct maxwell_group groups[2])
{
   struct maxwell_group *b = &groups[1];

   return !instruction->cl &&
          add_coordinates(&groups[0], instruction, MAXWELL_OPERAND_X) &&
          add_if(is_bindless(instruction), b, MAXWELL_OPERAND_HANDLE) &&
          add_if(instruction->ll, b, MAXWELL_OPERAND_LEVEL) &&
          add_if(instruction->aoffi, b, MAXWELL_OPERAND_OFFSET) &&
          add_if(instruction->ms, b, MAXWELL_OPERAND_SAMPLE);
}

/* How TLD4 has its offsets. */
enum { OFFSET_NONE, OFFSET_AOFFI, OFFSET_PTP, NUM_OFFSETS };

static bool
sources_of_tld4(const struct maxwell_instruction *instruction,
                struct maxwell_group groups[2])
{
   struct maxwell_group *b = &groups[1];
   bool is_ptp = instruction->offset == OFFSET_PTP;

   return instruction->offset < NUM_OFFSETS &&
          add_coordinates(&groups[0], instruction, MAXWELL_OPERAND_S) &&
          add_if(is_bindless(instruction), b, MAXWELL_OPERAND_HANDLE) &&
          add_if(instruction->offset, b, MAXWELL_OPERAND_OFFSET) &&
          add_if(is_ptp, b, MAXWELL_OPERAND_OFFSET_2) &&
          add_if(instruction->dc, b, MAXWELL_OPERAND_DC);
}

/* The layer stands after the coordinates here, with the offsets above it. */
static bool
sources_of_txd(const struct maxwell_instruction *instruction,
               struct maxwell_group groups[2])
{
   const struct maxwell_dim_info *dim = &maxwell_dims[instruction->dim];
   struct maxwell_group *a = &groups[0], *b = &groups[1];

   if (dim->num_coordinates > 2 || instruction->lc)
      return false;
   add_if(is_bindless(instruction), a, MAXWELL_OPERAND_HANDLE);
   for (unsigned i = 0; i < dim->num_coordinates; i++)
      add(a, MAXWELL_OPERAND_S + i);
   add_if(dim->is_array || instruction->aoffi, a, MAXWELL_OPERAND_LAYER_OFFSET);
   for (unsigned i = 0; i < 2u * dim->num_coordinates; i++)
      add(b, MAXWELL_OPERAND_DSDX + i);
   return true;
}

static bool
sources_of_txq(const struct maxwell_instruction *instruction,
               struct maxwell_group groups[2])
{
   struct maxwell_group *a = &groups[0];

   return add_if(is_bindless(instruction), a, MAXWELL_OPERAND_HANDLE) &&
          add(a, MAXWELL_OPERAND_LEVEL);
}

static bool
sources_of_tmml(const struct maxwell_instruction *instruction,
                struct maxwell_group groups[2])
{
   return add_coordinates(&groups[0], instruction, MAXWELL_OPERAND_S) &&
          add_if(is_bindless(instruction), &groups[1], MAXWELL_OPERAND_HANDLE);
}

/* Of what no document says what it reads. */
static bool
sources_of_none(const struct maxwell_instruction *instruction,
                struct maxwell_group groups[2])
{
   (void)instruction;
   (void)groups;
   return false;
}

static bool (*const sources[MAXWELL_NUM_FORMS])(
   const struct maxwell_instruction *, struct maxwell_group[2]) = {
#define MAXWELL_FORM(id, name, value, bits, kind, bindless, packing, operands, \
                     targets, title)                                           \
   [MAXWELL_FORM_##id] = sources_of_##packing,
#include "maxwell/isa/forms.def"
};

bool
maxwell_has_known_registers(const struct maxwell_instruction *instruction)
{
   return sources[instruction->form] != sources_of_none && !instruction->lc &&
          !instruction->cl;
}

bool
maxwell_source_registers(const struct maxwell_instruction *instruction,
                         struct maxwell_group groups[2])
{
   bool has_rb = maxwell_form_has(instruction->form, MAXWELL_FIELD_rb);

   groups[0] = group_at(instruction->ra);
   groups[1] = group_at(has_rb ? instruction->rb : MAXWELL_RZ);
   return sources[instruction->form](instruction, groups);
}

/* ---- results ------------------------------------------------------------- */

/* The components of a mask in the order R, G, B, A, each plus one. */
static unsigned
list_components(unsigned mask, uint8_t list[4])
{
   unsigned count = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (mask >> i & 1)
         list[count++] = (uint8_t)(i + 1);
   }
   return count;
}

/* Puts components into registers, one or, of halves, two each. */
static void
fill(struct maxwell_group *group, unsigned count, const uint8_t **next,
     bool is_half)
{
   for (unsigned i = 0; i < count; i++) {
      unsigned low = *(*next)++;
      unsigned high = is_half ? *(*next)++ : 0u;

      add(group, low | high << 4);
   }
}

static void
results_of_mask(const struct maxwell_instruction *instruction, unsigned mask,
                unsigned n0, unsigned n1, struct maxwell_group groups[2])
{
   uint8_t components[2 * MAXWELL_MAX_GROUP] = {0};
   const uint8_t *next = components;
   bool is_half = maxwell_isa_is_half(instruction);

   list_components(mask, components);
   fill(&groups[0], n0, &next, is_half);
   fill(&groups[1], n1, &next, is_half);
}

bool
maxwell_result_registers(const struct maxwell_instruction *instruction,
                         struct maxwell_group groups[2])
{
   bool has_rd1 = maxwell_form_has(instruction->form, MAXWELL_FIELD_rd1);
   bool is_half = maxwell_isa_is_half(instruction);

   groups[0] = group_at(instruction->rd0);
   groups[1] = group_at(has_rd1 ? instruction->rd1 : MAXWELL_RZ);
   if (maxwell_forms[instruction->form].kind == MAXWELL_KIND_FULL) {
      unsigned count = (unsigned)__builtin_popcount(instruction->mask);
      results_of_mask(instruction, instruction->mask, count, 0, groups);
      return true;
   }

   /* A gather gives all four. */
   const struct maxwell_mask *mask =
      instruction->form == MAXWELL_FORM_TLD4S
         ? maxwell_isa_mask_for(MAXWELL_MASK_RGBA)
         : maxwell_isa_find_mask(instruction);
   if (!mask)
      return false;
   results_of_mask(instruction, mask->mask, mask->count[is_half][0],
                   mask->count[is_half][1], groups);
   return true;
}

/* ---- alignment ----------------------------------------------------------- */

/* Pairs of the scalar forms stand at even registers; groups of the full forms
 * at multiples of their size, three registers as four. */
unsigned
maxwell_register_alignment(const struct maxwell_instruction *instruction,
                           unsigned count)
{
   if (count <= 2)
      return count ? count : 1;
   return maxwell_forms[instruction->form].kind == MAXWELL_KIND_FULL ? 4 : 2;
}
