#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""On a terminal messages are in colors, unless NO_COLOR, TERM=dumb or the command
line says otherwise. Skipped, with status 77, where the machine has no
pseudo-terminals.

    test_color.py TUNGSTEN
"""
import os
import sys
import tempfile

import terminal

ESCAPE = "\33["


def main():
    tungsten = sys.argv[1]
    if not terminal.is_there():
        print("there are no pseudo-terminals here")
        sys.exit(77)
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    cases = [
        ({"TERM": "xterm"}, [], True),
        ({"TERM": "xterm", "NO_COLOR": ""}, [], True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, [], False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, ["--color=always"], True),
        ({"TERM": "xterm"}, ["--color=never"], False),
        ({"TERM": "dumb"}, [], False),
        ({}, [], False),
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".tgsi") as file:
        file.write("VERT\n  0: MVO\n")
        file.flush()
        for variables, options, is_colored in cases:
            printed, status = terminal.run(
                [tungsten, "check", *options, file.name], plain | variables
            )
            case = variables, options, printed, status
            assert status == 1 and "unknown opcode 'MVO'" in printed, case
            assert (ESCAPE in printed) == is_colored, case


main()
