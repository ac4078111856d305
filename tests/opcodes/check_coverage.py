#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Every opcode that executes has a golden test: reads the table from
# `tungsten opcodes --tsv` and the .tgsi_test files of the folders given.
#
# usage: check_coverage.py TUNGSTEN FOLDER...
import re
import subprocess
import sys
from pathlib import Path

table = subprocess.run([sys.argv[1], 'opcodes', '--tsv'], check=True,
                       capture_output=True, text=True).stdout.splitlines()
columns = table[0].split('\t')
rows = [dict(zip(columns, line.split('\t'))) for line in table[1:]]
executes = {row['name'] for row in rows if row['status'] == 'executes'}

tested = set()
for folder in sys.argv[2:]:
    for path in Path(folder).glob('*.tgsi_test'):
        tested |= set(re.findall(r'^ *\d+: +([A-Z0-9_]+?)(?:_SAT)?(?:_PRECISE)?\b',
                                 path.read_text(), re.MULTILINE))
missing = sorted(executes - tested)
for name in missing:
    print('no golden test has', name)
print('%d opcodes execute, %d of them are tested' %
      (len(executes), len(executes) - len(missing)))
sys.exit(bool(missing) or not executes)
