# SPDX-License-Identifier: MIT
#
# What is written, and where execution goes: swizzles, masks, predicates in all
# states of the conditions, and registers that are none.
from floats import NAN
from golden import File, letters, mask_letters, truth

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


def write(folder):
    aborts(folder)
    swizzles(folder)
    masks(folder)
    predicate_writes(folder)
    predicate_jumps(folder)
