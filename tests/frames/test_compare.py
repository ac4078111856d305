#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare: where two frames begin to differ."""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SIZE = 100


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def write_png(path, pixels, width=SIZE):
    """Rows of `width` pixels of three bytes."""
    rows = [b"\0" + pixels[i:i + 3 * width] for i in range(0, len(pixels), 3 * width)]
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                     chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))


def main():
    compare = sys.argv[1]
    black = bytes(3 * SIZE * SIZE)
    num_pixels = SIZE * SIZE

    def spots(count, value):
        """So many pixels whose green is of this value."""
        return bytes((0, value, 0)) * count + bytes(3 * (num_pixels - count))

    # Pixels, status, and what is printed: the mean is of 30,000 channels.
    cases = [
        (black, 0, "same: mean 0.0000 of 255, 0.000 % off by more than 8, at most 0"),
        (spots(num_pixels, 2), 0,
         "same: mean 0.6667 of 255, 0.000 % off by more than 8, at most 2"),
        (spots(num_pixels, 3), 1,
         "other: mean 1.0000 of 255, 0.000 % off by more than 8, at most 3"),
        (spots(10, 8), 0, "same: mean 0.0027 of 255, 0.000 % off by more than 8, at most 8"),
        (spots(9, 9), 0, "same: mean 0.0027 of 255, 0.090 % off by more than 8, at most 9"),
        (spots(10, 9), 1, "other: mean 0.0030 of 255, 0.100 % off by more than 8, at most 9"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        a, b, difference = (Path(folder) / name for name in ("a.png", "b.png", "d.png"))
        write_png(a, black)
        for pixels, status, line in cases:
            write_png(b, pixels)
            difference.unlink(missing_ok=True)
            run = subprocess.run([compare, a, b, difference], capture_output=True, text=True)
            assert (run.returncode, run.stdout.strip()) == (status, line), run
            assert difference.exists() == (status == 1)
        write_png(b, black, width=SIZE // 2)
        for other in (b, Path(folder) / "none.png"):
            run = subprocess.run([compare, a, other], capture_output=True, text=True)
            assert run.returncode == 2 and run.stderr.count("\n") == 1, run


main()
