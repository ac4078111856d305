/* SPDX-License-Identifier: MIT
 *
 * Translation of operations and of the operands that they have: most are one
 * instruction of TGSI. Where that is not what the unit does in each case, there
 * are more, unless the operands show that the case does not come up.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "tegra/decompile/decompile.h"
#include "tgsi/tables/vocabulary.h"

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
#include "tegra/decompile/decompile.def"
};

/* Each opcode has its row. */
enum {
#define DECOMPILE_ROW(unit, name, how, tgsi) HAS_##unit##_##name = 1,
#include "tegra/decompile/decompile.def"
};
#define TEGRA_VECTOR_OP(name, ...)                                             \
   static_assert(HAS_VECTOR_##name, "decompile.def lacks an opcode");
#define TEGRA_SCALAR_OP(name, ...)                                             \
   static_assert(HAS_SCALAR_##name, "decompile.def lacks an opcode");
#include "tegra/isa/opcodes.def"
#include "util/length.h"

static const struct row *
row_of(const union tegra_instruction *instruction, enum tegra_unit unit)
{
   assert(unit < TG_LENGTH(rows));
   return &rows[unit][decompile_opcode(instruction, unit)];
}

bool
decompile_has_value(const union tegra_instruction *instruction,
                    enum tegra_unit unit)
{
   return row_of(instruction, unit)->how != HOW_NOTHING;
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
   return decompile_source_operand(request->decompile, request->operands,
                                   source, request->components, -1);
}

/* Of sums of products that do not round once. Where that is not known they are
 * as TGSI has them. */
static const char *
precise(const struct request *request)
{
   const char *name = request->row->tgsi;
   const int opcode = tg_vocabulary_opcodes.find(name, strlen(name));
   const bool fuses =
      tg_opcode_row((uint32_t)opcode)->flags & TG_OPCODE_FLAG_FUSES;

   assert(opcode >= 0);
   return fuses && request->decompile->program->mad == TG_TEGRA_MAD_SEPARATE
             ? "_PRECISE"
             : "";
}

static void
write_same(const struct request *request)
{
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = tegra_isa_sources(request->info, sources);
   struct decompile_text text[TEGRA_NUM_SOURCES] = {{""}};

   for (unsigned i = 0; i < count; i++)
      text[i] = source(request, sources[i]);
   decompile_text_line(request->decompile, "%s%s%s %s, %s%s%s%s%s",
                       request->row->tgsi, request->saturate, precise(request),
                       request->to.text, text[0].text, count > 1 ? ", " : "",
                       text[1].text, count > 2 ? ", " : "", text[2].text);
}

static void
write_swapped(const struct request *request)
{
   decompile_text_line(request->decompile, "%s%s %s, %s, %s",
                       request->row->tgsi, request->saturate, request->to.text,
                       source(request, TEGRA_RB).text,
                       source(request, TEGRA_RA).text);
}

static bool
is_number(float value)
{
   return !isnan(value);
}

static bool
is_finite(float value)
{
   return isfinite(value);
}

/* TGSI gives the second operand where one of them is NaN. */
static void
write_extreme(const struct request *request)
{
   struct decompile *decompile = request->decompile;

   if (decompile_operand_is_known(decompile, request->operands, TEGRA_RA,
                                  request->components, is_number)) {
      write_same(request);
      return;
   }
   if (decompile_operand_is_known(decompile, request->operands, TEGRA_RB,
                                  request->components, is_number)) {
      write_swapped(request);
      return;
   }
   struct decompile_text is_nan =
      decompile_text_role(decompile, DECOMPILE_WORK);
   struct decompile_text value =
      decompile_text_role(decompile, DECOMPILE_WORK + 1);
   struct decompile_text a = source(request, TEGRA_RA);

   decompile_text_line(decompile, "FSNE %s%s, %s, %s", is_nan.text,
                       request->mask.text, a.text, a.text);
   decompile_text_line(decompile, "%s %s%s, %s, %s", request->row->tgsi,
                       value.text, request->mask.text, a.text,
                       source(request, TEGRA_RB).text);
   decompile_text_line(decompile, "UCMP%s %s, %s, %s, %s", request->saturate,
                       request->to.text, is_nan.text, a.text, value.text);
}

/* x * 0 + x is x, or NaN if x is infinite. */
static void
write_index(const struct request *request)
{
   struct decompile *decompile = request->decompile;

   if (decompile_operand_is_known(decompile, request->operands, TEGRA_RA,
                                  request->components, is_finite)) {
      write_same(request);
      return;
   }
   struct decompile_text work = decompile_text_role(decompile, DECOMPILE_WORK);
   struct decompile_text x = source(request, TEGRA_RA);

   decompile_text_line(decompile, "MAD %s%s, %s, %s, %s", work.text,
                       request->mask.text, x.text,
                       decompile_text_float(decompile, 0).text, x.text);
   decompile_text_line(decompile, "%s %s, %s", request->row->tgsi,
                       request->to.text, work.text);
}

static void
write_constant(const struct request *request)
{
   float value = request->row->tgsi[0] == '1' ? 1.0f : 0.0f;

   decompile_text_line(request->decompile, "MOV %s, %s", request->to.text,
                       decompile_text_float(request->decompile, value).text);
}

static void
write_dot_add(const struct request *request)
{
   struct decompile *decompile = request->decompile;
   struct decompile_text work = decompile_text_role(decompile, DECOMPILE_WORK);
   unsigned xyz = TEGRA_MASK_XYZW & ~tegra_mask_bit(3);
   struct decompile_text a =
      decompile_source_operand(decompile, request->operands, TEGRA_RA, xyz, -1);
   struct decompile_text b =
      decompile_source_operand(decompile, request->operands, TEGRA_RB, xyz, -1);
   struct decompile_text w = decompile_source_operand(
      decompile, request->operands, TEGRA_RA, TEGRA_MASK_XYZW, 3);

   decompile_text_line(decompile, "%s%s %s.x, %s, %s", request->row->tgsi,
                       precise(request), work.text, a.text, b.text);
   decompile_text_line(decompile, "ADD%s %s, %s.xxxx, %s", request->saturate,
                       request->to.text, work.text, w.text);
}

/* The reciprocal's magnitude within bounds, and its sign. NaN, as a second
 * operand, goes through. */
static void
write_clamped(const struct request *request)
{
   struct decompile *decompile = request->decompile;
   struct decompile_text role = decompile_text_role(decompile, DECOMPILE_WORK);
   const char *work = role.text;
   bool saturates = request->saturate[0] != '\0';

   decompile_text_line(decompile, "%s %s.x, %s", request->row->tgsi, work,
                       source(request, TEGRA_RC).text);
   decompile_text_line(decompile, "MAX %s.y, %s, |%s.xxxx|", work,
                       decompile_text_float(decompile, 0x1p-64f).text, work);
   decompile_text_line(decompile, "MIN %s.y, %s, %s.yyyy", work,
                       decompile_text_float(decompile, 0x1p64f).text, work);
   decompile_text_line(decompile, "AND %s.x, %s.xxxx, %s", work, work,
                       decompile_text_integer(decompile, INT32_MIN).text);
   if (!saturates) {
      decompile_text_line(decompile, "OR %s, %s.xxxx, %s.yyyy",
                          request->to.text, work, work);
      return;
   }
   decompile_text_line(decompile, "OR %s.x, %s.xxxx, %s.yyyy", work, work,
                       work);
   decompile_text_line(decompile, "MOV_SAT %s, %s.xxxx", request->to.text,
                       work);
}

static void
write_pairs(const struct request *request)
{
   struct decompile *decompile = request->decompile;

   if (request->operands->instruction->bit120) {
      decompile_text_line(decompile, "UARL %s, %s", request->to.text,
                          decompile_text_integer(decompile, 0).text);
      return;
   }
   decompile->uses_address[0] = true;
   decompile_text_line(decompile, "%s %s, ADDR[0].xyxy, ADDR[0].zwzw",
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
      .info = &tegra_opcodes[unit][decompile_opcode(instruction, unit)],
      .mask = decompile_text_mask(mask),
   };

   request.components = tegra_isa_components_read(request.info, mask);
   request.to = decompile_text_format("%.40s%s", reg, request.mask.text);
   request.saturate = instruction->sat ? "_SAT" : "";
   functions[row->how](&request);
}

bool
decompile_value_is_copy(struct decompile *decompile,
                        const struct decompile_operands *operands,
                        enum tegra_unit unit, unsigned mask,
                        struct decompile_text *source_out)
{
   const union tegra_instruction *instruction = operands->instruction;
   bool is_vector = unit == TEGRA_VECTOR;

   if (instruction->sat || (is_vector ? instruction->v_op != TEGRA_VECTOR_MOV
                                      : instruction->s_op != TEGRA_SCALAR_MOV))
      return false;
   *source_out = decompile_source_operand(
      decompile, operands, is_vector ? TEGRA_RA : TEGRA_RC, mask, -1);
   return true;
}
