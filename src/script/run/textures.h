/* SPDX-License-Identifier: MIT
 *
 * The textures and samplers of a script by themselves, for programs that run
 * something else than its tests with them.
 */
#ifndef TG_SCRIPT_RUN_TEXTURES_H
#define TG_SCRIPT_RUN_TEXTURES_H

#include "script/script.h"

struct script_textures {
   /* Of [texture N] and [sampler N], with NULL for what there is not. */
   const struct tg_view_desc *views[TG_MAX_VIEWS];
   const struct tg_sampler_desc *samplers[TG_MAX_SAMPLERS];
   const struct tg_allocator *allocator;
   struct script_runner *runner; /* which owns the resources */
   struct tg_view_desc own_views[TG_MAX_VIEWS];
   struct tg_sampler_desc own_samplers[TG_MAX_SAMPLERS];
};

/* Makes all memory that a script describes. The script must outlive it. Results
 * and complaints are those of script_run_test(). */
enum tg_result
script_textures_create(const struct script *script,
                       struct tg_diagnostics *diagnostics,
                       struct script_textures **textures_out);

/* Destroys what script_textures_create() made. Takes NULL. */
void
script_textures_destroy(struct script_textures *textures);

#endif
