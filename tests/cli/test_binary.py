#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is not text does not go to a terminal: a line names the option that takes
it to a file, the status is 1, and nothing else is printed. Text does go there,
and everything goes into a pipe. Skipped, with status 77, where the machine has
no pseudo-terminals.

    test_binary.py TUNGSTEN
"""
import os
import subprocess
import sys
import tempfile

import terminal

SHADER = """VERT
DCL IN[0]
DCL OUT[0], POSITION
  0: MOV OUT[0], IN[0]
  1: END
"""
KERNEL = """COMP
DCL BUFFER[0]
IMM[0] UINT32 {0, 7, 0, 0}
  0: STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy
  1: END
"""
SCENE = """[test]
clear color 1 0 0 1
"""
REFUSAL = (
    "tungsten: standard output is a terminal, and this is not text; "
    "-o FILE names a file for it\r\n"
)

BINARY = [
    ["as", "shader.tgsi"],
    ["as", "shader.tgsi", "-o", "-"],
    ["render", "scene.tgsi_test", "-o", "-"],
    ["dispatch", "kernel.tgsi", "--zeros", "0=4", "-o", "0=-"],
    ["tegra", "compile", "shader.tgsi", "--format=bin"],
]
TEXT = [
    ["as", "shader.tgsi", "--format=hex", "-o", "-"],
    ["fmt", "shader.tgsi"],
    ["tegra", "compile", "shader.tgsi", "--format=hex", "-o", "-"],
]


def main():
    tungsten = os.path.abspath(sys.argv[1])
    if not terminal.is_there():
        print("there are no pseudo-terminals here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in (
            ("shader.tgsi", SHADER),
            ("kernel.tgsi", KERNEL),
            ("scene.tgsi_test", SCENE),
        ):
            with open(name, "w") as file:
                file.write(text)
        for arguments in BINARY:
            printed, status = terminal.run([tungsten, *arguments])
            assert (printed, status) == (REFUSAL, 1), (arguments, printed, status)
            done = subprocess.run([tungsten, *arguments], stdout=subprocess.PIPE)
            assert done.returncode == 0 and b"\0" in done.stdout, arguments
        for arguments in TEXT:
            printed, status = terminal.run([tungsten, *arguments])
            assert printed and status == 0, (arguments, printed, status)
            assert "\0" not in printed and REFUSAL not in printed, arguments


main()
