# SPDX-License-Identifier: MIT
#
# Writes golden tests, in the form that tests/tegra/golden.h describes.
from floats import text

LICENCE = '// SPDX-License-Identifier: MIT\n//\n// Made by tests/tegra/model/main.py.\n'

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


def letters(swizzle):
    return ''.join('xyzw'[swizzle >> shift & 3] for shift in (6, 4, 2, 0))


def mask_letters(mask):
    return ''.join(letter if mask >> 3 - i & 1 else '*'
                   for i, letter in enumerate('xyzw'))


def truth(value):
    return 1.0 if value else 0.0
