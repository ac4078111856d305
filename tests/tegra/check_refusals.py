#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of reasons not to compile in the documentation is refusals.def.

    check_refusals.py REFUSALS.DEF TEGRA.MD
"""
import pathlib
import re
import sys

refusals, page = (pathlib.Path(path).read_text() for path in sys.argv[1:])
rows = re.findall(r'^SELECT_REFUSAL\(\w+, +"([^"]+)", +"([^"]+)"\)', refusals, re.M)
expected = [f"| `{code}` | {text} |" for code, text in rows]
section = page.partition("### What is refused")[2].partition("\n##")[0]
found = [line for line in section.splitlines() if line.startswith("| `")]

faults = [f"not in the table: {row}" for row in expected if row not in found]
faults += [f"no reason: {row}" for row in found if row not in expected]
if len(rows) != refusals.count("\nSELECT_REFUSAL("):
    faults.append("a row of refusals.def cannot be read")
if not faults and found != expected:
    faults.append("the rows are in another order")
print("\n".join(faults) or f"{len(rows)} reasons")
sys.exit(1 if faults or not rows else 0)
