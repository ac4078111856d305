/* SPDX-License-Identifier: MIT
 *
 * Help texts for a terminal of 80 columns.
 */
#include "cli/table/help.h"

#include <assert.h>
#include <string.h>

#include "util/length.h"

enum { WIDTH = 79, OPTION_INDENT = 26 };

/* Prints words up to a width, a line end after each line; an empty line
 * stays one. */
static void
print_wrapped(FILE *out, const char *text)
{
   int column = 0;

   while (*text) {
      if (*text == '\n') {
         fputs(column ? "\n" : "", out);
         fputs(text[1] == '\n' ? "\n" : "", out);
         column = 0;
         text += strspn(text, "\n");
         continue;
      }
      int length = (int)strcspn(text, " \n");

      if (column && column + 1 + length > WIDTH) {
         fputc('\n', out);
         column = 0;
      }
      column += fprintf(out, "%s%.*s", column ? " " : "", length, text);
      text += length;
      text += *text == ' ';
   }
   fputc('\n', out);
}

void
cli_print_help_default(FILE *out, const struct cli_option_info *option)
{
   if (option->kind != CLI_CHOICE)
      return;

   const char *rest;
   int length = cli_first_command_choice(option->argument, &rest);

   fprintf(out, " (default: %.*s)", length, option->argument);
}

static void
print_option(FILE *out, const struct cli_option_info *option)
{
   int column = option->letter ? fprintf(out, "  -%c, ", option->letter)
                               : fprintf(out, "      ");

   column += fprintf(out, "--%s", option->name);
   if (option->argument)
      column += fprintf(out, "=%s", option->argument);
   if (column + 2 > OPTION_INDENT) {
      fputc('\n', out);
      column = 0;
   }
   fprintf(out, "%*s%s", OPTION_INDENT - column, "", option->help);
   cli_print_help_default(out, option);
   fputc('\n', out);
}

static void
print_command(FILE *out, const struct cli_command_info *command)
{
   fprintf(out, "usage: tungsten %s [OPTION]...%s%s\n\n", command->name,
           command->operands[0] ? " " : "", command->operands);
   print_wrapped(out, command->details);

   fputs("\noptions:\n", out);
   for (unsigned i = 0; i < command->num_options; i++)
      print_option(out, &cli_options_info[command->options[i]]);

   fprintf(out, "\nexample:\n  %s\n", command->example);
}

static void
print_commands(FILE *out, int group)
{
   fputs("\ncommands:\n", out);
   for (int i = cli_next_command(group, -1); i >= 0;
        i = cli_next_command(group, i))
      fprintf(out, "  %-10s%s\n", cli_commands[i].word,
              cli_commands[i].summary);
}

static void
print_group(FILE *out, int id)
{
   assert((unsigned)id < TG_LENGTH(cli_commands));
   const struct cli_command_info *group = &cli_commands[id];

   fprintf(out, "usage: tungsten %s COMMAND [OPTION]... %s\n\n", group->name,
           group->operands);
   print_wrapped(out, group->details);
   print_commands(out, id);
   fprintf(out, "\n'tungsten %s COMMAND --help' has more.\n", group->name);
}

static void
print_program(FILE *out)
{
   fputs("usage: tungsten COMMAND [OPTION]... [FILE]...\n"
         "       tungsten --help | --version\n"
         "\n"
         "A software GPU and toolchain for TGSI, the shader language of "
         "Gallium.\n",
         out);
   print_commands(out, CLI_NO_GROUP);
   fputs("\n"
         "A FILE of - is standard input. The exit status is 0 when all is "
         "well, 1 when\n"
         "the input is at fault and 2 when the command line is.\n"
         "'tungsten COMMAND --help' has more.\n",
         out);
}

void
cli_print_help(FILE *out, int command)
{
   if (command == CLI_NO_GROUP)
      print_program(out);
   else if (cli_commands[command].is_group)
      print_group(out, command);
   else
      print_command(out, &cli_commands[command]);
}
