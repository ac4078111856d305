#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Every opcode that executes has a test: reads the table from
# `tungsten opcodes --tsv`, the .tgsi_test files of the folders given, and the
# strings of the C tests given, in which an opcode begins a shader's line or
# stands alone, in a table of opcodes that all are run.
#
# usage: check_coverage.py TUNGSTEN (FOLDER | FILE.c)...
import re
import subprocess
import sys
from pathlib import Path

table = subprocess.run([sys.argv[1], 'opcodes', '--tsv'], check=True,
                       capture_output=True, text=True).stdout.splitlines()
columns = table[0].split('\t')
rows = [dict(zip(columns, line.split('\t'))) for line in table[1:]]
executes = {row['name'] for row in rows if row['status'] == 'executes'}

golden_line = re.compile(r'^ *\d+: +([A-Z0-9_]+?)(?:_SAT)?\b', re.MULTILINE)
c_string = re.compile(r'"(?: *\d+:)? *([A-Z0-9_]+?)(?:_SAT)?(?:"| [A-Z]+\[)')

tested = set()
for name in sys.argv[2:]:
    if name.endswith('.c'):
        tested |= set(c_string.findall(Path(name).read_text()))
    for path in Path(name).glob('*.tgsi_test'):
        tested |= set(golden_line.findall(path.read_text()))
missing = sorted(executes - tested)
for name in missing:
    print('no test has', name)
print('%d opcodes execute, %d of them are tested' %
      (len(executes), len(executes) - len(missing)))
sys.exit(bool(missing) or not executes)
