"""Adds up what `profsum --samples --format=json` says of each sample, by levels, as `profsum --by=A,B` shall.

    levels.py TYPE/UNIT LEVEL,... < samples

Prints a line for each row of the last level, sorted: the names of its levels as JSON, self, total, and the total
of the row above it."""
import json
import sys
from collections import defaultdict
from fractions import Fraction

kind, levels = sys.argv[1], sys.argv[2].split(',')
table = json.load(sys.stdin, parse_float=Fraction, parse_int=Fraction)


def shown(value, unit):
    return value if isinstance(value, str) else str(value) + (' ' + unit if unit else '')


def label(row, key):
    """The values of a label; numbers have their unit in the name of their column."""
    found = []
    for name, value in row.items():
        unit = name[len('label.' + key) + 1:] if name.startswith('label.' + key + '/') else ''
        if value is not None and (name == 'label.' + key or unit):
            found += [shown(one, unit) for one in (value if isinstance(value, list) else [value])]
    return ','.join(found) or '<no label>'


def name_of(level, row, frame):
    """The name of a row at a level; None if the frame has no such row."""
    if level == 'source':
        return row['source']
    if level.startswith('label:'):
        return label(row, level[len('label:'):])
    if level == 'file':
        return frame['file'] or '<unknown>'
    return frame['function']


sums = defaultdict(lambda: [0, 0])
for row in table['rows']:
    value = row.get('value.' + kind)
    if value is None:
        continue
    seen = set()
    frames = list(reversed(row['stack'] or []))
    innermost = True
    for frame in frames:
        names = []
        for level in levels:
            name = name_of(level, row, frame)
            if name is None:
                break
            names.append(name)
            one = tuple(names)
            sums[one][0] += value if innermost else 0
            sums[one][1] += 0 if one in seen else value
            seen.add(one)
        if name_of('function', row, frame) is not None or 'function' not in levels:
            innermost = False
for names, (self, total) in sums.items():
    if len(names) == len(levels) and total != 0:
        above = sums[names[:-1]][1] if len(names) > 1 else total
        print(json.dumps(list(names)), self, total, above)
