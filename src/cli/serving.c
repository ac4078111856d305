/* SPDX-License-Identifier: MIT
 *
 * Options of a server, from those of the command line.
 */
#include "cli/serving.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "vtest/protocol.h"

/* By the words of --gl. */
static const unsigned gl_versions[] = {0,   210, 300, 310, 320,
                                       330, 400, 410, 420, 430};

bool
cli_take_serving(const struct cli_options *options,
                 struct vtest_server_options *server)
{
   *server = (struct vtest_server_options){
      .path = options->socket        ? options->socket
              : options->socket_path ? options->socket_path
                                     : VTEST_DEFAULT_PATH,
      .num_threads = (unsigned)options->threads,
      .max_memory =
         options->client_memory ? options->client_memory : VTEST_USUAL_MEMORY,
      .max_clients =
         options->clients ? (unsigned)options->clients : VTEST_USUAL_CLIENTS,
      .max_gl_version = gl_versions[options->gl],
      .max_version = VTEST_VERSION_SHARED,
      .log = STDERR_FILENO,
      .is_single = options->no_fork,
   };
   if (options->log) {
      server->log =
         open(options->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      if (server->log < 0)
         cli_complain("cannot open '%s': %s", options->log, strerror(errno));
   }
   return server->log >= 0;
}
