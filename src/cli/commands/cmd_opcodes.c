/* SPDX-License-Identifier: MIT
 *
 * tungsten opcodes [NAME]...
 *
 * The rows of the table as words.
 */
#include <stdio.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/listing.h"
#include "cli/table/handlers.h"
#include "lower/lower.h"
#include "tgsi/tables/tables.h"
#include "util/diagnostics.h"

enum column {
   NAME,
   NUMBER,
   DST,
   SRC_RANGE,
   SRC,
   LEAST_SRC,
   TYPES,
   DIALECTS,
   STATUS,
   TITLE,
   NUM_COLUMNS,
};

static const struct cli_column columns[NUM_COLUMNS] = {
   [NAME] = {"name", .width = 18},
   [NUMBER] = {"number", .width = 7, .is_number = true},
   [DST] = {"dst", .width = 4, .is_number = true},
   [SRC_RANGE] = {"src", .width = 4, .forms = CLI_IN_TEXT},
   [SRC] = {"src", .is_number = true, .forms = CLI_IN_JSON},
   [LEAST_SRC] = {"least_src", .is_number = true, .forms = CLI_IN_JSON},
   [TYPES] = {"types", .width = 28},
   [DIALECTS] = {"dialects", .width = 15},
   [STATUS] = {"status"},
   [TITLE] = {"title", .forms = CLI_IN_JSON},
};

static const char *const type_names[] = {
   [TG_TYPE_NONE] = "none", [TG_TYPE_UNTYPED] = "untyped",
   [TG_TYPE_F32] = "f32",   [TG_TYPE_I32] = "i32",
   [TG_TYPE_U32] = "u32",   [TG_TYPE_F64] = "f64",
   [TG_TYPE_I64] = "i64",   [TG_TYPE_U64] = "u64",
   [TG_TYPE_SAMP] = "samp", [TG_TYPE_VIEW] = "view",
   [TG_TYPE_MEM] = "mem",   [TG_TYPE_IMAGE] = "image",
   [TG_TYPE_IN] = "in",     [TG_TYPE_OUT] = "out",
};

/* "f32<f32,u32": what is written < what is read; "-" for nothing. */
static void
describe_types(const struct tg_opcode_info *info, char *out, size_t size)
{
   int length = snprintf(out, size, "%s",
                         info->num_dst ? type_names[info->dst_type] : "-");

   for (unsigned i = 0; i < info->num_src; i++)
      length += snprintf(out + length, size - (size_t)length, "%s%s",
                         i ? "," : "<", type_names[info->src_type[i]]);
}

static void
describe_dialects(unsigned specs, char *out, size_t size)
{
   snprintf(out, size, "%s%s%s%s%s", specs & TG_SPEC_2010 ? "2010" : "",
            specs & TG_SPEC_2010 && specs & ~TG_SPEC_2010 ? "," : "",
            specs & TG_SPEC_2011 ? "2011" : "",
            specs & TG_SPEC_2011 && specs & TG_SPEC_2019 ? "," : "",
            specs & TG_SPEC_2019 ? "2019" : "");
   if (!specs)
      snprintf(out, size, "mesa");
}

static void
list_opcode(struct cli_listing *listing, int opcode)
{
   const struct tg_opcode_info *info = tg_opcode_row(opcode);
   char number[16], dst[16], src[16], least_src[16], range[32];
   char types[64], dialects[32];

   snprintf(number, sizeof(number), "%d", opcode);
   snprintf(dst, sizeof(dst), "%u", info->num_dst);
   snprintf(src, sizeof(src), "%u", info->num_src);
   snprintf(least_src, sizeof(least_src), "%u", info->min_src);
   snprintf(range, sizeof(range), "%s-%s", least_src, src);
   describe_types(info, types, sizeof(types));
   describe_dialects(info->specs, dialects, sizeof(dialects));

   const char *const cells[NUM_COLUMNS] = {
      [NAME] = info->name,
      [NUMBER] = opcode < TG_FIRST_LEGACY_OPCODE ? number : NULL,
      [DST] = dst,
      [SRC_RANGE] = info->min_src == info->num_src ? src : range,
      [SRC] = src,
      [LEAST_SRC] = least_src,
      [TYPES] = types,
      [DIALECTS] = dialects,
      [STATUS] =
         lower_has_opcode((enum tg_opcode)opcode) ? "executes" : "parses",
      [TITLE] = info->title,
   };
   cli_listing_row(listing, cells);
}

/* ---- choosing rows ------------------------------------------------------- */

/* A number of which no opcode is left has a row, and nobody asks for it. */
static bool
is_listed(int opcode)
{
   return opcode >= 0 && tg_opcode_row(opcode)->name &&
          tg_opcode_row(opcode)->group != TG_GROUP_GAP;
}

static const char *
listed_name(size_t opcode)
{
   return is_listed((int)opcode) ? tg_opcode_row(opcode)->name : NULL;
}

static int
list_named(struct cli_listing *listing, int num_names, char **names)
{
   int status = CLI_OK;

   for (int i = 0; i < num_names; i++) {
      int opcode = tg_opcode_find(names[i], strlen(names[i]));
      if (is_listed(opcode)) {
         list_opcode(listing, opcode);
         continue;
      }
      const char *meant = tg_did_you_mean(names[i], strlen(names[i]),
                                          TG_NUM_OPCODES, listed_name);
      cli_complain("there is no opcode '%s'%s%s%s", names[i],
                   meant ? "; did you mean " : "", meant ? meant : "",
                   meant ? "?" : "");
      status = CLI_FAILED;
   }
   return status;
}

static void
list_all(struct cli_listing *listing)
{
   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      if (is_listed(i))
         list_opcode(listing, i);
   }
}

int
cmd_opcodes(struct cli_call *call)
{
   struct cli_listing listing;
   int status = CLI_OK;

   cli_listing_begin(&listing, &call->options, columns, NUM_COLUMNS);
   if (call->num_operands)
      status = list_named(&listing, call->num_operands, call->operands);
   else
      list_all(&listing);
   return cli_listing_end(&listing) ? status : CLI_FAILED;
}
