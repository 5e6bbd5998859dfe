"""Whether perf2ndjson reads a few fields of a recording as it reads all of them.

perf-fields.py RECORDING: prints each choice of up to three fields that perf prints with addresses,
and that reads otherwise than the same fields of all; then how many choices there are."""
import itertools
import json
import re
import subprocess
import sys

FIELDS = ["comm", "pid", "tid", "cpu", "tod", "time", "period", "event", "addr", "ip", "sym", "symoff", "dso"]


def printed(fields):
    """What perf script prints; None where it refuses the choice."""
    run = subprocess.run(["perf", "script", "-i", sys.argv[1], "-F", ",".join(fields)], capture_output=True)
    return run.stdout if run.returncode == 0 else None


def frames_of(rows):
    """Location id -> (address, symbol, offset, file)."""
    names = {row["function_id"]: row["name"] for row in rows if row["table"] == "functions"}
    files = {row["mapping_id"]: row["filename"] for row in rows if row["table"] == ".mappings"}
    return {row["location_id"]: (row.get(".address", "0x0"), names.get(row["function_id"], "[unknown]"),
                                 row.get(".perf_offset"), files.get(row.get(".mapping_id")))
            for row in rows if row["table"] == "locations"}


def read(text):
    """The samples that perf2ndjson makes of TEXT; None where it fails."""
    run = subprocess.run(["perf2ndjson", "-q"], input=text, capture_output=True)
    if run.returncode != 0:
        return None
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    frames, samples = frames_of(rows), []
    for row in rows:
        if row["table"] == "samples":
            samples.append({"stack": [], **({"time": row[".time"]} if ".time" in row else {})})
            samples[-1].update((label["key"], label.get("str", label.get("num"))) for label in row.get(".labels", []))
        elif row["table"] == "sample_values" and row["type"] != "samples":
            samples[-1].update(event=row["type"], period=row["value"])
        elif row["table"] == "sample_locations":
            samples[-1]["stack"].append(frames[row["location_id"]])
    for sample in samples:  # the symbol and file of an address are printed only with those of frames
        if "addr" in sample:
            sample["addr"] = re.match(r"\S+", sample["addr"]).group()
    return samples


def part(sample, fields):
    """SAMPLE, as it is read where only FIELDS are printed."""
    some = {key: sample[key] for key in ("comm", "pid", "tid", "cpu", "tod", "time", "addr") if key in fields}
    if "pid" in fields and "tid" not in fields:
        some["tid"] = some.pop("pid")  # a number alone
    if "event" in fields:
        some.update(event=sample["event"], period=sample["period"] if "period" in fields else 1)
    elif "period" in fields:
        some.update(event="period", period=sample["period"])
    some["stack"] = [(address, symbol if "sym" in fields else "[unknown]",
                      offset if "sym" in fields and "symoff" in fields else None, file if "dso" in fields else None)
                     for address, symbol, offset, file in sample["stack"]]
    return some



everything = read(printed(FIELDS))
tried = 0
for fields in (choice for n in (1, 2, 3) for choice in itertools.combinations(FIELDS, n) if "ip" in choice):
    text = printed(fields)
    if text is None:
        continue
    tried += 1
    if read(text) != [part(sample, fields) for sample in everything]:
        print(",".join(fields))
print(tried, "choices of", len(everything), "samples")
