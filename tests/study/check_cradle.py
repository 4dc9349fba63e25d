#!/usr/bin/env python3
"""A ball meets four that touch, as disks and as an inclusion: at every step the law over all contacts,
((1 - 4 e)/5, (1 + e)/5 four times), to 1e-12; `thud impacts` finds a residual of rounding, `thud verify`
accepts the run, and `thud converge` one limit, that of the event-driven reference.

    check_cradle.py PROGRAM SCENES
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

STEPS = ["1/64", "1/100", "1/256", "1/1024", "0.0037"]


def thud(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"FAILED: thud {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def last_velocities(folder, spheres):
    name = "bodies.csv" if spheres else "coordinates.csv"
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if spheres:
        return [float(row["vx"]) for row in rows[-5:]]
    return [float(value) for key, value in rows[-1].items() if key.startswith("u.")]


def run(program, scene, step, e, scratch):
    spheres = scene.endswith("cradle5.yaml")
    out, table = os.path.join(scratch, "run"), os.path.join(scratch, "csv")
    names = ["ab", "bc", "cd", "de"]
    law = ([f"contacts=[{{between: [steel, steel], restitution: {e}}}]"] if spheres
           else [f"constraints.{name}.restitution={e}" for name in names])
    sets = [part for value in [f"time.step={step}", *law] for part in ("--set", value)]
    thud(program, "run", scene, *sets, "--quiet", "--out", out)
    thud(program, "verify", out)
    thud(program, "export", out, "--format", "csv", "--quiet", "--out", table)
    found = last_velocities(table, spheres)
    wanted = [(1 - 4 * e) / 5] + 4 * [(1 + e) / 5]
    error = max(abs(a - b) for a, b in zip(found, wanted))
    residual = json.loads(thud(program, "impacts", out, "--json"))["residual"]
    shutil.rmtree(out)
    shutil.rmtree(table)
    print(f"{os.path.basename(scene)} h = {step}, e = {e}: error {error:.2g}, residual {residual:.2g}")
    return len(found) == 5 and error <= 1e-12 and residual <= 1e-12


def main():
    program, scenes = sys.argv[1:3]
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        for name in ["cradle5.yaml", "cradle5_points.yaml"]:
            for e in [1, 0.3]:
                for step in STEPS:
                    good = run(program, os.path.join(scenes, name), step, e, scratch) and good
    text = thud(program, "converge", os.path.join(scenes, "cradle5.yaml"), "--no-progress")
    print(text)
    good = good and "against the impacts" in text and "\none limit;" in text
    sys.exit(0 if good else "FAILED")


main()
