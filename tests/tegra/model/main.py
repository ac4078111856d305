#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# A model of the vertex unit, written from the equations of its specification
# and sharing nothing with the program. It writes golden tests: each opcode with
# ordinary and special values, each predicate in each state of the conditions,
# all swizzles and masks, all registers that abort, random programs, given as
# words that it encodes itself, and random text with the words that it stands
# for.
#
# usage: main.py FOLDER
import sys
from pathlib import Path

import opcodes
import random_programs
import random_text
import writes


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for part in (opcodes, writes, random_programs, random_text):
        part.write(folder)


main()
