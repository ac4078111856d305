#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles what a page says of the assembly language: blocks between ``` marks
tagged tegra, which must assemble without a complaint, and rows of tables whose
two cells are instructions, which must have the same words. Every name of
pseudo.def and expansions.def must have such a row. A block tagged tgsi is what
the block before it is decompiled to.

    run_tegra.py TUNGSTEN PAGE TABLE...
"""
import pathlib
import re
import subprocess
import sys

tungsten, page, *tables = sys.argv[1:]
text = pathlib.Path(page).read_text()
blocks = re.findall(r"^```tegra\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
rows = re.findall(r"^\| `(EXEC.*?)` \| `(EXEC.*?)` \|$", text, re.MULTILINE)
failed = 0


def assemble(source):
    """Words and constants, or None, and what was said of it."""
    result = subprocess.run(
        [tungsten, "tegra", "as", "--format=c", "-"],
        input=source,
        capture_output=True,
        text=True,
    )
    return result.stdout if result.returncode == 0 else None, result.stderr


def expect(is_right, message):
    global failed
    if not is_right:
        print(message)
        failed += 1


for block in blocks:
    words, said = assemble(block)
    expect(words and not said, said)
for source, shader in re.findall(
    r"^```tegra\n(.*?)^```\n\n```tgsi\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
):
    result = subprocess.run(
        [tungsten, "tegra", "dis", "--tgsi", "-"],
        input=source.split("```tegra\n")[-1],
        capture_output=True,
        text=True,
    )
    expect(result.stdout == shader, result.stdout + result.stderr)
for written, is_this in rows:
    words, said = assemble(written)
    expect(words is not None, said)
    expect(words == assemble(is_this)[0], f"{written} is not {is_this}")
for table in tables:
    names = re.findall(
        r"^TEGRA_\w+\((\w+), +([VS])",
        pathlib.Path(table).read_text(),
        re.MULTILINE,
    )
    expect(names, f"{table} has no rows")
    for name, unit in names:
        name += unit.lower()
        is_there = any(re.search(rf"\b{name}\b", row[0]) for row in rows)
        expect(is_there, f"{page} does not explain {name}")
if not blocks or not rows:
    sys.exit(f"{page} has no examples")
sys.exit(1 if failed else 0)
