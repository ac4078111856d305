#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients of `tungsten serve` that come and go, and clients that attack.

    crowd.py TUNGSTEN connects [COUNT]    nothing of COUNT clients stays
    crowd.py TUNGSTEN together [COUNT]    COUNT at once have right frames; half is killed
    crowd.py TUNGSTEN attacks [SECONDS]   frames of one client beside an attacker
    crowd.py TUNGSTEN frames [SECONDS]    what a frame costs outside of drawing

`connects` and `together` end with 1 when the server's descriptors, processes or memory
grew, memory by more than 5 %, and `together` when a frame of a client that lives is not
of its colour. `attacks` prints what part of its frames a second a client
keeps, each attack for so many seconds alone and beside it, interleaved. `frames`
prints the medians of frames that are a clear, a present and their waits, here and of
virgl_test_server when that is installed, in turns.
"""
import array
import mmap
import os
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Messages, commands, objects and numbers of the protocols.
(RESOURCE_CREATE2, SUBMIT, BUSY_WAIT, CREATE_RENDERER, PING, VERSION, GET2) = (
    12, 6, 7, 8, 10, 11, 13)
(CREATE_OBJECT, BIND_OBJECT, DESTROY_OBJECT, SET_VIEWPORT, SET_FRAMEBUFFER,
 SET_VERTEX_BUFFERS, CLEAR, DRAW, INLINE_WRITE, SET_SUB_CTX, CREATE_SUB_CTX, BIND_SHADER) = (
    1, 2, 3, 4, 5, 6, 7, 8, 9, 28, 29, 31)
BLEND, RASTERIZER, DSA, SHADER, ELEMENTS, SURFACE = 1, 2, 3, 4, 5, 8
RGBA8, FLOATS3, BYTES = 67, 30, 64
SHOWN, VERTEX_BUFFER = 0x8a, 0x10
SIZE = 256

VERTEX = ("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n")


def plain(red, green, blue):
    """A shader of one colour, in 255ths."""
    return ("FRAG\nDCL OUT[0], COLOR\n"
            f"IMM[0] FLT32 {{{red / 255}, {green / 255}, {blue / 255}, 1.0}}\n"
            "  0: MOV OUT[0], IMM[0]\n  1: END\n")


PLAIN = plain(255, 128, 64)
ENDLESS = ("FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {1.0, 0.5, 0.25, 1.0}\n"
           "  0: MOV TEMP[0], IMM[0]\n  1: BGNLOOP\n  2: MUL TEMP[0], TEMP[0], IMM[0]\n"
           "  3: ENDLOOP\n  4: MOV OUT[0], TEMP[0]\n  5: END\n")


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


class Client:
    """A connection, and commands that wait to be sent."""

    def __init__(self, path, name=b"crowd"):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(path)
        self.words = []
        self.memory = None  # of resource 1, the window
        self.socket.sendall(struct.pack("<II", len(name) + 1, CREATE_RENDERER) + name + b"\0")

    def send(self, number, *words):
        self.socket.sendall(struct.pack(f"<{2 + len(words)}I", len(words), number, *words))

    def receive(self, num_bytes):
        got = b""
        while len(got) < num_bytes:
            more = self.socket.recv(num_bytes - len(got))
            if not more:
                raise ConnectionError("the server ended the connection")
            got += more
        return got

    def begin(self):
        self.send(PING)
        self.receive(8)
        self.send(VERSION, 2)
        self.receive(12)

    def create(self, handle, target, kind, bind, width, height, num_bytes):
        """Whether there is memory for it."""
        self.send(RESOURCE_CREATE2, handle, target, kind, bind, width, height, 1, 1, 0, 0,
                  num_bytes)
        _, extra, _, _ = self.socket.recvmsg(1, socket.CMSG_SPACE(4))
        for _, _, data in extra:
            file = array.array("i", data)[0]
            if handle == 1:
                self.memory = mmap.mmap(file, num_bytes)
            os.close(file)
        return bool(extra)

    def add(self, number, *words, kind=0):
        self.words += [number | kind << 8 | len(words) << 16, *words]

    def shader(self, handle, stage, text):
        data = text.encode() + b"\0"
        size = len(data)
        data += bytes(-size % 4)
        self.add(CREATE_OBJECT, handle, stage, size, 300, 0,
                 *struct.unpack(f"<{len(data) // 4}I", data), kind=SHADER)

    def submit(self):
        self.send(SUBMIT, *self.words)
        self.words = []

    def wait(self):
        self.send(BUSY_WAIT, 1, 1)
        self.receive(12)

    def close(self):
        self.socket.close()

    def set_up(self, fragment=PLAIN, width=SIZE, height=SIZE):
        """A window, and state that draws a triangle over all of it."""
        x, y, half = bits(width / 2), bits(height / 2), bits(0.5)
        self.begin()
        self.create(1, 2, RGBA8, SHOWN, width, height, width * height * 4)
        self.create(2, 0, BYTES, VERTEX_BUFFER, 36, 1, 36)
        self.add(CREATE_SUB_CTX, 1)
        self.add(SET_SUB_CTX, 1)
        self.add(INLINE_WRITE, 2, 0, 0, 0, 0, 0, 0, 0, 36, 1, 1,
                 *map(bits, (-1, -1, 0, 3, -1, 0, -1, 3, 0)))
        self.add(CREATE_OBJECT, 1, 1, RGBA8, 0, 0, kind=SURFACE)
        self.add(SET_FRAMEBUFFER, 1, 0, 1)
        self.add(CREATE_OBJECT, 2, 0, 0, 0, 0, kind=DSA)
        self.add(BIND_OBJECT, 2, kind=DSA)
        self.add(CREATE_OBJECT, 3, 0, 0, 0x78000000, 0, 0, 0, 0, 0, 0, 0, kind=BLEND)
        self.add(BIND_OBJECT, 3, kind=BLEND)
        self.add(CREATE_OBJECT, 4, 0x20000002, bits(1), 0, 0xffff, bits(1), 0, 0, 0,
                 kind=RASTERIZER)
        self.add(BIND_OBJECT, 4, kind=RASTERIZER)
        self.add(SET_VIEWPORT, 0, x, y, half, x, y, half)
        self.shader(5, 0, VERTEX)
        self.add(BIND_SHADER, 5, 0)
        self.add(CREATE_OBJECT, 6, 0, 0, 0, FLOATS3, kind=ELEMENTS)
        self.add(BIND_OBJECT, 6, kind=ELEMENTS)
        self.add(SET_VERTEX_BUFFERS, 12, 0, 2)
        self.shader(7, 1, fragment)
        self.add(BIND_SHADER, 7, 1)

    def draw(self):
        self.add(DRAW, 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0)

    def frame(self, num_draws=20):
        self.add(CLEAR, 4, 0, 0, 0, 0, 0, 0, 0)
        for _ in range(num_draws):
            self.draw()
        self.submit()
        self.wait()
        self.send(GET2, 1, 0, 0, 0, 0, SIZE, SIZE, 1, SIZE * SIZE * 4, 0)
        self.wait()


# ---- the server ----------------------------------------------------------------


def is_listening(path):
    """A path is there before somebody listens; to connect would count as a client."""
    rows = (line.split() for line in Path("/proc/net/unix").read_text().splitlines())
    return any(row[3] == "00010000" and row[7:] == [path] for row in rows)


class Server:
    """A process, of which the words have the path of the socket at the end."""

    def __init__(self, path, *words):
        self.path = str(path)
        self.process = subprocess.Popen([*words[:-1], words[-1] + self.path],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "true"})
        for _ in range(200):
            if is_listening(self.path):
                return
            time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def count(self):
        """Descriptors, processes of clients and KiB of memory."""
        base = Path(f"/proc/{self.process.pid}")
        children = (base / f"task/{self.process.pid}/children").read_text().split()
        memory = next(int(line.split()[1]) for line in (base / "status").read_text().split("\n")
                      if line.startswith("VmRSS"))
        return len(list((base / "fd").iterdir())), len(children), memory

    def settle(self):
        """The same once those that have gone are gone."""
        for _ in range(200):
            if self.count()[1] == 0:
                break
            time.sleep(0.05)
        return self.count()

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=30)


# ---- clients that come and go ----------------------------------------------------


def visit(path, number):
    """One of four kinds: silent, half a header, a beginning, a frame."""
    kind = number % 4
    if kind == 0:
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(path)
    elif kind == 1:
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(path)
            one.sendall(b"\1\0\0\0")
    else:
        client = Client(path)
        if kind == 2:
            client.begin()
        else:
            client.set_up()
            client.frame(1)
        client.close()


def connects(server, count):
    for i in range(20):
        visit(server.path, i)
    before = server.settle()
    for i in range(count):
        visit(server.path, i)
    after = server.settle()
    print(f"{count} clients: descriptors {before[0]} to {after[0]}, processes {before[1]} to "
          f"{after[1]}, memory {before[2]} to {after[2]} KiB")
    return after[0] == before[0] and after[1] == 0 and after[2] <= before[2] * 1.05


# ---- clients at once ---------------------------------------------------------------


def draw_in_color(path, number, frames):
    """Frames of a colour that no other client has; whether they were."""
    color = number % 256, number // 256, 255 - number % 256
    client = Client(path)
    client.set_up(plain(*color))
    for _ in range(frames):
        client.frame(2)
        if client.memory[:] != bytes((*color, 255)) * SIZE * SIZE:
            return False
    return True


def together(server, count):
    """Those with odd numbers draw until they are killed."""
    before = server.settle()
    clients = []
    for number in range(count):
        process = os.fork()
        if process == 0:
            is_good = False
            try:
                signal.alarm(600)
                is_good = draw_in_color(server.path, number, 10**9 if number % 2 else 20)
            finally:
                os._exit(0 if is_good else 1)
        clients.append(process)
    for _ in range(6000):
        if server.count()[1] >= count // 2:
            break
        time.sleep(0.01)
    for process in clients[1::2]:
        os.kill(process, signal.SIGKILL)
    failed = sum(os.waitpid(process, 0)[1] != 0 for process in clients[::2])
    killed = sum(os.waitpid(process, 0)[1] == signal.SIGKILL for process in clients[1::2])
    after = server.settle()
    print(f"{count} clients, {killed} of them killed: {failed} failed; descriptors {before[0]} to "
          f"{after[0]}, processes {before[1]} to {after[1]}, memory {before[2]} to {after[2]} KiB")
    return (failed == 0 and killed == count // 2 and after[0] == before[0] and after[1] == 0 and
            after[2] <= before[2] * 1.05)


# ---- attacks -----------------------------------------------------------------------


def object_messages():
    """A million objects in a thousand messages, and in as many more their ends."""
    made, ended = [], []
    for first in range(100, 1_000_100, 1000):
        words, ends = [], []
        for handle in range(first, first + 1000):
            words += [CREATE_OBJECT | DSA << 8 | 5 << 16, handle, 0, 0, 0, 0]
            ends += [DESTROY_OBJECT | DSA << 8 | 1 << 16, handle]
        for message, to in ((words, made), (ends, ended)):
            to.append(struct.pack(f"<{2 + len(message)}I", len(message), SUBMIT, *message))
    return made + ended


def endless_shader(client):
    client.set_up(ENDLESS)
    while True:
        client.draw()
        client.submit()
        client.wait()


def hidden_triangles(client):
    """Windows full of triangles one over the other, by the hundred thousand."""
    client.set_up(width=2048, height=2048)
    while True:
        for _ in range(4000):
            client.draw()
        client.submit()


def many_objects(client, messages):
    """They are there before, so that the server has more to do than the client."""
    client.set_up()
    client.submit()
    while True:
        for message in messages:
            client.socket.sendall(message)


def huge_textures(client):
    client.set_up()
    side, handle = 8192, 10
    while True:
        client.create(handle, 2, RGBA8, SHOWN, side, side, side * side * 4)
        client.add(CREATE_OBJECT, handle, handle, RGBA8, 0, 0, kind=SURFACE)
        client.add(SET_FRAMEBUFFER, 1, 0, handle)
        client.add(CLEAR, 4, 0, 0, 0, 0, 0, 0, 0)
        client.submit()
        client.wait()
        handle += 1


def attack(path, run, *prepared):
    """In a process of its own, until it is killed."""
    process = os.fork()
    if process == 0:
        signal.alarm(600)
        try:
            run(Client(path, b"attacker"), *prepared)
        except (OSError, ConnectionError):
            pass
        os._exit(0)
    return process


def rate(client, seconds):
    frames, begin = 0, time.monotonic()
    while time.monotonic() - begin < seconds:
        client.frame()
        frames += 1
    return frames / (time.monotonic() - begin)


def attacks(server, seconds):
    client = Client(server.path)
    client.set_up()
    client.frame()
    for run, *prepared in ((endless_shader,), (hidden_triangles,),
                           (many_objects, object_messages()), (huge_textures,)):
        alone = rate(client, seconds)
        process = attack(server.path, run, *prepared)
        time.sleep(0.5)
        beside = rate(client, seconds)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        for _ in range(400):
            if server.count()[1] == 1:
                break
            time.sleep(0.05)
        alone = (alone + rate(client, seconds)) / 2
        print(f"{run.__name__}: {alone:.0f} frames a second alone, {beside:.0f} beside it: "
              f"{100 * beside / alone:.0f} %", flush=True)
    return True


# ---- frames --------------------------------------------------------------------------


def microseconds(client, width, height, seconds):
    """Of frames of a window: a clear, a wait, a read-back, a wait."""
    client.add(CLEAR, 4, 0, 0, 0, 0, 0, 0, 0)
    words, client.words = client.words, []
    submit = struct.pack(f"<{2 + len(words)}I", len(words), SUBMIT, *words)
    wait = struct.pack("<4I", 2, BUSY_WAIT, 1, 1)
    size = width * height * 4
    get = struct.pack("<12I", 10, GET2, 1, 0, 0, 0, 0, width, height, 1, size, 0)
    taken, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.perf_counter()
        client.socket.sendall(submit + wait)
        client.receive(12)
        client.socket.sendall(get + wait)
        client.receive(12)
        taken.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(taken)


def frames(servers, seconds, rounds=5):
    for width, height in ((1, 1), (300, 300), (800, 600), (1920, 1080)):
        found = [[] for _ in servers]
        for _ in range(rounds):
            for server, times in zip(servers, found):
                client = Client(server.path)
                client.set_up(width=width, height=height)
                client.submit()
                times.append(microseconds(client, width, height, seconds / rounds))
                client.close()
        print(f"{width} x {height}: " + ", ".join(
            f"{statistics.median(times):.0f} us" for times in found), flush=True)
    return True


def main():
    tungsten, what, *rest = sys.argv[1:]
    amount = float(rest[0]) if rest else {"connects": 400, "together": 200}.get(what, 5)
    with tempfile.TemporaryDirectory() as folder:
        servers = [Server(f"{folder}/socket", tungsten, "serve", "--socket=")]
        if what == "frames" and shutil.which("virgl_test_server"):
            servers.append(Server(f"{folder}/virgl", "virgl_test_server",
                                  "--use-egl-surfaceless", "--socket-path="))
        try:
            if what == "connects":
                is_good = connects(servers[0], int(amount))
            elif what == "together":
                is_good = together(servers[0], int(amount))
            elif what == "attacks":
                is_good = attacks(servers[0], amount)
            else:
                is_good = frames(servers, amount)
        finally:
            status = [server.end() for server in servers][0]
    sys.exit(0 if is_good and status == 0 else 1)


if __name__ == "__main__":
    main()
