/* SPDX-License-Identifier: MIT
 *
 * Interval arithmetic: see kinds_bounds.h.
 */
#include "tegra/select/kinds_bounds.h"

#include <math.h>

typedef struct kinds_range range;

static const range nothing = {0, 0};
static const range everything = {-INFINITY, INFINITY};

/* ---- parts --------------------------------------------------------------- */

range
bounds_hull(range a, range b)
{
   return (range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static range
negated(range a)
{
   return (range){-a.high, -a.low};
}

static range
absolute(range a)
{
   if (a.low >= 0)
      return a;
   return (range){fmax(0, -a.high), fmax(-a.low, a.high)};
}

range
bounds_modified(range a, bool is_absolute, bool is_negated)
{
   if (is_absolute)
      a = absolute(a);
   return is_negated ? negated(a) : a;
}

static range
sum(range a, range b)
{
   return (range){a.low + b.low, a.high + b.high};
}

static double
times(double a, double b)
{
   return a == 0 || b == 0 ? 0 : a * b;
}

static range
product(range a, range b)
{
   double low = times(a.low, b.low), high = times(a.high, b.high);
   double mixed = times(a.low, b.high), other = times(a.high, b.low);

   return (range){
      fmin(fmin(low, high), fmin(mixed, other)),
      fmax(fmax(low, high), fmax(mixed, other)),
   };
}

double
bounds_power_above(double number)
{
   int exponent;

   if (isinf(number))
      return number;
   frexp(number, &exponent);
   return ldexp(1, exponent);
}

static bool
has_zero(range a)
{
   return a.low <= 0 && a.high >= 0;
}

static bool
is_exact(range a)
{
   return a.low >= -KINDS_EXACT && a.high <= KINDS_EXACT;
}

/* ---- bits ---------------------------------------------------------------- */

/* 0 or all bits: a truth value. */
static bool
is_mask(range a)
{
   return a.low >= -1 && a.high <= 0;
}

/* With fewer bits set than one that is not below 0, a number is not above it;
 * and two below 0 have a sign and no more other bits than either. */
range
bounds_and(const range *s)
{
   range a = s[0], b = s[1];

   if (a.low < 0 && is_mask(a))
      return bounds_hull(b, nothing);
   if (b.low < 0 && is_mask(b))
      return bounds_hull(a, nothing);
   if (a.low >= 0 || b.low >= 0)
      return (range){0, fmin(a.low >= 0 ? a.high : INFINITY,
                             b.low >= 0 ? b.high : INFINITY)};
   return (range){-bounds_power_above(-fmin(a.low, b.low) - 1),
                  fmax(0, fmax(a.high, b.high))};
}

range
bounds_or(const range *s)
{
   double high = fmax(0, fmax(s[0].high, s[1].high));

   return (range){
      s[0].low >= 0 && s[1].low >= 0 ? fmax(s[0].low, s[1].low)
                                     : fmin(s[0].low, s[1].low),
      bounds_power_above(high) - 1,
   };
}

range
bounds_xor(const range *s)
{
   range either = bounds_hull(s[0], s[1]);
   double power =
      bounds_power_above(fmax(fmax(0, either.high), -either.low - 1));

   return (range){either.low >= 0 ? 0 : -power, power - 1};
}

range
bounds_not(const range *s)
{
   return sum(negated(s[0]), (range){-1, -1});
}

/* ---- arithmetic ---------------------------------------------------------- */

range
bounds_negation(const range *s)
{
   return negated(s[0]);
}

range
bounds_sum(const range *s)
{
   return sum(s[0], s[1]);
}

range
bounds_product(const range *s)
{
   return product(s[0], s[1]);
}

/* An inexact product makes an inexact sum. */
range
bounds_product_sum(const range *s)
{
   range part = product(s[0], s[1]);

   return is_exact(part) ? sum(part, s[2]) : everything;
}

range
bounds_high(const range *s)
{
   range whole = product(s[0], s[1]);

   if (whole.low < -0x1p32 || whole.high >= 0x1p32)
      return everything;
   return (range){whole.low < 0 ? -1 : 0, whole.high >= 0 ? 0 : -1};
}

range
bounds_distance(const range *s)
{
   range difference = sum(s[0], negated(s[1]));

   return is_exact(difference) ? sum(absolute(difference), s[2]) : everything;
}

range
bounds_least(const range *s)
{
   return (range){fmin(s[0].low, s[1].low), fmin(s[0].high, s[1].high)};
}

range
bounds_greatest(const range *s)
{
   return (range){fmax(s[0].low, s[1].low), fmax(s[0].high, s[1].high)};
}

range
bounds_absolute(const range *s)
{
   return absolute(s[0]);
}

range
bounds_sign(const range *s)
{
   return (range){s[0].low < 0 ? -1 : 0, s[0].high > 0 ? 1 : 0};
}

/* ---- shifts -------------------------------------------------------------- */

range
bounds_shift(range count)
{
   if (count.low == count.high && fabs(count.low) <= KINDS_EXACT)
      count.low = count.high = (double)((int64_t)count.low & 31);
   if (count.low < 0 || count.high > 31)
      return (range){0, 31};
   return count;
}

range
bounds_left(const range *s)
{
   range count = bounds_shift(s[1]);

   return product(s[0], (range){exp2(count.low), exp2(count.high)});
}

range
bounds_right(const range *s)
{
   range count = bounds_shift(s[1]);
   range shifted = product(s[0], (range){exp2(-count.high), exp2(-count.low)});

   return (range){floor(shifted.low), floor(shifted.high)};
}

/* ---- quotients ----------------------------------------------------------- */

/* No greater than the dividend, but by as much as the divisor is sure to make
 * it smaller. */
range
bounds_quotient(const range *s)
{
   range divisor = absolute(s[1]);
   double greatest = fmax(fabs(s[0].low), fabs(s[0].high));
   double size = floor(greatest / fmax(1, divisor.low));
   bool may_be_negative = s[0].low < 0 || s[1].low < 0;

   return (range){may_be_negative ? -size : 0, size};
}

range
bounds_quotient_or_ones(const range *s)
{
   range quotient = bounds_quotient(s);

   return has_zero(s[1]) ? bounds_hull(quotient, (range){-1, -1}) : quotient;
}

range
bounds_remainder(const range *s)
{
   double size = fmax(0, absolute(s[1]).high - 1);
   range remainder = {fmax(fmin(s[0].low, 0), -size),
                      fmin(fmax(s[0].high, 0), size)};

   return has_zero(s[1]) ? bounds_hull(remainder, (range){-1, -1}) : remainder;
}

/* ---- fields -------------------------------------------------------------- */

/* Widths count modulo 32, but 32 may be the whole word. */
static range
field_width(range width)
{
   if (width.low == 32 && width.high == 32)
      return width;
   if (width.low != width.high && width.low <= 32 && width.high >= 32)
      return (range){0, 32};
   return bounds_shift(width);
}

range
bounds_field(const range *s)
{
   double greatest = exp2(field_width(s[2]).high) - 1;
   range shifted = bounds_right(s);

   return (range){0, s[0].low >= 0 ? fmin(shifted.high, greatest) : greatest};
}

/* A field that has room for all of the number leaves it alone. */
range
bounds_signed_field(const range *s)
{
   range width = field_width(s[2]);
   double least = exp2(width.low - 1), half = exp2(width.high - 1);
   range shifted = bounds_right(s);

   if (shifted.low >= -least && shifted.high < least)
      return bounds_hull(shifted, nothing);
   return (range){-floor(half), fmax(0, half - 1)};
}

range
bounds_insert(const range *s)
{
   double size = exp2(field_width(s[3]).high);
   double shift = exp2(bounds_shift(s[2]).high);
   double greatest = s[1].low >= 0 ? fmin(s[1].high, size - 1) : size - 1;

   if (s[2].low == 0 && s[2].high == 0 && s[3].low == 32 && s[3].high == 32)
      return s[1];
   if (size * shift > 0x1p31)
      return everything;
   return (range){s[0].low < 0 ? s[0].low - size * shift : 0,
                  fmax(s[0].high, 0) + greatest * shift};
}

range
bounds_count(const range *s)
{
   return (range){0, s[0].low < 0 ? 32 : log2(bounds_power_above(s[0].high))};
}

range
bounds_place(const range *s)
{
   (void)s;
   return (range){-1, 31};
}
