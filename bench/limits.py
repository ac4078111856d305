#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hostile inputs cost: makes one of each kind, and measures the commands.

    limits.py [--time SECONDS] [--work N] [--only WORD] TUNGSTEN

Each kind is small and asks for far more than anybody should have, or is as large
as a file may be. Prints a row for each: its bytes, the time that passed, the time
of processors, the most memory that was resident, and the status. With --time the
commands that have limits get that one, as with --work; without them they have the
usual ones. Rows that break a promise of docs/limits.md (a minute of processors
and 1 GiB, or 2 seconds beyond --time) end in "!", and the status is 1.
"""
import argparse
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib

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


COMPRESSED = """[texture {0}]
format {1}
bytes {2}
{3}
"""
READING_TEXTURE = """[shader]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
TEX OUT[0], IN[0], SAMP[0], 2D
END
"""
STREAM_OUTPUT = """[stream output vertex]
OUT[0] buffer 0
[buffer 0]
size 400000000
"""


def blocks(width, height, side):
    """Bytes of compressed blocks of 16 bytes, as text."""
    count = -(-width // side) * -(-height // side)
    return random.Random(1).randbytes(count * 16).hex()


def png(width, height):
    """A picture of zeros, a bit each."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    pack = zlib.compressobj(9)
    data = b"".join(pack.compress(bytes(width // 8 + 1)) for _ in range(height)) + pack.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def npy(shape):
    head = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({shape},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()


def log(num_shaders, size):
    """Shaders that differ, in so many bytes."""
    length = size // num_shaders
    shaders = []
    for i in range(num_shaders):
        text = f"FRAG\nDCL TEMP[0..{i}]\n"
        text += "MOV TEMP[0], TEMP[1]\n" * ((length - len(text) - 4) // 21) + "END\n"
        shaders.append(text)
    return "".join(shaders)


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


FULL = 255 << 20  # nearly as large as a file may be

KINDS = [
    # name, command with FILE for the input, its ending, its text or bytes, and
    # perhaps other files
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
    ("check: 255 MiB of text", ["check", "FILE"], "tgsi",
     lambda: "FRAG\nDCL TEMP[0..1]\n" + "MOV TEMP[0], TEMP[1]\n" * (FULL // 21 - 2) + "END\n"),
    ("check: 60 MiB of mistakes", ["check", "FILE"], "tgsi",
     lambda: "FRAG\n" + "MOV x\n" * (10 << 20) + "END\n"),
    ("run: 60 MiB of text", ["run", "FILE"], "tgsi",
     lambda: "FRAG\nDCL TEMP[0..1]\n" + "MAD TEMP[0].xyzw, TEMP[1].xyzw, TEMP[0].xyzw, TEMP[1].wzyx\n"
     * 1000000 + "END\n"),
    ("split: a log of 65,536 shaders", ["split", "FILE", "-o", "out"], "log",
     lambda: log(65536, FULL)),
    ("split: a log of one line, over and over", ["split", "FILE", "-o", "out"], "log",
     lambda: "FRAG\n" + "x FRAG\n" * (FULL // 7 - 1)),
    ("check: a log of 65,536 shaders", ["check", "FILE"], "log",
     lambda: log(65536, FULL)),
    ("tegra dis: a log of host1x", ["tegra", "dis", "FILE"], "log",
     lambda: "22050001: NONINCR(offset=205, [00000000])\n22060004: NONINCR(offset=206, [401f9c6c, "
     "0040000d, 8106c083, 60401ffd])\n" * (FULL // 120)),
    ("tegra dis: a stream of host1x", ["tegra", "dis", "--format=host1x", "FILE"], "bin",
     lambda: struct.pack("<7I", 0x22050001, 0, 0x22060004, 0x401f9c6c, 0x0040000d, 0x8106c083, 0x60401ffd)
     * (FULL // 28)),
    ("dispatch: an array that says it is large", ["dispatch", "FILE", "--buffer", "0=in.npy"], "tgsi",
     lambda: compute(""), {"in.npy": lambda: npy(1 << 60)}),
    ("dispatch: an array of 900 MiB", ["dispatch", "FILE", "--buffer", "0=in.npy"], "tgsi",
     lambda: compute(""), {"in.npy": lambda: (npy(225 << 20), 900 << 20)}),
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
    ("dispatch: writes all over memory", ["dispatch", "FILE"] + LARGE_BUFFER, "tgsi",
     lambda: compute("UMAD TEMP[1].x, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n" + loop(
         ("UMAD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n"
          "USHR TEMP[2].x, TEMP[1].xxxx, IMM[1].xxxx\n"
          "STORE BUFFER[0].x, TEMP[2].xxxx, SV[0].xxxx\n") * 30), "IMM[1] UINT32 {3, 0, 0, 0}\n")),
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
    ("test: points of patches", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 8x8\nrasterizer discard on\ntess levels outer 64 64 64 64\ntess levels inner 64 64\n",
                   "draw patches 0 3 instances 300000000\n", more=TESSELLATION)),
    ("test: stream output", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 8x8\nrasterizer discard on\n",
                   "stream target 0 buffer 0\nstream begin\ndraw points 0 3 instances 8000000\n"
                   "stream end\n" * 10000, more=STREAM_OUTPUT)),
    ("test: a compressed texture", ["test", "FILE"], "tgsi_test",
     lambda: READING_TEXTURE + COMPRESSED.format(0, "ASTC_12x12", "16384x8192", blocks(16384, 8192, 12))
     + "[test]\nrun\n"),
    ("test: copies of compressed blocks", ["test", "FILE"], "tgsi_test",
     lambda: READING_TEXTURE
     + "".join(COMPRESSED.format(i, "BPTC_RGBA_UNORM", "1024x1024", blocks(1024, 1024, 4)) for i in (0, 1))
     + "[test]\nrun\n" + "copy texture 0 to texture 1\n" * 100000),
    ("test: a picture of 16384x16384", ["test", "FILE"], "tgsi_test",
     lambda: "[texture 0]\npng a.png\n" + READING_TEXTURE + "[test]\nrun\n",
     {"a.png": lambda: png(16384, 16384)}),
    ("test: pictures of 8192x8192", ["test", "FILE"], "tgsi_test",
     lambda: READING_TEXTURE + "".join(f"[texture {i}]\npng a.png\n" for i in range(128)) + "[test]\nrun\n",
     {"a.png": lambda: png(8192, 8192)}),
    ("test: comparisons of pictures", ["test", "FILE"], "tgsi_test",
     lambda: scene("size 4096x4096\n", "clear color 0 0 0 1\n" + "expect picture a.png\n" * 1000),
     {"a.png": lambda: png(4096, 4096)}),
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


def put(path, content):
    """Writes text, bytes, or bytes and the size of a file that goes on with zeros."""
    content, size = content if isinstance(content, tuple) else (content, 0)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if size:
        os.truncate(path, len(content) + size)


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


def put_all(files):
    """Writes files, of which each makes its content. In a process of its own, since the
    most memory that this one had would be counted as that of its children."""
    child = os.fork()
    if not child:
        for path, content in files.items():
            put(path, content())
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit("the input cannot be written")


# Commands that have --time and --work.
LIMITED = ("run", "dispatch", "test", "render")
# Kinds whose time is that of reading a text or a file, which nothing ends.
READING = ("run: 60 MiB of text",)
MAX_SECONDS = 60
MAX_MIB = 1100  # what the program itself takes is not counted in its limit


def run_kind(tungsten, arguments, name, command, ending, text, beside=None):
    """Prints the row. Returns whether it keeps the promise."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "input." + ending)
        put_all({path: text, **{pathlib.Path(folder, other): content
                                for other, content in (beside or {}).items()}})
        num_bytes = sum(file.stat().st_blocks * 512 if file != path else file.stat().st_size
                        for file in pathlib.Path(folder).iterdir())
        words = [str(tungsten)] + [path.name if w == "FILE" else w for w in command]
        is_limited = command[0] in LIMITED
        if is_limited and arguments.time:
            words.append(f"--time={arguments.time}")
        if is_limited and arguments.work:
            words.append(f"--work={arguments.work}")
        passed, cpu, memory, status, said = measure(words, folder)
    is_good = memory <= MAX_MIB and cpu <= MAX_SECONDS
    if is_limited and name not in READING:
        is_good &= passed <= (arguments.time or MAX_SECONDS) + 2
    print(f"| {name} | {num_bytes:,} | {passed:.1f} | {cpu:.1f} | {memory:.0f} "
          f"| {status} | {first_error(said)} |{'' if is_good else ' !'}", flush=True)
    return is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--time", type=float)
    parser.add_argument("--work", type=float)
    parser.add_argument("--only", default="")
    parser.add_argument("tungsten", type=pathlib.Path)
    arguments = parser.parse_args()
    tungsten = arguments.tungsten.resolve()
    print("| input | bytes | seconds | CPU seconds | MiB | status | what it says |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    good = [run_kind(tungsten, arguments, *kind) for kind in KINDS if arguments.only in kind[0]]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
