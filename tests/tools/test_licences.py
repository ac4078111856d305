#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each file says under which licence it is, or REUSE.toml does; each table of
REUSE.toml is about files that there are, and each licence in LICENSES is used.
Skipped, with status 77, where Python has no tomllib.

    test_licences.py SOURCE
"""
import pathlib
import re
import sys

try:
    import tomllib
except ImportError:
    print("this Python has no tomllib")
    sys.exit(77)

source = pathlib.Path(sys.argv[1])
TAG = "SPDX-License-Identifier"
# The files that are about licences, and what is no part of the source.
EXEMPT = {"LICENSE", "REUSE.toml"}
OUTSIDE = re.compile(r"\.git$|build|out$|__pycache__$|LICENSES$")


def list_files(folder):
    for entry in sorted(folder.iterdir()):
        top = entry.parent == source
        if OUTSIDE.match(entry.name) and (top or entry.name == "__pycache__"):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from list_files(entry)
        elif not (top and entry.name in EXEMPT):
            yield entry


def to_pattern(glob):
    """A * stands for anything within a folder, ** for anything at all."""
    parts = re.split(r"(\*\*|\*)", glob)
    stars = {"**": ".*", "*": "[^/]*"}
    return re.compile("".join(stars.get(part, re.escape(part)) for part in parts))


def of_itself(path):
    """The licence that a file names in its first lines."""
    head = path.read_bytes()[:400].decode("utf-8", "replace")
    found = re.search(rf"^\W*{TAG}: (\S+)", head, re.MULTILINE)
    return found and found.group(1)


tables = []
for table in tomllib.loads((source / "REUSE.toml").read_text())["annotations"]:
    paths = table["path"]
    for glob in [paths] if isinstance(paths, str) else paths:
        tables.append((glob, to_pattern(glob), table.get(TAG)))
    assert table["SPDX-FileCopyrightText"], table
assert any(glob == "**" for glob, _, _ in tables)  # copyright of all

wrong, used, fitting = [], set(), set()
files = list(list_files(source))
for path in files:
    name = str(path.relative_to(source))
    licence = None
    for glob, pattern, of_table in tables:
        if pattern.fullmatch(name):
            fitting.add(glob)
            licence = of_table or licence
    licence = of_itself(path) or licence
    if not licence:
        wrong.append(f"{name}: no licence")
    used.add(licence)
wrong += [f"REUSE.toml: {glob} fits nothing" for glob, _, _ in tables if glob not in fitting]
given = {path.stem for path in (source / "LICENSES").iterdir()}
wrong += [f"LICENSES: {name} is not used, or lacks its text" for name in given ^ (used - {None})]
print("\n".join(wrong))
assert len(files) > 2000, len(files)
sys.exit(bool(wrong))
