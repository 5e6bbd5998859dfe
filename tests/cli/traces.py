"""Each stack of `go tool pprof -traces`, or of `profsum --traces`, as a line: its value, its labels, its frames.

    traces.py go|ours < text

Equal stacks are added up, those without a value are left out. Labels are sorted; a size, which pprof rounds, has
its key alone, and what is no ASCII is "?"."""
import re
import sys
from collections import defaultdict

digits = re.sub(rb'(?<=[0-9])\xe2\x80\xaf(?=[0-9])', b'', sys.stdin.buffer.read())
text = re.sub('[^\n -~]+', '?', digits.decode('latin-1'))
sums = defaultdict(int)


def note(value, labels, frames):
    labels = sorted(re.sub('^bytes: .*$', 'bytes', label.strip()) for label in labels)
    sums[', '.join(labels) + ' | ' + ' < '.join(frames)] += value


def blocks_of_go():
    for block in re.split('-+[+]-+\n', text)[1:]:
        labels, frames, value = [], [], None
        for line in block.split('\n'):
            label = re.match(r' *(\S+):  (.*)$', line)
            first = re.match(r' *(-?[0-9.]+)[a-zA-Z]*   (\S.*)$', line)
            if value is None and label:
                labels.append(label[1] + ': ' + label[2])
            elif value is None and first:
                value = round(float(first[1]))
                frames.append(first[2])
            elif line.strip():
                frames.append(line.strip())
        if value is not None:
            note(value, labels, [re.sub(' [(](partial-)?inline[)]$', '', frame) for frame in frames])


def blocks_of_ours():
    for block in text.split('\n\n')[1:]:
        lines = [line for line in block.split('\n') if line and not re.match('and [0-9]+ more', line)]
        first = re.match(r' *(-?[0-9]+) +-?[0-9.]+  (.*)$', lines[0])
        frames = [line.strip() for line in lines[1:]]
        keys = '(?:bytes|user|request|pod|qweqwe): '
        labels = re.findall('(?:^|, )(' + keys + '.*?)(?=, ' + keys + '|$)', first[2])
        note(int(first[1]), labels, frames if labels else [first[2]] + frames)


(blocks_of_go if sys.argv[1] == 'go' else blocks_of_ours)()
for stack, value in sums.items():
    if value != 0:
        print(value, '|', stack)
