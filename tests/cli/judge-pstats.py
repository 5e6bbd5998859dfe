"""Judges pstats2ndjson by Python's own pstats.

    python3 judge-pstats.py make DIR           writes ten files to DIR, as programs do
    python3 judge-pstats.py print FILE         what pstats prints of FILE
    python3 judge-pstats.py print-rows         the same of rows on standard input
"""
import cProfile
import io
import json
import marshal
import os
import profile
import pstats
import random
import sys


def walk(rng, depth):
    if depth < 1:
        return len('x')
    way = rng.randrange(5)
    if way == 0:
        return walk(rng, depth - 1) + walk(rng, depth - 2)
    if way == 1:
        return sum(walk(rng, depth - 1) for _ in range(2))
    if way == 2:
        return max(map(lambda d: walk(rng, d), [depth - 1, depth - 2]))
    if way == 3:
        return sorted([depth, 1], key=lambda d: walk(rng, depth - 2))[0]
    return exec(compile('def f\N{LATIN SMALL LETTER E WITH ACUTE}(w, r, d): return w(r, d)\n'
                        'f\N{LATIN SMALL LETTER E WITH ACUTE}(walk, rng, depth - 1)', 'a file', 'exec'),
                {'walk': walk, 'rng': rng, 'depth': depth}) or 1


def make(folder):
    profiles = []
    for i in range(6):
        profiler = profile.Profile() if i % 3 == 2 else cProfile.Profile(subcalls=i != 4)
        profiler.runcall(walk, random.Random(i), 9)
        path = os.path.join(folder, '%d.pstats' % i)
        profiler.dump_stats(path)
        profiles.append(path)
    # what pstats itself writes
    merged = pstats.Stats(*[p for i, p in enumerate(profiles) if i % 3 != 2])
    merged.dump_stats(os.path.join(folder, 'merged.pstats'))
    merged.strip_dirs().dump_stats(os.path.join(folder, 'stripped.pstats'))
    # the format of old versions, and numbers that are rare
    stats = pstats.Stats(profiles[0]).stats
    with open(os.path.join(folder, 'old.pstats'), 'wb') as file:
        file.write(marshal.dumps(stats, 1))
    f, g = ('f.py', 1, 'f'), ('g.py', 2, 'g\udcff')
    with open(os.path.join(folder, 'rare.pstats'), 'wb') as file:
        marshal.dump({f: (1, 2 ** 40, 0, 1e9, {}), g: (2 ** 62, 2 ** 62, 1e-9, .1, {f: (3, 2, 0.0, 1)})}, file)


class Rows:
    """What pstats.Stats takes for a profiler."""

    def __init__(self, lines):
        functions, locations, samples = {}, {}, []
        for row in map(json.loads, lines):
            table = row['table']
            if table == 'functions':
                name = row['name']
                if '.bytes' in row:
                    name = bytes.fromhex(row['.bytes']['name']).decode('utf-8', 'surrogatepass')
                functions[row['function_id']] = (row['filename'], row['start_line'], name)
            elif table == 'locations':
                locations[row['location_id']] = functions[row['function_id']]
            elif table == 'samples':
                samples.append(({}, []))
            elif table == 'sample_values':
                samples[-1][0][row['type']] = row['value']
            elif table == 'sample_locations':
                samples[-1][1].append(locations[row['location_id']])
        self.stats = {}
        for values, stack in samples:
            if len(stack) == 1:
                self.stats[stack[0]] = (values['primitive_calls'], values['calls'], values['time'] / 1e9,
                                        values['inclusive_time'] / 1e9, {})
        for values, (function, *callers) in samples:
            if callers:
                numbers = values['calls_by_caller']
                if 'time_by_caller' in values:
                    numbers = (numbers, values['primitive_calls_by_caller'], values['time_by_caller'] / 1e9,
                               values['inclusive_time_by_caller'] / 1e9)
                self.stats[function][4][callers[0]] = numbers

    def create_stats(self):
        pass


def show(what):
    out = io.StringIO()
    stats = pstats.Stats(what, stream=out)
    stats.files = []
    stats.sort_stats('nfl', 'line', 'file')
    stats.print_stats()
    stats.print_callers()
    stats.print_callees()
    sys.stdout.write(ascii(out.getvalue()).replace('\\n', '\n'))


{'make': lambda: make(sys.argv[2]), 'print': lambda: show(sys.argv[2]),
 'print-rows': lambda: show(Rows(sys.stdin))}[sys.argv[1]]()
