"""Run directories as a forger sees them: every number of the log and of the checkpoints can be
read, altered and written again with all sums, the chain of hashes and the digest made right."""
import hashlib
import math
import os
import struct
from fractions import Fraction

MASK = (1 << 64) - 1


def make_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = make_table()


def crc(data, before=0):
    """CRC-32C."""
    x = before ^ 0xFFFFFFFF
    for byte in data:
        x = TABLE[(x ^ byte) & 0xFF] ^ x >> 8
    return x ^ 0xFFFFFFFF


def chain_words(x, data):
    """The hash of some words, each taken in after the other."""
    for word in (*struct.unpack(f"<{len(data) // 8}Q", data), 0):
        z = x ^ word
        x = (z ^ z >> 32) * 0x9E3779B97F4A7C15 & MASK
    return x ^ x >> 29


def hash_state(before, numbers, q, u, multipliers):
    """That of docs/formats.md; numbers: t_0, n and h as bytes."""
    total = sum(chain_words(2, struct.pack("<Qdd", k, a, b)) for k, (a, b) in enumerate(zip(q, u)))
    total += sum(chain_words(3, struct.pack("<Qdd", *m)) for m in multipliers)
    counts = struct.pack("<QQQQ", len(q), len(multipliers), 0, total & MASK)
    return chain_words(1, struct.pack("<Q", before) + numbers + counts)


def fma(a, b, c):
    """a b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def pack(numbers):
    return struct.pack(f"<{len(numbers)}d", *numbers)


NUMBER, PAIR, WALL, SURFACE, OBSTACLE = range(5)
OPEN, PERIODIC, NUMBERED = range(3)
LOW = 0x7FFFFFFF


def split_key(key, keys):
    """The columns of a key in a file: kind, image, a, b."""
    high, low = key >> 32 & LOW, key & LOW
    if keys == NUMBERED or (not key >> 63 and key >> 31 & 1):
        return NUMBER, 0, key - (key >> 63 << 64), 0
    if not key >> 63:
        return (PAIR, low >> 25, high, low & 0x1FFFFFF) if keys == PERIODIC else (PAIR, 0, high, low)
    if not key >> 31 & 1:
        return WALL, 0, high, low
    return (OBSTACLE, 0, LOW - low, 0) if high == LOW else (SURFACE, 0, high, low)


def join_key(kind, image, a, b):
    if kind == NUMBER:
        return a & MASK
    if kind == PAIR:
        return a << 32 | image << 25 | b
    if kind == WALL:
        return 1 << 63 | a << 32 | b
    a, b = (LOW, LOW - a) if kind == OBSTACLE else (a, b)
    return 1 << 63 | a << 32 | 1 << 31 | b


def pack_rows(rows, keys):
    """Keys and numbers, as they are in files."""
    return b"".join(struct.pack(f"<IIqq{len(row) - 1}d", *split_key(row[0], keys), *row[1:])
                    for row in rows)


def unpack_rows(data, numbers):
    rows = []
    for row in struct.iter_unpack(f"<IIqq{numbers}d", data):
        rows.append([join_key(*row[:4]), *row[4:]])
    return rows


SIZE = {1: 8, 2: 8, 3: 8, 4: 1, 5: 40, 6: 4, 7: 24, 8: 48, 9: 16, 10: 32, 11: 32}  # of an item of a type


def pack_block(name, kind, data):
    head = struct.pack("<HH", name, SIZE[kind] << 8 | kind)
    count = struct.pack("<Q", len(data) // SIZE[kind])
    data += bytes(-len(data) % 8)
    return head + struct.pack("<I", crc(head + bytes(4) + count + data)) + count + data


def pack_record(mark, blocks, n=0, t=0.0, h=0.0, index=0):
    body = b"".join(blocks)
    tail = struct.pack("<QqddQQ", len(body), n, t, h, index, len(blocks))
    return mark + struct.pack("<I", crc(mark + bytes(4) + tail)) + tail + body


def record_length(data, at):
    return 56 + struct.unpack_from("<Q", data, at + 8)[0]


def unpack_blocks(data, at):
    """The blocks of a record: number of the name, kind of item, items."""
    blocks, (count,) = [], struct.unpack_from("<Q", data, at + 48)
    at += 56
    for _ in range(count):
        name, kind, _, items = struct.unpack_from("<HHIQ", data, at)
        length = items * (kind >> 8)
        blocks.append((name, kind & 255, data[at + 16:at + 16 + length]))
        at += 16 + length + -length % 8
    return blocks


def unpack_names(data, at):
    """The names that a record NAME gives, by number."""
    ((_, _, table),) = unpack_blocks(data, at)
    return {number: text.rstrip(b"\0").decode()
            for number, _, _, text in struct.iter_unpack("<HHI24s", table)}


class Frame:
    """One frame: the start of a run (h = 0), or a step from node n to n + 1."""

    def __init__(self, data, at, names, keys):
        (_, _, _, self.n, self.t, self.h, self.index, _) = struct.unpack_from("<IIQqddQQ", data, at)
        self.keys, self.numbers = keys, {name: number for number, name in names.items()}
        self.ids, self.extra = b"", []  # blocks that no Thud writes
        self.q, self.u, self.u_next, self.force, self.move = [], [], [], [], []
        self.before, self.after, self.directions = [], [], []
        for number, kind, items in unpack_blocks(data, at):
            name = names[number]
            if kind == 1:
                setattr(self, name, list(struct.unpack(f"<{len(items) // 8}d", items)))
            elif kind == 11:  # no memory
                setattr(self, name, [row + [0.0] for row in unpack_rows(items, 1)])
            elif kind in (5, 8):
                setattr(self, name, unpack_rows(items, 2 if kind == 5 else 3))
            elif name == "ids":
                self.ids = items

    def bytes(self):
        blocks = [pack_block(self.numbers["ids"], 9, self.ids)]
        for name in ("q", "u", "u_next", "force", "move"):
            if getattr(self, name):
                blocks.append(pack_block(self.numbers[name], 1, pack(getattr(self, name))))
        for name in ("before", "after", "directions"):
            rows, kind = getattr(self, name), 8 if name == "directions" else 5
            if kind == 5 and not any(pack([row[2]]) != bytes(8) for row in rows):
                rows, kind = [row[:2] for row in rows], 11
            if rows:
                blocks.append(pack_block(self.numbers[name], kind, pack_rows(rows, self.keys)))
        return pack_record(b"FRAM", blocks + self.extra, self.n, self.t, self.h, self.index)

    def end(self):
        """Position, velocity and multipliers of the node that it ends at."""
        if self.h == 0:
            return self.q, self.u, []
        way = self.move or self.u_next
        q = [fma(self.h, v, x) for v, x in zip(way, self.q)]
        return q, self.u_next, self.after

    def node(self):
        return 0 if self.h == 0 else self.n + 1


class Step:
    """The hash of one node."""

    def __init__(self, data, at):
        (_, _, self.n, self.chain) = struct.unpack_from("<IIqQ", data, at)

    def bytes(self):
        head, tail = struct.pack("<I", 0x50455453), struct.pack("<qQ", self.n, self.chain)
        return head + struct.pack("<I", crc(head + bytes(4) + tail)) + tail


class Names:
    """What the numbers of blocks mean."""

    def __init__(self, data, at):
        self.data = data[at:at + record_length(data, at)]

    def node(self):
        return None

    def bytes(self):
        return self.data


class Checkpoint:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        self.header, (self.keys,) = data[:64], struct.unpack_from("<I", data, 48)
        names, at = unpack_names(data, 64), 64 + record_length(data, 64)
        self.sections = {names[number]: [kind, items]
                         for number, kind, items in unpack_blocks(data, at)}

    def number(self, name, form="<q"):
        return struct.unpack_from(form, self.sections[name][1])[0]

    def set(self, name, data):
        if name in self.sections:
            self.sections[name][1] = data

    def write(self):
        names, blocks = b"", []
        for i, (name, (kind, data)) in enumerate(self.sections.items()):
            names += struct.pack("<HHI24s", i + 1, 0, 0, name.encode())
            blocks.append(pack_block(i + 1, kind, data))
        with open(self.path, "wb") as file:
            file.write(self.header + pack_record(b"NAME", [pack_block(1, 10, names)]) +
                       pack_record(b"CHKP", blocks))


class Run:
    """A run directory. Where every step has a frame the chain can be made right as well."""

    def __init__(self, folder):
        self.folder = folder
        data = self.read("frames.thud")
        self.header = data[:64]
        (self.dim,) = struct.unpack_from("<Q", data, 16)
        (keys,) = struct.unpack_from("<I", data, 48)
        self.records, at, names = [], 64, {}
        while at < len(data):
            if data[at:at + 4] == b"STEP":
                self.records.append(Step(data, at))
                at += 24
                continue
            if data[at:at + 4] == b"NAME":
                names.update(unpack_names(data, at))
                self.records.append(Names(data, at))
            else:
                self.records.append(Frame(data, at, names, keys))
            at += record_length(data, at)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        if not os.path.exists(self.path(name)):
            return None
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def frames(self):
        return [r for r in self.records if isinstance(r, Frame)]

    def frame(self, node):
        return next(f for f in self.frames() if f.node() == node)

    def nodes(self):
        """Hash every node that has a frame anew, as long as none is missing."""
        t0 = self.frames()[0].t
        steps = {r.n: r for r in self.records if isinstance(r, Step)}
        h = self.frames()[1].h
        chain = 0
        for frame in self.frames():
            n = frame.node()
            q, u, multipliers = frame.end()
            if n > 0 and n - 1 not in steps:
                return
            chain = hash_state(chain, struct.pack("<dqd", t0, n, h), q, u, multipliers)
            if n in steps:
                steps[n].chain = chain

    def seal(self, chain=True):
        """Write the log and make everything right that tells of it."""
        if chain:
            self.nodes()
        self.write("frames.thud", self.header + b"".join(r.bytes() for r in self.records))
        for name in ("checkpoint.thud", "checkpoint.prev.thud"):
            if os.path.exists(self.path(name)):
                self.seal_checkpoint(Checkpoint(self.path(name)))
        self.seal_words()

    def seal_checkpoint(self, kept):
        n = kept.number("n")
        log, length = b"", 0
        digest = hashlib.sha256(self.header).digest()
        log = self.header
        for record in self.records:
            if isinstance(record, Step) and record.n > n:
                break
            data = record.bytes()
            digest = hashlib.sha256(digest + data).digest()
            log += data
        for record in self.records:
            if isinstance(record, Step) and record.n == n:
                kept.set("chain", struct.pack("<Q", record.chain))
            if isinstance(record, Frame) and record.node() == n:
                q, u, multipliers = record.end()
                kept.set("q", pack(q))
                kept.set("u", pack(u))
                kept.set("multipliers", pack_rows(multipliers, kept.keys))
        length = kept.number("series.bytes")
        series = self.read("series.csv")[:length]
        kept.set("log.bytes", struct.pack("<q", len(log)))
        kept.set("log.sum", struct.pack("<Q", crc(log)))
        kept.set("log.digest", digest)
        kept.set("series.bytes", struct.pack("<q", len(series)))
        kept.set("series.sum", struct.pack("<Q", crc(series)))
        kept.set("inputs.sum", struct.pack("<Q", self.sum_inputs()))
        kept.write()

    def sum_inputs(self):
        total = 0
        for name in ("bodies.csv", "meshes.stl", "scene.yaml"):
            data = self.read(name)
            if data is not None:
                total = crc(struct.pack("<I", crc(data)), total)
        return total

    def digest(self):
        digest = hashlib.sha256(self.header).digest()
        for record in self.records:
            digest = hashlib.sha256(digest + record.bytes()).digest()
        return digest.hex()

    def seal_words(self):
        """The digest that run.json says."""
        text = self.read("run.json").decode()
        mark = '"digest": "'
        if mark in text:
            at = text.index(mark) + len(mark)
            text = text[:at] + self.digest() + text[text.index('"', at):]
            self.write("run.json", text.encode())
