#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# A model of the opcodes that compute, written from the equations of the TGSI
# specifications and sharing nothing with the program: numbers are exact
# rationals, rounded once, by the rules of IEEE 754. It writes a .tgsi_test file
# for each opcode, whose expectations are what the equations give for ordinary
# and for edge values.
#
# usage: model.py FOLDER
import math
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 60
NAN, INF = float('nan'), float('inf')

# ---- IEEE 754 ----------------------------------------------------------------

F32 = (24, -149, 128)    # bits of precision, exponent of the last place of
F64 = (53, -1074, 1024)  # denormals, first exponent that overflows


def round_to(exact, form):
    """The nearest number of a form, ties to even, of a rational that is not 0."""
    precision, lowest, overflow = form
    sign = -1 if exact < 0 else 1
    exact = abs(exact)
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if Fraction(2) ** exponent > exact:
        exponent -= 1
    place = max(exponent - precision + 1, lowest)
    scaled = exact / Fraction(2) ** place
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    twice = 2 * rest - scaled.denominator
    whole += twice > 0 or (twice == 0 and whole & 1)
    if whole and whole.bit_length() + place > overflow:
        return sign * INF
    return math.copysign(math.ldexp(whole, place), sign)


def arithmetic(a, b, form, exact, special):
    """An operation on floats: `special` where rationals do not reach."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return special(a, b)
    value = exact(Fraction(a), Fraction(b))
    return round_to(value, form) if value else special(a, b)


def add(a, b, form=F32):
    return arithmetic(a, b, form, lambda x, y: x + y, lambda x, y: x + y)


def sub(a, b, form=F32):
    return add(a, -b, form)


def mul(a, b, form=F32):
    return arithmetic(a, b, form, lambda x, y: x * y, lambda x, y: x * y)


def div(a, b, form=F32):
    def special(x, y):
        if y == 0:
            if x == 0 or math.isnan(x):
                return NAN
            return math.copysign(INF, math.copysign(1, x) * math.copysign(1, y))
        return x / y
    if b == 0:
        return special(a, b)
    return arithmetic(a, b, form, lambda x, y: x / y, special)


def fma(a, b, c, form=F32):
    if not all(map(math.isfinite, (a, b, c))):
        if math.isfinite(a) and math.isfinite(b):
            return c
        return a * b + c
    value = Fraction(a) * Fraction(b) + Fraction(c)
    return round_to(value, form) if value else a * b + c


def sqrt(a, form=F32):
    if math.isnan(a) or a < 0:
        return NAN
    if a == 0 or a == INF:
        return a
    exact = Fraction(a)
    scale = 700
    shifted = exact * Fraction(4) ** scale
    root = math.isqrt(shifted.numerator // shifted.denominator)
    sticky = root * root != shifted
    return round_to(Fraction(2 * root + sticky, 2) / Fraction(2) ** scale, form)


def mad(a, b, c, form=F32):
    """Two roundings: before 2019, and where the instruction is PRECISE."""
    return add(mul(a, b, form), c, form)


def dot(a, b, count, product_sum=mad):
    total = mul(a[0], b[0])
    for i in range(1, count):
        total = product_sum(a[i], b[i], total)
    return total


def floor(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(math.floor(a)), a) if math.floor(a) == 0 else float(math.floor(a))


def ceil(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(math.ceil(a)), a)


def trunc(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(math.trunc(a)), a)


def round_even(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(round(Fraction(a))), a)


def is_negative(a):
    return math.copysign(1.0, a) < 0


def fmin(a, b):
    if a == b == 0:
        return -0.0 if is_negative(a) or is_negative(b) else 0.0
    return a if a < b else b


def fmax(a, b):
    if a == b == 0:
        return -0.0 if is_negative(a) and is_negative(b) else 0.0
    return a if a > b else b


# ---- bits --------------------------------------------------------------------

def f_bits(value):
    if math.isnan(value):
        return 0x7fc00000
    return struct.unpack('<I', struct.pack('<f', value))[0]


def bits_f(bits):
    return struct.unpack('<f', struct.pack('<I', bits))[0]


def d_bits(value):
    if math.isnan(value):
        return 0x7ff8 << 48
    return struct.unpack('<Q', struct.pack('<d', value))[0]


def bits_d(bits):
    return struct.unpack('<d', struct.pack('<Q', bits))[0]


def s32(bits):
    return bits - (1 << 32) if bits >> 31 else bits


def s64(bits):
    return bits - (1 << 64) if bits >> 63 else bits


def to_int(value, low, high):
    """Truncates, clamps; NaN gives 0."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(math.trunc(Fraction(value)), low), high)


I32 = (-(1 << 31), (1 << 31) - 1)
U32 = (0, (1 << 32) - 1)
I64 = (-(1 << 63), (1 << 63) - 1)
U64 = (0, (1 << 64) - 1)
M32, M64 = U32[1], U64[1]


def int_to_float(value, form):
    return round_to(Fraction(value), form) if value else 0.0


def idiv(a, b):
    """Truncated quotient; by 0 gives 0."""
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def irem(a, b):
    """Remainder with the sign of a; by 0 gives all ones."""
    return a - b * idiv(a, b) if b else -1


def half(value):
    """The bits of the nearest half float."""
    if math.isnan(value):
        return 0x7e00
    sign = 0x8000 if math.copysign(1, value) < 0 else 0
    if value == 0:
        return sign
    near = INF if math.isinf(value) else abs(round_to(Fraction(value), (11, -24, 16)))
    if near == INF:
        return sign | 0x7c00
    return sign | struct.unpack('<H', struct.pack('<e', near))[0]


def from_half(bits):
    return struct.unpack('<e', struct.pack('<H', bits & 0xffff))[0]


def normalised(value, low, scale):
    """Clamped to [low, 1], times scale, to the nearest integer."""
    if math.isnan(value):
        return 0
    return round(min(max(Fraction(value) if math.isfinite(value)
                         else Fraction(1 if value > 0 else low), low), 1) * scale)


# ---- transcendental functions, to 50 digits ----------------------------------

PI = Decimal('3.14159265358979323846264338327950288419716939937510582097494')
LN2 = Decimal(2).ln()


def exact_decimal(value):
    return Decimal(value)


def as_f32(value):
    if value == 0:
        return 0.0
    return round_to(Fraction(value), F32)


def ex2(a):
    if math.isnan(a):
        return NAN
    if a == INF or a >= 128:
        return INF
    if a == -INF or a < -200:
        return 0.0
    return as_f32((exact_decimal(a) * LN2).exp())


def lg2(a):
    if math.isnan(a) or a < 0:
        return NAN
    if a == 0:
        return -INF
    if a == INF:
        return INF
    return as_f32(exact_decimal(a).ln() / LN2)


def power(a, b):
    """C's pow, by cases."""
    if b == 0 or a == 1:
        return 1.0
    if math.isnan(a) or math.isnan(b):
        return NAN
    whole = math.isinf(b) or b == math.floor(b)
    odd = math.isfinite(b) and whole and int(b) & 1
    if a == 0:
        size = INF if b < 0 else 0.0
        return math.copysign(size, a) if odd else size
    if math.isinf(b):
        if abs(a) == 1:
            return 1.0
        return INF if (abs(a) > 1) == (b > 0) else 0.0
    if math.isinf(a):
        size = INF if b > 0 else 0.0
        return -size if a < 0 and odd else size
    if a < 0 and not whole:
        return NAN
    exponent = exact_decimal(abs(a)).ln() * exact_decimal(b)
    if exponent > 100:
        size = INF
    elif exponent < -120:
        size = 0.0
    else:
        size = as_f32(exponent.exp())
    return -size if a < 0 and odd else size


def sine(a, quarter_turns=0):
    """sin(a + quarter_turns * pi / 2) of a finite a."""
    angle = exact_decimal(a) + PI / 2 * quarter_turns
    angle -= (angle / (2 * PI)).to_integral_value() * 2 * PI
    term, total, n = angle, angle, 1
    while abs(term) > Decimal('1e-50'):
        term = -term * angle * angle / ((n + 1) * (n + 2))
        total += term
        n += 2
    return as_f32(total)


def sin(a):
    if not math.isfinite(a):
        return NAN
    return a if a == 0 else sine(a)


def cos(a):
    if not math.isfinite(a):
        return NAN
    return 1.0 if a == 0 else sine(a, 1)


# ---- values to try -----------------------------------------------------------

TINY, HUGE = bits_f(1), bits_f(0x7f7fffff)
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.75, -3.75,
          INF, -INF, NAN, TINY, -TINY, bits_f(0x007fffff), bits_f(0x00800000),
          HUGE, -HUGE, 8388609.0, 16777216.0, 2147483648.0, -2147483648.0,
          4294967296.0, 0.1, -0.3, 1e10, 1e-10, 0.99999994, 1.0000001]
INTS = [0, 1, 2, 3, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001,
        31, 32, 33, 63, 0x12345678, 0xdeadbeef, 7, 0xfffffff9, 100, 0xffff,
        0x10000, 0x00ff00ff, 0x40000000, 0xc0000000, 5]
DOUBLES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -3.75, INF, -INF, NAN,
           bits_d(1), -bits_d(1), bits_d(0x000fffffffffffff),
           bits_d(0x0010000000000000), bits_d(0x7fefffffffffffff), 1e300,
           -1e-300, 2147483648.0, -2147483649.0, 4294967296.5, 1e19, -1e19,
           0.1, 1 / 3, 9007199254740993.0, 1.5, -1.5, 1e-320, 3e38, 1e39, 6.5]
LONGS = [0, 1, 2, M64, M64 - 1, I64[1], 1 << 63, (1 << 63) + 1, 63, 64, 65,
         0x123456789abcdef0, 0xfedcba9876543210, 1 << 32, (1 << 32) - 1,
         (1 << 53) + 1, 7, M64 - 6, 3, 0xffffffff00000000]

VALUES = {
    'f': ([f_bits(v) for v in FLOATS], 1),
    'u': (INTS, 1),
    'i': (INTS, 1),
    'd': ([d_bits(v) for v in DOUBLES], 2),
    'l': (LONGS, 2),
    'q': (LONGS, 2),
}
READ = {'f': bits_f, 'u': int, 'i': s32, 'd': bits_d, 'l': s64, 'q': int}
WRITE = {
    'f': f_bits, 'd': d_bits,
    'u': lambda v: v & M32, 'i': lambda v: v & M32,
    'l': lambda v: v & M64, 'q': lambda v: v & M64,
    'm': lambda v: M32 if v else 0,  # a mask
}


class Random:
    """A small generator, so that the files are the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & M64
        return (self.state >> 33) % bound


def tuples(kinds, name, least=96):
    """Operands to try: all pairs of the first few values, then random ones."""
    lists = [VALUES[kind][0] for kind in kinds]
    random = Random(sum(map(ord, name)))
    out = []
    if len(kinds) == 1:
        out = [(v,) for v in lists[0]]
    elif len(kinds) == 2:
        out = [(a, b) for a in lists[0][:13] for b in lists[1][:13]]
    while len(out) < least:
        out.append(tuple(values[random.below(len(values))] for values in lists))
    return out


# ---- writing files -----------------------------------------------------------

LANES = 16


def word(bits):
    return '0x%08x' % bits


def value_word(kind, bits):
    """A word as a reader likes it: decimal where that is exact and short."""
    if kind == 'f':
        value = bits_f(bits)
        if math.isnan(value):
            return 'nan'
        if math.isinf(value):
            return 'inf' if value > 0 else '-inf'
        text = repr(value)
        if len(text) <= 8 and 'e' not in text:
            return text
    elif kind in 'ui' and bits < 1000:
        return str(bits)
    return word(bits)


def words_of(kind, bits):
    """One or two words."""
    if kind in 'dlq':
        if kind == 'd' and math.isnan(bits_d(bits)):
            return ['d:nan']
        return [word(bits & M32), word(bits >> 32)]
    return [value_word(kind, bits)]


def shader(lines, inputs, stage='VERT', outputs=1, more=()):
    text = [stage]
    for i in range(inputs):
        text.append('DCL IN[%d]' % i if stage == 'VERT' else
                    'DCL IN[%d], GENERIC[%d], CONSTANT' % (i, i))
    for i in range(outputs):
        text.append('DCL OUT[%d], %s' % (i, 'COLOR' if stage == 'FRAG' else
                                         'GENERIC[%d]' % i))
    text += list(more)
    text += ['%3d: %s' % (i, line) for i, line in enumerate(lines + ['END'])]
    return '\n'.join(text)


class File:
    """A .tgsi_test file that grows."""

    def __init__(self, name, dialect, text, about):
        self.lines = ['# %s' % about,
                      '# Worked out by tests/opcodes/model.py from the equation.',
                      '', '[require]', 'dialect %d' % dialect, '', '[shader]',
                      text, '', '[test]']
        self.name = name

    def add(self, inputs, expected, channels, tolerance=''):
        """inputs: for each register, for each lane, the values' texts."""
        for register, lanes in enumerate(inputs):
            for lane, texts in enumerate(lanes):
                self.lines.append('set IN[%d] lane %d = %s' %
                                  (register, lane, ', '.join(texts)))
        self.lines.append('run')
        for lane, texts in enumerate(expected):
            self.lines.append('expect OUT[0]%s lane %d = %s%s' %
                              (channels, lane, ', '.join(texts), tolerance))

    def write(self, folder):
        (folder / (self.name + '.tgsi_test')).write_text('\n'.join(self.lines) + '\n')


def chunks(items, size):
    """Groups of `size`, the last filled up with its first item."""
    for start in range(0, len(items), size):
        group = items[start:start + size]
        yield group + [group[0]] * (size - len(group))


TESTS = []


def componentwise(name, kinds, formula, dialects=(2019,), mnemonic=None):
    """kinds 'ff>f': a channel, or a pair, from the same ones of the sources."""
    TESTS.append((name, kinds, formula, dialects, 'componentwise', ''))


def scalar(name, kinds, formula, dialects=(2019,), tolerance=''):
    """One value from x of the sources, to all channels."""
    TESTS.append((name, kinds, formula, dialects, 'scalar', tolerance))


def vector(name, kinds, formula, dialects=(2019,), tolerance=''):
    """Four channels from four channels of each source."""
    TESTS.append((name, kinds, formula, dialects, 'vector', tolerance))


def result_kind(kind):
    return {'m': 'u'}.get(kind, kind)


def write_componentwise(name, kinds, formula, dialect, folder, file_name):
    sources, result = kinds.split('>')
    operands = ', '.join('IN[%d]' % i for i in range(len(sources)))
    text = shader(['%s OUT[0], %s' % (name, operands)], len(sources))
    file = File(file_name, dialect, text, name)
    # Values that fit a register: two when anything is 64 bits wide.
    wide_in = [VALUES[k][1] == 2 for k in sources]
    wide = any(wide_in) or result in 'dlq'
    count = 2 if wide else 4
    for group in chunks(tuples(sources, name), LANES * count):
        inputs = [[] for _ in sources]
        expected = []
        for lane in range(LANES):
            cases = group[lane * count:(lane + 1) * count]
            for i, kind in enumerate(sources):
                texts = [t for case in cases for t in words_of(kind, case[i])]
                inputs[i].append(texts + ['0'] * (4 - len(texts)) if wide
                                 else texts)
            results = [WRITE[result](formula(*[READ[k](v) for k, v in
                                               zip(sources, case)]))
                       for case in cases]
            expected.append([t for bits in results
                             for t in words_of(result_kind(result), bits)])
        # A wide source of two pairs gives x and y (conversions) ...
        channels = ''
        if wide and result not in 'dlq':
            channels = '.xz' if result == 'm' else '.xy'
        file.add([[fix_nan(t) for t in lanes] for lanes in inputs], expected, channels)
    file.write(folder)


def fix_nan(texts):
    """d:nan stands for two words already; drop what was filled in for them."""
    extra = sum(t.startswith('d:') for t in texts)
    return texts[:4 - extra]


def write_scalar(name, kinds, formula, dialect, folder, file_name, tolerance):
    sources, result = kinds.split('>')
    operands = ', '.join('IN[%d].xxxx' % i for i in range(len(sources)))
    text = shader(['%s OUT[0], %s' % (name, operands)], len(sources))
    file = File(file_name, dialect, text, name)
    for group in chunks(tuples(sources, name, 64), LANES):
        inputs = [[[words_of(k, case[i])[0], '0', '0', '0'] for case in group]
                  for i, k in enumerate(sources)]
        expected = []
        for case in group:
            bits = WRITE[result](formula(*[READ[k](v) for k, v in zip(sources, case)]))
            expected.append([words_of(result, bits)[0]] * 4)
        file.add(inputs, expected, '', tolerance)
    file.write(folder)


def write_vector(name, kinds, formula, dialect, folder, file_name, tolerance):
    sources, result = kinds.split('>')
    operands = ', '.join('IN[%d]' % i for i in range(len(sources)))
    text = shader(['%s OUT[0], %s' % (name, operands)], len(sources))
    file = File(file_name, dialect, text, name)
    random = Random(sum(map(ord, name)) + 1)
    for _ in range(4):
        inputs = [[] for _ in sources]
        expected = []
        for lane in range(LANES):
            case = []
            for i, kind in enumerate(sources):
                values = VALUES[kind][0]
                # The first lanes are tame, the last ones wild.
                pool = [f_bits(v) for v in (1.0, -2.0, 0.5, 3.0, -0.25, 1.5, 0.0)] \
                    if kind == 'f' and lane < 8 else values
                four = [pool[random.below(len(pool))] for _ in range(4)]
                case.append(four)
                inputs[i].append([value_word(kind, v) for v in four])
            out = formula(*[[READ[k](v) for v in four]
                            for k, four in zip(sources, case)])
            expected.append([value_word(result, WRITE[result](v)) for v in out])
        file.add(inputs, expected, '', tolerance)
    file.write(folder)


# ---- the opcodes -------------------------------------------------------------

ALL = (2010, 2011, 2019)


def bit(value):
    return 1.0 if value else 0.0


componentwise('MOV', 'u>u', lambda a: a)
componentwise('ADD', 'ff>f', add)
componentwise('SUB', 'ff>f', sub, (2010,))
componentwise('MUL', 'ff>f', mul)
componentwise('DIV', 'ff>f', div)
componentwise('MAD', 'fff>f', fma)
componentwise('MAD_PRECISE', 'fff>f', mad)
componentwise('MAD', 'fff>f', mad, (2010, 2011))
componentwise('FMA', 'fff>f', fma)
componentwise('MIN', 'ff>f', fmin)
componentwise('MAX', 'ff>f', fmax)
componentwise('ABS', 'f>f', abs, (2010,))
componentwise('FLR', 'f>f', floor)
componentwise('CEIL', 'f>f', ceil)
componentwise('TRUNC', 'f>f', trunc)
componentwise('ROUND', 'f>f', round_even)
componentwise('FRC', 'f>f', lambda a: sub(a, floor(a)))
componentwise('FRAC', 'f>f', lambda a: sub(a, floor(a)), (2010,))
componentwise('LRP', 'fff>f', lambda t, a, b: fma(t, a, mul(sub(1.0, t), b)))
componentwise('LRP_PRECISE', 'fff>f', lambda t, a, b: mad(t, a, mul(sub(1.0, t), b)))
componentwise('LRP', 'fff>f', lambda t, a, b: mad(t, a, mul(sub(1.0, t), b)), (2011,))
componentwise('LRP', 'fff>f', lambda t, a, b: add(mul(t, sub(a, b)), b), (2010,))
componentwise('CLAMP', 'fff>f',
              lambda x, low, high: low if x < low else high if x > high else x, (2010,))
componentwise('CND', 'fff>f', lambda a, b, c: a if c > 0.5 else b, (2010,))
componentwise('CMP', 'fff>f', lambda a, b, c: b if a < 0 else c)
componentwise('UCMP', 'uuu>u', lambda a, b, c: b if a else c)
componentwise('SSG', 'f>f', lambda a: 1.0 if a > 0 else -1.0 if a < 0 else 0.0)
componentwise('SLT', 'ff>f', lambda a, b: bit(a < b))
componentwise('SGE', 'ff>f', lambda a, b: bit(a >= b))
componentwise('SEQ', 'ff>f', lambda a, b: bit(a == b))
componentwise('SNE', 'ff>f', lambda a, b: bit(a != b))
componentwise('SGT', 'ff>f', lambda a, b: bit(a > b))
componentwise('SLE', 'ff>f', lambda a, b: bit(a <= b))
componentwise('SFL', 'ff>f', lambda a, b: 0.0, (2010,))
componentwise('STR', 'ff>f', lambda a, b: 1.0, (2010,))
componentwise('FSLT', 'ff>m', lambda a, b: a < b)
componentwise('FSGE', 'ff>m', lambda a, b: a >= b)
componentwise('FSEQ', 'ff>m', lambda a, b: a == b)
componentwise('FSNE', 'ff>m', lambda a, b: a != b)
componentwise('ISLT', 'ii>m', lambda a, b: a < b)
componentwise('ISGE', 'ii>m', lambda a, b: a >= b)
componentwise('USLT', 'uu>m', lambda a, b: a < b)
componentwise('USGE', 'uu>m', lambda a, b: a >= b)
componentwise('USEQ', 'uu>m', lambda a, b: a == b)
componentwise('USNE', 'uu>m', lambda a, b: a != b)

componentwise('UADD', 'uu>u', lambda a, b: a + b)
componentwise('UMUL', 'uu>u', lambda a, b: a * b)
componentwise('UMAD', 'uuu>u', lambda a, b, c: a * b + c)
componentwise('IMUL_HI', 'ii>i', lambda a, b: (a * b) >> 32)
componentwise('UMUL_HI', 'uu>u', lambda a, b: (a * b) >> 32)
componentwise('IDIV', 'ii>i', idiv)
componentwise('UDIV', 'uu>u', lambda a, b: a // b if b else M32)
componentwise('MOD', 'ii>i', irem)
componentwise('UMOD', 'uu>u', lambda a, b: a % b if b else M32)
componentwise('INEG', 'i>i', lambda a: -a)
componentwise('IABS', 'i>i', abs)
componentwise('ISSG', 'i>i', lambda a: (a > 0) - (a < 0))
componentwise('IMIN', 'ii>i', min)
componentwise('IMAX', 'ii>i', max)
componentwise('UMIN', 'uu>u', min)
componentwise('UMAX', 'uu>u', max)
componentwise('AND', 'uu>u', lambda a, b: a & b)
componentwise('OR', 'uu>u', lambda a, b: a | b)
componentwise('XOR', 'uu>u', lambda a, b: a ^ b)
componentwise('NOT', 'u>u', lambda a: ~a)
componentwise('SHL', 'uu>u', lambda a, b: a << (b & 31))
componentwise('ISHR', 'iu>i', lambda a, b: a >> (b & 31))
componentwise('USHR', 'uu>u', lambda a, b: a >> (b & 31))
componentwise('BREV', 'u>u', lambda a: int('{:032b}'.format(a)[::-1], 2))
componentwise('POPC', 'u>u', lambda a: bin(a).count('1'))
componentwise('LSB', 'u>i', lambda a: (a & -a).bit_length() - 1)
componentwise('UMSB', 'u>i', lambda a: a.bit_length() - 1)
componentwise('IMSB', 'i>i', lambda a: (~a if a < 0 else a).bit_length() - 1)
componentwise('SAD', 'iiu>u', lambda a, b, c: abs(a - b) + c, (2010,))


def window(offset, bits):
    """A bit field's place, as semantics outside the 32 bits are settled: width
    32 at 0 is the whole word, other widths count modulo 32."""
    offset &= 31
    return (0, 32) if bits == 32 and offset == 0 else (offset, bits & 31)


def ubfe(value, offset, bits):
    offset, bits = window(offset, bits)
    return (value & M32) >> offset & ((1 << bits) - 1)


def ibfe(value, offset, bits):
    offset, bits = window(offset & M32, bits & M32)
    if bits == 0:
        return 0
    if offset + bits >= 32:
        return value >> offset
    field = (value & M32) >> offset & ((1 << bits) - 1)
    return field - (1 << bits) if field >> (bits - 1) else field


def bfi(base, insert, offset, bits):
    offset, bits = window(offset, bits)
    mask = ((1 << bits) - 1) << offset & M32
    return (insert << offset & mask) | (base & ~mask & M32)


componentwise('UBFE', 'uuu>u', ubfe)
componentwise('IBFE', 'iii>i', ibfe)
componentwise('BFI', 'uuuu>u', bfi)

componentwise('F2I', 'f>i', lambda a: to_int(a, *I32))
componentwise('F2U', 'f>u', lambda a: to_int(a, *U32))
componentwise('I2F', 'i>f', lambda a: int_to_float(a, F32))
componentwise('U2F', 'u>f', lambda a: int_to_float(a, F32))


def scale(value, exponent, form=F32):
    if not math.isfinite(value) or value == 0:
        return value
    exponent = min(max(exponent, -5000), 5000)
    return round_to(Fraction(value) * Fraction(2) ** exponent, form)


componentwise('LDEXP', 'fi>f', scale)

scalar('RCP', 'f>f', lambda a: div(1.0, a))
scalar('SQRT', 'f>f', sqrt)
scalar('RSQ', 'f>f', lambda a: div(1.0, sqrt(a)))
scalar('RSQ', 'f>f', lambda a: div(1.0, sqrt(abs(a))), (2010, 2011))
ULP2 = ' within 2 ulp'
TRIG = ' within 0.00000095367431640625'  # 2^-20
scalar('EX2', 'f>f', ex2, tolerance=ULP2)
scalar('LG2', 'f>f', lg2, tolerance=ULP2)
scalar('POW', 'ff>f', power, tolerance=ULP2)


def rcc(a):
    small, large = bits_f(0x1f7ffffd), bits_f(0x5f82c2dc)
    inverse = div(1.0, a)
    low, high = (small, large) if inverse > 0 else (-large, -small)
    return low if inverse < low else high if inverse > high else inverse


scalar('RCC', 'f>f', rcc, (2010,))

for suffix, rounding, dialects in [
        ('', fma, (2019,)), ('_PRECISE', mad, (2019,)), ('', mad, (2010,))]:
    for count in 2, 3, 4:
        vector('DP%d%s' % (count, suffix), 'ff>f',
               lambda a, b, n=count, r=rounding: [dot(a, b, n, r)] * 4, dialects)
    vector('DPH' + suffix, 'ff>f',
           lambda a, b, r=rounding: [add(dot(a, b, 3, r), b[3])] * 4, dialects)
    vector('DP2A' + suffix, 'fff>f',
           lambda a, b, c, r=rounding: [add(dot(a, b, 2, r), c[0])] * 4, dialects)
vector('DST', 'ff>f', lambda a, b: [1.0, mul(a[1], b[1]), a[2], b[3]])
vector('XPD', 'ff>f', lambda a, b: [
    sub(mul(a[1], b[2]), mul(b[1], a[2])), sub(mul(a[2], b[0]), mul(b[2], a[0])),
    sub(mul(a[0], b[1]), mul(b[0], a[1])), 1.0], (2010,))
vector('X2D', 'fff>f', lambda a, b, c: [
    add(add(a[0], mul(b[0], c[0])), mul(b[1], c[1])),
    add(add(a[1], mul(b[0], c[2])), mul(b[1], c[3]))] * 2, (2010,))


def rfl(axis, direction):
    factor = div(mul(2.0, dot(axis, direction, 3)), dot(axis, axis, 3))
    return [sub(mul(factor, axis[i]), direction[i]) for i in range(3)] + [1.0]


vector('RFL', 'ff>f', rfl, (2010,))
vector('NRM', 'f>f', lambda a: [div(a[i], sqrt(dot(a, a, 3))) for i in range(3)] + [1.0],
       (2010,), ULP2)
vector('NRM4', 'f>f', lambda a: [div(a[i], sqrt(dot(a, a, 4))) for i in range(4)],
       (2010,), ULP2)
vector('SHL', 'uu>u', lambda a, b: [v << (b[0] & 31) for v in a], (2010, 2011))
vector('SHR', 'iu>i', lambda a, b: [v >> (b[0] & 31) for v in a], (2010, 2011))
vector('LIT', 'f>f', lambda a: [
    1.0, fmax(a[0], 0.0),
    power(fmax(a[1], 0.0), a[3] if math.isnan(a[3]) else min(max(a[3], -128.0), 128.0))
    if a[0] > 0 else 0.0, 1.0], ALL, ULP2)
vector('PK2H', 'f>u', lambda a: [half(a[0]) | half(a[1]) << 16] * 4)
vector('PK2US', 'f>u', lambda a: [normalised(a[0], 0, 65535) |
                                  normalised(a[1], 0, 65535) << 16] * 4)
vector('PK4UB', 'f>u', lambda a: [sum(normalised(a[i], 0, 255) << 8 * i
                                      for i in range(4))] * 4)
vector('PK4B', 'f>u', lambda a: [sum((normalised(a[i], -1, 127) & 255) << 8 * i
                                     for i in range(4))] * 4)
vector('UP2H', 'u>f', lambda a: [from_half(a[0]), from_half(a[0] >> 16)] * 2)
vector('UP2US', 'u>f', lambda a: [div(float(a[0] & 0xffff), 65535.0),
                                  div(float(a[0] >> 16), 65535.0)] * 2)
vector('UP4UB', 'u>f', lambda a: [div(float(a[0] >> 8 * i & 255), 255.0)
                                  for i in range(4)])


def snorm8(byte):
    return max(div(float(byte - 256 if byte > 127 else byte), 127.0), -1.0)


vector('UP4B', 'u>f', lambda a: [snorm8(a[0] >> 8 * i & 255) for i in range(4)])


def exp_vector(a):
    x = a[0]
    if x == INF:
        return [INF, 0.0, INF, 1.0]
    if x == -INF:
        return [0.0, 0.0, 0.0, 1.0]
    if math.isnan(x):
        return [NAN, NAN, NAN, 1.0]
    return [ex2(floor(x)), sub(x, floor(x)), ex2(x), 1.0]


def log_vector(a):
    x = abs(a[0])
    if math.isnan(x):
        return [NAN, NAN, NAN, 1.0]
    if x == 0 or x == INF:
        return [-INF if x == 0 else INF, 1.0, -INF if x == 0 else INF, 1.0]
    mantissa, exponent = math.frexp(x)
    return [float(exponent - 1), mantissa * 2, lg2(x), 1.0]


vector('EXP', 'f>f', exp_vector, ALL, ULP2)
vector('LOG', 'f>f', log_vector, ALL, ULP2)

# ---- doubles and 64-bit integers ---------------------------------------------

componentwise('DADD', 'dd>d', lambda a, b: add(a, b, F64))
componentwise('DMUL', 'dd>d', lambda a, b: mul(a, b, F64))
componentwise('DDIV', 'dd>d', lambda a, b: div(a, b, F64))
componentwise('DMAD', 'ddd>d', lambda a, b, c: fma(a, b, c, F64))
componentwise('DMAD_PRECISE', 'ddd>d', lambda a, b, c: mad(a, b, c, F64))
componentwise('DMAD', 'ddd>d', lambda a, b, c: mad(a, b, c, F64), (2011,))
componentwise('DFMA', 'ddd>d', lambda a, b, c: fma(a, b, c, F64))
componentwise('DMIN', 'dd>d', fmin)
componentwise('DMAX', 'dd>d', fmax)
componentwise('DABS', 'd>d', abs)
componentwise('DNEG', 'd>d', lambda a: -a)
componentwise('DRCP', 'd>d', lambda a: div(1.0, a, F64))
componentwise('DSQRT', 'd>d', lambda a: sqrt(a, F64))
componentwise('DRSQ', 'd>d', lambda a: div(1.0, sqrt(a, F64), F64))
componentwise('DFRAC', 'd>d', lambda a: sub(a, floor(a), F64))
componentwise('DTRUNC', 'd>d', trunc)
componentwise('DCEIL', 'd>d', ceil)
componentwise('DFLR', 'd>d', floor)
componentwise('DROUND', 'd>d', round_even)
componentwise('DSSG', 'd>d', lambda a: 1.0 if a > 0 else -1.0 if a < 0 else 0.0)
componentwise('DSEQ', 'dd>m', lambda a, b: a == b)
componentwise('DSNE', 'dd>m', lambda a, b: a != b)
componentwise('DSLT', 'dd>m', lambda a, b: a < b)
componentwise('DSGE', 'dd>m', lambda a, b: a >= b)
componentwise('DSEQ', 'dd>d', lambda a, b: bit(a == b), (2011,))
componentwise('DSLT', 'dd>d', lambda a, b: bit(a < b), (2011,))

componentwise('U64ADD', 'qq>q', lambda a, b: a + b)
componentwise('U64MUL', 'qq>q', lambda a, b: a * b)
componentwise('I64NEG', 'l>l', lambda a: -a)
componentwise('I64ABS', 'l>l', abs)
componentwise('I64SSG', 'l>l', lambda a: (a > 0) - (a < 0))
componentwise('I64MIN', 'll>l', min)
componentwise('I64MAX', 'll>l', max)
componentwise('U64MIN', 'qq>q', min)
componentwise('U64MAX', 'qq>q', max)
componentwise('I64DIV', 'll>l', idiv)
componentwise('U64DIV', 'qq>q', lambda a, b: a // b if b else M64)
componentwise('I64MOD', 'll>l', irem)
componentwise('U64MOD', 'qq>q', lambda a, b: a % b if b else M64)
componentwise('U64SEQ', 'qq>m', lambda a, b: a == b)
componentwise('U64SNE', 'qq>m', lambda a, b: a != b)
componentwise('U64SLT', 'qq>m', lambda a, b: a < b)
componentwise('U64SGE', 'qq>m', lambda a, b: a >= b)
componentwise('I64SLT', 'll>m', lambda a, b: a < b)
componentwise('I64SGE', 'll>m', lambda a, b: a >= b)
componentwise('U64SHL', 'qu>q', lambda a, b: a << (b & 63))
componentwise('U64SHR', 'qu>q', lambda a, b: a >> (b & 63))
componentwise('I64SHR', 'lu>l', lambda a, b: a >> (b & 63))

componentwise('F2D', 'f>d', lambda a: a)
componentwise('I2D', 'i>d', float)
componentwise('U2D', 'u>d', float)
componentwise('F2I64', 'f>l', lambda a: to_int(a, *I64))
componentwise('F2U64', 'f>q', lambda a: to_int(a, *U64))
componentwise('I2I64', 'i>l', lambda a: a)
componentwise('U2I64', 'u>l', lambda a: a)
componentwise('D2F', 'd>f', lambda a: a if not math.isfinite(a) or a == 0
              else round_to(Fraction(a), F32))
componentwise('D2I', 'd>i', lambda a: to_int(a, *I32))
componentwise('D2U', 'd>u', lambda a: to_int(a, *U32))
componentwise('U642F', 'q>f', lambda a: int_to_float(a, F32))
componentwise('I642F', 'l>f', lambda a: int_to_float(a, F32))
componentwise('D2I64', 'd>l', lambda a: to_int(a, *I64))
componentwise('D2U64', 'd>q', lambda a: to_int(a, *U64))
componentwise('I642D', 'l>d', lambda a: int_to_float(a, F64))
componentwise('U642D', 'q>d', lambda a: int_to_float(a, F64))

# ---- sines, over the range that they are promised for ------------------------

ANGLES = [0.0, -0.0, 0.5, 1.0, -1.0, 1.5707964, 3.1415927, -3.1415927, 6.2831855,
          100.0, -100.0, 314.15927, -314.15927, 0.0001, 22.0, 200.5]


def write_angles(name, formula, dialects, folder):
    for dialect in dialects:
        out = 'xyzw' if name == 'SCS' else 'x'
        text = shader(['%s OUT[0], IN[0].xxxx' % name], 1)
        file = File(file_name(name, dialect, dialects), dialect, text, name)
        values = [bits_f(f_bits(v)) for v in ANGLES] + [INF, -INF, NAN, TINY]
        for group in chunks(values, LANES):
            file.add([[[word(f_bits(v)) if v == v else 'nan', '0', '0', '0']
                       for v in group]],
                     [[value_word('f', f_bits(r)) for r in formula(v)] for v in group],
                     '', TRIG)
        file.write(folder)


def file_name(name, dialect, dialects):
    return name if dialect == 2019 or len(dialects) == 1 else '%s-%d' % (name, dialect)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, kinds, formula, dialects, form, tolerance in TESTS:
        others = sum(len(t[3]) for t in TESTS if t[0] == name)
        for dialect in dialects:
            file = name if dialect == 2019 or others == 1 else '%s-%d' % (name, dialect)
            if form == 'componentwise':
                write_componentwise(name, kinds, formula, dialect, folder, file)
            elif form == 'scalar':
                write_scalar(name, kinds, formula, dialect, folder, file, tolerance)
            else:
                write_vector(name, kinds, formula, dialect, folder, file, tolerance)
    write_angles('SIN', lambda a: [sin(a)] * 4, (2019,), folder)
    write_angles('COS', lambda a: [cos(a)] * 4, (2019,), folder)
    write_angles('SCS', lambda a: [cos(a), sin(a), 0.0, 1.0], (2010,), folder)


main()
