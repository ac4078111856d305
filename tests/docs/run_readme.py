#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pastes the README into a shell: all blocks between ``` marks tagged sh, in
order, in a folder that holds what a fresh clone holds and has built the program.
A block tagged text right below one is what that prints; a command without one
must end well. make and meson say what they would do and do nothing, and make
must know its targets.

    run_readme.py TUNGSTEN SOURCE BUILD
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

tungsten, source, build = (pathlib.Path(a).resolve() for a in sys.argv[1:])
MARK = "====="  # stands between the outputs of blocks

blocks = re.findall(
    r"^```sh\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?",
    (source / "README.md").read_text(),
    re.MULTILINE | re.DOTALL,
)
assert len(blocks) > 5, blocks


def lay_out(folder):
    """A clone: links to what there is, and a build folder with the program."""
    for entry in source.iterdir():
        if not entry.name.startswith((".git", "build")):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").mkdir()
    (folder / "build" / "tungsten").symlink_to(tungsten)


def put_tool(folder, name, command):
    """A program of this name that runs the command, if there is one at all."""
    found = shutil.which(name)
    tool = folder / name
    tool.write_text("#!/bin/sh\n" + (command.format(found) if found else ""))
    tool.chmod(0o755)


def paste(folder, tools):
    """What each block prints; a failed command is told there as [STATUS]."""
    script = ["trap 'echo \"[$?] $BASH_COMMAND\"' ERR"]
    for commands, _ in blocks:
        script += [commands, f"echo {MARK}"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", LC_ALL="C"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout.split(MARK + "\n")


with tempfile.TemporaryDirectory() as top:
    folder, tools = pathlib.Path(top, "clone"), pathlib.Path(top, "tools")
    folder.mkdir()
    tools.mkdir()
    lay_out(folder)
    put_tool(tools, "make", "exec {} -n \"$@\" >/dev/null\n")
    put_tool(
        tools,
        "meson",
        '[ "$*" = "install -C build" ] || exit\n'
        f"exec {{}} install --dry-run --no-rebuild -C '{build}' >/dev/null\n",
    )
    printed = paste(folder, tools)
    written = {path.name for path in (folder / "build").iterdir()}

wrong = 0
for (commands, expected), got in zip(blocks, printed):
    failures = re.findall(r"^\[\d+\] .*\n", got, re.MULTILINE)
    for failure in failures:
        got = got.replace(failure, "")
    if expected and got == expected and ("error:" in got or not failures):
        continue
    if not expected and not failures:
        continue
    print(commands, *failures, got, sep="\n")
    wrong += 1
assert len(printed) == len(blocks) + 1, printed[-1]
assert {"scene.png", "scene.overdraw.png", "scaled.npy", "again.tgsi"} <= written
sys.exit(wrong != 0)
