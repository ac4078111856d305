#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of a page are those of the .def files that are named above them,
in a comment.

    doc_tables.py [--rebase] FOLDER PAGE
"""
import pathlib
import re
import sys

folder, page = (pathlib.Path(path) for path in sys.argv[-2:])


def whole(file):
    """A file of one of the folders."""
    path, = folder.glob("*/" + file)
    return path.read_text()


def table(file):
    """What stands in a file, without comments."""
    text = whole(file).partition("clang-format off */")[2]
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def without_directives(text):
    return re.sub(r"^#.*(?:(?<=\\)\n.*)*$", "", text, flags=re.M)


def rows_of(file, macro):
    """The arguments of each call of a macro; strings without their marks."""
    text = without_directives(table(file))
    found = re.findall(rf"{macro}\(((?:\"[^\"]*\"|[^()\"])*)\)", text)
    split = r'\s*("[^"]*"|[^,]+?)\s*(?:,|$)'
    return [[a.strip('"') for a in re.findall(split, call)] for call in found]


def span(lsb, width):
    last = int(lsb) + int(width) - 1
    return lsb if width == "1" else f"{lsb}-{last}"


def control():
    for name, lsb, width, none, title in rows_of("control.def", "MAXWELL_CONTROL"):
        yield span(lsb, width), f"`{name}`", none, title


def rows():
    for form, number, dim, lod, extra, *rest in rows_of("rows.def", "MAXWELL_ROW"):
        *operands, opcode, target = rest
        names = [lod] + extra.split("|")
        modifiers = " ".join(f"`.{name}`" for name in names if name != "NONE")
        yield (f"`{form}`", number, dim, modifiers,
               *("" if operand == "NONE" else operand for operand in operands),
               f"{opcode} {target}")


def masks():
    for name, rd1, code, _, n0, n1, half0, half1 in rows_of("masks.def", "MAXWELL_MASK"):
        letters = iter(name)
        whole = [[next(letters) for _ in range(int(n))] for n in (n0, n1)]
        letters = iter(name + "00")
        halves = [[next(letters) for _ in range(2 * int(n))] for n in (half0, half1)]
        yield (f"`{name}`", "a register" if rd1 == "1" else "RZ", code,
               *(", ".join(group) for group in whole + halves))


def expand(text):
    """Lets macros of the file that stand for several fields be those fields."""
    macros = dict(re.findall(r"#define (\w+)\(form\)((?:[^\n]*\\\n)*[^\n]*)", text))
    text = without_directives(text)
    before = None
    while text != before:
        before = text
        for name, body in macros.items():
            text = re.sub(rf"\b{name}\((\w+)\)",
                          lambda call: re.sub(r"\bform\b", call[1], body), text)
    return text


def forms():
    pattern = r"MAXWELL_FIELD\((\w+),\s*(\w+),\s*(\d+),\s*(\d+)\)"
    fields = re.findall(pattern, expand(table("forms.def")))
    for form, name, value, bits, _, bindless, *_ in rows_of("forms.def", "MAXWELL_FORM"):
        own = sorted((int(f[2]), f[1], f[3]) for f in fields if f[0] == form)
        spelt = ", ".join(f"{field} {span(str(lsb), width)}" for lsb, field, width in own)
        yield f"`{name}{'.B' if bindless == '1' else ''}`", value, bits, spelt


def findings():
    for _, severity, *rest in rows_of("findings.def", "MAXWELL_FINDING"):
        code, means, legal = rest
        yield f"`{code}`", severity.lower(), means, legal


makers = {"control": control, "rows": rows, "masks": masks, "forms": forms,
          "findings": findings}
text = page.read_text()
faults = []
for name, maker in makers.items():
    made = "".join("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|\n"
                   for row in maker())
    pattern = rf"(<!-- {name}\.def -->\n\|[^\n]*\n\|[- |]*\n)((?:\|[^\n]*\n)*)"
    found = re.search(pattern, text)
    calls = whole(f"{name}.def").count(f"\nMAXWELL_{name.rstrip('s').upper()}(")
    if made.count("\n") != calls or not calls:
        faults.append(f"{name}.def has {calls} rows, and {made.count(chr(10))} were read")
    if not found:
        faults.append(f"the page has no table of {name}.def")
    elif "--rebase" in sys.argv:
        text = text[:found.start(2)] + made + text[found.end(2):]
    elif found[2] != made:
        faults.append(f"the table of {name}.def should be\n{made}")
if "--rebase" in sys.argv:
    page.write_text(text)
print("\n".join(faults) or f"{len(makers)} tables")
sys.exit(1 if faults else 0)
