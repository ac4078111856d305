/* SPDX-License-Identifier: MIT
 *
 * An executor turns a LIR module into a program and runs waves of it. There is
 * the interpreter, in portable C; others give the same bits.
 *
 * A program is immutable: any number of threads may run it, each with a wave
 * and a scratch of its own.
 */
#ifndef TG_EXEC_EXEC_H
#define TG_EXEC_EXEC_H

#include "lir/lir.h"
#include "tungsten/base.h"

/* Which words hold nothing yet, for those who check: a bit for each from `data`
 * on. */
struct exec_undefined {
   const uint32_t *data;
   uint32_t *bits;
};

/* Memory that all lanes see. Units of which the last bytes are outside do not
 * exist. Where several threads write, each whole unit is written at once. */
struct exec_memory {
   uint32_t *data; /* read-only spaces are not written through it */
   uint64_t num_bytes;
   const struct exec_undefined *undefined; /* NULL: all words hold something;
                                              executors do not look at it */
};

/* Memory of which each lane has its own: word `i` of lane `l` is data[i][l]. */
struct exec_lane_memory {
   uint32_t (*data)[LIR_LANES];
   uint32_t num_words;
};

/* Who listens; any function may be NULL. `lanes` has a bit for each lane that
 * the event happens in. */
struct exec_listener {
   void (*trace)(void *user, uint64_t tag, uint32_t lanes,
                 const uint32_t value[LIR_LANES]);
   void (*emit)(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES]);
   void (*endprim)(void *user, uint32_t lanes,
                   const uint32_t stream[LIR_LANES]);
   void *user;
};

/* Where a wave waits for the others of its block, or has paused. */
struct exec_wait {
   uint32_t lanes;  /* that are at the barrier; 0: the wave does not wait */
   uint32_t origin; /* TGSI instruction, or LIR_NO_ORIGIN */
   /* The same where waves are at the same barrier, led there by the same calls,
    * in the same turns of the loops around it and them; else another. */
   uint64_t visit;
};

/* Everything that a wave reads and writes. The caller fills it in. */
struct exec_wave {
   uint32_t launched; /* bit i: lane i exists */
   uint32_t live;     /* lanes that are no helpers; afterwards without killed */

   /* Does it stop at barriers? Else it goes on there, since it is alone. */
   bool stops_at_barriers;

   /* Could it wait, in a loop, for what another wave writes that the same
    * thread runs? Then it pauses and does not pay; its program may_wait(). */
   bool takes_turns;
   struct exec_wait wait; /* afterwards */

   /* Bindings 0 to num_memories-1 of each uniform space. What is not bound
    * has no words. */
   const struct exec_memory *memory[LIR_NUM_UNIFORM_SPACES];
   uint32_t num_memories[LIR_NUM_UNIFORM_SPACES];

   /* What is written to `output` is not seen in the others. */
   struct exec_lane_memory input;
   struct exec_lane_memory sysval;
   struct exec_lane_memory output;

   /* Of rounds that are several waves: see struct exec_round. */
   uint32_t moving_word, stride;

   /* Times that loops may go back to their top and functions be called, in
    * all lanes together; afterwards what is left of them. */
   uint64_t loop_budget;

   /* Instructions after which it pauses where it would go back in a loop or
    * call a function; 0: it does not pause. What they cost is counted in
    * `steps`: instructions that were run, those for beginning the wave and
    * filling its memory too. */
   uint64_t slice;
   uint64_t steps; /* afterwards: of the last run() or resume() */
   bool is_paused; /* afterwards */

   /* Instead of pausing a wave may pay where it is: for `steps` instructions,
    * at `wait.origin`, which count no more then. False ends the wave, with a
    * fault that has no words. NULL: it never pays. */
   bool (*pay)(void *payer, const struct exec_wave *wave);
   void *payer;
   const struct exec_listener *listener; /* or NULL */
};

/* Where the wave stopped, when exec_run() did not return TG_OK. */
struct exec_fault {
   uint32_t origin;  /* TGSI instruction, or LIR_NO_ORIGIN */
   uint32_t lanes;   /* that were active */
   const char *what; /* "the loop budget is used up"; static */
};

/* What a wave has for itself where several are run that have all else in
 * common: lane memory has as many words as the wave's. It may be several waves
 * itself, which differ by one word of INPUT memory: before each but the first
 * the wave's `stride` is added to it in all lanes; none of these stops at a
 * barrier. */
struct exec_round {
   uint32_t launched;
   uint32_t live;     /* as in struct exec_wave; afterwards of the last wave */
   uint32_t num_more; /* waves after the first */
   uint32_t num_live; /* out: lanes that were live after each, the sum */
   uint32_t (*input)[LIR_LANES];
   uint32_t (*sysval)[LIR_LANES];
   uint32_t (*output)[LIR_LANES];
   void *scratch;         /* of those that stop at barriers: each its own */
   struct exec_wait wait; /* out: of these */
};

struct exec_program;
struct exec_counters;
struct exec_digest;
struct exec_object;
struct exec_store;
struct tg_profile;

/* What a module is compiled with. A null pointer in place of it, or a zero one,
 * is the default allocator, no store, counters and profile. */
struct exec_build {
   const struct tg_allocator *allocator;
   const struct exec_store *store; /* of code; it outlives the program */
   struct exec_counters *counters; /* likewise */
   struct tg_profile *profile;     /* likewise */
   uint32_t profile_shader;        /* what is compiled, in it */
};

/* Bytes that the values of a wave may take; compiling what takes more is
 * TG_ERROR_LIMIT. */
#define EXEC_MAX_SCRATCH (UINT64_C(1) << 30)

/* `clock` counts the instructions that the wave has run before it, without
 * those of control. */
struct exec_executor {
   const char *name;
   /* Compiles a verified module that lir_pass_signatures() has lowered, and
    * which may then be freed. */
   enum tg_result (*compile)(const struct exec_build *build,
                             const struct lir_module *module,
                             struct exec_program **program_out);
   void (*destroy)(struct exec_program *program);
   /* Bytes of 64-byte aligned memory that a run needs. */
   size_t (*scratch_size)(const struct exec_program *program);
   /* Can a wave stop at a barrier? */
   bool (*has_barriers)(const struct exec_program *program);
   /* Could a wave wait, in a loop, for what another one writes? See
    * lir_find_waits(). */
   bool (*may_wait)(const struct exec_program *program);
   /* Runs one wave to its end or, if it stops at barriers, to the next one, or
    * to where it pauses; its `wait` says which. TG_ERROR_LIMIT when the loop
    * budget or the call depth ran out; the outputs are then what they are. */
   enum tg_result (*run)(const struct exec_program *program,
                         struct exec_wave *wave, void *scratch,
                         struct exec_fault *fault_out);
   /* Goes on after the barrier at which the wave stopped, or where it paused.
    * Wave and scratch are as run() or resume() left them. */
   enum tg_result (*resume)(const struct exec_program *program,
                            struct exec_wave *wave, void *scratch,
                            struct exec_fault *fault_out);
   /* Runs waves to their ends, one after the other: each is `wave`, with a
    * round's members in place of its own, which stay what they were. `steps` is
    * what they took together, `wait` and `is_paused` are as run() leaves them.
    * `*num_run` is how many rounds have ended: with TG_OK it may be less than
    * `count`, when run() has to be asked for the rest. NULL: it always has to.
    *
    * Where `wave` stops at barriers they run to the next ones instead, all or
    * none with TG_OK: each round's `wait` says whether it has ended. The first
    * one's scratch is `scratch`. */
   enum tg_result (*run_rounds)(const struct exec_program *program,
                                struct exec_wave *wave,
                                struct exec_round *rounds, uint32_t count,
                                void *scratch, uint32_t *num_run,
                                struct exec_fault *fault_out);
   /* Likewise on from the barriers at which all of them have stopped. Wave,
    * rounds and scratches are as run_rounds() or resume_rounds() left them. */
   enum tg_result (*resume_rounds)(const struct exec_program *program,
                                   struct exec_wave *wave,
                                   struct exec_round *rounds, uint32_t count,
                                   void *scratch, uint32_t *num_run,
                                   struct exec_fault *fault_out);
   /* What a store asks of an executor that generates code; NULL: it does not.
    * The digest of the object for the bytes of a module, and the object, made
    * of bytes that nobody has checked. False: they are no module, there is no
    * code for it, or out of memory. A process that makes objects of hostile
    * bytes is to have nothing to lose: LLVM is not made for that. */
   void (*digest)(const void *bytes, size_t num_bytes,
                  struct exec_digest *digest_out);
   bool (*make_object)(const void *bytes, size_t num_bytes,
                       struct exec_object *object_out);
};

/* Makes the next wave of a round of several. */
static inline void
exec_advance_round(const struct exec_wave *wave, struct exec_round *round)
{
   uint32_t *row = round->input[wave->moving_word];

   assert(wave->moving_word < wave->input.num_words);
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      row[lane] += wave->stride;
}

static inline const struct tg_allocator *
exec_build_allocator(const struct exec_build *build)
{
   return build ? build->allocator : NULL;
}

/* The interpreter for this machine. */
const struct exec_executor *
exec_interpreter(void);

/* Executors that generate code, by their names, which are in jit/sets.def. NULL
 * if this machine or this build has it not. Loads LLVM when one that uses it is
 * asked for the first time. */
const struct exec_executor *
exec_jit_for(const char *name);

/* Finds an executor by a name that tg_executor_name() lists; NULL is the usual
 * one, the first. NULL if there is none. */
const struct exec_executor *
exec_find_executor(const char *name);

/* Executors beside the interpreter, then NULL; they are found by their `name`.
 * The library has none. A program that is linked with the rooms themselves may
 * define a list of its own, which then takes the place of that in others.c:
 * tests add an executor like this. */
extern const struct exec_executor *const exec_others[];

/* The interpreter compiled for a certain instruction set: "baseline", "avx2",
 * "avx512", ... NULL if this machine or this build has it not. For tests. */
const struct exec_executor *
exec_interpreter_for(const char *instruction_set);

#endif
