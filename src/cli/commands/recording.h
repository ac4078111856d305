/* SPDX-License-Identifier: MIT
 *
 * Recordings that commands read.
 */
#ifndef TG_CLI_COMMANDS_RECORDING_H
#define TG_CLI_COMMANDS_RECORDING_H

#include <stdbool.h>

#include "record/reader.h"

/* Opens a file; false with a sentence when it is no recording. */
bool
cli_open_recording(const char *path, struct record_reader *reader);

/* Ends reading. False with a sentence when something was wrong with the file:
 * which chunk, which byte, why. */
bool
cli_close_recording(const char *path, struct record_reader *reader);

#endif
