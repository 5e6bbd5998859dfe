"""Compares what `jfr print --json` says of a recording with our rows of it: jfr-sums.py THEIRS OURS.

Compared are the sums of each type of value, by thread, by innermost function and by all functions, and the
times of events."""
import collections
import datetime
import json
import re
import sys

# Values by the event that has them: their type, and the field with the number; without one it is 1.
KNOWN = {
    "jdk.ExecutionSample": [("samples", None)],
    "jdk.CPUTimeSample": [("cpu_samples", None), ("cpu", "samplingPeriod")],
    "jdk.NativeMethodSample": [("native_samples", None)],
    "profiler.WallClockSample": [("wall_samples", "samples")],
    "jdk.ObjectAllocationSample": [("allocations", None), ("alloc_space", "weight")],
    "jdk.ObjectAllocationInNewTLAB": [
        ("tlab_allocations", None),
        ("tlab_object_space", "allocationSize"),
        ("tlab_space", "tlabSize"),
    ],
    "jdk.ObjectAllocationOutsideTLAB": [
        ("outside_tlab_allocations", None),
        ("outside_tlab_space", "allocationSize"),
    ],
    "jdk.JavaMonitorEnter": [("contentions", None), ("delay", "duration")],
    "jdk.JavaMonitorWait": [("waits", None), ("wait", "duration")],
    "jdk.ThreadPark": [("parks", None), ("park", "duration")],
    "jdk.ThreadSleep": [("sleeps", None), ("sleep", "duration")],
    "jdk.VirtualThreadPinned": [("pins", None), ("pin", "duration")],
    "jdk.MethodTrace": [("method_calls", None), ("method_time", "duration")],
    "profiler.NativeLock": [("native_locks", None), ("native_lock", "duration")],
    "jdk.SocketRead": [("socket_reads", None), ("socket_read", "duration"), ("socket_read_space", "bytesRead")],
    "jdk.SocketWrite": [("socket_writes", None), ("socket_write", "duration"), ("socket_written", "bytesWritten")],
    "jdk.FileRead": [("file_reads", None), ("file_read", "duration"), ("file_read_space", "bytesRead")],
    "jdk.FileWrite": [("file_writes", None), ("file_write", "duration"), ("file_written", "bytesWritten")],
    "jdk.FileForce": [("file_forces", None), ("file_force", "duration")],
    "jdk.OldObjectSample": [("old_objects", None), ("old_space", "objectSize")],
    "profiler.LiveObject": [("live_objects", None), ("live_space", "allocationSize")],
    "profiler.Malloc": [("mallocs", None), ("malloc_space", "size")],
    "profiler.Free": [("frees", None)],
    "jdk.GCHeapSummary": [
        ("heap", "heapUsed"),
        ("heap_committed", "heapSpace.committedSize"),
        ("heap_reserved", "heapSpace.reservedSize"),
    ],
    "jdk.MetaspaceSummary": [
        ("metaspace", "metaspace.used"),
        ("metaspace_committed", "metaspace.committed"),
        ("metaspace_reserved", "metaspace.reserved"),
    ],
    "jdk.PhysicalMemory": [("physical_memory", "usedSize"), ("physical_memory_total", "totalSize")],
    "jdk.ResidentSetSize": [("resident", "size"), ("resident_peak", "peak")],
}


class Sums:
    def __init__(self):
        self.parts = [collections.Counter() for _ in range(5)]

    def add(self, values, thread, frames, time):
        types, threads, own, total, times = self.parts
        for name, value in values:
            types[name] += value
            threads[name, thread] += value
            own[name, frames[0] if frames else None] += value
            for function in set(frames):
                total[name, function] += value
        times[time] += 1


def duration(text):
    m = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?", text)
    seconds = (int(m[1] or 0) * 60 + int(m[2] or 0)) * 60 + int(m[4] or 0)
    nanoseconds = seconds * 10**9 + int((m[5] or "").ljust(9, "0"))
    return -nanoseconds if m[3] else nanoseconds


def moment(text):
    m = re.fullmatch(r"(.*:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", text)
    seconds = datetime.datetime.fromisoformat(m[1] + m[3].replace("Z", "+00:00")).timestamp()
    return int(seconds) * 10**9 + int((m[2] or "").ljust(9, "0"))


def function(frame):
    method = frame["method"]
    name = (method["type"] or {}).get("name") or ""
    if method["descriptor"] == "()L;" or name == "":  # not Java, to async-profiler
        return method["name"] or "<?>"
    return re.sub("/(?!0x)", ".", name) + "." + method["name"]


def number(values, field):
    value = values
    for part in (field or "").split(".") if field else []:
        value = value.get(part)
    if field is None:
        return 1
    return duration(value) if field in ("duration", "samplingPeriod") else value


def theirs(path):
    sums = Sums()
    for event in json.load(open(path))["recording"]["events"]:
        kind = event["type"].removeprefix("com.oracle.")  # of JDK 9 and 10
        if kind not in KNOWN:
            continue
        own = event["values"]
        values = [(name, number(own, field)) for name, field in KNOWN[kind]]
        thread = own.get("eventThread") or own.get("sampledThread")
        stack = own.get("stackTrace") or {"frames": []}
        sums.add(
            [(name, value) for name, value in values if value is not None],
            thread and (thread["javaName"] or thread["osName"]),
            [function(frame) for frame in stack["frames"]],
            moment(own["startTime"]),
        )
    return sums


def ours(path):
    sums, functions, locations, starts, sample = Sums(), {}, {}, {}, None
    for line in open(path):
        row = json.loads(line)
        table = row["table"]
        if table == "sources":
            starts[row["source_id"]] = row[".jfr"]["start"]
        elif table == "functions":
            functions[row["function_id"]] = row["name"]
        elif table == "locations":
            locations[row["location_id"]] = functions[row["function_id"]]
        elif table == "sample_values":
            sample[0].append((row["type"], row["value"]))
        elif table == "sample_locations":
            sample[2].append(locations[row["location_id"]])
        elif table in ("samples", ".end"):
            if sample:
                sums.add(*sample)
            if table == "samples":
                thread = [label["str"] for label in row.get(".labels", []) if label["key"] == "thread"]
                sample = [], thread[0] if thread else None, [], starts[row["source_id"]] + row[".time"]
    return sums


found = 0
for what, a, b in zip(("type", "thread", "self", "total", "time"), theirs(sys.argv[1]).parts, ours(sys.argv[2]).parts):
    for key in a.keys() | b.keys():
        if a[key] != b[key]:
            sys.exit("%s %s: %d in theirs, %d in ours" % (what, key, a[key], b[key]))
    found += len(a)
if found == 0:
    sys.exit("nothing was compared")
