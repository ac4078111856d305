#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Every semantic and every property that means something in a shader stands in a
# golden test: reads the tables of the language, and the .tgsi_test files of the
# folders given.
#
# usage: check_coverage.py SEMANTICS.DEF PROPERTIES.DEF FOLDER...
import re
import sys
from pathlib import Path

# Of what belongs to the hardware of one maker, or to an API that has no use
# here, there is nothing to show; what CULLDIST names the specification has in
# CLIPDIST.
WITHOUT_EFFECT = {
    'CULLDIST', 'CS_USER_DATA_AMD', 'VIEWPORT_MASK', 'VS_BLIT_SGPRS_AMD',
    'CS_USER_DATA_COMPONENTS_AMD', 'FS_BLEND_EQUATION_ADVANCED',
    'SEPARABLE_PROGRAM',
}


def rows(path, macro):
    """The names of each row, those that text may have."""
    for line in Path(path).read_text().splitlines():
        match = re.match(macro + r'\((\w+),.*?(?:"(\w+)")?\)$', line)
        if match:
            yield [name for name in match.groups() if name]


text = '\n'.join(path.read_text() for folder in sys.argv[3:]
                 for path in Path(folder).rglob('*.tgsi_test'))
declared = set(re.findall(r'^DCL .*?, (\w+)', text, re.MULTILINE))
declared |= set(re.findall(r'^PROPERTY (\w+)', text, re.MULTILINE))

missing = []
count = 0
for path, macro in ((sys.argv[1], 'TG_SEMANTIC'), (sys.argv[2], 'TG_PROPERTY')):
    for names in rows(path, macro):
        count += 1
        if not declared & set(names) and names[0] not in WITHOUT_EFFECT:
            missing.append(names[0])
for name in missing:
    print('no golden test has', name)
print('%d semantics and properties, %d without a test' % (count, len(missing)))
sys.exit(bool(missing) or count < 70)
