#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of the page has a diagnostic that the named shader gets, of that
severity and code, or says why it has none; and each code of the validator is
that of some rule.

    check_rules.py TUNGSTEN RULES.MD SOURCES TESTS FINDINGS.DEF

SOURCES is the folder of the validator, TESTS that of the shaders.
"""
import json
import pathlib
import re
import subprocess
import sys

GENERATIONS = {"2010", "2011", "2019"}
LEAST_RULES = 100

tungsten = sys.argv[1]
page, sources, tests, findings = (pathlib.Path(path) for path in sys.argv[2:])
faults = []


def rows():
    """The cells of each row of the page's tables, by column title."""
    titles = None
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            titles = None
        elif titles is None:
            titles = cells
        elif not set("".join(cells)) <= set("- "):
            if len(cells) != len(titles):
                faults.append(f"{line}: {len(cells)} cells, not {len(titles)}")
            yield dict(zip(titles, cells))


def complaints_of(name, known={}):
    """Pairs of severity and code that the shader of this name gets."""
    if name not in known:
        paths = [tests / folder / f"{name}.tgsi" for folder in ("check", "bad")]
        paths = [str(path) for path in paths if path.exists()]
        options = ["--dialect", (re.search(r"-(2010|2011)$", name) or [0, "2019"])[1]]
        options += ["--strict"] if "strict" in name else []
        known[name] = set()
        for path in paths:
            run = subprocess.run([tungsten, "check", "--json", *options, path],
                                 capture_output=True, check=False)
            known[name] |= {(x["severity"], x["code"]) for x in json.loads(run.stdout)}
    return known[name]


def is_shown(kind, code, where):
    if kind == "finding":
        return where == "check.md" and f'"{code}"' in findings.read_text()
    if where.endswith(".c"):
        return re.search(rf'"[^"]*\b{code}\b', (tests / where).read_text())
    return (kind, code) in complaints_of(where)


def codes_of_validator():
    """The first word in quotes of each call that complains is the code."""
    codes = set()
    for source in [sources / "analysis/flow.c", *sources.glob("validate/*.c")]:
        calls = r'\b(?:validate_(?:error|warning|report)|fault)\([^";]*"([a-z]+(?:-[a-z]+)*)"'
        codes.update(re.findall(calls, source.read_text()))
    return codes


count, told = 0, set()
for row in rows():
    count += 1
    rule, diagnostic = row["rule"], row["diagnostic"]
    if not set(row.get("texts", "2019").split(", ")) <= GENERATIONS or row.get("section") == "":
        faults.append(f"{rule}: in no text")
    if diagnostic == "-":
        if not row["shown by"]:
            faults.append(f"{rule}: neither a diagnostic nor a reason for none")
        continue
    match = re.fullmatch(r"(error|warning|finding) `([a-z-]+)`", diagnostic)
    if not match:
        faults.append(f"{rule}: {diagnostic} is no diagnostic")
    elif not is_shown(*match.groups(), row["shown by"]):
        faults.append(f"{rule}: {row['shown by']} does not show {diagnostic}")
    else:
        told.add(match[2])

codes = codes_of_validator()
faults += [f"{code}: of no rule" for code in sorted(codes - told)]
if count < LEAST_RULES or len(codes) < 40:
    faults.append(f"{count} rules and {len(codes)} codes are too few to be all")
print("\n".join(faults) or f"{count} rules, {len(codes)} codes")
sys.exit(1 if faults else 0)
