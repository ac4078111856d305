/* SPDX-License-Identifier: MIT
 *
 * The listing of a program, cut into the lines of its instructions.
 */
#include "cli/io/lines.h"

#include <stdlib.h>
#include <string.h>

#include "tungsten/base.h"

bool
cli_lines_init(struct cli_lines *lines, char *text, uint32_t count,
               const char *(*instruction_of)(const char *line))
{
   uint32_t next = 0;
   char *save = NULL;

   *lines = (struct cli_lines){
      .text = text,
      .lines = calloc(count ? count : 1, sizeof(*lines->lines)),
      .count = count,
   };
   if (!text || !lines->lines) {
      cli_lines_finish(lines);
      return false;
   }
   for (char *line = strtok_r(text, "\n", &save); line && next < count;
        line = strtok_r(NULL, "\n", &save)) {
      const char *instruction = instruction_of(line);

      if (instruction)
         lines->lines[next++] = instruction;
   }
   return true;
}

void
cli_lines_finish(struct cli_lines *lines)
{
   tg_string_free(lines->text);
   free(lines->lines);
   *lines = (struct cli_lines){0};
}

const char *
cli_lines_get(const struct cli_lines *lines, uint32_t number)
{
   const char *line = number < lines->count ? lines->lines[number] : NULL;

   return line ? line : "";
}
