"""Whether tables for programs are what they say, and the same in every format. Reads what commands print.

    tables.py VIEW COMMAND ...     a command without --format; VIEW is for messages

Prints how many figures and texts were compared; ends with status 1 at the first that is wrong. TABLES_PANDAS=1 and
TABLES_R=1 in the environment let pandas and R read the CSV as well."""
import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction


def fail(*why):
    sys.exit(f'{sys.argv[1]}: ' + ' '.join(str(part)[:300] for part in why))


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        fail('a name is there twice:', names)
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=no_duplicates, parse_float=Fraction, parse_int=Fraction,
                      parse_constant=lambda what: fail('no JSON:', what))


def printed(form):
    done = subprocess.run(sys.argv[2:] + ['--format=' + form], capture_output=True, check=False)
    if done.returncode != 0:
        fail('status', done.returncode, done.stderr)
    return done.stdout.decode()  # no byte that is not UTF-8


def taken_apart(text):
    """The frames of a stack in CSV."""
    frames, frame, i = [], '', 0
    if text == '':
        return []
    while i < len(text):
        if text[i] == '\\':
            if text[i + 1:i + 2] not in (';', '\\'):
                fail('no escape in a stack:', text)
            frame += text[i + 1]
            i += 2
        elif text[i] == ';':
            frames.append(frame)
            frame = ''
            i += 1
        else:
            frame += text[i]
            i += 1
    return frames + [frame]


def plain(text):
    """A field of TSV, its escapes undone."""
    escapes, found, i = {'t': '\t', 'n': '\n', 'r': '\r', '\\': '\\'}, '', 0
    while i < len(text):
        if text[i] == '\\':
            found += escapes[text[i + 1]]
            i += 2
        else:
            found += text[i]
            i += 1
    return found


def names_of(stack):
    return [frame['function'] if isinstance(frame, dict) else frame for frame in stack]


def same(kind, field, value):
    """Whether the FIELD of CSV is the VALUE of JSON."""
    if value is None:
        return field == ''
    if kind == 'list':
        return taken_apart(field) == [name or '' for name in names_of(value)]
    if isinstance(value, bool):
        return field == ('true' if value else 'false')
    if isinstance(value, Fraction):
        return Fraction(field) == value
    if isinstance(value, str):
        return field == value
    return parse(field) == value  # labels and members that are lists


def flat(rows, names, above):
    """Rows that hold rows: those of the last level, with what the rows above them say besides."""
    found = []
    for row in rows:
        all_of = {**above, **row}
        found += flat(row['rows'], names, all_of) if 'rows' in row else [{name: all_of[name] for name in names}]
    return found


def check_types(columns, rows):
    for row in rows:
        for column in columns:
            value, kind = row[column['name']], column['type']
            good = {'text': isinstance(value, (str, list)), 'flag': isinstance(value, bool), 'list': isinstance(value, list),
                    'integer': isinstance(value, Fraction) and value.denominator == 1}
            if column['name'].startswith('label.') and isinstance(value, Fraction):  # a number without a unit
                good['text'] = value.denominator == 1
            if kind in ('number', 'percent'):  # several labels of a key are a list
                good[kind] = isinstance(value, (Fraction, list))
            if value is not None and not good.get(kind, True):
                fail(column['name'], 'is no', kind + ':', value)
            if kind == 'percent' and column.get('unit') != '%':
                fail(column['name'], 'has the unit', column.get('unit'))


def compare(table, fields, form):
    """FIELDS are lists of the headings and rows; what JSON says once is in each row."""
    kinds = {column['name']: column['type'] for column in table['columns']}
    once = {name: value for name, value in table.items() if name not in ('version', 'columns', 'rows')}
    names = list(kinds) + list(once)
    if fields[0] != names:
        fail(form, 'has the headings', fields[0], 'and JSON', names)
    if len(fields) - 1 != len(table['rows']):
        fail(form, 'has', len(fields) - 1, 'rows, and JSON', len(table['rows']))
    for row, found in zip(table['rows'], fields[1:]):
        for name, field in zip(names, found, strict=True):
            if name.startswith('.') and field == 'null' and row[name] is None:
                continue  # a member that is there, and null
            if not same(kinds.get(name, 'any'), field, row[name] if name in kinds else once[name]):
                fail(form, 'has in', name, repr(field), 'and JSON', row.get(name, once.get(name)))
    return len(names) * len(table['rows'])


def check_ndjson(table, lines):
    once = {name: value for name, value in table.items() if name not in ('version', 'columns', 'rows')}
    rows = [parse(line) for line in lines]
    for row in rows:
        if list(row) != [column['name'] for column in table['columns']] + list(once):
            fail('NDJSON has the members', list(row))
    if rows != [{**row, **once} for row in table['rows']]:
        fail('NDJSON has other rows than JSON')


def sums_by_pandas(text):
    import pandas
    table = pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values={})
    return len(table), list(table.columns)


def sums_by_r(text):
    with open('table.csv', 'w', encoding='utf-8', newline='') as file:
        file.write(text)
    script = '''x <- read.csv("table.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8")
        cat(nrow(x), ncol(x), "\n")
        for (name in c("self", "total", "value", "samples", "base", "new", "all"))
            if (is.numeric(x[[name]])) cat(name, sprintf("%.17g", sum(x[[name]])), "\n")'''
    done = subprocess.run(['Rscript', '--vanilla', '-e', script], capture_output=True, text=True, check=False)
    return done.stdout.split('\n') if done.returncode == 0 else fail('R:', done.stderr)


def check_readers(table, text, count):
    rows, names = table['rows'], [column['name'] for column in table['columns']]
    if 'TABLES_PANDAS' in os.environ:
        found, headings = sums_by_pandas(text)
        if found != len(rows) or headings != count:
            fail('pandas finds', found, 'rows of', headings)
    if 'TABLES_R' in os.environ and rows:
        lines = sums_by_r(text)
        if lines[0].split() != [str(len(rows)), str(len(count))]:
            fail('R finds', lines[0], 'for', len(rows), len(count))
        for name, found in (line.split() for line in lines[1:] if line):
            expected = sum(row[name] or 0 for row in rows) if name in names else table[name] * len(rows)
            if abs(Fraction(found) - expected) > abs(expected) / 10**12:
                fail('R finds', name, found, 'for', float(expected))


def main():
    table = parse(printed('json'))
    names = [column['name'] for column in table['columns']]
    if table['version'] != 2 or list(table)[-1] != 'rows' or len(set(names)) != len(names):
        fail('no table of version 2:', list(table), names)
    if any('rows' in row for row in table['rows']):
        table['rows'] = flat(table['rows'], names, {})
    for row in table['rows']:
        if list(row) != names:
            fail('a row has', list(row), 'for', names)
    check_types(table['columns'], table['rows'])
    text = printed('csv')
    fields = list(csv.reader(io.StringIO(text), strict=True))
    count = compare(table, fields, 'CSV')
    tsv = printed('tsv')
    compare(table, [[plain(field) for field in line.split('\t')] for line in tsv.split('\n')[:-1]], 'TSV')
    check_ndjson(table, printed('ndjson').split('\n')[:-1])
    check_readers(table, text, fields[0])
    print(count)


main()
