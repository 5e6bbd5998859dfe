"""Profiles itself, and writes what it finds to a database, as any program can:

    python3 words.py DATABASE

A timer interrupts the program every two milliseconds of its own time; what it was doing then is a
sample. `profmodel --format=sql --plain` has the tables."""
import re
import signal
import sqlite3
import subprocess
import sys


class Profile:
    def __init__(self):
        self.samples, self.functions, self.locations = [], {}, {}

    def take(self, _signal, frame):
        stack = []
        while frame is not None:
            code = frame.f_code
            function = (code.co_name, code.co_filename, code.co_firstlineno)
            stack.append((function, frame.f_lineno))
            frame = frame.f_back
        self.samples.append(stack)

    def write(self, path):
        ddl = subprocess.run(["profmodel", "--format=sql", "--plain"], check=True,
                             capture_output=True, text=True).stdout
        db = sqlite3.connect(path)
        db.executescript(ddl)
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("INSERT INTO meta (key, value) VALUES ('version', '2.0')")
        db.execute("INSERT INTO sources (source_id, source_type, source_uri, dotted) VALUES (1, ?, ?, ?)",
                   ("python", "words.py",
                    '{".value_types":[{"type":"samples","unit":"count"},{"type":"cpu","unit":"seconds"}]}'))
        for number, stack in enumerate(self.samples, 1):
            db.execute("INSERT INTO samples (sample_id, source_id) VALUES (?, 1)", (number,))
            db.executemany("INSERT INTO sample_values VALUES (?, ?, ?, ?)",
                           [(number, "samples", "count", 1), (number, "cpu", "seconds", 0.002)])
            for depth, (function, line) in enumerate(stack, 1):
                db.execute("INSERT INTO sample_locations VALUES (?, ?, ?)",
                           (number, depth, self.location(db, function, line)))
        db.commit()
        db.close()

    def location(self, db, function, line):
        if (function, line) not in self.locations:
            if function not in self.functions:
                self.functions[function] = len(self.functions) + 1
                name, file, first = function
                db.execute("INSERT INTO functions (function_id, name, system_name, filename, start_line)"
                           " VALUES (?, ?, ?, ?, ?)",
                           (self.functions[function], name, name, file, first))
            self.locations[function, line] = len(self.locations) + 1
            db.execute("INSERT INTO locations (location_id, function_id, line) VALUES (?, ?, ?)",
                       (self.locations[function, line], self.functions[function], line))
        return self.locations[function, line]


def split(text):
    return re.findall("[a-z]+", text)


def count(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def main():
    text = "the model is relational and the profile is a stream of its rows " * 2000
    for _ in range(20):
        count(split(text))


profile = Profile()
signal.signal(signal.SIGPROF, profile.take)
signal.setitimer(signal.ITIMER_PROF, 0.002, 0.002)
main()
signal.setitimer(signal.ITIMER_PROF, 0)
profile.write(sys.argv[1])
