#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# A model of the vertex unit, written from the equations of its specification
# and sharing nothing with the program. It writes golden tests: each opcode with
# ordinary and special values, each predicate in each state of the conditions,
# all swizzles and masks, all registers that abort, and random programs, given as
# words that it encodes itself.
#
# usage: model.py FOLDER
import random
import sys
from pathlib import Path

from model_numbers import (INF, NAN, add, bits, div, dot3, dot4, exp2, floor,
                           from_bits, is_nan, log2, mul, power, single, sqrt,
                           sub, text, trigonometric)
from model_unit import FIELDS, Unit, encode, instruction, reciprocal_clamped

LICENCE = '// SPDX-License-Identifier: MIT\n//\n// Made by tests/tegra/model.py.\n'

# ---- writing -----------------------------------------------------------------


class File:
    def __init__(self, covers=''):
        self.lines = [LICENCE + (f'// covers: {covers}\n' if covers else '')]

    def case(self, name, constants=None, notes=()):
        self.lines.append(f'\n// case {name}\n')
        self.lines += [f'// {note}\n' for note in notes]
        for index, values in sorted((constants or {}).items()):
            self.lines.append(f'// c[{index}] = {vector(values)}\n')

    def vertex(self, attributes):
        self.lines.append('// vertex\n')
        for index, values in sorted(attributes.items()):
            self.lines.append(f'// a[{index}] = {vector(values)}\n')

    def expect(self, what, values):
        self.lines.append(f'// expect {what} = {vector(values)}\n')

    def program(self, *lines):
        self.lines += [line + '\n' for line in lines]

    def write(self, folder, name):
        (folder / f'{name}.tegra_test').write_text(''.join(self.lines))


def vector(values):
    return ' '.join(value if isinstance(value, str) else text(value)
                    for value in values)


def in_fours(items):
    """Lists of four; the last is filled with its last item."""
    for i in range(0, len(items), 4):
        chunk = items[i:i + 4]
        yield chunk + [chunk[-1]] * (4 - len(chunk))


# ---- opcodes -----------------------------------------------------------------

SPECIAL = [from_bits(word) for word in (
    0x00000000, 0x80000000,  # zeros
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff,  # denormals
    0x00800000, 0x80800000,  # the least that are none
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0xbf800001,
    0x3f000000, 0xbf000000, 0x3fc00000, 0xc0490fdb, 0x42f6e979,
    0x4b000001, 0xcb000001,  # no fraction fits from here on
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000)]


def least(a, b):
    if is_nan(a) or is_nan(b):
        return NAN
    return '0~0' if a == b == 0 else min(a, b)


def greatest(a, b):
    if is_nan(a) or is_nan(b):
        return NAN
    return '0~0' if a == b == 0 else max(a, b)


def truth(value):
    return 1.0 if value else 0.0


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


def opcodes(folder):
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


# ---- registers that abort ----------------------------------------------------

def aborts(folder):
    """Each register number that is none, in instructions that use the operand
    and in a NOP, which does not; nothing of the instruction is done."""
    users = {'ra_index': 'MOVv r0.xyzw, r1.xyzw NOPs',
             'rb_index': 'MULv r0.xyzw, r1.xyzw, r1.xyzw NOPs',
             'rc_index': 'NOPv MOVs r0.xyzw, r1.xyzw',
             'v_rd': 'MOVv r0.xyzw, r1.xyzw NOPs',
             's_rd': 'NOPv MOVs r0.xyzw, r1.xyzw',
             'export_index': 'MOVv r0.xyzw, r1.xyzw NOPs'}
    file = File('end bad register, end bad export')
    for field, user in users.items():
        first, last = {'export_index': (16, 30), 'v_rd': (32, 62),
                       's_rd': (32, 62)}.get(field, (32, 63))
        end = 'bad export' if field == 'export_index' else 'bad register'
        for number in range(first, last + 1):
            for slots in (user, 'NOPv NOPs'):
                file.case(f'{field} {number} of {slots.split(",")[0]}')
                file.vertex({0: [1.0, 2.0, 3.0, 4.0]})
                file.expect('export[0]', [1.0, 2.0, 3.0, 4.0])
                file.expect('r[0]', [0.0] * 4)
                file.lines.append(f'// expect end = {end}\n')
                file.program(
                    'EXEC(export[0]=vector) MOVv r1.xyzw, a[0].xyzw NOPs;',
                    f'EXEC({field}={number}) {slots};',
                    'EXEC_END(export[1]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;')
    file.write(folder, 'aborts')


# ---- swizzles and masks ------------------------------------------------------

def letters(swizzle):
    return ''.join('xyzw'[swizzle >> shift & 3] for shift in (6, 4, 2, 0))


def mask_letters(mask):
    return ''.join(letter if mask >> 3 - i & 1 else '*'
                   for i, letter in enumerate('xyzw'))


def swizzled(values, swizzle):
    return [values['xyzw'.index(letter)] for letter in letters(swizzle)]


def swizzles(folder):
    """All of them for each source, and for the condition: there, component k is
    less than 0 in vertex k, and the others are not."""
    values = [1.0, 2.0, 3.0, 4.0]
    forms = [
        ('rA', 'EXEC(export[{i}]=vector) MOVv r63.xyzw, a[0].{s} NOPs;'),
        ('rB', 'EXEC(export[{i}]=vector) MULv r63.xyzw, a[1].xxxx, a[1].{s} NOPs;'),
        ('rC', 'EXEC(export[{i}]=scalar) NOPv MOVs r63.xyzw, a[0].{s};'),
    ]
    file = File()
    for first in range(0, 256, 16):
        for title, form in forms:
            file.case(f'{title} from {letters(first)}')
            file.vertex({0: values, 1: values})
            for i in range(16):
                file.expect(f'export[{i}]', swizzled(values, first + i))
            file.program(*(form.format(i=i, s=letters(first + i))
                           for i in range(16)), 'EXEC_END NOPv NOPs;')
        file.case(f'the condition from {letters(first)}')
        for less in range(4):
            state = [-1.0 if i == less else 1.0 for i in range(4)]
            file.vertex({0: state, 1: values})
            for i in range(16):
                chosen = swizzled(state, first + i)
                file.expect(f'export[{i}]', [v if c < 0 else 0.0
                                             for v, c in zip(values, chosen)])
        file.program('EXEC(cs)(cwr) MOVv r63.xyzw, a[0].xyzw NOPs;',
                     *(f'EXEC(export[{i}]=vector)(cc)(lt)(p.{letters(first + i)}) '
                       'MOVv r63.xyzw, a[1].xyzw NOPs;' for i in range(16)),
                     'EXEC_END NOPv NOPs;')
    file.write(folder, 'swizzles')


def masks(folder):
    """All pairs of a vector and a scalar mask, into different registers and
    into the same one."""
    a, b = [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]

    def kept(values, mask, otherwise=None):
        rest = otherwise or [0.0] * 4
        return [v if m != '*' else o
                for v, o, m in zip(values, rest, mask_letters(mask))]

    file = File()
    for v_mask in range(16):
        file.case(f'vector mask {mask_letters(v_mask)}')
        file.vertex({0: a, 1: b})
        lines = ['EXEC MOVv r31.xyzw, a[1].xyzw NOPs;']
        for s_mask in range(15):
            file.expect(f'r[{s_mask}]', kept(a, v_mask))
            file.expect(f'r[{15 + s_mask}]', kept(b, s_mask))
            lines.append(f'EXEC(v_mask={v_mask})(s_mask={s_mask}) '
                         f'MOVv r{s_mask}.xyzw, a[0].xyzw '
                         f'MOVs r{15 + s_mask}.xyzw, r31.xyzw;')
        file.program(*lines, 'EXEC_END NOPv NOPs;')
        file.case(f'vector mask {mask_letters(v_mask)}, the same register')
        file.vertex({0: a, 1: b})
        lines = ['EXEC MOVv r31.xyzw, a[1].xyzw NOPs;']
        for s_mask in range(16):
            file.expect(f'r[{s_mask}]', kept(a, v_mask, kept(b, s_mask)))
            lines.append(f'EXEC(v_mask={v_mask})(s_mask={s_mask}) '
                         f'MOVv r{s_mask}.xyzw, a[0].xyzw '
                         f'MOVs r{s_mask}.xyzw, r31.xyzw;')
        file.program(*lines, 'EXEC_END NOPv NOPs;')
    file.write(folder, 'masks')


# ---- predicates --------------------------------------------------------------

STATES = {'<': -2.0, '=': 0.0, '>': 3.0, '?': NAN}


def passes(state, lt, eq, gt):
    if state == '?':
        return (lt and gt and not eq) or (lt and eq and gt)
    return {'<': lt, '=': eq, '>': gt}[state]


def subsets():
    for subset in range(8):
        bits3 = [bool(subset & 4), bool(subset & 2), bool(subset & 1)]
        names = ''.join(f'({name})' for name, on in zip(('lt', 'eq', 'gt'),
                                                        bits3) if on)
        yield subset, bits3, names


def all_states():
    return [(a, b, c, d) for a in STATES for b in STATES for c in STATES
            for d in STATES]


def predicate_writes(folder):
    """All subsets in all states: exports of the vector unit to 0 to 7, of the
    scalar unit to 8 to 15, each with a register beside it; of CR1 while CR0
    says otherwise, and the other way round."""
    values = [1.0, 2.0, 3.0, 4.0]
    file = File()
    for cr in (0, 1):
        file.case(f'writes by CR{cr}')
        for states in all_states():
            file.vertex({0: [STATES[s] for s in states], 1: values})
            file.expect(f'CR[{cr}]', states)
            for subset, wanted, _ in subsets():
                row = [v if passes(s, *wanted) else 0.0
                       for v, s in zip(values, states)]
                for what in (f'export[{subset}]', f'r[{subset}]',
                             f'export[{subset + 8}]', f'r[{subset + 8}]'):
                    file.expect(what, row)
        lines = [f'EXEC(cs)(cwr)(cr={1 - cr}) STRv r63.xyzw NOPs;',
                 f'EXEC(cs)(cwr)(cr={cr}) MOVv r63.xyzw, a[0].xyzw NOPs;']
        for subset, _, names in subsets():
            lines.append(f'EXEC(export[{subset}]=vector)(cc)(cr={cr}){names} '
                         f'MOVv r{subset}.xyzw, a[1].xyzw NOPs;')
            lines.append(f'EXEC(export[{subset + 8}]=scalar)(cc)(cr={cr}){names} '
                         f'NOPv MOVs r{subset + 8}.xyzw, a[1].xyzw;')
        file.program(*lines, 'EXEC_END NOPv NOPs;')
    file.write(folder, 'predicate-writes')


def predicate_jumps(folder):
    """All subsets in all states: a jump goes around the export of its number.
    With a swizzle of one component only that one counts."""
    file = File()
    for letter in ('xyzw', 'xxxx', 'yyyy', 'zzzz', 'wwww', 'wzyx'):
        looked_at = sorted({'xyzw'.index(l) for l in letter})
        for jump in ('BRA', 'CAL'):
            file.case(f'{jump} by {letter}')
            for states in all_states()[::1 if letter == 'xyzw' else 7]:
                file.vertex({0: [STATES[s] for s in states]})
                for subset, wanted, _ in subsets():
                    taken = any(passes(states[i], *wanted) for i in looked_at)
                    file.expect(f'export[{subset}]', [truth(not taken)] * 4)
                    if jump == 'CAL':
                        file.expect(f'export[{subset + 8}]', [truth(taken)] * 4)
            lines = ['EXEC(cs)(cwr) MOVv r63.xyzw, a[0].xyzw NOPs;']
            # A call comes back to the export; CR1 is equal unless it did, and
            # then that export is not written.
            for subset, _, names in subsets():
                lines.append(f'EXEC{names}(p.{letter}) NOPv {jump}s over{subset};')
                if jump == 'CAL':
                    lines.append(f'EXEC(export[{subset}]=vector)(cc)(eq)(cr=1) '
                                 'STRv r63.xyzw NOPs;')
                    lines.append('EXEC(cs)(cwr)(cr=1) SFLv r63.xyzw NOPs;')
                else:
                    lines.append(f'EXEC(export[{subset}]=vector) '
                                 'STRv r63.xyzw NOPs;')
                    lines.append(f'over{subset}:')
            lines.append('EXEC_END NOPv NOPs;')
            for subset, _, _ in subsets() if jump == 'CAL' else ():
                lines += [f'over{subset}:',
                          f'EXEC(export[{subset + 8}]=vector)(cs)(cwr)(cr=1) '
                          'STRv r63.xyzw NOPs;',
                          'EXEC(gt)(cr=1) NOPv RETs;']
            file.program(*lines)
    file.write(folder, 'predicate-jumps')


# ---- random programs ---------------------------------------------------------

def random_value(generator):
    if generator.random() < 0.15:
        return generator.choice(SPECIAL)
    return round(generator.uniform(-6, 6) * 4) / 4


def random_vector(generator):
    return [random_value(generator) for _ in range(4)]


# What no document orders is left out: what loads or moves A0 by both units, or
# sets conditions without a result, jumps beside the stack. Transcendental
# functions are left out because their last bits are not defined.
PURE_VECTOR = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19,
               20, 21, 22]
PURE_SCALAR = [0, 0, 1, 1, 2, 3, 4]
ADDRESS_VECTOR = [13, 13, 23, 24]


def random_pure(generator, fields):
    fields.update(v_op=generator.choice(PURE_VECTOR),
                  s_op=generator.choice(PURE_SCALAR),
                  sat=generator.random() < 0.15,
                  cs=generator.random() < 0.3, cwr=generator.random() < 0.7,
                  export_vec=generator.random() < 0.5,
                  v_rd=generator.choice([0, 1, 2, 3, 4, 5, 31, 63]),
                  s_rd=generator.choice([0, 1, 2, 3, 4, 5, 31, 63]))
    if generator.random() < 0.5:
        fields['export_index'] = generator.randrange(16)
        fields['export_rel'] = generator.random() < 0.2


def random_address(generator, fields):
    fields.update(v_op=generator.choice(ADDRESS_VECTOR),
                  v_rd=generator.choice([0, 0, 0, 2, 30, 1, 63]))


def random_stack(generator, fields):
    push, pop = (26, 19), (27, 20)
    fields['v_op'], fields['s_op'] = generator.choice(
        [(push[0], 0), (0, push[1]), push] * 3 +
        [(pop[0], 0), (0, pop[1]), pop, (push[0], pop[1]), (pop[0], push[1])])


def random_jump(generator, fields, number, count):
    fields['s_op'] = generator.choice([9, 9, 9, 9, 11, 11, 11, 12])
    fields['v_op'] = generator.choice([0, 1, 2, 5, 9, 13])
    if fields['v_op'] == 13:
        fields['v_rd'] = 0
    if fields['s_op'] != 12:
        fields['rc_swz'] = generator.choice(
            [number + 2, number + 3, generator.randrange(count)])


def random_instruction(generator, number, count):
    fields = {name: generator.getrandbits(width)
              for name, _, width in FIELDS
              if name.endswith(('_swz', '_neg', '_abs', '_mask'))
              or name in ('p_lt', 'p_eq', 'p_gt', 'cr', 'a_sel')}
    for source in ('ra', 'rb', 'rc'):
        fields[source + '_type'] = generator.choice([1, 1, 2, 3])
        fields[source + '_index'] = generator.choice([0, 1, 2, 3, 4, 5, 31])
    fields.update(attr_index=generator.randrange(16),
                  const_index=generator.choice([0, 1, 2, 9, 254, 255, 256, 1023]),
                  attr_rel=generator.random() < 0.2,
                  const_rel=generator.random() < 0.3,
                  bit120=generator.random() < 0.1,
                  cc=generator.random() < 0.3,
                  export_index=31, v_rd=63, s_rd=63)
    kind = generator.random()
    if kind < 0.72:
        random_pure(generator, fields)
    elif kind < 0.82:
        fields['bit120'] = 0
        random_address(generator, fields)
    elif kind < 0.88:
        fields.update(bit120=0, v_mask=15)
        random_stack(generator, fields)
    else:
        random_jump(generator, fields, number, count)
    if generator.random() < 0.003:
        fields[generator.choice(['ra_index', 'rb_index', 'rc_index'])] = 40
    return instruction(**{name: int(value) for name, value in fields.items()})


def write_random_case(file, generator, number):
    count = generator.randrange(6, 24)
    program = [random_instruction(generator, i, count) for i in range(count)]
    program[-1]['end'] = 1
    constants = {i: random_vector(generator) for i in (0, 1, 2, 9, 254, 255)}
    file.case(f'random program {number}', constants,
              ('max_steps 100', 'any finding'))
    for _ in range(5):
        attributes = {i: random_vector(generator) for i in range(16)}
        unit = Unit(program, constants, attributes, 100)
        unit.run()
        file.vertex(attributes)
        file.lines.append(f'// expect end = {unit.end}\n')
        for index, values in enumerate(unit.exports):
            file.expect(f'export[{index}]', values)
        if unit.end in ('ended', 'ran off', 'out of steps'):
            file.lines.append(f'// expect A0 = {" ".join(map(str, unit.a0))}\n')
            file.lines += [f'// expect CR[{i}] = {" ".join(unit.cr[i])}\n'
                           for i in (0, 1)]
            for index in (0, 1, 2, 3, 4, 5, 31):
                file.expect(f'r[{index}]', unit.r[index])
    file.program(*('.word 0x%08x 0x%08x 0x%08x 0x%08x;' % encode(each)
                   for each in program))


def random_programs(folder):
    generator = random.Random(2)
    file = File()
    for number in range(300):
        write_random_case(file, generator, number)
    file.write(folder, 'random')


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    opcodes(folder)
    unknown_opcodes(folder)
    aborts(folder)
    swizzles(folder)
    masks(folder)
    predicate_writes(folder)
    predicate_jumps(folder)
    random_programs(folder)


main()
