/* SPDX-License-Identifier: MIT
 *
 * Makes the manual pages and the completion at build time, on the machine
 * that builds: make_docs FOLDER.
 */
#include <stdio.h>

#include "cli/help.h"

static FILE *
open_in(const char *folder, const char *name, const char *suffix)
{
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix);
   FILE *file = fopen(path, "w");
   if (!file)
      perror(path);
   return file;
}

static bool
make_page(const char *folder, const struct cli_command_info *command)
{
   char name[64];

   snprintf(name, sizeof(name), "tungsten%s%s", command ? "-" : "",
            command ? command->name : "");
   FILE *file = open_in(folder, name, ".1");
   if (!file)
      return false;
   cli_print_man(file, command);
   return fclose(file) == 0;
}

static bool
make_completion(const char *folder)
{
   FILE *file = open_in(folder, "tungsten.bash", "");
   if (!file)
      return false;
   cli_print_completion(file);
   return fclose(file) == 0;
}

int
main(int argc, char **argv)
{
   if (argc != 2)
      return CLI_USAGE;

   bool good = make_page(argv[1], NULL) && make_completion(argv[1]);
   for (int i = 0; good && i < CLI_NUM_COMMANDS; i++)
      good = make_page(argv[1], &cli_commands[i]);
   return good ? CLI_OK : CLI_FAILED;
}
