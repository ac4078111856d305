# SPDX-License-Identifier: MIT
#
# Random text, with the words that it stands for.
import random

from golden import File, letters, mask_letters
from unit import encode, instruction

VECTOR_FORMS = {  # name: number, sources
    'MOV': (1, 'a'), 'MUL': (2, 'ab'), 'ADD': (3, 'ac'), 'MAD': (4, 'abc'),
    'DP3': (5, 'ab'), 'DPH': (6, 'ab'), 'DP4': (7, 'ab'), 'DST': (8, 'ab'),
    'MIN': (9, 'ab'), 'MAX': (10, 'ab'), 'SLT': (11, 'ab'), 'SGE': (12, 'ab'),
    'FRC': (14, 'a'), 'FLR': (15, 'a'), 'SEQ': (16, 'ab'), 'SFL': (17, ''),
    'SGT': (18, 'ab'), 'SLE': (19, 'ab'), 'SNE': (20, 'ab'), 'STR': (21, ''),
    'SSG': (22, 'a')}
SCALAR_FORMS = {'MOV': 1, 'RCP': 2, 'RCC': 3, 'RSQ': 4, 'EXP': 5, 'LOG': 6,
                'LIT': 7, 'LG2': 13, 'EX2': 14, 'SIN': 15, 'COS': 16}


class Text:
    """One instruction, as text and as the fields that grate's assembler sets:
    all sources of type 0 with identical swizzles, no export, no destination
    where a NOP is written out, else 0 (vectors.def has examples)."""

    def __init__(self, generator):
        self.random = generator
        self.fields = instruction(ra_swz=0x1b, rb_swz=0x1b, rc_swz=0x1b,
                                  p_swz=0x1b, export_index=31)
        self.address = generator.randrange(4)
        self.attribute, self.constant = (generator.randrange(16),
                                         generator.randrange(1024))
        self.relative = {name: generator.random() < 0.3
                         for name in ('attr', 'const', 'export')}

    def chance(self, probability):
        return self.random.random() < probability

    def index(self, name, number):
        if not self.relative[name]:
            return str(number)
        self.fields[name + '_rel'] = 1
        self.fields['a_sel'] = self.address
        base = 'A0.' + 'xyzw'[self.address]
        return base if number == 0 else f'{base} + {number}'

    def source(self, name):
        fields, kind = self.fields, self.random.choice([1, 1, 2, 3])
        fields[name + '_type'] = kind
        if kind == 1:
            fields[name + '_index'] = self.random.randrange(32)
            written = f"r{fields[name + '_index']}"
        elif kind == 2:
            fields['attr_index'] = self.attribute
            written = f"a[{self.index('attr', self.attribute)}]"
        else:
            fields['const_index'] = self.constant
            written = f"c[{self.index('const', self.constant)}]"
        fields[name + '_swz'] = self.random.randrange(256)
        written += '.' + letters(fields[name + '_swz'])
        fields[name + '_abs'] = int(self.chance(0.3))
        fields[name + '_neg'] = int(self.chance(0.3))
        if fields[name + '_abs']:
            written = f'abs({written})'
        return '-' + written if fields[name + '_neg'] else written

    def destination(self, unit):
        self.fields[unit + '_rd'] = self.random.choice([*range(32), 63])
        self.fields[unit + '_mask'] = self.random.randrange(1, 16)
        return (f"r{self.fields[unit + '_rd']}."
                + mask_letters(self.fields[unit + '_mask']))

    def vector(self):
        if self.chance(0.15):
            self.fields['v_rd'] = 63
            return 'NOPv'
        if self.chance(0.15):
            self.fields['v_op'] = self.random.choice([13, 23])
            self.fields['v_mask'] = self.random.randrange(1, 16)
            name = 'ARL' if self.fields['v_op'] == 13 else 'ARR'
            return (f"{name}v A0.{mask_letters(self.fields['v_mask'])}, "
                    + self.source('ra'))
        name = self.random.choice(list(VECTOR_FORMS))
        self.fields['v_op'], sources = VECTOR_FORMS[name]
        operands = [self.destination('v')]
        operands += [self.source('r' + letter) for letter in sources]
        return f"{name}v {', '.join(operands)}"

    def scalar(self):
        if self.fields['v_op'] in (3, 4) or self.chance(0.2):
            self.fields['s_rd'] = 63
            return 'NOPs'
        if self.chance(0.2):
            name, self.fields['s_op'] = self.random.choice(
                [('BRA', 9), ('CAL', 11)])
            self.fields['s_rd'] = 63
            self.fields['rc_swz'] = self.random.randrange(256)
            return f"{name}s {self.fields['rc_swz']}"
        name = self.random.choice(list(SCALAR_FORMS))
        self.fields['s_op'] = SCALAR_FORMS[name]
        return f"{name}s {self.destination('s')}, {self.source('rc')}"

    def options(self):
        written = []
        if self.chance(0.5):
            self.fields['export_index'] = self.random.randrange(16)
            self.fields['export_vec'] = self.random.randrange(2)
            unit = ('scalar', 'vector')[self.fields['export_vec']]
            where = self.index('export', self.fields['export_index'])
            written.append(f'(export[{where}]={unit})')
        for field, word in (('p_lt', 'lt'), ('p_eq', 'eq'), ('p_gt', 'gt'),
                            ('cc', 'cc'), ('cs', 'cs'), ('cwr', 'cwr'),
                            ('sat', 'saturate'), ('bit120', 'bit120'),
                            ('cr', 'cr=1')):
            if self.chance(0.3):
                self.fields[field] = 1
                written.append(f'({word})')
        if self.chance(0.3):
            self.fields['p_swz'] = self.random.randrange(256)
            written.append(f"(p.{letters(self.fields['p_swz'])})")
        self.random.shuffle(written)
        return ''.join(written)

    def write(self):
        slots = [self.vector(), self.scalar()]
        if self.chance(0.2):
            slots.reverse()
        return f"EXEC{self.options()} {' '.join(slots)};"


def write(folder):
    """What the assembler makes of text; none of it is executed."""
    generator = random.Random(3)
    file = File()
    for number in range(8):
        instructions = [Text(generator) for _ in range(255)]
        lines = [each.write() for each in instructions]
        file.case(f'random text {number}')
        file.lines.append('// vertex\n')
        file.program('EXEC_END NOPv NOPs;')
        for i, (each, line) in enumerate(zip(instructions, lines), 1):
            words = '%08x %08x %08x %08x' % encode(each.fields)
            file.program(f'// expect words[{i}] = {words}', line)
    file.write(folder, 'random-text')
