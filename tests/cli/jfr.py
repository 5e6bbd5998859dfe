"""Makes recordings of Java Flight Recorder, which the JDK reads too: jfr.py NAME [N] > FILE.

The recordings are those in main."""
import struct
import sys


def integer(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 0x7F and len(out) < 8:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out) + bytes([n & 0xFF])


def text(s, coding=3):
    if s is None:
        return b"\0"
    if coding == 4:
        units = struct.unpack("<%dH" % (len(s.encode("utf-16-le")) // 2), s.encode("utf-16-le"))
        return b"\4" + integer(len(units)) + b"".join(map(integer, units))
    data = s.encode("latin-1" if coding == 5 else "utf-8")
    return bytes([coding]) + integer(len(data)) + data


def event(kind, *parts):
    body = integer(kind) + b"".join(p if isinstance(p, bytes) else integer(p) for p in parts)
    size = 4 + len(body)  # the size in four bytes, as producers write it
    return bytes([size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21]) + body


# Types: their number and their fields, each a name, a type, and letters: c a constant, l a list, t and d and
# a: ticks since the start, of a duration, an address.
PRIMITIVES = ["boolean", "byte", "char", "short", "int", "long", "float", "double", "java.lang.String"]
TYPES = {
    "java.lang.Thread": [("osName", "java.lang.String", ""), ("osThreadId", "long", ""),
                         ("javaName", "java.lang.String", ""), ("javaThreadId", "long", "")],
    "jdk.types.Symbol": [("string", "java.lang.String", "")],
    "java.lang.Class": [("name", "jdk.types.Symbol", "c")],
    "jdk.types.Method": [("type", "java.lang.Class", "c"), ("name", "jdk.types.Symbol", "c"),
                         ("descriptor", "jdk.types.Symbol", "c")],
    "jdk.types.FrameType": [("description", "java.lang.String", "")],
    "jdk.types.StackFrame": [("method", "jdk.types.Method", "c"), ("lineNumber", "int", ""),
                             ("bytecodeIndex", "int", ""), ("type", "jdk.types.FrameType", "c")],
    "jdk.types.StackTrace": [("truncated", "boolean", ""), ("frames", "jdk.types.StackFrame", "l")],
    "jdk.types.ThreadState": [("name", "java.lang.String", "")],
    "jdk.ExecutionSample": [("startTime", "long", "t"), ("sampledThread", "java.lang.Thread", "c"),
                            ("stackTrace", "jdk.types.StackTrace", "c"), ("state", "jdk.types.ThreadState", "c")],
    "jdk.JavaMonitorEnter": [("startTime", "long", "t"), ("duration", "long", "d"),
                             ("eventThread", "java.lang.Thread", "c"), ("stackTrace", "jdk.types.StackTrace", "c"),
                             ("monitorClass", "java.lang.Class", "c"), ("address", "long", "a")],
    "jdk.ThreadStart": [("startTime", "long", "t"), ("thread", "java.lang.Thread", "c")],
}
SIMPLE = ["jdk.types.Symbol", "jdk.types.FrameType", "jdk.types.ThreadState"]  # the JDK shows their only field
# More events: fields of numbers, whose letters may be d.
KINDS = {
    "jdk.CPUTimeSample": ["samplingPeriod d", "failed"],
    "jdk.NativeMethodSample": [],
    "profiler.WallClockSample": ["samples"],
    "jdk.ObjectAllocationSample": ["weight"],
    "jdk.ObjectAllocationInNewTLAB": ["allocationSize", "tlabSize"],
    "jdk.ObjectAllocationOutsideTLAB": ["allocationSize"],
    "jdk.JavaMonitorWait": ["duration d", "timeout"],
    "jdk.ThreadPark": ["duration d"],
    "jdk.ThreadSleep": ["duration d"],
    "jdk.VirtualThreadPinned": ["duration d"],
    "jdk.MethodTrace": ["duration d"],
    "profiler.NativeLock": ["duration d"],
    "jdk.SocketRead": ["duration d", "bytesRead"],
    "jdk.SocketWrite": ["duration d", "bytesWritten"],
    "jdk.FileRead": ["duration d", "bytesRead"],
    "jdk.FileWrite": ["duration d", "bytesWritten"],
    "jdk.FileForce": ["duration d"],
    "profiler.LiveObject": ["allocationSize"],
    "jdk.OldObjectSample": ["objectSize"],
    "profiler.Malloc": ["address a", "size"],
    "profiler.Free": ["address a"],
    "jdk.PhysicalMemory": ["totalSize", "usedSize"],
    "jdk.ResidentSetSize": ["size", "peak"],
}
MARKS = {"t": ("jdk.jfr.Timestamp", "TICKS"), "d": ("jdk.jfr.Timespan", "TICKS"), "a": ("jdk.jfr.MemoryAddress", None)}


class Recording:
    """One chunk. CONSTANTS and EVENTS are bytes that are there already; MAKE returns all of it."""

    def __init__(self, types=None, **more):
        self.types = dict(types or TYPES, **more)
        names = ["", "-"] + PRIMITIVES + ["jdk.jfr.Event", "java.lang.annotation.Annotation"]
        names += sorted({m[0] for m in MARKS.values()}) + list(self.types)
        self.ids = {name: number for number, name in enumerate(names) if number > 1}
        self.pools = []
        self.events = []
        self.start, self.ticks, self.frequency = 1700000000123456789, 1000, 10**9
        self.version = 2, 1

    def name(self, kind):
        """What the JDK that writes this version calls a type."""
        if self.version[0] > 1 or not kind.startswith("jdk.") or kind.startswith("jdk.jfr."):
            return kind
        return kind.replace("jdk.", "com.oracle.jfr." if kind.startswith("jdk.types.") else "com.oracle.jdk.", 1)

    def constants(self, kind, *values):
        """A pool: pairs of a number and bytes."""
        pairs = b"".join(integer(number) + value for number, value in values)
        self.pools.append(integer(self.ids[kind]) + integer(len(values)) + pairs)

    def event(self, kind, *parts):
        self.events.append(event(self.ids[kind], *parts))

    def metadata(self):
        words = []

        def word(s):
            if s not in words:
                words.append(s)
            return integer(words.index(s))

        def element(tag, attributes, children):
            pairs = b"".join(word(k) + word(str(v)) for k, v in attributes)
            return word(tag) + integer(len(attributes)) + pairs + integer(len(children)) + b"".join(children)

        classes = []
        for name, number in self.ids.items():
            attributes = [("name", self.name(name)), ("id", number)]
            fields = []
            for field, kind, letters in self.types.get(name, []):
                own = [("name", field), ("class", self.ids.get(kind, 9999))]
                own += [("constantPool", "true")] if "c" in letters else []
                own += [("dimension", 1)] if "l" in letters else []
                marks = [(self.ids[MARKS[m][0]], MARKS[m][1]) for m in letters if m in MARKS]
                marks = [element("annotation", [("class", c)] + ([("value", v)] if v else []), []) for c, v in marks]
                fields.append(element("field", own, marks))
            if any(field[0] == "startTime" for field in self.types.get(name, [])):
                attributes.append(("superType", "jdk.jfr.Event"))
            elif name.startswith("jdk.jfr.") and name != "jdk.jfr.Event":
                attributes.append(("superType", "java.lang.annotation.Annotation"))
                if (name, None) not in MARKS.values():
                    fields = [element("field", [("name", "value"), ("class", self.ids["java.lang.String"])], [])]
            elif name in SIMPLE:
                attributes.append(("simpleType", "true"))
            classes.append(element("class", attributes, fields))
        tree = element("root", [], [element("metadata", [], classes),
                                    element("region", [("locale", "en_US"), ("gmtOffset", "0")], [])])
        return event(0, self.ticks, 0, self.start, len(words), b"".join(map(text, words)), tree)

    def make(self, is_open=False, split=1):
        """SPLIT: into how many checkpoints, each of which names the one before."""
        out, last = bytearray(68), 0
        metadata = len(out)
        out += self.metadata()
        for e in self.events[: len(self.events) // 2]:
            out += e
        step = -(-len(self.pools) // split) or 1
        for i in range(0, len(self.pools), step):
            at, pools = len(out), self.pools[i : i + step]
            out += event(1, self.ticks, 0, last - at if last else 0, b"\0", len(pools), b"".join(pools))
            last = at
        for e in self.events[len(self.events) // 2 :]:
            out += e
        out[:68] = b"FLR\0" + struct.pack(">HHQQQQQQQI", *self.version, 0 if is_open else len(out), 0 if is_open else last,
                                          0 if is_open else metadata, self.start, 10**9, self.ticks, self.frequency, 1)
        return bytes(out)


def words(r):
    """The constants of two stacks in two threads."""
    r.constants("jdk.types.Symbol", *[(i + 1, text(s)) for i, s in enumerate(["a/B", "run", "()V", "f", "(I)I"])])
    r.constants("java.lang.Class", (1, integer(1)))
    r.constants("jdk.types.Method", (1, integer(1) + integer(2) + integer(3)), (2, integer(1) + integer(4) + integer(5)))
    r.constants("jdk.types.FrameType", (1, text("Interpreted")), (2, text("Inlined")))
    frames = [integer(2) + integer(7) + integer(3) + integer(2), integer(1) + integer(0xFFFFFFFF) + integer(0) + integer(1)]
    r.constants("jdk.types.StackTrace", (1, b"\0" + integer(2) + b"".join(frames)), (2, b"\1" + integer(1) + frames[1]))
    r.constants("java.lang.Thread", (1, text("main") + integer(70) + text("main") + integer(1)),
                (2, text("GC") + integer(71) + text(None) + integer(0)))
    r.constants("jdk.types.ThreadState", (1, text("STATE_RUNNABLE")))
    return r


def small():
    r = words(Recording())
    r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
    r.event("jdk.JavaMonitorEnter", 1700, 250, 1, 1, 1, 0xFF00)
    r.event("jdk.ExecutionSample", 2000, 2, 2, 1)
    return r


def main(name, *rest):
    number = int(rest[0]) if rest else 0
    out = sys.stdout.buffer
    if name == "small":
        out.write(small().make())
    elif name == "open":  # a chunk that was never finished
        out.write(small().make(is_open=True))
    elif name == "open-first":  # such a chunk before another
        out.write(small().make(is_open=True) + small().make())
    elif name == "nine":  # as JDK 9 and 10 write it
        r = small()
        r.version = 1, 0
        out.write(r.make())
    elif name == "unknown":  # an event whose type the metadata lack
        r = small()
        r.events.insert(1, event(9999, 1600))
        out.write(r.make())
    elif name == "chain":  # a checkpoint for each pool
        out.write(small().make(split=99))
    elif name == "lost":  # an event that is no sample, and references to nothing
        r = small()
        r.event("jdk.ThreadStart", 1600, 2)
        r.event("jdk.ExecutionSample", 2100, 3, 3, 3)
        r.constants("jdk.types.StackTrace", (4, b"\0" + integer(1) + integer(3) + b"\0\0" + integer(1)))
        r.event("jdk.ExecutionSample", 2200, 1, 4, 1)
        out.write(r.make())
    elif name == "bare":  # an event of nothing but its size and type
        r = words(Recording(**{"a.Bare": []}))
        r.event("a.Bare")
        r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
        out.write(r.make())
    elif name == "no-fields":  # a type of constants that have nothing to be shown
        r = Recording(**{"jdk.types.ThreadState": []})
        words(r).pools.pop()
        r.constants("jdk.types.ThreadState", (1, b""))
        r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
        out.write(r.make())
    elif name == "numbers":  # a type of constants that are shown as numbers
        r = Recording(**{"jdk.types.ThreadState": [("code", "int", "")]})
        words(r).pools.pop()
        r.constants("jdk.types.ThreadState", (1, integer(1 << 32 | 0xFFFFFFF9)), (2, integer(8)))
        r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
        r.event("jdk.ExecutionSample", 1600, 1, 1, 2)
        out.write(r.make())
    elif name == "no-type":  # a field whose type the metadata lack
        r = words(Recording(**{"jdk.ThreadStart": [("startTime", "long", "t"), ("thread", "a.Gone", "")]}))
        r.event("jdk.ThreadStart", 1500, 1)
        out.write(r.make())
    elif name == "libraries":  # what async-profiler says where a frame is no method: its library, if it knows one
        r = words(Recording())
        r.constants("jdk.types.Symbol", (11, text("libc.so")), (12, text("read")), (13, text("()L;")), (14, text("")))
        r.constants("java.lang.Class", (11, integer(11)), (14, integer(14)))
        r.constants("jdk.types.Method", (11, b"".join(map(integer, (11, 12, 13)))), (12, b"".join(map(integer, (14, 12, 13)))))
        frames = [integer(n) + b"\0\0" + integer(1) for n in (11, 12)]
        r.constants("jdk.types.StackTrace", (9, b"\0" + integer(2) + b"".join(frames)))
        r.event("jdk.ExecutionSample", 1500, 1, 9, 1)
        out.write(r.make())
    elif name == "two":  # chunks whose numbers stand for others
        second = Recording()
        second.start += 10**9
        words(second)
        second.event("jdk.ExecutionSample", 3000, 1, 2, 1)
        out.write(small().make() + second.make())
    elif name == "others":  # types of other JDKs: more fields, in another order; the JDK wants startTime first
        types = dict(TYPES)
        inside = [("low", "short", ""), ("high", "int", "")]
        types["a.Range"] = inside
        own = TYPES["jdk.ExecutionSample"]
        types["jdk.ExecutionSample"] = own[:1] + [("ratio", "float", ""), ("exact", "double", ""), ("range", "a.Range", ""),
                                        ("ranges", "a.Range", "l"), ("path", "java.lang.String", ""),
                                                 ("letter", "char", "")] + own[:0:-1] + \
            [("on", "boolean", ""), ("states", "jdk.types.ThreadState", "cl"), ("pooled", "java.lang.String", "")]
        types["jdk.types.StackFrame"] = [("first", "java.lang.String", "")] + TYPES["jdk.types.StackFrame"]
        types["jdk.types.StackTrace"] = TYPES["jdk.types.StackTrace"][::-1]
        r = Recording(types)
        words(r)
        del r.pools[4]
        frame = text("x") + integer(2) + integer(7) + integer(3) + integer(2)
        r.constants("jdk.types.StackTrace", (1, integer(1) + frame + b"\1"), ((1 << 64) - 1, integer(0) + b"\0"))
        r.constants("java.lang.String", (5, text("kept")))
        for coding, path in ((3, "/ü"), (4, "/\U0001f600"), (5, "/ÿ")):
            r.event("jdk.ExecutionSample", 1500, struct.pack(">fd", 0.5, -2.25), 0xFFFD, 0xFFFFFFFF, 2, 1, 2, 3, 4,
                    text(path, coding), 65, 1, 1, 1, b"\1", 2, 1, 1, b"\2", 5)
        r.event("jdk.ExecutionSample", 1600, struct.pack(">fd", 0.5, -2.25), 0, 0, 0, b"\0", 65, 1, -1, 1, b"\0", 0, b"\1")
        out.write(r.make())
    elif name == "kinds":  # each event of KINDS twice
        types = dict(TYPES)
        for kind, names in KINDS.items():
            fields = [(n.split()[0], "long", "".join(n.split()[1:])) for n in names]
            types[kind] = TYPES["jdk.ExecutionSample"][:1] + [f for f in fields if f[0] == "duration"] + \
                [("eventThread", "java.lang.Thread", "c"), ("stackTrace", "jdk.types.StackTrace", "c")] + \
                [f for f in fields if f[0] != "duration"]
        r = words(Recording(types))
        for i, kind in enumerate(list(KINDS) * 2):
            numbers = [100 * i + k for k in range(len(KINDS[kind]))]
            first = numbers[:1] if KINDS[kind][:1] == ["duration d"] else []
            r.event(kind, 1500 + i, *first, 1 + i % 2, 1 + i // 2 % 2, *numbers[len(first):])
        out.write(r.make())
    elif name == "settings":  # of an event, and of the system, in two chunks of two processes
        long = ("startTime", "long", "t")
        texts = [("name", "java.lang.String", ""), ("value", "java.lang.String", "")]
        for pid, period in ((7, "10 ms"), (7, "10 ms"), (8, "20 ms")):
            r = words(Recording(**{
                "jdk.ActiveSetting": [long, ("id", "long", "")] + texts,
                "jdk.InitialSystemProperty": [long, ("key", "java.lang.String", "")] + texts[1:],
                "jdk.JVMInformation": [long, ("jvmName", "java.lang.String", ""), ("pid", "long", "")],
            }))
            r.start += pid * 10**9
            r.event("jdk.ActiveSetting", 1500, r.ids["jdk.ExecutionSample"], text("period"), text(period))
            r.event("jdk.InitialSystemProperty", 1500, text("java.version"), text(None))
            r.event("jdk.JVMInformation", 1500, text("VM"), pid)
            r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
            out.write(r.make())
    elif name == "clock":  # ticks that are no whole nanoseconds
        r = small()
        r.frequency = 3 * 10**9 - 7
        for i in range(500):
            r.event("jdk.JavaMonitorEnter", 1700 + 977 * i, 9 * i + 7, 1 + i % 2, 1 + i % 2, 1, i)
        out.write(r.make())
    elif name == "large":  # chunks of a megabyte, NUMBER of them
        r = words(Recording())
        for i in range(80000):
            r.event("jdk.ExecutionSample", 1500 + i * 10, 1 + i % 2, 1 + i % 2, 1)
        chunk = r.make()
        for _ in range(number):
            out.write(chunk)
    elif name == "one-large":  # a chunk of NUMBER megabytes
        r = words(Recording())
        r.events = [event(r.ids["jdk.ExecutionSample"], 1500, 1, 1, 1)] * (number * 100000)
        out.write(r.make())
    elif name == "many-checkpoints":  # NUMBER of them in a chunk that is not held
        r = words(Recording())
        r.events = [event(r.ids["jdk.ExecutionSample"], 1500, 1, 1, 1)] * 1400000
        r.pools += r.pools[-1:] * number
        out.write(r.make(split=len(r.pools)))
    elif name == "deep":  # a stack of NUMBER frames
        r = words(Recording())
        frame = integer(1) + b"\0\0" + integer(1)
        r.constants("jdk.types.StackTrace", (9, b"\0" + integer(number) + frame * number))
        r.event("jdk.ExecutionSample", 1500, 1, 9, 1)
        out.write(r.make())
    elif name == "cyclic":  # a type that contains itself
        types = dict(TYPES)
        types["a.Loop"] = [("next", "a.Loop", "")]
        types["jdk.ThreadStart"] = [("startTime", "long", "t"), ("loop", "a.Loop", "")]
        types["jdk.ExecutionSample"] = TYPES["jdk.ExecutionSample"] + [("loop", "a.Loop", "")]
        r = words(Recording(types))
        r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
        out.write(r.make())
    elif name == "doubling":  # types each of which has the one before twice
        types = dict(TYPES)
        types["a.T0"] = [("x", "byte", "")]
        for i in range(1, 14):
            types["a.T%d" % i] = [("a", "a.T%d" % (i - 1), ""), ("b", "a.T%d" % (i - 1), "")]
        types["jdk.ExecutionSample"] = TYPES["jdk.ExecutionSample"] + [("all", "a.T13", "")]
        r = words(Recording(types))
        r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
        out.write(r.make())
    elif name == "nested":  # lists in lists, NUMBER deep, of which the innermost come first
        types = {"a.T0": [("x", "byte", "")]}
        types.update(("a.T%d" % i, [("list", "a.T%d" % (i - 1), "l")]) for i in range(1, number))
        r = Recording(types)
        for i in range(number):
            r.constants("a.T%d" % i)
        r.constants("a.T%d" % (number - 1), (1, b"\1" * number))
        out.write(r.make())
    elif name == "pools":  # types without fields, NUMBER of them, with a constant each
        r = Recording({"a.T%d" % i: [] for i in range(number)})
        for i in range(number):
            r.constants("a.T%d" % i, (1, b""))
        out.write(r.make())
    elif name == "frame-notes":  # a stack of NUMBER frames, all the same constant, which has a long text of no use
        types = dict(TYPES)
        types["jdk.types.StackFrame"] = TYPES["jdk.types.StackFrame"] + [("note", "java.lang.String", "")]
        types["jdk.types.StackTrace"] = [("truncated", "boolean", ""), ("frames", "jdk.types.StackFrame", "cl")]
        r = words(Recording(types))
        r.pools = [p for p in r.pools if p[0] != r.ids["jdk.types.StackTrace"]]
        r.constants("jdk.types.StackFrame", (1, integer(1) + integer(7) + b"\0" + integer(1) + text("x" * 100000, 5)))
        r.constants("jdk.types.StackTrace", (1, b"\0" + integer(number) + b"\1" * number))
        r.event("jdk.ExecutionSample", 1500, 1, 1, 1)
        out.write(r.make())
    elif name == "method-labels":  # NUMBER events with a method that has a long text in front of its name
        types = dict(TYPES)
        types["jdk.types.Method"] = [("note", "java.lang.String", "")] + TYPES["jdk.types.Method"]
        types["jdk.ExecutionSample"] = TYPES["jdk.ExecutionSample"] + [("method", "jdk.types.Method", "c")]
        r = words(Recording(types))
        del r.pools[2]
        r.constants("jdk.types.Method", (1, text("x" * 100000, 4) + integer(1) + integer(2) + integer(3)))
        for i in range(number):
            r.event("jdk.ExecutionSample", 1500 + i, 1, 0, 1, 1)
        out.write(r.make())
    elif name == "long-name":  # NUMBER events that lose a field with a long name
        types = dict(TYPES)
        types["jdk.ThreadSleep"] = [("startTime", "long", "t"), ("x" * 5000, "long", "l")]
        r = Recording(types)
        for i in range(number):
            r.event("jdk.ThreadSleep", 1500, 0)
        out.write(r.make())
    elif name == "units":  # durations in each unit, and none
        for unit in ("NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS"):
            MARKS["u"] = ("jdk.jfr.Timespan", unit)
            types = dict(TYPES)
            types["jdk.ThreadSleep"] = [("startTime", "long", "t"), ("duration", "long", "u"), ("time", "long", "u")]
            r = Recording(types)
            r.event("jdk.ThreadSleep", 1500, 7, 8)
            r.event("jdk.ThreadSleep", 1600, 1 << 63, 1 << 63)
            out.write(r.make())
    elif name == "loop":  # a checkpoint that names itself as the one before
        data = bytearray(small().make())
        at = struct.unpack_from(">Q", data, 16)[0]
        data[at + 4 + 1 + 2 + 1] = 0x7F  # behind size, type, ticks and duration: far behind
        out.write(bytes(data))
    elif name == "metadata-pooled":  # a word of the metadata that is a constant of a pool, which comes later
        data = small().make()
        assert data.count(text("en_US")) == 1
        out.write(data.replace(text("en_US"), b"\2\x85\x80\x80\x80\x80\0"))
    else:
        sys.exit("jfr.py: no recording is called " + name)


main(*sys.argv[1:])
