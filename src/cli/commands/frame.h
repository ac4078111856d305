/* SPDX-License-Identifier: MIT
 *
 * Frames of OpenGL programs as PNG files.
 */
#ifndef TG_CLI_COMMANDS_FRAME_H
#define TG_CLI_COMMANDS_FRAME_H

#include <stdbool.h>

struct virgl_frame;

/* Writes a frame as it is on a screen: opaque. False with a sentence, also for
 * one that can be no picture. */
bool
cli_write_frame(const char *path, const struct virgl_frame *frame);

#endif
