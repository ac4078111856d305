/* SPDX-License-Identifier: MIT
 *
 * The generator of random modules: it holds the values that can be seen, and
 * appends one statement after the other.
 */
#include "random_lir.h"

#include <assert.h>
#include <string.h>

#include "lir/builder.h"

enum {
   MAX_VALUES = 1024,
   MAX_DEPTH = 5,
   MAX_LOOPS = 2, /* in each other, in one function */
   NUM_VARS = 9,  /* of each type: B1, B32, B64 */
   NUM_ARRAY_WORDS = 4,
   MAX_CALLED = 2,
   MAX_SLOTS = 3, /* parameters of a function, and results */
};

struct seen {
   lir_value value;
   bool any_nan; /* may be a NaN, and nobody knows which */
};

struct generator {
   struct lir_builder b;
   uint64_t random;
   struct seen seen[LIR_TYPE_B64 + 1][MAX_VALUES];
   uint32_t num_seen[LIR_TYPE_B64 + 1];
   uint32_t depth; /* constructs that are open */
   uint32_t num_loops;
   uint32_t first_var; /* NUM_VARS of them */
   uint32_t array;
   uint32_t num_functions;
   int32_t budget; /* statements to go in this function */
};

uint32_t
random_next(uint64_t *state)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)(z >> 32);
}

static uint32_t
below(struct generator *g, uint32_t bound)
{
   return random_next(&g->random) % bound;
}

static bool
one_in(struct generator *g, uint32_t n)
{
   return below(g, n) == 0;
}

/* ---- NaN ----------------------------------------------------------------- */

static const char *const expressions[LIR_NUM_OPS] = {
#define LIR_ALU1(name, r, a, expression, title) [LIR_OP_##name] = #expression,
#define LIR_ALU2(name, r, a, b, expression, title)                             \
   [LIR_OP_##name] = #expression,
#define LIR_ALU3(name, r, a, b, c, expression, title)                          \
   [LIR_OP_##name] = #expression,
#include "lir/ops.def"
};

/* Operations to which all NaNs are the same although they read bits. */
static bool
treats_nans_alike(enum lir_op op)
{
   static const enum lir_op ops[] = {
      LIR_OP_fneg,  LIR_OP_fabs,  LIR_OP_dneg, LIR_OP_dabs,
      LIR_OP_sel32, LIR_OP_sel64, LIR_OP_f2h,
   };

   for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
      if (ops[i] == op)
         return true;
   }
   return false;
}

static bool
takes_any_nan(enum lir_op op, unsigned operand)
{
   const char as_float[] = {'f', '(', (char)('a' + operand), ')', '\0'};
   const char as_double[] = {'d', '(', (char)('a' + operand), ')', '\0'};

   return treats_nans_alike(op) || strstr(expressions[op], as_float) ||
          strstr(expressions[op], as_double);
}

/* A machine that converts halves makes other NaNs of them than the expression.
 */
static bool
makes_nan(enum lir_op op)
{
   const char *expression = expressions[op];

   return op == LIR_OP_h2f || ((expression[0] == 'F' || expression[0] == 'D') &&
                               expression[1] == '(');
}

/* One certain NaN for all of them. */
static lir_value
make_nan_known(struct generator *g, enum lir_type type, lir_value value)
{
   if (type == LIR_TYPE_B32) {
      lir_value is_nan = lir_fne(&g->b, value, value);
      lir_value nan = lir_const32(&g->b, 0x7fc00000);
      return lir_sel32(&g->b, is_nan, nan, value);
   }
   lir_value is_nan = lir_dne(&g->b, value, value);
   lir_value nan = lir_const64(&g->b, UINT64_C(0x7ff8000000000000));
   return lir_sel64(&g->b, is_nan, nan, value);
}

/* ---- values -------------------------------------------------------------- */

static void
remember(struct generator *g, enum lir_type type, lir_value value, bool any_nan)
{
   uint32_t *num_seen = &g->num_seen[type];

   if (*num_seen < MAX_VALUES)
      g->seen[type][(*num_seen)++] = (struct seen){value, any_nan};
}

static uint64_t
random_bits(struct generator *g)
{
   static const uint64_t special[] = {
      0,
      1,
      UINT32_MAX,
      UINT64_MAX,
      0x80000000,
      0x7fffffff,
      31,
      32,
      63,
      0x3f800000,
      0xbf800000,
      0x7f800000,
      0x7fc00000,
      0x00000001,
      0x00400000,
      0x3f000000,
      0x4f000000,
      0x33800000,
      2,
      0xff800000,
      UINT64_C(0x8000000000000000),
      UINT64_C(0x3ff0000000000000),
      UINT64_C(0xbff0000000000000),
      UINT64_C(0x7ff0000000000000),
      UINT64_C(0x43e0000000000000),
      UINT64_C(0x3fe0000000000000),
   };

   if (one_in(g, 3))
      return (uint64_t)random_next(&g->random) << 32 | random_next(&g->random);
   return special[below(g, sizeof(special) / sizeof(special[0]))];
}

static lir_value
random_constant(struct generator *g, enum lir_type type)
{
   uint64_t bits = random_bits(g);
   lir_value value;

   if (type == LIR_TYPE_B1)
      value = lir_const1(&g->b, bits & 1);
   else if (type == LIR_TYPE_B32)
      value = lir_const32(&g->b, (uint32_t)bits);
   else
      value = lir_const64(&g->b, bits);
   remember(g, type, value, false);
   return value;
}

/* Mostly one of the last values, so that they come to depend on each other. */
static struct seen
random_seen(struct generator *g, enum lir_type type)
{
   uint32_t num_seen = g->num_seen[type];

   if (num_seen == 0 || one_in(g, 6))
      return (struct seen){random_constant(g, type), false};
   uint32_t back = below(g, one_in(g, 3) || num_seen < 6 ? num_seen : 6);
   return g->seen[type][num_seen - 1 - back];
}

static lir_value
random_value(struct generator *g, enum lir_type type)
{
   struct seen seen = random_seen(g, type);

   return seen.any_nan ? make_nan_known(g, type, seen.value) : seen.value;
}

/* A condition that lanes differ about, more often than not. */
static lir_value
random_condition(struct generator *g)
{
   if (one_in(g, 2))
      return random_value(g, LIR_TYPE_B1);
   lir_value lane = lir_lane(&g->b);
   lir_value mask = lir_const32(&g->b, 1u << below(g, 4));
   lir_value bits = lir_iand(&g->b, lane, mask);
   return lir_i2b(&g->b, bits);
}

/* ---- statements that compute --------------------------------------------- */

static void
compute(struct generator *g)
{
   enum lir_op op;

   do {
      op = (enum lir_op)below(g, LIR_NUM_OPS);
   } while (!expressions[op]);

   const struct lir_op_info *info = &lir_ops[op];
   lir_value operands[3] = {{0}, {0}, {0}};
   bool any_nan = makes_nan(op);
   for (unsigned i = 0; i < info->num_operands; i++) {
      enum lir_type type = (enum lir_type)info->operand_type[i];
      struct seen seen = random_seen(g, type);

      if (i > 0 && info->operand_type[0] == type && one_in(g, 8))
         seen = (struct seen){operands[0], any_nan};
      if (seen.any_nan && !takes_any_nan(op, i))
         seen = (struct seen){make_nan_known(g, type, seen.value), false};
      operands[i] = seen.value;
      any_nan |= seen.any_nan;
   }
   lir_value value = lir_build(&g->b, op, operands, 0);
   remember(g, (enum lir_type)info->type, value,
            any_nan && info->type != LIR_TYPE_B1);
}

static void
look_at_others(struct generator *g)
{
   struct seen a = random_seen(g, LIR_TYPE_B32);
   lir_value value;

   switch (below(g, 6)) {
   case 0:
      value = lir_fddx(&g->b, a.value);
      remember(g, LIR_TYPE_B32, value, true);
      break;
   case 1:
      value = lir_fddy(&g->b, a.value);
      remember(g, LIR_TYPE_B32, value, true);
      break;
   case 2:
      value = lir_ballot(&g->b, random_condition(g));
      remember(g, LIR_TYPE_B32, value, false);
      break;
   case 3:
      value = lir_read_first(&g->b, a.value);
      remember(g, LIR_TYPE_B32, value, a.any_nan);
      break;
   case 4:
      value = random_value(g, LIR_TYPE_B32);
      value = lir_read_quad(&g->b, a.value, value);
      remember(g, LIR_TYPE_B32, value, a.any_nan);
      break;
   default:
      value = random_value(g, LIR_TYPE_B32);
      value = lir_read_lane(&g->b, a.value, value);
      remember(g, LIR_TYPE_B32, value, a.any_nan);
   }
}

/* ---- statements on variables and memory ---------------------------------- */

/* In each type the last third of the variables may hold any NaN. Two words are
 * preferred, so that reads and writes meet. */
static uint32_t
random_var(struct generator *g, enum lir_type *type_out, bool *any_nan_out)
{
   uint32_t i = one_in(g, 2) ? 1 + 3 * below(g, 2) : below(g, NUM_VARS);

   *type_out = (enum lir_type)(LIR_TYPE_B1 + i % 3);
   *any_nan_out = i >= 6 && *type_out != LIR_TYPE_B1;
   return g->first_var + i;
}

static void
read_variable(struct generator *g)
{
   enum lir_type type;
   bool any_nan;
   uint32_t var = random_var(g, &type, &any_nan);

   remember(g, type, lir_getvar(&g->b, var), any_nan);
}

static void
write_variable(struct generator *g)
{
   enum lir_type type;
   bool any_nan;
   uint32_t var = random_var(g, &type, &any_nan);
   struct seen seen = random_seen(g, type);

   if (seen.any_nan && !any_nan)
      seen.value = make_nan_known(g, type, seen.value);
   lir_setvar(&g->b, var, seen.value);
}

/* What other lanes hold in a variable that may have been written here or
 * not, by all lanes or by some. */
static void
look_at_variable(struct generator *g)
{
   struct lir_builder *b = &g->b;
   lir_value value = lir_getvar(b, g->first_var + 1 + 3 * below(g, 2));
   lir_value other = one_in(g, 2) ? lir_fddx(b, value) : lir_fddy(b, value);

   other = make_nan_known(g, LIR_TYPE_B32, other);
   lir_trace(b, below(g, 100), other);
   remember(g, LIR_TYPE_B32, other, false);
}

/* Mostly within bounds: a constant, a remainder, a clamp or a mask. */
static lir_value
random_index(struct generator *g, uint32_t num_words)
{
   if (one_in(g, 2))
      return lir_const32(&g->b, below(g, num_words + 1));
   lir_value value = random_value(g, LIR_TYPE_B32);
   if (one_in(g, 3)) {
      lir_value last = lir_const32(&g->b, num_words - below(g, 2));
      return lir_umin(&g->b, value, last);
   }
   if (one_in(g, 3)) {
      lir_value mask = lir_const32(&g->b, num_words - below(g, 2));
      return lir_iand(&g->b, value, mask);
   }
   lir_value bound = lir_const32(&g->b, num_words);
   return lir_urem(&g->b, value, bound);
}

struct place {
   enum lir_space space;
   uint32_t num_words;
};

static void
load(struct generator *g)
{
   static const struct place places[] = {
      {LIR_SPACE_CONST, RANDOM_CONSTS},
      {LIR_SPACE_INPUT, RANDOM_INPUTS},
      {LIR_SPACE_OUTPUT, RANDOM_OUTPUTS},
      {LIR_SPACE_BUFFER, RANDOM_BUFFER_WORDS},
      {LIR_SPACE_ARRAY, NUM_ARRAY_WORDS},
   };
   const struct place *place = &places[below(g, 5)];
   lir_value index = random_index(g, place->num_words);
   uint32_t binding = place->space == LIR_SPACE_ARRAY ? g->array : 0;
   lir_value value = lir_load32(&g->b, place->space, binding, index);

   remember(g, LIR_TYPE_B32, value, false);
}

static void
store(struct generator *g)
{
   static const struct place places[] = {
      {LIR_SPACE_OUTPUT, RANDOM_OUTPUTS},
      {LIR_SPACE_BUFFER, RANDOM_BUFFER_WORDS},
      {LIR_SPACE_ARRAY, NUM_ARRAY_WORDS},
   };
   const struct place *place = &places[below(g, 3)];
   lir_value index = random_index(g, place->num_words);
   lir_value value = random_value(g, LIR_TYPE_B32);

   lir_store32(&g->b, place->space,
               place->space == LIR_SPACE_ARRAY ? g->array : 0, index, value);
}

/* Bytes and halfwords of the buffer, and atomic operations on its words. */
static void
change_buffer(struct generator *g)
{
   static const enum lir_op units[2][2] = {
      {LIR_OP_load8, LIR_OP_store8},
      {LIR_OP_load16, LIR_OP_store16},
   };
   unsigned kind = below(g, 4);

   if (kind < 2) {
      unsigned number = RANDOM_BUFFER_WORDS * (kind == 0 ? 4 : 2);
      lir_value index = random_index(g, number);
      lir_value value = random_value(g, LIR_TYPE_B32);

      if (one_in(g, 2)) {
         lir_store(&g->b, units[kind][1], LIR_SPACE_BUFFER, 0, index, value);
         return;
      }
      remember(g, LIR_TYPE_B32,
               lir_load(&g->b, units[kind][0], LIR_SPACE_BUFFER, 0, index),
               false);
      return;
   }
   static const enum lir_op atomics[] = {
#define LIR_ATOMIC(name, n, expression, title) LIR_OP_##name,
#include "lir/ops.def"
   };
   enum lir_op op = atomics[below(g, sizeof(atomics) / sizeof(atomics[0]))];
   if (op == LIR_OP_atomic_fadd)
      return; /* whose NaN it leaves is nobody's business */
   lir_value index = random_index(g, RANDOM_BUFFER_WORDS);
   lir_value compare = random_value(g, LIR_TYPE_B32);
   lir_value value = random_value(g, LIR_TYPE_B32);
   lir_value old =
      lir_atomic(&g->b, op, LIR_SPACE_BUFFER, 0, index, compare, value);

   remember(g, LIR_TYPE_B32, old, false);
}

static void
tell(struct generator *g)
{
   lir_value value = random_value(g, LIR_TYPE_B32);

   switch (below(g, 6)) {
   case 0: lir_emit(&g->b, value); break;
   case 1: lir_endprim(&g->b, value); break;
   case 2: lir_kill(&g->b, random_condition(g)); break;
   case 3: remember(g, LIR_TYPE_B1, lir_live(&g->b), false); break;
   default: lir_trace(&g->b, below(g, 100), value);
   }
}

/* ---- control ------------------------------------------------------------- */

/* What could be seen before a scope began. */
struct mark {
   uint32_t num_seen[LIR_TYPE_B64 + 1];
};

static struct mark
begin_scope(struct generator *g)
{
   struct mark mark;

   memcpy(mark.num_seen, g->num_seen, sizeof(mark.num_seen));
   return mark;
}

static void
end_scope(struct generator *g, const struct mark *mark)
{
   memcpy(g->num_seen, mark->num_seen, sizeof(mark->num_seen));
}

static void
statements(struct generator *g, uint32_t count);

static void
random_br(struct generator *g)
{
   /* Level 0 ends it all; not too often. */
   if (g->depth == 0 || one_in(g, 8))
      lir_br(&g->b, 0);
   else
      lir_br(&g->b, 1 + below(g, g->depth));
}

static void
random_body(struct generator *g)
{
   struct mark mark = begin_scope(g);

   statements(g, below(g, 8));
   if (one_in(g, 6))
      random_br(g);
   if (one_in(g, 12))
      statements(g, 2);
   end_scope(g, &mark);
}

static void
random_if(struct generator *g)
{
   lir_value condition = random_condition(g);

   lir_begin_if(&g->b, condition);
   g->depth++;
   if (!one_in(g, 8))
      random_body(g);
   if (one_in(g, 2)) {
      lir_begin_else(&g->b);
      if (!one_in(g, 8))
         random_body(g);
   }
   lir_end(&g->b);
   g->depth--;
}

static void
random_block(struct generator *g)
{
   lir_begin_block(&g->b);
   g->depth++;
   random_body(g);
   lir_end(&g->b);
   g->depth--;
}

static void
count_up(struct generator *g, uint32_t counter)
{
   lir_value one = lir_const32(&g->b, 1);
   lir_value count = lir_getvar(&g->b, counter);
   lir_value next = lir_iadd(&g->b, count, one);

   lir_setvar(&g->b, counter, next);
}

static void
leave_loop(struct generator *g, uint32_t counter, lir_value bound,
           uint32_t level)
{
   lir_value count = lir_getvar(&g->b, counter);
   lir_value is_done = lir_uge(&g->b, count, bound);

   lir_begin_if(&g->b, is_done);
   lir_br(&g->b, level);
   lir_end(&g->b);
   remember(g, LIR_TYPE_B32, count, false);
}

/* Each lane counts up to a bound of its own, or leaves earlier. */
static void
random_loop(struct generator *g)
{
   struct lir_builder *b = &g->b;
   uint32_t counter = lir_module_add_var(b->module, LIR_TYPE_B32, "counter");
   lir_value bound = lir_const32(b, below(g, 4));
   bool counts_first = one_in(g, 2);
   if (one_in(g, 2)) {
      lir_value lane = lir_lane(b);
      bound = lir_iand(b, lane, bound);
   }

   lir_setvar(b, counter, (lir_value){0});
   uint32_t level = lir_begin_loop(b);
   struct mark mark = begin_scope(g);
   g->depth++;
   g->num_loops++;
   if (counts_first)
      count_up(g, counter);
   leave_loop(g, counter, bound, level);
   if (!counts_first)
      count_up(g, counter);
   random_body(g);
   end_scope(g, &mark);
   lir_end(b);
   g->num_loops--;
   g->depth--;
   lir_value count = lir_getvar(b, counter);
   remember(g, LIR_TYPE_B32, count, false);
}

/* Only functions further down are called, so calls end. */
static void
random_call(struct generator *g)
{
   uint32_t num_callees = g->num_functions - 1 - g->b.function;
   lir_value args[MAX_SLOTS], results[MAX_SLOTS];

   if (num_callees == 0)
      return;
   const uint32_t callee = g->b.function + 1 + below(g, num_callees);
   const struct lir_function called = g->b.module->functions[callee];
   for (uint32_t i = 0; i < called.num_params; i++)
      args[i] = random_value(g, LIR_TYPE_B32);
   lir_call_with(&g->b, callee, args, results);
   for (uint32_t i = 0; i < called.num_results; i++)
      remember(g, LIR_TYPE_B32, results[i], false);
}

static void
set_result(struct generator *g)
{
   const uint32_t num_results =
      g->b.module->functions[g->b.function].num_results;

   if (num_results > 0)
      lir_set_result(&g->b, below(g, num_results),
                     random_value(g, LIR_TYPE_B32));
}

static void
control(struct generator *g)
{
   if (g->depth >= MAX_DEPTH) {
      random_call(g);
      return;
   }
   switch (below(g, 6)) {
   case 0:
   case 1: random_if(g); break;
   case 2: random_block(g); break;
   case 3:
      if (g->num_loops < MAX_LOOPS)
         random_loop(g);
      break;
   case 4:
      lir_begin_if(&g->b, random_condition(g));
      random_br(g);
      lir_end(&g->b);
      break;
   default: random_call(g);
   }
}

static void
statements(struct generator *g, uint32_t count)
{
   static void (*const statement[])(struct generator *) = {
      compute,        compute,          compute,       compute,
      compute,        look_at_others,   store,         load,
      write_variable, write_variable,   read_variable, read_variable,
      tell,           look_at_variable, control,       control,
      change_buffer,  set_result,
   };

   for (uint32_t i = 0; i < count && g->budget-- > 0; i++)
      statement[below(g, sizeof(statement) / sizeof(statement[0]))](g);
}

/* ---- functions ----------------------------------------------------------- */

/* The lanes that came so far show what they hold. */
static void
show_variables(struct generator *g)
{
   struct lir_builder *b = &g->b;

   for (uint32_t i = 0; i < NUM_VARS; i++) {
      enum lir_type type = (enum lir_type)(LIR_TYPE_B1 + i % 3);
      lir_value value = lir_getvar(b, g->first_var + i);
      lir_value output = lir_const32(b, i % RANDOM_OUTPUTS);

      if (type != LIR_TYPE_B1 && i >= 6)
         value = make_nan_known(g, type, value);
      if (type == LIR_TYPE_B1) {
         value = lir_b2i(b, value);
      } else if (type == LIR_TYPE_B64) {
         lir_value low = lir_lo64(b, value);
         lir_value high = lir_hi64(b, value);
         value = lir_ixor(b, low, high);
      }
      lir_value old = lir_load32(b, LIR_SPACE_OUTPUT, 0, output);
      value = lir_iadd(b, old, value);
      lir_store32(b, LIR_SPACE_OUTPUT, 0, output, value);
   }
}

static void
read_params(struct generator *g)
{
   const uint32_t num_params = g->b.module->functions[g->b.function].num_params;

   for (uint32_t i = 0; i < num_params; i++) {
      if (!one_in(g, 4))
         remember(g, LIR_TYPE_B32, lir_param(&g->b, i), false);
   }
}

static void
fill_function(struct generator *g, uint32_t function)
{
   bool in_block = one_in(g, 2);

   lir_builder_init(&g->b, g->b.module, function);
   memset(g->num_seen, 0, sizeof(g->num_seen));
   g->budget = 20 + (int32_t)below(g, 60);
   g->depth = 0;
   read_params(g);
   if (in_block) {
      lir_begin_block(&g->b);
      g->depth++;
   }
   statements(g, 10 + below(g, 30));
   if (in_block) {
      lir_end(&g->b);
      memset(g->num_seen, 0, sizeof(g->num_seen));
   }
   if (function == 0 || one_in(g, 3))
      show_variables(g);
   assert(!g->b.failed);
}

static void
add_variables(struct generator *g)
{
   for (uint32_t i = 0; i < NUM_VARS; i++) {
      uint32_t var = lir_module_add_var(
         g->b.module, (enum lir_type)(LIR_TYPE_B1 + i % 3), "var");

      if (i == 0)
         g->first_var = var;
   }
}

/* Of constants: none, or some words fewer than there are, or more. */
static void
declare_size(struct generator *g)
{
   const uint32_t num_words = below(g, RANDOM_CONSTS + 4);

   if (num_words > 0)
      lir_module_declare_size(g->b.module, 0, num_words);
}

void
random_lir(struct lir_module *module, uint64_t seed)
{
   static _Thread_local struct generator generator;
   struct generator *g = &generator;

   lir_module_init(module, NULL);
   *g = (struct generator){.b.module = module, .random = seed};
   g->num_functions = 1 + below(g, 1 + MAX_CALLED);
   lir_module_add_function(module, "main");
   for (uint32_t i = 1; i < g->num_functions; i++) {
      lir_module_add_function(module, "called");
      lir_set_signature(module, i, below(g, 1 + MAX_SLOTS),
                        below(g, 1 + MAX_SLOTS));
   }
   add_variables(g);
   g->array = lir_module_add_array(module, NUM_ARRAY_WORDS, "array");
   for (uint32_t i = 0; i < g->num_functions; i++)
      fill_function(g, i);
   declare_size(g);
}
