/* SPDX-License-Identifier: MIT
 *
 * What the commands that serve OpenGL programs have in common.
 */
#ifndef TG_CLI_COMMANDS_SERVING_H
#define TG_CLI_COMMANDS_SERVING_H

#include "cli/table/handlers.h"
#include "vtest/server.h"

/* Reads the server's options from those of the command line, and opens the
 * usual code cache. False with a sentence: the log cannot be opened. */
bool
cli_take_serving(struct cli_call *call,
                 struct vtest_server_options *server_out);

#endif
