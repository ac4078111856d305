#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a frame of glmark2's scenes twice and compares the pictures.

Once with glmark2 on Mesa's llvmpipe, and once with --program by what --run says,
which is given the program's command line. Both see the same steady clock (shim.c), so
that frame 9 is the same one. Status 1 when a scene differs (compare.c says what
that means), or does not draw; pictures stay in --out: SCENE.expected.png,
SCENE.png and, of one that differs, SCENE.difference.png.

Wants glmark2, Xvfb unless DISPLAY is set, and Mesa's drivers.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

# For OpenGL ES too: llvmpipe computes what is mediump there in 16 bits, and
# desktop shaders have no such values.
REFERENCE = "glmark2"
HERE = Path(__file__).resolve().parent


def read_scenes():
    lines = (HERE / "glmark2.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def have_display():
    """Goes on with an X server of its own where there is none."""
    if "DISPLAY" not in os.environ:
        with_display = str(HERE.parents[1] / "tools" / "with-display")
        os.execv(with_display, [with_display, sys.executable] + sys.argv)


def draw(prefix, program, scene, picture, options):
    """What went wrong, or None."""
    env = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="true", LD_PRELOAD=options.shim,
               FRAME_NUMBER=str(options.frame), FRAME_SIZE=options.size,
               FRAME_PICTURE=str(picture))
    if not prefix:
        env["GALLIUM_DRIVER"] = "llvmpipe"
    command = prefix + [program, "--size", options.size, "--benchmark",
                        f"{scene}:nframes={options.frame + 2}"]
    picture.unlink(missing_ok=True)
    try:
        run = subprocess.run(command, env=env, capture_output=True, text=True,
                             errors="replace", timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return f"no picture in {options.seconds} s"
    if picture.exists():
        return None
    said = (run.stderr.strip() or run.stdout.strip()).splitlines()
    return f"no picture, status {run.returncode}" + (f": {said[-1]}" if said else "")


def compare(options, scene):
    name = re.sub(r"[^A-Za-z0-9=.-]+", "_", scene)
    expected = options.out / f"{name}.expected.png"
    got = options.out / f"{name}.png"
    fault = draw([], REFERENCE, scene, expected, options)
    if fault:
        return False, f"llvmpipe: {fault}"
    fault = draw(options.run.split(), options.program, scene, got, options)
    if fault:
        return False, fault
    run = subprocess.run([options.compare, expected, got,
                          options.out / f"{name}.difference.png"],
                         capture_output=True, text=True)
    return run.returncode == 0, (run.stdout + run.stderr).strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"),
                        help="where shim and compare are built")
    parser.add_argument("--run", help="BUILD/tungsten gl, unless it is given")
    parser.add_argument("--program", default="glmark2-es2")
    parser.add_argument("--size", default="800x600")
    parser.add_argument("--frame", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--out", type=Path, default=Path("frames"))
    parser.add_argument("scenes", nargs="*", help="all, unless some are named")
    options = parser.parse_args()
    have_display()
    programs = options.build.resolve() / "tests" / "frames"
    options.shim = str(programs / "libframe_shim.so")
    options.compare = str(programs / "compare")
    options.run = options.run or f"{options.build.resolve()}/tungsten gl"
    options.out.mkdir(parents=True, exist_ok=True)
    scenes = options.scenes or read_scenes()
    num_same = 0
    for scene in scenes:
        is_same, line = compare(options, scene)
        num_same += is_same
        print(f"{scene}: {line}", flush=True)
    print(f"{num_same} of {len(scenes)} scenes are the same")
    return 0 if num_same == len(scenes) else 1


if __name__ == "__main__":
    sys.exit(main())
