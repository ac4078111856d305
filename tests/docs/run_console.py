#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays the sessions of a page, blocks between ``` marks tagged console, one
after the other in one folder, and compares what is printed.

    run_console.py TUNGSTEN PAGE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

tungsten, page = sys.argv[1:]
player = pathlib.Path(__file__).parent.parent / "cli" / "transcript.py"
blocks = re.findall(
    r"^```console\n(.*?)^```$",
    pathlib.Path(page).read_text(),
    re.MULTILINE | re.DOTALL,
)
if not blocks:
    sys.exit(f"{page} has no sessions")
with tempfile.NamedTemporaryFile("w", suffix=".txt") as transcript:
    transcript.write("\n".join(blocks))
    transcript.flush()
    command = [sys.executable, player, tungsten, transcript.name]
    sys.exit(subprocess.run(command).returncode)
