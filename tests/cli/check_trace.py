#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at the trace of a profile: it is JSON with what Perfetto wants, the spans
of a thread nest, the time of each is what its inner ones leave, and the totals are
the sums of those.

    check_trace.py TRACE [STAGE]...

Prints for each STAGE how many spans there are, and ends with status 1 and a line
when something is wrong.
"""
import json
import sys
from collections import Counter, defaultdict


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def check_thread(spans):
    """Of one thread, from the first to begin on."""
    spans.sort(key=lambda s: (s["begin"], -s["end"]))
    stack = []
    for span in spans:
        while stack and stack[-1]["end"] <= span["begin"]:
            stack.pop()
        if stack:
            assert span["end"] <= stack[-1]["end"], f"{span} leaves {stack[-1]}"
            stack[-1]["inner"] += span["end"] - span["begin"]
        stack.append(span)
    for span in spans:
        left = span["end"] - span["begin"] - span["inner"]
        assert left == span["self"], f"{span} has {left} left"


def read_spans(events):
    threads = defaultdict(list)
    for event in events:
        assert event["ph"] in "XiM" and isinstance(event["pid"], int), event
        assert isinstance(event["tid"], int) and event["name"], event
        if event["ph"] == "X":
            begin = nanoseconds(event["ts"])
            threads[event["tid"]].append({
                "begin": begin, "end": begin + nanoseconds(event["dur"]), "inner": 0,
                "self": nanoseconds(event["args"]["self_us"]), "stage": event["cat"]})
    return threads


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    threads = read_spans(trace["traceEvents"])
    named = {e["tid"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    assert set(threads) <= named, "a thread has no name"
    spans, time = Counter(), Counter()
    for thread in threads.values():
        check_thread(thread)
        for span in thread:
            spans[span["stage"]] += 1
            time[span["stage"]] += span["self"]
    assert trace["otherData"]["spans_lost"] == 0
    for stage, total in trace["otherData"]["stages"].items():
        assert total == {"spans": spans[stage], "nanoseconds": time[stage]}, stage
    for stage in sys.argv[2:]:
        print(f"{stage}: {spans[stage]}")


try:
    main()
except (AssertionError, ValueError, KeyError) as wrong:
    print(f"{sys.argv[1]}: {wrong!r}")
    sys.exit(1)
