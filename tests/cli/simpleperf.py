"""Frames what protoc encodes as simpleperf does, and sums what protoc decodes, or rows, by itself.

    simpleperf.py frame < trace           the file of a message Trace
    simpleperf.py unframe < file          and back
    simpleperf.py sums < text             of protoc --decode=Trace: a line for each stack with its thread, time and type
    simpleperf.py rows < rows             the same of rows
"""
import json
import re
import struct
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def frame(data):
    out, at = b"SIMPLEPERF" + struct.pack("<H", 1), 0
    while at < len(data):
        size, at = varint(data, at + 1)
        out += struct.pack("<I", size) + data[at:at + size]
        at += size
    return out + struct.pack("<I", 0)


def unframe(data):
    out, at = b"", 12
    while True:
        size, = struct.unpack_from("<I", data, at)
        at += 4
        if size == 0:
            return out
        head, rest = b"\x0a", size
        while rest > 127:
            head += bytes([rest & 127 | 128])
            rest >>= 7
        out += head + bytes([rest]) + data[at:at + size]
        at += size


def parse(text):
    """The message in protoc's text: a list of (name, value), where a value is text or such a list."""
    top = []
    stack = [top]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            inner = []
            stack[-1].append((line[:-2], inner))
            stack.append(inner)
        elif line == "}":
            stack.pop()
        elif line:
            name, value = line.split(": ", 1)
            stack[-1].append((name, value))
    return top


def unquoted(text):
    simple = {"n": b"\n", "t": b"\t", "r": b"\r"}
    data = re.sub(rb"\\([0-7]{3}|.)", lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else simple.get(m[1], m[1]),
                  text[1:-1].encode())
    return data.decode("utf-8", "replace")


def sums(text):
    files, threads, events, samples = {}, {}, [], []
    for _, record in parse(text):
        (kind, message), = record
        one = dict(message)
        if kind == "file":
            files[int(one.get("id", 0))] = (unquoted(one["path"]), [unquoted(v) for k, v in message if k == "symbol"])
        elif kind == "thread":
            threads[int(one["thread_id"])] = unquoted(one["thread_name"]), one["process_id"]
        elif kind == "meta_info":
            events = [unquoted(v) for k, v in message if k == "event_type"]
        elif kind == "sample":
            samples.append((one, [dict(v) for k, v in message if k == "callchain"]))
    for one, chain in samples:
        frames = []
        for entry in chain:
            path, symbols = files[int(entry.get("file_id", 0))]
            number = int(entry.get("symbol_id", 0))
            frames.append((symbols[number] if number >= 0 else "?", path, hex(int(entry["vaddr_in_file"]))))
        name, pid = threads[int(one["thread_id"])]
        yield (one["time"], one["thread_id"], pid, name, events[int(one.get("event_type_id", 0))], one["event_count"], frames)


def rows(lines):
    functions, locations, mappings, sample = {}, {}, {}, None
    for line in lines:
        row = json.loads(line)
        table = row["table"]
        if sample is not None and not table.startswith("sample_"):
            yield tuple(sample)
            sample = None
        if table == "functions":
            functions[row["function_id"]] = row["name"]
        elif table == ".mappings":
            mappings[row["mapping_id"]] = row["filename"]
        elif table == "locations":
            locations[row["location_id"]] = (functions.get(row["function_id"], "?"), mappings[row[".mapping_id"]],
                                             row[".address"])
        elif table == "samples":
            label = {one["key"]: str(one.get("str", one.get("num"))) for one in row[".labels"]}
            sample = [str(row[".time"]), label["tid"], label["pid"], label["comm"], None, None, []]
        elif table == "sample_values" and row["type"] != "samples":
            sample[4:6] = row["type"], str(row["value"])
        elif table == "sample_locations":
            sample[6].append(locations[row["location_id"]])


def main():
    what = sys.argv[1]
    if what in ("frame", "unframe"):
        sys.stdout.buffer.write(globals()[what](sys.stdin.buffer.read()))
        return
    for item in sums(sys.stdin.read()) if what == "sums" else rows(sys.stdin):
        print(json.dumps(item))


main()
