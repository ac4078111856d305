/* SPDX-License-Identifier: MIT
 *
 * The command printer.
 */
#ifndef VIRGL_WIRE_PRINT_H
#define VIRGL_WIRE_PRINT_H

#include "util/strbuf.h"
#include "virgl/wire/stream.h"

/* Adds a line without its end: the name of a command, and its fields that are
 * not zero; those of groups, each with its number, only where one is not. The
 * text of shaders is left out, that of markers is not. What the words say is
 * not checked. */
void
virgl_print_command(const struct virgl_command *command, struct tg_strbuf *out);

/* "2D", "R8G8B8A8_UNORM", "FRAG"; the number as text in `room` where there is
 * no name. */
const char *
virgl_print_target(uint32_t target, char room[16]);
const char *
virgl_print_format(uint32_t format, char room[16]);
const char *
virgl_print_stage(uint32_t stage, char room[16]);

#endif
