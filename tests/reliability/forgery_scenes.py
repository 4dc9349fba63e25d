"""The scenes that are forged: small ones of every law, cell, container and order.

NAME: (text, where a node with a loaded contact is looked for, steps in all)."""

HEAD = "thud: 1\nkind: spheres\ndim: {dim}\nrecord: all\ncheckpoints: 0\n"
FLAT = HEAD.format(dim=2)
DEEP = HEAD.format(dim=3)
ROOM = """walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
  left: {plane: {point: [-1, 0], normal: [1, 0]}}
  right: {plane: {point: [1, 0], normal: [-1, 0]}}
"""
PILE = "".join(f"  - {{at: [{x}, {y}], radius: 0.2, mass: 1}}\n" for x, y in
               ((-0.21, 0.201), (0.21, 0.201), (0.0, 0.57), (0.7, 0.9), (-0.7, 0.25), (-0.7, 1.9)))


def timed(h, steps):
    return f"time: {{step: {h}, end: {h}*{steps}, frames: 4}}\n"


SCENES = {
    "dry": (FLAT + ROOM + "gravity: [0, -10]\nbodies:\n" + PILE + timed(0.005, 48), 40, 48),
    "slot": (FLAT + "gravity: [0, -10]\nwalls:\n"
             "  left: {plane: {point: [-0.200004, 0], normal: [1, 0]}}\n"
             "  right: {plane: {point: [0.200004, 0], normal: [-1, 0]}}\n"
             "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
             "bodies:\n  - {at: [0, 0.20001], radius: 0.2, mass: 1}\n" + timed(0.005, 20), 14, 20),
    "tilted": (FLAT + "gravity: [0, -10]\nwalls:\n" +
               "".join(f'  {name}: {{plane: {{point: ["{s}0.200004*2/sqrt(5)", "{s}0.200004/sqrt(5)"],'
                       f' normal: [{n}]}}}}\n' for name, s, n in
                       (("left", "-", "2, 1"), ("right", "", "-2, -1"))) +
               "bodies:\n  - {at: [0, 0], radius: 0.2, mass: 1}\n" + timed(0.005, 20), 8, 20),
    "pebble": (FLAT + ROOM + "gravity: [0, -10]\nbodies:\n"
               "  - {at: [0, 0.95001], radius: 0.95, mass: 100}\n"
               "  - {at: [0.9, 1.00001e-6], radius: 1e-6, mass: 0.001}\n" + timed(0.0001, 30), 20, 30),
    "short": (FLAT + ROOM + "gravity: [0, -10]\nbodies:\n"
              "  - {at: [0, 0.20000400001], radius: 0.2, mass: 1}\n" + timed("1e-6", 20), 14, 20),
    "bullet": (FLAT + "bodies:\n  - {at: [0, 0], radius: 0.1, mass: 1, velocity: [40, 0]}\n"
               "  - {at: [1.15, 0.01], radius: 0.1, mass: 1}\n"
               "  - {at: [1.9, 0.02], radius: 0.1, mass: 1}\n" + timed(0.01, 10), 3, 10),
    "swept": (FLAT + ROOM + "gravity: [0, -10]\nmaterials: {sand: {density: 1}}\nbodies:\n"
              "  - lattice: {origin: [-0.9, 0.08], count: [12, 7], spacing: 0.162, jitter: 0.008,"
              " radius: {uniform: [0.06, 0.07]}, seed: 3, material: sand}\n" + timed(0.004, 70), 64, 70),
    # the step is long: gaps follow it, and a push must travel far until rows are seen to have room
    "long": (FLAT + ROOM.replace("-1, 0]", "0, 0]", 1).replace("[1, 0], normal", "[3.5, 0], normal")
             + "gravity: [0, -10]\nmaterials: {sand: {density: 1}}\nbodies:\n"
             "  - lattice: {origin: [0.12, 0.11], count: [15, 7], spacing: 0.22, jitter: 0.004,"
             " seed: 7, radius: {uniform: [0.08, 0.1]}, material: sand}\n"
             "  - lattice: {origin: [0.12, 1.75], count: [14, 4], spacing: 0.24, jitter: 0.01, seed: 8,"
             " radius: {uniform: [0.06, 0.1]}, velocity: [0, -40], material: sand}\n"
             + timed(0.02, 16), 3, 16),
    "cradle": (FLAT + "materials: {steel: {density: 1}}\n"
               "contacts: [{between: [steel, steel], restitution: 1}]\nbodies:\n"
               "  - {at: [-0.61, 0], radius: 0.1, velocity: [1, 0], material: steel}\n"
               "  - {at: [0, 0], radius: 0.1, material: steel}\n"
               "  - {at: [0.2000025, 0], radius: 0.1, material: steel}\n" + timed(0.01, 60), 40, 60),
    "bounce": (FLAT + ROOM.replace("]}}", "]}, material: steel}") + "gravity: [0, -10]\n"
               "materials: {steel: {density: 1}}\n"
               "contacts: [{between: [steel, steel], restitution: 0.5}]\nbodies:\n"
               "  - {at: [0, 0.31], radius: 0.1, material: steel}\n"
               "  - {at: [0.15, 0.52], radius: 0.1, material: steel}\n" + timed(0.005, 60), 30, 60),
    "glue": (FLAT + ROOM + 'gravity: [0, "4*cos(20*t + pi)"]\nmaterials: {paste: {density: 1}}\n'
             "contacts: [{between: [paste, paste], glue: 0.5}]\nbodies:\n"
             "  - {at: [0, 0.1001], radius: 0.1, material: paste}\n"
             "  - {at: [0.03, 0.302], radius: 0.1, material: paste}\n"
             "  - {at: [-0.04, 0.505], radius: 0.1, material: paste}\n" + timed(0.005, 40), 30, 40),
    "growth": (FLAT + ROOM + "gravity: [0, -10]\n"
               'materials: {cell: {density: 1, growth: "1 + 0.3*t"}}\nbodies:\n'
               "  - {at: [-0.21, 0.21], radius: 0.2, material: cell}\n"
               "  - {at: [0.21, 0.21], radius: 0.2, material: cell}\n"
               "  - {at: [0, 0.58], radius: 0.2, material: cell}\n" + timed(0.005, 40), 34, 40),
    "cell": (FLAT + "cell: {x: [0, 1], y: [0, 1]}\nbodies:\n"
             "  - {at: [0.05, 0.5], radius: 0.1, mass: 1, velocity: [-1, 0.1]}\n"
             "  - {at: [0.75, 0.52], radius: 0.1, mass: 1}\n"
             "  - {at: [0.5, 0.1], radius: 0.1, mass: 1, velocity: [0.2, 0.3]}\n" + timed(0.01, 30),
             11, 30),
    "shear": (FLAT + 'cell: {x: [0, 1], y: [0, 1], shear: "0.5*t"}\nbodies:\n'
              "  - {at: [0.5, 0.1], radius: 0.1, mass: 1, velocity: [0.1, -1]}\n"
              "  - {at: [0.55, 0.8], radius: 0.1, mass: 1}\n"
              "  - {at: [0.1, 0.5], radius: 0.1, mass: 1}\n" + timed(0.01, 40), 5, 40),
    "drum": (DEEP + "gravity: [0, 0, -10]\nwalls:\n"
             "  drum: {drum: {from: [0, -0.3, 0], to: [0, 0.3, 0], radius: 0.5},"
             ' rotation: [0, "2*t", 0]}\n'
             "bodies:\n  - {at: [0.1, 0, -0.38], radius: 0.1, mass: 1}\n"
             "  - {at: [-0.15, 0.05, -0.35], radius: 0.1, mass: 1}\n" + timed(0.005, 40), 34, 40),
    "solid": (DEEP + "gravity: [0, 0, -10]\nwalls:\n"
              "  block: {solid_box: [[-0.5, -0.5, -0.2], [0.5, 0.5, 0]], rotation: [0.1, 0.2, 0]}\n"
              "  lid: {plane: {point: [0, 0, 3], normal: [0, 0, -1]}}\n"
              "bodies:\n  - {at: [0, 0, 0.12], radius: 0.1, mass: 1}\n"
              "  - {at: [0.05, -0.3, 0.3], radius: 0.1, mass: 1}\n" + timed(0.005, 40), 30, 40),
    "mesh": (DEEP + "gravity: [0, 0, -10]\nwalls:\n  plate: {mesh: {file: plate.stl}}\n"
             "bodies:\n  - {at: [0, 0.05, 0.13], radius: 0.1, mass: 1}\n"
             "  - {at: [0.3, -0.3, 0.3], radius: 0.1, mass: 1}\n" + timed(0.005, 40), 30, 40),
    "thin": (DEEP + "walls:\n  plate: {mesh: {file: plate.stl}}\n"
             "bodies:\n  - {at: [0, 0.05, 0.15], radius: 0.1, mass: 1, velocity: [0, 0, -30]}\n"
             + timed(0.01, 6), 1, 6),
    "crowd": (FLAT + "order: 1\nnoise: 0.02\nseed: 5\n" + ROOM + "bodies:\n"
              "  - {at: [-0.5, 0.4], radius: 0.2, mass: 1}\n"
              "  - {at: [0, 0.45], radius: 0.2, mass: 1}\n"
              "  - {at: [0.5, 0.4], radius: 0.2, mass: 1}\n"
              'crowd: [{velocity: ["-x", -1]}]\n' + timed(0.01, 40), 34, 40),
    "corner": ("thud: 1\nkind: inclusion\nrecord: all\ncheckpoints: 0\n"
               "coordinates: {x: {start: 0.3, velocity: -1}, y: {start: 0.2, velocity: -1}}\n"
               'constraints: {floor: y, slope: "0.6*x - 0.8*y"}\n' + timed(0.01, 30), 14, 30),
    "play": ("thud: 1\nkind: inclusion\norder: 1\nrecord: all\ncheckpoints: 0\n"
             "coordinates: {z: {start: 0}}\n"
             'constraints: {below: "z - sin(2*t) + 0.3", above: "sin(2*t) + 0.3 - z"}\n'
             "smooth: {gap_tt: 4, gap_tq: 0}\n" + timed(0.01, 60), 40, 60),
    "pushed": ("thud: 1\nkind: inclusion\nrecord: all\ncheckpoints: 0\n"
               'coordinates: {x: {start: 0, velocity: 0}}\nforce: {x: "sin(9*t)"}\n'
               'constraints: {wall: "0.02 - x"}\n' + timed(0.01, 60), 30, 60),
}

PLATE = """solid plate
""" + "".join(f"""facet normal 0 0 1
outer loop
vertex {a}
vertex {b}
vertex {c}
endloop
endfacet
""" for a, b, c in (("-1 -1 0", "1 -1 0", "1 1 0"), ("-1 -1 0", "1 1 0", "-1 1 0"))) + "endsolid plate\n"
