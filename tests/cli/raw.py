#!/usr/bin/env python3
"""Compares two outputs of `go tool pprof -raw`: raw.py THEIRS OURS.

Prints what differs in types, periods and the values of each stack of addresses, and then how many stacks
there are.  Labels do not count: pprof reads none of some old files.  It takes frames off behind the
innermost one, up to two and one that repeats it, which may be in OURS.
"""
import collections
import re
import sys


def read(path):
    part, head, samples, addresses = "", [], [], {}
    for line in open(path, encoding="utf-8", errors="replace"):
        if re.match(r"(Samples|Locations|Mappings)", line):
            part = line[0]
        elif not part and line.startswith("Period"):
            head.append(line.strip())
        elif part == "S" and (m := re.match(r"^\s*([-\d ]+): ?([\d ]*)$", line)):
            samples.append((tuple(map(int, m[1].split())), m[2].split()))
        elif part == "S" and re.match(r"^\w\S*/", line):
            head.append(line.strip())
        elif part == "L" and (m := re.match(r"^\s*(\d+): (.*)", line)):
            # without its mapping, which pprof makes up where there is none, and without names of its own
            address = re.match(r"0x([0-9a-f]+)", m[2])
            addresses[m[1]] = address[1] if address else re.sub(r"^M=\d+ ", "", m[2])
    return head, [(values, tuple(addresses[n] for n in stack)) for values, stack in samples]


def sums(samples):
    total = collections.defaultdict(lambda: (0, 0, 0, 0))
    for values, stack in samples:
        total[stack] = tuple(a + b for a, b in zip(total[stack], values))
    return total


def main():
    theirs, ours = read(sys.argv[1]), read(sys.argv[2])
    if theirs[0] != ours[0]:
        print("types", *theirs[0], "|", *ours[0])
    expected = [stack for _, stack in theirs[1]]
    cut = []
    for i, (values, stack) in enumerate(ours[1]):
        if len(ours[1]) == len(expected) and 0 < len(stack) - len(expected[i]) <= 3 and expected[i]:
            stack = stack[:1] + stack[len(stack) - len(expected[i]) + 1:]
        cut.append((values, stack))
    a, b = sums(theirs[1]), sums(cut)
    for stack in a.keys() | b.keys():
        if a.get(stack) != b.get(stack):
            print(a.get(stack), b.get(stack), *stack)
    print(len(a))


main()
