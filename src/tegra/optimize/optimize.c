/* SPDX-License-Identifier: MIT
 *
 * The pass pipeline, and the gate that every pass goes through.
 */
#include "tegra/optimize/optimize.h"

#include <assert.h>

/* Real shaders need three or four rounds, and as many again for each loop that
 * late passes change. */
enum { MAX_ROUNDS = 32 };

/* What is larger than this cannot become a program, and passes need not take
 * time and memory that grow faster than it. */
enum { MAX_OPS = 8 * TG_TEGRA_MAX_INSTRUCTIONS, MAX_STATES = 1 << 18 };

struct pass {
   const char *name;
   enum tg_result (*run)(struct mir *mir, bool *changed);
};

#define PASS(name) {#name, optimize_##name},
static const struct pass passes[] = {OPTIMIZE_PASSES(PASS){NULL, NULL}};
static const struct pass late_passes[] = {
   OPTIMIZE_LATE_PASSES(PASS){NULL, NULL}};
#undef PASS

static enum tg_result
run_pass(const struct compile *compile, const struct pass *pass, unsigned round,
         struct mir *mir, bool *changed)
{
   enum tg_result result = pass->run(mir, changed);

   assert(result != TG_OK || !mir_verify(mir));
   return result == TG_OK ? mir_trace(compile, mir, pass->name, round) : result;
}

static enum tg_result
run_passes(const struct compile *compile, const struct pass *list,
           unsigned round, struct mir *mir, bool *changed)
{
   enum tg_result result = TG_OK;

   for (const struct pass *pass = list; pass->run && result == TG_OK; pass++)
      result = run_pass(compile, pass, round, mir, changed);
   return result;
}

static enum tg_result
run_round(const struct compile *compile, unsigned round, struct mir *mir,
          bool *changed)
{
   enum tg_result result = run_passes(compile, passes, round, mir, changed);

   if (result != TG_OK || *changed)
      return result;
   return run_passes(compile, late_passes, round, mir, changed);
}

/* Passes know moves of the vector unit only; the scheduler knows better. */
static void
make_moves_vector(struct mir *mir)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         struct mir_op *op = &mir->blocks[i].ops[j];

         if (op->unit != TEGRA_SCALAR || op->opcode != TEGRA_SCALAR_MOV)
            continue;
         op->unit = TEGRA_VECTOR;
         op->opcode = TEGRA_VECTOR_MOV;
      }
   }
}

bool
optimize_is_too_large(const struct mir *mir, uint32_t more_ops,
                      uint32_t more_blocks)
{
   uint32_t num_ops = more_ops;

   for (uint32_t i = 0; i < mir->num_blocks; i++)
      num_ops += mir->blocks[i].num_ops;
   return num_ops > MAX_OPS ||
          ((uint64_t)mir->num_blocks + more_blocks) * mir->num_temporaries >
             MAX_STATES;
}

enum tg_result
optimize_mir(const struct compile *compile, struct mir *mir)
{
   bool changed = true;

   if (!compile->options->optimize)
      return TG_OK;
   if (!mir_renumber(mir))
      return TG_ERROR_MEMORY;
   if (optimize_is_too_large(mir, 0, 0))
      return TG_OK;
   make_moves_vector(mir);

   enum tg_result result = mir_trace(compile, mir, "renumber", 0);
   for (unsigned i = 0; i < MAX_ROUNDS && changed && result == TG_OK; i++) {
      changed = false;
      result = run_round(compile, i + 1, mir, &changed);
   }
   return result;
}
