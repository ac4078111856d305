#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the manual page of Tegra's tables with what the program lists.

    isa_page.py TUNGSTEN PAGE
"""
import pathlib
import subprocess
import sys

tungsten, page = sys.argv[1:]


def rows(table):
    listed = subprocess.run(
        [tungsten, "tegra", table, "--tsv"],
        capture_output=True,
        check=True,
        text=True,
    )
    lines = [line.split("\t") for line in listed.stdout.splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def roff(text):
    for old, new in ("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("^", "\\(ha"):
        text = text.replace(old, new)
    return text


def entry(cells):
    first = "\t".join(roff(c) for c in cells[:-1])
    return f"{first}\tT{{\n{roff(cells[-1])}\nT}}\n"


expected = [entry(list(row.values())) for row in rows("fields")]
for row in rows("opcodes"):
    del row["effect"]
    expected.append(entry(list(row.values())))

text = pathlib.Path(page).read_text()
missing = [e for e in expected if "\n" + e not in text]
if len(expected) < 90 or missing:
    sys.exit(f"{page} lacks:\n" + "".join(missing))
