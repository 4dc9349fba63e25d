"""Exports of a run as VTK and h5py read them: walls, materials, pressures, the series, the scene.

    check_exports.py PROGRAM

The scene has planes that rest and swing, a solid that turns, a container and two materials. Where
walls are is worked out here from the scene's formulas; what belongs to the run is compared with the
run directory.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

import h5py
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

SCENE = """thud: 1
title: Walls for exports
kind: spheres
units: {length: m, time: s, mass: kg}
time: {step: 0.005, end: 0.6, frames: 12}
gravity: [0, 0, -9.81]
materials: {dark: {density: 2500}, hell-2: {density: 1200}}
bodies:
  - fill: {region: {box: [[-0.3, -0.3, 0.05], [0.3, 0.3, 0.6]]}, count: 40, radius: 0.05, seed: 3,
           material: dark}
  - fill: {region: {box: [[-0.3, -0.3, 0.7], [0.3, 0.3, 1.2]]}, count: 20, radius: 0.06, seed: 4,
           material: hell-2}
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: dark}
  flap: {plane: {point: [-0.6, 0, 0], normal: ["cos(t)", 0, "sin(t)"]}}
  case: {drum: {from: [0, 0, -1], to: [0, 0, 3], radius: 0.5}}
  stirrer: {solid_box: [[-0.04, -0.4, 0.02], [0.04, 0.4, 0.06]], rotation: [0, 0, "t"],
            position: [0, 0, "0.1*t"]}
measure:
  weight: {force_on: floor}
  low: {count_through: {plane: {point: [0, 0, 0.5], normal: [0, 0, -1]}}}
"""
FLAT = """thud: 1
kind: spheres
dim: 2
time: {step: 0.01, end: 0.2, frames: 2}
gravity: [0, -1]
materials: {disk: {density: 1}}
bodies: [{at: [0.5, 0.2], radius: 0.1, material: disk}]
walls:
  tray: {box: [[0, 0], [1, 2]]}
  ball: {ball: {center: [0.2, 0.1], radius: 0.1}}
"""
INCLUSION = """thud: 1
kind: inclusion
units: {length: m, time: s}
time: {step: 0.01, end: 0.1, frames: 2}
coordinates: {x: {start: 1}}
force: {x: -9.81}
constraints: {floor: x}
"""


def check(condition, what):
    if not condition:
        sys.exit(what)


def near(found, wanted, what, size=1.0):
    found, wanted = numpy.asarray(found, float), numpy.asarray(wanted, float)
    check(found.shape == wanted.shape, f"{what}: shape {found.shape}, wanted {wanted.shape}")
    worst = numpy.max(numpy.abs(found - wanted), initial=0)
    check(worst <= 1e-12 * size, f"{what}: off by {worst}")


def read(path):
    reader = vtk.vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    check(not errors, f"{path}: VTK reports an error")
    return reader.GetOutput()


def strings(poly, name):
    found = poly.GetFieldData().GetAbstractArray(name)
    return [found.GetValue(i) for i in range(found.GetNumberOfValues())]


def cells(poly):
    """Corners of the cells of each wall by name; arrays [cell, corner, 3]."""
    names, found = strings(poly, "walls"), {}
    whose = vtk_to_numpy(poly.GetCellData().GetArray("wall"))
    for i, wall in enumerate(whose):
        cell = poly.GetCell(i)
        corners = [poly.GetPoint(cell.GetPointId(k)) for k in range(cell.GetNumberOfPoints())]
        found.setdefault(names[wall], []).append(corners)
    return {name: numpy.array(corners) for name, corners in found.items()}


def areas(triangles):
    """Vectors along the normals, as long as the areas."""
    sides = triangles[:, 1:] - triangles[:, :1]
    return numpy.cross(sides[:, 0], sides[:, 1]) / 2


def turned(t, points):
    """Where the stirrer's own points are."""
    c, s = math.cos(t), math.sin(t)
    return points @ numpy.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T + [0, 0, 0.1 * t]


def check_walls(poly, t, low, high):
    walls = cells(poly)
    check(sorted(walls) == ["case", "flap", "floor", "stirrer"], f"walls {sorted(walls)}")
    # planes: in their place, facing the free side, and no smaller than what they hold
    for name, normal, point in (
        ("floor", numpy.array([0, 0, 1.0]), [0, 0, 0]),
        ("flap", numpy.array([math.cos(t), 0, math.sin(t)]), [-0.6, 0, 0]),
    ):
        near((walls[name] - point) @ normal, numpy.zeros(walls[name].shape[:2]), name)
        across = areas(walls[name]) @ normal
        check(numpy.all(across > 0), f"{name}: a triangle faces the wrong side")
    check(numpy.sum(areas(walls["floor"])[:, 2]) >= (high[0] - low[0]) * (high[1] - low[1]), "floor")
    # the container: all corners at its radius or on a rim, seen from inside
    radii = numpy.hypot(walls["case"][..., 0], walls["case"][..., 1])
    near(radii.max(), 0.5, "radius of the case")
    volume = numpy.einsum("ij,ij->", walls["case"][:, 0], areas(walls["case"])) / 3
    check(-math.pi * 0.25 * 4 < volume < 0, f"the case is seen from outside: {volume}")
    # the solid: its eight corners, turned; seen from outside
    own = numpy.array([[x, y, z] for x in (-0.04, 0.04) for y in (-0.4, 0.4) for z in (0.02, 0.06)])
    wanted = {tuple(numpy.round(p, 11)) for p in turned(t, own)}
    found = {tuple(numpy.round(p, 11)) for p in walls["stirrer"].reshape(-1, 3)}
    near(sorted(found), sorted(wanted), "stirrer", 10)
    inner = walls["stirrer"][:, 0] - turned(t, own).mean(axis=0)
    volume = numpy.einsum("ij,ij->", inner, areas(walls["stirrer"])) / 3
    near(volume, 0.08 * 0.8 * 0.04, "volume of the stirrer")


def check_bodies(poly, contacts, run):
    with open(os.path.join(run, "bodies.csv"), encoding="utf-8", newline="") as file:
        materials = [row["material"] for row in csv.DictReader(file)]
    data = poly.GetPointData()
    names = strings(poly, "materials")
    found = [names[i] for i in vtk_to_numpy(data.GetArray("material"))]
    check(found == materials and len(set(found)) == 2, "materials")
    radius = vtk_to_numpy(data.GetArray("radius"))
    force = numpy.zeros(len(radius))
    for end in "a", "b":
        if contacts.GetNumberOfLines() == 0:
            break
        bodies = vtk_to_numpy(contacts.GetCellData().GetArray(end))
        forces = vtk_to_numpy(contacts.GetCellData().GetArray("force"))
        numpy.add.at(force, bodies[bodies >= 0], forces[bodies >= 0])
    pressure = vtk_to_numpy(data.GetArray("pressure"))
    near(pressure, force / (4 * math.pi * radius**2), "pressure", 1 + pressure.max())
    speed = numpy.linalg.norm(vtk_to_numpy(data.GetArray("velocity")), axis=1)
    near(vtk_to_numpy(data.GetArray("speed")), speed, "speed")
    return pressure


def check_vtp(run, frames):
    pressures, polys = [], []
    for frame in frames:
        polys.append(read(f"vtp/walls_{frame:06d}.vtp"))
        contacts = read(f"vtp/contacts_{frame:06d}.vtp")
        bodies = read(f"vtp/bodies_{frame:06d}.vtp")
        pressures.append(check_bodies(bodies, contacts, run))
        points = vtk_to_numpy(bodies.GetPoints().GetData())
        t = polys[-1].GetFieldData().GetArray("TimeValue").GetValue(0)
        check(abs(t - 0.05 * frame) < 1e-12, f"time of frame {frame}: {t}")
        check_walls(polys[-1], t, points.min(axis=0), points.max(axis=0))
        names = strings(polys[-1], "materials")
        whose = vtk_to_numpy(polys[-1].GetCellData().GetArray("wall"))
        material = vtk_to_numpy(polys[-1].GetCellData().GetArray("material"))
        floor = strings(polys[-1], "walls").index("floor")
        check(set(names[i] for i in material[whose == floor]) == {"dark"}, "material of the floor")
        check(set(material[whose != floor]) == {-1}, "materials of the others")
    check(numpy.max(pressures) > 0, "nothing is pressed")
    return pressures, polys


def check_hdf5(run, frames, pressures, polys):
    with open(os.path.join(run, "scene.yaml"), encoding="utf-8") as file:
        scene = file.read()
    with open(os.path.join(run, "series.csv"), encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    values = numpy.array(rows, float)
    with h5py.File("hdf5/run.h5", "r") as file:
        check(file["scene"].asstr()[()] == scene, "text of the scene")
        check(sorted(file["series"]) == sorted(head), "columns of the series")
        for i, name in enumerate(head):
            column = file["series"][name]
            check(column.attrs["column"] == i and column.attrs["name"] == name, f"place of {name}")
            check(numpy.array_equal(column[()], values[:, i], equal_nan=True), f"values of {name}")
        weight = file["series/weight.z"].attrs
        found = [weight[k] for k in ("label", "unit", "measure", "component")]
        check(found == ["force on wall 'floor', z", "N", "weight", "z"], f"weight.z is {found}")
        check(numpy.array_equal(file["pressure"][()], numpy.array(pressures)), "pressures")
        check_units(file)
        names = [name.decode() for name in file["materials"][()]]
        check(names == ["dark", "hell-2"], f"materials {names}")
        check(list(file["material"][()]) == [0] * 40 + [1] * 20, "materials of bodies")
        check_hdf5_walls(file, frames, polys)
        check_weight(file, head, values)


def check_units(file):
    """Every array of doubles says its unit, as the scene's labels give it."""
    wanted = {"time": "s", "step": "s", "mass": "kg", "radius": "m", "pressure": "Pa",
              "position": "m", "velocity": "m/s", "contacts/force": "N",
              "contacts/impulse": "N s", "contacts/normal": "", "contacts/from": "m",
              "contacts/to": "m", "walls/planes/normal": "", "walls/planes/offset": "m",
              "walls/solids/triangles": "m", "walls/solids/origin": "m", "walls/solids/turn": ""}
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype == float and not name.startswith("series/"):
            found[name] = item.attrs.get("unit")

    file.visititems(visit)
    check(found == wanted, f"units {found}")


def check_hdf5_walls(file, frames, polys):
    planes, solids = file["walls/planes"], file["walls/solids"]
    check([n.decode() for n in planes["name"][()]] == ["floor", "flap"], "names of planes")
    check([n.decode() for n in solids["name"][()]] == ["case", "stirrer"], "names of solids")
    t = file["time"][()]
    wanted = [[[0, 0, 1], [math.cos(x), 0, math.sin(x)]] for x in t]
    near(planes["normal"][()], wanted, "normals")
    near(planes["offset"][()], [[0, -0.6 * math.cos(x)] for x in t], "offsets")
    triangles, whose = solids["triangles"][()], solids["solid"][()]
    for i, _ in enumerate(frames):
        origin, turn = solids["origin"][i], solids["turn"][i]
        for k, name in enumerate(("case", "stirrer")):
            placed = triangles[whose == k] @ turn[k].T + origin[k]
            near(placed, cells(polys[i])[name], f"triangles of {name}")


def check_weight(file, head, values):
    """The contacts of the file with the floor give the measure of the same time."""
    column = values[:, head.index("weight.z")]
    for i, t in enumerate(file["time"][()]):
        first, last = file["contacts/offsets"][i : i + 2]
        floor = file["contacts/b"][first:last] == -1
        force = -numpy.sum(file["contacts/force"][first:last][floor])
        row = numpy.argmin(numpy.abs(values[:, head.index("t")] - t))
        near(force, column[row], "weight", 1 + abs(column[row]))


def check_flat(program):
    """In two dimensions planes are lines and solids are filled; nothing moves: one file."""
    with open("flat.yaml", "w", encoding="utf-8") as file:
        file.write(FLAT)
    subprocess.run([program, "run", "flat.yaml", "--quiet"], check=True)
    subprocess.run([program, "export", "flat.run", "--quiet"], check=True)
    files = sorted(name for name in os.listdir("flat-vtp") if name.startswith("walls"))
    check(files == ["walls.pvd", "walls.vtp"], f"files {files}")
    with open("flat-vtp/walls.pvd", encoding="utf-8") as file:
        check(file.read().count('file="walls.vtp"') == 3, "frames in the collection")
    walls = cells(read("flat-vtp/walls.vtp"))
    wanted = {"x-low": [[0, 0], [0, 2]], "x-high": [[1, 0], [1, 2]],
              "y-low": [[0, 0], [1, 0]], "y-high": [[0, 2], [1, 2]]}
    for side, ends in wanted.items():
        found = sorted(walls["tray." + side].reshape(-1, 3).tolist())
        near(found, [[*end, 0] for end in ends], side)
    check(walls["ball"].shape[1:] == (3, 3), "the ball is filled")
    area = numpy.sum(areas(walls["ball"])[:, 2])
    check(0.99 < area / (math.pi * 0.01) < 1, f"area of the ball: {area}")


def check_inclusion(program):
    """Times have units; coordinates may be anything, and have none."""
    with open("inclusion.yaml", "w", encoding="utf-8") as file:
        file.write(INCLUSION)
    subprocess.run([program, "run", "inclusion.yaml", "--quiet"], check=True)
    export = [program, "export", "inclusion.run", "--format", "hdf5", "--out", "one", "--quiet"]
    subprocess.run(export, check=True)
    with h5py.File("one/run.h5", "r") as file:
        found = [file[name].attrs["unit"] for name in ("time", "step", "position", "velocity")]
        check(found == ["s", "s", "", ""], f"units of an inclusion {found}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("scene.yaml", "w", encoding="utf-8") as file:
            file.write(SCENE)
        run = [program, "run", "scene.yaml", "--out", "walls.run", "--quiet"]
        subprocess.run(run, check=True)
        for kind in "vtp", "hdf5":
            export = [program, "export", "walls.run", "--format", kind, "--out", kind, "--quiet"]
            subprocess.run(export + ["--frames", "::4"], check=True)
        frames = [0, 4, 8, 12]
        pressures, polys = check_vtp("walls.run", frames)
        check_hdf5("walls.run", frames, pressures, polys)
        check_flat(program)
        check_inclusion(program)
        os.chdir("/")


main()
