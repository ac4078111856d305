/* SPDX-License-Identifier: MIT
 *
 * tungsten-tegra-isa(7): the tables of Tegra's vertex unit, set by tbl(1).
 */
#include "cli/table/man.h"
#include "cli/tegra/isa.h"

/* Prints the cells of a row from the first on; the last one may take several
 * lines. */
static void
print_row(FILE *out, const char *const *cells, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      bool is_last = i + 1 == count;

      fputs(is_last ? "T{\n" : "", out);
      cli_man_text(out, cells[i] ? cells[i] : "-");
      fputs(is_last ? "\nT}\n" : "\t", out);
   }
}

/* The head of a table with columns of a format. */
static void
begin_table(FILE *out, const char *format, const char *names)
{
   fprintf(out, ".TS\n%s.\n%s\n", format, names);
}

static void
print_fields(FILE *out)
{
   fputs(".SH FIELDS\n"
         "An instruction has 128 bits; those of a word are counted in it, W0 "
         "having bits 0 to 31 of the instruction and W3 bits 96 to 127. In "
         "files and on the way to the hardware W3 comes first.\n",
         out);
   begin_table(out, "lb lb lb lb lbx\nlb r r l lx",
               "field\tlsb\twidth\twords\tmeaning");
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      struct cli_tegra_field row;

      cli_tegra_isa_describe_field((enum tegra_field)i, &row);
      print_row(out, row.cells, CLI_TEGRA_NUM_FIELD_COLUMNS);
   }
   fputs(".TE\n", out);
}

static void
print_opcodes(FILE *out, enum tegra_unit unit)
{
   begin_table(out, "lb lb lb lb lb lb lbx\nlb r l l l l lx",
               "opcode\tnumber\talias\tsources\treads\tresult\tmeaning");
   for (unsigned i = 0; i < TEGRA_NUM_OPCODES; i++) {
      struct cli_tegra_opcode row;

      if (!tegra_opcodes[unit][i].name)
         continue;
      cli_tegra_isa_describe_opcode(unit, i, &row);
      const char *const cells[] = {
         row.cells[CLI_TEGRA_NAME],    row.cells[CLI_TEGRA_NUMBER],
         row.cells[CLI_TEGRA_ALIAS],   row.cells[CLI_TEGRA_OPERANDS],
         row.cells[CLI_TEGRA_READS],   row.cells[CLI_TEGRA_RESULT],
         row.cells[CLI_TEGRA_FORMULA],
      };
      print_row(out, cells, sizeof(cells) / sizeof(*cells));
   }
   fputs(".TE\n", out);
}

static void
print_pseudo(FILE *out)
{
   static const struct {
      const char *name, *opcode, *formula;
      enum tegra_unit unit;
   } rows[] = {
#define TEGRA_PSEUDO(name, unit, opcode, s0, s1, s2, conditions, formula)      \
   {#name, #opcode, formula, TEGRA_##unit},
#include "tegra/text/pseudo.def"
   };

   fputs(".SH OTHER NAMES\n"
         "The assembler writes these as the opcode beside them.\n",
         out);
   begin_table(out, "lb lb lbx\nlb l lx", "name\topcode\tmeaning");
   for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      const char letter = tegra_unit_letter[rows[i].unit];
      char name[16], opcode[16];
      const char *const cells[] = {name, opcode, rows[i].formula};

      snprintf(name, sizeof(name), "%s%c", rows[i].name, letter);
      snprintf(opcode, sizeof(opcode), "%s%c", rows[i].opcode, letter);
      print_row(out, cells, 3);
   }
   fputs(".TE\n", out);
}

static void
print_expansions(FILE *out)
{
   static const struct {
      const char *name, *formula;
      enum tegra_unit unit;
   } rows[] = {
#define TEGRA_EXPANSION(name, unit, sources, steps, formula)                   \
   {#name, formula, TEGRA_##unit},
#include "tegra/text/expansions.def"
   };

   fputs(".SH SEVERAL INSTRUCTIONS\n"
         "The assembler writes these as instructions that follow each other.\n",
         out);
   begin_table(out, "lb lbx\nlb lx", "name\tmeaning");
   for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      char name[16];
      const char *const cells[] = {name, rows[i].formula};

      snprintf(name, sizeof(name), "%s%c", rows[i].name,
               tegra_unit_letter[rows[i].unit]);
      print_row(out, cells, 2);
   }
   fputs(".TE\n", out);
}

void
cli_print_tegra_isa(FILE *out)
{
   fputs("'\\\" t\n", out); /* asks man(1) for tbl(1) */
   cli_man_heading(out, "tungsten-tegra-isa", 7,
                   "instructions of the vertex unit of Tegra 2 and 3");
   fputs(".ad l\n"
         ".nh\n"
         ".SH DESCRIPTION\n"
         "An instruction has a vector and a scalar operation, which share the "
         "sources rA, rB and rC, here a, b and c, and execute together.\n",
         out);
   print_fields(out);
   fputs(".SH VECTOR OPCODES\n"
         "Of the sources those components count that are written (mask) or "
         "those that are listed. The result is one value for each component "
         "(comp), one for all (repl), a formula for each (vec) or goes to the "
         "address register (addr).\n",
         out);
   print_opcodes(out, TEGRA_VECTOR);
   fputs(".SH SCALAR OPCODES\n", out);
   print_opcodes(out, TEGRA_SCALAR);
   print_pseudo(out);
   print_expansions(out);
   fputs(".SH SEE ALSO\n.BR tungsten\\-tegra (1)\n", out);
}
