#!/usr/bin/env python3
"""Lets Perun's own code read a profile, without the libraries that it has for other things:

    perun-judge.py PERUN resources|models FILE < rows    whether NDJSON rows of profsum --samples or --models have
                                                         what Perun's data frame of FILE has
    perun-judge.py PERUN flame FILE                      the text of its flame graph
    perun-judge.py PERUN totals FILE                     the sum of the amounts of each type

PERUN is a folder with the sources of Perun."""
import array
import importlib.util
import json
import sys
import types
from unittest import mock


class Stub(types.ModuleType):
    """Stands for a module whose parts are not needed."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return mock.MagicMock()


class Finder:
    """Finds stubs for all but what reads profiles."""

    REAL = {"perun", "perun.profile", "perun.profile.factory", "perun.profile.query",
            "perun.profile.convert", "perun.utils", "perun.utils.common",
            "perun.utils.common.common_kit"}
    STUBS = ("perun", "numpy", "pandas", "click", "progressbar", "scipy", "sklearn", "tqdm", "rich")

    def find_spec(self, name, path=None, target=None):
        if name in self.REAL or name.split(".")[0] not in self.STUBS:
            return None
        return importlib.util.spec_from_loader(name, self)

    def create_module(self, spec):
        module = Stub(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


def load(folder):
    sys.path.insert(0, folder)
    sys.meta_path.insert(0, Finder())
    from perun.profile import convert, factory
    convert.pandas.DataFrame = dict
    convert.numpy.nan = None
    return convert, factory


def told(value):
    """A value of a frame, as far as rows tell values apart."""
    if value is None or value != value:
        return None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return ("-" if value < 0 else "") + "Infinity"
    if isinstance(value, str):
        return None if value == "NaN" else value
    return float(value) if isinstance(value, (int, float)) else str(value)


def rows_of(frame):
    count = max((len(column) for column in frame.values()), default=0)
    for i in range(count):
        row = {name: told(column[i]) for name, column in frame.items()}
        yield {name: value for name, value in row.items() if value not in (None, "")}


def compare(frame, found, family):
    """Names in rows begin with that of their FAMILY."""
    def order(row):
        return sorted((name, str(value)) for name, value in row.items())

    expected = sorted(rows_of(frame), key=order)
    found = [{name: told(row.get(family + name)) for name in frame if told(row.get(family + name)) not in (None, "")}
             for row in found]
    found.sort(key=order)
    if expected != found:
        for a, b in zip(expected, found):
            if a != b:
                print("expected", a, "\nfound   ", b)
                break
        sys.exit(f"{len(expected)} rows expected, {len(found)} found")
    print(len(found))


def main():
    folder, command, file = sys.argv[1:]
    convert, factory = load(folder)
    with open(file, encoding="utf-8") as f:
        text = json.load(f)
    profile = factory.Profile(text)
    if command == "resources":
        compare(convert.resources_to_pandas_dataframe(profile), [json.loads(line) for line in sys.stdin],
                "resource.")
    elif command == "models":
        # Perun drops models of snapshots, but for `global`
        compare(convert.models_to_pandas_dataframe(profile), [row for row in map(json.loads, sys.stdin)
                                                              if text.get("global") or row.get("model.snapshots") is None],
                "model.")
    elif command == "flame":
        sys.stdout.writelines(convert.to_flame_graph_format(profile))
    elif command == "totals":
        totals = {}
        for _, resource in profile.all_resources():
            name = resource.get("type", "")
            totals[name] = totals.get(name, 0) + resource["amount"]
        for name in sorted(totals):
            print(name, totals[name])


main()
