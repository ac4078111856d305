/* SPDX-License-Identifier: MIT
 *
 * Encoding and decoding: the rows of the tables, and what follows from
 * forms.def and control.def alone: how fields come out of words and go back.
 */
#include "maxwell/isa/isa.h"

#include <assert.h>
#include <string.h>

/* ---- forms --------------------------------------------------------------- */

/* Of the column of targets, a bit each. */
enum {
   D1 = 1 << MAXWELL_DIM_1D | 1 << MAXWELL_DIM_ARRAY_1D,
   D2 = 1 << MAXWELL_DIM_2D | 1 << MAXWELL_DIM_ARRAY_2D,
   D3 = 1 << MAXWELL_DIM_3D | 1 << MAXWELL_DIM_ARRAY_3D,
   CUBES = 1 << MAXWELL_DIM_CUBE | 1 << MAXWELL_DIM_ARRAY_CUBE,
   ALL = D1 | D2 | D3 | CUBES,
};

const struct maxwell_form_info maxwell_forms[MAXWELL_NUM_FORMS] = {
#define MAXWELL_FORM(id, name, value, bits, kind, bindless, packing, operands, \
                     targets, title)                                           \
   {name, operands, title, value, bits, MAXWELL_KIND_##kind, targets, bindless},
#include "maxwell/isa/forms.def"
};

const char *const maxwell_field_names[MAXWELL_NUM_FIELDS] = {
#define MAXWELL_FIELD_NAME(name) #name,
   MAXWELL_FIELDS(MAXWELL_FIELD_NAME)
#undef MAXWELL_FIELD_NAME
};

const struct maxwell_bits maxwell_fields[MAXWELL_NUM_FORMS]
                                        [MAXWELL_NUM_FIELDS] = {
#define MAXWELL_FIELD(form, field, lsb, width)                                 \
   [MAXWELL_FORM_##form][MAXWELL_FIELD_##field] = {lsb, width},
#include "maxwell/isa/forms.def"
};

static_assert(sizeof(((struct maxwell_instruction *)0)->field) ==
                 MAXWELL_NUM_FIELDS * sizeof(uint16_t),
              "a member for each field");

static uint64_t
mask_of(unsigned width)
{
   return (UINT64_C(1) << width) - 1;
}

static enum maxwell_form
find_form(uint64_t word)
{
   enum maxwell_form form = 0;

   while (form < MAXWELL_FORM_NONE &&
          (word & maxwell_forms[form].bits) != maxwell_forms[form].value)
      form++;
   return form;
}

bool
maxwell_isa_decode(uint64_t word, struct maxwell_instruction *instruction_out)
{
   enum maxwell_form form = find_form(word);
   if (form == MAXWELL_FORM_NONE)
      return false;

   uint64_t claimed = maxwell_forms[form].bits;
   instruction_out->form = (uint8_t)form;
   for (unsigned i = 0; i < MAXWELL_NUM_FIELDS; i++) {
      struct maxwell_bits bits = maxwell_fields[form][i];
      uint64_t mask = mask_of(bits.width);

      instruction_out->field[i] = (uint16_t)(word >> bits.lsb & mask);
      claimed |= mask << bits.lsb;
   }
   return (word & ~claimed) == 0;
}

uint64_t
maxwell_isa_encode(const struct maxwell_instruction *instruction)
{
   uint64_t word = maxwell_forms[instruction->form].value;

   for (unsigned i = 0; i < MAXWELL_NUM_FIELDS; i++) {
      struct maxwell_bits bits = maxwell_fields[instruction->form][i];

      word |= (instruction->field[i] & mask_of(bits.width)) << bits.lsb;
   }
   return word;
}

bool
maxwell_isa_is_half(const struct maxwell_instruction *instruction)
{
   if (maxwell_form_has(instruction->form, MAXWELL_FIELD_fp32))
      return !instruction->fp32;
   return instruction->f16;
}

bool
maxwell_isa_writes_predicate(const struct maxwell_instruction *instruction)
{
   return maxwell_form_has(instruction->form, MAXWELL_FIELD_dpred) &&
          instruction->dpred != MAXWELL_PT;
}

/* ---- targets, levels of detail ------------------------------------------- */

const struct maxwell_dim_info maxwell_dims[MAXWELL_NUM_DIMS] = {
   [MAXWELL_DIM_1D] = {"1D", 1, false},
   [MAXWELL_DIM_ARRAY_1D] = {"ARRAY_1D", 1, true},
   [MAXWELL_DIM_2D] = {"2D", 2, false},
   [MAXWELL_DIM_ARRAY_2D] = {"ARRAY_2D", 2, true},
   [MAXWELL_DIM_3D] = {"3D", 3, false},
   [MAXWELL_DIM_ARRAY_3D] = {"ARRAY_3D", 3, true},
   [MAXWELL_DIM_CUBE] = {"CUBE", 3, false},
   [MAXWELL_DIM_ARRAY_CUBE] = {"ARRAY_CUBE", 3, true},
};

const char *const maxwell_lod_names[MAXWELL_NUM_LODS] = {
   [MAXWELL_LOD_NONE] = "",   [MAXWELL_LOD_LZ] = "LZ",
   [MAXWELL_LOD_LB] = "LB",   [MAXWELL_LOD_LL] = "LL",
   [MAXWELL_LOD_LBA] = "LBA", [MAXWELL_LOD_LLA] = "LLA",
};

const struct maxwell_query_info maxwell_queries[MAXWELL_NUM_QUERIES] = {
   {"TEX_HEADER_DIMENSION", 0x01},     {"TEX_HEADER_TEXTURE_TYPE", 0x02},
   {"TEX_HEADER_SAMPLER_POS", 0x05},   {"TEX_SAMPLER_FILTER", 0x10},
   {"TEX_SAMPLER_LOD", 0x12},          {"TEX_SAMPLER_WRAP", 0x14},
   {"TEX_SAMPLER_BORDER_COLOR", 0x16},
};

/* ---- rows and masks ------------------------------------------------------ */

enum {
   NONE = MAXWELL_EXTRA_NONE,
   DC = MAXWELL_EXTRA_DC,
   AOFFI = MAXWELL_EXTRA_AOFFI,
   MS = MAXWELL_EXTRA_MS,
};

const struct maxwell_row maxwell_rows[] = {
#define MAXWELL_ROW(form, number, dim, lod, extra, a0, a1, b0, b1, opcode,     \
                    target)                                                    \
   {MAXWELL_FORM_##form,                                                       \
    number,                                                                    \
    MAXWELL_DIM_##dim,                                                         \
    MAXWELL_LOD_##lod,                                                         \
    extra,                                                                     \
    {MAXWELL_OPERAND_##a0, MAXWELL_OPERAND_##a1, MAXWELL_OPERAND_##b0,         \
     MAXWELL_OPERAND_##b1},                                                    \
    TG_OPCODE_##opcode},
#include "maxwell/isa/rows.def"
};
const unsigned maxwell_num_rows =
   sizeof(maxwell_rows) / sizeof(maxwell_rows[0]);

const struct maxwell_row *
maxwell_isa_find_row(const struct maxwell_instruction *instruction)
{
   unsigned number = instruction->form == MAXWELL_FORM_TLD4S
                        ? instruction->dc + 2u * instruction->aoffi
                        : instruction->row;

   for (unsigned i = 0; i < maxwell_num_rows; i++) {
      if (maxwell_rows[i].form == instruction->form &&
          maxwell_rows[i].number == number)
         return &maxwell_rows[i];
   }
   return NULL;
}

const struct maxwell_row *
maxwell_isa_row_for(enum maxwell_form form, enum maxwell_dim dim,
                    enum maxwell_lod lod, unsigned extra)
{
   for (unsigned i = 0; i < maxwell_num_rows; i++) {
      const struct maxwell_row *row = &maxwell_rows[i];

      if (row->form == form && row->dim == dim && row->lod == lod &&
          row->extra == extra)
         return row;
   }
   return NULL;
}

const struct maxwell_mask maxwell_masks[MAXWELL_NUM_MASKS] = {
#define MAXWELL_MASK(name, rd1, code, mask, n0, n1, n0_half, n1_half)          \
   {#name, rd1, code, mask, {{n0, n1}, {n0_half, n1_half}}},
#include "maxwell/isa/masks.def"
};

const struct maxwell_mask *
maxwell_isa_find_mask(const struct maxwell_instruction *instruction)
{
   bool has_rd1 = instruction->rd1 != MAXWELL_RZ;

   for (unsigned i = 0; i < MAXWELL_NUM_MASKS; i++) {
      if (maxwell_masks[i].has_rd1 == has_rd1 &&
          maxwell_masks[i].code == instruction->wmask)
         return &maxwell_masks[i];
   }
   return NULL;
}

const struct maxwell_mask *
maxwell_isa_mask_for(unsigned components)
{
   for (unsigned i = 0; i < MAXWELL_NUM_MASKS; i++) {
      if (maxwell_masks[i].mask == components)
         return &maxwell_masks[i];
   }
   return NULL;
}

/* ---- control bits -------------------------------------------------------- */

const struct maxwell_control_info maxwell_controls[MAXWELL_NUM_CONTROLS] = {
#define MAXWELL_CONTROL(id, lsb, width, none, title)                           \
   {#id, title, lsb, width, none},
#include "maxwell/isa/control.def"
};

union maxwell_control
maxwell_isa_decode_control(uint32_t bits)
{
   union maxwell_control control;

   for (unsigned i = 0; i < MAXWELL_NUM_CONTROLS; i++) {
      const struct maxwell_control_info *info = &maxwell_controls[i];

      control.field[i] =
         (uint8_t)(bits >> info->lsb & (uint32_t)mask_of(info->width));
   }
   return control;
}

uint32_t
maxwell_isa_encode_control(const union maxwell_control *control)
{
   uint32_t bits = 0;

   for (unsigned i = 0; i < MAXWELL_NUM_CONTROLS; i++) {
      const struct maxwell_control_info *info = &maxwell_controls[i];

      bits |= (control->field[i] & (uint32_t)mask_of(info->width)) << info->lsb;
   }
   return bits;
}
