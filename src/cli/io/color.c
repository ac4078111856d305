/* SPDX-License-Identifier: MIT
 *
 * Colors of messages, from --color and the terminal.
 */
#include "cli/io/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words of --color. */
enum color {
   COLOR_AUTO,
   COLOR_ALWAYS,
   COLOR_NEVER,
};

static bool
is_set(const char *variable)
{
   const char *value = getenv(variable);

   return value && *value;
}

static bool
terminal_has_colors(void)
{
   const char *terminal = getenv("TERM");

   return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool
wants_colors(enum color color)
{
   if (color == COLOR_AUTO)
      return !is_set("NO_COLOR") && terminal_has_colors();
   return color == COLOR_ALWAYS;
}

const struct tg_text_style *
cli_message_colors(const struct cli_options *options)
{
   static const struct tg_text_style plain = {"", "", "", "", "", ""};
   static const struct tg_text_style colored = {
      .place = "\33[1m",
      .error = "\33[1;31m",
      .warning = "\33[1;35m",
      .note = "\33[1;36m",
      .caret = "\33[1;32m",
      .end = "\33[0m",
   };

   return wants_colors((enum color)options->color) ? &colored : &plain;
}
