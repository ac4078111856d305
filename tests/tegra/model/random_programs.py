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


def write(folder):
    generator = random.Random(2)
    file = File()
    for number in range(300):
        write_random_case(file, generator, number)
    file.write(folder, 'random')
