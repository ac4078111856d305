/* SPDX-License-Identifier: MIT
 *
 * Running one shader without a pipeline around it: of any stage on up to 16
 * lanes, values in, values out; or a compute shader over a grid.
 *
 * In a run lanes 0 to 3 are a quad (top left, top right, bottom left, bottom
 * right), lanes 4 to 7 the next one, and so on. All lanes make one subgroup.
 */
#ifndef TUNGSTEN_RUN_H
#define TUNGSTEN_RUN_H

#include "tungsten/code_cache.h"
#include "tungsten/profile.h"
#include "tungsten/resource.h"
#include "tungsten/tgsi.h"
#include "tungsten/work.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TG_MAX_LANES = 16 };

/**
 * A shader made ready to run, to be shared between threads. Nothing that can be
 * seen of it changes; but code for new bindings is compiled by the thread that
 * runs into them, and so the allocator must be one for many threads.
 */
struct tg_program;

/**
 * Is given a kernel that was made, the code for a shader and the state around
 * it: the processor of the shader, as "VERT", or "BLIT", and the kernel's text.
 * Comments in it name the state and count the operations; then it goes on with
 * the listing that docs/lir.md describes. Both strings are gone when it
 * returns. Called by the threads that compile, several at once where several
 * do.
 */
typedef void (*tg_kernel_function)(void *user, const char *kind,
                                   const char *text);

struct tg_program_options {
   size_t size;   /* sizeof(struct tg_program_options) */
   bool optimize; /* run the passes; the results are the same bits */
   bool trace;    /* so that tg_run_set_trace() has something to report */
   bool check;    /* look for mistakes that executing does not show */
   struct tg_work *work; /* that pays for compiling, for runs and for dispatches;
                          * it must outlive the program. NULL: none does */
   const char *executor; /* a name of tg_executor_name(); NULL: the usual one */
   tg_kernel_function print_kernel; /* is given each kernel; NULL: none is */
   void *print_user;                /* of print_kernel */
   bool verify_each; /* check kernels after each pass: what is wrong then is a
                      * bug of this library, and TG_ERROR_UNSUPPORTED */
   struct tg_code_cache *code_cache; /* where machine code is looked for and
                                      * kept; it must outlive the program. NULL:
                                      * nowhere */
   struct tg_profile *profile; /* of compiling and of dispatches; it must outlive
                                * the program. NULL: none is made */
};

#define TG_PROGRAM_OPTIONS_INIT                                                \
   TG_INIT_(tg_program_options, TG_PROGRAM_OPTIONS_MEMBERS_)
#define TG_PROGRAM_OPTIONS_MEMBERS_(SET) SET(optimize, true)

/**
 * Validates, lowers and compiles. `options` NULL takes the defaults. The
 * program holds a reference on the shader. An executor that there is not is
 * TG_ERROR_INPUT, as is a shader that is wrong.
 * TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED, TG_ERROR_LIMIT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_program_create(const struct tg_allocator *allocator,
                  const struct tg_shader *shader,
                  const struct tg_program_options *options,
                  struct tg_diagnostics *diagnostics,
                  struct tg_program **program_out);

/** Takes NULL. */
TG_API void
tg_program_destroy(struct tg_program *program);

/** The values of one run: registers before and after. Of a compute shader a run
 * is a block, with shared memory of its own. One thread at a time. */
struct tg_run;

/**
 * For lanes 0 to `num_lanes` - 1, at most TG_MAX_LANES. All registers are zero
 * at first. The program must outlive it. TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_run_create(const struct tg_program *program, unsigned num_lanes,
              struct tg_run **run_out);

/** Takes NULL. */
TG_API void
tg_run_destroy(struct tg_run *run);

/** The files whose registers can be set before a run. */
enum tg_run_file {
   TG_RUN_INPUT,    /* IN[index], of a per-vertex file IN[dimension][index] */
   TG_RUN_SYSVAL,   /* SV[index] */
   TG_RUN_CONSTANT, /* CONST[dimension][index]; the same in all lanes */
};

/**
 * Sets the four words of a register, in one lane or, when `lane` is -1, in
 * all. TG_ERROR_INPUT when there is no such register or lane.
 */
TG_API enum tg_result
tg_run_set(struct tg_run *run, enum tg_run_file file, uint32_t dimension,
           uint32_t index, int lane, const uint32_t words[4]);

/**
 * What textures, samplers, images and buffers the run sees from now on; NULL
 * for none, as at first: what is not bound reads as 0. The run holds a
 * reference on them. The program is compiled again for kinds of bindings that
 * it has not seen, when it is next executed.
 */
TG_API void
tg_run_set_bindings(struct tg_run *run, struct tg_bindings *bindings);

/** Loops may go back to their top, and subroutines be called, this often in
 * all; default 1,000,000, and fewer in a shader of more than 134 instructions,
 * so that iterations times instructions stay below 2^27. */
TG_API void
tg_run_set_loop_budget(struct tg_run *run, uint64_t iterations);

/**
 * Called for each channel that an instruction wrote: the instruction's number,
 * which of its destinations, the channel (0 to 3), the lanes in which it did
 * (bit i: lane i) and the words of those. The program must have been created
 * with `trace`. NULL calls nothing.
 */
typedef void (*tg_trace_function)(void *user, uint32_t instruction,
                                  unsigned dst, unsigned channel,
                                  uint32_t lanes,
                                  const uint32_t words[TG_MAX_LANES]);
TG_API void
tg_run_set_trace(struct tg_run *run, tg_trace_function trace, void *user);

/**
 * Called in each lane, lowest first, for a vertex that a geometry shader emits
 * and for the end of a primitive. tg_run_get_output() then gives the vertex.
 * Vertices beyond those that the shader declares are not reported.
 */
typedef void (*tg_emit_function)(void *user, unsigned lane, uint32_t stream,
                                 bool is_end_of_primitive);
TG_API void
tg_run_set_emit(struct tg_run *run, tg_emit_function emit, void *user);

/**
 * Runs to the end; may be called again, from zeroed outputs. TG_ERROR_LIMIT
 * when a loop or call budget ran out or a lane did not come to a barrier at
 * which others are; a diagnostic then names the line.
 */
TG_API enum tg_result
tg_run_execute(struct tg_run *run, struct tg_diagnostics *diagnostics);

/**
 * What the last execution of a program made with `check` found: values that
 * were never written and decide something or leave the shader, accesses out of
 * range, barriers that some lanes do not reach, loops that do not end. Each is
 * an error among the diagnostics, with the line, the lane and a code that
 * docs/check.md explains. The execution itself is a success if the shader came
 * to its end, and gives what it gives without `check`, but for the opcode
 * CLOCK.
 */
TG_API uint32_t
tg_run_num_findings(const struct tg_run *run);

/** Whose a register of OUT is. A run of a TESS_CTRL shader is one patch: its
 * lanes are invocations that share all outputs. */
enum tg_run_output_kind {
   TG_RUN_OUTPUT_OF_LANE,   /* OUT[index] */
   TG_RUN_OUTPUT_OF_VERTEX, /* OUT[dimension][index], the same in all lanes */
   TG_RUN_OUTPUT_OF_PATCH,  /* OUT[index], the same in all lanes */
};
TG_API enum tg_run_output_kind
tg_run_output_kind(const struct tg_run *run, uint32_t index);

/**
 * How many registers the OUT file has, and how many vertices if it is a
 * per-vertex one, else 1.
 */
TG_API uint32_t
tg_run_num_outputs(const struct tg_run *run);
TG_API uint32_t
tg_run_num_output_vertices(const struct tg_run *run);

/**
 * The words of OUT[index], `dimension` being 0, or OUT[dimension][index], in a
 * lane. TG_ERROR_INPUT when there is no such register or lane.
 */
TG_API enum tg_result
tg_run_get_output(const struct tg_run *run, uint32_t dimension, uint32_t index,
                  unsigned lane, uint32_t words[4]);

/** Bit i: lane i was discarded. */
TG_API uint32_t
tg_run_killed(const struct tg_run *run);

/** Vertices that a lane emitted, to all streams. */
TG_API uint32_t
tg_run_num_emitted(const struct tg_run *run, unsigned lane);

/* ---- compute ------------------------------------------------------------- */

enum {
   TG_MAX_BLOCK_THREADS = 1024,
   TG_MAX_SHARED_MEMORY = 65536, /* bytes of MEMORY, SHARED of a block */
   TG_MAX_DISPATCH_THREADS = 256,
};

/** Blocks of a grid along each axis. */
#define TG_MAX_GRID_SIZE (UINT64_C(1) << 32)

/**
 * A grid of blocks of threads. Threads of a block see one shared memory, zero
 * at first, and wait for each other at barriers. Blocks run in any order,
 * several at once. Thread (x, y, z) of a block is number
 * x + block[0] * (y + block[1] * z); sixteen threads that follow each other are
 * the lanes of a wave, which is a subgroup.
 *
 * System values are words, so GRID_SIZE is 0 where there are 2^32 blocks. What
 * a compute shader finds in one that has no meaning there is 0.
 */
struct tg_grid {
   size_t size; /* sizeof(struct tg_grid) */
   /* Threads of a block, their product up to TG_MAX_BLOCK_THREADS. 0 is what
    * the shader fixes with CS_FIXED_BLOCK_*, or else 1. */
   uint32_t block[3];
   uint64_t grid[3];  /* blocks, up to TG_MAX_GRID_SIZE; a 0 runs nothing */
   uint32_t work_dim; /* what WORK_DIM says; 0: 3 */
   uint32_t entry;    /* label of the BGNSUB to begin at; 0: of the program */
   unsigned num_threads; /* of the processor; 0: as many as there are */
   uint32_t shared_size; /* bytes of shared memory; 0: TG_MAX_SHARED_MEMORY */
   uint64_t loop_budget; /* of each wave; 0: the default of a run */
   /* If not NULL a buffer that has the grid, three words at this multiple of 4
    * bytes; they are read before anything runs. */
   const struct tg_resource *indirect;
   uint32_t indirect_offset;
   /* Called by the caller's thread now and then with the part that is done, 0
    * to 1; true stops. NULL calls nothing. */
   bool (*progress)(void *user, double fraction);
   void *user;
};

/** One block. */
#define TG_GRID_INIT TG_INIT_(tg_grid, TG_GRID_MEMBERS_)
#define TG_GRID_MEMBERS_(SET) SET(grid[0], 1) SET(grid[1], 1) SET(grid[2], 1)

/**
 * Runs a compute program over a grid, to its end. What is bound is read and
 * written by several threads meanwhile, and by nobody else. `bindings` NULL
 * binds nothing.
 *
 * TG_ERROR_INPUT when the grid does not fit the program. TG_ERROR_LIMIT when a
 * loop or call budget ran out, when a barrier that some threads of a block have
 * reached is not reached by all of them, or when `progress` stopped it. Of
 * faults a diagnostic names block, thread and line: those of the first block, x
 * counting fastest, that has one, with any number of threads. The blocks before
 * it are then done, others may be. TG_ERROR_MEMORY; and what
 * tg_program_create() returns, since code for new bindings is compiled.
 *
 * A program made with `check` is run by the caller's thread alone, block by
 * block, and what is found is errors among the diagnostics, data races too; the
 * dispatch is a success all the same if it came to its end.
 */
TG_API enum tg_result
tg_dispatch(const struct tg_program *program,
            const struct tg_bindings *bindings, const struct tg_grid *grid,
            struct tg_diagnostics *diagnostics);

#ifdef __cplusplus
}
#endif

#endif
