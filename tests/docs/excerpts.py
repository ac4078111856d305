#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Excerpts of a program in a page: each block of C is a part of it, as it is.

    excerpts.py PAGE PROGRAM
"""
import re
import sys

page, program = (open(path).read() for path in sys.argv[1:3])
blocks = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
if not blocks:
    sys.exit(f"{sys.argv[1]}: there is no block of C")
for block in blocks:
    if block not in program:
        sys.exit(f"{sys.argv[1]}: this is not in {sys.argv[2]}:\n{block}")
