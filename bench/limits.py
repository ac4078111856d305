#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hostile inputs cost: makes one of each kind, and measures the commands.

    limits.py [--time SECONDS] [--work N] [--only WORD] TUNGSTEN

Each kind is small and asks for far more than anybody should have. Prints a row
for each: its bytes, the time that passed, the time of processors, the most
memory that was resident, and the status. With --time the commands get that
limits, as with --work; without them they have the usual ones. Rows that break a
promise of docs/limits.md (a minute and 1 GiB, or 2 seconds beyond --time) end in
"!", and the status is 1.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

VERTEX = """[vertex shader]
VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
END
"""
WHITE = """[fragment shader]
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 {1,1,1,1}
MOV OUT[0], IMM[0]
END
"""
ENDLESS = """[fragment shader]
FRAG
DCL OUT[0], COLOR
BGNLOOP
ENDLOOP
END
"""
COVERING = """[vertex data]
IN[0] float 2
-1 -1
3 -1
-1 3
"""


def scene(state, commands, fragment=WHITE, vertex=VERTEX, more=""):
    return vertex + fragment + more + COVERING + "[state]\n" + state + "[test]\n" + commands


def compute(body, head="", width=1024):
    return (f"COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH {width}\nDCL TEMP[0..7]\nDCL SV[0], THREAD_ID\n"
            "DCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 1, 2654435761, 1000000000}\n"
            + head + body + "END\n")


def loop(body):
    return ("BGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\nUIF TEMP[0].yyyy\nBRK\nENDIF\n"
            "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n" + body + "ENDLOOP\n")


LONG_BODY = "DSQRT TEMP[2], TEMP[2]\nDDIV TEMP[2], TEMP[2], TEMP[3]\nPOW TEMP[3], TEMP[2], TEMP[2]\n"
HUGE_GRID = ["--grid", "4294967295,4294967295", "--loop-budget", "1000000000000"]
ONE_BUFFER = ["--zeros", "0=16"] + HUGE_GRID
LARGE_BUFFER = ["--zeros", "0=512M"] + HUGE_GRID

GEOMETRY = """[geometry shader]
GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 1024
PROPERTY GS_INVOCATIONS 32
DCL IN[][0], POSITION
DCL OUT[0], POSITION
DCL TEMP[0..1]
IMM[0] UINT32 {0, 1, 1024, 0}
MOV TEMP[0].x, IMM[0].xxxx
BGNLOOP
USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz
UIF TEMP[0].yyyy
BRK
ENDIF
UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
MOV OUT[0], IN[0][0]
EMIT IMM[0].xxxx
ENDLOOP
END
"""
TESSELLATION = """[tess eval shader]
TESS_EVAL
PROPERTY TES_PRIM_MODE 7
PROPERTY TES_SPACING 2
DCL IN[][0], POSITION
DCL SV[0], TESSCOORD
DCL OUT[0], POSITION
MOV OUT[0], IN[0][0]
END
"""
SAMPLING = """[fragment shader]
FRAG
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {0.37, 0.011, 0, 1000}
MUL TEMP[0], IN[0].xyyy, IMM[0].xyyy
TXD TEMP[1], TEMP[0], IMM[0].yzzz, IMM[0].zwww, SAMP[0], 2D
MOV OUT[0], TEMP[1]
END
"""
TEXTURE = ("[texture 0]\nlevels 11\nchecker 1024x1024\nfilter linear\nmip filter linear\n"
           "anisotropy 16\n")


def pipeline_states():
    """Draws that each need another kernel."""
    factors = ["zero", "one", "src_color", "src_alpha", "dst_alpha", "dst_color",
               "inv_src_color", "inv_src_alpha", "inv_dst_alpha", "inv_dst_color"]
    commands = []
    for a in factors:
        for b in factors:
            for c in factors:
                commands.append(f"blend rgb src {a}\nblend rgb dst {b}\nblend alpha src {c}\n"
                                "draw triangles 0 3\n")
    return "".join(commands)


KINDS = [
    # name, command with FILE for the input, its ending, its text
    ("run: endless loop", ["run", "FILE", "--loop-budget", "1000000000000"], "tgsi",
     lambda: "FRAG\nBGNLOOP\nENDLOOP\nEND\n"),
    ("run: 2^28 calls", ["run", "FILE", "--loop-budget", "1000000000000"], "tgsi",
     lambda: "FRAG\nCAL :2\nEND\n" + "".join(
         f"BGNSUB\nCAL :{i + 5}\nCAL :{i + 5}\nRET\nENDSUB\n" for i in range(2, 142, 5))
         + "BGNSUB\nRET\nENDSUB\n"),
    ("run: 35,000 instructions", ["run", "FILE"], "tgsi",
     lambda: "FRAG\nDCL TEMP[0..15]\nDCL OUT[0], COLOR\n" + "".join(
         f"POW TEMP[{i % 16}], TEMP[{(i * 7) % 16}], TEMP[{(i * 5 + 1) % 16}]\n"
         for i in range(35000)) + "MOV OUT[0], TEMP[0]\nEND\n"),
    ("check: 1,000,000 instructions", ["check", "FILE"], "tgsi",
     lambda: "FRAG\nDCL TEMP[0..1]\n" + "MOV TEMP[0], TEMP[1]\n" * 1000000 + "END\n"),
    ("dispatch: endless loops", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute("BGNLOOP\nENDLOOP\n")),
    ("dispatch: long bodies", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute(loop(LONG_BODY * 30) + "STORE BUFFER[0].x, IMM[0].xxxx, TEMP[3]\n")),
    ("dispatch: blocks of nothing", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute("", width=1)),
    ("dispatch: reads all over memory", ["dispatch", "FILE"] + LARGE_BUFFER, "tgsi",
     lambda: compute("UMAD TEMP[1].x, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n" + loop(
         "UMAD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n"
         "USHR TEMP[2].x, TEMP[1].xxxx, IMM[1].xxxx\n"
         "LOAD TEMP[3].x, BUFFER[0], TEMP[2].xxxx\n"
         "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx\n"), "IMM[1] UINT32 {3, 0, 0, 0}\n")),
    ("dispatch: atomics", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute(loop("ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"))),
    ("dispatch: waits for another block", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute("BGNLOOP\nLOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\nUIF TEMP[1].xxxx\nBRK\n"
                     "ENDIF\nENDLOOP\n")),
    ("dispatch: barriers", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute(loop("BARRIER\n"))),
    ("dispatch: large arrays", ["dispatch", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute("MOV TEMP[ADDR[0].x], IMM[0]\n",
                     "DCL TEMP[8..4000], ARRAY(1), LOCAL\nDCL ADDR[0]\n")
     .replace("MOV TEMP[ADDR[0].x]", "UARL ADDR[0].x, SV[0].xxxx\nMOV TEMP[ADDR[0].x+8](1)")),
    ("dispatch --check: races", ["dispatch", "--check", "FILE"] + ONE_BUFFER, "tgsi",
     lambda: compute(loop("ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"))),
    ("test: hidden triangles", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\ndepth test less\n",
                   "clear depth 0\ndraw triangles 0 3 instances 300000000\n")),
    ("test: endless fragments", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\n", "draw triangles 0 3 instances 1000\n", ENDLESS)),
    ("test: covered pixels", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\nblend on\nblend src one\nblend dst one\n", "draw triangles 0 3 instances 300000000\n")),
    ("test: culled triangles", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 8x8\ncull all\n", "draw triangles 0 3 instances 300000000\n")),
    ("test: instances of points", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 8x8\n", "draw points 0 1 instances 1000000000\n")),
    ("test: geometry", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\n", "draw triangles 0 3 instances 300000000\n", more=GEOMETRY)),
    ("test: tessellation", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\ntess levels outer 64 64 64 64\ntess levels inner 64 64\n",
                   "draw patches 0 3 instances 300000000\n", more=TESSELLATION)),
    ("test: anisotropic fetches", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\n", "draw triangles 0 3 instances 300000000\n", SAMPLING,
                   more=TEXTURE)),
    ("test: 1,000 kernels", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 8x8\nblend on\n", pipeline_states())),
    ("test: clears", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\nsamples 4\n", "clear color 1 0 0 1\n" * 20000)),
    ("test: comparisons", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\n",
                   "draw triangles 0 3\n" + "expect all rgba 1 1 1 1\n" * 1000)),
    ("test: 500,000 draws", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 8x8\n", "draw triangles 0 3\n" * 500000)),
    ("render: hidden triangles", ["render", "FILE", "-o", "out.png"], "tgsi_test",
     lambda: scene("size 4096x4096\ndepth test less\n",
                   "clear depth 0\ndraw triangles 0 3 instances 300000000\n")),
]


def measure(command, folder):
    begin = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return (time.monotonic() - begin, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024, child.returncode, said.decode(errors="replace"))


def first_error(said):
    for line in said.splitlines():
        if "error:" in line or line.startswith("tungsten:"):
            return line.split("error: ")[-1][:60]
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--time", type=float)
    parser.add_argument("--work", type=float)
    parser.add_argument("--only", default="")
    parser.add_argument("tungsten", type=pathlib.Path)
    arguments = parser.parse_args()
    tungsten = arguments.tungsten.resolve()
    broken = False
    print("| input | bytes | seconds | CPU seconds | MiB | status | what it says |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for name, command, ending, text in KINDS:
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "input." + ending)
            path.write_text(text())
            words = [str(tungsten)] + [path.name if w == "FILE" else w for w in command]
            limit = 60.0
            if arguments.time and words[1] != "check":
                limit = arguments.time
                words.append(f"--time={limit}")
            if arguments.work and words[1] != "check":
                words.append(f"--work={arguments.work}")
            passed, cpu, memory, status, said = measure(words, folder)
            bad = memory > 1100 or passed > limit + 2
            broken |= bad
            print(f"| {name} | {path.stat().st_size:,} | {passed:.1f} | {cpu:.1f} | {memory:.0f} "
                  f"| {status} | {first_error(said)} |{' !' if bad else ''}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
