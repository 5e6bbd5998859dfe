#!/usr/bin/env python3
"""Counts the stacks of a printed file anew, as the scripts of FlameGraph do, and compares: stacks.py
DIALECT FILE ROWS.

ROWS is what stacks2ndjson makes of FILE.  Prints each stack whose sum differs, and then how many stacks
there are.  A frame is its name, or its address where it has no name.
"""
import collections
import json
import re
import sys


def rows(path):
    functions, locations, stacks, values = {}, {}, collections.defaultdict(list), {}
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if row["table"] == "functions":
            functions[row["function_id"]] = row["name"]
        elif row["table"] == "locations":
            function = row["function_id"]
            locations[row["location_id"]] = row[".address"] if function is None else functions[function]
        elif row["table"] == "sample_values" and row["sample_id"] not in values:
            values[row["sample_id"]] = row["value"]
        elif row["table"] == "sample_locations":
            stacks[row["sample_id"]].append(locations[row["location_id"]])
    sums = collections.Counter()
    for sample, value in values.items():
        sums[tuple(stacks[sample])] += value
    return sums


def dtrace(text):
    sums, stack = collections.Counter(), []
    for line in text.split("\n")[3:]:
        if re.fullmatch(r"\s*\d+", line):
            sums[tuple(stack)] += int(line)
            stack = []
        elif line.strip():
            name = re.sub(r"\+0x[0-9a-f]+$", "", line.strip())
            stack.append(re.sub(r"^[^`]*`", "", name))
    return sums


def bpftrace_name(line):
    if line.startswith("\t"):
        address, name = line.strip().split(" ", 1)
        name = re.sub(r" \([^)]*\)$", "", name)
        return f"0x{address}" if name == f"0x{address}" else re.sub(r"\+\d+$", "", name)
    return re.sub(r"\+\d+$", "", line.strip())


def add_key(sums, key, value):
    """The user's stack is the first part of these keys, and that of the kernel the second."""
    stacks = [[bpftrace_name(line) for line in part.split("\n") if line[:1] in ("\t", " ")]
              for part in re.split(r"\n, ?", key)]
    if not re.match(r"\n", key):
        stacks.insert(0, [])
    sums[tuple([frame for stack in stacks[1:] for frame in stack] + stacks[0])] += value


def bpftrace(text):
    sums = collections.Counter()
    for key, value in re.findall(r"^@\w*\[((?:[^\n]*\n)*?[^\n\t ]*[^\n]*)\]: (-?\d+)$", text, re.M):
        add_key(sums, key, int(value))
    return sums


def bpftrace_json(text):
    sums = collections.Counter()
    for line in text.split("\n"):
        if '"type": "map"' in line:  # keys may repeat
            maps = dict(json.loads(line, object_pairs_hook=list))["data"]
            for _, keys in maps:
                for key, value in keys:
                    add_key(sums, key, value)
    return sums


def sample(text):
    """Inclusive counts: a line's own are its count without those of the next deeper level below it."""
    sums, calls = collections.Counter(), []
    for line in text.split("Call graph:\n")[1].split("\n\n")[0].split("\n"):
        m = re.match(r"([ +!:|]*)(\d+) (.*)", line)
        if m:
            name = re.sub(r"  (\(in .*|\[0x.*)", "", m[3])
            if name == "???":
                name = "0x" + re.search(r"\[0x([0-9a-f]+)", m[3])[1]
            calls.append((len(m[1]) // 2 - 2, int(m[2]), name))
    for i, (level, count, _) in enumerate(calls):
        stack, inner = [], level
        for above, _, name in calls[i::-1]:
            if above == inner and above > 0:
                stack.append(name)
                inner -= 1
        for below, other, _ in calls[i + 1:]:
            if below <= level:
                break
            count -= other if below == level + 1 else 0
        if count:
            sums[tuple(stack)] += count
    return sums


def jstack(text):
    sums, stack = collections.Counter(), None
    for line in text.split("\n") + ['"end" prio=']:
        if line.startswith('"') and "prio=" in line:
            if stack is not None:
                sums[tuple(stack)] += 1
            stack = []
        elif m := re.match(r"\s+at (.*)\(.*\)$", line):
            stack.append(m[1])
    return sums


def gdb(text):
    sums = collections.Counter()
    for part in re.split(r"^Thread \d+ \(.*\):$", text, flags=re.M)[1:]:
        stack = []
        for line in re.findall(r"^#\d+ +(.*)", part, re.M):
            address, name = re.match(r"(?:0x0*(\w+) in )?(.*)", line).groups()
            # up to the blank before the arguments, outside of <>
            depth, end = 0, len(name)
            for i, c in enumerate(name):
                depth += (c == "<") - (c == ">")
                if depth == 0 and name[i:i + 2] == " (":
                    end = i
                    break
            stack.append("0x" + address if name.startswith("??") else name[:end])
        sums[tuple(stack)] += 1
    return sums


def main():
    dialect, path, ours = sys.argv[1:]
    text = open(path, encoding="utf-8", errors="replace", newline="\n").read()
    a, b = globals()[dialect](text), rows(ours)
    for stack in a.keys() | b.keys():
        if a.get(stack) != b.get(stack):
            print(a.get(stack), b.get(stack), *stack, sep=" | ")
    print(len(a))


main()
