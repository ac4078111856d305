/* SPDX-License-Identifier: MIT
 *
 * Manual pages in man(7) format.
 */
#include "cli/help.h"

#include <ctype.h>
#include <string.h>

#include "tungsten/base.h"

/* Text with what roff would take for its own made harmless. */
static void
print_escaped(FILE *out, const char *text)
{
   for (const char *c = text; *c; c++) {
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

static void
print_title(FILE *out, const char *command)
{
   fputs(".TH TUNGSTEN", out);
   for (const char *c = command; *c; c++)
      fputc(toupper((unsigned char)*c), out);
   fprintf(out, " 1 \"\" \"Tungsten %s\" \"Tungsten\"\n", tg_version_string());
}

/* Paragraphs of the rows are apart by an empty line. */
static void
print_paragraphs(FILE *out, const char *text)
{
   for (;;) {
      const char *end = strstr(text, "\n\n");
      char paragraph[2048];

      snprintf(paragraph, sizeof(paragraph), "%.*s",
               end ? (int)(end - text) : (int)strlen(text), text);
      print_escaped(out, paragraph);
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
   print_escaped(out, option->name);
   fputs("\\fR", out);
   if (option->argument) {
      fputs("=\\fI", out);
      print_escaped(out, option->argument);
      fputs("\\fR", out);
   }
   fputc('\n', out);
   print_escaped(out, option->help);
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
print_command(FILE *out, const struct cli_command_info *command)
{
   char suffix[32];

   snprintf(suffix, sizeof(suffix), "-%s", command->name);
   print_title(out, suffix);
   fprintf(out, ".SH NAME\ntungsten\\-%s \\- ", command->name);
   print_escaped(out, command->summary);
   fprintf(out,
           "\n.SH SYNOPSIS\n\\fBtungsten %s\\fR [\\fIOPTION\\fR]... "
           "\\fI%s\\fR\n.SH DESCRIPTION\n",
           command->name, command->operands);
   print_paragraphs(out, command->details);

   fputs(".SH OPTIONS\n", out);
   for (int i = cli_next_option(command, -1); i >= 0;
        i = cli_next_option(command, i))
      print_option(out, &cli_options_info[i]);

   print_exit_status(out);
   fputs(".SH EXAMPLE\n.EX\n", out);
   print_escaped(out, command->example);
   fputs("\n.EE\n.SH SEE ALSO\n.BR tungsten (1)\n", out);
}

static void
print_program(FILE *out)
{
   print_title(out, "");
   fputs(".SH NAME\n"
         "tungsten \\- a software GPU and toolchain for TGSI\n"
         ".SH SYNOPSIS\n"
         "\\fBtungsten\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... "
         "[\\fIFILE\\fR]...\n"
         ".SH DESCRIPTION\n"
         "Translates, checks, prints and runs shaders of TGSI, the shader "
         "language of Gallium.\n"
         "A FILE of \\- is standard input.\n"
         ".SH COMMANDS\n",
         out);
   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      fprintf(out, ".TP\n\\fB%s\\fR\n", cli_commands[i].name);
      print_escaped(out, cli_commands[i].summary);
      fputs(".\n", out);
   }
   print_exit_status(out);
   fputs(".SH SEE ALSO\n", out);
   for (int i = 0; i < CLI_NUM_COMMANDS; i++)
      fprintf(out, ".BR tungsten\\-%s (1)%s\n", cli_commands[i].name,
              i + 1 < CLI_NUM_COMMANDS ? "," : "");
}

void
cli_print_man(FILE *out, const struct cli_command_info *command)
{
   if (command)
      print_command(out, command);
   else
      print_program(out);
}
