/* SPDX-License-Identifier: MIT
 *
 * Looks commands up, and says which one was probably meant.
 */
#include "cli/lookup.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "util/diagnostics.h"

static const char *
word_in(int group, size_t index)
{
   const struct cli_command_info *command = &cli_commands[index];

   return command->group == group ? command->word : NULL;
}

/* The words that may stand behind `tungsten`, and behind each group. */
static const char *
first_word(size_t index)
{
   return word_in(CLI_NO_GROUP, index);
}
#define CLI_COMMAND(name, ...)
#define CLI_GROUP(name, ...)                                                   \
   static const char *word_behind_##name(size_t index)                         \
   {                                                                           \
      return word_in(COMMAND_##name, index);                                   \
   }
#include "cli/subcommands.def"

static const char *(*const words_behind[CLI_NUM_COMMANDS])(size_t index) = {
#define CLI_COMMAND(name, ...)
#define CLI_GROUP(name, ...) [COMMAND_##name] = word_behind_##name,
#include "cli/subcommands.def"
};

static void
complain(int group, const char *word)
{
   const bool is_first = group == CLI_NO_GROUP;
   const char *before = is_first ? "" : cli_commands[group].name;
   const char *space = is_first ? "" : " ";
   const char *(*const words)(size_t) =
      is_first ? first_word : words_behind[group];
   const char *meant =
      words ? tg_did_you_mean(word, strlen(word), CLI_NUM_COMMANDS, words)
            : NULL;

   if (meant)
      cli_complain("there is no command '%s%s%s'; did you mean '%s%s%s'?",
                   before, space, word, before, space, meant);
   else
      cli_complain("there is no command '%s%s%s'", before, space, word);
}

int
cli_command_named(int group, const char *word)
{
   int id = cli_command_find(group, word);

   if (id < 0)
      complain(group, word);
   return id;
}
