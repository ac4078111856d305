#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A dispatch or a check of files that takes more than a second shows a bar on a
terminal, and takes it away; elsewhere it prints nothing. Skipped, with status 77, where the machine
has no pseudo-terminals.

    test_progress.py TUNGSTEN
"""
import re
import subprocess
import sys
import tempfile
import time

import terminal

SHADER = """COMP
IMM[0] UINT32 {0, 1, 2000, 0}
DCL TEMP[0]
  0: MOV TEMP[0].x, IMM[0].xxxx
  1: BGNLOOP
  2:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  3:   USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz
  4:   UIF TEMP[0].yyyy
  5:     BRK
  6:   ENDIF
  7: ENDLOOP
  8: END
"""


def run_on_terminal(command):
    """What it prints there, its status, and the seconds it took."""
    begin = time.monotonic()
    printed, status = terminal.run(command)
    return printed, status, time.monotonic() - begin


def check_files(tungsten):
    """A check whose first file takes long to come, and whose last is missing."""
    with tempfile.NamedTemporaryFile("w", suffix=".tgsi") as file:
        file.write("VERT\n  0: END\n")
        file.flush()
        command = f"(sleep 3; cat {file.name}) | {tungsten} check - {file.name}"
        printed, status = terminal.run(["sh", "-c", command + " no-file no-file"])
        # One file of four was read when the bar came, and it went before the
        # complaint.
        bar = "\r[" + "#" * 10 + "." * 30 + "]  25%"
        complaint = "tungsten: cannot read 'no-file': No such file or directory"
        gone = "\r" + " " * 47 + "\r"
        assert printed == bar + gone + f"{complaint}\r\n" * 2, repr(printed)
        assert status == 1, status


def main():
    tungsten = sys.argv[1]
    if not terminal.is_there():
        print("there are no pseudo-terminals here")
        sys.exit(77)
    with tempfile.NamedTemporaryFile("w", suffix=".tgsi") as file:
        file.write(SHADER)
        file.flush()
        limits = ["--threads=1", "--work=0"]
        command = [tungsten, "dispatch", file.name, *limits, "--grid"]

        # As many blocks as take long enough here and now.
        blocks, seconds = 1000, 0
        while seconds < 1.2:
            printed, status, seconds = run_on_terminal([*command, str(blocks)])
            assert status == 0, status
            assert seconds > 0.9 or printed == "", repr(printed)
            blocks = int(blocks * 1.5 / max(seconds, 0.01)) + 1

        bars = re.findall(r"\r\[([#.]{40})\] +(\d+)%", printed)
        assert bars, repr(printed)
        percents = [int(percent) for _, percent in bars]
        assert percents == sorted(percents) and percents[-1] <= 100, percents
        for bar, percent in bars:
            assert abs(bar.count("#") - int(percent) * 0.4) <= 1, (bar, percent)
        assert printed.endswith("\r" + " " * 47 + "\r"), repr(printed)

        done = subprocess.run(
            [*command, str(blocks)], capture_output=True, check=True
        )
        assert done.stdout == b"" and done.stderr == b"", done
    check_files(tungsten)


main()
