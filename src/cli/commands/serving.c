/* SPDX-License-Identifier: MIT
 *
 * Options of a server, from those of the command line.
 */
#include "cli/commands/serving.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/statistics.h"
#include "cli/io/code_cache.h"
#include "cli/io/diagnostics.h"
#include "vtest/connection.h"
#include "vtest/protocol.h"

/* ---- --stats ------------------------------------------------------------- */

static void
add_line(struct tg_strbuf *text, const char *label, uint64_t value)
{
   tg_strbuf_printf(text, "%-36s %12" PRIu64 "\n", label, value);
}

static void
add_seconds(struct tg_strbuf *text, const char *label, uint64_t nanoseconds)
{
   tg_strbuf_printf(text, "%-36s %12.3f\n", label, (double)nanoseconds * 1e-9);
}

/* A table in one piece, so that those of several clients do not mix. */
static void
report(const struct vtest_server_options *options,
       const struct vtest_statistics *statistics)
{
   const int to = options->log >= 0 ? options->log : STDERR_FILENO;
   struct tg_strbuf text = {0};

   tg_strbuf_printf(&text, "tungsten: client %d: '%s'\n", (int)getpid(),
                    statistics->name);
   add_seconds(&text, "seconds", statistics->nanoseconds);
   add_seconds(&text, "seconds without a message",
               statistics->nanoseconds_waited);
   add_line(&text, "frames", statistics->frames);
   add_line(&text, "messages", statistics->messages);
   add_line(&text, "buffers of commands", statistics->submits);
   add_line(&text, "bytes received", statistics->bytes_received);
   add_line(&text, "bytes sent", statistics->bytes_sent);
   cli_add_statistics(&(struct cli_statistics){statistics->gpu,
                                               statistics->code,
                                               statistics->profile},
                      &text);
   if (!text.failed && write(to, text.data, text.length) < 0)
      perror("tungsten: --stats");
   tg_strbuf_finish(&text);
}

#define USUAL_RECORD (UINT64_C(4) << 30)

/* ---- options ------------------------------------------------------------- */

/* By the words of --gl. */
static const unsigned gl_versions[] = {0,   210, 300, 310, 320,
                                       330, 400, 410, 420, 430};

/* Clients stay, so what is hot is worth compiling, where that can be. */
static const char *
usual_executor(void)
{
   const char *name;

   for (unsigned i = 0; (name = tg_executor_name(i)); i++) {
      if (strcmp(name, "auto") == 0)
         return name;
   }
   return NULL;
}

bool
cli_take_serving(struct cli_call *call, struct vtest_server_options *server)
{
   const struct cli_options *options = &call->options;

   cli_open_usual_code_cache(call);
   *server = (struct vtest_server_options){
      .path = options->socket        ? options->socket
              : options->socket_path ? options->socket_path
                                     : VTEST_DEFAULT_PATH,
      .num_threads = (unsigned)options->threads,
      .executor = options->executor ? options->executor : usual_executor(),
      .code_cache = call->code_cache,
      .max_memory =
         options->client_memory ? options->client_memory : VTEST_USUAL_MEMORY,
      .max_clients =
         options->clients ? (unsigned)options->clients : VTEST_USUAL_CLIENTS,
      .max_gl_version = gl_versions[options->gl],
      .exact_index_offsets = options->exact_index_offsets,
      .max_version = VTEST_VERSION_SHARED,
      .log = STDERR_FILENO,
      .is_single = options->no_fork,
      .is_profiled = options->client_stats || options->profile,
      .profile_path = options->profile,
      .report = options->client_stats || options->profile ? report : NULL,
      .record_path = options->record,
      .max_record_bytes =
         options->record_limit ? options->record_limit : USUAL_RECORD,
   };
   if (options->log) {
      server->log =
         open(options->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      if (server->log < 0)
         cli_complain("cannot open '%s': %s", options->log, strerror(errno));
   }
   return server->log >= 0;
}
