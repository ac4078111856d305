/* SPDX-License-Identifier: MIT
 *
 * What copies, blits and clears of textures read and write: a part of a place
 * or of an attachment.
 */
#ifndef TG_SCRIPT_COMMANDS_SIDES_H
#define TG_SCRIPT_COMMANDS_SIDES_H

#include "script/commands/commands.h"

/* [level L] [format F] [box X Y Z W H D] */
bool
script_read_side_part(struct script_cursor *cursor, struct script_side *side);

/* Its resource, NULL if there is none, and the box if one was not said: the
 * whole level. */
struct tg_resource *
script_find_side(const struct script_runner *runner, struct script_side *side);

uint64_t
script_side_texels(const int32_t box[6]);

struct tg_box
script_side_box(const int32_t box[6]);

/* SIDE to SIDE */
bool
script_read_sides(struct script_cursor *cursor, const struct script *script,
                  struct script_transfer *transfer);

/* The resources of both sides. */
enum tg_result
script_find_sides(struct script_runner *runner,
                  const struct script_command *command,
                  struct script_transfer *transfer,
                  struct tg_resource **from_out, struct tg_resource **to_out);

#endif
