#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each code of a finding has a section with an example in the documentation,
and a pair of shaders, faulty and corrected, in this folder; there are at least
30 pairs; and nothing else is documented or expected.

    check_codes.py FINDINGS.DEF CHECK.MD FOLDER
"""
import pathlib
import re
import sys

LEAST_PAIRS = 30

findings, page, folder = (pathlib.Path(path) for path in sys.argv[1:])
titles = dict(
    re.findall(r'^CHECK_FINDING\(\w+, +"([^"]+)", +"([^"]+)"\)', findings.read_text(), re.M)
)
codes = set(titles)
faults = []
if not codes:
    faults.append(f"{findings} has no codes")

sections = re.split(r"^## (.*)$", page.read_text(), flags=re.M)
documented = dict(zip(sections[1::2], sections[2::2]))
for code in codes ^ set(documented):
    faults.append(f"{code} stands in only one of {findings} and {page}")
for code, section in documented.items():
    if f"expect finding {code} line" not in section:
        faults.append(f"{page} has no example of {code}")

rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", page.read_text(), re.M))
if rows != titles:
    faults.append(f"the table of {page} is not that of {findings}")

planted = set()
pairs = sorted(folder.glob("*.tgsi_test"))
for pair in pairs:
    faulty, _, corrected = pair.read_text().partition("[test corrected]")
    expected = re.findall(r"^expect finding (\S+) line", faulty, re.M)
    if not expected or not corrected or "expect finding" in corrected:
        faults.append(f"{pair} is no pair")
    planted.update(expected)
for code in codes - planted:
    faults.append(f"{folder} has no pair for {code}")
if len(pairs) < LEAST_PAIRS:
    faults.append(f"{folder} has {len(pairs)} pairs, and {LEAST_PAIRS} are wanted")

print("\n".join(faults) or f"{len(codes)} codes, {len(pairs)} pairs")
sys.exit(1 if faults else 0)
