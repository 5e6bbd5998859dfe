"""Varies real profiles, and merges them in trees.

trees.py vary SEED COUNT FOLDER NAME...
    writes COUNT variations of the files of NAME: Rprof's output with some of its samples; folded stacks, some of
    them, with other counts; rows of pprof (NAME.rows), some of their samples, with other counts, and with programs
    that are loaded elsewhere.

trees.py merge SEED FAN_IN OUTPUT FILE...
    merges what FILEs hold, in random groups of up to FAN_IN, and what comes of them, until there is one."""
import random
import re
import subprocess
import sys


def vary_rprof(r, lines):
    kept = [line for line in lines[1:] if line.startswith("#File") or r.random() < 0.4]
    return lines[:1] + (kept if any(not line.startswith("#File") for line in kept) else lines[1:])


def vary_folded(r, lines):
    some = r.sample(lines, r.randint(1, len(lines)))
    return ["%s %d\n" % (line.rsplit(" ", 1)[0], r.randint(1, 99)) for line in some]


def vary_rows(r, lines):
    """A sample is a row of samples, and those that follow it."""
    by = {}  # the number of a mapping: how far it has moved
    times = r.randint(1, 9)
    out, is_kept = [], True
    for line in lines:
        mapping = re.search(r'"mapping_id":(\d+)', line)
        if mapping:
            move = by.setdefault(mapping[1], r.randint(0, 1 << 20) << 12)
            moved = lambda m: m[1] + hex(int(m[2], 16) + move if int(m[2], 16) < 1 << 48 else int(m[2], 16))
            line = re.sub(r'("(?:\.address|memory_start|memory_limit)":")(0x[0-9a-f]+)', moved, line)
        if line.startswith('{"table":"samples"'):
            is_kept = r.random() < 0.5
        elif line.startswith('{"table":"sample_values"'):
            line = re.sub(r'"value":(\d+)', lambda m: '"value":%d' % (int(m[1]) * times), line)
        if is_kept or not line.startswith('{"table":"sample'):
            out.append(line)
    return out


def vary(seed, count, folder, *names):
    r = random.Random(int(seed))
    files = [(name, open(name, encoding="latin-1").readlines()) for name in names]
    for i in range(int(count)):
        name, lines = r.choice(files)
        ending = name.rsplit(".", 1)[1]
        change = {"out": vary_rprof, "folded": vary_folded, "rows": vary_rows}[ending]
        path = "%s/%05d.%s" % (folder, i, ending)
        with open(path, "w", encoding="latin-1") as out:
            out.writelines(change(r, lines))
        if ending == "rows":
            subprocess.run(["ndjson2pprof", "-q", "-1", "-o", path[:-4] + "pb.gz", path], check=True)
            subprocess.run(["rm", path], check=True)


def merge(seed, fan_in, output, *files):
    r = random.Random(int(seed))
    level, height = list(files), 0
    while height == 0 or len(level) > 1:
        r.shuffle(level)
        above = []
        while level:
            n = r.randint(1 if len(level) > 1 and not above else 2, int(fan_in))
            group, level = level[:n], level[n:]
            above.append("%s.%d.%d.pb.gz" % (output, height, len(above)))
            with open(output + ".list", "w") as names:
                names.writelines(name + "\n" for name in group)
            command = ["ndjson2pprof", "-q", "-1", "--canonical", "--files-from=" + output + ".list", "-o", above[-1]]
            subprocess.run(command, check=True)
        level, height = above, height + 1
    subprocess.run(["mv", level[0], output], check=True)


{"vary": vary, "merge": merge}[sys.argv[1]](*sys.argv[2:])
