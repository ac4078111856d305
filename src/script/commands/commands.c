/* SPDX-License-Identifier: MIT
 *
 * The rows of commands.def, and commands found by their words.
 */
#include "script/commands/commands.h"

#include <string.h>

static const struct script_command_rule rules[] = {
#define STATE SCRIPT_COMMAND_STATE
#define TRIED SCRIPT_COMMAND_TRIED
#define WAITS SCRIPT_COMMAND_WAITS
#define SCRIPT_COMMAND(words, id, flags)                                       \
   {words, script_read_##id, script_do_##id, flags},
#include "script/commands/commands.def"
};

const struct script_command_rule *
script_find_command(struct script_cursor *cursor, unsigned flags)
{
   for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
      if ((rules[i].flags & flags) == flags &&
          cursor_accept_words(cursor, rules[i].words))
         return &rules[i];
   }
   return NULL;
}

const struct script_command_rule *
script_find_command_rule(const char *words)
{
   const struct script_command_rule *rule = rules;

   while (strcmp(rule->words, words) != 0)
      rule++;
   return rule;
}
