/* SPDX-License-Identifier: MIT
 *
 * tungsten COMMAND [OPTION]... [FILE]...
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/io/code_cache.h"
#include "cli/io/diagnostics.h"
#include "cli/io/standard_output.h"
#include "cli/options/lookup.h"
#include "cli/options/options.h"
#include "cli/table/handlers.h"
#include "cli/table/help.h"
#include "tungsten/base.h"

static int (*const handlers[CLI_NUM_COMMANDS])(struct cli_call *call) = {
#define CLI_COMMAND(name, ...) [COMMAND_##name] = cmd_##name,
#include "cli/table/subcommands.def"
#include "util/length.h"
};

/* Calls the handler of a command. */
static int
run_handler(int id, struct cli_call *call)
{
   call->diagnostics = tg_diagnostics_create(NULL);
   if (!call->diagnostics)
      return cli_diagnostics_status(TG_ERROR_MEMORY);

   assert((unsigned)id < TG_LENGTH(handlers));
   int status = CLI_FAILED;
   if (cli_open_code_cache(call))
      status = handlers[id](call);
   tg_code_cache_destroy(call->code_cache);
   cli_print_diagnostics(call->diagnostics, &call->options);
   tg_diagnostics_destroy(call->diagnostics);
   return status;
}

static void
try_help(int id)
{
   fprintf(stderr, "Try 'tungsten %s%s--help'.\n",
           id == CLI_NO_GROUP ? "" : cli_commands[id].name,
           id == CLI_NO_GROUP ? "" : " ");
}

static int
run_command(int id, int argc, char **argv)
{
   assert((unsigned)id < TG_LENGTH(cli_commands));
   const struct cli_command_info *command = &cli_commands[id];
   struct cli_call call = {0};
   int first_operand = argc;
   int status = CLI_OK;

   if (!cli_parse_options(command, argc, argv, &call.options, &first_operand)) {
      try_help(id);
      status = CLI_USAGE;
   } else if (call.options.help) {
      cli_print_help(stdout, id);
   } else {
      call.operands = argv + first_operand;
      call.num_operands = argc - first_operand;
      status = run_handler(id, &call);
   }
   cli_options_finish(&call.options);
   return status;
}

static bool
is_help(const char *word)
{
   return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* A command line without a command: `next_word` asks for help, or is NULL. */
static int
end_at_group(int group, const char *next_word)
{
   cli_print_help(next_word ? stdout : stderr, group);
   return next_word ? CLI_OK : CLI_USAGE;
}

static int
dispatch(int argc, char **argv)
{
   int id = CLI_NO_GROUP;
   int i = 1;

   if (argc > 1 && strcmp(argv[1], "--version") == 0) {
      printf("tungsten %s\n", tg_version_string());
      return CLI_OK;
   }
   do {
      int group = id;

      if (i == argc || is_help(argv[i]))
         return end_at_group(group, argv[i]);
      id = cli_lookup_command(group, argv[i]);
      if (id < 0) {
         try_help(group);
         return CLI_USAGE;
      }
      i++;
   } while (cli_commands[id].is_group);

   return run_command(id, argc - i + 1, argv + i - 1);
}

int
main(int argc, char **argv)
{
   cli_guard_stdio();
   int status = dispatch(argc, argv);

   return cli_close_stdout() ? status : CLI_FAILED;
}
