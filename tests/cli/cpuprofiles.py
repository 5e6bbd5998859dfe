# Writes COUNT files of V8 to FOLDER, of every form that producers know:
#
#   python3 cpuprofiles.py FOLDER COUNT
#
# Node.js leaves out empty lists, Chrome wrote them; old files have a tree of nodes and absolute times;
# VS Code adds members of its own. Times may go back, and nodes may come before their parents.
import json
import random
import sys

NAMES = ['', 'f', 'g', 'wörter', 'a"b\\c', '(program)', '(idle)', '(garbage collector)', 'x\ty', '\U0001f600']
URLS = ['', 'file:///a.js', 'node:internal/x', 'https://h/b.js?c=d']


def frame(rng, is_root):
    if is_root:
        return {'functionName': '(root)', 'scriptId': '0', 'url': '', 'lineNumber': -1, 'columnNumber': -1}
    line = rng.randrange(-1, 300)
    f = {'functionName': rng.choice(NAMES), 'scriptId': str(rng.randrange(90)), 'url': rng.choice(URLS),
         'lineNumber': line, 'columnNumber': rng.randrange(-1, 80) if line >= 0 else -1}
    if rng.random() < 0.05:
        del f[rng.choice(['scriptId', 'columnNumber', 'lineNumber'])]
    if rng.random() < 0.02:
        f['scriptId'] = 7
    return f


def node_of(rng, number, parent, style):
    node = {'id': number, 'callFrame': frame(rng, parent is None)}
    if style['hits']:
        node['hitCount'] = rng.randrange(4)
    if rng.random() < 0.3:
        node['positionTicks'] = [{'line': rng.randrange(1, 99), 'ticks': rng.randrange(1, 5)}
                                 for _ in range(rng.randrange(3))]
    if rng.random() < 0.1:
        node['deoptReason'] = rng.choice(['', 'wrong map', 'Insufficient type feedback'])
    if style['vscode']:
        node['locationId'] = rng.randrange(50)
    return node


def tree(rng, style):
    ids = list(range(1, 2 + rng.randrange(40)))
    if rng.random() < 0.2:
        ids = rng.sample(range(1000), len(ids))
    nodes = [node_of(rng, ids[0], None, style)]
    children = {ids[0]: []}
    for number in ids[1:]:
        parent = rng.choice(list(children))
        twin = rng.random() < 0.1 and children[parent]
        node = node_of(rng, number, parent, style)
        if twin:  # a node with the stack of another
            node['callFrame'] = dict(next(n for n in nodes if n['id'] == children[parent][0])['callFrame'])
        nodes.append(node)
        children[parent].append(number)
        children[number] = []
    for node in nodes:
        listed = children[node['id']]
        if rng.random() < 0.1:
            rng.shuffle(listed)
        if listed or style['empty_lists']:
            node['children'] = listed
    if rng.random() < 0.15:
        rng.shuffle(nodes)
    return nodes


def old_tree(rng, nodes):
    by_id = {node['id']: node for node in nodes}
    base = rng.randrange(2)

    def convert(number):
        node = by_id[number]
        f = node['callFrame']
        made = {'functionName': f['functionName'], 'url': f['url'], 'lineNumber': f.get('lineNumber', -1) + base,
                'scriptId': int(f.get('scriptId', 0)), 'id': number, 'hitCount': node.get('hitCount', 0),
                'callUID': rng.randrange(99), 'bailoutReason': rng.choice(['', 'no reason'])}
        made['children'] = [convert(child) for child in node.get('children', [])]
        return made
    listed = {child for node in nodes for child in node.get('children', [])}
    return convert(next(node['id'] for node in nodes if node['id'] not in listed))


def profile(rng):
    style = {'hits': rng.random() < 0.9, 'vscode': rng.random() < 0.2, 'empty_lists': rng.random() < 0.3}
    nodes = tree(rng, style)
    count = rng.randrange(60)
    deltas = [rng.randrange(2000) if rng.random() < 0.95 else -rng.randrange(500) for _ in range(count)]
    made = {'samples': [rng.choice(nodes)['id'] for _ in range(count)]}
    if rng.random() < 0.2:
        zero = rng.randrange(10**12)
        times = [zero + sum(deltas[:i]) for i in range(count + 1)]
        made = {'head': old_tree(rng, nodes), 'startTime': zero // 10**6, 'endTime': times[-1] // 10**6, **made,
                'timestamps': times if rng.random() < 0.5 else times[1:]}
    else:
        start = rng.randrange(10**12)
        made = {'nodes': nodes, 'startTime': start, 'endTime': start + sum(deltas) + rng.randrange(999), **made,
                'timeDeltas': deltas}
        if rng.random() < 0.1:
            made['timeDeltas'] = [round(delta + rng.randrange(1000) / 1000, 3) for delta in deltas]
        if style['vscode']:
            made['$vscode'] = {'rootPath': '/w', 'locations': [
                {'callFrame': frame(rng, False), 'locations': [{'lineNumber': 1, 'source': {'path': 'a'}}]}]}
        if rng.random() < 0.1:
            del made['samples'], made['timeDeltas']
        elif rng.random() < 0.1:
            del made['timeDeltas']
    items = list(made.items())
    if rng.random() < 0.3:
        rng.shuffle(items)
    return dict(items)


for seed in range(int(sys.argv[2])):
    rng = random.Random(seed)
    with open(f'{sys.argv[1]}/{seed}.cpuprofile', 'w') as out:
        json.dump(profile(rng), out, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1]))
