/* SPDX-License-Identifier: MIT
 *
 * Completion of the command line for bash: subcommands, in groups too, then the
 * options of the one that stands there, then the words of a choice, the names
 * of a table, else files.
 */
#include "cli/table/help.h"

static void
print_choice(FILE *out, const char *words)
{
   for (const char *rest = words; rest;) {
      const char *word = rest;
      int length = cli_first_command_choice(word, &rest);

      fprintf(out, "%.*s%s", length, word, rest ? " " : "");
   }
}

static bool
takes(const struct cli_command_info *command, enum cli_option_id option)
{
   for (unsigned i = 0; i < command->num_options; i++) {
      if (command->options[i] == option)
         return true;
   }
   return false;
}

/* The part for one subcommand: what may follow the option `$previous`, the
 * options, and of a command that lists a table how its first column is had. */
static void
print_command(FILE *out, const struct cli_command_info *command)
{
   fprintf(out, "   \"%s\")\n", command->name);
   for (unsigned i = 0; i < command->num_options; i++) {
      const struct cli_option_info *option =
         &cli_options_info[command->options[i]];

      if (option->kind != CLI_CHOICE)
         continue;
      fprintf(out, "      [[ $previous == --%s", option->name);
      if (option->letter)
         fprintf(out, " || $previous == -%c", option->letter);
      fputs(" ]] && words=\"", out);
      print_choice(out, option->argument);
      fputs("\"\n", out);
   }
   fputs("      options=\"", out);
   for (unsigned i = 0; i < command->num_options; i++)
      fprintf(out, "--%s ", cli_options_info[command->options[i]].name);
   fputs("\"\n", out);
   if (takes(command, OPTION_tsv))
      fprintf(out, "      table=\"%s\"\n", command->name);
   fputs("      ;;\n", out);
}

/* An answer of the words that may stand after a group, and of others. */
static void
print_commands(FILE *out, int group, const char *others)
{
   fputs("      COMPREPLY=($(compgen -W \"", out);
   for (int i = cli_next_command(group, -1); i >= 0;
        i = cli_next_command(group, i))
      fprintf(out, "%s ", cli_commands[i].word);
   fprintf(out, "%s\" -- \"$current\"))\n      return\n", others);
}

/* Finds out which command stands there: one word, or two with a group. */
static void
print_finding(FILE *out)
{
   fputs("   if ((COMP_CWORD == 1)); then\n", out);
   print_commands(out, CLI_NO_GROUP, "--help --version");
   fputs("   fi\n"
         "   local command=${COMP_WORDS[1]}\n",
         out);
   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      if (!cli_commands[i].is_group)
         continue;
      fprintf(out, "   if [[ $command == %s ]] && ((COMP_CWORD == 2)); then\n",
              cli_commands[i].word);
      print_commands(out, i, "--help");
      fprintf(out,
              "   elif [[ $command == %s ]]; then\n"
              "      command+=\" ${COMP_WORDS[2]}\"\n"
              "   fi\n",
              cli_commands[i].word);
   }
}

void
cli_print_completion(FILE *out)
{
   fputs("# Completion of tungsten(1) for bash. Made from its tables.\n"
         "_tungsten()\n"
         "{\n"
         "   local current=${COMP_WORDS[COMP_CWORD]}\n"
         "   local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "   local words= options= table=\n"
         "   # bash splits --option=word at the sign\n"
         "   if [[ $current == = ]]; then\n"
         "      current=\n"
         "   elif [[ $previous == = ]]; then\n"
         "      previous=${COMP_WORDS[COMP_CWORD-2]}\n"
         "   fi\n",
         out);
   print_finding(out);
   fputs("   case $command in\n", out);
   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      if (!cli_commands[i].is_group)
         print_command(out, &cli_commands[i]);
   }
   fputs("   esac\n"
         "   if [[ $words ]]; then\n"
         "      COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "   elif [[ $current == -* ]]; then\n"
         "      COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "   elif [[ $table ]]; then\n"
         "      words=$(\"$1\" $table --tsv 2>/dev/null | sed 1d | cut -f 1 | "
         "sort -u)\n"
         "      COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "   else\n"
         "      COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "   fi\n"
         "}\n"
         "complete -o filenames -F _tungsten tungsten\n",
         out);
}
