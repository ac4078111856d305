/* SPDX-License-Identifier: MIT
 *
 * tungsten COMMAND [OPTION]... [FILE]...
 */
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/handlers.h"
#include "cli/help.h"
#include "cli/options.h"
#include "tungsten/base.h"
#include "util/diagnostics.h"

static int (*const handlers[CLI_NUM_COMMANDS])(struct cli_call *call) = {
#define CLI_COMMAND(name, ...) [COMMAND_##name] = cmd_##name,
#include "cli/subcommands.def"
};

/* Calls the handler of a command. */
static int
run_handler(int id, struct cli_call *call)
{
   call->diagnostics = tg_diagnostics_create(NULL);
   if (!call->diagnostics)
      return cli_status_of(TG_ERROR_MEMORY);

   int status = handlers[id](call);
   cli_print_diagnostics(call->diagnostics);
   tg_diagnostics_destroy(call->diagnostics);
   return status;
}

static int
run_command(int id, int argc, char **argv)
{
   const struct cli_command_info *command = &cli_commands[id];
   struct cli_call call = {0};
   int first_operand = argc;
   int status = CLI_OK;

   if (!cli_parse_options(command, argc, argv, &call.options, &first_operand)) {
      fprintf(stderr, "Try 'tungsten %s --help'.\n", command->name);
      status = CLI_USAGE;
   } else if (call.options.help) {
      cli_print_help(stdout, command);
   } else {
      call.operands = argv + first_operand;
      call.num_operands = argc - first_operand;
      status = run_handler(id, &call);
   }
   cli_options_finish(&call.options);
   return status;
}

static const char *
command_name(size_t index)
{
   return cli_commands[index].name;
}

static int
complain_unknown(const char *word)
{
   const char *meant =
      tg_did_you_mean(word, strlen(word), CLI_NUM_COMMANDS, command_name);

   cli_complain("there is no command '%s'%s%s%s", word,
                meant ? "; did you mean '" : "", meant ? meant : "",
                meant ? "'?" : "");
   fputs("Try 'tungsten --help'.\n", stderr);
   return CLI_USAGE;
}

static int
dispatch(int argc, char **argv)
{
   if (argc < 2) {
      cli_print_overview(stderr);
      return CLI_USAGE;
   }
   if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
      cli_print_overview(stdout);
      return CLI_OK;
   }
   if (strcmp(argv[1], "--version") == 0) {
      printf("tungsten %s\n", tg_version_string());
      return CLI_OK;
   }
   int id = cli_command_find(argv[1]);
   if (id < 0)
      return complain_unknown(argv[1]);

   /* getopt() begins its sentences with the first word. */
   char name[] = "tungsten";
   argv[1] = name;
   return run_command(id, argc - 1, argv + 1);
}

int
main(int argc, char **argv)
{
   int status = dispatch(argc, argv);

   return cli_close_stdout() ? status : CLI_FAILED;
}
