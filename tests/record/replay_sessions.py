#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays recorded sessions: everything that their programs read back is the
same, with one thread and with several. Those programs are piglit's, and passed
when they were recorded.

    replay_sessions.py TUNGSTEN FOLDER
"""
import json
import subprocess
import sys
from pathlib import Path

THREADS = (1, 3, 8)


def replay(tungsten, session, threads):
    run = subprocess.run([tungsten, "replay", "--json", f"--threads={threads}", session],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, (session, threads, run)
    result = json.loads(run.stdout)
    assert result["frames_different"] == result["reads_different"] == 0, (session, threads, result)
    return result


def main():
    tungsten, folder = sys.argv[1:]
    sessions = sorted(Path(folder).glob("*.rec"))
    assert len(sessions) >= 10, sessions
    num_reads = 0
    for session in sessions:
        results = [replay(tungsten, session, threads) for threads in THREADS]
        assert all(result["reads"] == results[0]["reads"] for result in results), session
        num_reads += results[0]["reads"]
    assert num_reads >= 40, num_reads


if __name__ == "__main__":
    main()
