#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of a page: blocks between ``` marks tagged tgsi_test.

    run_examples.py TUNGSTEN PAGE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

tungsten, page = sys.argv[1:]
blocks = re.findall(
    r"^```tgsi_test\n(.*?)^```$",
    pathlib.Path(page).read_text(),
    re.MULTILINE | re.DOTALL,
)
with tempfile.TemporaryDirectory() as folder:
    files = []
    for number, block in enumerate(blocks, 1):
        path = pathlib.Path(folder, f"example-{number}.tgsi_test")
        path.write_text(block)
        files.append(str(path))
    if not files:
        sys.exit(f"{page} has no examples")
    sys.exit(subprocess.run([tungsten, "test", *files]).returncode)
