#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the polynomials of src/lower/math and src/lower/alu/scale.c.

Each is a minimax approximation by Remez' exchange algorithm, in 60 decimal
digits. Coefficients that will be floats are rounded one by one, lowest power
first, and the rest is fitted again around them; doubles are only rounded.
Prints the tables as they stand in the sources, and the error that is left.
Needs mpmath; nothing in the build runs this.
"""
import struct

import mpmath as mp

mp.mp.dps = 60
LN2 = mp.log(2)


def to_float(x):
    return mp.mpf(struct.unpack('<f', struct.pack('<f', float(x)))[0])


def to_double(x):
    return mp.mpf(float(x))


def nodes(a, b, count):
    return [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / (count - 1))
            for i in range(count)]


def horner(coefficients, x):
    value = mp.mpf(0)
    for c in reversed(coefficients):
        value = value * x + c
    return value


def merge(extremes):
    """Of neighbours of one sign only the greater."""
    merged = []
    for x, e in extremes:
        if merged and (e > 0) == (merged[-1][1] > 0):
            if abs(e) > abs(merged[-1][1]):
                merged[-1] = (x, e)
        else:
            merged.append((x, e))
    return merged


def alternation(error, count):
    """`count` points of greatest error and alternating sign."""
    extremes = merge(error)
    while len(extremes) > count:
        least = min(range(len(extremes)), key=lambda i: abs(extremes[i][1]))
        if len(extremes) == count + 1 and 0 < least < count:
            least = 0 if abs(extremes[0][1]) < abs(extremes[-1][1]) else count
        extremes.pop(least)
        extremes = merge(extremes)
    return extremes


def remez(function, weight, a, b, fixed, count):
    """Coefficients after `fixed` ones, `count` of them, that minimise
    max |weight(x) * (polynomial(x) - function(x))| on [a, b]."""
    first = len(fixed)
    points = nodes(a, b - (b - a) / 1000, count + 1)
    grid = nodes(a, b, 60 * (count + 2))
    grid = [x if x != 0 else (b - a) * mp.mpf(10)**-9 for x in grid]
    points = [x if x != 0 else (b - a) * mp.mpf(10)**-2 for x in points]
    values = [(x, function(x), weight(x)) for x in grid]
    for _ in range(20):
        matrix = mp.matrix(count + 1, count + 1)
        right = mp.matrix(count + 1, 1)
        for i, x in enumerate(points):
            for j in range(count):
                matrix[i, j] = x**(first + j)
            matrix[i, count] = (-1)**i / weight(x)
            right[i] = function(x) - horner(fixed, x)
        solution = mp.lu_solve(matrix, right)
        tail = [solution[j] for j in range(count)]
        error = [(x, w * (horner(fixed + tail, x) - f)) for x, f, w in values]
        extremes = alternation(error, count + 1)
        if len(extremes) < count + 1:
            break
        largest = max(abs(e) for _, e in extremes)
        smallest = min(abs(e) for _, e in extremes)
        points = [x for x, _ in extremes]
        if largest < smallest * mp.mpf('1.0001'):
            break
    return tail


def worst(function, weight, a, b, coefficients):
    return max(abs(weight(x) * (horner(coefficients, x) - function(x)))
               for x in nodes(a, b, 999) if x != 0)


def fit(name, function, weight, a, b, degree, rounding, fixed=()):
    fixed = list(fixed)
    tail = remez(function, weight, a, b, fixed, degree + 1 - len(fixed))
    while tail:
        fixed.append(rounding(tail[0]))
        kept = tail[1:]
        if not kept or rounding is to_double:
            tail = kept
            continue
        tail = remez(function, weight, a, b, fixed, len(kept))
        if worst(function, weight, a, b, fixed + tail) > worst(
                function, weight, a, b, fixed + kept):
            tail = kept
    error = worst(function, weight, a, b, fixed)
    print('%s: error 2^%s' % (name, mp.nstr(mp.log(error, 2), 4)))
    for c in fixed:
        digits, exponent = float(c).hex().split('p')
        if rounding is to_float:
            digits, exponent = digits[:-7], exponent + 'f'
        print('   %sp%s,' % (digits, exponent))


def exp2_quotient(f):
    return mp.expm1(f * LN2) / f


def log2_quotient(f):
    return mp.log1p(f) / LN2 / f


def atanh_excess(z):
    """log2(m) / s beyond 2 / ln 2, over s^2, for s = (m - 1) / (m + 1)."""
    s = mp.sqrt(z)
    return (mp.atanh(s) / s - 1) / z * 2 / LN2


def sin_quotient(z):
    r = mp.sqrt(z)
    return (mp.sin(r) - r) / (r * z)


def exp2_weight(f):
    return f / mp.power(2, f)


def atanh_weight(z):
    s = mp.sqrt(z)
    return z / (mp.atanh(s) / s) * LN2 / 2


def sin_weight(z):
    r = mp.sqrt(z)
    return r * z / mp.sin(r)


def main():
    half = mp.mpf(1) / 2
    low = mp.sqrt(half) - 1
    high = mp.sqrt(2) - 1
    first = to_float(1 / LN2)
    # Powers of a square, not down to 0 / 0. The sine goes a little beyond pi / 2.
    tiny = mp.mpf(10)**-12
    square_of_s = (high / (2 + high))**2
    square_of_r = (mp.pi / 2 + mp.mpf('0.013'))**2

    fit('exp_log.c, exp2', exp2_quotient, exp2_weight, -half, half, 5,
        to_float, [to_float(LN2)])
    fit('exp_log.c, log2', lambda f: log2_quotient(f) - first,
        lambda f: 1 / log2_quotient(f), low, high, 9, to_float)
    fit('trig.c, sine', sin_quotient, sin_weight, tiny, square_of_r, 4,
        to_float)
    fit('pow.c, log2', atanh_excess, atanh_weight, tiny, square_of_s, 3,
        to_float)
    fit('glsl.c, log2', log2_quotient, lambda f: 1 / log2_quotient(f),
        low, high, 8, to_float)
    fit('glsl.c, exp2', exp2_quotient, exp2_weight, tiny, mp.mpf(1), 5,
        to_float)
    fit('scale.c, exp2', exp2_quotient, exp2_weight, -half, half, 10,
        to_double)


main()
