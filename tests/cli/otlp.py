#!/usr/bin/env python3
"""OTLP profiles as protoc prints them, in text: what rows must say of them, and the same in JSON.

  otlp.py json TEXT          the message in OTLP/JSON, in one line
  otlp.py pretty TEXT        the same over many lines
  otlp.py sums TEXT          a line for each stack, labels, time and type of values: the sum
  otlp.py rows ROWS          the same of rows
"""
import base64
import collections
import json
import re
import sys

TOKEN = re.compile(r'\s+|#[^\n]*|([A-Za-z_]\w*)|(-?[\w.+-]+)|("(?:[^"\\]|\\.)*")|([{}:\[\],<>;])')
LISTS = {'resource_profiles', 'scope_profiles', 'profiles', 'samples', 'attribute_indices', 'lines', 'values',
         'timestamps_unix_nano', 'mapping_table', 'location_table', 'function_table', 'link_table', 'string_table',
         'attribute_table', 'stack_table', 'location_indices', 'attributes', 'entity_refs', 'id_keys',
         'description_keys'}
HEX = {'trace_id', 'span_id', 'profile_id'}
BASE64 = {'bytes_value', 'original_payload'}
LONG = {'time_unix_nano', 'duration_nano', 'period', 'values', 'timestamps_unix_nano', 'memory_start', 'memory_limit',
        'file_offset', 'address', 'line', 'column', 'start_line', 'int_value'}


def unescape(text):
    out, at = bytearray(), 1
    while at < len(text) - 1:
        if text[at] != '\\':
            out += text[at].encode()
            at += 1
            continue
        octal = re.match(r'[0-7]{1,3}', text[at + 1:])
        if octal:
            out.append(int(octal.group(), 8))
            at += 1 + octal.end()
        else:
            out += {'n': b'\n', 't': b'\t', 'r': b'\r'}.get(text[at + 1], text[at + 1].encode())
            at += 2
    return bytes(out)


def parse(text):
    """The message: a dict of lists."""
    tokens = [m.group() for m in TOKEN.finditer(text) if m.group().strip() and not m.group().startswith('#')]
    root = collections.defaultdict(list)
    stack, at = [root], 0

    def scalar(token):
        if token[0] == '"':
            return unescape(token)
        if token in ('true', 'false'):
            return token == 'true'
        try:
            return int(token, 0)
        except ValueError:
            return float(token)

    while at < len(tokens):
        name = tokens[at]
        if name == '}':
            stack.pop()
            at += 1
            continue
        at += 1
        if tokens[at] == ':':
            at += 1
        if tokens[at] == '{':
            inner = collections.defaultdict(list)
            stack[-1][name].append(inner)
            stack.append(inner)
            at += 1
        elif tokens[at] == '[':
            at += 1
            while tokens[at] != ']':
                if tokens[at] != ',':
                    stack[-1][name].append(scalar(tokens[at]))
                at += 1
            at += 1
        else:
            value = scalar(tokens[at])
            at += 1
            while isinstance(value, bytes) and at < len(tokens) and tokens[at][0] == '"':
                value += unescape(tokens[at])
                at += 1
            stack[-1][name].append(value)
    return root


def camel(name):
    return re.sub('_(.)', lambda m: m.group(1).upper(), name)


def to_json(message):
    def value(name, v):
        if isinstance(v, dict):
            return to_json(v)
        if name in HEX:
            return v.hex()
        if name in BASE64:
            return base64.b64encode(v).decode()
        if isinstance(v, bytes):
            return v.decode()
        if isinstance(v, float) and (v != v or v in (float('inf'), float('-inf'))):
            return 'NaN' if v != v else 'Infinity' if v > 0 else '-Infinity'
        return str(v) if name in LONG and not isinstance(v, (bool, dict)) else v

    return {camel(n): [value(n, v) for v in vs] if n in LISTS else value(n, vs[-1]) for n, vs in message.items()}


def one(message, name, default=0):
    return message[name][-1] if message[name] else default


def sums_of(root):
    tables = one(root, 'dictionary', collections.defaultdict(list))
    strings = [s.decode('utf-8', 'replace') for s in tables['string_table']] or ['']
    sums = collections.Counter()

    def functions(index):
        names = []
        for location in tables['stack_table'][index]['location_indices'] if tables['stack_table'] else []:
            location = tables['location_table'][location]
            for line in location['lines'] or [None]:
                name = ''
                if line is not None:
                    name = strings[one(tables['function_table'][one(line, 'function_index')], 'name_strindex')]
                names.append(name or '?')
        return ';'.join(names)

    def label(index):
        entry = tables['attribute_table'][index]
        v = one(entry, 'value', {})
        kind = next(iter(v)) if v else ''
        text = v[kind][-1] if v else ''
        if kind == 'string_value_strindex':
            text = strings[text]
        elif kind == 'string_value':
            text = text.decode('utf-8', 'replace')
        elif kind != 'int_value':
            text = kind
        return f'{strings[one(entry, "key_strindex")]}={text}{strings[one(entry, "unit_strindex")]}'

    def link(index):
        entry = tables['link_table'][index] if index else {}
        return [f'{name}={v.hex()}' for name in ('trace_id', 'span_id') for v in entry.get(name, [])]

    for resource in root['resource_profiles']:
        for scope in resource['scope_profiles']:
            for profile in scope['profiles']:
                kind = one(profile, 'sample_type', collections.defaultdict(list))
                kind = f'{strings[one(kind, "type_strindex")]} {strings[one(kind, "unit_strindex")]}'
                for s in profile['samples']:
                    labels = [label(i) for i in s['attribute_indices'] if i] + link(one(s, 'link_index'))
                    times = s['timestamps_unix_nano'] or [None] * len(s['values'])
                    for time, value in zip(times, s['values'] or [1] * len(times)):
                        sums[functions(one(s, 'stack_index')), ' '.join(labels), time, kind] += value
    return sums


KINDS = {'bool': 'bool_value', 'double': 'double_value', 'array': 'array_value', 'kvlist': 'kvlist_value',
         'bytes': 'bytes_value', 'empty': ''}


def sums_of_rows(lines):
    names, locations, starts, sums = {}, {}, {}, collections.Counter()
    sample = values = stack = None

    def end():
        if sample is None:
            return
        labels = []
        for l in sample.get('.labels', []):
            kind = l.get('.otlp_kind')
            text = KINDS.get(kind, l.get('str', l.get('num')))
            labels.append(f'{l["key"]}={text}{l.get("unit", "")}')
        time = sample.get('.time')
        if time is not None:
            time += starts[sample['source_id']]
        for kind, value in values:
            sums[';'.join(locations[i] for i in stack), ' '.join(labels), time, kind] += value

    for line in lines:
        row = json.loads(line)
        table = row['table']
        if table == 'functions':
            names[row['function_id']] = '?' if row.get('.no_name') else row['name']
        elif table == 'locations':
            locations[row['location_id']] = names.get(row['function_id'], '?')
        elif table == 'sources':
            own = row['.otlp']
            starts[row['source_id']] = own.get('time_unix_nano', own.get('zero', 0))
        elif table == 'samples':
            end()
            sample, values, stack = row, [], []
        elif table == 'sample_values':
            values.append((f'{row["type"]} {row["unit"]}', row['value']))
        elif table == 'sample_locations':
            stack.append(row['location_id'])
    end()
    return sums


def main():
    what, name = sys.argv[1:]
    with open(name, encoding='utf-8') as file:
        text = file.read()
    if what in ('json', 'pretty'):
        print(json.dumps(to_json(parse(text)), ensure_ascii=False, indent=1 if what == 'pretty' else None,
                         separators=None if what == 'pretty' else (',', ':')))
        return
    sums = sums_of(parse(text)) if what == 'sums' else sums_of_rows(text.splitlines())
    for key, value in sorted(sums.items(), key=str):
        print(*key, value, sep='|')


main()
