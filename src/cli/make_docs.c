/* SPDX-License-Identifier: MIT
 *
 * Makes the manual pages and the completion at build time, on the machine
 * that builds: make_docs FOLDER.
 */
#include <stdio.h>

#include "cli/table/help.h"
#include "cli/tegra/isa.h"

/* What is made beside the pages of commands. */
struct page {
   const char *file;
   void (*print)(FILE *out);
};

static const struct page other_pages[] = {
   {"tungsten.bash", cli_print_completion},
   {"tungsten-tegra-isa.7", cli_print_tegra_isa},
};

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
make_command(const char *folder, int command)
{
   char name[CLI_PAGE_NAME_SIZE];

   cli_man_page_name(command, name);
   FILE *file = open_in(folder, name, ".1");
   if (!file)
      return false;
   cli_print_man(file, command);
   return fclose(file) == 0;
}

static bool
make_other(const char *folder, const struct page *page)
{
   FILE *file = open_in(folder, page->file, "");
   if (!file)
      return false;
   page->print(file);
   return fclose(file) == 0;
}

int
main(int argc, char **argv)
{
   const size_t num_others = sizeof(other_pages) / sizeof(*other_pages);

   if (argc != 2)
      return CLI_USAGE;
   bool good = make_command(argv[1], CLI_NO_GROUP);
   for (int i = 0; good && i < CLI_NUM_COMMANDS; i++)
      good = make_command(argv[1], i);
   for (size_t i = 0; good && i < num_others; i++)
      good = make_other(argv[1], &other_pages[i]);
   return good ? CLI_OK : CLI_FAILED;
}
