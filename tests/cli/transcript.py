#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays transcripts of a shell and compares what is printed.

A transcript is a text file. A line that begins with "$ " is a command, lines
that begin with "> " continue it; what follows, up to the next command or an
empty line before one, is what it prints on both outputs. "[2]" says that it
ended with status 2. Lines that begin with # are comments at the start and
behind an empty line. The commands of a transcript share one empty folder, and find tungsten by its name; $DATA is the
folder of the transcript.

    transcript.py [--rebase] TUNGSTEN TRANSCRIPT

--rebase writes down what is printed now; read the difference before you
commit it.
"""
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile


class Step:
    def __init__(self):
        self.before = []  # comments and empty lines
        self.command = []
        self.output = []


def starts_comment(step, line):
    printed = step.command and not (step.output and not step.output[-1])
    return line.startswith("#") and not printed


def parse(text):
    steps = [Step()]
    for line in text.splitlines():
        step = steps[-1]
        if line.startswith("$ "):
            if step.command:
                step = Step()
                steps.append(step)
            step.command.append(line[2:])
        elif line.startswith("> ") and step.command and not step.output:
            step.command.append(line[2:])
        elif starts_comment(step, line) or (not line and not step.command):
            if step.command:
                step = Step()
                steps.append(step)
            step.before.append(line)
        else:
            step.output.append(line)
    for step, following in zip(steps, steps[1:]):
        while step.output and not step.output[-1]:
            following.before.insert(0, step.output.pop())
    return steps


def play(step, folder, environment):
    done = subprocess.run(
        ["sh", "-c", "\n".join(step.command)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    output = done.stdout.decode("utf-8", "backslashreplace").splitlines()
    if done.returncode:
        output.append(f"[{done.returncode}]")
    return output


def write(steps):
    lines = []
    for step in steps:
        lines += step.before
        lines += [("> " if i else "$ ") + c for i, c in enumerate(step.command)]
        lines += step.output
    return "\n".join(lines) + "\n"


def main():
    rebase = "--rebase" in sys.argv
    tungsten, transcript = [pathlib.Path(a).resolve() for a in sys.argv[-2:]]
    environment = dict(
        os.environ,
        PATH=f"{tungsten.parent}:{os.environ['PATH']}",
        DATA=str(transcript.parent),
        LC_ALL="C",
    )
    text = transcript.read_text()
    steps = parse(text)
    with tempfile.TemporaryDirectory() as folder:
        for step in steps:
            if step.command:
                step.output = play(step, folder, environment)
    now = write(steps)
    if rebase:
        transcript.write_text(now)
        return 0
    difference = difflib.unified_diff(
        text.splitlines(), now.splitlines(), "expected", "printed", lineterm=""
    )
    shown = list(difference)
    print("\n".join(shown))
    return 1 if shown else 0


sys.exit(main())
