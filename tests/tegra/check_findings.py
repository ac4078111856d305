#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of the checker's findings in the documentation is findings.def.

    check_findings.py FINDINGS.DEF TEGRA.MD
"""
import pathlib
import re
import sys

findings, page = (pathlib.Path(path).read_text() for path in sys.argv[1:])
STRING = r'"((?:[^"\\]|\\.)*)"'
rows = re.findall(
    rf"^TEGRA_FINDING\(\w+, (ERROR|WARNING),\s+{STRING}, {STRING},\s+(?:{STRING}|NULL)\)",
    findings,
    re.M,
)
expected = [
    f"| `{code}` | {severity.lower()} | {means} | {note} |".replace("  |", " |")
    for severity, code, means, note in rows
]
section = page.partition("## What the checker finds")[2].partition("\n## ")[0]
found = [line for line in section.splitlines() if line.startswith("| `")]

faults = [f"not in the table: {row}" for row in expected if row not in found]
faults += [f"not a finding: {row}" for row in found if row not in expected]
if len(rows) != findings.count("\nTEGRA_FINDING("):
    faults.append("a row of findings.def cannot be read")
if not faults and found != expected:
    faults.append("the rows are in another order")
print("\n".join(faults) or f"{len(rows)} findings")
sys.exit(1 if faults or not rows else 0)
