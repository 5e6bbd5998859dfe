"""Counts words, by functions that call each other and themselves."""
import collections
import sys


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


class Counter(object):
    def __init__(self):
        self.counts = collections.defaultdict(int)

    def add(self, word):
        self.counts[word.lower()] += 1

    def most(self):
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[0]


def words(n):
    for i in range(n):
        yield 'ab'[i % 2] * (1 + i % 3)


def main():
    counter = Counter()
    for word in words(600):
        counter.add(word)
    sys.stdout.write('%s %d %d\n' % (counter.most()[0], fibonacci(12), is_even(20)))


if __name__ == '__main__':
    main()
