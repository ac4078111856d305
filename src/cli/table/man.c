/* SPDX-License-Identifier: MIT
 *
 * Manual pages in man(7) format.
 */
#include "cli/table/man.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "cli/table/help.h"
#include "tungsten/base.h"
#include "util/length.h"

static void
print_text(FILE *out, const char *text, size_t length)
{
   for (const char *c = text; c < text + length; c++) {
      bool line_start = c == text || c[-1] == '\n';

      if (line_start && (*c == '.' || *c == '\''))
         fputs("\\&", out);
      if (*c == '\\')
         fputs("\\e", out);
      else if (*c == '-')
         fputs("\\-", out);
      else if (*c == '\'')
         fputs("\\(aq", out);
      else if (*c == '^')
         fputs("\\(ha", out);
      else
         fputc(*c, out);
   }
}

void
cli_man_text(FILE *out, const char *text)
{
   print_text(out, text, strlen(text));
}

void
cli_man_page_name(int command, char name[CLI_PAGE_NAME_SIZE])
{
   if (command == CLI_NO_GROUP)
      snprintf(name, CLI_PAGE_NAME_SIZE, "tungsten");
   else
      snprintf(name, CLI_PAGE_NAME_SIZE, "tungsten-%s",
               cli_commands[command].name);
   for (char *c = name; *c; c++) {
      if (*c == ' ')
         *c = '-';
   }
}

void
cli_man_heading(FILE *out, const char *name, unsigned section,
                const char *summary)
{
   fputs(".TH ", out);
   for (const char *c = name; *c; c++)
      fputc(toupper((unsigned char)*c), out);
   fprintf(out, " %u \"\" \"Tungsten %s\" \"Tungsten\"\n.SH NAME\n", section,
           tg_version_string());
   cli_man_text(out, name);
   fputs(" \\- ", out);
   cli_man_text(out, summary);
   fputc('\n', out);
}

static void
print_heading(FILE *out, int id, const char *summary)
{
   char name[CLI_PAGE_NAME_SIZE];

   cli_man_page_name(id, name);
   cli_man_heading(out, name, 1, summary);
}

/* Paragraphs of the rows are apart by an empty line. */
static void
print_paragraphs(FILE *out, const char *text)
{
   for (;;) {
      const char *end = strstr(text, "\n\n");

      print_text(out, text, end ? (size_t)(end - text) : strlen(text));
      fputc('\n', out);
      if (!end)
         return;
      fputs(".PP\n", out);
      text = end + 2;
   }
}

static void
print_option(FILE *out, const struct cli_option_info *option)
{
   fputs(".TP\n", out);
   if (option->letter)
      fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
   fputs("\\fB\\-\\-", out);
   cli_man_text(out, option->name);
   fputs("\\fR", out);
   if (option->argument) {
      fputs("=\\fI", out);
      cli_man_text(out, option->argument);
      fputs("\\fR", out);
   }
   fputc('\n', out);
   cli_man_text(out, option->help);
   cli_print_help_default(out, option);
   fputs(".\n", out);
}

static void
print_exit_status(FILE *out)
{
   fputs(".SH EXIT STATUS\n"
         "0 when all is well, 1 when the input is at fault, 2 when the "
         "command line is.\n",
         out);
}

static void
print_reference(FILE *out, int id, const char *end)
{
   char name[CLI_PAGE_NAME_SIZE];

   cli_man_page_name(id, name);
   fputs(".BR ", out);
   cli_man_text(out, name);
   fprintf(out, " (1)%s\n", end);
}

static void
print_command(FILE *out, int id)
{
   assert((unsigned)id < TG_LENGTH(cli_commands));
   const struct cli_command_info *command = &cli_commands[id];

   print_heading(out, id, command->summary);
   fprintf(out,
           ".SH SYNOPSIS\n\\fBtungsten %s\\fR [\\fIOPTION\\fR]... "
           "\\fI%s\\fR\n.SH DESCRIPTION\n",
           command->name, command->operands);
   print_paragraphs(out, command->details);

   fputs(".SH OPTIONS\n", out);
   for (unsigned i = 0; i < command->num_options; i++)
      print_option(out, &cli_options_info[command->options[i]]);

   print_exit_status(out);
   fputs(".SH EXAMPLE\n.EX\n", out);
   cli_man_text(out, command->example);
   fputs("\n.EE\n.SH SEE ALSO\n", out);
   print_reference(out, command->group, "");
}

/* The commands of a group. */
static void
print_commands(FILE *out, int group)
{
   fputs(".SH COMMANDS\n", out);
   for (int i = cli_next_command(group, -1); i >= 0;
        i = cli_next_command(group, i)) {
      fprintf(out, ".TP\n\\fB%s\\fR\n", cli_commands[i].word);
      cli_man_text(out, cli_commands[i].summary);
      fputs(".\n", out);
   }
}

/* Their pages. */
static void
print_references(FILE *out, int group)
{
   fputs(".SH SEE ALSO\n", out);
   for (int i = cli_next_command(group, -1); i >= 0;
        i = cli_next_command(group, i))
      print_reference(out, i, cli_next_command(group, i) >= 0 ? "," : "");
}

static void
print_group(FILE *out, int id)
{
   assert((unsigned)id < TG_LENGTH(cli_commands));
   const struct cli_command_info *group = &cli_commands[id];

   print_heading(out, id, group->summary);
   fprintf(out,
           ".SH SYNOPSIS\n\\fBtungsten %s\\fR \\fICOMMAND\\fR "
           "[\\fIOPTION\\fR]... \\fI%s\\fR\n.SH DESCRIPTION\n",
           group->name, group->operands);
   print_paragraphs(out, group->details);
   print_commands(out, id);
   print_exit_status(out);
   print_references(out, id);
}

static void
print_program(FILE *out)
{
   print_heading(out, CLI_NO_GROUP, "a software GPU and toolchain for TGSI");
   fputs(".SH SYNOPSIS\n"
         "\\fBtungsten\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... "
         "[\\fIFILE\\fR]...\n"
         ".SH DESCRIPTION\n"
         "Translates, checks, prints and runs shaders of TGSI, the shader "
         "language of Gallium.\n"
         "A FILE of \\- is standard input.\n",
         out);
   print_commands(out, CLI_NO_GROUP);
   print_exit_status(out);
   fputs(".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\n"
         "If it is set and not empty, messages on a terminal have no colors "
         "unless \\-\\-color=always asks for them.\n",
         out);
   print_references(out, CLI_NO_GROUP);
}

void
cli_print_man(FILE *out, int command)
{
   if (command == CLI_NO_GROUP)
      print_program(out);
   else if (cli_commands[command].is_group)
      print_group(out, command);
   else
      print_command(out, command);
}
