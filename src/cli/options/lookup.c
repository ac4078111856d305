/* SPDX-License-Identifier: MIT
 *
 * Look-up of commands, with a suggestion where there is none of the name.
 */
#include "cli/options/lookup.h"

#include <assert.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/table/commands.h"
#include "util/diagnostics.h"
#include "util/length.h"

/* The words of a group; `user` is its number. */
static const char *
word_in(const void *user, size_t index)
{
   assert(index < TG_LENGTH(cli_commands));
   const int *group = user;
   const struct cli_command_info *command = &cli_commands[index];

   return command->group == *group ? command->word : NULL;
}

static void
complain(int group, const char *word)
{
   const bool is_first = group == CLI_NO_GROUP;
   const char *before = is_first ? "" : cli_commands[group].name;
   const char *space = is_first ? "" : " ";
   const char *meant =
      tg_did_you_mean_of(word, strlen(word), CLI_NUM_COMMANDS, word_in, &group);

   if (meant)
      cli_complain("there is no command '%s%s%s'; did you mean '%s%s%s'?",
                   before, space, word, before, space, meant);
   else
      cli_complain("there is no command '%s%s%s'", before, space, word);
}

int
cli_lookup_command(int group, const char *word)
{
   int id = cli_command_find(group, word);

   if (id < 0)
      complain(group, word);
   return id;
}
