"""Read an export with the programs that it is meant for, and compare every number.

    check_export.py EXPECTED FOLDER vtp|xyz|csv|hdf5 FIRST LAST STRIDE

EXPECTED is what test_export put into the record, FOLDER what the exporter made of it. Numbers must
be equal bit for bit. What a frame shows is worked out here anew, in exact fractions. VTK and h5py
are imported where they are used, as that takes long.
"""
import csv
import json
import math
import os
import struct
import sys
from fractions import Fraction
from xml.etree import ElementTree

NAMES = {2: "probe", 5: 'a,"b"'}
SPECIES = {-1: "body", 0: "glass", 1: "soft_clay"}
WALLS = ["floor", 'box, "low"', "block", "Gefäß/1"]
WALL_MATERIALS = [0, -1, 1, -1]
MATERIALS = ["glass", "soft clay"]
SIDES = [(2.0, 4.0, 6.0), (8.0, 10.0, 12.0)]  # of the two solids
COLUMNS = ["step", "t", "load.x", 'a, "c"']
SCENE = "thud: 1\ntitle: Füllung\n"
COORDINATES = ["x", "y_2", "z"]
CONSTRAINTS = ["floor", "top"]


def bits(x):
    return struct.pack("<d", x)


def same(found, wanted, what):
    found, wanted = list(map(float, found)), list(map(float, wanted))
    if list(map(bits, found)) != list(map(bits, wanted)):
        sys.exit(f"{what}: found {found}, wanted {wanted}")


def check(condition, what):
    if not condition:
        sys.exit(what)


def fma(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:  # the sign of a zero: of the sum as floats
        return a * b + c
    return float(exact)


def numbers(texts):
    return [float.fromhex(text) for text in texts]


class Frame:
    """A frame as it should be shown: the end of its step."""

    def __init__(self, index, expected, raw):
        dim = expected["dim"]
        t, h = numbers(raw["times"])
        start = numbers(expected["start"])[0]
        q, u = numbers(raw["q"]), numbers(raw["u"])
        self.index, self.h, self.t = index, h, t
        if h:
            q = [fma(h, v, x) for x, v in zip(q, u)]
            n = raw["n"]
            self.t = fma(n + 1.0, h, start) if fma(float(n), h, start) == t else t + h
        self.q, self.u = q, u
        self.first_order = expected["order"] == 1
        self.after = [(key, float.fromhex(text)) for key, text in raw["after"]]
        if not dim:
            return
        pad = [0.0] * (3 - dim)
        self.position = [q[i : i + dim] + pad for i in range(0, len(q), dim)]
        self.velocity = [u[i : i + dim] + pad for i in range(0, len(u), dim)]
        self.radius = [r + self.t for r in numbers(expected["radius"])]
        self.mass = numbers(expected["mass"])[::dim]
        self.contacts = [self.contact(*pair) for pair in self.after if pair[1] > 0]
        self.speed = [math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) for v in self.velocity]
        self.material = [i % 3 - 1 for i in range(len(self.mass))]
        self.pressure = self.pressures(dim)
        self.dim = dim
        last = [float(k == dim - 1) for k in range(3)]
        self.planes = [(last, self.t), ([0.6, 0.8, 0.0], 1.0)]
        self.origins = [[self.t + 10 * i, 0.5, 0.0] for i in range(2)]

    def pressures(self, dim):
        """Force by surface, added up in the order of the contacts."""
        force = [0.0] * len(self.mass)
        for contact in self.contacts:
            for body in (contact["a"], contact["b"]):
                if body >= 0:
                    force[body] += contact["force"]
        if dim == 3:
            return [f / (4 * math.pi * r * r) for f, r in zip(force, self.radius)]
        return [f / (2 * math.pi * r) for f, r in zip(force, self.radius)]

    def contact(self, key, impulse):
        a, b = divmod(key, 100)
        to = self.position[b] if b < 50 else [self.t, 0.0, 0.0]
        normal = [float(k == b % 3) for k in range(3)]
        wall = "" if b < 50 else WALLS[b - 50]
        return {
            "a": a,
            "b": b if b < 50 else 49 - b,
            "wall": wall,
            "force": impulse / self.h,
            "impulse": impulse,
            "normal": normal,
            "from": self.position[a],
            "to": to,
        }


def flat(lists):
    return [x for one in lists for x in one]


def read_vtp(path):
    import vtk

    reader = vtk.vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    check(reader.CanReadFile(path), f"{path}: VTK cannot read it")
    reader.SetFileName(path)
    reader.Update()
    check(not errors and reader.GetErrorCode() == 0, f"{path}: VTK reports an error")
    return reader.GetOutput()


def to_numpy(found):
    from vtk.util.numpy_support import vtk_to_numpy

    return vtk_to_numpy(found).reshape(-1)


def array(data, name, components):
    found = data.GetArray(name)
    check(found is not None, f"no array {name}")
    check(found.GetNumberOfComponents() == components, f"components of {name}")
    return to_numpy(found)


def strings(poly, name):
    found = poly.GetFieldData().GetAbstractArray(name)
    check(found is not None, f"no field {name}")
    return [found.GetValue(i) for i in range(found.GetNumberOfValues())]


def check_vtp_bodies(poly, frame, _):
    count = len(frame.mass)
    check(poly.GetNumberOfPoints() == count == poly.GetNumberOfVerts(), "number of points")
    points, data = to_numpy(poly.GetPoints().GetData()), poly.GetPointData()
    same(points, flat(frame.position), "points")
    same(array(data, "velocity", 3), flat(frame.velocity), "velocity")
    same(array(data, "radius", 1), frame.radius, "radius")
    same(array(data, "mass", 1), frame.mass, "mass")
    same(array(data, "material", 1), frame.material, "material")
    same(array(data, "speed", 1), frame.speed, "speed")
    same(array(data, "pressure", 1), frame.pressure, "pressure")
    check(strings(poly, "materials") == MATERIALS, "names of materials")
    energy = [
        0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        for m, v in zip(frame.mass, frame.velocity)
    ]
    same(array(data, "kinetic energy", 1), energy, "kinetic energy")
    check(list(array(data, "id", 1)) == list(range(count)), "id")
    for i in range(count):
        cell = poly.GetCell(i)
        check(cell.GetNumberOfPoints() == 1 and cell.GetPointId(0) == i, "vertices")


def check_vtp_contacts(poly, frame, _):
    contacts = frame.contacts
    check(poly.GetNumberOfLines() == len(contacts), "number of lines")
    check(poly.GetNumberOfPoints() == 2 * len(contacts), "number of ends")
    if not contacts:
        return
    points, data = to_numpy(poly.GetPoints().GetData()), poly.GetCellData()
    same(points, flat(c["from"] + c["to"] for c in contacts), "ends")
    same(array(data, "normal", 3), flat(c["normal"] for c in contacts), "normal")
    for name in "force", "impulse", "a", "b":
        same(array(data, name, 1), [c[name] for c in contacts], name)
    for i in range(len(contacts)):
        cell = poly.GetCell(i)
        ends = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
        check(ends == [2 * i, 2 * i + 1], "lines")


def extent_of(frames):
    """The box around bodies and solids, and around planes across an axis that are near."""
    dim = frames[0].dim
    low, high = [math.inf] * dim, [-math.inf] * dim
    for f in frames:
        spans = [([x - r for x in p], [x + r for x in p]) for p, r in zip(f.position, f.radius)]
        for origin, sides in zip(f.origins, SIDES):
            spans.append(tuple([o + s * a / 2 for o, a in zip(origin, sides)] for s in (-1, 1)))
        for k in range(dim):
            low[k] = min([low[k]] + [span[0][k] for span in spans])
            high[k] = max([high[k]] + [span[1][k] for span in spans])
    far = 3 * math.dist(low, high)
    floor = [f.t for f in frames if low[-1] - far <= f.t <= high[-1] + far]
    return low[:-1] + [min([low[-1]] + floor)], high[:-1] + [max([high[-1]] + floor)]


def segment(low, high):
    """The length of 0.6 x + 0.8 y = 1 within a rectangle."""
    begin, end = -math.inf, math.inf
    for start, along, least, most in (0.6, 0.8, low[0], high[0]), (0.8, -0.6, low[1], high[1]):
        ends = sorted(((least - start) / along, (most - start) / along))
        begin, end = max(begin, ends[0]), min(end, ends[1])
    return max(0.0, end - begin)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def near(found, wanted, size, what):
    check(abs(found - wanted) <= 1e-6 * size, f"{what}: found {found}, wanted {wanted}")


def check_plane(corners, frame, wall, frames):
    """Corners lie in the plane; all of it that is in the box is there, and no more."""
    low, high = extent_of(frames)
    normal, offset = frame.planes[wall]
    sides = minus(high, low)
    size = math.hypot(*sides)
    near(max([abs(dot(normal, x) - offset) for c in corners for x in c] + [0.0]), 0, size, "plane")
    if frame.dim == 2:
        area = sum(math.dist(*c) for c in corners)
        wanted = segment(low, high) if wall else sides[0]
        near(area, wanted, size, f"length of wall {wall}")
        return
    area = sum(dot(cross(minus(b, a), minus(c, a)), normal) / 2 for a, b, c in corners)
    wanted = segment(low, high) * sides[2] if wall else sides[0] * sides[1]
    near(area, wanted, size * size, f"area of wall {wall}")


def check_solid(corners, frame, solid):
    """Corners are those of the box, and the triangles enclose it, seen from the free side."""
    origin, sides = frame.origins[solid], SIDES[solid]
    ends = {tuple(o + s * a / 2 for o, a, s in zip(origin, sides, signs))
            for signs in [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]}
    if frame.dim == 2:
        ends = {end[:2] + (0.0,) for end in ends}
    check({tuple(x) for c in corners for x in c} == ends, f"corners of solid {solid}")
    if frame.dim == 3:
        volume = sum(dot(minus(a, origin), cross(minus(b, origin), minus(c, origin))) / 6
                     for a, b, c in corners)
        wanted = math.prod(sides) * (-1 if solid else 1)
        near(volume, wanted, 1e-3, f"volume of solid {solid}")
    elif solid == 0:
        area = sum(cross(minus(b, a), minus(c, a))[2] / 2 for a, b, c in corners)
        near(area, sides[0] * sides[1], 1e-3, "area of the block")
    else:
        length = sum(math.dist(*c) for c in corners)
        near(length, 2 * (sides[0] + sides[1]), 1e-3, "outline of the case")


def check_vtp_walls(poly, frame, frames):
    check(strings(poly, "walls") == WALLS, f"names of walls {strings(poly, 'walls')}")
    check(strings(poly, "materials") == MATERIALS, "names of materials")
    data = poly.GetCellData()
    walls = [int(w) for w in array(data, "wall", 1)]
    check(list(array(data, "material", 1)) == [WALL_MATERIALS[w] for w in walls], "materials")
    check(poly.GetNumberOfCells() == len(walls), "number of cells")
    corners = {wall: [] for wall in range(len(WALLS))}
    for i, wall in enumerate(walls):
        cell = poly.GetCell(i)
        points = [poly.GetPoint(cell.GetPointId(k)) for k in range(cell.GetNumberOfPoints())]
        is_line = frame.dim == 2 and wall != 2
        check(len(points) == (2 if is_line else 3), "corners of a cell")
        corners[wall].append(points)
    for wall, own in corners.items():
        if wall < 2:
            check_plane(own, frame, wall, frames)
        else:
            check_solid(own, frame, wall - 2)


def check_vtp(folder, frames):
    judges = {"bodies": check_vtp_bodies, "contacts": check_vtp_contacts, "walls": check_vtp_walls}
    for stem, judge in judges.items():
        root = ElementTree.parse(os.path.join(folder, stem + ".pvd")).getroot()
        check(root.get("type") == "Collection", "type of the collection")
        sets = root.findall("./Collection/DataSet")
        same([float(s.get("timestep")) for s in sets], [f.t for f in frames], "times")
        for entry, frame in zip(sets, frames):
            name = entry.get("file")
            check(name == f"{stem}_{frame.index:06d}.vtp", f"file name {name}")
            poly = read_vtp(os.path.join(folder, name))
            judge(poly, frame, frames)
            time = poly.GetFieldData().GetArray("TimeValue")
            same([time.GetValue(0)], [frame.t], "TimeValue")


def check_xyz(folder, frames):
    with open(os.path.join(folder, "bodies.xyz"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    check(lines.pop() == "", "end of the file")
    for frame in frames:
        count = int(lines.pop(0))
        check(count == len(frame.mass), "number of bodies")
        head = lines.pop(0).split(" ")
        wanted = "Properties=id:I:1:species:S:1:pos:R:3:radius:R:1:velo:R:3:mass:R:1:pressure:R:1"
        check(head[0] == wanted and len(head) == 2, "properties")
        same([float(head[1].removeprefix("Time="))], [frame.t], "time")
        for i in range(count):
            words = lines.pop(0).split(" ")
            check(words[:2] == [str(i), SPECIES[i % 3 - 1]], f"id and species {words}")
            own = frame.position[i] + [frame.radius[i]] + frame.velocity[i]
            own += [frame.mass[i], frame.pressure[i]]
            same(map(float, words[2:]), own, f"body {i}")
    check(not lines, "more frames than expected")


def rows_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def check_csv_rows(rows, wanted, texts):
    """wanted: the columns, of which those in `texts` are compared as they are."""
    check(len(rows) == len(wanted), f"{len(rows)} rows, wanted {len(wanted)}")
    for row, own in zip(rows, wanted):
        check(len(row) == len(own), "number of fields")
        for k, (found, value) in enumerate(zip(row, own)):
            if k in texts:
                check(found == str(value), f"found {found}, wanted {value}")
            else:
                same([float(found)], [value], f"column {k}")


def check_csv(folder, frames):
    head, rows = rows_of(folder, "bodies.csv")
    check(",".join(head) == "frame,t,id,name,x,y,z,vx,vy,vz,radius,mass,material,pressure", "columns")
    wanted = [
        [f.index, f.t, i, NAMES.get(i, "")]
        + f.position[i] + f.velocity[i] + [f.radius[i], f.mass[i]]
        + [(["", *MATERIALS])[f.material[i] + 1], f.pressure[i]]
        for f in frames
        for i in range(len(f.mass))
    ]
    check_csv_rows(rows, wanted, (0, 2, 3, 12))
    head, rows = rows_of(folder, "contacts.csv")
    columns = "frame,t,a,b,wall,force,impulse,nx,ny,nz,from_x,from_y,from_z,to_x,to_y,to_z"
    check(",".join(head) == columns, "columns")
    wanted = [
        [f.index, f.t, c["a"], c["b"], c["wall"], c["force"], c["impulse"]]
        + c["normal"] + c["from"] + c["to"]
        for f in frames
        for c in f.contacts
    ]
    check_csv_rows(rows, wanted, (0, 2, 3, 4))


def check_csv_inclusion(folder, frames):
    head, rows = rows_of(folder, "coordinates.csv")
    check(",".join(head) == "frame,t,x,y_2,z,u.x,u.y_2,u.z", "columns")
    check_csv_rows(rows, [[f.index, f.t] + f.q + f.u for f in frames], (0,))
    head, rows = rows_of(folder, "multipliers.csv")
    check(",".join(head) == "frame,t,constraint,force,impulse", "columns")
    wanted = [
        [f.index, f.t, CONSTRAINTS[key], impulse if f.first_order else impulse / f.h, impulse]
        for f in frames
        for key, impulse in f.after
    ]
    check_csv_rows(rows, wanted, (0, 2))


def check_array(file, name, shape, wanted):
    found = file[name]
    check(found.shape == shape, f"shape of {name}: {found.shape}, wanted {shape}")
    whole = name.split("/")[-1] in ("id", "frame", "material", "a", "b", "offsets", "solid")
    check(found.dtype.str == ("<i8" if whole else "<f8"), f"type of {name}")
    same(found[()].reshape(-1), wanted, name)


def texts(file, name):
    return [text.decode("utf-8") for text in file[name][()]]


def check_hdf5_run(file, expected):
    check(file["scene"][()].decode("utf-8") == SCENE, "text of the scene")
    rows = [numbers(row) for row in expected["series"]]
    check(sorted(file["series"]) == sorted(COLUMNS), "columns")
    for i, name in enumerate(COLUMNS):
        column = file["series"][name]
        check(column.dtype.str == "<f8" and column.shape == (len(rows),), f"shape of {name}")
        same(column[()], [row[i] for row in rows], name)
        about = [column.attrs[k] for k in ("column", "name", "label", "unit")]
        check(about == [i, name, f"label {i}", f"unit {i}"], f"attributes of {name}: {about}")
        measure = [column.attrs["measure"], column.attrs["component"]]
        check(measure == (["load", "x"] if i == 2 else ["", ""]), f"measure of {name}: {measure}")


def check_hdf5_walls(file, frames):
    count = len(frames)
    planes, solids = file["walls/planes"], file["walls/solids"]
    check(texts(planes, "name") == WALLS[:2] and texts(solids, "name") == WALLS[2:], "names")
    check_array(planes, "material", (2,), WALL_MATERIALS[:2])
    check_array(solids, "material", (2,), WALL_MATERIALS[2:])
    check_array(planes, "normal", (count, 2, 3), flat(flat(n for n, _ in f.planes) for f in frames))
    check_array(planes, "offset", (count, 2), flat([d for _, d in f.planes] for f in frames))
    check_array(solids, "origin", (count, 2, 3), flat(flat(f.origins) for f in frames))
    identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    check_array(solids, "turn", (count, 2, 3, 3), identity * 2 * count)
    whose, triangles = solids["solid"][()], solids["triangles"][()]
    check(len(whose) == len(triangles) and triangles.shape[1:] == (3, 3), "shape of triangles")
    for frame, origins in zip(frames, solids["origin"][()]):
        for solid in range(2):
            placed = (triangles[whose == solid] + origins[solid]).tolist()
            if frame.dim == 3 or solid == 0:
                check_solid(placed, frame, solid)


def check_hdf5_common(file, frames):
    count = len(frames)
    check(file.attrs["title"] == 'Füllung "A" <1>', "title")
    units = [file.attrs[f"unit_{what}"] for what in ("length", "time", "mass")]
    check(units == ["m", "s", ""], f"units {units}")
    check(file.attrs["thud_version"].count(".") == 2, "version")
    same([file.attrs["step"]], [0.1], "step")
    check_array(file, "time", (count,), [f.t for f in frames])
    check_array(file, "frame", (count,), [f.index for f in frames])
    check_array(file, "step", (count,), [f.h for f in frames])


def check_hdf5(folder, frames, expected):
    import h5py

    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        check_hdf5_common(file, frames)
        check_hdf5_run(file, expected)
        check_hdf5_walls(file, frames)
        check(texts(file, "materials") == MATERIALS, "names of materials")
        check_array(file, "material", (len(frames[0].mass),), frames[0].material)
        pressures = flat(f.pressure for f in frames)
        check_array(file, "pressure", (len(frames), len(frames[0].mass)), pressures)
        count, bodies = len(frames), len(frames[0].mass)
        check_array(file, "id", (bodies,), range(bodies))
        check_array(file, "mass", (bodies,), frames[0].mass)
        check_array(file, "radius", (count, bodies), flat(f.radius for f in frames))
        for name in "position", "velocity":
            wanted = flat(flat(getattr(f, name)) for f in frames)
            check_array(file, name, (count, bodies, 3), wanted)
        offsets = [0]
        for frame in frames:
            offsets.append(offsets[-1] + len(frame.contacts))
        check_array(file, "contacts/offsets", (count + 1,), offsets)
        contacts = flat(f.contacts for f in frames)
        check(contacts or count < 7, "nothing to look at")
        for name in "a", "b", "force", "impulse":
            wanted = [c[name] for c in contacts]
            check_array(file, f"contacts/{name}", (len(contacts),), wanted)
        for name in "normal", "from", "to":
            wanted = flat(c[name] for c in contacts)
            check_array(file, f"contacts/{name}", (len(contacts), 3), wanted)


def check_hdf5_inclusion(folder, frames, expected):
    import h5py

    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        check_hdf5_common(file, frames)
        check_hdf5_run(file, expected)
        count = len(frames)
        for name, field in ("position", "q"), ("velocity", "u"):
            check_array(file, name, (count, 3), flat(getattr(f, field) for f in frames))
            check(list(file[name].attrs["names"]) == COORDINATES, "names")
        check(sorted(file["multipliers"]) == sorted(CONSTRAINTS), "constraints")
        for key, name in enumerate(CONSTRAINTS):
            wanted = [dict(f.after).get(key, 0.0) for f in frames]
            check_array(file, f"multipliers/{name}", (count,), wanted)


def main():
    path, folder, kind, *limits = sys.argv[1:]
    first, last, stride = map(int, limits)
    with open(path, encoding="utf-8") as file:
        expected = json.load(file)
    chosen = range(first, last + 1, stride)
    frames = [Frame(i, expected, expected["frames"][i]) for i in chosen]
    judges = {"vtp": check_vtp, "xyz": check_xyz, "csv": check_csv, "hdf5": check_hdf5}
    if not expected["dim"]:
        judges = {"csv": check_csv_inclusion, "hdf5": check_hdf5_inclusion}
    left = [name for name in os.listdir(folder) if name.endswith(".part")]
    check(not left, f"temporary files are left: {left}")
    if kind == "hdf5":
        judges[kind](folder, frames, expected)
    else:
        judges[kind](folder, frames)


main()
