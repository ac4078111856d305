/* SPDX-License-Identifier: MIT
 *
 * The tables of the command line: within a command each name of an option
 * stands for one thing, a letter does so in all, and what does not go together
 * is of kinds that can be told apart from what was not given, and taken by one
 * command.
 */
#include <stdio.h>
#include <string.h>

#include "cli/table/commands.h"

static unsigned
clash(const struct cli_command_info *command, unsigned first, unsigned second)
{
   const struct cli_option_info *a = &cli_options_info[command->options[first]];
   const struct cli_option_info *b =
      &cli_options_info[command->options[second]];

   if (strcmp(a->name, b->name) != 0 && !(a->letter && a->letter == b->letter))
      return 0;
   printf("%s: --%s and --%s clash\n", command->name, a->name, b->name);
   return 1;
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

static bool
are_taken_together(enum cli_option_id a, enum cli_option_id b)
{
   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      if (takes(&cli_commands[i], a) && takes(&cli_commands[i], b))
         return true;
   }
   return false;
}

/* Does a CHOICE have a word with this number? */
static bool
has_choice(const struct cli_option_info *option, unsigned number)
{
   const char *rest = option->argument;

   while (number-- && rest)
      cli_first_command_choice(rest, &rest);
   return rest != NULL;
}

/* 1 when the row can never complain, or would do so at what was not given. */
static unsigned
count_bad_conflict(enum cli_option_id flag, enum cli_option_id other,
                   unsigned from)
{
   const struct cli_option_info *a = &cli_options_info[flag];
   const struct cli_option_info *b = &cli_options_info[other];

   bool is_told_apart = b->kind == CLI_FLAG || b->kind == CLI_STRING
                           ? from == 1
                           : b->kind == CLI_CHOICE && from &&
                                has_choice(b, from);

   if (a->kind == CLI_FLAG && is_told_apart && are_taken_together(flag, other))
      return 0;
   printf("--%s and --%s are no conflict\n", a->name, b->name);
   return 1;
}

/* 1 when one name has two letters, or one letter two names. */
static unsigned
count_bad_letter(const struct cli_option_info *a,
                 const struct cli_option_info *b)
{
   const bool has_one_name = strcmp(a->name, b->name) == 0;
   const bool has_one_letter = a->letter == b->letter;

   if (has_one_name == has_one_letter || (!has_one_name && !a->letter))
      return 0;
   printf("-%c is --%s, and -%c is --%s\n", a->letter ? a->letter : '-',
          a->name, b->letter ? b->letter : '-', b->name);
   return 1;
}

int
main(void)
{
   unsigned num_bad = 0;

   for (int a = 0; a < CLI_NUM_OPTIONS; a++) {
      for (int b = 0; b < a; b++)
         num_bad +=
            count_bad_letter(&cli_options_info[b], &cli_options_info[a]);
   }

#define CLI_CONFLICT(flag, other, from)                                        \
   num_bad += count_bad_conflict(OPTION_##flag, OPTION_##other, from);
#include "cli/table/options.def"

   for (int i = 0; i < CLI_NUM_COMMANDS; i++) {
      const struct cli_command_info *command = &cli_commands[i];

      for (unsigned a = 0; a < command->num_options; a++) {
         for (unsigned b = 0; b < a; b++)
            num_bad += clash(command, b, a);
      }
   }
   return num_bad != 0;
}
