/* SPDX-License-Identifier: MIT
 *
 * Parts of a lowering as text.
 */
#ifndef MAXWELL_LOWER_PRINT_H
#define MAXWELL_LOWER_PRINT_H

#include "maxwell/lower/lower.h"
#include "util/strbuf.h"

/* " &req=0,3", or nothing if no scoreboard is waited for. */
void
maxwell_lower_print_boards(struct tg_strbuf *out, unsigned boards);

/* A step that is no texture instruction, with TGSI's predicate and what it
 * waits for. */
void
maxwell_lower_print_step(struct tg_strbuf *out,
                         const struct tg_maxwell_lowering *lowering,
                         const struct maxwell_lower_fetch *fetch,
                         const struct maxwell_lower_step *step);

#endif
