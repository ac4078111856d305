/* SPDX-License-Identifier: MIT
 *
 * tungsten opcodes [NAME]...
 *
 * A row of the table is turned into seven words once; text, TSV and JSON
 * differ in how they print them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/handlers.h"
#include "lower/lower.h"
#include "tgsi/tables.h"
#include "util/diagnostics.h"
#include "util/json.h"

enum column { NAME, NUMBER, DST, SRC, TYPES, DIALECTS, STATUS, NUM_COLUMNS };

static const struct {
   const char *name;
   int width; /* in the text form */
} columns[NUM_COLUMNS] = {
   [NAME] = {"name", 18},    [NUMBER] = {"number", 7},
   [DST] = {"dst", 4},       [SRC] = {"src", 4},
   [TYPES] = {"types", 28},  [DIALECTS] = {"dialects", 15},
   [STATUS] = {"status", 0},
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

/* The words of one row; each fits. */
struct row {
   char words[NUM_COLUMNS][64];
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

static struct row
describe(int opcode)
{
   const struct tg_opcode_info *info = &tg_opcodes[opcode];
   const size_t size = sizeof((struct row){0}.words[0]);
   struct row row;

   snprintf(row.words[NAME], size, "%s", info->name);
   if (opcode < TG_FIRST_LEGACY_OPCODE)
      snprintf(row.words[NUMBER], size, "%d", opcode);
   else
      snprintf(row.words[NUMBER], size, "-");
   snprintf(row.words[DST], size, "%u", info->num_dst);
   if (info->min_src == info->num_src)
      snprintf(row.words[SRC], size, "%u", info->num_src);
   else
      snprintf(row.words[SRC], size, "%u-%u", info->min_src, info->num_src);
   describe_types(info, row.words[TYPES], size);
   describe_dialects(info->specs, row.words[DIALECTS], size);
   snprintf(row.words[STATUS], size, "%s",
            lower_has_opcode((enum tg_opcode)opcode) ? "executes" : "parses");
   return row;
}

/* ---- forms --------------------------------------------------------------- */

static void
print_tsv(const struct row *row)
{
   for (int i = 0; i < NUM_COLUMNS; i++)
      printf("%s%c", row->words[i], i + 1 < NUM_COLUMNS ? '\t' : '\n');
}

static void
print_text(const struct row *row)
{
   for (int i = 0; i < NUM_COLUMNS; i++)
      printf("%-*s%s", columns[i].width, row->words[i],
             i + 1 < NUM_COLUMNS ? " " : "\n");
}

/* Numbers are numbers; an opcode without one has null. */
static void
add_json(struct tg_json *json, const struct row *row, int opcode)
{
   const struct tg_opcode_info *info = &tg_opcodes[opcode];
   cJSON *object = tg_json_object(json, json->root, NULL);

   tg_json_string(json, object, "name", info->name);
   if (opcode < TG_FIRST_LEGACY_OPCODE)
      tg_json_number(json, object, "number", opcode);
   else
      tg_json_null(json, object, "number");
   tg_json_number(json, object, "dst", info->num_dst);
   tg_json_number(json, object, "src", info->num_src);
   tg_json_number(json, object, "least_src", info->min_src);
   tg_json_string(json, object, "types", row->words[TYPES]);
   tg_json_string(json, object, "dialects", row->words[DIALECTS]);
   tg_json_string(json, object, "status", row->words[STATUS]);
   tg_json_string(json, object, "title", info->title);
}

struct listing {
   const struct cli_options *options;
   struct tg_json json; /* an array, with --json */
};

static void
list_opcode(struct listing *listing, int opcode)
{
   struct row row = describe(opcode);

   if (listing->options->json)
      add_json(&listing->json, &row, opcode);
   else if (listing->options->tsv)
      print_tsv(&row);
   else
      print_text(&row);
}

static void
print_header(const struct listing *listing)
{
   struct row header;

   if (listing->options->json)
      return;
   for (int i = 0; i < NUM_COLUMNS; i++)
      snprintf(header.words[i], sizeof(header.words[i]), "%s", columns[i].name);
   if (listing->options->tsv)
      print_tsv(&header);
   else
      print_text(&header);
}

/* ---- choosing rows ------------------------------------------------------- */

/* A number of which no opcode is left has a row, and nobody asks for it. */
static bool
is_listed(int opcode)
{
   return opcode >= 0 && tg_opcodes[opcode].name &&
          tg_opcodes[opcode].group != TG_GROUP_GAP;
}

static const char *
listed_name(size_t opcode)
{
   return is_listed((int)opcode) ? tg_opcodes[opcode].name : NULL;
}

static int
list_named(struct listing *listing, int num_names, char **names)
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
list_all(struct listing *listing)
{
   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      if (is_listed(i))
         list_opcode(listing, i);
   }
}

int
cmd_opcodes(struct cli_call *call)
{
   struct listing listing = {
      .options = &call->options,
   };
   int status = CLI_OK;

   if (call->options.json)
      tg_json_init_array(&listing.json);
   print_header(&listing);
   if (call->num_operands)
      status = list_named(&listing, call->num_operands, call->operands);
   else
      list_all(&listing);
   if (call->options.json && !cli_put_json(tg_json_take(&listing.json)))
      status = CLI_FAILED;
   return status;
}
