# SPDX-License-Identifier: MIT
#
# The numbers of the vertex unit: floats of 32 bits with every step rounded to
# the nearest, ties to even. A Python float holds one exactly; sums, products,
# quotients and roots of such rounded twice, to 64 and to 32 bits, are those
# rounded once, because 53 >= 2 * 24 + 2.
import ctypes
import math
import struct

NAN, INF = float('nan'), float('inf')
is_nan = math.isnan


def single(value):
    return ctypes.c_float(value).value


def bits(value):
    return struct.unpack('<I', struct.pack('<f', single(value)))[0]


def from_bits(word):
    return struct.unpack('<f', struct.pack('<I', word))[0]


def text(value):
    """As goldens have it: its bits where a decimal would not show them."""
    if is_nan(value):
        return 'nan'
    if value in (INF, -INF):
        return 'inf' if value > 0 else '-inf'
    if value == int(value) and abs(value) < 1e7:
        return '-0' if bits(value) == 0x80000000 else str(int(value))
    return '0x%08x' % bits(value)


def add(a, b):
    return single(a + b)


def sub(a, b):
    return single(a - b)


def mul(a, b):
    return single(a * b)


def div(a, b):
    if b == 0:
        if a == 0 or is_nan(a):
            return NAN
        return math.copysign(INF, a) * math.copysign(1, b)
    return single(a / b)


def sqrt(a):
    return NAN if is_nan(a) or a < 0 else single(math.sqrt(a))


def floor(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(math.floor(a)), a)


def round_even(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(round(a)), a)


def in_order(a):
    """Sorts -0 before 0."""
    return a, math.copysign(1.0, a)


def least(a, b):
    if is_nan(a) or is_nan(b):
        return NAN
    return min(a, b, key=in_order)


def greatest(a, b):
    if is_nan(a) or is_nan(b):
        return NAN
    return max(a, b, key=in_order)


def dot3(a, b):
    return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))


def dot4(a, b):
    return add(dot3(a, b), mul(a[3], b[3]))


# ---- transcendental: near values, as text ------------------------------------

def near(value, ulps=2):
    """The true value is within half a unit of this one; what is tested may be
    off by 1.6 units (docs/accuracy.md), so by two whole ones from here."""
    if not math.isfinite(value):
        return value
    return '%.9g~%d' % (single(value), ulps)


def exp2(a):
    if is_nan(a) or a == INF:
        return a
    if a == floor(a):
        return single(math.ldexp(1.0, int(max(a, -1000)))) if a < 128 else INF
    return INF if a >= 128 else near(single(math.pow(2.0, max(a, -1000))))


def log2(a):
    if is_nan(a) or a < 0:
        return NAN
    if a == 0 or a == INF:
        return -INF if a == 0 else INF
    significand, exponent = math.frexp(a)
    if significand == 0.5:
        return float(exponent - 1)
    return near(math.log2(a))


def trigonometric(name, a):
    return near(getattr(math, name)(a)) if math.isfinite(a) else NAN


def power(x, y):
    """x is not below 0, y is finite."""
    if x == 0 or x == INF:
        if y == 0:
            return 1.0
        return INF if (x == 0) == (y < 0) else 0.0
    try:
        value = single(math.pow(x, y))
    except OverflowError:
        return INF
    return near(value)
