/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra fields [NAME]...
 */
#include <assert.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/listing.h"
#include "cli/table/handlers.h"
#include "cli/tegra/isa.h"
#include "util/diagnostics.h"
#include "util/length.h"

static const struct cli_column columns[CLI_TEGRA_NUM_FIELD_COLUMNS] = {
   [CLI_TEGRA_FIELD] = {"name", .width = 12},
   [CLI_TEGRA_LSB] = {"lsb", .width = 3, .is_number = true},
   [CLI_TEGRA_WIDTH] = {"width", .width = 5, .is_number = true},
   [CLI_TEGRA_WORDS] = {"words", .width = 16},
   [CLI_TEGRA_TITLE] = {"title"},
};

static void
list(struct cli_listing *listing, enum tegra_field field)
{
   struct cli_tegra_field row;

   cli_tegra_isa_describe_field(field, &row);
   cli_listing_row(listing, row.cells);
}

static const char *
name_at(size_t index)
{
   assert(index < TG_LENGTH(tegra_fields));
   return tegra_fields[index].name;
}

static bool
list_named(struct cli_listing *listing, const char *name)
{
   int field = tegra_isa_find_field(name, strlen(name));
   if (field >= 0) {
      list(listing, (enum tegra_field)field);
      return true;
   }
   const char *meant =
      tg_did_you_mean(name, strlen(name), TEGRA_NUM_FIELDS, name_at);

   cli_complain("there is no field '%s'%s%s%s", name,
                meant ? "; did you mean " : "", meant ? meant : "",
                meant ? "?" : "");
   return false;
}

int
cmd_tegra_fields(struct cli_call *call)
{
   struct cli_listing listing;
   int status = CLI_OK;

   cli_listing_begin(&listing, &call->options, columns,
                     CLI_TEGRA_NUM_FIELD_COLUMNS);
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS && !call->num_operands; i++)
      list(&listing, (enum tegra_field)i);
   for (int i = 0; i < call->num_operands; i++) {
      if (!list_named(&listing, call->operands[i]))
         status = CLI_FAILED;
   }
   return cli_listing_end(&listing) ? status : CLI_FAILED;
}
