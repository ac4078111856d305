/* SPDX-License-Identifier: MIT
 *
 * Interval analysis: a walk over the instructions in their order, with a
 * transfer function for each operation that is worth one; of the others
 * everything is possible.
 * Variables hold zero or what is written to them anywhere, by a first walk that
 * knows nothing of variables.
 *
 * Rounding to nearest is monotonic: the rounded results of the ends of an
 * interval bound the rounded results of all that is between.
 */
#include "lir/range.h"

#include <math.h>

#include "lir/eval.h"

/* ---- ranges -------------------------------------------------------------- */

static const struct lir_range anything = {
   .low = -INFINITY,
   .high = INFINITY,
   .may_be_nan = true,
   .may_be_minus_zero = true,
   .least = 0,
   .most = UINT32_MAX,
};

/* Ends that are 0 have no sign: what may_be_minus_zero says holds for zeros. As
 * integers, floats without a sign are in the order of their values. */
static struct lir_range
of_floats(float low, float high, bool may_be_nan, bool may_be_minus_zero)
{
   struct lir_range range = anything;

   range.low = low + 0.0f;
   range.high = high + 0.0f;
   range.may_be_nan = may_be_nan;
   range.may_be_minus_zero = may_be_minus_zero;
   if (low >= 0 && low <= high && !may_be_nan && !may_be_minus_zero) {
      range.least = F(range.low);
      range.most = F(range.high);
   }
   return range;
}

/* Of integers that 2^32 was added to or subtracted from, perhaps. */
static struct lir_range
of_integers(int64_t least, int64_t most)
{
   const int64_t turn = INT64_C(1) << 32;
   const int64_t shift = most > UINT32_MAX   ? -turn
                         : least < INT32_MIN ? turn
                                             : 0;
   struct lir_range range = anything;

   least += shift;
   most += shift;
   if (least < INT32_MIN || most > UINT32_MAX || most - least > UINT32_MAX)
      return anything;
   range.least = least;
   range.most = most;
   if (least >= 0 && most <= F(INFINITY)) {
      range.low = f((uint32_t)least);
      range.high = f((uint32_t)most);
      range.may_be_nan = range.may_be_minus_zero = false;
   }
   return range;
}

static struct lir_range
of_constant(uint32_t bits)
{
   const float x = f(bits);
   struct lir_range range = isnan(x)
                               ? of_floats(INFINITY, -INFINITY, true, false)
                               : of_floats(x, x, false, bits == F(-0.0f));

   range.least = range.most = bits;
   return range;
}

/* One of two. */
static struct lir_range
join(const struct lir_range *a, const struct lir_range *b)
{
   return (struct lir_range){
      .low = fminf(a->low, b->low),
      .high = fmaxf(a->high, b->high),
      .may_be_nan = a->may_be_nan || b->may_be_nan,
      .may_be_minus_zero = a->may_be_minus_zero || b->may_be_minus_zero,
      .least = a->least < b->least ? a->least : b->least,
      .most = a->most > b->most ? a->most : b->most,
   };
}

struct lir_range
lir_range_unsigned(const struct lir_range *range)
{
   const int64_t turn = INT64_C(1) << 32;
   struct lir_range result = *range;

   if (range->most < 0) {
      result.least += turn;
      result.most += turn;
   } else if (range->least < 0) {
      result.least = 0;
      result.most = UINT32_MAX;
   }
   return result;
}

struct lir_range
lir_range_signed(const struct lir_range *range)
{
   const int64_t turn = INT64_C(1) << 32;
   struct lir_range result = *range;

   if (range->least > INT32_MAX) {
      result.least -= turn;
      result.most -= turn;
   } else if (range->most > INT32_MAX) {
      result.least = INT32_MIN;
      result.most = INT32_MAX;
   }
   return result;
}

static bool
may_be_zero(const struct lir_range *range)
{
   return range->low <= 0 && range->high >= 0;
}

static bool
may_be_infinite(const struct lir_range *range)
{
   return range->low == -INFINITY || range->high == INFINITY;
}

static bool
is_finite(const struct lir_range *range)
{
   return !range->may_be_nan && !may_be_infinite(range);
}

/* ---- operations ---------------------------------------------------------- */

/* An instruction with the ranges of its operands. */
struct operation {
   const struct lir_inst *insts; /* of the function */
   const struct lir_inst *inst;
   struct lir_range a, b, c;
};

#define RANGE(name)                                                            \
   static struct lir_range range_##name(const struct operation *o)

/* The least and the greatest of the numbers among some floats; of zeros that
 * with a sign is the lesser. */
struct bounds {
   float low, high;
};

static void
take_in(struct bounds *bounds, float x)
{
   if (x < bounds->low || (x == bounds->low && signbit(x)))
      bounds->low = x;
   if (x > bounds->high)
      bounds->high = x;
}

static const struct bounds empty = {INFINITY, -INFINITY};

/* ---- floats -------------------------------------------------------------- */

static struct lir_range
add(const struct lir_range *a, const struct lir_range *b)
{
   struct bounds bounds = empty;

   take_in(&bounds, a->low + b->low);
   take_in(&bounds, a->high + b->high);
   return of_floats(bounds.low, bounds.high,
                    a->may_be_nan || b->may_be_nan ||
                       (may_be_infinite(a) && may_be_infinite(b)),
                    a->may_be_minus_zero && b->may_be_minus_zero);
}

static struct lir_range
negate(const struct lir_range *a)
{
   return of_floats(-a->high, -a->low, a->may_be_nan, may_be_zero(a));
}

RANGE(fadd)
{
   return add(&o->a, &o->b);
}

/* What is above the floor of a number, which rounding may make 1. */
static bool
is_fraction(const struct operation *o)
{
   const struct lir_inst *floor = &o->insts[o->inst->operand[1].index];

   return floor->op == LIR_OP_ffloor &&
          floor->operand[0].index == o->inst->operand[0].index;
}

RANGE(fsub)
{
   const struct lir_range negated = negate(&o->b);

   if (is_fraction(o))
      return of_floats(0, 1, !is_finite(&o->a), false);
   if (o->inst->operand[0].index == o->inst->operand[1].index)
      return of_floats(0, 0, !is_finite(&o->a), false);
   return add(&o->a, &negated);
}

/* a * b + c, where -0 comes of a negative number that rounds to it, or of a -0
 * in c. `c` is NULL where nothing is added. */
static struct lir_range
multiply(const struct lir_range *a, const struct lir_range *b,
         const struct lir_range *c)
{
   const float x[] = {a->low, a->high}, y[] = {b->low, b->high};
   const bool is_undefined = (may_be_infinite(a) && may_be_zero(b)) ||
                             (may_be_zero(a) && may_be_infinite(b));
   const bool is_infinite = may_be_infinite(a) || may_be_infinite(b);
   struct bounds bounds = empty;

   for (unsigned i = 0; i < 4; i++) {
      const float p = x[i & 1], q = y[i >> 1];

      take_in(&bounds, c ? lir_fmaf(p, q, c->low) : p * q);
      take_in(&bounds, c ? lir_fmaf(p, q, c->high) : p * q);
   }
   /* The ends are infinity and zero, but not what is between. */
   if (is_undefined) {
      take_in(&bounds, c ? c->low : -0.0f);
      take_in(&bounds, c ? c->high : 0.0f);
   }
   return of_floats(
      bounds.low, bounds.high,
      a->may_be_nan || b->may_be_nan || is_undefined ||
         (c && (c->may_be_nan || (is_infinite && may_be_infinite(c)))),
      signbit(bounds.low) ||
         (c ? c->may_be_minus_zero
            : a->may_be_minus_zero || b->may_be_minus_zero));
}

RANGE(fmul)
{
   return multiply(&o->a, &o->b, NULL);
}

/* x * high + x * low with the reciprocal of a number as the sum of two floats,
 * which grows with x: see lower/fixed_function/channel.c. */
static bool
is_quotient(const struct operation *o)
{
   const struct lir_inst *rest = &o->insts[o->inst->operand[2].index];

   if (rest->op != LIR_OP_fmul ||
       rest->operand[0].index != o->inst->operand[0].index)
      return false;
   const struct lir_inst *high = &o->insts[o->inst->operand[1].index];
   const struct lir_inst *low = &o->insts[rest->operand[1].index];
   return high->op == LIR_OP_const32 && low->op == LIR_OP_const32 &&
          f((uint32_t)high->imm) >= 0x1p-40f &&
          f((uint32_t)high->imm) <= 1.0f &&
          fabsf(f((uint32_t)low->imm)) <= f((uint32_t)high->imm) * 0x1p-20f &&
          lir_range_is_within(&o->a, 0.0f, 0x1p40f);
}

static float
quotient(const struct operation *o, float x)
{
   const struct lir_inst *rest = &o->insts[o->inst->operand[2].index];
   const float high = o->b.low;
   const float low = f((uint32_t)o->insts[rest->operand[1].index].imm);

   return lir_fmaf(x, high, x * low);
}

RANGE(ffma)
{
   if (is_quotient(o))
      return of_floats(o->a.low < 1 ? 0 : quotient(o, o->a.low),
                       quotient(o, o->a.high < 1 ? 1 : o->a.high), false,
                       false);
   return multiply(&o->a, &o->b, &o->c);
}

/* Between numbers that are not negative and for a weight from 0 to 1 it is
 * nearly between them: a + (b - a) with both roundings is at most half of the
 * last place beyond the greatest, which to even stays itself. */
RANGE(flerp)
{
   const struct lir_range difference = negate(&o->a);
   const struct lir_range step = add(&o->b, &difference);
   const float most = fmaxf(o->a.high, o->b.high);

   if (!lir_range_is_within(&o->a, 0, 0x1p120f) ||
       !lir_range_is_within(&o->b, 0, 0x1p120f) || o->c.may_be_nan ||
       o->c.low < 0 || o->c.high > 1)
      return multiply(&step, &o->c, &o->a);
   return of_floats(0, F(most) & 1 ? nextafterf(most, INFINITY) : most, false,
                    false);
}

static float
saturate(float x)
{
   return x > 0 ? fminf(x, 1) : 0;
}

RANGE(fsat)
{
   const float low = o->a.may_be_nan ? 0 : saturate(o->a.low);

   return of_floats(low, fmaxf(saturate(o->a.high), low), false, false);
}

RANGE(fsqrt)
{
   return of_floats(sqrtf(fmaxf(o->a.low, 0)), sqrtf(fmaxf(o->a.high, 0)),
                    o->a.may_be_nan || o->a.low < 0, o->a.may_be_minus_zero);
}

RANGE(fneg)
{
   return negate(&o->a);
}

RANGE(fabs)
{
   const float low = fabsf(o->a.low), high = fabsf(o->a.high);

   return of_floats(may_be_zero(&o->a) ? 0 : fminf(low, high), fmaxf(low, high),
                    o->a.may_be_nan, false);
}

static bool
is_above_minus_zero(const struct lir_range *range)
{
   return lir_range_is_within(range, 0, INFINITY);
}

/* The second where the first is NaN. */
RANGE(fmin)
{
   return of_floats(fminf(o->a.low, o->b.low),
                    o->a.may_be_nan ? o->b.high : fminf(o->a.high, o->b.high),
                    o->b.may_be_nan,
                    o->a.may_be_minus_zero || o->b.may_be_minus_zero);
}

RANGE(fmax)
{
   return of_floats(o->a.may_be_nan ? o->b.low : fmaxf(o->a.low, o->b.low),
                    fmaxf(o->a.high, o->b.high), o->b.may_be_nan,
                    !is_above_minus_zero(&o->a) && !is_above_minus_zero(&o->b));
}

static struct lir_range
round_ends(const struct operation *o, float (*round_one)(float))
{
   return of_floats(round_one(o->a.low), round_one(o->a.high), o->a.may_be_nan,
                    o->a.may_be_minus_zero || o->a.low < 0);
}

RANGE(ffloor)
{
   return of_floats(lir_floorf(o->a.low), lir_floorf(o->a.high),
                    o->a.may_be_nan, o->a.may_be_minus_zero);
}

RANGE(fceil)
{
   return round_ends(o, lir_ceilf);
}

RANGE(ftrunc)
{
   return round_ends(o, lir_truncf);
}

RANGE(fround)
{
   return round_ends(o, lir_roundf);
}

/* ---- conversions --------------------------------------------------------- */

/* NaN gives 0. */
static struct lir_range
with_zero_of_nan(const struct operation *o, int64_t least, int64_t most)
{
   if (o->a.low > o->a.high)
      return of_constant(0);
   return of_integers(o->a.may_be_nan && least > 0 ? 0 : least,
                      o->a.may_be_nan && most < 0 ? 0 : most);
}

RANGE(f2i)
{
   return with_zero_of_nan(o, s(lir_f2i(o->a.low)), s(lir_f2i(o->a.high)));
}

RANGE(f2u)
{
   return with_zero_of_nan(o, lir_f2u(o->a.low), lir_f2u(o->a.high));
}

RANGE(i2f)
{
   const struct lir_range a = lir_range_signed(&o->a);

   return of_floats((float)a.least, (float)a.most, false, false);
}

RANGE(u2f)
{
   const struct lir_range a = lir_range_unsigned(&o->a);

   return of_floats((float)a.least, (float)a.most, false, false);
}

RANGE(bytef)
{
   (void)o;
   return of_floats(0, 255, false, false);
}

RANGE(byte)
{
   (void)o;
   return of_integers(0, UINT8_MAX);
}

RANGE(b2i)
{
   (void)o;
   return of_integers(-1, 0);
}

/* ---- integers ------------------------------------------------------------ */

RANGE(iadd)
{
   return of_integers(o->a.least + o->b.least, o->a.most + o->b.most);
}

RANGE(isub)
{
   return of_integers(o->a.least - o->b.most, o->a.most - o->b.least);
}

/* Of numbers that are not negative. */
RANGE(imul)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   const struct lir_range b = lir_range_unsigned(&o->b);
   int64_t most;

   if (__builtin_mul_overflow(a.most, b.most, &most) || most > UINT32_MAX)
      return anything;
   return of_integers(a.least * b.least, most);
}

/* By 0 it gives all ones. */
RANGE(urem)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   const struct lir_range b = lir_range_unsigned(&o->b);

   if (b.least == 0)
      return anything;
   return of_integers(0, a.most < b.most ? a.most : b.most - 1);
}

/* All ones up to the highest bit of either. */
static int64_t
ones_of(const struct lir_range *a, const struct lir_range *b)
{
   const uint32_t all = (uint32_t)(a->most | b->most);

   return all ? UINT32_MAX >> __builtin_clz(all) : 0;
}

RANGE(iand)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   const struct lir_range b = lir_range_unsigned(&o->b);

   return of_integers(0, a.most < b.most ? a.most : b.most);
}

RANGE(ior)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   const struct lir_range b = lir_range_unsigned(&o->b);

   return of_integers(a.least > b.least ? a.least : b.least, ones_of(&a, &b));
}

RANGE(ixor)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   const struct lir_range b = lir_range_unsigned(&o->b);

   return of_integers(0, ones_of(&a, &b));
}

/* By a constant; false: by anything. */
static bool
find_shift(const struct operation *o, unsigned *count_out)
{
   *count_out = (unsigned)o->b.least & 31;
   return o->b.least == o->b.most;
}

RANGE(ishl)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   unsigned count;

   if (!find_shift(o, &count) || a.most << count > UINT32_MAX)
      return anything;
   return of_integers(a.least << count, a.most << count);
}

RANGE(ushr)
{
   const struct lir_range a = lir_range_unsigned(&o->a);
   unsigned count;

   if (!find_shift(o, &count))
      return of_integers(0, a.most);
   return of_integers(a.least >> count, a.most >> count);
}

RANGE(ishr)
{
   const struct lir_range a = lir_range_signed(&o->a);
   unsigned count;

   if (!find_shift(o, &count))
      return a.least >= 0 ? of_integers(0, a.most) : anything;
   return of_integers(a.least >> count, a.most >> count);
}

static int64_t
lesser(int64_t a, int64_t b)
{
   return a < b ? a : b;
}

static int64_t
greater(int64_t a, int64_t b)
{
   return a > b ? a : b;
}

#define RANGE_EXTREME(name, view, which)                                       \
   RANGE(name)                                                                 \
   {                                                                           \
      const struct lir_range a = view(&o->a), b = view(&o->b);                 \
                                                                               \
      return of_integers(which(a.least, b.least), which(a.most, b.most));      \
   }
RANGE_EXTREME(imin, lir_range_signed, lesser)
RANGE_EXTREME(imax, lir_range_signed, greater)
RANGE_EXTREME(umin, lir_range_unsigned, lesser)
RANGE_EXTREME(umax, lir_range_unsigned, greater)

/* ---- the others ---------------------------------------------------------- */

RANGE(const32)
{
   return of_constant((uint32_t)o->inst->imm);
}

RANGE(lane)
{
   (void)o;
   return of_integers(0, LIR_LANES - 1);
}

RANGE(sel32)
{
   return join(&o->b, &o->c);
}

/* Of another lane, whose value is within the range, too. */
RANGE(read_quad)
{
   return o->a;
}

RANGE(read_first)
{
   return o->a;
}

RANGE(load8)
{
   (void)o;
   return of_integers(0, UINT8_MAX);
}

RANGE(load16)
{
   (void)o;
   return of_integers(0, UINT16_MAX);
}

typedef struct lir_range (*range_function)(const struct operation *o);

#define ROW(name) [LIR_OP_##name] = range_##name
static const range_function functions[LIR_NUM_OPS] = {
   ROW(byte),   ROW(bytef),     ROW(b2i),        ROW(const32), ROW(f2i),
   ROW(f2u),    ROW(fabs),      ROW(fadd),       ROW(fceil),   ROW(ffloor),
   ROW(ffma),   ROW(flerp),     ROW(fmax),       ROW(fmin),    ROW(fmul),
   ROW(fneg),   ROW(fround),    ROW(fsat),       ROW(fsqrt),   ROW(fsub),
   ROW(ftrunc), ROW(i2f),       ROW(iadd),       ROW(iand),    ROW(imax),
   ROW(imin),   ROW(imul),      ROW(ior),        ROW(ishl),    ROW(ishr),
   ROW(isub),   ROW(ixor),      ROW(load8),      ROW(load16),  ROW(sel32),
   ROW(lane),   ROW(u2f),       ROW(umax),       ROW(umin),    ROW(urem),
   ROW(ushr),   ROW(read_quad), ROW(read_first),
};
#undef ROW

/* ---- the walk ------------------------------------------------------------ */

struct walker {
   const struct lir_module *module;
   struct lir_range **ranges; /* by function and number */
   struct lir_range *vars;    /* what reads of each variable give */
   struct lir_range *written; /* what the walk finds that it holds */
};

static void
look_at(const struct walker *walker, uint32_t function, uint32_t index)
{
   const struct lir_inst *insts = walker->module->functions[function].insts;
   const struct lir_inst *inst = &insts[index];
   const uint8_t type = lir_op_row(inst->op)->type;
   struct lir_range *ranges = walker->ranges[function];
   struct operation o = {.insts = insts, .inst = inst};
   struct lir_range *operands[] = {&o.a, &o.b, &o.c};

   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++)
      *operands[k] = ranges[inst->operand[k].index];
   ranges[index] = type == LIR_TYPE_B32 && functions[inst->op]
                      ? functions[inst->op](&o)
                      : anything;
   if (inst->op == LIR_OP_getvar32)
      ranges[index] = walker->vars[inst->imm];
   else if (inst->op == LIR_OP_setvar32 || inst->op == LIR_OP_putvar32)
      walker->written[inst->imm] = join(&walker->written[inst->imm], &o.a);
}

static void
walk(const struct walker *walker)
{
   for (uint32_t i = 0; i < walker->module->num_vars; i++)
      walker->written[i] = of_constant(0);
   for (uint32_t i = 0; i < walker->module->num_functions; i++) {
      for (uint32_t k = 0; k < walker->module->functions[i].num_insts; k++)
         look_at(walker, i, k);
   }
}

static bool
init(struct walker *walker, struct tg_arena *arena)
{
   const struct lir_module *module = walker->module;

   walker->vars =
      tg_arena_array(arena, module->num_vars, sizeof(*walker->vars));
   walker->written =
      tg_arena_array(arena, module->num_vars, sizeof(*walker->written));
   walker->ranges =
      tg_arena_array(arena, module->num_functions, sizeof(*walker->ranges));
   if (!walker->vars || !walker->written || !walker->ranges)
      return false;
   for (uint32_t i = 0; i < module->num_vars; i++)
      walker->vars[i] = anything;
   for (uint32_t i = 0; i < module->num_functions; i++) {
      walker->ranges[i] = tg_arena_array(arena, module->functions[i].num_insts,
                                         sizeof(**walker->ranges));
      if (!walker->ranges[i])
         return false;
   }
   return true;
}

struct lir_range **
lir_find_ranges(const struct lir_module *module, struct tg_arena *arena)
{
   struct walker walker = {.module = module};

   if (!init(&walker, arena))
      return NULL;
   walk(&walker);
   struct lir_range *found = walker.written;
   walker.written = walker.vars;
   walker.vars = found;
   walk(&walker);
   return walker.ranges;
}
