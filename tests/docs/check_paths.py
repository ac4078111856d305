#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the files and folders that a page names exist?

    check_paths.py ROOT PAGE...

Looks at what stands in back quotes and begins with a folder of the project; a
name with <angle brackets> stands for many.
"""
import pathlib
import re
import sys

FOLDERS = ("data", "docs", "examples", "include", "src", "tests", "tools")
NAME = re.compile(r"`((?:%s)/[^`\s<]*)(<?)[^`]*`" % "|".join(FOLDERS))


def find_missing(root, page):
    for match in NAME.finditer(page.read_text()):
        name, bracket = match.groups()
        if bracket:
            name = name.rpartition("/")[0]
        if not any(root.glob(name.rstrip("/"))):
            yield f"{page.name}: there is no {match.group(1)}"


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [pathlib.Path(name) for name in sys.argv[2:]]
    missing = [line for page in pages for line in find_missing(root, page)]
    print("\n".join(missing))
    return 1 if missing else 0


sys.exit(main())
