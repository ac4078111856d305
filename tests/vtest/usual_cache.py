#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`tungsten serve` keeps machine code in the user's folder of caches, as the XDG base
directory specification names it, unless --cache names another, or --no-cache or
Mesa's variable forbids it; and draws where there is no such folder, or one of another
user. The process that draws never has it open.

    usual_cache.py TUNGSTEN
"""
import os
import sys
import tempfile
from pathlib import Path

from crowd import Client, Server

# What a server is told (words, variables), and the folder that has code then. FOLDER
# is the test's own.
CASES = [
    ([], {"XDG_CACHE_HOME": "FOLDER/a", "HOME": "FOLDER/none"}, "a/tungsten"),
    ([], {"HOME": "FOLDER/b"}, "b/.cache/tungsten"),
    ([], {"XDG_CACHE_HOME": "relative", "HOME": "FOLDER/c"}, "c/.cache/tungsten"),
    ([], {"HOME": "FOLDER/d", "MESA_SHADER_CACHE_DISABLE": "False"}, "d/.cache/tungsten"),
    (["--cache=FOLDER/e"], {"MESA_SHADER_CACHE_DISABLE": "True"}, "e"),
    ([], {"HOME": "FOLDER/f", "MESA_SHADER_CACHE_DISABLE": "YES"}, None),
    (["--no-cache"], {"HOME": "FOLDER/f"}, None),
    (["--executor=interp"], {"HOME": "FOLDER/f"}, None),
    ([], {"HOME": "FOLDER/missing"}, None),
    ([], {"HOME": "FOLDER/others"}, None),
    ([], {"HOME": "relative"}, None),
    ([], {}, None),
]
OURS = ("XDG_CACHE_HOME", "HOME", "MESA_SHADER_CACHE_DISABLE")


def has_open(process, folder):
    """Does a process have a file or folder below this one?"""
    names = [os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir()]
    return any(name.startswith(f"{folder}/") for name in names)


def draw(tungsten, folder, words, variables):
    """A frame, of a server that ends once its client's process and keeper have."""
    if not any(word.startswith("--executor") for word in words):
        words = [*words, "--executor=jit"]
    server = Server(folder / "socket", "env", f"--chdir={folder}",
                    *(f"--unset={name}" for name in OURS),
                    *(f"{name}={value}" for name, value in variables.items()),
                    tungsten, "serve", *words, "--socket=")
    client = Client(server.path)
    client.set_up()
    client.frame(1)
    drawing = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    assert not any(has_open(process, folder) for process in drawing.read_text().split())
    client.close()
    assert server.settle()[1] == 0, "a process stays"
    assert server.end() == 0


def kept(folder):
    """The folders below that have files."""
    return {str(path.parent.relative_to(folder)) for path in folder.rglob("*")
            if path.is_file()}


def main():
    tungsten = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for home in "abcdf":
            (folder / home).mkdir()
        if os.geteuid() == 0:  # only the superuser can give a folder away
            (folder / "others/.cache").mkdir(parents=True)
            os.chown(folder / "others/.cache", 1, -1)
        expected = set()
        for words, variables, has_code in CASES:
            draw(tungsten, folder, [word.replace("FOLDER", name) for word in words],
                 {key: value.replace("FOLDER", name) for key, value in variables.items()})
            if has_code:
                expected.add(has_code)
            assert kept(folder) == expected, (words, variables, kept(folder), expected)


if __name__ == "__main__":
    main()
