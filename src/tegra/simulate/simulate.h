/* SPDX-License-Identifier: MIT
 *
 * The simulator inside (SIMT): a wave of 16 vertices, the program as it is
 * executed, and what its parts offer each other.
 *
 * A register's component is a row of 16 words, a word for each vertex of the
 * wave. The lanes at the lowest program counter execute together (min-PC
 * reconvergence). They are the active ones; the others wait until the active
 * ones come to where they are, or pass it. So lanes that skipped something wait
 * after it, and lanes that left a loop wait after it, for those that did not:
 * as long as code lies in the order in which it runs, lanes that part meet
 * again where their ways do.
 */
#ifndef TEGRA_SIMULATE_H
#define TEGRA_SIMULATE_H

#include "exec/kernel.h"
#include "tegra/isa/program.h"

enum { SIMULATE_LANES = LIR_LANES };

#define FOR_LANES(i) for (unsigned i = 0; i < SIMULATE_LANES; i++)

/* The same where a row that is written may be one of those that are read. */
#ifdef __clang__
#define FOR_LANES_IN_PLACE(i)                                                  \
   _Pragma("clang loop vectorize(assume_safety)") FOR_LANES (i)
#else
#define FOR_LANES_IN_PLACE(i)                                                  \
   _Pragma("GCC ivdep") _Pragma("GCC unroll 1") FOR_LANES (i)
#endif

typedef uint32_t simulate_row[SIMULATE_LANES];
typedef simulate_row simulate_vector[4]; /* x, y, z, w */

struct simulate_machine;
struct simulate_instruction;

/* ---- transcendental functions -------------------------------------------- */

enum simulate_kernel {
   SIMULATE_EXP2,
   SIMULATE_LOG2,
   SIMULATE_SIN,
   SIMULATE_COS,
   SIMULATE_EXPONENT,
   SIMULATE_SIGNIFICAND,
   SIMULATE_POW, /* of two operands */
   SIMULATE_NUM_KERNELS
};

struct simulate_kernels {
   const struct tg_allocator *allocator;
   const struct exec_executor *executor;
   struct exec_code *code[SIMULATE_NUM_KERNELS]; /* NULL: not needed */
   void *scratch;
   simulate_row *input; /* two */
   simulate_row *output;
};

/* Compiles what a scalar opcode calls. TG_ERROR_MEMORY. */
enum tg_result
simulate_kernels_add(struct simulate_kernels *kernels,
                     enum tegra_scalar_op opcode);

/* Bytes of scratch, of 64-byte aligned memory, that those added need. */
size_t
simulate_kernels_scratch_size(const struct simulate_kernels *kernels);

void
simulate_kernels_finish(struct simulate_kernels *kernels);

/* Evaluates a scalar opcode by its kernel. `y` is NULL where there is one
 * operand. */
void
simulate_kernel_run(struct simulate_kernels *kernels,
                    enum simulate_kernel kernel, const uint32_t *x,
                    const uint32_t *y, uint32_t *restrict result);

/* ---- instructions -------------------------------------------------------- */

/* Row `i` is what component i of the operation takes, without its modifiers:
 * word & keep ^ flip has them. */
struct simulate_source {
   const uint32_t *row[4];
   uint32_t keep, flip;
};

/* Computes the components of the slot's mask, or one for all. */
typedef void
simulate_function(struct simulate_machine *machine,
                  const struct simulate_instruction *instruction,
                  simulate_row *result);

/* What loops over lanes, compiled for an instruction set. All give the same
 * bits. */
struct simulate_set {
   const char *name;
   /* By opcode; NULL: it has no result. */
   simulate_function *const *functions[TEGRA_NUM_UNITS];
   /* Of the vector unit where sums of products are fused; NULL: the same. */
   simulate_function *const *fused;
   /* Runs vertices to their ends, from `first` on, at most a wave of them. */
   void (*wave)(struct simulate_machine *machine, uint32_t first, uint32_t num);
};

/* An operation of an instruction. */
struct simulate_slot {
   simulate_function *function; /* NULL: there is nothing to write */
   uint8_t kind;                /* enum tegra_result */
   uint8_t mask;                /* components that are written */
   uint8_t distinct;            /* rows of the result that hold something */
   const uint32_t *result[4];   /* by component */
   simulate_row *to;            /* a register; NULL: none */
   uint8_t index;               /* of the temporary */
   bool is_address;             /* `to` is A0 */
   bool exports, sets_condition, saturates;
};

#define SIMULATE_SET_OF(set) SIMULATE_SET_OF_(set)
#define SIMULATE_SET_OF_(set) simulate_set_##set

/* Those that the interpreter is compiled for, too. */
#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   extern const struct simulate_set SIMULATE_SET_OF(name);
#include "exec/interp/sets.def"

/* What a program can do that no document defines. */
enum simulate_finding {
   SIMULATE_UNDEFINED_TEMPORARY,
   SIMULATE_UNDEFINED_ADDRESS,
   SIMULATE_UNDEFINED_SOURCE,
   SIMULATE_CONSTANT_RANGE,
   SIMULATE_ATTRIBUTE_RANGE,
   SIMULATE_EXPORT_RANGE,
   SIMULATE_BAD_END, /* and an enum tg_tegra_end */
   SIMULATE_NUM_FINDINGS = SIMULATE_BAD_END + TG_TEGRA_NUM_ENDS
};

/* Components of a temporary. */
struct simulate_read {
   uint8_t index, mask;
};

struct simulate_copy {
   uint32_t *to;
   const uint32_t *from;
};

struct simulate_instruction {
   /* It only computes, and the next instruction follows. Then `place` is where,
    * if all live lanes are active, and rows are copied after that. */
   bool is_plain;
   uint8_t num_copies;
   simulate_row *place[TEGRA_NUM_UNITS];
   struct simulate_copy copies[3 * 4];

   struct simulate_source source[TEGRA_NUM_SOURCES];
   struct simulate_slot slot[TEGRA_NUM_UNITS];

   /* Conditions that the predicate accepts, of the register `cr`, through a
    * swizzle. `gated` components are written where it holds. */
   uint8_t accepted, cr, swizzle, gated;

   uint8_t export_index;
   uint8_t attribute_index;
   uint16_t constant_index;
   bool export_is_relative;
   bool reads_constant_through_address;
   bool reads_attribute_through_address;
   bool exports_through_address;
   bool address_is_zero;
   const uint32_t *address; /* what such indices are relative to */

   uint8_t stack[TEGRA_NUM_UNITS]; /* enum tegra_effect; NONE: nothing */
   uint8_t flow;                   /* BRANCH, CALL or RETURN, else NONE */
   uint8_t target;
   bool end;

   /* Anything to be done before it executes? What follows is for that. */
   bool is_careful;
   uint8_t fault;    /* enum tg_tegra_end; ENDED: there is none */
   uint8_t findings; /* bits of enum simulate_finding that it always has */
   /* Reads of what may never have been written. */
   struct simulate_read reads[TEGRA_NUM_SOURCES]; /* mask 0: none */
   uint8_t address_reads;                         /* components of A0 */
};

/* ---- the machine --------------------------------------------------------- */

/* What a component of a condition register says of the last result; the same
 * bits say what a predicate accepts. */
enum {
   SIMULATE_LESS = 1,
   SIMULATE_EQUAL = 2,
   SIMULATE_GREATER = 4,
   SIMULATE_UNORDERED = 8,
   SIMULATE_ANY = 15,
};

/* Vertices with a finding at an instruction. */
struct simulate_count {
   uint32_t first, num;
   uint32_t wave;  /* the first vertex of the last wave that had some */
   uint32_t lanes; /* which of it */
};

struct simulate_machine {
   simulate_vector temporaries[TG_TEGRA_NUM_TEMPORARIES];
   simulate_vector attributes[TG_TEGRA_NUM_ATTRIBUTES];
   simulate_vector exports[TG_TEGRA_NUM_EXPORTS];
   simulate_vector address; /* A0 */
   simulate_vector conditions[TEGRA_NUM_CONDITIONS];
   /* An address vector, or x is an instruction's number. */
   simulate_vector stack[TG_TEGRA_STACK_DEPTH];
   simulate_vector relative_attribute, relative_constant; /* as fetched */
   simulate_vector result[TEGRA_NUM_UNITS];
   simulate_vector gate;    /* all ones where a component may be written */
   simulate_row active_row; /* all ones in active lanes */
   simulate_row zero;
   simulate_row export_row; /* relative export indices, signed */
   simulate_row kernel_rows[3];

   /* Sets of lanes. Those that are not live never were or came to their end;
    * what they hold means nothing. */
   uint32_t live, active;
   uint32_t taken; /* active lanes in which the predicate of the flow holds */
   uint32_t stack_holds_address[TG_TEGRA_STACK_DEPTH];

   /* The active lanes are at `pc`; lanes that wait are at `waiting` or after
    * it. `left` of `quota` steps are left to the active lane with fewest. */
   uint32_t pc, waiting;
   uint32_t left, quota;
   /* Of lanes that are not active. */
   uint32_t pc_of[SIMULATE_LANES], steps_of[SIMULATE_LANES];
   uint8_t depth[SIMULATE_LANES];

   /* Lanes that have written a component since they began. Kept only where
    * there are doubtful reads. */
   bool has_doubtful_reads;
   uint32_t written[TG_TEGRA_NUM_TEMPORARIES][4];
   uint32_t address_written[4];

   /* What does not change during a run. */
   const struct simulate_set *set;
   const struct tg_tegra_program *program;
   const struct tg_tegra_batch *batch;
   bool is_fused; /* enum tg_tegra_mad */
   struct simulate_instruction *instructions;
   uint32_t num_instructions;
   uint32_t attributes_read, exports_written; /* sets of registers */
   /* Of c[]; after them zeros for what is outside. */
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS + 1][4];
   simulate_vector *constant_rows; /* those that instructions name */
   struct simulate_kernels kernels;

   uint32_t first_vertex; /* of the wave */
   uint8_t last_end;      /* enum tg_tegra_end of the lane that ended last */
   uint32_t last_jump;    /* where a lane last jumped to */
   struct simulate_count (*counts)[SIMULATE_NUM_FINDINGS]; /* by instruction */
};

/* Does the predicate hold for a component, in a lane? */
static inline bool
simulate_accepts(const struct simulate_machine *machine,
                 const struct simulate_instruction *instruction,
                 unsigned component, unsigned lane)
{
   unsigned from = tegra_swizzle_get(instruction->swizzle, component);

   return machine->conditions[instruction->cr][from][lane] &
          instruction->accepted;
}

static inline bool
simulate_has_lane(uint32_t lanes, unsigned lane)
{
   return lanes >> lane & 1;
}

/* An index with A0 added, in a lane. What is far outside stays outside. */
static inline int32_t
simulate_index(const struct simulate_instruction *instruction, int32_t index,
               unsigned lane)
{
   enum { FAR = 4096 };
   int32_t address = (int32_t)instruction->address[lane];

   address = address < -FAR ? -FAR : address > FAR ? FAR : address;
   return address + index;
}

/* ---- decoding ------------------------------------------------------------ */

/* Decodes the words of the machine's program. */
void
simulate_decode(struct simulate_machine *machine);

/* Takes away the reads that certainly find something. */
void
simulate_find_undefined_reads(struct simulate_machine *machine);

/* Decides where a plain instruction computes. */
void
simulate_place(struct simulate_machine *machine,
               struct simulate_instruction *instruction);

/* ---- groups of lanes ----------------------------------------------------- */

/* Divergence: each active lane gets its own account, in pc_of and steps_of. */
void
simulate_leave_group(struct simulate_machine *machine);

/* Reconvergence: the live lanes at the lowest program counter become the active
 * ones. */
void
simulate_join_group(struct simulate_machine *machine);

/* Makes active_row what `active` says. */
void
simulate_group_fill_active_row(struct simulate_machine *machine);

/* Some active lanes come to an end at the instruction at `pc`. */
void
simulate_group_end_lanes(struct simulate_machine *machine, uint32_t lanes,
                         enum tg_tegra_end end);

/* Ends active lanes whose accounts say that they ran off. */
void
simulate_group_end_lanes_past_end(struct simulate_machine *machine);

/* All active lanes go to the same instruction. */
void
simulate_group_continue_at(struct simulate_machine *machine, uint32_t pc);

/* At least one active lane has no steps left: it ends. */
void
simulate_group_run_out_of_steps(struct simulate_machine *machine);

/* Ends lanes in which the instruction aborts and finds those in which it jumps.
 * False when none is left to execute it. */
bool
simulate_find_faults(struct simulate_machine *machine,
                     const struct simulate_instruction *instruction);

/* Does a lane do what an effect wants of the stack? CAL and RET depend on the
 * predicate. */
bool
simulate_uses_stack(const struct simulate_machine *machine, unsigned effect,
                    unsigned lane);

/* ---- findings ------------------------------------------------------------ */

/* Lanes of the wave did something at the instruction at `pc`. */
void
simulate_note_for_report(struct simulate_machine *machine,
                         enum simulate_finding finding, uint32_t lanes);

/* Reports warnings of all that was noted. */
void
simulate_report(const struct simulate_machine *machine,
                struct tg_diagnostics *diagnostics);

/* ---- batches ------------------------------------------------------------- */

/* tg_tegra_run() with the code of a certain instruction set: that of the
 * interpreter with this name, or NULL for the best. */
enum tg_result
simulate_run(const char *set, const struct tg_tegra_program *program,
             const struct tg_tegra_batch *batch,
             struct tg_diagnostics *diagnostics);

/* ---- trace --------------------------------------------------------------- */

/* Of lane 0 before an instruction. */
struct simulate_before {
   const struct simulate_instruction *instruction;
   uint32_t pc;
   unsigned gate;        /* components that may be written */
   int32_t export_index; /* effective */
   unsigned depth;
   bool is_taken;
   uint32_t stack[TG_TEGRA_STACK_DEPTH][4];
};

/* Reports that an instruction is next, and afterwards what it changed. */
void
simulate_trace_before(const struct simulate_machine *machine,
                      struct simulate_before *before);
void
simulate_trace_after(const struct simulate_machine *machine,
                     const struct simulate_before *before);

/* Reports that the steps of the vertex are used up. */
void
simulate_trace_end(const struct simulate_machine *machine);

#endif
