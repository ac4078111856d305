/* SPDX-License-Identifier: MIT
 *
 * The completion of the command line for bash: subcommands, then the options
 * of the one that stands there, then the words of a choice, else files.
 */
#include "cli/help.h"

static void
print_choice(FILE *out, const char *words)
{
   for (const char *rest = words; rest;) {
      const char *word = rest;
      int length = cli_first_choice(word, &rest);

      fprintf(out, "%.*s%s", length, word, rest ? " " : "");
   }
}

/* The part for one subcommand: what may follow the option `$previous`, and
 * the options. */
static void
print_command(FILE *out, const struct cli_command_info *command)
{
   fprintf(out, "   %s)\n", command->name);
   for (int i = cli_next_option(command, -1); i >= 0;
        i = cli_next_option(command, i)) {
      if (cli_options_info[i].kind != CLI_CHOICE)
         continue;
      fprintf(out, "      [[ $previous == --%s ]] && words=\"",
              cli_options_info[i].name);
      print_choice(out, cli_options_info[i].argument);
      fputs("\"\n", out);
   }
   fputs("      options=\"", out);
   for (int i = cli_next_option(command, -1); i >= 0;
        i = cli_next_option(command, i))
      fprintf(out, "--%s ", cli_options_info[i].name);
   fputs("\"\n      ;;\n", out);
}

void
cli_print_completion(FILE *out)
{
   fputs("# Completion of tungsten(1) for bash. Made from its tables.\n"
         "_tungsten()\n"
         "{\n"
         "   local current=${COMP_WORDS[COMP_CWORD]}\n"
         "   local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "   local words= options=\n"
         "   # bash splits --option=word at the sign\n"
         "   if [[ $current == = ]]; then\n"
         "      current=\n"
         "   elif [[ $previous == = ]]; then\n"
         "      previous=${COMP_WORDS[COMP_CWORD-2]}\n"
         "   fi\n"
         "   if ((COMP_CWORD == 1)); then\n"
         "      COMPREPLY=($(compgen -W \"",
         out);
   for (int i = 0; i < CLI_NUM_COMMANDS; i++)
      fprintf(out, "%s ", cli_commands[i].name);
   fputs("--help --version\" -- \"$current\"))\n"
         "      return\n"
         "   fi\n"
         "   case ${COMP_WORDS[1]} in\n",
         out);
   for (int i = 0; i < CLI_NUM_COMMANDS; i++)
      print_command(out, &cli_commands[i]);
   fputs("   esac\n"
         "   if [[ $words ]]; then\n"
         "      COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "   elif [[ $current == -* ]]; then\n"
         "      COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "   else\n"
         "      COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "   fi\n"
         "}\n"
         "complete -o filenames -F _tungsten tungsten\n",
         out);
}
