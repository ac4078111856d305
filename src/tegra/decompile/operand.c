/* SPDX-License-Identifier: MIT
 *
 * Translation of operands. A constant is an immediate where the program gives
 * it, else it is the caller's; relative ones are written so that they come from
 * where the unit takes them, if A0 can lead outside.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "tegra/decompile/decompile.h"
#include "util/bits.h"
#include "util/length.h"
#include "util/minmax.h"

/* ---- sources ------------------------------------------------------------- */

unsigned
decompile_operand_components(const union tegra_instruction *instruction,
                             enum tegra_unit unit, enum tegra_file file,
                             unsigned mask, int index)
{
   assert(unit < TG_LENGTH(tegra_opcodes));
   const struct tegra_opcode_info *info =
      &tegra_opcodes[unit][decompile_opcode(instruction, unit)];
   unsigned wanted = tegra_isa_components_read(info, mask);
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = mask ? tegra_isa_sources(info, sources) : 0;
   unsigned components = 0;

   for (unsigned s = 0; s < count; s++) {
      struct tegra_operand operand =
         tegra_isa_get_source(instruction, sources[s]);

      if (operand.file != file || (index >= 0 && operand.index != index))
         continue;
      for (unsigned i = 0; i < 4; i++) {
         if (tegra_mask_has(wanted, i))
            components |= tegra_mask_bit(tegra_swizzle_get(operand.swizzle, i));
      }
   }
   return components;
}

struct decompile_text
decompile_operand_index(struct decompile *decompile,
                        const union tegra_instruction *instruction,
                        unsigned field)
{
   decompile->uses_address[0] = true;
   return field
             ? decompile_text_format("ADDR[0].%c+%u",
                                     "xyzw"[instruction->a_sel], field)
             : decompile_text_format("ADDR[0].%c", "xyzw"[instruction->a_sel]);
}

struct decompile_range
decompile_operand_range(const struct decompile *decompile,
                        const union tegra_instruction *instruction,
                        unsigned field, unsigned count)
{
   int64_t least = decompile->least_address[instruction->a_sel];
   int64_t most = decompile->most_address[instruction->a_sel];

   return (struct decompile_range){
      .first = (int)tg_max_i64(least + field, 0),
      .end = (int)tg_min_i64(most + field + 1, count),
      .may_be_less = least + field < 0,
   };
}

static void
find_attribute(struct decompile *decompile,
               const union tegra_instruction *instruction,
               struct decompile_operands *operands)
{
   unsigned index = instruction->attr_index;

   if (!instruction->attr_rel || instruction->bit120) {
      decompile->uses_attribute[index] = true;
      operands->attribute = decompile_text_format("IN[%u]", index);
      return;
   }
   struct decompile_range range = decompile_operand_range(
      decompile, instruction, index, TG_TEGRA_NUM_ATTRIBUTES);
   for (int i = range.first; i < range.end; i++)
      decompile->uses_attribute[i] = true;
   decompile->uses_attribute[index] = true; /* one at least is declared */
   operands->attribute = decompile_text_format(
      "IN[%s]", decompile_operand_index(decompile, instruction, index).text);
}

/* A mask as words have it of one with bit 0 for x. */
static unsigned
mirrored(unsigned bits)
{
   return (bits & 1) << 3 | (bits & 2) << 1 | (bits & 4) >> 1 | (bits & 8) >> 3;
}

/* Components that the program gives. */
static unsigned
given_components(const struct decompile *decompile, unsigned index)
{
   assert(index < TG_LENGTH(decompile->program->constant_masks));
   return mirrored(decompile->program->constant_masks[index]);
}

static struct decompile_text
find_constant(struct decompile *decompile, unsigned index, unsigned components)
{
   if (index >= TG_TEGRA_NUM_CONSTANTS)
      return decompile_text_given(decompile, index);

   unsigned given = given_components(decompile, index) & components;
   unsigned rest = components & ~given;
   if (!rest)
      return decompile_text_given(decompile, index);
   decompile->uses_constant[index] = true;
   if (!given)
      return decompile_text_format("CONST[%u]", index);

   struct decompile_text fetched =
      decompile_text_role(decompile, DECOMPILE_FETCHED);
   decompile_text_line(decompile, "MOV %s%s, %s", fetched.text,
                       decompile_text_mask(given).text,
                       decompile_text_given(decompile, index).text);
   decompile_text_line(decompile, "MOV %s%s, CONST[%u]", fetched.text,
                       decompile_text_mask(rest).text, index);
   return fetched;
}

/* Where the program gives constants that an index may lead to, they come out of
 * immediates. `address` is what `field` is added to. */
static struct decompile_text
choose_given(struct decompile *decompile, struct decompile_text constant,
             const char *address, int field, struct decompile_range range,
             unsigned components)
{
   struct decompile_text fetched = {""}, work = {""};

   for (int i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      unsigned given = given_components(decompile, (unsigned)i) & components;
      bool is_in_range =
         (i >= range.first && i < range.end) || (i == 1 && range.may_be_less);

      if (!given || !is_in_range)
         continue;
      if (!fetched.text[0]) {
         fetched = decompile_text_role(decompile, DECOMPILE_FETCHED);
         work = decompile_text_role(decompile, DECOMPILE_WORK);
         decompile_text_line(decompile, "MOV %s%s, %s", fetched.text,
                             decompile_text_mask(components).text,
                             constant.text);
      }
      decompile_text_line(decompile, "USEQ %s.x, %s, %s", work.text, address,
                          decompile_text_integer(decompile, i - field).text);
      decompile_text_line(decompile, "UCMP %s%s, %s.xxxx, %s, %s", fetched.text,
                          decompile_text_mask(given).text, work.text,
                          decompile_text_given(decompile, (unsigned)i).text,
                          fetched.text);
   }
   return fetched.text[0] ? fetched : constant;
}

/* Below 0 is c[1], beyond the constants 0, which is what TGSI gives there. */
static struct decompile_text
find_relative_constant(struct decompile *decompile,
                       const union tegra_instruction *instruction,
                       unsigned components)
{
   int field = instruction->const_index;
   char c = "xyzw"[instruction->a_sel];
   struct decompile_range range = decompile_operand_range(
      decompile, instruction, (unsigned)field, TG_TEGRA_NUM_CONSTANTS);
   struct decompile_text address =
      decompile_text_format("ADDR[0].%c%c%c%c", c, c, c, c);
   struct decompile_text constant = decompile_text_format(
      "CONST[%s]",
      decompile_operand_index(decompile, instruction, (unsigned)field).text);

   for (int i = range.first; i < range.end; i++)
      decompile->uses_constant[i] = true;
   decompile->uses_constant[1] |= range.may_be_less || range.first >= range.end;
   if (range.may_be_less) {
      struct decompile_text work =
         decompile_text_role(decompile, DECOMPILE_WORK);
      struct decompile_text one = decompile_text_integer(decompile, 1 - field);

      decompile->uses_address[1] = true;
      decompile_text_line(decompile, "ISLT %s.x, %s, %s", work.text,
                          address.text,
                          decompile_text_integer(decompile, -field).text);
      decompile_text_line(decompile, "UCMP %s.x, %s.xxxx, %s, %s", work.text,
                          work.text, one.text, address.text);
      decompile_text_line(decompile, "UARL ADDR[1].x, %s.xxxx", work.text);
      address = decompile_text_format("ADDR[1].xxxx");
      constant = field ? decompile_text_format("CONST[ADDR[1].x+%d]", field)
                       : decompile_text_format("CONST[ADDR[1].x]");
   }
   return choose_given(decompile, constant, address.text, field, range,
                       components);
}

void
decompile_find_operands(struct decompile *decompile,
                        const union tegra_instruction *instruction,
                        unsigned v_mask, unsigned s_mask,
                        struct decompile_operands *operands)
{
   unsigned masks[TEGRA_NUM_UNITS] = {v_mask, s_mask};
   unsigned attribute = 0, constant = 0;

   *operands = (struct decompile_operands){.instruction = instruction};
   for (unsigned u = 0; u < TEGRA_NUM_UNITS; u++) {
      if (!decompile_has_value(instruction, u))
         continue;
      attribute |= decompile_operand_components(instruction, u, TEGRA_ATTRIBUTE,
                                                masks[u], -1);
      constant |= decompile_operand_components(instruction, u, TEGRA_CONSTANT,
                                               masks[u], -1);
   }
   if (attribute)
      find_attribute(decompile, instruction, operands);
   if (!constant)
      return;
   operands->constant =
      instruction->const_rel && !instruction->bit120
         ? find_relative_constant(decompile, instruction, constant)
         : find_constant(decompile, instruction->const_index, constant);
}

static struct decompile_text
register_text(struct decompile *decompile,
              const struct decompile_operands *operands,
              const struct tegra_operand *operand)
{
   switch ((enum tegra_file)operand->file) {
   case TEGRA_TEMPORARY:
      return decompile_text_temporary(decompile, operand->index);
   case TEGRA_ATTRIBUTE: return operands->attribute;
   case TEGRA_CONSTANT: return operands->constant;
   case TEGRA_UNDEFINED: break;
   }
   return decompile_text_given(decompile, TG_TEGRA_NUM_CONSTANTS);
}

struct decompile_text
decompile_source_operand(struct decompile *decompile,
                         const struct decompile_operands *operands,
                         enum tegra_source source, unsigned components,
                         int only)
{
   struct tegra_operand operand =
      tegra_isa_get_source(operands->instruction, source);
   unsigned swizzle = operand.swizzle;

   if (only >= 0) {
      unsigned c = tegra_swizzle_get(swizzle, (unsigned)only);
      swizzle = tegra_swizzle(c, c, c, c);
   }
   struct decompile_text reg = register_text(decompile, operands, &operand);
   struct decompile_text letters = decompile_text_swizzle(swizzle, components);
   const char *bar = operand.absolute ? "|" : "";
   struct decompile_text made;

   snprintf(made.text, sizeof(made.text), "%s%s%.40s%.5s%s",
            operand.negate ? "-" : "", bar, reg.text, letters.text, bar);
   return made;
}

bool
decompile_operand_is_known(const struct decompile *decompile,
                           const struct decompile_operands *operands,
                           enum tegra_source source, unsigned components,
                           bool (*passes)(float value))
{
   struct tegra_operand operand =
      tegra_isa_get_source(operands->instruction, source);

   if (operand.file != TEGRA_CONSTANT || operand.relative ||
       operand.index >= TG_TEGRA_NUM_CONSTANTS)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      unsigned from = tegra_swizzle_get(operand.swizzle, i);
      uint32_t word = decompile->program->constants[operand.index][from];

      if (tegra_mask_has(components, i) &&
          (!tegra_mask_has(given_components(decompile, operand.index), from) ||
           !passes(tg_float_of_bits(word))))
         return false;
   }
   return true;
}
