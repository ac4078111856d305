# SPDX-License-Identifier: MIT
"""Commands whose outputs are a terminal."""
import os
import pty
import subprocess


def is_there():
    """Machines without pseudo-terminals have none."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def run(command, environment=None):
    """What it prints there, and its status."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command, stdout=slave, stderr=slave, env=environment
    )
    os.close(slave)
    printed = b""
    try:
        while piece := os.read(master, 4096):
            printed += piece
    except OSError:  # the end, on Linux
        pass
    os.close(master)
    return printed.decode(), process.wait()
