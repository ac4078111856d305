#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every function of the public headers has a manual page that says what it
does, and its prototype; the page of .tgsi_test files has every heading and
every table's first column of the document. Where there is groff it has no
complaints.

   library_pages.py HEADERS-TO-MAN TGSI_TEST.5 TGSI_TEST.md HEADER.h..."""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def plain(text):
    """Without what troff and Markdown mark."""
    text = re.sub(r'\\f[BIP]|\\&|`|\*', '', text)
    text = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', text)
    return text.replace('\\-', '-').replace('\\|', '|').replace('\\e', '\\')


def faults_of_function(folder, name):
    path = os.path.join(folder, name + '.3')
    if not os.path.exists(path):
        return ['has no page']
    with open(path, encoding='utf-8') as file:
        page = file.read()
    alias = re.fullmatch(r'\.so man3/(\w+)\.3\n', page)
    if alias:
        with open(os.path.join(folder, alias.group(1) + '.3'),
                  encoding='utf-8') as file:
            page = file.read()
    faults = []
    if not re.search(r'^\.SH NAME\n.*\b' + name + r'\b.* \\- \S', page, re.M):
        faults.append('is not summed up')
    if not re.search(r'^' + name + r'\(', page, re.M):
        faults.append('has no prototype')
    if not re.search(r'^\.SH DESCRIPTION\n\.PP\n(\.nf\n)?\S', page, re.M):
        faults.append('is not described')
    return faults


def faults_of_format(page, document):
    with open(page, encoding='utf-8') as file:
        text = plain(file.read())
    with open(document, encoding='utf-8') as file:
        source = file.read()
    wanted = re.findall(r'^###? (.*)', source, re.M)
    wanted += re.findall(r'^\| ((?:\\\||[^|])*?) \|', source, re.M)
    missing = [plain(words) for words in wanted
               if words.strip('- ') and plain(words) not in text]
    heads = set(re.findall(r'^\| ([^|]*?) \|.*\n\| ---', source, re.M))
    return [f'{page}: lacks {words}' for words in missing
            if words not in heads]


def faults_of_groff(root, pages):
    said = subprocess.run(['groff', '-man', '-ww', '-Tutf8', '-z',
                           *map(os.path.abspath, pages)], cwd=root,
                          capture_output=True, text=True, check=False)
    return [said.stderr] if said.stderr else []


def main():
    tool, page, document, *headers = sys.argv[1:]
    faults = faults_of_format(page, document)
    with tempfile.TemporaryDirectory() as root:
        folder = os.path.join(root, 'man3')
        subprocess.run([tool, '0.0.0', folder] + headers, check=True)
        names = []
        for header in headers:
            with open(header, encoding='utf-8') as file:
                names += re.findall(r'^(tg_\w+)\(', file.read(), re.M)
        assert len(names) > 100, names
        for name in names:
            faults += [f'{name} {fault}'
                       for fault in faults_of_function(folder, name)]
        if shutil.which('groff'):
            pages = [os.path.join(folder, file) for file in os.listdir(folder)]
            faults += faults_of_groff(root, pages + [page])
    print('\n'.join(faults))
    return bool(faults)


sys.exit(main())
