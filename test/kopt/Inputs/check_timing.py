"""Reads a timing report, and wants its names and that its numbers agree."""

import json
import sys

lines = json.load(open(sys.argv[1]))
names = [line["name"] for line in lines]
assert names == ["Parser", "'func.func' Pipeline", "Output", "Rest", "Total"], names
passes = [line["name"] for line in lines[1]["passes"]]
assert [name for name in passes if not name.startswith("(")] == ["cse", "canonicalize"], passes
walls = [line["wall"]["duration"] for line in lines]
assert abs(sum(walls[:-1]) - walls[-1]) < 1e-6, walls
for line in lines:
    assert abs(line["wall"]["percentage"] - 100 * line["wall"]["duration"] / walls[-1]) < 1e-6, line
