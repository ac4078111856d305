/* SPDX-License-Identifier: MIT
 *
 * tungsten serve
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands/profiling.h"
#include "cli/commands/serving.h"
#include "cli/io/diagnostics.h"
#include "cli/table/handlers.h"

enum { FIRST_PASSED = 3 };

/* The socket that systemd passes, or -1. */
static int
take_passed_socket(void)
{
   const char *process = getenv("LISTEN_PID");
   const char *count = getenv("LISTEN_FDS");

   if (!process || !count || strtol(process, NULL, 10) != (long)getpid() ||
       strtol(count, NULL, 10) < 1)
      return -1;
   return FIRST_PASSED;
}

/* The file that was made for the socket goes with the server. */
static void
remove_socket(const char *path, const struct stat *made)
{
   struct stat now;

   if (lstat(path, &now) == 0 && now.st_ino == made->st_ino &&
       now.st_dev == made->st_dev)
      unlink(path);
}

static int
serve_at(const struct vtest_server_options *options)
{
   char error[256];
   struct stat made;
   const int listening = vtest_listen(options->path, error, sizeof(error));

   if (listening < 0 || lstat(options->path, &made) != 0) {
      cli_complain("%s", error);
      return CLI_FAILED;
   }
   const bool is_good = vtest_serve(listening, options);
   remove_socket(options->path, &made);
   return is_good ? CLI_OK : CLI_FAILED;
}

int
cmd_serve(struct cli_call *call)
{
   struct vtest_server_options options;
   const int passed = take_passed_socket();

   if (!cli_can_profile(&call->options))
      return CLI_USAGE;
   if (!cli_take_serving(call, &options))
      return CLI_FAILED;
   if (passed >= 0)
      return vtest_serve(passed, &options) ? CLI_OK : CLI_FAILED;
   return serve_at(&options);
}
