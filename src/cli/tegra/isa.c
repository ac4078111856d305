/* SPDX-License-Identifier: MIT
 *
 * The rows of tegra/opcodes.def and tegra/fields.def as words.
 */
#include "cli/tegra/isa.h"

#include <assert.h>

#include "util/length.h"

static const char *const unit_words[] = {
   [TEGRA_VECTOR] = "vector",
   [TEGRA_SCALAR] = "scalar",
};

static const char *const operand_words[] = {
   [TEGRA_OPERANDS_NONE] = NULL,       [TEGRA_OPERANDS_A] = "a",
   [TEGRA_OPERANDS_AB] = "a,b",        [TEGRA_OPERANDS_AC] = "a,c",
   [TEGRA_OPERANDS_ABC] = "a,b,c",     [TEGRA_OPERANDS_C] = "c",
   [TEGRA_OPERANDS_TARGET] = "target",
};

static const char *const read_words[] = {
   [TEGRA_READS_NONE] = NULL,   [TEGRA_READS_MASK] = "mask",
   [TEGRA_READS_X] = "x",       [TEGRA_READS_XYZ] = "xyz",
   [TEGRA_READS_XYW] = "xyw",   [TEGRA_READS_YZW] = "yzw",
   [TEGRA_READS_XYZW] = "xyzw",
};

static const char *const result_words[] = {
   [TEGRA_RESULT_NONE] = NULL,   [TEGRA_RESULT_COMP] = "comp",
   [TEGRA_RESULT_REPL] = "repl", [TEGRA_RESULT_VEC] = "vec",
   [TEGRA_RESULT_ADDR] = "addr",
};

static const char *const effect_words[] = {
   [TEGRA_EFFECT_UNKNOWN] = "unknown", [TEGRA_EFFECT_NONE] = NULL,
   [TEGRA_EFFECT_BRANCH] = "branch",   [TEGRA_EFFECT_CALL] = "call",
   [TEGRA_EFFECT_RETURN] = "return",   [TEGRA_EFFECT_PUSH] = "push",
   [TEGRA_EFFECT_POP] = "pop",
};

void
cli_tegra_isa_describe_opcode(enum tegra_unit unit, unsigned number,
                              struct cli_tegra_opcode *row)
{
   assert(unit < TG_LENGTH(tegra_opcodes));
   const struct tegra_opcode_info *info = &tegra_opcodes[unit][number];
   const char letter = tegra_unit_letter[unit];

   snprintf(row->name, sizeof(row->name), "%s%c", info->name, letter);
   snprintf(row->alias, sizeof(row->alias), "%s%c",
            info->alias ? info->alias : "", letter);
   snprintf(row->number, sizeof(row->number), "%u", number);
   row->cells[CLI_TEGRA_NAME] = row->name;
   row->cells[CLI_TEGRA_UNIT] = unit_words[unit];
   row->cells[CLI_TEGRA_NUMBER] = row->number;
   row->cells[CLI_TEGRA_ALIAS] = info->alias ? row->alias : NULL;
   row->cells[CLI_TEGRA_OPERANDS] = operand_words[info->operands];
   row->cells[CLI_TEGRA_READS] = read_words[info->reads];
   row->cells[CLI_TEGRA_RESULT] = result_words[info->result];
   row->cells[CLI_TEGRA_EFFECT] = effect_words[info->effect];
   row->cells[CLI_TEGRA_FORMULA] = info->formula;
}

/* ---- fields -------------------------------------------------------------- */

/* "W0 29-31": bits of one word, given by their numbers in the instruction. */
static int
describe_bits(unsigned first, unsigned last, char *out, size_t size)
{
   int length = snprintf(out, size, "W%u %u", first / 32, first % 32);

   if (last != first)
      length += snprintf(out + length, size - (size_t)length, "-%u", last % 32);
   return length;
}

void
cli_tegra_isa_describe_field(enum tegra_field field,
                             struct cli_tegra_field *row)
{
   assert(field < TG_LENGTH(tegra_fields));
   const struct tegra_field_info *info = &tegra_fields[field];
   const unsigned first = info->lsb, last = first + info->width - 1;
   const unsigned end_of_word = first | 31;
   const bool crosses = last > end_of_word;

   snprintf(row->lsb, sizeof(row->lsb), "%u", first);
   snprintf(row->width, sizeof(row->width), "%u", info->width);
   int length = describe_bits(first, crosses ? end_of_word : last, row->words,
                              sizeof(row->words));
   if (crosses) {
      char *rest = row->words + length;
      size_t size = sizeof(row->words) - (size_t)length;

      length = snprintf(rest, size, ", ");
      describe_bits(end_of_word + 1, last, rest + length,
                    size - (size_t)length);
   }
   row->cells[CLI_TEGRA_FIELD] = info->name;
   row->cells[CLI_TEGRA_LSB] = row->lsb;
   row->cells[CLI_TEGRA_WIDTH] = row->width;
   row->cells[CLI_TEGRA_WORDS] = row->words;
   row->cells[CLI_TEGRA_TITLE] = info->title;
}
