#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a page says that the corpus becomes is what test_lower_corpus counts.

    doc_counts.py TEST_LOWER_CORPUS FOLDER PAGE
"""
import re
import subprocess
import sys

program, folder, page = sys.argv[1:]
counted = subprocess.run([program, folder], capture_output=True, text=True).stdout
text = open(page).read()


def number(pattern):
    """What stands for N in what the program printed, or 0."""
    found = re.search(r"(?<![\w.])" + pattern.replace("N", r"([\d.]+)"), counted)
    return found[1].rstrip(".") if found else "0"


def forms(*names):
    return sum(int(number(f"N {name}[ ;]")) for name in names)


def with_handles(*names):
    """Cells of full forms: all, and those whose handle is in a register."""
    bindless = forms(*(f"{name}.B" for name in names))
    return forms(*names) + bindless, bindless


def steps(*names):
    return ", ".join(conversions.get(name, "0") for name in names)


conversions = {name: count for count, name in re.findall(
    r"(\d+) ([a-z ]+?)(?= \d|$)", re.search(r"^conversions:.*", counted, re.M)[0])}
emulated = int(number("quads, of N instructions"))
in_quads = int(number("N in quads"))
layers = int(steps("layers")) + int(steps("layers raised"))
rows = {
    "lookups: `TEXS`, `TEX`": (forms("TEXS") - 4 * emulated, *with_handles("TEX")),
    "texel fetches: `TLDS`, `TLD`": (forms("TLDS"), *with_handles("TLD")),
    "gathers: `TLD4S`, `TLD4`": (forms("TLD4S"), *with_handles("TLD4")),
    "given derivatives: `TXD`": ("", *with_handles("TXD")),
    "given derivatives in a quad: four `TEXS`": (4 * emulated, "", 0),
    "queries: `TXQ`": ("", *with_handles("TXQ")),
    "levels: `TMML`": ("", *with_handles("TMML")),
    "together": (number("N scalar"), number("N full"),
                 forms("TEX.B", "TLD.B", "TLD4.B", "TXD.B", "TXQ.B", "TMML.B")),
    "instructions that have a scalar form by the specification's rows":
        (number("N are expressible"),),
    "of these, in scalar form": (number("N of them are: ") + " (100 %)",),
    "moves": (number("N moves"),),
    "of these, constants, once at the start": (number("N of them constants"),),
    "moves for each texture instruction": (number("N moves for each"),),
    "geometric mean over shaders of (1 + moves / instructions), minus 1":
        (number("N in the geometric mean"),),
    "derivatives in a quad: steps, and fetches but for one":
        (f"{in_quads - 3 * emulated}, {3 * emulated}",),
    "geometric mean with these as moves": (number("N with what quads"),),
    "conversions: layers of lookups, in two steps, and of fetches":
        (f"{layers}, {steps('layers of fetches')}",),
    "reciprocals and products of `TXP`": (steps("reciprocals", "products"),),
    "offsets, levels of `LODQ`": (steps("offsets", "levels"),),
    "loads and stores of registers with an index that is not known":
        (steps("loads", "stores"),),
    "shaders refused": (number("N refused"),),
}
sentence = f"`tests/corpus/real`, {number('N shaders')} of which have textures"
faults = [] if sentence in text else [f"the page should say: {sentence}"]
for name, cells in rows.items():
    row = f"| {name} |" + "".join(f" {cell} |" if cell != "" else " |" for cell in cells)
    if row not in text:
        faults.append(f"the page should have: {row}")
print("\n".join(faults) or f"{len(rows)} rows")
sys.exit(1 if faults else 0)
