#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debuggers and profilers see kernels by the names of their shaders, as
TUNGSTEN_JIT_DEBUG asks for it.

    names.py TUNGSTEN perf [EXECUTOR]   the map of perf(1) has their names and sizes
    names.py TUNGSTEN gdb [EXECUTOR]    GDB stops in a kernel and steps through lines of
                                        the TGSI

Without GDB, or where it may not run programs, the second is skipped.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77

SCENE = """[vertex shader]
VERT
DCL IN[0]
DCL OUT[0], POSITION
  0: MOV OUT[0], IN[0]
  1: END

[fragment shader]
FRAG
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.125, 0.5, 0.25, 1.0}
  0: MUL TEMP[0], IN[0], IMM[0]
  1: MAD TEMP[0], TEMP[0], TEMP[0], IMM[0]
  2: ADD OUT[0], TEMP[0], IMM[0]
  3: END

[vertex data]
IN[0] float 2
-1 -1
 1 -1
-1  1
 1  1

[state]
size 8x8

[test]
draw triangle_strip 0 4
"""
KERNELS = ["VERT_scene_tgsi_test_2", "FRAG_scene_tgsi_test_9"]
SYMBOLS = {"jit": r"kernel_[0-9a-f]{64}", "x86": KERNELS[1]}
FIRST = SCENE.split("\n").index("  0: MUL TEMP[0], IN[0], IMM[0]") + 1


EXECUTOR = sys.argv[3] if len(sys.argv) > 3 else "jit"


def render(tungsten, folder, *before, **environment):
    """The process, which has ended, and what it said."""
    process = subprocess.Popen(
        [*before, tungsten, "render", "scene.tgsi_test", "-o", "scene.png", "-j", "1",
         "--executor", EXECUTOR, "--cache", "code"],
        cwd=folder, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return process, said


def map_of(process):
    return Path(f"/tmp/perf-{process.pid}.map")


def check_map(tungsten, folder, **environment):
    process, _ = render(tungsten, folder, TUNGSTEN_JIT_DEBUG="perf", **environment)
    lines = map_of(process).read_text().splitlines()
    map_of(process).unlink()
    rows = [re.fullmatch(r"([0-9a-f]+) ([0-9a-f]+) (\w+)_[0-9a-f]{8}", line) for line in lines]
    assert all(rows), lines
    assert [row[3] for row in rows] == KERNELS, lines
    ends = sorted((int(row[1], 16), int(row[2], 16)) for row in rows)
    assert all(size > 16 for _, size in ends), lines
    assert ends[0][0] + ends[0][1] <= ends[1][0], lines


def check_perf(tungsten, folder):
    """What the code cache has is named, too; who asks for nothing gets nothing."""
    check_map(tungsten, folder)
    assert EXECUTOR != "jit" or list((folder / "code").iterdir()), "nothing was kept"
    check_map(tungsten, folder)
    picture = (folder / "scene.png").read_bytes()
    process, _ = render(tungsten, folder, TUNGSTEN_JIT_DEBUG="perfect,gd")
    assert not map_of(process).exists()
    assert (folder / "scene.png").read_bytes() == picture


def debug(tungsten, folder, *commands):
    """What GDB says of a run with a breakpoint on the last kernel. None where it may not
    run programs."""
    words = ["gdb", "-batch", "-nx"]
    for command in ["set debuginfod enabled off", "set breakpoint pending on",
                    "set pagination off", "set startup-with-shell off",
                    f"break {KERNELS[1]}", "run", "backtrace 1", "info symbol $pc",
                    *commands, "delete", "continue"]:
        words += ["-ex", command]
    _, said = render(tungsten, folder, *words, "--args", TUNGSTEN_JIT_DEBUG="perf,gdb")
    for path in Path("/tmp").glob("perf-*.map"):
        if KERNELS[1] in path.read_text(errors="replace"):
            path.unlink()
    if re.search(r"ptrace|[Oo]peration not permitted|Cannot execute", said):
        print(said)
        return None
    assert "exited normally" in said, said
    return said


def check_gdb(tungsten, folder):
    """And in any number of runs: objects with lines are not those of the cache, which
    keeps LLVM's alone."""
    render(tungsten, folder)
    kept = sorted((folder / "code").rglob("*"))
    picture = (folder / "scene.png").read_bytes()
    said = debug(tungsten, folder, f"break scene.tgsi_test:{FIRST + 2}", "next", "next",
                 "backtrace 2", "info functions -q ^FRAG_")
    if said is None:
        return SKIPPED
    assert re.search(rf"Breakpoint 1, .*{KERNELS[1]} \(\) at .*scene\.tgsi_test:{FIRST}\b",
                     said), said
    steps = re.findall(r"^([0-9]+)\t( +[0-9]: .*)$", said, re.M)
    expected = SCENE.split("\n")[FIRST - 1:FIRST + 2]
    assert steps == [(str(FIRST + i), line) for i, line in enumerate(expected)], said
    assert re.search(rf"^#0 .*{KERNELS[1]} \(\)", said, re.M), said
    assert re.search(rf"^{SYMBOLS[EXECUTOR]} (\+ [0-9]+ )?in section ", said, re.M), said
    frames = re.findall(r"^#([01]) +(?:0x[0-9a-f]+ in )?(\w+) \(", said, re.M)
    assert frames[-2:] == [("0", KERNELS[1]), ("1", "run_frame")], said
    assert re.search(rf"scene\.tgsi_test:\n{FIRST}:.*{KERNELS[1]}", said), said
    assert re.search(rf"Breakpoint 2 at .*scene\.tgsi_test, line {FIRST + 2}\.", said), said
    assert (folder / "scene.png").read_bytes() == picture
    assert sorted((folder / "code").rglob("*")) == kept
    return 0


def main():
    tungsten, what = os.path.abspath(sys.argv[1]), sys.argv[2]
    if what == "gdb" and not shutil.which("gdb"):
        print("there is no gdb")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scene.tgsi_test").write_text(SCENE)
        if what == "perf":
            return check_perf(tungsten, folder)
        return check_gdb(tungsten, folder)


if __name__ == "__main__":
    sys.exit(main())
