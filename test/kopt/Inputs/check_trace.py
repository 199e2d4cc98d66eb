"""Reads a trace, and wants every span to be there, with what its viewers need."""

import json
import sys

events = json.load(open(sys.argv[1]))
spans = sorted((event["name"], event["args"].get("op")) for event in events if event["cat"] == "pass")
assert spans == [("canonicalize", "a"), ("canonicalize", "b"), ("cse", "a"), ("cse", "b")], spans
names = {event["name"] for event in events if event["cat"] == "driver"}
assert names == {"Parser", "Output"}, names
for event in events:
    assert event["ph"] == "X" and event["dur"] >= 0 and event["ts"] >= 0, event
    assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
# On one function, the passes follow each other.
first, second = [next(e for e in events if (e["name"], e["args"].get("op")) == (name, "a")) for name in ("cse", "canonicalize")]
assert first["ts"] + first["dur"] <= second["ts"], (first, second)
