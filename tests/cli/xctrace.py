"""Reads files of Instruments by itself, to compare with rows.

    xctrace.py xml < file       a line for each row: time, weight, thread id, and stack from the inside
    xctrace.py rows < rows      the same of rows
    xctrace.py copy < file      "self total symbol" in order for each line of a deep copy, where the total is a sum of selfs
    xctrace.py weights < file   the same, where the total is what Instruments shows, in its own precision
"""
import collections
import json
import re
import sys
import xml.etree.ElementTree as ET


def of_xml(data):
    ids = {e.get("id"): e for e in ET.fromstring(data).iter() if e.get("id")}

    def get(e):
        return ids[e.get("ref")] if e is not None and e.get("ref") else e

    for row in ET.fromstring(data).iter("row"):
        stack = get(row.find("backtrace"))
        if stack is None:
            tagged = get(row.find("tagged-backtrace"))
            stack = get(tagged.find("backtrace")) if tagged is not None else []
        frames = []
        for frame in map(get, stack):
            source = frame.find("source")
            path = get(source.find("path")).text if source is not None else ""
            name = frame.get("name") if frame.get("name") != frame.get("addr") else None
            binary = get(frame.find("binary"))
            frames.append([name, path if name else None, int(source.get("line")) if source is not None and name else 0,
                           frame.get("addr"), None if binary is None else binary.get("path") or binary.get("name")])
        print(json.dumps([int(get(row.find("sample-time")).text), int(get(row.find("weight")).text),
                          int(get(get(row.find("thread")).find("tid")).text), frames]))


def of_rows(lines):
    functions, mappings, locations, sample = {}, {}, {}, None
    for row in map(json.loads, lines):
        table = row["table"]
        if sample is not None and not table.startswith("sample_"):
            print(json.dumps(sample))
            sample = None
        if table == "functions":
            functions[row["function_id"]] = [row["name"], row["filename"]]
        elif table == ".mappings":
            mappings[row["mapping_id"]] = row["filename"]
        elif table == "locations":
            locations[row["location_id"]] = functions.get(row["function_id"], [None, None]) + [
                row["line"] or 0, row[".address"], mappings.get(row.get(".mapping_id"))]
        elif table == "samples":
            tid = [label["num"] for label in row[".labels"] if label["key"] == "tid"]
            sample = [row[".time"], 0, tid[0], []]
        elif table == "sample_values" and row["type"] == "cpu":
            sample[1] = row["value"]
        elif table == "sample_locations":
            sample[3].append(locations[row["location_id"]])


UNITS = {"ms": 10**6, "s": 10**9, "min": 60 * 10**9, "cycles": 1, "Kc": 1000, "Mc": 10**6, "Gc": 10**9}


def weight(text, unit):
    found = re.match(r"\s*([0-9.]+) ?([A-Za-z]*)", text)
    return round(float(found[1]) * UNITS[found[2] or unit]) if found else 0


def of_copy(lines, with_weights):
    """The weights of a line hold those of the lines below it; the total of a symbol counts recursion once."""
    head = lines[0].split("\t")
    symbol = [i for i, name in enumerate(head) if name.startswith("Symbol Name")][0]
    rows = [line.split("\t") for line in lines[1:] if line.strip()]
    nodes = [[len(row[symbol]) - len(row[symbol].lstrip(" ")), weight(row[1], "ms"), row[symbol].strip(), weight(row[0], "ms")]
             for row in rows]
    own, total = collections.Counter(), collections.Counter()
    for i, (depth, value, name, shown) in enumerate(nodes):
        below = value
        for other in nodes[i + 1:]:
            if other[0] <= depth:
                break
            below += other[1]
        if with_weights:
            print(shown, below)
            continue
        own[name] += value
        stack = {name}
        for other in reversed(nodes[:i]):
            if other[0] < depth:
                stack.add(other[2])
                depth = other[0]
        for one in stack:
            total[one] += value
    for name in total:
        if total[name]:
            print(own[name], total[name], name)


what = sys.argv[1]
if what == "xml":
    of_xml(sys.stdin.read())
elif what == "rows":
    of_rows(sys.stdin)
else:
    of_copy(sys.stdin.read().split("\n"), what == "weights")
