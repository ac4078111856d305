# SPDX-License-Identifier: MIT
#
# The vertex unit, one instruction of a dictionary of fields after the other, as
# its specification describes it.
import math

from floats import (NAN, add, bits, div, dot3, dot4, floor, from_bits, greatest,
                    is_nan, least, mul, round_even, sqrt, sub)

# ---- words -------------------------------------------------------------------

FIELDS = [  # name, lowest bit, width
    ('end', 0, 1), ('const_rel', 1, 1), ('export_index', 2, 5), ('s_rd', 7, 6),
    ('v_mask', 13, 4), ('s_mask', 17, 4),
    ('rc_type', 21, 2), ('rc_index', 23, 6), ('rc_swz', 29, 8), ('rc_neg', 37, 1),
    ('rb_type', 38, 2), ('rb_index', 40, 6), ('rb_swz', 46, 8), ('rb_neg', 54, 1),
    ('ra_type', 55, 2), ('ra_index', 57, 6), ('ra_swz', 63, 8), ('ra_neg', 71, 1),
    ('attr_index', 72, 4), ('const_index', 76, 10), ('v_op', 86, 5),
    ('s_op', 91, 5), ('a_sel', 96, 2), ('p_swz', 98, 8), ('p_lt', 106, 1),
    ('p_eq', 107, 1), ('p_gt', 108, 1), ('cc', 109, 1), ('cs', 110, 1),
    ('v_rd', 111, 6), ('ra_abs', 117, 1), ('rb_abs', 118, 1), ('rc_abs', 119, 1),
    ('bit120', 120, 1), ('cr', 121, 1), ('sat', 122, 1), ('attr_rel', 123, 1),
    ('export_rel', 124, 1), ('cwr', 125, 1), ('export_vec', 126, 1),
    ('unused', 127, 1)]


def instruction(**fields):
    result = {name: 0 for name, _, _ in FIELDS}
    result.update(fields)
    return result


def encode(fields):
    """Four words, that with bit 127 first."""
    value = 0
    for name, lowest, width in FIELDS:
        assert 0 <= fields[name] < 1 << width, name
        value |= fields[name] << lowest
    return tuple(value >> shift & 0xffffffff for shift in (96, 64, 32, 0))


def component(swizzle, i):
    return swizzle >> (6 - 2 * i) & 3


# ---- opcodes -----------------------------------------------------------------

def each(function, *operands):
    return [function(*values) for values in zip(*operands)]


def truth(function):
    return lambda a, b: 1.0 if function(a, b) else 0.0


VECTOR = {  # number: result of rA, rB, rC
    1: lambda a, b, c: a,
    2: lambda a, b, c: each(mul, a, b),
    3: lambda a, b, c: each(add, a, c),
    4: lambda a, b, c: each(lambda x, y, z: add(mul(x, y), z), a, b, c),
    5: lambda a, b, c: [dot3(a, b)] * 4,
    6: lambda a, b, c: [add(dot3(a, b), a[3])] * 4,
    7: lambda a, b, c: [dot4(a, b)] * 4,
    8: lambda a, b, c: [1.0, mul(a[1], b[1]), b[2], a[3]],
    9: lambda a, b, c: each(least, a, b),
    10: lambda a, b, c: each(greatest, a, b),
    11: lambda a, b, c: each(truth(lambda x, y: x < y), a, b),
    12: lambda a, b, c: each(truth(lambda x, y: x >= y), a, b),
    14: lambda a, b, c: each(lambda x: sub(x, floor(x)), a),
    15: lambda a, b, c: each(floor, a),
    16: lambda a, b, c: each(truth(lambda x, y: x == y), a, b),
    17: lambda a, b, c: [0.0] * 4,
    18: lambda a, b, c: each(truth(lambda x, y: x > y), a, b),
    19: lambda a, b, c: each(truth(lambda x, y: x <= y), a, b),
    20: lambda a, b, c: each(truth(lambda x, y: x != y), a, b),
    21: lambda a, b, c: [1.0] * 4,
    22: lambda a, b, c: each(lambda x: float((x > 0) - (x < 0)), a),
}
ARL, ARR, ARA, V_PUSHA, V_POPA = 13, 23, 24, 26, 27


def reciprocal_clamped(c):
    if is_nan(c):
        return NAN
    size = min(max(abs(div(1.0, c)), 2.0 ** -64), 2.0 ** 64)
    return from_bits(bits(size) | bits(c) & 0x80000000)


SCALAR = {
    1: lambda c: c,
    2: lambda c: [div(1.0, c[0])] * 4,
    3: lambda c: [reciprocal_clamped(c[0])] * 4,
    4: lambda c: [div(1.0, sqrt(c[0]))] * 4,
}
BRA, CAL, RET, S_PUSHA, S_POPA = 9, 11, 12, 19, 20


def clamp(x):
    return 0.0 if is_nan(x) or x <= 0 else min(x, 1.0)


def to_integer(x, rounding):
    if is_nan(x) or abs(x) == math.inf:
        return 0
    return min(max(int(rounding(x)), -2 ** 31), 2 ** 31 - 1)


def state_of(x):
    return '?' if is_nan(x) else '<' if x < 0 else '>' if x > 0 else '='


# ---- running -----------------------------------------------------------------

class End(Exception):
    pass


class Unit:
    def __init__(self, program, constants, attributes, max_steps):
        self.program, self.max_steps = program, max_steps
        self.constants, self.attributes = constants, attributes
        self.r = [[0.0] * 4 for _ in range(32)]
        self.exports = [[0.0] * 4 for _ in range(16)]
        self.a0 = [0] * 4
        self.cr = [['='] * 4 for _ in range(2)]
        self.stack = []
        self.pc = 0
        self.end = None

    def run(self):
        try:
            for _ in range(self.max_steps):
                if self.pc >= len(self.program):
                    raise End('ran off')
                self.step(self.program[self.pc])
            raise End('out of steps')
        except End as end:
            self.end = str(end)

    # ---- operands ----

    def base(self, fields):
        return 0 if fields['bit120'] else self.a0[fields['a_sel']]

    def fetch(self, fields, name):
        kind = fields[name + '_type']
        raw = [0.0] * 4
        if kind == 1:
            raw = self.r[fields[name + '_index']]
        elif kind == 2:
            index = fields['attr_index']
            index += self.base(fields) if fields['attr_rel'] else 0
            raw = self.attributes.get(index, raw)
        elif kind == 3:
            index = fields['const_index']
            index += self.base(fields) if fields['const_rel'] else 0
            raw = self.constants.get(1 if index < 0 else index, raw)
        value = [raw[component(fields[name + '_swz'], i)] for i in range(4)]
        if fields[name + '_abs']:
            value = [from_bits(bits(x) & 0x7fffffff) for x in value]
        if fields[name + '_neg']:
            value = [-x for x in value]
        return value

    def passes(self, fields, i):
        state = self.cr[fields['cr']][component(fields['p_swz'], i)]
        lt, eq, gt = fields['p_lt'], fields['p_eq'], fields['p_gt']
        if state == '?':
            return bool(lt and gt)
        return bool({'<': lt, '=': eq, '>': gt}[state])

    # ---- one instruction ----

    def check(self, fields):
        if any(fields[name] >= 32 for name in ('ra_index', 'rb_index',
                                               'rc_index')):
            raise End('bad register')
        if any(32 <= fields[name] <= 62 for name in ('v_rd', 's_rd')):
            raise End('bad register')

    def step(self, fields):
        self.check(fields)
        export = fields['export_index']
        export += self.base(fields) if fields['export_rel'] else 0
        if 16 <= export <= 30:
            raise End('bad export')
        a, b, c = (self.fetch(fields, name) for name in ('ra', 'rb', 'rc'))
        vector = VECTOR[fields['v_op']](a, b, c) if fields['v_op'] in VECTOR else None
        scalar = SCALAR[fields['s_op']](c) if fields['s_op'] in SCALAR else None
        if fields['sat']:
            vector = vector and [clamp(x) for x in vector]
            scalar = scalar and [clamp(x) for x in scalar]
        gate = [not fields['cc'] or self.passes(fields, i) for i in range(4)]
        jumps = any(self.passes(fields, i) for i in range(4))
        v_on = [g and fields['v_mask'] >> 3 - i & 1 for i, g in enumerate(gate)]
        s_on = [g and fields['s_mask'] >> 3 - i & 1 for i, g in enumerate(gate)]

        new_a0 = self.address(fields, a, v_on)
        next_pc = self.flow(fields, jumps)
        for result, on, rd in ((scalar, s_on, fields['s_rd']),
                               (vector, v_on, fields['v_rd'])):
            for i in range(4):
                if result and on[i] and rd != 63:
                    self.r[rd][i] = result[i]
                if result and on[i] and fields['cs'] and fields['cwr']:
                    self.cr[fields['cr']][i] = state_of(result[i])
        result, on = (vector, v_on) if fields['export_vec'] else (scalar, s_on)
        for i in range(4):
            if result and on[i] and 0 <= export < 16:
                self.exports[export][i] = result[i]
        self.a0 = new_a0
        if next_pc is None:
            if fields['end']:
                raise End('ended')
            next_pc = self.pc + 1
        self.pc = next_pc

    def address(self, fields, a, on):
        new = list(self.a0)
        op, x = fields['v_op'], self.a0
        if op in (ARL, ARR, ARA) and fields['v_rd'] % 2 == 0:
            loaded = ([x[0] + x[2], x[1] + x[3]] * 2 if op == ARA else
                      [to_integer(v, floor if op == ARL else round_even)
                       for v in a])
            new = [n if o else old for n, o, old in zip(loaded, on, new)]
        pushes = {op == V_PUSHA, fields['s_op'] == S_PUSHA}
        pops = {op == V_POPA, fields['s_op'] == S_POPA}
        if True in pushes and True not in pops:
            self.push(list(self.a0))
        elif True in pops and True not in pushes:
            new = self.pop(list)
        return new

    def flow(self, fields, jumps):
        """The number of the next instruction, if it is a jump that is taken."""
        op = fields['s_op']
        if op not in (BRA, CAL, RET) or not jumps:
            return None
        if op == RET:
            return self.pop(int)
        if op == CAL:
            self.push(self.pc + 1)
        return fields['rc_swz']

    def push(self, entry):
        if len(self.stack) == 8:
            raise End('stack overflow')
        self.stack.append(entry)

    def pop(self, kind):
        if not self.stack:
            raise End('stack underflow')
        if not isinstance(self.stack[-1], kind):
            raise End('stack mismatch')
        return self.stack.pop()
