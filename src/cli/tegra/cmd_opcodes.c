/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra opcodes [NAME]...
 */
#include <assert.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/listing.h"
#include "cli/table/handlers.h"
#include "cli/tegra/isa.h"
#include "util/ascii.h"
#include "util/diagnostics.h"

static const struct cli_column columns[CLI_TEGRA_NUM_OPCODE_COLUMNS] = {
   [CLI_TEGRA_NAME] = {"name", .width = 6},
   [CLI_TEGRA_UNIT] = {"unit", .forms = CLI_IN_JSON},
   [CLI_TEGRA_NUMBER] = {"number", .width = 6, .is_number = true},
   [CLI_TEGRA_ALIAS] = {"alias", .width = 5},
   [CLI_TEGRA_OPERANDS] = {"operands", .width = 8},
   [CLI_TEGRA_READS] = {"reads", .width = 5},
   [CLI_TEGRA_RESULT] = {"result", .width = 6},
   [CLI_TEGRA_EFFECT] = {"effect", .width = 7},
   [CLI_TEGRA_FORMULA] = {"formula"},
};

/* A number among the opcodes of both units. */
static const struct tegra_opcode_info *
opcode_at(size_t index)
{
   assert(index < 2 * TEGRA_NUM_OPCODES);
   return &tegra_opcodes[index / TEGRA_NUM_OPCODES][index % TEGRA_NUM_OPCODES];
}

static const char *
name_at(size_t index)
{
   return opcode_at(index)->name;
}

/* Does a word name an opcode, with the letter of its unit or without? */
static bool
is_named(size_t index, const char *word)
{
   const char letter = tegra_unit_letter[index / TEGRA_NUM_OPCODES];
   const struct tegra_opcode_info *info = opcode_at(index);
   const char *names[] = {info->name, info->alias};

   for (unsigned i = 0; i < 2; i++) {
      size_t length = names[i] ? strlen(names[i]) : 0;

      if (!length || tg_ascii_compare(word, names[i], length) != 0)
         continue;
      if (!word[length] ||
          (tg_ascii_lower(word[length]) == letter && !word[length + 1]))
         return true;
   }
   return false;
}

/* Lists the opcodes with a name, or all; false when there is none. */
static bool
list(struct cli_listing *listing, const char *word)
{
   bool found = false;

   for (unsigned i = 0; i < TEGRA_NUM_UNITS * TEGRA_NUM_OPCODES; i++) {
      struct cli_tegra_opcode row;

      if (!name_at(i) || (word && !is_named(i, word)))
         continue;
      cli_tegra_isa_describe_opcode(i / TEGRA_NUM_OPCODES,
                                    i % TEGRA_NUM_OPCODES, &row);
      cli_listing_row(listing, row.cells);
      found = true;
   }
   return found;
}

static void
complain_unknown(const char *word)
{
   const char *meant = tg_did_you_mean(
      word, strlen(word), TEGRA_NUM_UNITS * TEGRA_NUM_OPCODES, name_at);

   cli_complain("there is no opcode '%s'%s%s%s", word,
                meant ? "; did you mean " : "", meant ? meant : "",
                meant ? "?" : "");
}

int
cmd_tegra_opcodes(struct cli_call *call)
{
   struct cli_listing listing;
   int status = CLI_OK;

   cli_listing_begin(&listing, &call->options, columns,
                     CLI_TEGRA_NUM_OPCODE_COLUMNS);
   if (!call->num_operands)
      list(&listing, NULL);
   for (int i = 0; i < call->num_operands; i++) {
      if (list(&listing, call->operands[i]))
         continue;
      complain_unknown(call->operands[i]);
      status = CLI_FAILED;
   }
   return cli_listing_end(&listing) ? status : CLI_FAILED;
}
