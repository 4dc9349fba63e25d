"""A log as HDF5 files, as h5py reads it, against the same log in one file, as docs/formats.md has it.

    check_hdf5.py PROGRAM

Both are read here by no code of Thud. Every number must be there, with its bits; and the bytes of
the log follow from what h5py reads.
"""
import os
import struct
import subprocess
import sys
import tempfile

import h5py
import numpy

SCENES = [("play", 0, 0), ("bounce", 0.3, 5), ("glue", 0.3, 5), ("hourglass", 0.4, 4)]
KEY = [("kind", "<u4"), ("image", "<u4"), ("a", "<i8"), ("b", "<i8")]
TYPES = {1: "<f8", 9: [("first", "<i8"), ("count", "<i8")],
         5: KEY + [("impulse", "<f8"), ("memory", "<f8")], 11: KEY + [("impulse", "<f8")],
         8: KEY + [("normal", "<f8", (3,))]}
UNITS = {"q": "m", "u": "m/s", "u_next": "m/s", "move": "m/s", "force": "N", "before": "N s",
         "after": "N s"}


def type_of(code):
    if code & 255 == 12:
        return numpy.dtype(TYPES[5] + [("kept", "<f8", ((code >> 8) // 8 - 5,))])
    return numpy.dtype(TYPES[code & 255])


def read_log(path):
    """The bytes of the log, and its frames: n, t, h, hashes before it, arrays by name, bytes."""
    data = open(path, "rb").read()
    names, frames, nodes, at, begin = {}, [], [], 64, 64
    while at < len(data):
        kind = data[at:at + 4]
        if kind == b"STEP":
            nodes.append(struct.unpack_from("<qQ", data, at + 8))
            at += 24
            continue
        length, n, t, h, index, blocks = struct.unpack_from("<QqddQQ", data, at + 8)
        place, arrays = at + 56, {}
        for _ in range(blocks):
            number, code, _, count = struct.unpack_from("<HHIQ", data, place)
            items = data[place + 16:place + 16 + count * (code >> 8)]
            if kind == b"NAME":
                for k in range(count):
                    names[struct.unpack_from("<H", items, 32 * k)[0]] = \
                        items[32 * k + 8:32 * k + 32].rstrip(b"\0").decode()
            else:
                arrays[names[number]] = numpy.frombuffer(items, type_of(code))
            place += 16 + (len(items) + 7) // 8 * 8
        at = place
        if kind == b"FRAM":
            frames.append((n, t, h, nodes, arrays, data[begin:at]))
            nodes = []
        begin = at
    return data, frames, nodes


def crc(data):
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82f63b78 if i & 1 else 0)
        table.append(i)
    value = 0xffffffff
    for byte in data:
        value = value >> 8 ^ table[(value ^ byte) & 255]
    return value ^ 0xffffffff


def log_bytes(file):
    """The bytes of the log in the file of a frame, from what h5py reads."""
    heads, made = bytes(file.attrs["heads"]), b""
    for node, value in file["nodes"][:] if "nodes" in file else []:
        step = b"STEP" + struct.pack("<IqQ", 0, node, value)
        made += step[:4] + struct.pack("<I", crc(step)) + step[8:]
    made += heads[56:112]
    arrays = sorted((a for k, a in file.items() if k != "nodes"), key=lambda a: a.id.get_offset())
    for k, array in enumerate(arrays):
        items = array[...].tobytes()
        made += heads[112 + 16 * k:128 + 16 * k] + items + bytes(-len(items) % 8)
    return made


def check(program, name, options, seen):
    for form in ("thud", "hdf5"):
        subprocess.run([program, "run", name, "--log", form, "--out", form, "--replace", "--quiet"]
                       + options, check=True)
    data, frames, _ = read_log("thud/frames.thud")
    is_spheres = os.path.exists("thud/bodies.csv")
    made = b""
    with h5py.File("hdf5/frames.h5") as links:
        assert len(links) == len(frames) and b"thudlog" in bytes(links.attrs["about"])
        for k, (n, t, h, nodes, arrays, record) in enumerate(frames):
            file = links["%06d" % k]
            assert (file.attrs["frame"], file.attrs["n"], file.attrs["t"], file.attrs["h"]) == \
                (k, n, t, h)
            assert [tuple(x) for x in file["nodes"][:]] == nodes if nodes else "nodes" not in file
            assert set(file) - {"nodes"} == set(arrays), (set(file), set(arrays))
            bodies = sum(arrays["ids"]["count"])
            for array, items in arrays.items():
                found = file[array]
                seen.add((array, items.dtype.itemsize))
                assert found.chunks is None and found.compression is None
                if array in ("q", "u", "u_next", "force", "move") and len(items) > bodies:
                    assert found.shape == (bodies, len(items) // bodies)
                    items = items.reshape(found.shape)
                assert found.dtype == items.dtype and found[...].tobytes() == items.tobytes()
                unit = found.attrs.get("unit", b"").decode()
                assert unit == (UNITS.get(array, "") if is_spheres else ""), (array, unit)
            assert log_bytes(file) == record, "frame %d" % k
            made += log_bytes(file)
    assert data.endswith(made)
    print(name, len(frames), "frames")


def main():
    program = os.path.realpath(sys.argv[1])
    seen = set()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        units = [word for unit in ("length=m", "time=s", "mass=kg")
                 for word in ("--set", "units." + unit)]
        for name, end, frames in SCENES:
            subprocess.run([program, "new", name], check=True, stdout=subprocess.DEVNULL)
            cut = ["--set", "time.end=%g" % end, "--set", "time.frames=%d" % frames]
            check(program, name + ".yaml", cut + units if end else [], seen)
    print(sorted(seen))
    for array in ("ids", "q", "u", "u_next", "force", "move", "before", "after", "directions"):
        assert any(name == array for name, _ in seen), array


main()
