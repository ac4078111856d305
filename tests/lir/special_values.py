# SPDX-License-Identifier: MIT
"""Special values of every LIR operation that computes, with their results.

A second rendering of the meanings in ops.def that shares nothing with the
first: floats are exact rationals here, rounded once at the end by integer
arithmetic. Writes one line for each case:

   name a b c result nan

in hexadecimal, where `nan` is 32 or 64 (decimal) when any NaN of that width is
right, else 0.

   special_values.py OPS_DEF > OUTPUT
"""
import itertools
import math
import re
import sys
from fractions import Fraction

M32, M64 = 2**32 - 1, 2**64 - 1

# ---- floats: a tuple (sign, value), value a Fraction >= 0, "inf" or "nan" ----

FORMATS = {32: (8, 23), 64: (11, 52), 16: (5, 10)}


def decode(bits, width):
    exponent_bits, fraction_bits = FORMATS[width]
    bias = 2 ** (exponent_bits - 1) - 1
    sign = bits >> (width - 1)
    exponent = bits >> fraction_bits & (2**exponent_bits - 1)
    fraction = bits & (2**fraction_bits - 1)
    if exponent == 2**exponent_bits - 1:
        return (sign, "nan" if fraction else "inf")
    if exponent == 0:
        return (sign, Fraction(fraction, 2**fraction_bits) * Fraction(2) ** (1 - bias))
    return (sign, (1 + Fraction(fraction, 2**fraction_bits)) * Fraction(2) ** (exponent - bias))


def round_half_even(value):
    whole = math.floor(value)
    rest = value - whole
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2):
        whole += 1
    return whole


def encode(number, width):
    """Bits of the nearest number of the format, or None for NaN."""
    exponent_bits, fraction_bits = FORMATS[width]
    bias = 2 ** (exponent_bits - 1) - 1
    sign, value = number
    top = sign << (width - 1)
    infinity = (2**exponent_bits - 1) << fraction_bits
    if value == "nan":
        return None
    if value == "inf":
        return top | infinity
    if value == 0:
        return top
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    units = round_half_even(value / Fraction(2) ** (exponent - fraction_bits))
    # A denormal has no implicit bit; a carry runs into the exponent.
    bits = units + ((exponent + bias - 1) << fraction_bits)
    return top | min(bits, infinity)


NAN = (0, "nan")


def signed(number):
    sign, value = number
    return -value if sign else value


def from_signed(value, zero_sign=0):
    return (zero_sign if value == 0 else int(value < 0), abs(Fraction(value)))


def negate(a):
    return (a[0] ^ 1, a[1])


def add(a, b):
    if "nan" in (a[1], b[1]):
        return NAN
    if a[1] == "inf" or b[1] == "inf":
        if a[1] == b[1] and a[0] != b[0]:
            return NAN
        return a if a[1] == "inf" else b
    return from_signed(signed(a) + signed(b), a[0] & b[0])


def mul(a, b):
    sign = a[0] ^ b[0]
    if "nan" in (a[1], b[1]):
        return NAN
    if "inf" in (a[1], b[1]):
        return NAN if 0 in (a[1], b[1]) else (sign, "inf")
    return (sign, a[1] * b[1])


def div(a, b):
    sign = a[0] ^ b[0]
    if "nan" in (a[1], b[1]):
        return NAN
    if a[1] == "inf":
        return NAN if b[1] == "inf" else (sign, "inf")
    if b[1] == "inf":
        return (sign, Fraction(0))
    if b[1] == 0:
        return NAN if a[1] == 0 else (sign, "inf")
    return (sign, a[1] / b[1])


def sqrt(a):
    if a[1] == "nan" or (a[0] and a[1] != 0):
        return NAN
    if a[1] in ("inf", 0):
        return a
    # Far more digits than a double has; what is cut off is marked by a last
    # bit, which only says on which side of a tie the root lies.
    digits = 1200
    scaled = a[1] * 4**digits
    root = math.isqrt(math.floor(scaled))
    exact = root * root == scaled
    return (0, Fraction(2 * root + (not exact), 2 ** (digits + 1)))


def integral(a, rounding):
    if a[1] in ("inf", "nan"):
        return a
    return from_signed(rounding(signed(a)), a[0])


def compare(a, b):
    """-1, 0, 1, or None with NaN."""
    if "nan" in (a[1], b[1]):
        return None
    key = [signed((n[0], Fraction(2) ** 2000 if n[1] == "inf" else n[1])) for n in (a, b)]
    return (key[0] > key[1]) - (key[0] < key[1])


def to_integer(a, low, high):
    if a[1] == "nan":
        return 0
    if a[1] == "inf":
        return low if a[0] else high
    return min(max(math.trunc(signed(a)), low), high)


# ---- integers ----


def signed_int(bits, width):
    return bits - 2**width if bits >> (width - 1) else bits


def truncated_division(a, b):
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def highest_bit(bits):
    return bits.bit_length() - 1


MEANINGS = {}


def integers(width, prefix, unsigned, shift_left, shift_right, unsigned_shift):
    mask = 2**width - 1
    ones = mask

    def s(x):
        return signed_int(x, width)

    def sdiv(a, b):
        return truncated_division(s(a), s(b)) & mask if b else 0

    def srem(a, b):
        return (s(a) - s(b) * truncated_division(s(a), s(b))) & mask if b else ones

    p, u = prefix, unsigned
    MEANINGS.update({
        p + "add": lambda a, b: (a + b) & mask,
        p + "sub": lambda a, b: (a - b) & mask,
        p + "mul": lambda a, b: (a * b) & mask,
        p + "div": sdiv,
        u + "div": lambda a, b: a // b if b else ones,
        p + "rem": srem,
        u + "rem": lambda a, b: a % b if b else ones,
        p + "neg": lambda a: -a & mask,
        p + "and": lambda a, b: a & b,
        p + "or": lambda a, b: a | b,
        p + "xor": lambda a, b: a ^ b,
        shift_left: lambda a, b: (a << b % width) & mask,
        shift_right: lambda a, b: (s(a) >> b % width) & mask,
        unsigned_shift: lambda a, b: a >> b % width,
        p + "min": lambda a, b: min(s(a), s(b)) & mask,
        p + "max": lambda a, b: max(s(a), s(b)) & mask,
        u + "min": min,
        u + "max": max,
        p + "eq": lambda a, b: a == b,
        p + "ne": lambda a, b: a != b,
        p + "lt": lambda a, b: s(a) < s(b),
        p + "ge": lambda a, b: s(a) >= s(b),
        u + "lt": lambda a, b: a < b,
        u + "ge": lambda a, b: a >= b,
    })


def floats(width, prefix, fma):
    def number(operation):
        def run(*operands):
            result = operation(*[decode(x, width) for x in operands])
            return encode(result, width)
        return run

    def test(accept):
        def run(a, b):
            order = compare(decode(a, width), decode(b, width))
            return accept(order)
        return run

    sign = 1 << (width - 1)

    def choose(wanted):
        """The lesser for -1, the greater for 1; -0 is less than 0."""
        def run(a, b):
            order = compare(decode(a, width), decode(b, width))
            if {a, b} == {0, sign}:
                return sign if wanted == -1 else 0
            return a if order == wanted else b
        return run

    p = prefix
    MEANINGS.update({
        p + "add": number(add),
        p + "sub": number(lambda a, b: add(a, negate(b))),
        p + "mul": number(mul),
        p + "div": number(div),
        fma: number(lambda a, b, c: add(mul(a, b), c)),
        p + "sqrt": number(sqrt),
        p + "neg": lambda a: a ^ sign,
        p + "abs": lambda a: a & (sign - 1),
        p + "min": choose(-1),
        p + "max": choose(1),
        p + "floor": number(lambda a: integral(a, math.floor)),
        p + "ceil": number(lambda a: integral(a, math.ceil)),
        p + "trunc": number(lambda a: integral(a, math.trunc)),
        p + "round": number(lambda a: integral(a, round_half_even)),
        p + "eq": test(lambda order: order == 0),
        p + "ne": test(lambda order: order != 0),
        p + "lt": test(lambda order: order == -1),
        p + "ge": test(lambda order: order is not None and order >= 0),
    })


def flerp(a, b, c):
    difference = MEANINGS["fsub"](b, a)
    if difference is None:
        return None
    return MEANINGS["ffma"](difference, c, a)


def fsat(a):
    return MEANINGS["fmin"](MEANINGS["fmax"](a, 0), 0x3F800000)


def f2h(a):
    bits = encode(decode(a, 32), 16)
    return 0x7E00 if bits is None else bits


def integer_from(width, low, high):
    return lambda a: to_integer(decode(a, width), low, high) & (M64 if high > M32 else M32)


def number_from(is_signed, source, target):
    def run(a):
        return encode(from_signed(signed_int(a, source) if is_signed else a), target)
    return run


integers(32, "i", "u", "ishl", "ishr", "ushr")
integers(64, "l", "ul", "lshl", "lshr", "ulshr")
floats(32, "f", "ffma")
floats(64, "d", "dfma")
MEANINGS.update({
    "band": lambda a, b: a and b,
    "bor": lambda a, b: a or b,
    "bxor": lambda a, b: a != b,
    "bnot": lambda a: not a,
    "b2i": lambda a: M32 if a else 0,
    "i2b": lambda a: a != 0,
    "sel32": lambda a, b, c: b if a else c,
    "sel64": lambda a, b, c: b if a else c,
    "imulhi": lambda a, b: signed_int(a, 32) * signed_int(b, 32) >> 32 & M32,
    "umulhi": lambda a, b: a * b >> 32,
    "iabs": lambda a: abs(signed_int(a, 32)) & M32,
    "inot": lambda a: a ^ M32,
    "ibitrev": lambda a: int(f"{a:032b}"[::-1], 2),
    "ipopcnt": lambda a: f"{a:b}".count("1"),
    "ilsb": lambda a: highest_bit(a & -a) & M32,
    "imsb": lambda a: highest_bit(a ^ M32 if a >> 31 else a) & M32,
    "umsb": lambda a: highest_bit(a) & M32,
    "f2i": integer_from(32, -(2**31), 2**31 - 1),
    "f2u": integer_from(32, 0, M32),
    "d2i": integer_from(64, -(2**31), 2**31 - 1),
    "d2u": integer_from(64, 0, M32),
    "f2l": integer_from(32, -(2**63), 2**63 - 1),
    "f2ul": integer_from(32, 0, M64),
    "d2l": integer_from(64, -(2**63), 2**63 - 1),
    "d2ul": integer_from(64, 0, M64),
    "i2f": number_from(True, 32, 32),
    "u2f": number_from(False, 32, 32),
    "i2d": number_from(True, 32, 64),
    "u2d": number_from(False, 32, 64),
    "l2f": number_from(True, 64, 32),
    "ul2f": number_from(False, 64, 32),
    "l2d": number_from(True, 64, 64),
    "ul2d": number_from(False, 64, 64),
    "f2d": lambda a: encode(decode(a, 32), 64),
    "d2f": lambda a: encode(decode(a, 64), 32),
    "flerp": flerp,
    "fsat": fsat,
    "byte": lambda a, b: a >> b % 4 * 8 & 0xFF,
    "bytef": lambda a, b: encode(from_signed(a >> b % 4 * 8 & 0xFF), 32),
    "f2h": f2h,
    "h2f": lambda a: encode(decode(a & 0xFFFF, 16), 32),
    "pack64": lambda a, b: a | b << 32,
    "lo64": lambda a: a & M32,
    "hi64": lambda a: a >> 32,
    "i2l": lambda a: signed_int(a, 32) & M64,
    "u2l": lambda a: a,
})

# ---- the values ----

WORDS = [0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 0xFF, 0x8000, 0xFFFF, 0x12345678,
         0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x01000001,
         0x01000003, 0x7FFFFFBF, 0x7FFFFFC0, 0xFFFFFF80]
PAIRS = [0, 1, 2, 3, 7, 31, 63, 64, M32, M32 + 1, 0x123456789ABCDEF0,
         0x7FFFFFFFFFFFFFFF, 1 << 63, (1 << 63) + 1, M64 - 1, M64,
         (1 << 53) + 1, (1 << 53) + 3, (1 << 24) + 1, 0x7FFFFFBFFFFFFFFF,
         0x7FFFFFC000000000, 0xFFFFFF8000000000, 0x7FFFFFFFFFFFFE00]
FLOATS = [0, 1 << 31, 0x3F800000, 0xBF800000, 0x3F000000, 0xBF000000, 0x3FC00000,
          0x40200000, 0xC0200000, 0x40490FDB, 0x7F800000, 0xFF800000, 0x7FC00000,
          0xFFC00001, 0x7F800001, 1, 0x80000001, 0x007FFFFF, 0x00800000,
          0x7F7FFFFF, 0xFF7FFFFF, 0x4B000000, 0x4AFFFFFF, 0x4B000001, 0x4EFFFFFF,
          0x4F000000, 0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x5EFFFFFF,
          0x5F000000, 0xDF000000, 0x5F7FFFFF, 0x5F800000, 0x3EFFFFFF, 0x3F000001,
          0x33000000, 0x33000001, 0x387FC000, 0x387FE000, 0x477FE000, 0x477FEFFF,
          0x477FF000, 0x38801000, 0x38803000, 0x3EAAAAAB]
DOUBLES = [0, 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 0x3FE0000000000000,
           0xBFE0000000000000, 0x3FF8000000000000, 0x4004000000000000,
           0xC004000000000000, 0x400921FB54442D18, 0x7FF0000000000000,
           0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001, 1,
           0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF,
           0x4330000000000000, 0x432FFFFFFFFFFFFF, 0x4330000000000001,
           0x41DFFFFFFFC00000, 0x41DFFFFFFFDFFFFF, 0x41E0000000000000,
           0xC1E0000000000000, 0xC1E00000001FFFFF, 0xC1E0000000200000,
           0x41EFFFFFFFE00000, 0x41EFFFFFFFFFFFFF, 0x41F0000000000000,
           0x43DFFFFFFFFFFFFF, 0x43E0000000000000, 0xC3E0000000000000,
           0x43EFFFFFFFFFFFFF, 0x43F0000000000000, 0x47EFFFFFEFFFFFFF,
           0x47EFFFFFF0000000, 0x36A0000000000000, 0x3690000000000000,
           0x3690000000000001, 0x3FD5555555555555, 0x3FDFFFFFFFFFFFFF]
HALVES = [0, 0x8000, 1, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0x7C00,
          0xFC00, 0x7E00, 0xFFFF, 0x12340001]


def values_of(name, operand_type):
    if operand_type == "B1":
        return [0, 1]
    if name == "h2f":
        return HALVES
    is_float = name[0] in "fd"
    if operand_type == "B32":
        return FLOATS if is_float else WORDS
    return DOUBLES if is_float else PAIRS


def cases(name, types):
    values = [values_of(name, t) for t in types]
    if len(types) == 3 and types[0] != "B1":
        values = [v[:21] for v in values]  # the rest is about conversions
    return itertools.product(*values)


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    row = re.compile(r"^LIR_ALU([123])\((\w+),\s*([^\n]*)$", re.M)
    widths = {"B1": 1, "B32": 32, "B64": 64}
    for count, name, rest in row.findall(text):
        if name not in MEANINGS:
            continue  # the test complains that the operation has no values
        columns = [column.strip() for column in rest.split(",")]
        types = columns[1:1 + int(count)]
        for operands in cases(name, types):
            result = MEANINGS[name](*operands)
            nan = widths[columns[0]] if result is None else 0
            a, b, c = [*operands, 0, 0][:3]
            print(f"{name} {a:x} {b:x} {c:x} {int(result or 0):x} {nan}")


main()
