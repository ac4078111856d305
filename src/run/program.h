/* SPDX-License-Identifier: MIT
 *
 * A program of the public API: a shader, its lane memory and its code.
 */
#ifndef TG_RUN_PROGRAM_H
#define TG_RUN_PROGRAM_H

#include "abi/layout.h"
#include "exec/exec.h"
#include "tungsten/run.h"

struct tg_program {
   const struct tg_allocator *allocator;
   struct tg_shader *shader; /* a reference */
   struct tg_program_options options;
   struct abi_layout layout;
   uint32_t uses; /* enum tg_info_use */
   const struct exec_executor *executor;
   struct run_variants *variants; /* the only part that changes */
};

/* Where the TGSI instruction stands that LIR came from; nowhere, if it came
 * from none. */
struct tg_position
run_program_position(const struct tg_shader *shader, uint32_t origin);

/* Bytes of shared memory that a block can have; 0 if the shader uses none. */
uint32_t
run_program_shared_bytes(const struct tg_program *program);

/* The budget of back edges of a run, and of each wave of a dispatch, where none
 * is given. */
uint64_t
run_program_default_loop_budget(const struct tg_program *program);

/* What diagnostics say of a barrier that not all threads reach. */
extern const char run_barrier_note[];

#endif
