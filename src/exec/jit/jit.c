/* SPDX-License-Identifier: MIT
 *
 * The JIT as an executor: compiles modules, and runs waves of the code, or of
 * the interpreter where there is none.
 *
 * Scratch of a wave: a head, then the interpreter's, or of one that runs code:
 *   struct jit_frame      with a jit_memory for each binding
 *   padded memories       copies of constant buffers that are too short
 *   arrays                zeroed when the wave starts
 *   kept rows             of a wave that has stopped at a barrier
 */
#include "exec/jit/jit.h"

#include <string.h>

#include "exec/jit/names.h"
#include "exec/jit/tier.h"
#include "exec/x86/x86.h"

enum { ALIGNMENT = 64 };

/* What a wave that stops or pauses goes on in. */
struct head {
   bool is_code;
   unsigned char padding[ALIGNMENT - 1];
};

/* Indices of words are below 2^31 in code: see wide_index(). */
#define MAX_BYTES (UINT64_C(1) << 33)

/* A binding as the run of a wave wants it. */
struct binding {
   uint32_t space, number;
   uint32_t static_bytes; /* that are read unchecked */
   uint32_t padding;      /* offset of a copy in the scratch */
};

struct program {
   struct tg_arena arena; /* owns the program too */
   const struct exec_executor *interpreter;
   struct exec_program *interpreted;
   struct jit_shape shape;
   struct x86_code quick;
   struct jit_job job; /* of LLVM */
   struct binding *bindings;
   uint32_t num_bindings;
   uint32_t arrays, kept; /* offsets in the scratch of code */
   uint32_t num_array_words;
   uint32_t static_lane_words[3];
   size_t scratch_size;
   bool has_barriers;
};

/* ---- compiling ----------------------------------------------------------- */

static uint32_t
round_up(uint64_t size)
{
   return (uint32_t)((size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static bool
keep_shape(struct program *program, const struct jit_shape *shape)
{
   uint64_t end = round_up(sizeof(struct jit_frame) +
                           shape->num_bindings * sizeof(struct jit_memory));

   program->bindings = tg_arena_array(&program->arena, shape->num_bindings,
                                      sizeof(*program->bindings));
   if (!program->bindings)
      return false;
   program->num_bindings = shape->num_bindings;
   for (uint32_t i = 0; i < shape->num_bindings; i++) {
      const struct jit_place *binding = &shape->bindings[i];

      program->bindings[i] = (struct binding){
         .space = lir_mem_space(binding->mem),
         .number = lir_mem_binding(binding->mem),
         .static_bytes = binding->static_words * (uint32_t)sizeof(uint32_t),
         .padding = (uint32_t)end,
      };
      end += round_up(program->bindings[i].static_bytes);
   }
   program->arrays = (uint32_t)end;
   program->num_array_words = shape->num_array_words;
   program->has_barriers = shape->has_barriers;
   memcpy(program->static_lane_words, shape->static_lane_words,
          sizeof(program->static_lane_words));
   end += (shape->num_array_words + UINT64_C(1)) * sizeof(uint32_t[LIR_LANES]);
   program->kept = (uint32_t)end;
   program->scratch_size = end + (shape->has_barriers ? JIT_MAX_KEPT : 0);
   return true;
}

/* Has the program code of LLVM, now or later. */
static enum tg_result
add_llvm_code(const struct jit_set *set, const struct exec_build *build,
              const struct lir_module *module, struct program *program)
{
   struct jit_job *job = &program->job;

   job->request = (struct jit_request){
      .set = set,
      .store = build ? build->store : NULL,
      .counters = build ? build->counters : NULL,
      .profile = build ? build->profile : NULL,
      .profile_shader = build ? build->profile_shader : 0,
   };
   job->shape = &program->shape;
   return set->mode == JIT_TIERS
             ? jit_tier_compile_later(job, module)
             : jit_tier_compile_now(job, module, program->arena.allocator);
}

static enum tg_result
add_quick_code(const struct lir_module *module, struct program *program)
{
   const enum tg_result result = x86_compile(
      module, &program->shape, program->arena.allocator, &program->quick);

   if (program->quick.function)
      atomic_store_explicit(&program->job.function, program->quick.function,
                            memory_order_release);
   return result;
}

/* Of modules with barriers it would run but the waves that go on there: those
 * of a block begin in the interpreter, and then have LLVM's. */
static bool
wants_quick_code(const struct jit_set *set, const struct program *program)
{
   return x86_is_there() && (set->mode == JIT_X86 || (set->mode == JIT_TIERS &&
                                                      !program->has_barriers));
}

/* Has the program code, now or later, if that can be. */
static enum tg_result
add_code(const struct jit_set *set, const struct exec_build *build,
         const struct lir_module *module, struct program *program)
{
   enum tg_result result = TG_OK;

   if (!jit_survey(module, &program->shape))
      return TG_OK;
   if (!keep_shape(program, &program->shape))
      return TG_ERROR_MEMORY;
   if (program->scratch_size > EXEC_MAX_SCRATCH)
      return TG_OK;
   if (wants_quick_code(set, program))
      result = add_quick_code(module, program);
   if (result == TG_OK && set->mode != JIT_X86 && jit_load_llvm_for_code())
      result = add_llvm_code(set, build, module, program);
   return result;
}

static void
destroy(struct exec_program *exec_program)
{
   if (!exec_program)
      return;
   struct program *program = (struct program *)exec_program;
   struct tg_arena arena = program->arena;

   jit_tier_finish_job(&program->job);
   x86_release(&program->quick);
   program->interpreter->destroy(program->interpreted);
   tg_arena_finish(&arena);
}

static enum tg_result
compile(const struct jit_set *set, const struct exec_build *build,
        const struct lir_module *module, struct exec_program **program_out)
{
   struct tg_arena arena;
   tg_arena_init(&arena, exec_build_allocator(build));
   struct program *program = tg_arena_alloc(&arena, sizeof(*program));

   if (!program)
      return TG_ERROR_MEMORY;
   *program = (struct program){
      .arena = arena,
      .interpreter = exec_interpreter(),
   };
   enum tg_result result =
      program->interpreter->compile(build, module, &program->interpreted);
   if (result == TG_OK)
      result = add_code(set, build, module, program);
   if (result == TG_OK)
      *program_out = (struct exec_program *)program;
   else
      destroy((struct exec_program *)program);
   return result;
}

/* ---- running ------------------------------------------------------------- */

/* Something has a unit 0 where nothing is bound. */
static struct jit_memory
find_memory(const struct exec_wave *wave, const struct binding *binding,
            struct jit_frame *frame)
{
   if (binding->number >= wave->num_memories[binding->space])
      return (struct jit_memory){frame->zeros, 0};
   const struct exec_memory *memory =
      &wave->memory[binding->space][binding->number];
   if (memory->num_bytes == 0)
      return (struct jit_memory){frame->zeros, 0};
   return (struct jit_memory){memory->data, memory->num_bytes};
}

/* Zeros after the words of a constant buffer of which more are read. */
static void
pad_memory(const struct binding *binding, unsigned char *scratch,
           struct jit_memory *memory)
{
   unsigned char *copy = scratch + binding->padding;
   const size_t size = memory->num_bytes & ~UINT64_C(3);

   if (size > 0)
      memcpy(copy, memory->data, size);
   memset(copy + size, 0, binding->static_bytes - size);
   memory->data = copy;
}

/* False when code can not run with it. */
static bool
bind_memory(const struct program *program, const struct exec_wave *wave,
            struct jit_frame *frame)
{
   for (uint32_t i = 0; i < program->num_bindings; i++) {
      const struct binding *binding = &program->bindings[i];
      struct jit_memory *memory = &frame->memory[i];

      *memory = find_memory(wave, binding, frame);
      if (memory->num_bytes > MAX_BYTES ||
          memory->num_bytes - 1 < sizeof(uint32_t) - 1)
         return false;
      if (memory->num_bytes < binding->static_bytes)
         pad_memory(binding, (unsigned char *)frame, memory);
   }
   return true;
}

static bool
has_lane_memory(const struct program *program, const struct exec_wave *wave)
{
   return wave->input.num_words >= program->static_lane_words[0] &&
          wave->sysval.num_words >= program->static_lane_words[1] &&
          wave->output.num_words >= program->static_lane_words[2];
}

static bool
may_stop(const struct program *program, const struct exec_wave *wave)
{
   return program->has_barriers && wave->stops_at_barriers;
}

/* What waves of a draw have in common. */
static void
begin_frame(const struct program *program, struct exec_wave *wave,
            struct jit_frame *frame)
{
   frame->steps = 0;
   frame->slice = wave->slice && wave->pay ? wave->slice : UINT64_MAX;
   frame->num_input = wave->input.num_words;
   frame->num_sysval = wave->sysval.num_words;
   frame->num_output = wave->output.num_words;
   frame->arrays = (void *)((unsigned char *)frame + program->arrays);
   frame->stops = may_stop(program, wave);
   frame->resumes = false;
   frame->kept = sizeof(struct head) + program->kept;
   frame->helpers = jit_helpers;
   frame->wave = wave;
   frame->moving_word = wave->moving_word;
   frame->stride = wave->stride;
   memset(frame->zeros, 0, sizeof(frame->zeros));
}

/* Waves that are to be run; of a program with arrays it is one. */
static enum jit_end
run_frame(const struct program *program, jit_function function,
          struct jit_frame *frame, struct exec_round *rounds, uint32_t count,
          uint64_t budget)
{
   frame->rounds = rounds;
   frame->num_rounds = count;
   frame->budget = budget;
   frame->steps += program->num_array_words; /* a row of 64 bytes is a step */
   if (program->num_array_words > 0)
      memset(frame->arrays, 0,
             program->num_array_words * sizeof(uint32_t[LIR_LANES]));
   return (enum jit_end)function(frame);
}

static enum tg_result
end_frame(enum jit_end end, struct exec_wave *wave,
          const struct jit_frame *frame, struct exec_fault *fault_out)
{
   wave->steps = frame->steps;
   wave->wait = (struct exec_wait){.origin = LIR_NO_ORIGIN};
   if (end == JIT_END_OK)
      return TG_OK;
   *fault_out = (struct exec_fault){
      .origin = frame->fault_origin,
      .lanes = frame->fault_lanes,
      .what = end == JIT_END_BUDGET ? "the loop budget is used up" : NULL,
   };
   wave->wait.origin = frame->fault_origin;
   return TG_ERROR_LIMIT;
}

static struct exec_round
round_of(const struct exec_wave *wave, void *scratch)
{
   return (struct exec_round){
      .launched = wave->launched,
      .live = wave->live,
      .input = wave->input.data,
      .sysval = wave->sysval.data,
      .output = wave->output.data,
      .scratch = scratch,
   };
}

/* What one wave leaves, at its end or where it stopped. */
static enum tg_result
end_wave(enum jit_end end, const struct exec_round *round,
         struct exec_wave *wave, const struct jit_frame *frame,
         struct exec_fault *fault_out)
{
   const enum tg_result result = end_frame(end, wave, frame, fault_out);

   wave->live = round->live;
   wave->loop_budget = frame->budget;
   if (end == JIT_END_OK && round->wait.lanes)
      wave->wait = round->wait;
   return result;
}

/* What follows the head. */
static void *
body_of(void *scratch)
{
   return (struct head *)scratch + 1;
}

static enum tg_result
run_code(const struct program *program, jit_function function,
         struct exec_wave *wave, void *scratch, struct exec_fault *fault_out)
{
   struct exec_round round = round_of(wave, scratch);
   struct jit_frame *frame = body_of(scratch);

   begin_frame(program, wave, frame);
   const enum jit_end end =
      run_frame(program, function, frame, &round, 1, wave->loop_budget);
   return end_wave(end, &round, wave, frame, fault_out);
}

/* The frame is as the code left it at barriers. */
static enum jit_end
resume_frame(jit_function function, struct jit_frame *frame,
             struct exec_round *rounds)
{
   frame->rounds = rounds;
   frame->resumes = true;
   frame->steps = 0;
   return (enum jit_end)function(frame);
}

static enum tg_result
resume_code(jit_function function, struct exec_wave *wave, void *scratch,
            struct exec_fault *fault_out)
{
   struct exec_round round = round_of(wave, scratch);
   struct jit_frame *frame = body_of(scratch);
   const enum jit_end end = resume_frame(function, frame, &round);

   return end_wave(end, &round, wave, frame, fault_out);
}

/* Code does not pause, and that of x86 does not stop at barriers. */
static bool
needs_interpreter(const struct program *program, jit_function function,
                  const struct exec_wave *wave)
{
   return wave->takes_turns || !has_lane_memory(program, wave) ||
          (function == program->quick.function && program->has_barriers &&
           wave->stops_at_barriers);
}

static enum tg_result
run(const struct exec_program *exec_program, struct exec_wave *wave,
    void *scratch, struct exec_fault *fault_out)
{
   struct program *program = (struct program *)exec_program;
   struct head *head = scratch;
   void *body = body_of(scratch);
   const jit_function function =
      atomic_load_explicit(&program->job.function, memory_order_acquire);

   head->is_code = function && wave->launched &&
                   !needs_interpreter(program, function, wave) &&
                   bind_memory(program, wave, body);
   wave->is_paused = false;
   const enum tg_result result =
      head->is_code ? run_code(program, function, wave, scratch, fault_out)
                    : program->interpreter->run(program->interpreted, wave,
                                                body, fault_out);
   jit_tier_note_steps(&program->job, wave->steps);
   return result;
}

/* The waves of a round, of a program with arrays. */
static enum jit_end
run_one_by_one(const struct program *program, jit_function function,
               struct jit_frame *frame, struct exec_round *round)
{
   const struct exec_wave *wave = frame->wave;
   const uint32_t live = round->live, num_more = round->num_more;
   uint32_t num_live = 0;
   enum jit_end end = JIT_END_OK;

   round->num_more = 0;
   for (uint32_t i = 0; i <= num_more && end == JIT_END_OK; i++) {
      if (i > 0)
         exec_advance_round(wave, round);
      round->live = live;
      end = run_frame(program, function, frame, round, 1, wave->loop_budget);
      num_live += round->num_live;
   }
   round->num_more = num_more;
   round->num_live = num_live;
   return end;
}

/* Waves that do not stop leave nothing that another would find. */
static void
share_scratch(struct exec_round *rounds, uint32_t count, void *scratch)
{
   for (uint32_t i = 0; i < count; i++)
      rounds[i].scratch = scratch;
}

/* Waves that stop would each need arrays of their own. */
static bool
can_run_rounds(const struct program *program, jit_function function,
               const struct exec_wave *wave)
{
   return function && !needs_interpreter(program, function, wave) &&
          !(program->num_array_words > 0 && may_stop(program, wave));
}

static enum tg_result
run_rounds(const struct exec_program *exec_program, struct exec_wave *wave,
           struct exec_round *rounds, uint32_t count, void *scratch,
           uint32_t *num_run, struct exec_fault *fault_out)
{
   struct program *program = (struct program *)exec_program;
   struct jit_frame *frame = body_of(scratch);
   enum jit_end end = JIT_END_OK;
   const jit_function function =
      atomic_load_explicit(&program->job.function, memory_order_acquire);

   *num_run = 0;
   wave->steps = 0;
   if (!can_run_rounds(program, function, wave) ||
       !bind_memory(program, wave, frame))
      return TG_OK;
   wave->is_paused = false;
   begin_frame(program, wave, frame);
   if (program->has_barriers && !frame->stops)
      share_scratch(rounds, count, scratch);
   while (end == JIT_END_OK && *num_run < count && rounds[*num_run].launched) {
      struct exec_round *first = rounds + *num_run;

      if (program->num_array_words > 0)
         end = run_one_by_one(program, function, frame, first);
      else
         end = run_frame(program, function, frame, first, count - *num_run,
                         wave->loop_budget);
      *num_run += frame->num_run;
   }
   jit_tier_note_steps(&program->job, frame->steps);
   return end_frame(end, wave, frame, fault_out);
}

static enum tg_result
resume_rounds(const struct exec_program *exec_program, struct exec_wave *wave,
              struct exec_round *rounds, uint32_t count, void *scratch,
              uint32_t *num_run, struct exec_fault *fault_out)
{
   struct program *program = (struct program *)exec_program;
   struct jit_frame *frame = body_of(scratch);
   const jit_function function =
      atomic_load_explicit(&program->job.function, memory_order_acquire);

   assert(frame->stops && frame->num_rounds == count);
   const enum jit_end end = resume_frame(function, frame, rounds);
   *num_run = frame->num_run;
   jit_tier_note_steps(&program->job, frame->steps);
   return end_frame(end, wave, frame, fault_out);
}

static enum tg_result
resume(const struct exec_program *exec_program, struct exec_wave *wave,
       void *scratch, struct exec_fault *fault_out)
{
   struct program *program = (struct program *)exec_program;
   const struct head *head = scratch;
   void *body = body_of(scratch);
   const jit_function function =
      atomic_load_explicit(&program->job.function, memory_order_acquire);

   const enum tg_result result =
      head->is_code ? resume_code(function, wave, scratch, fault_out)
                    : program->interpreter->resume(program->interpreted, wave,
                                                   body, fault_out);
   jit_tier_note_steps(&program->job, wave->steps);
   return result;
}

static size_t
scratch_size(const struct exec_program *exec_program)
{
   const struct program *program = (const struct program *)exec_program;
   const size_t size = program->interpreter->scratch_size(program->interpreted);

   return sizeof(struct head) +
          (program->scratch_size > size ? program->scratch_size : size);
}

static bool
has_barriers(const struct exec_program *exec_program)
{
   const struct program *program = (const struct program *)exec_program;

   return program->interpreter->has_barriers(program->interpreted);
}

static bool
may_wait(const struct exec_program *exec_program)
{
   const struct program *program = (const struct program *)exec_program;

   return program->interpreter->may_wait(program->interpreted);
}

/* ---- executors ----------------------------------------------------------- */

/* Executors do not say which of them they are, so each has a function. */
#define JIT_SET(id, name, cpu, features, has_half, has_avx2, has_avx512,       \
                has_scatter, mode, is_there)                                   \
   static const struct jit_set id##_set = {                                    \
      cpu, features, has_half, has_avx2, has_avx512, has_scatter, mode};       \
   static enum tg_result id##_compile(const struct exec_build *build,          \
                                      const struct lir_module *module,         \
                                      struct exec_program **program_out)       \
   {                                                                           \
      return compile(&id##_set, build, module, program_out);                   \
   }                                                                           \
   static void id##_digest(const void *bytes, size_t num_bytes,                \
                           struct exec_digest *digest_out)                     \
   {                                                                           \
      jit_digest_of_code(&id##_set, bytes, num_bytes, digest_out);             \
   }                                                                           \
   static bool id##_make_object(const void *bytes, size_t num_bytes,           \
                                struct exec_object *object_out)                \
   {                                                                           \
      return jit_make_code_object(&id##_set, bytes, num_bytes, object_out);    \
   }                                                                           \
   static const struct exec_executor id##_executor = {                         \
      name,                                                                    \
      id##_compile,                                                            \
      destroy,                                                                 \
      scratch_size,                                                            \
      has_barriers,                                                            \
      may_wait,                                                                \
      run,                                                                     \
      resume,                                                                  \
      run_rounds,                                                              \
      resume_rounds,                                                           \
      (mode) == JIT_X86 ? NULL : id##_digest,                                  \
      (mode) == JIT_X86 ? NULL : id##_make_object,                             \
   };                                                                          \
   static bool has_##id(void)                                                  \
   {                                                                           \
      return is_there;                                                         \
   }
#include "exec/jit/sets.def"

struct row {
   const struct exec_executor *executor;
   const struct jit_set *set;
   bool (*is_there)(void);
};

static const struct row rows[] = {
#define JIT_SET(id, name, cpu, features, has_half, has_avx2, has_avx512,       \
                has_scatter, mode, is_there)                                   \
   {&id##_executor, &id##_set, has_##id},
#include "exec/jit/sets.def"
};

/* Can code be made on this machine? */
static bool
is_there(const struct row *row)
{
   if (!row->is_there())
      return false;
   switch (row->set->mode) {
   case JIT_LLVM: return jit_load_llvm_for_code();
   case JIT_X86: return true;
   case JIT_TIERS:
      return (jit_load_llvm_for_code() && jit_tier_start_thread()) ||
             x86_is_there();
   }
   return false;
}

const struct exec_executor *
exec_jit_for(const char *name)
{
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const struct row *row = &rows[i];

      if (strcmp(row->executor->name, name) != 0)
         continue;
      if (!is_there(row))
         return NULL;
      jit_open_map_of_names();
      return row->executor;
   }
   return NULL;
}
