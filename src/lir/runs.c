/* SPDX-License-Identifier: MIT
 *
 * Load vectorization: loads of words that are next to each other become a run,
 * as instructions that are next to each other, the first of which says how many
 * they are. Later loads, and the sums that they look at, move up to the first,
 * past everything but control flow, barriers and clocks. Memory that nobody
 * writes reads the same there.
 */
#include "lir/runs.h"

#include "lir/passes.h"

/* ---- addresses ----------------------------------------------------------- */

struct lir_address
lir_address_of(const struct lir_function *function, const struct lir_inst *load)
{
   const uint32_t index = load->operand[0].index;
   const struct lir_inst *sum = &function->insts[index];

   for (unsigned k = 0; k < 2 && sum->op == LIR_OP_iadd; k++) {
      const struct lir_inst *offset = &function->insts[sum->operand[k].index];

      if (offset->op == LIR_OP_const32)
         return (struct lir_address){sum->operand[1 - k].index,
                                     (uint32_t)offset->imm};
   }
   return (struct lir_address){index, 0};
}

bool
lir_run_may_have(const struct lir_inst *inst)
{
   return inst->op == LIR_OP_load32 &&
          lir_mem_space(inst->imm) < LIR_NUM_UNIFORM_SPACES &&
          lir_space_is_read_only(lir_mem_space(inst->imm));
}

bool
lir_run_prove(const struct lir_function *function, uint32_t index,
              unsigned num_words)
{
   const struct lir_inst *first = &function->insts[index];

   if (num_words < 2 || num_words > LIR_MAX_RUN ||
       num_words > function->num_insts - index || !lir_run_may_have(first))
      return false;
   const struct lir_address address = lir_address_of(function, first);
   for (uint32_t i = 1; i < num_words; i++) {
      const struct lir_inst *load = &first[i];

      if (!lir_run_may_have(load) || load->imm != first->imm ||
          load->num_words > 0)
         return false;
      const struct lir_address other = lir_address_of(function, load);
      if (other.base != address.base || other.offset != address.offset + i)
         return false;
   }
   return true;
}

/* ---- runs ---------------------------------------------------------------- */

struct vectorizer {
   struct lir_function before; /* whose instructions are a copy, */
   struct lir_inst *insts;     /* and these written over */
   uint32_t *newest;           /* by base: the last load from it and 1, or 0 */
   uint32_t *first;            /* by load: of its run */
   uint32_t *next;             /* by load: in its run, or 0 */
   uint8_t *num_words;         /* by first load */
   uint32_t *number; /* by instruction: its new one; 0: none yet, or the first's
                      */
   uint32_t count;   /* of those that have one */
};

/* What nothing is moved past. */
static bool
ends_region(const struct lir_inst *inst)
{
   return lir_op_row(inst->op)->flags & LIR_FLAG_CONTROL ||
          inst->op == LIR_OP_barrier || inst->op == LIR_OP_clock;
}

/* Does a load read the word after the last one of a run that has room? */
static bool
continues(const struct vectorizer *vectorizer, uint32_t last, uint32_t load)
{
   const struct lir_function *before = &vectorizer->before;
   const struct lir_inst *insts = before->insts;

   return insts[load].imm == insts[last].imm &&
          lir_address_of(before, &insts[load]).offset ==
             lir_address_of(before, &insts[last]).offset + 1 &&
          vectorizer->num_words[vectorizer->first[last]] < LIR_MAX_RUN;
}

/* Adds a load to the run of the one before it from the same base, if that is in
 * the region, or begins a run. */
static void
add_load(struct vectorizer *vectorizer, uint32_t region, uint32_t load)
{
   const struct lir_inst *inst = &vectorizer->before.insts[load];
   uint32_t *newest =
      &vectorizer->newest[lir_address_of(&vectorizer->before, inst).base];
   uint32_t first = load;

   if (*newest > region && continues(vectorizer, *newest - 1, load)) {
      first = vectorizer->first[*newest - 1];
      vectorizer->next[*newest - 1] = load;
   }
   vectorizer->first[load] = first;
   vectorizer->num_words[first]++;
   *newest = load + 1;
}

/* Are there runs? What all lanes load from one place needs none. */
static bool
find_runs(struct vectorizer *vectorizer)
{
   uint32_t region = 0;
   bool found = false;

   for (uint32_t i = 0; i < vectorizer->before.num_insts; i++) {
      const struct lir_inst *inst = &vectorizer->before.insts[i];

      if (ends_region(inst))
         region = i;
      if (!lir_run_may_have(inst) || inst->is_uniform)
         continue;
      add_load(vectorizer, region, i);
      found |= vectorizer->first[i] != i;
   }
   return found;
}

/* ---- the new order ------------------------------------------------------- */

static bool
is_placed(const struct vectorizer *vectorizer, uint32_t index)
{
   return vectorizer->number[index] > 0 ||
          (index == 0 && vectorizer->count > 0);
}

/* Puts an instruction next, if it has no place yet. Its operands have. */
static void
place(struct vectorizer *vectorizer, uint32_t index)
{
   struct lir_inst inst = vectorizer->before.insts[index];

   if (is_placed(vectorizer, index))
      return;
   for (unsigned k = 0; k < lir_op_row(inst.op)->num_operands; k++) {
      assert(is_placed(vectorizer, inst.operand[k].index));
      inst.operand[k].index = vectorizer->number[inst.operand[k].index];
   }
   vectorizer->number[index] = vectorizer->count;
   vectorizer->insts[vectorizer->count++] = inst;
}

/* What a load of a run looks at: the base, which the first load had before it,
 * or a sum of that and a constant. */
static void
place_index(struct vectorizer *vectorizer, uint32_t load)
{
   const uint32_t index = vectorizer->before.insts[load].operand[0].index;
   const struct lir_inst *sum = &vectorizer->before.insts[index];

   if (is_placed(vectorizer, index))
      return;
   assert(sum->op == LIR_OP_iadd);
   place(vectorizer, sum->operand[0].index);
   place(vectorizer, sum->operand[1].index);
   place(vectorizer, index);
}

static void
place_run(struct vectorizer *vectorizer, uint32_t first)
{
   for (uint32_t i = first; i > 0; i = vectorizer->next[i])
      place_index(vectorizer, i);
   const uint32_t begin = vectorizer->count;
   for (uint32_t i = first; i > 0; i = vectorizer->next[i])
      place(vectorizer, i);
   vectorizer->insts[begin].num_words = vectorizer->num_words[first];
}

static void
place_all(struct vectorizer *vectorizer)
{
   for (uint32_t i = 0; i < vectorizer->before.num_insts; i++) {
      if (vectorizer->num_words[i] > 1)
         place_run(vectorizer, i);
      else
         place(vectorizer, i);
   }
   assert(vectorizer->count == vectorizer->before.num_insts);
}

/* ---- functions ----------------------------------------------------------- */

/* Copies the instructions, without marks. */
static bool
init(struct vectorizer *vectorizer, struct tg_arena *scratch,
     const struct lir_function *function)
{
   const uint32_t count = function->num_insts;
   struct lir_inst *insts = tg_arena_array(scratch, count, sizeof(*insts));

   *vectorizer = (struct vectorizer){
      .before = *function,
      .insts = function->insts,
      .newest = tg_arena_array(scratch, count, sizeof(uint32_t)),
      .first = tg_arena_array(scratch, count, sizeof(uint32_t)),
      .next = tg_arena_array(scratch, count, sizeof(uint32_t)),
      .num_words = tg_arena_array(scratch, count, sizeof(uint8_t)),
      .number = tg_arena_array(scratch, count, sizeof(uint32_t)),
   };
   vectorizer->before.insts = insts;
   if (!insts || !vectorizer->newest || !vectorizer->first ||
       !vectorizer->next || !vectorizer->num_words || !vectorizer->number)
      return false;
   for (uint32_t i = 0; i < count; i++) {
      insts[i] = function->insts[i];
      insts[i].num_words = 0;
   }
   return true;
}

/* Functions without two loads that could be in a run are most. */
static bool
has_loads(const struct lir_function *function)
{
   uint32_t num_loads = 0;

   for (uint32_t i = 0; i < function->num_insts; i++)
      num_loads += lir_run_may_have(&function->insts[i]) &&
                   !function->insts[i].is_uniform;
   return num_loads > 1;
}

enum tg_result
lir_pass_vectorize(struct lir_module *module, bool *changed_out)
{
   struct tg_arena scratch;
   bool good = true;

   tg_arena_init(&scratch, module->arena.allocator);
   for (uint32_t i = 0; good && i < module->num_functions; i++) {
      const struct lir_function *function = &module->functions[i];
      struct vectorizer vectorizer;

      if (!has_loads(function))
         continue;
      good = init(&vectorizer, &scratch, function);
      if (good && find_runs(&vectorizer)) {
         place_all(&vectorizer);
         *changed_out = true;
      }
      tg_arena_finish(&scratch);
   }
   return good ? TG_OK : TG_ERROR_MEMORY;
}
