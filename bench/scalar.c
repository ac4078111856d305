/* SPDX-License-Identifier: MIT
 *
 * See scalar.h. What a single lane need not do is taken out when a program is
 * compiled: opening blocks and passing their ends. A wave has to.
 */
#include "scalar.h"

#include <assert.h>
#include <stdlib.h>

#include "exec/interp/interp.h"

/* The build names it, and the instruction set. */
extern const struct scalar_engine SCALAR_ENGINE;

#define INTERP_LANES 1
enum { SLOT_SIZE = 8 };

#include "exec/interp/handlers_alu.inc"

/* The interpreter's state, with the lane that is run. */
struct scalar_state {
   struct interp_state base;
   unsigned lane;
};

#define JUMP_A(inst) ((inst) + (int32_t)(inst)->a)
#define JUMP_C(inst) ((inst) + (int32_t)(inst)->c)
#define JUMP(inst) ((inst) + (int64_t)(inst)->imm)

/* ---- values -------------------------------------------------------------- */

#define COPY(name, bits, x)                                                    \
   HANDLER(name)                                                               \
   {                                                                           \
      RESULT(B##bits);                                                         \
      SOURCE_##x(B##bits, a);                                                  \
      result[0] = as[0];                                                       \
      NEXT(inst + 1);                                                          \
   }
COPY(get32, 32, 0)
COPY(get64, 64, 0)
COPY(set32_0, 32, 0)
COPY(set32_1, 32, 1)
COPY(set32_2, 32, 2)
COPY(set64, 64, 0)

HANDLER(const32)
{
   RESULT(B32);

   result[0] = (uint32_t)inst->imm;
   NEXT(inst + 1);
}

HANDLER(const64)
{
   RESULT(B64);

   result[0] = inst->imm;
   NEXT(inst + 1);
}

HANDLER(lane)
{
   RESULT(B32);

   result[0] = ((struct scalar_state *)state)->lane;
   NEXT(inst + 1);
}

/* ---- memory -------------------------------------------------------------- */

static inline uint32_t
uniform_word(const struct exec_wave *wave, uint64_t imm, uint32_t index)
{
   enum lir_space space = lir_mem_space(imm);
   uint32_t binding = lir_mem_binding(imm);

   if (binding >= wave->num_memories[space] ||
       index >= wave->memory[space][binding].num_bytes / 4)
      return 0;
   return wave->memory[space][binding].data[index];
}

/* Where a lane has a word, or NULL. */
static inline uint32_t *
lane_word(const struct interp_state *state, uint64_t imm, uint32_t index)
{
   const struct exec_lane_memory *memory = &state->lane_memory[imm];
   unsigned lane = ((const struct scalar_state *)state)->lane;

   return index < memory->num_words ? &memory->data[index][lane] : NULL;
}

static inline uint32_t
word_in_lane(const struct interp_state *state, uint64_t imm, uint32_t index)
{
   const uint32_t *word = lane_word(state, imm, index);

   return word ? *word : 0;
}

#define IN_SLOT (*(const uint32_t *)SLOT(inst->a))
/* Loads that carry their word on, and those that do not. */
#define LOAD(name, word)                                                       \
   HANDLER(name)                                                               \
   {                                                                           \
      RESULT(B32);                                                             \
      result[0] = word;                                                        \
      NEXT(inst + 1);                                                          \
   }
#define CARRYING_LOAD(name, word)                                              \
   HANDLER(name)                                                               \
   {                                                                           \
      const union carry computed = {.words = {word}};                          \
      store_carry(SLOT(inst->result), &computed);                              \
      NEXT_COMPUTED(inst + 1);                                                 \
   }
LOAD(load, uniform_word(state->wave, inst->imm, IN_SLOT))
LOAD(load_at, uniform_word(state->wave, inst->imm, inst->a))
LOAD(load_lane, word_in_lane(state, inst->imm, IN_SLOT))
CARRYING_LOAD(load_each, uniform_word(state->wave, inst->imm, IN_SLOT))
CARRYING_LOAD(load_lane_at, word_in_lane(state, inst->imm, inst->a))

/* Handlers for an index that lies in a slot, and one in the instruction. */
#define STORE_HANDLER(at, x, index)                                            \
   HANDLER(store_lane##at##_##x)                                               \
   {                                                                           \
      SOURCE_##x(B32, b);                                                      \
      uint32_t *word = lane_word(state, inst->imm, index);                     \
      if (word)                                                                \
         *word = bs[0];                                                        \
      NEXT(inst + 1);                                                          \
   }
STORE_HANDLER(, 0, IN_SLOT)
STORE_HANDLER(, 1, IN_SLOT)
STORE_HANDLER(, 2, IN_SLOT)
STORE_HANDLER(_at, 0, inst->a)
STORE_HANDLER(_at, 1, inst->a)
STORE_HANDLER(_at, 2, inst->a)

/* ---- control ------------------------------------------------------------- */

#define BRANCHES(x)                                                            \
   HANDLER(if_##x)                                                             \
   {                                                                           \
      SOURCE_##x(B32, a);                                                      \
      NEXT(as[0] ? inst + 1 : JUMP(inst));                                     \
   }                                                                           \
   HANDLER(br_if_##x)                                                          \
   {                                                                           \
      SOURCE_##x(B32, a);                                                      \
      NEXT(as[0] ? JUMP_C(inst) : inst + 1);                                   \
   }
BRANCHES(0)
BRANCHES(1)
BRANCHES(2)

/* Reached by the lane that comes from the other half. */
HANDLER(else)
{
   NEXT(JUMP(inst));
}

HANDLER(repeat)
{
   if (state->budget == 0)
      STOP();
   state->budget--;
   NEXT(JUMP_A(inst));
}

HANDLER(br)
{
   NEXT(JUMP_C(inst));
}

HANDLER(return )
{
   (void)inst;
   (void)scratch;
   (void)state;
   return NULL;
}

/* A block or an end; compiled programs have none left. */
HANDLER(pass)
{
   NEXT(inst + 1);
}

static const struct interp_set set = {
   .handlers =
      {
#define LIR_ALU1(name, r, a, expression, title) ALU1_ENTRY(name, a)
#define LIR_ALU2(name, r, a, b, expression, title) ALU2_ENTRY(name, a, b)
#define LIR_ALU3(name, r, a, b, c, expression, title) ALU3_ENTRY(name, a, b, c)
#include "lir/ops.def"
         [INTERP_const32] = HANDLERS(ENTRY(const32)),
         [INTERP_const64] = HANDLERS(ENTRY(const64)),
         [INTERP_lane] = HANDLERS(ENTRY(lane)),
         [INTERP_get32] = HANDLERS(ENTRY(get32)),
         [INTERP_get64] = HANDLERS(ENTRY(get64)),
         [INTERP_set32] = HANDLERS(FROM_B32(set32_)),
         [INTERP_set64] = HANDLERS(ENTRY(set64)),
         [INTERP_load_at] = HANDLERS(ENTRY(load_at)),
         [INTERP_load_lane_at] = HANDLERS(ENTRY(load_lane_at)),
         [INTERP_store_lane_at] = HANDLERS(FROM_B32(store_lane_at_)),
         [INTERP_load] = HANDLERS(ENTRY(load)),
         [INTERP_load_each] = HANDLERS(ENTRY(load_each)),
         [INTERP_load_run_3] = HANDLERS(ENTRY(load_each)),
         [INTERP_load_run_4] = HANDLERS(ENTRY(load_each)),
         [INTERP_load_lane] = HANDLERS(ENTRY(load_lane)),
         [INTERP_load_lane_each] = HANDLERS(ENTRY(load_lane)),
         [INTERP_store_lane] = HANDLERS(FROM_B32(store_lane_)),
         [INTERP_store_lane_each] = HANDLERS(FROM_B32(store_lane_)),
         [INTERP_block] = HANDLERS(ENTRY(pass)),
         [INTERP_if] = HANDLERS(FROM_B32(if_)),
         [INTERP_else] = HANDLERS(ENTRY(else)),
         [INTERP_end] = HANDLERS(ENTRY(pass)),
         [INTERP_repeat] = HANDLERS(ENTRY(repeat)),
         [INTERP_br] = HANDLERS(ENTRY(br)),
         [INTERP_br_if] = HANDLERS(FROM_B32(br_if_)),
         [INTERP_return] = HANDLERS(ENTRY(return )),
      },
   .slot_size = SLOT_SIZE,
};

/* ---- compiling ----------------------------------------------------------- */

struct scalar_program {
   struct interp_program *decoded;
   struct interp_inst *insts; /* without what a lane need not do */
};

/* Is it one that has a handler for each source? */
static bool
is_from(const struct interp_inst *inst, enum interp_op op)
{
   for (unsigned i = 0; i < INTERP_SOURCES; i++) {
      if (inst->run == set.handlers[op][i])
         return true;
   }
   return false;
}

static bool
has_jump_in_imm(const struct interp_inst *inst)
{
   return is_from(inst, INTERP_if) || inst->run == ENTRY(else);
}

static bool
has_jump_in_c(const struct interp_inst *inst)
{
   return is_from(inst, INTERP_br_if) || inst->run == ENTRY(br);
}

/* Copies instructions but run_pass. `index` is where each went. */
static void
copy_insts(const struct interp_program *decoded, struct interp_inst *insts,
           uint32_t *index)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < decoded->num_insts; i++) {
      index[i] = count;
      if (decoded->insts[i].run != ENTRY(pass))
         insts[count++] = decoded->insts[i];
   }
}

/* An if that is false goes on behind the else. */
static void
move_jumps(const struct interp_program *decoded, struct interp_inst *insts,
           const uint32_t *index)
{
   for (uint32_t i = 0; i < decoded->num_insts; i++) {
      const struct interp_inst *inst = &decoded->insts[i];
      struct interp_inst *moved = &insts[index[i]];

      if (has_jump_in_imm(inst)) {
         const struct interp_inst *target = JUMP(inst);

         target += target->run == ENTRY(else);
         moved->imm = (uint64_t)((int64_t)index[target - decoded->insts] -
                                 (int64_t)index[i]);
      } else if (has_jump_in_c(inst)) {
         moved->c = index[JUMP_C(inst) - decoded->insts] - index[i];
      } else if (inst->run == ENTRY(repeat)) {
         moved->a = index[JUMP_A(inst) - decoded->insts] - index[i];
      }
   }
}

static void
destroy(struct scalar_program *program)
{
   if (!program)
      return;
   interp_destroy(program->decoded);
   free(program->insts);
   free(program);
}

static struct scalar_program *
compile(const struct lir_module *module)
{
   struct scalar_program *program = calloc(1, sizeof(*program));

   if (!program)
      return NULL;
   if (interp_compile(NULL, module, &set, &program->decoded) != TG_OK)
      goto fail;

   uint32_t count = program->decoded->num_insts;
   uint32_t *index = calloc(count, sizeof(*index));
   /* Each within one cache line, as the interpreter's are. */
   program->insts =
      aligned_alloc(64, (count * sizeof(*program->insts) + 63) / 64 * 64);
   if (!index || !program->insts) {
      free(index);
      goto fail;
   }
   copy_insts(program->decoded, program->insts, index);
   move_jumps(program->decoded, program->insts, index);
   free(index);
   return program;

fail:
   destroy(program);
   return NULL;
}

static size_t
scratch_size(const struct scalar_program *program)
{
   return program->decoded->scratch_size;
}

/* ---- running ------------------------------------------------------------- */

static void
fill_in_constants(const struct interp_program *program, unsigned char *scratch)
{
   for (uint32_t i = 0; i < program->num_constants; i++) {
      const struct interp_constant *constant = &program->constants[i];
      uint64_t *pair = (uint64_t *)(void *)(scratch + constant->slot);
      uint32_t *word = (uint32_t *)(void *)pair;

      if (constant->is_wide)
         *pair = constant->value;
      else
         *word = (uint32_t)constant->value;
   }
}

static void
run(const struct scalar_program *program, struct exec_wave *wave, void *scratch)
{
   const struct interp_program *decoded = program->decoded;
   const struct exec_lane_memory lane_memory[3] = {wave->input, wave->sysval,
                                                   wave->output};
   unsigned char *base = scratch;

   /* A lane does not change constants, so once for all lanes will do. */
   fill_in_constants(decoded, scratch);
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if (!(wave->launched >> lane & 1))
         continue;
      struct scalar_state state;

      state.base.budget = wave->loop_budget;
      state.base.slice = UINTPTR_MAX;
      state.base.wave = wave;
      state.base.lane_memory = lane_memory;
      state.lane = lane;
      memset(base + decoded->zeroed, 0, decoded->zeroed_end - decoded->zeroed);
      run_from(&state.base, base, program->insts);
   }
}

#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name

const struct scalar_engine SCALAR_ENGINE = {
   .instruction_set = TEXT(INTERP_SET),
   .compile = compile,
   .destroy = destroy,
   .scratch_size = scratch_size,
   .run = run,
};
