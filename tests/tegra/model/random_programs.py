# SPDX-License-Identifier: MIT
#
# Random programs, as words, with what the unit of unit.py makes of them.
import random

from golden import File
from opcodes import SPECIAL
from unit import FIELDS, Unit, encode, instruction

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


# ---- straight on -------------------------------------------------------------

# Programs that only compute: everything is written before it is read, and
# nothing sets conditions, jumps or clamps. What has become of the registers is
# exported at the end, what of A0 by the constants that it leads to.

WRITTEN = [0, 1, 2, 3, 4, 5, 31]
TAME = range(8, 12)  # attributes that addresses are made of
MIDDLE = 30          # where constants are counted from


def move(**fields):
    return instruction(v_op=1, v_mask=15, s_rd=63, ra_swz=0x1b, rb_swz=0x1b,
                       rc_swz=0x1b, p_swz=0x1b,
                       **{'v_rd': 63, 'export_index': 31, **fields})


def load_address(**fields):
    return {**move(ra_type=2), 'v_op': 13, 'v_rd': 0, **fields}


def straight_instruction(generator):
    fields = random_instruction(generator, 0, 1)
    random_pure(generator, fields)
    if generator.random() < 0.3:
        random_address(generator, fields)
        fields.update(s_op=0, ra_type=2, attr_index=generator.choice(TAME))
    fields.update(sat=0, cs=0, cc=0, const_rel=0, attr_rel=0, export_rel=0,
                  bit120=0, export_index=31, ra_index=fields['ra_index'] & 31,
                  rb_index=fields['rb_index'] & 31,
                  rc_index=fields['rc_index'] & 31,
                  const_index=fields['const_index'] & 255)
    return {name: int(value) for name, value in fields.items()}


def straight_program(generator):
    program = [move(v_rd=r, ra_type=2, attr_index=i)
               for i, r in enumerate(WRITTEN)]
    program.append(load_address(attr_index=TAME[0]))
    program += [straight_instruction(generator)
                for _ in range(generator.randrange(4, 16))]
    program += [move(ra_type=1, ra_index=r, export_index=i, export_vec=1)
                for i, r in enumerate(WRITTEN)]
    program += [move(ra_type=3, const_index=MIDDLE, const_rel=1, a_sel=i,
                     export_index=len(WRITTEN) + i, export_vec=1)
                for i in range(4)]
    program[-1]['end'] = 1
    return program


def write_straight_case(file, generator, number):
    program = straight_program(generator)
    constants = {i: [float(i), -float(i), i / 4, 1.0]
                 for i in range(2 * MIDDLE)}
    constants.update({i: random_vector(generator) for i in (254, 255)})
    file.case(f'straight program {number}', constants, ('any finding',))
    for _ in range(5):
        attributes = {i: random_vector(generator) for i in range(16)}
        attributes.update({i: [generator.randrange(-24, 25) / 4
                               for _ in range(4)] for i in TAME})
        unit = Unit(program, constants, attributes, 100)
        unit.run()
        file.vertex(attributes)
        for index, values in enumerate(unit.exports):
            file.expect(f'export[{index}]', values)
    file.program(*('.word 0x%08x 0x%08x 0x%08x 0x%08x;' % encode(each)
                   for each in program))


def write(folder):
    generator = random.Random(2)
    file = File()
    for number in range(300):
        write_random_case(file, generator, number)
    file.write(folder, 'random')
    file = File()
    for number in range(200):
        write_straight_case(file, generator, number)
    file.write(folder, 'straight')
