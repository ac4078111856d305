#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real OpenGL programs draw through `tungsten gl`.

What they name is Tungsten, at its version of OpenGL; glxgears draws its wheels;
scenes of glmark2 are the same as llvmpipe's to the eye. Without Mesa's drivers
or the programs (tools/set-up has them) the test is skipped, which it says.

    real_clients.py TUNGSTEN BUILD
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77

# One of each kind of work: buffers, textures, arithmetic, passes.
SCENES = ["build:use-vbo=true", "texture:texture-filter=mipmap", "shading:shading=cel",
          "bump:bump-render=normals", "desktop:effect=shadow:windows=4",
          "conditionals:fragment-steps=0:vertex-steps=5", "shadow"]


def run(*words, seconds=60, **options):
    return subprocess.run(words, capture_output=True, text=True, errors="replace",
                          timeout=seconds, **options)


def check_names(tungsten):
    said = run(tungsten, "gl", "glxinfo", "-B").stdout
    for expected in ("renderer string: virgl (Tungsten ",
                     "core profile version string: 4.3 (Core Profile)",
                     "ES profile version string: OpenGL ES 3.2"):
        assert expected in said, f"glxinfo does not say '{expected}':\n{said}"
    less = run(tungsten, "gl", "--gl=3.3", "glxinfo", "-B").stdout
    assert "core profile version string: 3.3 (Core Profile)" in less, less


def check_code_cache(tungsten, folder):
    """A program that is served again compiles nothing, once its keeper had the time
    to make all code."""
    folder.mkdir(exist_ok=True)
    cache = folder / "code"
    shutil.rmtree(cache, ignore_errors=True)
    made, found = [], []
    while len(made) < 40 and 0 not in made:
        time.sleep(min(len(made), 1))
        said = run(tungsten, "gl", "--executor=jit", f"--cache={cache}", "--stats",
                   "glmark2", "--size", "96x64", "--benchmark",
                   "build:nframes=5").stderr
        made.append(int(re.search(r"^kernels made machine code +([0-9]+)$", said, re.M)[1]))
        found.append(int(re.search(r"^kernels found in the code cache +([0-9]+)$", said,
                                   re.M)[1]))
    assert made[0] > 0 and made[-1] == 0 and found[-1] > 0, (made, found)


def check_statuses(tungsten):
    assert run(tungsten, "gl", "sh", "-c", "exit 7").returncode == 7
    assert run(tungsten, "gl", "sh", "-c", "kill -9 $$").returncode == 137
    missing = run(tungsten, "gl", "no-such-program")
    assert missing.returncode == 127 and "no-such-program" in missing.stderr, missing
    idle = run(tungsten, "gl", "true")
    assert idle.returncode == 0 and idle.stderr.count("\n") == 1, idle


def check_environment(tungsten):
    """What GTK 3 and GL_SELECT need is set, unless there is something else."""
    names = ("GALLIUM_DRIVER", "GDK_GL", "DRAW_USE_LLVM")
    bare = {name: value for name, value in os.environ.items() if name not in names}
    for given, expected in (({}, "virpipe software-draw-surface false"),
                            ({"GDK_GL": "always"}, "virpipe always false"),
                            ({"DRAW_USE_LLVM": "1"}, "virpipe software-draw-surface 1")):
        said = run(tungsten, "gl", "sh", "-c",
                   "echo $GALLIUM_DRIVER $GDK_GL $DRAW_USE_LLVM", env={**bare, **given})
        assert said.stdout == f"{expected}\n", said


def check_beside_a_server(tungsten):
    """Where Mesa before 23 looks there is the socket of another: of the outer one."""
    said = run(tungsten, "gl", tungsten, "gl", "glxinfo", "-B")
    assert "renderer string: virgl (Tungsten " in said.stdout, said
    assert said.stderr.count("\n") == 1, said
    assert f"'{tungsten}' did not ask for the server" in said.stderr, said


def check_screenshots(tungsten, folder):
    """The picture has the size of the window."""
    picture = folder / "screenshot.png"
    folder.mkdir(exist_ok=True)
    picture.unlink(missing_ok=True)
    said = run(tungsten, "gl", "--stats", f"--screenshot={picture}", "glmark2", "--size",
               "96x64", "--benchmark", "build:nframes=5").stderr
    frames = re.search(r"^frames +([0-9]+)$", said, re.M)
    assert frames and int(frames[1]) >= 5, said
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    assert (width, height) == (96, 64), (width, height)
    none = run(tungsten, "gl", f"--screenshot={picture}", "glxinfo", "-B")
    assert none.returncode == 0 and "no frame was shown" in none.stderr, none.stderr


def check_recordings(tungsten, folder):
    """Each frame of a replay is the one that was drawn, with any number of threads."""
    recording = folder / "scene.rec"
    for old in folder.glob("scene.rec*"):
        old.unlink()
    run(tungsten, "gl", f"--record={recording}", "glmark2", "--size", "96x64",
        "--benchmark", "texture:texture-filter=mipmap:nframes=5")
    sessions = [path for path in sorted(folder.glob("scene.rec*"))
                if not run(tungsten, "replay", path).stdout.startswith("0 frames")]
    assert len(sessions) == 1, sessions
    threads = [run(tungsten, "replay", sessions[0], "--checksums", f"--threads={count}")
               for count in (1, 2, 8)]
    said = threads[0].stdout
    assert threads[0].returncode == 0, threads[0]
    assert "frames, as recorded" in said, said
    assert len(set(said.splitlines())) >= 5, said
    assert all(played.stdout == said for played in threads), threads


def check_scenes(tungsten, build):
    frames = HERE.parent / "frames" / "glmark2.py"
    result = run(sys.executable, frames, "--build", build, "--run", f"{tungsten} gl",
                 "--size", "200x150", "--frame", "3", "--out", Path(build) / "frames",
                 *SCENES, seconds=300)
    assert result.returncode == 0, result.stdout + result.stderr


def main():
    tungsten, build = sys.argv[1:]
    missing = [name for name in ("glxinfo", "glmark2", "glmark2-es2", "Xvfb")
               if not shutil.which(name)]
    if missing:
        print("skipped: no " + ", ".join(missing))
        return SKIPPED
    if "DISPLAY" not in os.environ:
        with_display = str(HERE.parents[1] / "tools" / "with-display")
        os.execv(with_display, [with_display, sys.executable] + sys.argv)
    own = run("glxinfo", "-B", env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE="true"))
    if "renderer string: llvmpipe" not in own.stdout:
        print("skipped: Mesa has no software drivers here")
        return SKIPPED
    check_statuses(tungsten)
    check_environment(tungsten)
    check_names(tungsten)
    check_beside_a_server(tungsten)
    check_screenshots(tungsten, Path(build) / "frames")
    check_code_cache(tungsten, Path(build) / "frames")
    check_recordings(tungsten, Path(build) / "frames")
    check_scenes(tungsten, build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
