/* SPDX-License-Identifier: MIT
 *
 * Selection of control flow: labels, and branches to them, that become blocks.
 */
#ifndef TEGRA_SELECT_FLOW_H
#define TEGRA_SELECT_FLOW_H

#include "tegra/select/select.h"

/* Gives the shader its labels; false when out of memory. */
bool
select_create_labels(struct select *select);

/* The label before an instruction or after it, and the one where the
 * program ends. */
uint32_t
select_label_at(uint32_t instruction, enum select_side side);
uint32_t
select_end_label(const struct select *select);

/* Binds a label to the operations from here on. Branches to it may still come;
 * with select_place_used_label() all have been made, and if there is none
 * nothing happens. */
void
select_place_label(struct select *select, uint32_t label);
void
select_place_used_label(struct select *select, uint32_t label);

/* Ends the block with a branch, call or return, to be taken where CR[0].x has
 * one of the signs; 0: always. */
void
select_jump_to_label(struct select *select, enum tegra_scalar_op opcode,
                     uint32_t label, unsigned signs);

/* Ends the block with a branch that is always taken. */
void
select_branch_to_label(struct select *select, uint32_t label);

/* Resolves labels: branches lead to blocks from now on. */
void
select_resolve_labels(struct select *select);

#endif
