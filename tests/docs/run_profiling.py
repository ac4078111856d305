#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what docs/profiling.md shows in a shell, from the top of the project, and
compares what is printed but for times: each number with a point is as good as any,
and so is the order of a table's rows, and whether a thread had to wait.

    run_profiling.py TUNGSTEN SOURCE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

tungsten, source = (pathlib.Path(a).resolve() for a in sys.argv[1:])
page = (source / "docs" / "profiling.md").read_text()
blocks = re.findall(r"^```sh\n(.*?)^```$\n\n```text\n(.*?)^```$", page, re.M | re.S)
assert len(blocks) == 2, blocks


def mask(text):
    """The tables, of each its rows in the order of their text."""
    lines = [re.sub(r" +", " ", re.sub(r"\b[0-9]+\.[0-9]+\b", "T", line))
             for line in text.splitlines() if not line.startswith("waits for")]
    return [sorted(table.splitlines()) for table in "\n".join(lines).split("\n\n")]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "examples").symlink_to(source / "examples")
        (folder / "build").mkdir()
        for command, expected in blocks:
            done = subprocess.run(
                ["sh", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, check=False,
                env=dict(os.environ, PATH=f"{tungsten.parent}:{os.environ['PATH']}"))
            assert done.returncode == 0, done.stdout
            assert mask(done.stdout) == mask(expected), f"{command}prints\n{done.stdout}"


main()
