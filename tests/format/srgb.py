#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The words of src/format/srgb.def, from the definition of sRGB in decimals.

Prints them; with the path of the file, compares instead.
"""
import re
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60


def linear(c):
    """Of an encoded value, a fraction from 0 to 1, to 60 digits."""
    c = Decimal(c.numerator) / Decimal(c.denominator)
    if c <= Decimal("0.04045"):
        return c / Decimal("12.92")
    return ((c + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")


def float_of(bits):
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def floor_bits(x):
    """The greatest float that is not above x, which is not negative."""
    low, high = 0, 0x3F800000
    while low < high:
        middle = (low + high + 1) // 2
        if float_of(middle) <= x:
            low = middle
        else:
            high = middle - 1
    return low


def nearest_bits(x):
    low = floor_bits(x)
    if float_of(low) == x:
        return low
    below, above = x - float_of(low), float_of(low + 1) - x
    assert below != above
    return low if below < above else low + 1


def words(bits):
    """Linear values of all codes, then from where on each code is nearest."""
    last = (1 << bits) - 1
    decode = [nearest_bits(Fraction(linear(Fraction(i, last))))
              for i in range(last + 1)]
    encode = [0]
    for i in range(1, last + 1):
        x = Fraction(linear(Fraction(2 * i - 1, 2 * last)))
        low = floor_bits(x)
        encode.append(low if float_of(low) == x else low + 1)
    return decode + encode


def main():
    expected = words(8) + words(5) + words(6)
    if len(sys.argv) < 2:
        for i in range(0, len(expected), 6):
            print("".join(f"0x{w:08x}, " for w in expected[i:i + 6]).rstrip())
        return 0
    with open(sys.argv[1], encoding="ascii") as file:
        found = [int(w, 16) for w in re.findall(r"0x([0-9a-f]{8}),", file.read())]
    for i, (a, b) in enumerate(zip(found, expected)):
        if a != b:
            print(f"word {i} is {a:#010x}, expected {b:#010x}")
    print(f"{len(found)} words, expected {len(expected)}")
    return found != expected


if __name__ == "__main__":
    sys.exit(main())
