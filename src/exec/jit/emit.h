/* SPDX-License-Identifier: MIT
 *
 * The LLVM IR emitter: writes a LIR module as one function, its calls inlined.
 *
 * A value that is uniform is a scalar, any other a vector of 16 lanes; truth
 * values are i1, words i32, pairs i64. Variables and masks live in allocas of
 * the entry block, which LLVM makes values of. Control flow with divergence is
 * a mask of active lanes, tested where it may have become empty; where all
 * launched lanes are known to be active it is plain branches.
 */
#ifndef TG_EXEC_JIT_EMIT_H
#define TG_EXEC_JIT_EMIT_H

#include "exec/jit/frame.h"
#include "exec/jit/llvm.h"
#include "exec/jit/shape.h"
#include "lir/range.h"
#include "util/arena.h"

/* Bounds; what is larger is left to the interpreter. */
enum {
   JIT_MAX_INSTS = 1 << 12, /* emitted, callees counted at each call: LLVM's
                             * time grows with the square; it is about 1 s */
   JIT_MAX_DEPTH = 16,      /* calls in each other */
};

/* A binding of a uniform space, as the code has it. */
struct jit_binding {
   struct jit_place place;
   LLVMValueRef data, num_bytes, num_words;
};

/* A construct that is open. */
struct jit_level {
   uint16_t op;             /* LIR_OP_block, _if, _loop; _call for a function */
   bool is_plain_if;        /* its condition is uniform */
   bool in_then;            /* no else has come yet */
   bool was_full;           /* all launched lanes entered */
   bool is_lossy;           /* lanes that are not all leave it by br */
   bool stays_full;         /* of a loop: its lanes leave it together */
   LLVMBasicBlockRef top;   /* of a loop */
   LLVMBasicBlockRef other; /* the else arm, or where it would be */
   LLVMBasicBlockRef end;   /* where lanes arrive that reach the end */
   LLVMBasicBlockRef exit;  /* where remembered lanes go on */
   LLVMValueRef remembered; /* allocas of masks */
   LLVMValueRef otherwise;
   LLVMValueRef active_mask; /* before it */
   LLVMValueRef turn; /* of a loop: alloca of i32, if there are barriers */
};

/* A function that is being emitted. */
struct jit_scope {
   const struct lir_function *function;
   struct jit_scope *caller; /* or NULL */
   LLVMValueRef *values;     /* by instruction; NULL: not emitted yet */
   const struct lir_range *ranges;
   bool *is_invariant;       /* the same: it is the same for all waves, */
   bool *is_hoisted;         /* and has been computed before the first */
   struct jit_level *levels; /* [0] is the function itself */
   uint32_t level;
   uint32_t at; /* the instruction at hand */

   /* If there are barriers: values that are used after one, and their allocas,
    * once they have them. */
   bool *is_kept;
   LLVMValueRef *places;
};

/* What of the body runs a wave ahead, see ahead.c. */
struct jit_ahead {
   uint32_t end;   /* the instruction after the last that does; 0: none does */
   bool *is_ahead; /* by instruction */
   LLVMValueRef *next, *current; /* allocas of values, by instruction */
   LLVMValueRef *next_vars;      /* those of variables */
   LLVMValueRef steps;           /* of all waves; while it is emitted it has */
   LLVMValueRef next_steps, current_steps; /* its own */
   LLVMValueRef is_next; /* is there a wave after this one? */
   LLVMBasicBlockRef joined, rotate;
};

struct jit_emitter {
   const struct lir_module *module;
   struct tg_arena arena;
   const struct jit_shape *shape;
   bool has_half;   /* jit_target_has_half(), */
   bool has_avx2;   /* jit_target_has_avx2(), */
   bool has_avx512; /* and so on */
   bool has_scatter;
   const char *tuning; /* jit_target_tuning() */

   LLVMContextRef context;
   LLVMModuleRef llvm;
   LLVMBuilderRef b;
   LLVMValueRef function;
   struct jit_lines *lines; /* its line table, or NULL */
   LLVMBasicBlockRef entry; /* allocas */
   LLVMBasicBlockRef start; /* what all waves have in common */
   LLVMBasicBlockRef round; /* where a round begins */
   LLVMBasicBlockRef wave;  /* where a wave begins */
   LLVMBasicBlockRef next;  /* where the next round begins, if any */
   LLVMBasicBlockRef done;  /* where all have ended */
   LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, pointer;
   LLVMTypeRef mask, words, pairs; /* vectors of i1, i32, i64 */

   struct jit_binding bindings[JIT_MAX_MEMORIES];
   LLVMValueRef frame;
   LLVMValueRef number; /* alloca of i32: the round's */
   LLVMValueRef num_rounds;
   LLVMValueRef place;         /* points to the round's struct exec_round */
   LLVMValueRef num_more;      /* alloca of i32: waves of it after this one */
   LLVMValueRef num_live;      /* alloca of i32: of those before it */
   LLVMValueRef has_next;      /* alloca of i1: a wave is still to begin; */
   LLVMValueRef has_current;   /* and of one the rest is still to run */
   struct jit_ahead ahead;
   LLVMValueRef launched;      /* a mask */
   LLVMValueRef active;        /* alloca of a mask */
   LLVMValueRef active_mask;   /* what it holds here, if that is known */
   LLVMValueRef live;          /* alloca of i16: a bit for each lane */
   LLVMValueRef budget, steps; /* allocas of i64 */
   LLVMValueRef *vars;         /* allocas */
   bool *var_is_scalar;
   LLVMValueRef lane_data[4], lane_words[4]; /* by space since INPUT */
   uint32_t *first_array_word;               /* by array */
   LLVMValueRef lane_numbers;
   LLVMValueRef row; /* alloca: words, for read_lane */

   struct lir_range **ranges; /* by function and number */
   /* Of what is computed: */
   const struct lir_range *operand_range[3];
   const struct lir_inst *operand_inst[3];

   LLVMBasicBlockRef stop;   /* where waves stop at barriers, */
   LLVMBasicBlockRef resume; /* and go on, */
   LLVMBasicBlockRef begin;  /* or begin */
   struct jit_stop *stops;
   uint32_t num_stops, stops_capacity;
   LLVMValueRef kept_memory; /* the round's */
   struct jit_kept *kept;
   uint32_t num_kept, kept_capacity;
   uint32_t kept_bytes;  /* that are taken, */
   uint32_t scalars_end; /* and of the last row of scalars */

   struct jit_scope *scope;
   bool is_full; /* all launched lanes are active here */
   bool is_dead; /* nothing comes here: after a br */
   uint32_t depth;
   uint32_t num_insts;    /* emitted */
   uint32_t uncounted;    /* of them, since the last branch */
   enum tg_result result; /* TG_ERROR_LIMIT: too large; TG_ERROR_MEMORY */
};

/* Has the module nothing that is not emitted, as the clock? */
bool
jit_can_emit(const struct lir_module *module);

/* Writes the function `name` into the LLVM module of an emitter that has been
 * given its module, shape and context. TG_ERROR_LIMIT when it is too large;
 * TG_ERROR_MEMORY. */
enum tg_result
jit_emit(struct jit_emitter *e, const char *name);

/* ---- for the files of the emitter ---------------------------------------- */

/* build.c */
bool
jit_is_vector(LLVMValueRef value);
LLVMTypeRef
jit_shaped(const struct jit_emitter *e, LLVMValueRef like, LLVMTypeRef element);
LLVMValueRef
jit_integer(const struct jit_emitter *e, LLVMValueRef like, uint64_t value);
LLVMValueRef
jit_constant(const struct jit_emitter *e, LLVMTypeRef type, uint64_t value);
LLVMValueRef
jit_splat(struct jit_emitter *e, LLVMValueRef value);
/* Constants of 32 bits, `count` of them, up to LIR_LANES. */
LLVMValueRef
jit_constant_lanes(struct jit_emitter *e, const uint32_t *lanes,
                   unsigned count);
LLVMValueRef
jit_word_of_lane(struct jit_emitter *e, LLVMValueRef words, unsigned lane);
LLVMValueRef
jit_intrinsic(struct jit_emitter *e, const char *name, LLVMTypeRef *overloads,
              unsigned num_overloads, LLVMValueRef *arguments,
              unsigned num_arguments);
LLVMValueRef
jit_alloca(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef first);
LLVMBasicBlockRef
jit_block(struct jit_emitter *e, const char *name);
/* Puts the block after the one that is being written, and goes on in it. */
void
jit_enter_block(struct jit_emitter *e, LLVMBasicBlockRef block);
LLVMValueRef
jit_call_helper(struct jit_emitter *e, enum jit_helper helper);

/* fields.c */
LLVMValueRef
jit_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset);
LLVMValueRef
jit_field_pointer(struct jit_emitter *e, size_t offset);
void
jit_set_field(struct jit_emitter *e, size_t offset, LLVMValueRef value);

/* masks.c */
LLVMValueRef
jit_bits_of_mask(struct jit_emitter *e, LLVMValueRef mask);
bool
jit_is_of_lanes(const struct jit_emitter *e, LLVMValueRef mask);
LLVMValueRef
jit_lanes_of_mask(struct jit_emitter *e, LLVMValueRef mask);
LLVMValueRef
jit_mask_of_lanes(struct jit_emitter *e, LLVMValueRef lanes);
LLVMValueRef
jit_all(struct jit_emitter *e, LLVMValueRef mask);

/* either.c */
enum { JIT_MAX_RESULTS = 12 };

struct jit_either {
   LLVMBasicBlockRef other, after;
   LLVMValueRef result[JIT_MAX_RESULTS]; /* allocas */
};

LLVMValueRef
jit_mostly(struct jit_emitter *e, LLVMValueRef condition);
struct jit_either
jit_either(struct jit_emitter *e, LLVMValueRef condition);
void
jit_or_else(struct jit_emitter *e, struct jit_either *either,
            const LLVMValueRef *values, unsigned count);
void
jit_after_either(struct jit_emitter *e, const struct jit_either *either,
                 LLVMValueRef *values, unsigned count);

/* alu.c: operations that compute, on operands of one shape */
typedef LLVMValueRef (*jit_alu)(struct jit_emitter *e,
                                const LLVMValueRef *operand);
extern const jit_alu jit_alus[LIR_NUM_OPS];

/* The others take the instruction; what has no result returns NULL. */
typedef LLVMValueRef (*jit_action)(struct jit_emitter *e,
                                   const struct lir_inst *inst);
extern const jit_action jit_actions[LIR_NUM_OPS];

/* An operand as it is, as a vector, and as 16 words in the frame's call. */
LLVMValueRef
jit_operand(const struct jit_emitter *e, const struct lir_inst *inst,
            unsigned index);
LLVMValueRef
jit_vector_operand(struct jit_emitter *e, const struct lir_inst *inst,
                   unsigned index);
/* The active lanes. */
LLVMValueRef
jit_active(struct jit_emitter *e);

#define JIT_DECLARE(name)                                                      \
   LLVMValueRef jit_emit_##name(struct jit_emitter *e,                         \
                                const struct lir_inst *inst);
/* control.c */
JIT_DECLARE(block)
JIT_DECLARE(if)
JIT_DECLARE(else)
JIT_DECLARE(loop)
JIT_DECLARE(end)
JIT_DECLARE(br)
JIT_DECLARE(call)
/* Counts the instructions since the last branch as run. */
void
jit_control_count_steps(struct jit_emitter *e);
void
jit_control_emit_function(struct jit_emitter *e, uint32_t function);
void
jit_control_emit_value(struct jit_emitter *e, uint32_t index);
/* rounds.c: what comes before the body of a wave, and after it; how it ends
 * with a fault. */
void
jit_begin_round_waves(struct jit_emitter *e);
void
jit_end_round_waves(struct jit_emitter *e);
/* To the next wave of the round, if any: see exec_advance_round(). */
void
jit_advance_wave(struct jit_emitter *e, LLVMBasicBlockRef next);
/* ahead.c */
/* Finds what of the entry function runs ahead. */
void
jit_find_ahead(struct jit_emitter *e);
/* Before and after it is emitted. */
void
jit_begin_ahead(struct jit_emitter *e);
void
jit_end_ahead(struct jit_emitter *e);
/* After the rest of a wave: the next one is the one at hand. */
void
jit_rotate_waves(struct jit_emitter *e);
void
jit_leave_round_wave(struct jit_emitter *e, enum jit_end how);
/* Ends a wave at a barrier. */
void
jit_stop_round_wave(struct jit_emitter *e);
LLVMValueRef
jit_round_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset);
void
jit_set_round_field(struct jit_emitter *e, size_t offset, LLVMValueRef value);
/* Emits an instruction, out of the loop over waves if it can be. */
void
jit_emit_or_hoist(struct jit_emitter *e, uint32_t index);
/* memory.c */
JIT_DECLARE(load)
JIT_DECLARE(store)
JIT_DECLARE(memsize)
JIT_DECLARE(fence)
/* bindings.c */
struct jit_binding *
jit_find_binding(struct jit_emitter *e, uint64_t mem);
void
jit_emit_bindings(struct jit_emitter *e);
/* units.c */
LLVMValueRef
jit_is_inside(struct jit_emitter *e, LLVMValueRef index, LLVMValueRef count);
void
jit_split_indices(struct jit_emitter *e, LLVMValueRef index,
                  LLVMValueRef scalars[LIR_LANES]);
LLVMValueRef
jit_at(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef data,
       LLVMValueRef index);
LLVMValueRef
jit_load(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef pointer,
         unsigned alignment);
/* Loads in all lanes, from where there is memory. */
LLVMValueRef
jit_gather(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef pointers,
           unsigned alignment);
/* The same where `inside`; 0 elsewhere. */
LLVMValueRef
jit_gather_inside(struct jit_emitter *e, LLVMTypeRef unit,
                  LLVMValueRef pointers, LLVMValueRef inside);
/* Loads a word and the one after it, in all lanes: one gather of 64 bits. */
void
jit_gather_pairs(struct jit_emitter *e, LLVMValueRef pointers,
                 LLVMValueRef *first_out, LLVMValueRef *second_out);
/* An index where `inside`, and 0 elsewhere. */
LLVMValueRef
jit_safe_index(struct jit_emitter *e, LLVMValueRef index, LLVMValueRef inside);
/* Are scatters of these units instructions, and fast? */
bool
jit_has_scatter(const struct jit_emitter *e, LLVMTypeRef unit);
/* Stores in active lanes where `inside`. */
void
jit_scatter_inside(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                   LLVMValueRef data, LLVMValueRef index, LLVMValueRef inside);
LLVMValueRef
jit_count_units(struct jit_emitter *e, LLVMTypeRef unit,
                const struct jit_binding *binding);
LLVMValueRef
jit_gather_units(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, LLVMValueRef index);
/* The same, lane by lane. */
LLVMValueRef
jit_load_units(struct jit_emitter *e, LLVMTypeRef unit,
               const struct jit_binding *binding, LLVMValueRef index);
/* At an index that is a scalar. */
LLVMValueRef
jit_load_unit(struct jit_emitter *e, LLVMTypeRef unit,
              const struct jit_binding *binding, LLVMValueRef index);
/* Do all lanes look at the same unit, the first's? */
LLVMValueRef
jit_agree(struct jit_emitter *e, LLVMValueRef index, LLVMValueRef *first_out);
void
jit_scatter_units(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                  const struct jit_binding *binding, LLVMValueRef index);
/* atomic.c */
JIT_DECLARE(atomic)
/* block.c */
LLVMValueRef
jit_load_surface(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, LLVMValueRef index);
void
jit_store_surface(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                  const struct jit_binding *binding, LLVMValueRef index);
/* row.c */
/* Lanes of two vectors from `first` on, `count` of them. */
LLVMValueRef
jit_take_lanes(struct jit_emitter *e, LLVMValueRef low, LLVMValueRef high,
               unsigned first, unsigned count);
/* Does each group of `size` lanes look at units next to each other, all of them
 * inside of the bounds? */
LLVMValueRef
jit_are_groups(struct jit_emitter *e, LLVMTypeRef unit,
               const struct jit_binding *binding, LLVMValueRef index,
               unsigned size);
/* Where the group looks that begins with a lane. */
LLVMValueRef
jit_group_pointer(struct jit_emitter *e, LLVMTypeRef unit,
                  const struct jit_binding *binding, LLVMValueRef index,
                  unsigned lane);
LLVMValueRef
jit_load_groups(struct jit_emitter *e, LLVMTypeRef unit,
                const struct jit_binding *binding, LLVMValueRef index,
                unsigned size);
/* In all lanes, the lowest first. */
void
jit_store_groups(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                 const struct jit_binding *binding, LLVMValueRef index,
                 unsigned size);
/* The first of sixteen units next to each other that lanes look at, all of them
 * inside of the bounds, and whether they do. */
struct jit_row {
   LLVMValueRef pointer;
   LLVMValueRef is_there;
};
struct jit_row
jit_find_row(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index);
LLVMValueRef
jit_load_row(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index);
void
jit_store_row(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
              const struct jit_binding *binding, LLVMValueRef index);
/* tile.c */
LLVMValueRef
jit_load_tile(struct jit_emitter *e, LLVMTypeRef unit,
              const struct jit_binding *binding, LLVMValueRef index);
void
jit_store_tile(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
               const struct jit_binding *binding, LLVMValueRef index);

/* loads.c: a cluster of loads. */
struct jit_loads {
   uint32_t inst[JIT_MAX_RESULTS];
   LLVMValueRef index[JIT_MAX_RESULTS]; /* vectors */
   unsigned count;
};
/* A load, and at most so many with it of the same kind that come after it, up
 * to an effect. */
void
jit_find_loads(struct jit_emitter *e, const struct lir_inst *inst,
               unsigned most, struct jit_loads *loads);
/* Has all of them the results, and gives that of the first. */
LLVMValueRef
jit_give_loads(struct jit_emitter *e, const struct jit_loads *loads,
               const LLVMValueRef *results);
/* lookup.c: the result of a load that is inside, after which those of others
 * are there, too. */
LLVMValueRef
jit_look_up(struct jit_emitter *e, const struct jit_binding *binding,
            const struct lir_inst *inst);
/* runs.c */
LLVMValueRef
jit_load_run(struct jit_emitter *e, const struct jit_binding *binding,
             const struct lir_inst *inst);
/* stops.c */
JIT_DECLARE(barrier)
/* Where what waves stop at leads when they go on; that one has ended and does
 * not wait; and what a scope keeps. */
void
jit_find_memory_kept_at_stops(struct jit_emitter *e);
void
jit_begin_stops(struct jit_emitter *e);
void
jit_end_stops(struct jit_emitter *e);
void
jit_end_waits_at_stops(struct jit_emitter *e);
bool
jit_find_kept_at_stops(struct jit_emitter *e, struct jit_scope *scope);
void
jit_keep_value_at_stop(struct jit_emitter *e, uint32_t index);
/* An alloca whose value outlives stops. */
LLVMValueRef
jit_keep_at_stop(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef first);
/* texture.c */
LLVMValueRef
jit_load_texture(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding,
                 const struct lir_inst *inst);
/* wave.c */
JIT_DECLARE(constant)
JIT_DECLARE(lane)
JIT_DECLARE(getvar)
JIT_DECLARE(setvar)
JIT_DECLARE(fddx)
JIT_DECLARE(fddy)
JIT_DECLARE(read_quad)
JIT_DECLARE(ballot)
JIT_DECLARE(read_first)
JIT_DECLARE(read_lane)
JIT_DECLARE(live)
JIT_DECLARE(kill)
JIT_DECLARE(trace)
JIT_DECLARE(emit)
JIT_DECLARE(endprim)
#undef JIT_DECLARE

#endif
