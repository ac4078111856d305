/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader emits during a run: vertices, and ends of primitives,
 * in the order in which they happen.
 */
#ifndef TG_SCRIPT_RUN_EMITTED_H
#define TG_SCRIPT_RUN_EMITTED_H

#include <stdbool.h>

#include "script/text/values.h"
#include "tungsten/run.h"
#include "util/arena.h"

struct script_emission {
   uint8_t lane;
   bool is_end; /* of a primitive; else a vertex */
   uint32_t stream;
   const uint32_t (*words)[4]; /* of a vertex: each output register */
};

/* All zero before the first run. */
struct script_emitted {
   struct tg_arena arena;
   const struct tg_run *run;
   struct script_emission *items;
   uint32_t count, capacity;
   uint32_t num_outputs; /* registers of a vertex */
   bool out_of_memory;   /* something is missing */
};

/* Forgets what was emitted, and listens to a run from now on. The run is
 * borrowed. */
void
script_emitted_listen(struct script_emitted *emitted,
                      const struct tg_allocator *allocator, struct tg_run *run);

void
script_emitted_finish(struct script_emitted *emitted);

/* The `vertex`-th vertex of a lane, from 0; NULL if there are not so many. */
const struct script_emission *
script_emitted_vertex(const struct script_emitted *emitted, unsigned lane,
                      uint32_t vertex);

/* The register of a vertex's i-th output. */
struct script_register
script_emitted_register(uint32_t index);

/* EMIT or ENDPRIM, with lane and stream, as a line. */
void
script_print_emission(struct tg_strbuf *out,
                      const struct script_emission *emission);

#endif
