"""Makes profiles with fractions, levels, values below 0, empty sources and samples without a stack, and compares what
profsum says of them, by each route, with sums in exact arithmetic.

    figures.py FIRST COUNT      profiles number FIRST, FIRST + 1, ...: the number is the seed

Prints how many figures were compared; ends with status 1 at the first that differs."""
import json
import random
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction

NANOSECONDS = {'seconds': 10**9, 'milliseconds': 10**6, 'nanoseconds': 1}
BYTES = {'kilobytes': 1024, 'bytes': 1}
NAMES = ['f', 'g', 'h', 'main', 'r']
NO_STACK = '<no stack>'


def size_of(unit):
    return NANOSECONDS.get(unit) or BYTES.get(unit) or 1


class Profile:
    """SOURCES are dicts, SAMPLES triples: the number of the source, the stack, innermost first, values by type."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_timed = seed % 3 == 0
        self.sources = [self.source() for _ in range(self.random.randint(1, 3))]
        self.samples = []
        for number, source in enumerate(self.sources):
            for _ in range(0 if self.random.random() < 0.15 else self.random.randint(1, 12)):
                depth = self.random.choice([0, 1, 2, 3, 3, 4])
                stack = tuple(self.random.choice(NAMES) for _ in range(depth))
                values = {name: self.value(name) for name, _, _ in source['types'] if self.random.random() < 0.9}
                self.samples.append((number, stack, values))

    def source(self):
        """Types are triples of name, unit and whether it is a level."""
        if self.is_timed:
            return {'kind': 'rprof', 'types': [('samples', 'count', False)],
                    'period': self.random.choice([20000000, 20000000, 10000000, 10500000, 4999])}
        types = [('n', 'count', False), ('wall', self.random.choice(list(NANOSECONDS)), False),
                 ('mem', self.random.choice(list(BYTES)), False)]
        if self.random.random() < 0.3:
            types.append(('held', 'bytes', True))
        self.random.shuffle(types)
        return {'kind': 'x', 'types': types[:self.random.randint(1, 4)], 'period': 0}

    def value(self, name):
        """As text, so that nothing is lost: an integer, or a fraction of a few digits."""
        most = 5 if self.is_timed else 1000
        n = self.random.randint(0 if self.is_timed or self.random.random() < 0.6 else -most, most)
        if self.random.random() < 0.5:
            return str(n)
        digits = self.random.randint(1, 5)
        fraction = str(self.random.randint(1, 10**digits - 1)).zfill(digits)
        return f'{n}.{fraction}'

    def rows(self):
        yield {'table': 'meta', 'key': 'version', 'value': '2.0'}
        for number, source in enumerate(self.sources):
            row = {'table': 'sources', 'source_id': number + 1, 'source_type': source['kind'],
                   'source_uri': f's{number}', 'source_timestamp': None,
                   '.value_types': [{'type': name, 'unit': unit, **({'gauge': True} if level else {})}
                                    for name, unit, level in source['types']]}
            if source['period']:
                row['.period'] = {'type': 'cpu', 'unit': 'nanoseconds', 'value': source['period']}
            yield row
        for number, name in enumerate(NAMES):
            yield {'table': 'functions', 'function_id': number + 1, 'name': name, 'system_name': name,
                   'filename': '', 'start_line': 0}
            yield {'table': 'locations', 'location_id': number + 1, 'function_id': number + 1, 'line': 0}
        for number, (source, stack, values) in enumerate(self.samples):
            yield {'table': 'samples', 'sample_id': number + 1, 'source_id': source + 1}
            units = {name: unit for name, unit, _ in self.sources[source]['types']}
            for name, value in values.items():
                yield {'table': 'sample_values', 'sample_id': number + 1, 'type': name, 'unit': units[name],
                       'value': value}
            for depth, name in enumerate(stack):
                yield {'table': 'sample_locations', 'sample_id': number + 1, 'depth': depth + 1,
                       'location_id': NAMES.index(name) + 1}

    def text(self):
        lines = []
        for row in self.rows():
            value = row.get('value') if row['table'] == 'sample_values' else None
            line = json.dumps(row, separators=(',', ':'))
            lines.append(line if value is None else line.replace(f'"value":"{value}"', f'"value":{value}'))
        return '\n'.join(lines) + '\n'

    def types(self):
        """Names of types that are no levels, and that some sample has; of what is derived as well."""
        found = {name for source, _, values in self.samples for name in values
                 if not any(name == other and level for other, _, level in self.sources[source]['types'])}
        return sorted(found | ({'cpu'} if self.is_timed and found else set()))

    def items(self, name):
        """Source, stack and value of each sample that has one of the type NAME: in nanoseconds, bytes or as it is."""
        for source, stack, values in self.samples:
            units = {other: unit for other, unit, _ in self.sources[source]['types']}
            if name == 'cpu' and self.is_timed and 'samples' in values:
                yield source, stack, Fraction(values['samples']) * self.sources[source]['period'], values['samples']
            elif name in values:
                yield source, stack, Fraction(values[name]) * size_of(units[name]), values[name]

    def finest(self, name):
        """What integers of the type NAME are in: a fraction of a time is one of nanoseconds."""
        if name == 'cpu' and self.is_timed:
            return 1
        units = [(unit, number) for number, source in enumerate(self.sources)
                 for other, unit, _ in source['types'] if other == name]
        sizes = [size_of(unit) for unit, _ in units]
        for source, _, _, text in self.items(name):
            unit = dict((number, unit) for unit, number in units)[source]
            if unit in NANOSECONDS and Fraction(text).denominator > 1:
                sizes.append(1)
        return min(sizes)


def rounded(x):
    return (abs(x) + Fraction(1, 2)).__floor__() * (1 if x >= 0 else -1)


def table(stacks, no_stack=NO_STACK):
    """Self and total by function of the sums STACKS."""
    found = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for stack, value in stacks.items():
        names = stack or (no_stack,)
        found[names[0]][0] += value
        for name in set(names):
            found[name][1] += value
    return found


def model(profile, name, *, rounds=False, drops_stackless=False, drops_negative=False, drops_sums_below=False):
    """What is left of the type NAME; ROUNDS: sums of stacks are integers of the finest unit."""
    sums = defaultdict(Fraction)
    for source, stack, value, _ in profile.items(name):
        if (drops_stackless and not stack) or (drops_negative and value < 0):
            continue
        sums[stack] += value
    if rounds:
        unit = profile.finest(name)
        sums = {stack: Fraction(rounded(value / unit) * unit) for stack, value in sums.items()}
    if drops_sums_below:
        sums = {stack: value for stack, value in sums.items() if value >= 0}
    return table(sums)


def run(command, data):
    done = subprocess.run(['sh', '-c', command], input=data, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f'{command}: {done.stderr}')
    return done.stdout


def shown(profile, name, command, size=None):
    """What profsum says, in nanoseconds, bytes or as it is: in the unit that it says, but for what loses that."""
    said = json.loads(run(command, profile.text()), parse_float=Fraction, parse_int=Fraction)
    if size is None:
        size = size_of(said['unit'])
    return {row['function']: [row['self'] * size, row['total'] * size] for row in said['rows']}


def check(seed, route, name, found, expected, tolerance=0):
    """Functions that have nothing may be rows, or none."""
    for function in set(found) | set(expected):
        for i, what in enumerate(('self', 'total')):
            x, y = (t.get(function, [0, 0])[i] for t in (found, expected))
            if abs(x - y) > tolerance * max(abs(x), abs(y)):
                sys.exit(f'profile {seed}: {name} of {function} by {route}: {what} is {float(x)}, not {float(y)}')
    return 2 * len(expected)


def check_profile(seed):
    profile, count = Profile(seed), 0
    for name in profile.types():
        table_of = f'profsum -q --format=json --type={name}'
        count += check(seed, 'rows', name, shown(profile, name, table_of),
                       model(profile, name, drops_stackless=profile.is_timed))
        count += check(seed, 'merge', name, shown(profile, name, f'profagg -q --across-sources | {table_of}'),
                       model(profile, name, drops_stackless=profile.is_timed))
        count += check(seed, 'filter', name, shown(profile, name, f'proffilter -q --type={name} | {table_of}'),
                       model(profile, name, drops_stackless=profile.is_timed))
        count += check(seed, 'pprof', name, shown(profile, name, f'ndjson2pprof -q | {table_of}'),
                       model(profile, name, rounds=True))
        count += check(seed, 'SQLite', name, shown(profile, name, f'ndjson2sqlite -q | {table_of}'),
                       model(profile, name, drops_stackless=profile.is_timed))
        if not (profile.is_timed and name == 'samples'):  # it has their time instead
            count += check(seed, 'speedscope', name, shown(profile, name, f'ndjson2speedscope -q | {table_of}'),
                           model(profile, name, drops_negative=True))
        perun = shown(profile, name, f'ndjson2perun -q --type={name} | profsum -q --format=json')
        perun[NO_STACK] = perun.pop('[unknown]', [0, 0])
        count += check(seed, 'Perun', name, perun, model(profile, name))
        folded = f'ndjson2folded -q --type={name} >folded; if [ -s folded ]; then ' \
                 'profsum -q --format=json folded --type=samples; else echo "{\\"rows\\":[]}"; fi'
        folded = folded.replace('profsum', 'folded2ndjson folded | profsum').replace(' folded --type', ' --type')
        count += check(seed, 'folded', name, shown(profile, name, folded, profile.finest(name)),
                       model(profile, name, rounds=True, drops_stackless=True, drops_sums_below=True))
        views = f'profsql -q --format=json "SELECT function, self, total FROM top WHERE type = \'{name}\'" -'
        if len({unit for source in profile.sources for other, unit, _ in source['types'] if other == name}) <= 1:
            size = 1 if name == 'cpu' else max(size_of(unit) for source in profile.sources
                                               for other, unit, _ in source['types'] if other == name)
            count += check(seed, 'views', name, shown(profile, name, views, size),
                           model(profile, name, drops_stackless=profile.is_timed), tolerance=Fraction(1, 10**12))
    return count


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    print(sum(check_profile(seed) for seed in range(first, first + count)))


if __name__ == '__main__':
    main()
