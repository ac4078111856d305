/* SPDX-License-Identifier: MIT
 *
 * One program with a server of its own.
 */
#ifndef VTEST_LAUNCH_H
#define VTEST_LAUNCH_H

#include "vtest/server.h"

/* Runs a program, its name and arguments up to a NULL, as a client of a server
 * that lives as long as it does; the path in the options is not used. Returns
 * its status, or 128 and the number of the signal that ended it; 127 when it
 * could not be started. `sentence` is what the user should know, or empty: what
 * failed, or that the program had no use for the server. */
int
vtest_launch(char *const arguments[],
             const struct vtest_server_options *options, char sentence[],
             unsigned sentence_size);

#endif
