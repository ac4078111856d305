# SPDX-License-Identifier: MIT
#
# Each opcode, with ordinary and special values.
import random

from floats import (INF, NAN, add, bits, div, dot3, dot4, exp2, floor,
                    from_bits, greatest, is_nan, least, log2, mul, power,
                    single, sqrt, sub, trigonometric)
from golden import File, in_fours, truth
from unit import reciprocal_clamped

SPECIAL = [from_bits(word) for word in (
    0x00000000, 0x80000000,  # zeros
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff,  # denormals
    0x00800000, 0x80800000,  # the least that are none
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0xbf800001,
    0x3f000000, 0xbf000000, 0x3fc00000, 0xc0490fdb, 0x42f6e979,
    0x4b000001, 0xcb000001,  # no fraction fits from here on
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000)]

COMPONENT_OPS = {  # of the vector unit: sources, equation
    'MOV': ('A', lambda a: a),
    'MUL': ('AB', mul),
    'ADD': ('AC', add),
    'MAD': ('ABC', lambda a, b, c: add(mul(a, b), c)),
    'MIN': ('AB', least),
    'MAX': ('AB', greatest),
    'SLT': ('AB', lambda a, b: truth(a < b)),
    'SGE': ('AB', lambda a, b: truth(a >= b)),
    'FRC': ('A', lambda a: sub(a, floor(a))),
    'FLR': ('A', floor),
    'SEQ': ('AB', lambda a, b: truth(a == b)),
    'SFL': ('', lambda: 0.0),
    'SGT': ('AB', lambda a, b: truth(a > b)),
    'SLE': ('AB', lambda a, b: truth(a <= b)),
    'SNE': ('AB', lambda a, b: truth(a != b)),
    'STR': ('', lambda: 1.0),
    'SSG': ('A', lambda a: truth(a > 0) - truth(a < 0)),
}

VECTOR_OPS = {  # those that mix components, of two vectors
    'DP3': lambda a, b: [dot3(a, b)] * 4,
    'DPH': lambda a, b: [add(dot3(a, b), a[3])] * 4,
    'DP4': lambda a, b: [dot4(a, b)] * 4,
    'DST': lambda a, b: [1.0, mul(a[1], b[1]), b[2], a[3]],
}
NV_OPS = {
    'DPH': lambda a, b: [add(dot3(a, b), b[3])] * 4,
    'DST': lambda a, b: [1.0, mul(a[1], b[1]), a[2], b[3]],
}


def combinations(count, generator):
    if count < 2:
        return [(a,) * count for a in SPECIAL]
    if count == 2:
        return [(a, b) for a in SPECIAL for b in SPECIAL]
    return [(a, b, generator.choice(SPECIAL)) for a in SPECIAL for b in SPECIAL]


def component_op(folder, name, sources, equation):
    """Four combinations a vertex, one in each component."""
    file = File(f'vector {name}')
    file.case('all pairs of special values')
    for four in in_fours(combinations(len(sources), random.Random(name))):
        file.vertex({i: [each[i] for each in four]
                     for i in range(len(sources))})
        file.expect('export[0]', [equation(*each) for each in four])
    moves = [f'EXEC MOVv r{i}.xyzw, a[{i}].xyzw NOPs;'
             for i in range(len(sources))]
    operands = ''.join(f', r{i}.xyzw' for i in range(len(sources)))
    file.program(*moves, 'EXEC_END(export[0]=vector) '
                 f'{name}v r63.xyzw{operands} NOPs;')
    file.write(folder, f'vector-{name.lower()}')


def random_vectors(generator):
    ordinary = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -7.25, single(1e-3), 123456.0]
    for i in range(120):
        values = SPECIAL if i % 3 == 0 else ordinary
        yield [[generator.choice(values) for _ in range(4)] for _ in range(2)]
    # Sums that depend on their order: 1 is lost beside 2^24 and more.
    big = 2.0 ** 24
    for order in ([big, 1.0, 1.0, -big], [1.0, 1.0, big, -big],
                  [big, -big, 1.0, 1.0], [1.0, big, 1.0, -big]):
        yield [order, [1.0, 1.0, 1.0, 1.0]]


def vector_op(folder, name, equation):
    file = File(f'vector {name}')
    readings = [('as the specification has it', equation, ())]
    if name in NV_OPS:
        readings.append(('as NV_vertex_program has it', NV_OPS[name],
                         ('nv_dst_dph',)))
    for title, formula, notes in readings:
        file.case(title, notes=notes)
        for a, b in random_vectors(random.Random(name)):
            file.vertex({0: a, 1: b})
            file.expect('export[0]', formula(a, b))
        file.program('EXEC MOVv r1.xyzw, a[1].xyzw NOPs;',
                     'EXEC_END(export[0]=vector) '
                     f'{name}v r63.xyzw, a[0].xyzw, r1.xyzw NOPs;')
    file.write(folder, f'vector-{name.lower()}')


def exponential(c):
    """The fraction of an infinity is not documented."""
    whole = floor(c)
    return [exp2(whole), '*' if abs(c) == INF else sub(c, whole), exp2(c), 1.0]


def logarithm(c):
    """What y is of 0 and of infinity is not defined."""
    a = abs(c)
    if is_nan(a):
        return [NAN, NAN, NAN, 1.0]
    if a == 0 or a == INF:
        return [-INF if a == 0 else INF, '*', -INF if a == 0 else INF, 1.0]
    exponent, significand = 0, a
    while significand >= 2:
        exponent, significand = exponent + 1, significand / 2
    while significand < 1:
        exponent, significand = exponent - 1, significand * 2
    return [float(exponent), significand, log2(a), 1.0]


def light(x, y, w):
    """A NaN is not documented here."""
    if is_nan(x):
        return [1.0, '*', '*', 1.0]
    above = x if x > 0 else '0~0'
    if not x > 0:
        return [1.0, above, 0.0, 1.0]
    if is_nan(y) or is_nan(w):
        return [1.0, above, '*', 1.0]
    return [1.0, above, power(max(y, 0.0), min(max(w, -128.0), 128.0)), 1.0]


SCALAR_OPS = {  # of the first component; a value is that of all four
    'RCP': lambda c: div(1.0, c),
    'RCC': reciprocal_clamped,
    # Of -0 the root is -0; documents name +0 only.
    'RSQ': lambda c: '*' if bits(c) == 0x80000000 else div(1.0, sqrt(c)),
    'EXP': exponential,
    'LOG': logarithm,
    'LG2': log2,
    'EX2': exp2,
    'SIN': lambda c: trigonometric('sin', c),
    'COS': lambda c: trigonometric('cos', c),
}

ARGUMENTS = SPECIAL + [
    0.1, -0.1, 0.75, 1.25, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 100.0, 1000.0, -2.0,
    -3.0, 0.25, 1.0 / 1024, 6.25, 2.5, 127.5, 128.0, -126.0, -126.5, -149.0,
    -150.5, 2.0 ** 64, 2.0 ** 65, 2.0 ** -64, -2.0 ** -65, 1.5707963, 3.1415927,
    -6.2831855, 0.7853982, 12345.678, 1e30, -1e-30]
ARGUMENTS = [single(value) for value in ARGUMENTS]


def scalar_op(folder, name, equation):
    """The argument comes from each component in turn."""
    file = File(f'scalar {name}')
    for component, letter in enumerate('xyzw'):
        file.case(f'of {letter}')
        for value in ARGUMENTS[component::1 if component == 0 else 4]:
            argument = [0.5] * 4
            argument[component] = value
            result = equation(value)
            file.vertex({0: argument})
            file.expect('export[0]',
                        result if isinstance(result, list) else [result] * 4)
        others = 'xyzw'.replace(letter, '')
        file.program('EXEC_END(export[0]=scalar) NOPv '
                     f'{name}s r63.xyzw, a[0].{letter}{others};')
    file.write(folder, f'scalar-{name.lower()}')


def scalar_mov(folder):
    file = File('scalar MOV')
    file.case('all components')
    for four in in_fours(SPECIAL):
        file.vertex({0: four})
        file.expect('export[0]', four)
        file.expect('r[1]', [four[3], four[2], four[1], four[0]])
    file.program('EXEC(export[0]=scalar) NOPv MOVs r63.xyzw, a[0].xyzw;',
                 'EXEC_END NOPv MOVs r1.xyzw, a[0].wzyx;')
    file.write(folder, 'scalar-mov')


def scalar_lit(folder):
    generator = random.Random('LIT')
    file = File('scalar LIT')
    file.case('special and random values')
    values = SPECIAL + [2.0, 3.0, 10.0, 128.0, -128.0, 129.0, -129.0, 0.25]
    for _ in range(400):
        x, y, z, w = (generator.choice(values) for _ in range(4))
        file.vertex({0: [x, y, z, w]})
        file.expect('export[0]', light(x, y, w))
    file.program('EXEC_END(export[0]=scalar) NOPv LITs r63.xyzw, a[0].xyzw;')
    file.case('swizzled: x is w, y is x, w is y')
    for x, y, w in ((1.0, 2.0, 3.0), (2.0, 3.0, 2.0), (-1.0, 2.0, 3.0)):
        file.vertex({0: [y, w, 99.0, x]})
        file.expect('export[0]', light(x, y, w))
    file.program('EXEC_END(export[0]=scalar) NOPv LITs r63.xyzw, a[0].wxzy;')
    file.write(folder, 'scalar-lit')


def known_opcodes(folder):
    for name, (sources, equation) in COMPONENT_OPS.items():
        component_op(folder, name, sources, equation)
    for name, equation in VECTOR_OPS.items():
        vector_op(folder, name, equation)
    for name, equation in SCALAR_OPS.items():
        scalar_op(folder, name, equation)
    scalar_mov(folder)
    scalar_lit(folder)


def unknown_opcodes(folder):
    """Those of no known meaning end the program, whatever stands beside."""
    names = {('v', 25): 'TXL', ('s', 8): 'BRX', ('s', 10): 'CLX',
             ('s', 17): 'BRB', ('s', 18): 'CLB'}
    numbers = [('v', i) for i in (25, 28, 29, 30, 31)]
    numbers += [('s', i) for i in (8, 10, 17, 18, *range(21, 32))]
    file = File(', '.join(
        f'{"vector" if unit == "v" else "scalar"} {names.get((unit, i), i)}'
        for unit, i in numbers) + ', end unknown opcode')
    for unit, number in numbers:
        file.case(f'{unit}_op {number}')
        file.vertex({0: [1.0, 2.0, 3.0, 4.0]})
        file.expect('export[0]', [1.0, 2.0, 3.0, 4.0])
        file.lines.append('// expect end = unknown opcode\n')
        file.program(
            'EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;',
            f'EXEC({unit}_op={number}) NOPv NOPs;',
            'EXEC_END(export[1]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;')
    file.write(folder, 'unknown-opcodes')


def write(folder):
    known_opcodes(folder)
    unknown_opcodes(folder)
