#!/usr/bin/env python3
"""OTLP profiles as protoc prints them, in text: what rows must say of them, and the same in JSON.

  otlp.py json TEXT          the message in OTLP/JSON, in one line
  otlp.py pretty TEXT        the same over many lines
  otlp.py sums TEXT          a line for each stack, labels, time and type of values: the sum
  otlp.py rows ROWS          the same of rows
  otlp.py pprof SEED         a profile of pprof with a bit of everything, as protoc reads it
"""
import base64
import collections
import json
import random
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

    def text_of(value):
        """The text of an AnyValue that is a string or an integer; of others, their kind."""
        kind = next(iter(value)) if value else ''
        if kind == 'string_value_strindex':
            return strings[value[kind][-1]]
        if kind == 'string_value':
            return value[kind][-1].decode('utf-8', 'replace')
        return value[kind][-1] if kind == 'int_value' else kind

    def labels_of(index):
        entry = tables['attribute_table'][index]
        key, unit = strings[one(entry, 'key_strindex')], strings[one(entry, 'unit_strindex')]
        value = one(entry, 'value', {})
        if unit != '{label}':
            return [f'{key}={text_of(value)}{unit}']
        items = []
        for item in one(value, 'array_value')['values']:
            pairs = {'value': item}
            if 'kvlist_value' in item:
                pairs = {one(p, 'key').decode(): one(p, 'value') for p in item['kvlist_value'][-1]['values']}
            value = pairs.get('str') or pairs.get('num') or pairs['value']
            items.append(f'{key}={text_of(value)}{text_of(pairs["unit"]) if "unit" in pairs else ""}')
        return items

    def link(index):
        entry = tables['link_table'][index] if index else {}
        return [f'{name}={v.hex()}' for name in ('trace_id', 'span_id') for v in entry.get(name, [])]

    for resource in root['resource_profiles']:
        for scope in resource['scope_profiles']:
            for profile in scope['profiles']:
                kind = one(profile, 'sample_type', collections.defaultdict(list))
                kind = f'{strings[one(kind, "type_strindex")]} {strings[one(kind, "unit_strindex")]}'
                for s in profile['samples']:
                    labels = [l for i in s['attribute_indices'] if i for l in labels_of(i)]
                    labels += link(one(s, 'link_index'))
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
            own = row.get('.otlp', {})
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


def pprof(seed):
    """The text of a message of profile.proto; all that SEED decides."""
    r = random.Random(seed)
    strings = ['']

    def string(text):
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    def maybe(share, *lines):
        return list(lines) if r.random() < share else []

    def word(*texts):
        return string(r.choice(texts))

    out, mappings, functions, locations = [], r.randrange(4), r.randrange(1, 9), r.randrange(1, 12)
    types = r.sample(['samples', 'cpu', 'alloc_space', 'alloc_objects', 'a "b"', 'wall'], r.randrange(1, 5))
    for name in types:
        out.append(f'sample_type {{ type: {string(name)} unit: {word("count", "nanoseconds", "bytes", "")} }}')
    for i in range(1, mappings + 1):
        flags = [f'{flag}: true' for flag in ('has_functions', 'has_filenames', 'has_line_numbers',
                                              'has_inline_frames') if r.random() < .5]
        start = r.choice([0x400000, 0x7f0000000000, 0xffffffff81000000]) + i * 0x100000
        out.append(f'mapping {{ id: {i} memory_start: {start} memory_limit: {start + 0x1000 * i} '
                   f'file_offset: {r.choice([0, 4096])} filename: {word("", "/bin/a", "lib.so")} '
                   f'build_id: {word("", "89ab", "go/x")} {" ".join(flags)} }}')
    for i in range(1, functions + 1):
        name = r.choice(['', f'f{i}', f'g<{i}>', 'naïve\t"x"'])
        out.append(f'function {{ id: {i} name: {string(name)} system_name: {word("", name, f"_Z{i}")} '
                   f'filename: {word("", "a.c", "b/c.go")} start_line: {r.choice([0, 0, 7, -3])} }}')
    for i in range(1, locations + 1):
        lines = [f'line {{ function_id: {r.randrange(1, functions + 1)} line: {r.choice([0, 1, 9, 70000, -2])} '
                 f'column: {r.choice([0, 0, 5])} }}' for _ in range(r.choice([0, 1, 1, 1, 2, 3]))]
        parts = maybe(.6, f'mapping_id: {r.randrange(mappings + 1)}') + lines
        parts += maybe(.6, f'address: {r.choice([0x400010, 0x7f0000001000, 2 ** 64 - 1]) - i}')
        out.append(f'location {{ id: {i} {" ".join(parts)} {"is_folded: true" if r.random() < .2 else ""} }}')
    for _ in range(r.randrange(12)):
        stack = [r.randrange(1, locations + 1) for _ in range(r.choice([0, 1, 2, 3, 8]))]
        labels = []
        for _ in range(r.choice([0, 0, 1, 2, 4])):
            parts = maybe(.5, f'str: {word("x", "y", "a,b", "{label}")}')
            parts += maybe(.5, f'num: {r.choice([1, -5, 2 ** 63 - 1])}')
            parts += maybe(.3, f'num_unit: {word("bytes", "ms")}')
            labels.append(f'label {{ key: {word("k", "thread", "k", "bytes", "trace_id")} {" ".join(parts)} }}')
        values = [r.choice([0, 1, 10, -4, 2 ** 40]) for _ in types]
        out.append('sample { ' + ' '.join([f'location_id: {i}' for i in stack] + [f'value: {v}' for v in values] +
                                          labels) + ' }')
    out += maybe(.6, f'time_nanos: {r.choice([1764244800123456789, 1764244800000000000, 1])}')
    out += maybe(.6, f'duration_nanos: {r.choice([1, 60000000000])}')
    out += maybe(.6, f'period_type {{ type: {word("cpu", "space")} unit: {word("nanoseconds", "bytes")} }}')
    out += maybe(.6, f'period: {r.choice([1, 10000000, -1])}')
    remarks = ('night run', 'a b', 'line\nbreak')
    out += [f'comment: {word(*remarks)}' for _ in range(r.choice([0, 0, 1, 3]))]
    out += maybe(.3, f'default_sample_type: {string(r.choice(types + ["other"]))}')
    for name in ('drop_frames', 'keep_frames', 'doc_url'):
        out += maybe(.3, f'{name}: {word("x.*", "https://example.com/")}')
    def escape(text):
        return text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('\t', '\\t')

    return '\n'.join(out + [f'string_table: "{escape(text)}"' for text in strings])


def main():
    what, name = sys.argv[1:]
    if what == 'pprof':
        print(pprof(name))
        return
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
