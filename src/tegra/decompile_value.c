/* SPDX-License-Identifier: MIT
 *
 * What operations compute, and the operands that they have: most are one
 * instruction of TGSI. Where that is not what the unit does in each case, there
 * are more, unless the operands show that the case does not come up.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "tegra/decompile.h"
#include "util/bits.h"
#include "util/minmax.h"

/* ---- the table ----------------------------------------------------------- */

enum how {
   HOW_NOTHING,
   HOW_SAME,
   HOW_SWAPPED,
   HOW_EXTREME,
   HOW_INDEX,
   HOW_CONSTANT,
   HOW_DOT_ADD,
   HOW_CLAMPED,
   HOW_PAIRS,
};

struct row {
   uint8_t how;
   const char *tgsi;
};

static const struct row rows[TEGRA_NUM_UNITS][TEGRA_NUM_OPCODES] = {
#define DECOMPILE_ROW(unit, name, how, tgsi)                                   \
   [TEGRA_##unit][TEGRA_##unit##_##name] = {HOW_##how, tgsi},
#include "tegra/decompile.def"
};

/* Each opcode has its row. */
enum {
#define DECOMPILE_ROW(unit, name, how, tgsi) HAS_##unit##_##name = 1,
#include "tegra/decompile.def"
};
#define TEGRA_VECTOR_OP(name, ...)                                             \
   static_assert(HAS_VECTOR_##name, "decompile.def lacks an opcode");
#define TEGRA_SCALAR_OP(name, ...)                                             \
   static_assert(HAS_SCALAR_##name, "decompile.def lacks an opcode");
#include "tegra/opcodes.def"

static unsigned
opcode_of(const union tegra_instruction *instruction, enum tegra_unit unit)
{
   return unit == TEGRA_VECTOR ? instruction->v_op : instruction->s_op;
}

static const struct row *
row_of(const union tegra_instruction *instruction, enum tegra_unit unit)
{
   return &rows[unit][opcode_of(instruction, unit)];
}

bool
decompile_has_value(const union tegra_instruction *instruction,
                    enum tegra_unit unit)
{
   return row_of(instruction, unit)->how != HOW_NOTHING;
}

/* ---- sources ------------------------------------------------------------- */

unsigned
decompile_components(const union tegra_instruction *instruction,
                     enum tegra_unit unit, enum tegra_file file, unsigned mask,
                     int index)
{
   const struct tegra_opcode_info *info =
      &tegra_opcodes[unit][opcode_of(instruction, unit)];
   unsigned wanted = tegra_components_read(info, mask);
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = mask ? tegra_sources(info, sources) : 0;
   unsigned components = 0;

   for (unsigned s = 0; s < count; s++) {
      struct tegra_operand operand = tegra_get_source(instruction, sources[s]);

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
decompile_index(struct decompile *decompile,
                const union tegra_instruction *instruction, unsigned field)
{
   decompile->uses_address[0] = true;
   return field ? decompile_format("ADDR[0].%c+%u", "xyzw"[instruction->a_sel],
                                   field)
                : decompile_format("ADDR[0].%c", "xyzw"[instruction->a_sel]);
}

struct decompile_range
decompile_range(const struct decompile *decompile,
                const union tegra_instruction *instruction, unsigned field,
                unsigned count)
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
      operands->attribute = decompile_format("IN[%u]", index);
      return;
   }
   struct decompile_range range =
      decompile_range(decompile, instruction, index, TG_TEGRA_NUM_ATTRIBUTES);
   for (int i = range.first; i < range.end; i++)
      decompile->uses_attribute[i] = true;
   decompile->uses_attribute[index] = true; /* one at least is declared */
   operands->attribute = decompile_format(
      "IN[%s]", decompile_index(decompile, instruction, index).text);
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
   return mirrored(decompile->program->constant_masks[index]);
}

static struct decompile_text
find_constant(struct decompile *decompile, unsigned index, unsigned components)
{
   if (index >= TG_TEGRA_NUM_CONSTANTS)
      return decompile_given(decompile, index);

   unsigned given = given_components(decompile, index) & components;
   unsigned rest = components & ~given;
   if (!rest)
      return decompile_given(decompile, index);
   decompile->uses_constant[index] = true;
   if (!given)
      return decompile_format("CONST[%u]", index);

   struct decompile_text fetched = decompile_role(decompile, DECOMPILE_FETCHED);
   decompile_line(decompile, "MOV %s%s, %s", fetched.text,
                  decompile_mask(given).text,
                  decompile_given(decompile, index).text);
   decompile_line(decompile, "MOV %s%s, CONST[%u]", fetched.text,
                  decompile_mask(rest).text, index);
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
         fetched = decompile_role(decompile, DECOMPILE_FETCHED);
         work = decompile_role(decompile, DECOMPILE_WORK);
         decompile_line(decompile, "MOV %s%s, %s", fetched.text,
                        decompile_mask(components).text, constant.text);
      }
      decompile_line(decompile, "USEQ %s.x, %s, %s", work.text, address,
                     decompile_integer(decompile, i - field).text);
      decompile_line(decompile, "UCMP %s%s, %s.xxxx, %s, %s", fetched.text,
                     decompile_mask(given).text, work.text,
                     decompile_given(decompile, (unsigned)i).text,
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
   struct decompile_range range = decompile_range(
      decompile, instruction, (unsigned)field, TG_TEGRA_NUM_CONSTANTS);
   struct decompile_text address =
      decompile_format("ADDR[0].%c%c%c%c", c, c, c, c);
   struct decompile_text constant = decompile_format(
      "CONST[%s]",
      decompile_index(decompile, instruction, (unsigned)field).text);

   for (int i = range.first; i < range.end; i++)
      decompile->uses_constant[i] = true;
   decompile->uses_constant[1] |= range.may_be_less || range.first >= range.end;
   if (range.may_be_less) {
      struct decompile_text work = decompile_role(decompile, DECOMPILE_WORK);
      struct decompile_text one = decompile_integer(decompile, 1 - field);

      decompile->uses_address[1] = true;
      decompile_line(decompile, "ISLT %s.x, %s, %s", work.text, address.text,
                     decompile_integer(decompile, -field).text);
      decompile_line(decompile, "UCMP %s.x, %s.xxxx, %s, %s", work.text,
                     work.text, one.text, address.text);
      decompile_line(decompile, "UARL ADDR[1].x, %s.xxxx", work.text);
      address = decompile_format("ADDR[1].xxxx");
      constant = field ? decompile_format("CONST[ADDR[1].x+%d]", field)
                       : decompile_format("CONST[ADDR[1].x]");
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
      attribute |=
         decompile_components(instruction, u, TEGRA_ATTRIBUTE, masks[u], -1);
      constant |=
         decompile_components(instruction, u, TEGRA_CONSTANT, masks[u], -1);
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
   case TEGRA_TEMPORARY: return decompile_temporary(decompile, operand->index);
   case TEGRA_ATTRIBUTE: return operands->attribute;
   case TEGRA_CONSTANT: return operands->constant;
   case TEGRA_UNDEFINED: break;
   }
   return decompile_given(decompile, TG_TEGRA_NUM_CONSTANTS);
}

/* A source for a reader of these components; with `only` not negative, that
 * component in all. */
static struct decompile_text
source_text(struct decompile *decompile,
            const struct decompile_operands *operands, enum tegra_source source,
            unsigned components, int only)
{
   struct tegra_operand operand =
      tegra_get_source(operands->instruction, source);
   unsigned swizzle = operand.swizzle;

   if (only >= 0) {
      unsigned c = tegra_swizzle_get(swizzle, (unsigned)only);
      swizzle = tegra_swizzle(c, c, c, c);
   }
   struct decompile_text reg = register_text(decompile, operands, &operand);
   struct decompile_text letters = decompile_swizzle(swizzle, components);
   const char *bar = operand.absolute ? "|" : "";
   struct decompile_text made;

   snprintf(made.text, sizeof(made.text), "%s%s%.40s%.5s%s",
            operand.negate ? "-" : "", bar, reg.text, letters.text, bar);
   return made;
}

/* Does a word pass for every component of a source that is read, all of which
 * the program gives? */
static bool
is_known(const struct decompile *decompile,
         const struct decompile_operands *operands, enum tegra_source source,
         unsigned components, bool (*passes)(float value))
{
   struct tegra_operand operand =
      tegra_get_source(operands->instruction, source);

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

static bool
is_number(float value)
{
   return !isnan(value);
}

static bool
is_number_but_zero(float value)
{
   return !isnan(value) && value != 0;
}

static bool
is_finite(float value)
{
   return isfinite(value);
}

/* ---- values -------------------------------------------------------------- */

/* What an operation is asked for. */
struct request {
   struct decompile *decompile;
   const struct decompile_operands *operands;
   const struct row *row;
   const struct tegra_opcode_info *info;
   unsigned components;        /* of its sources */
   struct decompile_text to;   /* the register with its mask */
   struct decompile_text mask; /* alone */
   const char *saturate;       /* "_SAT" or "" */
};

static struct decompile_text
source(const struct request *request, enum tegra_source source)
{
   return source_text(request->decompile, request->operands, source,
                      request->components, -1);
}

static void
write_same(const struct request *request)
{
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = tegra_sources(request->info, sources);
   struct decompile_text text[TEGRA_NUM_SOURCES] = {{""}};

   for (unsigned i = 0; i < count; i++)
      text[i] = source(request, sources[i]);
   decompile_line(request->decompile, "%s%s %s, %s%s%s%s%s", request->row->tgsi,
                  request->saturate, request->to.text, text[0].text,
                  count > 1 ? ", " : "", text[1].text, count > 2 ? ", " : "",
                  text[2].text);
}

static void
write_swapped(const struct request *request)
{
   decompile_line(request->decompile, "%s%s %s, %s, %s", request->row->tgsi,
                  request->saturate, request->to.text,
                  source(request, TEGRA_RB).text,
                  source(request, TEGRA_RA).text);
}

/* TGSI gives the second operand where one of them is NaN, and where they are
 * equal, which are 0 and -0, too. */
static void
write_extreme(const struct request *request)
{
   struct decompile *decompile = request->decompile;

   if (is_known(decompile, request->operands, TEGRA_RA, request->components,
                is_number)) {
      write_same(request);
      return;
   }
   if (is_known(decompile, request->operands, TEGRA_RB, request->components,
                request->saturate[0] ? is_number : is_number_but_zero)) {
      write_swapped(request);
      return;
   }
   struct decompile_text is_nan = decompile_role(decompile, DECOMPILE_WORK);
   struct decompile_text value = decompile_role(decompile, DECOMPILE_WORK + 1);
   struct decompile_text a = source(request, TEGRA_RA);

   decompile_line(decompile, "FSNE %s%s, %s, %s", is_nan.text,
                  request->mask.text, a.text, a.text);
   decompile_line(decompile, "%s %s%s, %s, %s", request->row->tgsi, value.text,
                  request->mask.text, a.text, source(request, TEGRA_RB).text);
   decompile_line(decompile, "UCMP%s %s, %s, %s, %s", request->saturate,
                  request->to.text, is_nan.text, a.text, value.text);
}

/* x * 0 + x is x, or NaN if x is infinite. */
static void
write_index(const struct request *request)
{
   struct decompile *decompile = request->decompile;

   if (is_known(decompile, request->operands, TEGRA_RA, request->components,
                is_finite)) {
      write_same(request);
      return;
   }
   struct decompile_text work = decompile_role(decompile, DECOMPILE_WORK);
   struct decompile_text x = source(request, TEGRA_RA);

   decompile_line(decompile, "MAD %s%s, %s, %s, %s", work.text,
                  request->mask.text, x.text,
                  decompile_float(decompile, 0).text, x.text);
   decompile_line(decompile, "%s %s, %s", request->row->tgsi, request->to.text,
                  work.text);
}

static void
write_constant(const struct request *request)
{
   float value = request->row->tgsi[0] == '1' ? 1.0f : 0.0f;

   decompile_line(request->decompile, "MOV %s, %s", request->to.text,
                  decompile_float(request->decompile, value).text);
}

static void
write_dot_add(const struct request *request)
{
   struct decompile *decompile = request->decompile;
   struct decompile_text work = decompile_role(decompile, DECOMPILE_WORK);
   unsigned xyz = TEGRA_MASK_XYZW & ~tegra_mask_bit(3);
   struct decompile_text a =
      source_text(decompile, request->operands, TEGRA_RA, xyz, -1);
   struct decompile_text b =
      source_text(decompile, request->operands, TEGRA_RB, xyz, -1);
   struct decompile_text w =
      source_text(decompile, request->operands, TEGRA_RA, TEGRA_MASK_XYZW, 3);

   decompile_line(decompile, "%s %s.x, %s, %s", request->row->tgsi, work.text,
                  a.text, b.text);
   decompile_line(decompile, "ADD%s %s, %s.xxxx, %s", request->saturate,
                  request->to.text, work.text, w.text);
}

/* The reciprocal's magnitude within bounds, and its sign. NaN, as a second
 * operand, goes through. */
static void
write_clamped(const struct request *request)
{
   struct decompile *decompile = request->decompile;
   struct decompile_text role = decompile_role(decompile, DECOMPILE_WORK);
   const char *work = role.text;
   bool saturates = request->saturate[0] != '\0';

   decompile_line(decompile, "%s %s.x, %s", request->row->tgsi, work,
                  source(request, TEGRA_RC).text);
   decompile_line(decompile, "MAX %s.y, %s, |%s.xxxx|", work,
                  decompile_float(decompile, 0x1p-64f).text, work);
   decompile_line(decompile, "MIN %s.y, %s, %s.yyyy", work,
                  decompile_float(decompile, 0x1p64f).text, work);
   decompile_line(decompile, "AND %s.x, %s.xxxx, %s", work, work,
                  decompile_integer(decompile, INT32_MIN).text);
   if (!saturates) {
      decompile_line(decompile, "OR %s, %s.xxxx, %s.yyyy", request->to.text,
                     work, work);
      return;
   }
   decompile_line(decompile, "OR %s.x, %s.xxxx, %s.yyyy", work, work, work);
   decompile_line(decompile, "MOV_SAT %s, %s.xxxx", request->to.text, work);
}

static void
write_pairs(const struct request *request)
{
   struct decompile *decompile = request->decompile;

   if (request->operands->instruction->bit120) {
      decompile_line(decompile, "UARL %s, %s", request->to.text,
                     decompile_integer(decompile, 0).text);
      return;
   }
   decompile->uses_address[0] = true;
   decompile_line(decompile, "%s %s, ADDR[0].xyxy, ADDR[0].zwzw",
                  request->row->tgsi, request->to.text);
}

void
decompile_value(struct decompile *decompile,
                const struct decompile_operands *operands, enum tegra_unit unit,
                const char *reg, unsigned mask)
{
   static void (*const functions[])(const struct request *request) = {
      [HOW_SAME] = write_same,         [HOW_SWAPPED] = write_swapped,
      [HOW_EXTREME] = write_extreme,   [HOW_INDEX] = write_index,
      [HOW_CONSTANT] = write_constant, [HOW_DOT_ADD] = write_dot_add,
      [HOW_CLAMPED] = write_clamped,   [HOW_PAIRS] = write_pairs,
   };
   const union tegra_instruction *instruction = operands->instruction;
   const struct row *row = row_of(instruction, unit);
   struct request request = {
      .decompile = decompile,
      .operands = operands,
      .row = row,
      .info = &tegra_opcodes[unit][opcode_of(instruction, unit)],
      .mask = decompile_mask(mask),
   };

   request.components = tegra_components_read(request.info, mask);
   request.to = decompile_format("%.40s%s", reg, request.mask.text);
   request.saturate = instruction->sat ? "_SAT" : "";
   functions[row->how](&request);
}

bool
decompile_is_copy(struct decompile *decompile,
                  const struct decompile_operands *operands,
                  enum tegra_unit unit, unsigned mask,
                  struct decompile_text *source_out)
{
   const union tegra_instruction *instruction = operands->instruction;
   bool is_vector = unit == TEGRA_VECTOR;

   if (instruction->sat || (is_vector ? instruction->v_op != TEGRA_VECTOR_MOV
                                      : instruction->s_op != TEGRA_SCALAR_MOV))
      return false;
   *source_out = source_text(decompile, operands,
                             is_vector ? TEGRA_RA : TEGRA_RC, mask, -1);
   return true;
}
