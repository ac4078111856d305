/* SPDX-License-Identifier: MIT
 *
 * Local data flow, for passes: which operation of the block wrote what is read,
 * is it still the same, does anybody need it. Blocks are short, so they look at
 * one operation after the other.
 */
#ifndef TEGRA_OPTIMIZE_LOCAL_H
#define TEGRA_OPTIMIZE_LOCAL_H

#include "tegra/mir/liveness.h"

struct local {
   struct mir *mir;
   struct tg_arena arena; /* for what lives as long as the pass */
   struct liveness liveness;
   uint8_t *at_end; /* live at the end of the block that was entered */
   struct mir_block *block;
};

/* False when out of memory. What a pass does must leave liveness between blocks
 * right, or make less live. local_finish() also after it failed. */
bool
local_start(struct local *local, struct mir *mir);
void
local_finish(struct local *local);

/* Enters a block, which the questions are of from now on. */
void
local_enter(struct local *local, uint32_t block);

/* Runs a local pass that looks at each operation, at `index` of its block, and
 * says whether it changed something. */
enum tg_result
local_each(struct mir *mir,
           bool (*rewrite)(const struct local *local, uint32_t index),
           bool *changed);

#define LOCAL_NONE UINT32_MAX

/* The last operation before `index` that writes a component of a register, also
 * if it may not; LOCAL_NONE when none in the block does. */
uint32_t
local_writer(const struct local *local, uint32_t index, uint32_t temporary,
             unsigned component);

/* The one operation before `index` that wrote all that the lanes of a source
 * read. LOCAL_NONE when that is not one, or it is gated. */
uint32_t
local_producer(const struct local *local, uint32_t index, unsigned source);

/* Is what a source of operation `from` reads the same just before operation
 * `to`, which comes after it? `components` are those of its register. */
bool
local_is_kept(const struct local *local, const struct mir_source *source,
              unsigned components, uint32_t from, uint32_t to);

/* Does an operation in [from, to) write any of these components of a location?
 */
bool
local_is_written(const struct local *local, uint32_t from, uint32_t to,
                 uint32_t location, unsigned components);
bool
local_is_read(const struct local *local, uint32_t from, uint32_t to,
              uint32_t location, unsigned components);

/* The components of `components` that are needed after operation `index`. */
unsigned
local_needed(const struct local *local, uint32_t index, uint32_t location,
             unsigned components);

/* Removes an operation: it does nothing until sweeping takes such ones out. */
void
local_remove(struct mir_op *op);
void
local_sweep(struct mir_block *block);

#endif
