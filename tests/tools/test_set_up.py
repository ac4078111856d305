#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tools/set-up does on machines that lack packages. PATH holds nothing but
what a machine of the test has, so that all is found there and nothing is
installed.

    test_set_up.py SET_UP
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

set_up = pathlib.Path(sys.argv[1])

# What a machine has: name and text of each program. pkg-config knows all
# libraries but libpng.
PROGRAMS = {
    "id": "echo {uid}",
    "c++": "",
    "meson": "",
    "ninja": "",
    "python3": "",
    "llvm-config-19": "exit 0",
    "pkg-config": '[ "$2" != libpng ]',
    "apt-get": 'echo "apt-get $*"',
    "clang": "exit 1",  # cannot link with sanitizers
}
TABLE = set_up.parent / "packages.txt"
DATA = [
    line.split()[1].split(":", 1)[1]
    for line in TABLE.read_text().splitlines()
    if line.startswith("build ") and " file:" in line
]


def run(lacking, uid=1000, wanted=("build",), more=()):
    """Status and output on a machine that lacks programs and has more of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in [*PROGRAMS.items(), *((name, "exit 9") for name in more)]:
            if name in lacking:
                continue
            program = pathlib.Path(folder, name)
            program.write_text(f"#!/bin/sh\n{text.format(uid=uid)}\n")
            program.chmod(0o755)
        os.symlink(shutil.which("cat"), pathlib.Path(folder, "cat"))
        done = subprocess.run(
            ["/bin/sh", str(set_up), *wanted],
            env={"PATH": folder},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    return done.returncode, done.stdout


def expect(got, status, *parts):
    assert got[0] == status, got
    for part in parts:
        assert part in got[1], (part, got)


# Files are looked for where they are; the rest of the list is as above.
others = any(not pathlib.Path(path).exists() for path in DATA)
debian = " glmark2-data" if others else ""
both = " glmark2" if others else ""

# One line, and no installer is run: by the names of the one that there is.
lacking = ["meson", "c++"]
one_line = "packages are missing; as root: "
assert run(lacking) == (
    1,
    f"{one_line}apt-get install build-essential meson{debian} libpng-dev\n",
), run(lacking)
lacking += ["apt-get"]
for uid in 0, 1000:
    for name, installs in [
        ("dnf", f"dnf install gcc-c++ make meson{both} libpng-devel\n"),
        ("pacman", f"pacman -S base-devel meson{both} libpng\n"),
    ]:
        done = run(lacking, uid=uid, more=[name])
        assert done == (1, one_line + installs), done
    expect(run(lacking, uid=uid), 1, "libpng-dev (names of Debian)\n")
# As root on Debian they are installed, and nothing else is.
expect(
    run([], uid=0),
    0,
    f"installing:{debian} libpng-dev\n",
    "apt-get update -q\n",
    f"apt-get install -q -y --no-install-recommends{debian} libpng-dev\n",
)
# Without pkg-config no library is found.
expect(run(["pkg-config"]), 1, "pkg-config", "libcmocka-dev", "libxxhash-dev")
# Other lists.
expect(run([], wanted=("clang",)), 1, "apt-get install libclang-rt-14-dev\n")
expect(run(["clang"], wanted=("clang",)), 1, "apt-get install clang libclang-rt-14-dev\n")

# Each row has its five columns, and no list is empty.
rows = [
    line.split()
    for line in TABLE.read_text().splitlines()
    if line and not line.startswith("#")
]
assert all(len(row) == 5 for row in rows), rows
assert {row[0] for row in rows} == {"build", "clients", "clang", "aarch64", "bench"}, rows
