#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`tungsten serve --profile FILE` profiles each client in its sandbox: the tables are
in the log, the traces in FILE and FILE.2, and whole. What cannot be written is said,
at once where that can be known.

    profile.py TUNGSTEN CHECK_TRACE
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from crowd import Client, Server

# Of a client: draws of each frame, and of 256 by 256 pixels the tiles.
NUM_FRAMES, NUM_DRAWS, NUM_TILES = 3, 4, 16


def wait_for(path, pattern):
    for _ in range(200):
        text = path.read_text() if path.exists() else ""
        if re.search(pattern, text):
            return text
        time.sleep(0.05)
    raise AssertionError(f"{path} does not say '{pattern}':\n{text}")


def is_fenced(server):
    process = server.process.pid
    child = Path(f"/proc/{process}/task/{process}/children").read_text().split()[0]
    return re.search(r"^Seccomp:\s+2$", Path(f"/proc/{child}/status").read_text(), re.M)


def visit(server, name):
    client = Client(server.path, name)
    client.set_up()
    for _ in range(NUM_FRAMES):
        client.frame(NUM_DRAWS)
    fenced = is_fenced(server)
    client.close()
    assert fenced, "the client's process has no sandbox"


def check_table(text):
    """Draws join the scene of their frame: a tile of it is one, and has a clear. They
    are of one colour and fill it, which is stored as a clear when it ends."""
    for title, spans in (("calls of draws", NUM_FRAMES * NUM_DRAWS),
                         ("vertices", NUM_FRAMES * NUM_DRAWS),
                         ("tiles", NUM_FRAMES * NUM_TILES),
                         ("fragments in tiles", NUM_FRAMES * NUM_DRAWS * NUM_TILES),
                         ("clears", NUM_FRAMES * (1 + 2 * NUM_TILES))):
        row = re.search(rf"^{title} +[0-9.]+ +[0-9.]+ +([0-9]+)$", text, re.M)
        assert row and int(row[1]) == spans, f"{title}: not {spans} in\n{text}"
    assert re.search(rf"^frames profiled +{NUM_FRAMES}$", text, re.M), text
    assert re.search(r"^FRAG shader 7 ", text, re.M), text
    assert re.search(r"  VERT shader 5, FRAG shader 7$", text, re.M), text


def check_trace(checker, path):
    done = subprocess.run([sys.executable, checker, path, "draw", "idle"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"draw: {NUM_FRAMES * NUM_DRAWS}\n" in done.stdout, done.stdout
    names = [event["name"] for event in json.loads(Path(path).read_text())["traceEvents"]]
    assert [n for n in names if n.startswith("frame ")] == ["frame 0", "frame 1", "frame 2"]
    assert "draw 12" in names and "draw 13" not in names


def check_clients(tungsten, checker, folder):
    log, trace = folder / "log", folder / "trace.json"
    server = Server(folder / "socket", tungsten, "serve", "--executor=interp", "-j2",
                    f"--log={log}", f"--profile={trace}", "--socket=")
    visit(server, b"first")
    wait_for(log, r"'first' has gone")
    visit(server, b"second")
    assert server.end() == 0
    said = log.read_text().split("tungsten: client ")
    tables = [text for text in said if re.match(r"[0-9]+: '(first|second)'\n", text)]
    assert len(tables) == 2, said
    for text in tables:
        check_table(text)
    check_trace(checker, trace)
    check_trace(checker, f"{trace}.2")


def check_full(tungsten, folder):
    """Where the end of the file is missing the log says so, and nothing else."""
    log = folder / "full.log"
    server = Server(folder / "full", tungsten, "serve", f"--log={log}",
                    "--profile=/dev/full", "--socket=")
    visit(server, b"full")
    wait_for(log, "the profile is not whole: No space left on device\n")
    assert server.end() == 0


def check_refused(tungsten, folder):
    for command in (["serve", f"--socket={folder}/none"], ["gl", "true"]):
        for path, why in ((f"{folder}/no/trace", "No such file or directory"),
                          (str(folder), "Is a directory")):
            done = subprocess.run([tungsten, command[0], f"--profile={path}", *command[1:]],
                                  capture_output=True, text=True, timeout=30, check=False)
            assert done.returncode == 2, done
            assert done.stderr == f"tungsten: cannot write '{path}': {why}\n", done.stderr
    assert not os.path.exists(f"{folder}/none")


def main():
    tungsten, checker = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        check_clients(tungsten, checker, Path(name))
        check_full(tungsten, Path(name))
        check_refused(tungsten, Path(name))


if __name__ == "__main__":
    main()
