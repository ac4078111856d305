#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server takes the listening socket that systemd passes: descriptor 3, said by
LISTEN_FDS and LISTEN_PID. It answers a ping, and SIGTERM ends it with status 0.

    passed_socket.py TUNGSTEN
"""
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile

PING = struct.pack("<II", 0, 10)


def start(tungsten, listening):
    """The process's own number is in its environment: a shell knows it."""
    script = f'exec 3<&{listening.fileno()}; export LISTEN_PID=$$; exec "$0" serve'
    return subprocess.Popen(["sh", "-c", script, tungsten],
                            env=dict(os.environ, LISTEN_FDS="1"),
                            pass_fds=[listening.fileno()],
                            stderr=subprocess.DEVNULL)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/socket"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path)
            listening.listen()
            server = start(sys.argv[1], listening)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(20)
            client.connect(path)
            client.sendall(PING)
            assert client.recv(8, socket.MSG_WAITALL) == PING
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0
        assert os.path.exists(path), "the socket is systemd's"


if __name__ == "__main__":
    main()
