#!/usr/bin/env python3
"""Writes docs/validation.md: every case of the catalogue with errors, constants and plots, studies of
convergence, and the law of collision. Called by scripts/validate; nothing in it depends on the machine
but rounding.

    validation.py BUILD MARKDOWN FIGURES [CASE-OR-SCENE...]
"""
import json
import math
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NORMS = ("L1 u", "max q", "E")
COLOURS = ("#0072b2", "#d55e00", "#009e73")
# what a case is that has no scene of its own name, or none that says it
TITLES = {
    "P1": "affine constraints, f = 0: every node is exact, an impact takes two steps",
    "P2": "chains of 500 bodies against isotonic regression",
    "permuted": "the order of constraints changes nothing",
    "pruning": "a constraint that the prediction does not violate, and that is needed",
    "V01b": "a pulse of width 1e-4",
}
STUDIES = [  # scene, largest step
    ("scenes/corner", 0.031), ("scenes/inclusion", 0.031), ("scenes/plate", 0.031),
    ("scenes/play", 0.031), ("scenes/disc", 0.031), ("tests/study/scenes/growing", 0),
    ("tests/study/scenes/gluey", 0), ("tests/study/scenes/bouncing", 0),
    ("tests/study/scenes/dropped", 0), ("tests/study/scenes/two_hits", 0),
    ("tests/study/scenes/two_limits", 0),
]
INTRODUCTION = """\
How accurate are the results? This page compares Thud with problems whose exact solution is known, at many steps h. It also tests
whether different sequences of steps lead to the same limit, and whether impacts obey the law of collision.

![errors of a ball on an oscillating plate, at many steps](validation/V05.svg)

Errors are measured in three norms:

- L1 u: the integral of the velocity's error, with steps split at the events of the exact solution;
- max q: the largest error of the position;
- E = ∫\\|Λ_h - Λ\\| dt + \\|Λ_h(T) - Λ(T)\\| of the cumulative multipliers, which metrises weak-* convergence.

An error of up to 1.5 C h is accepted. C is the constant of a correct code; it is 0 where only rounding is allowed. In the figures
dashed lines are C h. No slope is fitted, because the error of an impact depends on where in a step it falls."""


def catalogue_cases():
    """The names of all cases, from the one list there is."""
    with open(os.path.join(ROOT, "tests/worlds/catalogue/CMakeLists.txt"), encoding="utf-8") as file:
        text = file.read()
    return re.search(r"set\(catalogue_cases\s+(.*?)\)", text, re.S).group(1).split()


def title_of(path):
    """The title of a scene file, "" if there is none."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        found = re.search(r"^title: *(.*)$", file.read(), re.M)
    return found.group(1).strip("\"' ") if found else ""


def output_of(*command, may_differ=False):
    """What a command prints; it must succeed, or end with 9 where sequences may differ."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode not in ((0, 9) if may_differ else (0,)):
        sys.exit(f"validation.py: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Plot:
    """Errors over the step, both in logarithms: a small figure."""

    WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 330, 210, 48, 34, 24, 10

    def __init__(self, curves):
        # curves: (label, colour, is_line, [(h, error)])
        self.curves = [(label, colour, line, [p for p in points if p[1] > 1e-300])
                       for label, colour, line, points in curves]
        points = [p for curve in self.curves for p in curve[3]]
        self.empty = not points
        if not self.empty:
            self.x = self.range_of([p[0] for p in points])
            self.y = self.range_of([p[1] for p in points])

    @staticmethod
    def range_of(values):
        low, high = math.log10(min(values)), math.log10(max(values))
        room = 0.06 * (high - low) + 0.05
        return low - room, high + room

    def place(self, point):
        x = (math.log10(point[0]) - self.x[0]) / (self.x[1] - self.x[0])
        y = (math.log10(point[1]) - self.y[0]) / (self.y[1] - self.y[0])
        return (self.LEFT + x * (self.WIDTH - self.LEFT - self.RIGHT),
                self.HEIGHT - self.BOTTOM - y * (self.HEIGHT - self.BOTTOM - self.TOP))

    def ticks(self, span, is_x):
        """Powers of ten, or 2 and 5 times them where there are few."""
        low, high = math.ceil(span[0]), math.floor(span[1])
        values = [10.0 ** k for k in range(low, high + 1)]
        if len(values) < 2:
            values = [m * 10.0 ** k for k in range(low - 1, high + 2) for m in (1, 2, 5)]
        while len(values) > (5 if is_x else 6):
            values = values[::2]
        return [v for v in values if span[0] <= math.log10(v) <= span[1]]

    def axes(self):
        bottom, right = self.HEIGHT - self.BOTTOM, self.WIDTH - self.RIGHT
        parts = [f'<path d="M{self.LEFT} {self.TOP}V{bottom}H{right}" fill="none" stroke="#333"/>']
        for value in self.ticks(self.x, True):
            x = self.place((value, 10 ** self.y[0]))[0]
            parts.append(f'<path d="M{x:.1f} {bottom}v4" stroke="#333"/>'
                         f'<text x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">{value:g}</text>')
        for value in self.ticks(self.y, False):
            y = self.place((10 ** self.x[0], value))[1]
            parts.append(f'<path d="M{self.LEFT - 4} {y:.1f}h4" stroke="#333"/>'
                         f'<text x="{self.LEFT - 6}" y="{y + 3:.1f}" text-anchor="end">{value:.0e}</text>')
        parts.append(f'<text x="{(self.LEFT + right) / 2}" y="{self.HEIGHT - 4}" '
                     'text-anchor="middle">step h</text>')
        return parts

    def write(self, path):
        parts = self.axes()
        names = 0
        for label, colour, line, points in self.curves:
            if not points:
                continue
            places = " ".join("%.1f,%.1f" % self.place(p) for p in points)
            dash = ' stroke-dasharray="4 3"' if line else ""
            parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}"{dash}/>')
            if line:
                continue
            for p in points:
                parts.append('<circle cx="%.1f" cy="%.1f" r="2" fill="%s"/>' % (*self.place(p), colour))
            x = self.LEFT + 8 + 90 * names
            parts.append(f'<path d="M{x} 12h14" stroke="{colour}" stroke-width="2"/>'
                         f'<text x="{x + 18}" y="15">{label}</text>')
            names += 1
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.WIDTH}" '
                       f'height="{self.HEIGHT}" font-family="sans-serif" font-size="9">'
                       '<rect width="100%" height="100%" fill="#fff"/>' + "\n".join(parts) + "</svg>\n")


def read_tables(text):
    """The tables that a case prints: name, constants, rows (N, h, errors), worst."""
    tables = []
    for line in text.splitlines():
        head = re.match(r"(\S+): C = (\S+) \(u\), (\S+) \(q\), (\S+) \(multipliers\)", line)
        worst = re.match(r"worst (\S+)\s+(\S+) (\S+) (\S+)", line)
        row = re.match(r" *(\d+)  (\d\.\d+e[-+]\d+)((?: +\S+)+)$", line)
        if head:
            tables.append([head.group(1), [float(head.group(i)) for i in (2, 3, 4)], [], []])
        elif worst and tables:
            tables[-1][3] = [float(worst.group(i)) for i in (2, 3, 4)]
        elif row and tables:
            errors = [float(x) for x in row.group(3).split()][::2]
            tables[-1][2].append((int(row.group(1)), float(row.group(2)), errors))
    return tables


def write_case(out, case, build, figures):
    text = output_of(os.path.join(build, "tests/worlds/catalogue/test_catalogue"), case)
    title = TITLES.get(case) or title_of(os.path.join(ROOT, f"tests/worlds/catalogue/scenes/{case}.yaml"))
    out.append(f"### {case}" + (f": {title[0].lower()}{title[1:]}" if title else ""))
    tables = read_tables(text)
    for name, constants, rows, worst in tables:
        count = min(len(r[2]) for r in rows)
        out.append(f"\n{name}: C = " + ", ".join(f"{c:g} ({n})" for c, n in zip(constants, NORMS))
                   + "; largest error / (C h) " + ", ".join(f"{w:.3f}" for w in worst[:count]) + "\n")
        out.append("| N | h | " + " | ".join(NORMS[:count]) + " |\n|---|---|" + "---|" * count)
        for steps, h, errors in rows:
            out.append(f"| {steps} | {h:.2e} | " + " | ".join(f"{e:.2e}" for e in errors) + " |")
        curves = []
        for k in range(count):
            points = [(h, errors[k]) for _, h, errors in rows if errors[k] > 1e-12]
            curves.append((NORMS[k], COLOURS[k], False, points))
            if points and constants[k] > 0:
                curves.append(("", COLOURS[k], True, [(h, constants[k] * h) for h, _ in points]))
        plot = Plot(curves)
        if not plot.empty:
            plot.write(os.path.join(figures, f"{name}.svg"))
            out.append(f"\n![errors of {name}](validation/{name}.svg)")
    if not tables:
        lines = [line for line in text.splitlines() if line != case]
        out.append("\n```\n" + "\n".join(lines) + "\n```")
    out.append("")
    return [(name, constants, worst) for name, constants, _, worst in tables]


def write_study(out, scene, step, build, figures):
    name = os.path.basename(scene)
    command = [os.path.join(build, "thud"), "converge", os.path.join(ROOT, scene + ".yaml"), "--json"]
    result = json.loads(output_of(*command, *(["--step", str(step)] if step else []), may_differ=True))
    said = {"within": "one limit, errors below C h", "slower": "one limit, but error / h grows",
            "agree": "the sequences agree", "several": "not one limit"}[result["verdict"]]
    reference = {"exact": "its exact solution", "events": "its impacts, followed one by one",
                 "finest": "the finest run (differences, not errors; runs below 4 times its step are left out)"}[result["reference"]]
    out.append(f"### {name}: {result['title'][0].lower()}{result['title'][1:]}\n")
    out.append(f"`thud converge {scene}.yaml" + (f" --step {step}" if step else "") +
               f"`, measured by {reference}: **{said}**.\n")
    keys = ("u", "q", "impulse")
    out.append("| sequence | kind | limit | smallest h | " + " | ".join(f"{n} / h there" for n in NORMS)
               + " |\n|---|---|---|---|---|---|---|")
    for sequence in result["sequences"]:
        last = [run for run in result["runs"]
                if run["sequence"] == sequence["name"] and not run["near_reference"]][-1]
        values = [last[k] for k in keys]
        shown = " | ".join(f"{v / last['h']:.3g}" for v in values)
        limit = sequence["limit"] + 1 if sequence["limit"] >= 0 else "none"
        out.append(f"| {sequence['name']} | {sequence['kind']} | {limit} | {last['h']:.3g} | {shown} |")
    if result["verdict"] != "several":
        out.append("\nC = " + ", ".join(f"{result['constant'][k]:.3g} ({n})" for k, n in zip(keys, NORMS))
                   + "; fitted orders " + ", ".join(
                       f"{result['order'][k]:.2f}" if result["order"][k] is not None else "none"
                       for k in keys))
    else:
        out.append(f"\nThe ends of the sequences are up to {result['spread']:.3g} apart in q.")
    curves = []
    for sequence, colour in zip(result["sequences"], COLOURS):
        points = [(run["h"], run["q"]) for run in result["runs"]
                  if run["sequence"] == sequence["name"] and not run["near_reference"] and run["q"] > 1e-14]
        curves.append((f"max q, {sequence['name']}", colour, False, points))
    Plot(curves).write(os.path.join(figures, f"study-{name}.svg"))
    out.append(f"\n![errors of {name}](validation/study-{name}.svg)\n")


def write_summary(out, results):
    out.append("| case | C of u, q, E | largest error / (C h) |\n|---|---|---|")
    for name, constants, worst in results:
        out.append(f"| {name} | " + ", ".join(f"{c:g}" for c in constants) + " | "
                   + ", ".join(f"{w:.3f}" for w in worst) + " |")
    out.append("")


def main():
    build, markdown, figures = sys.argv[1:4]
    only = sys.argv[4:]
    os.makedirs(figures, exist_ok=True)
    commit = output_of("git", "-C", ROOT, "log", "-1", "--format=%h, %cs").strip()
    head = ["# Validation", "", INTRODUCTION, "",
            f"Made by `bash scripts/validate` from a clean clone; do not edit. Commit {commit}.", ""]
    cases = []
    results = []
    for case in catalogue_cases():
        if not only or case in only:
            results += write_case(cases, case, build, figures)
    out = head + ["## The catalogue", ""]
    write_summary(out, results)
    out += cases
    out += ["## Sequences of steps", "",
            "Each scene runs along three sequences of steps: h and its halves, h and its thirds, 0.618 h and its "
            "halves. Tolerances shrink with the step. A finite number of steps does not prove convergence.", ""]
    for scene, step in STUDIES:
        if not only or os.path.basename(scene) in only:
            write_study(out, scene, step, build, figures)
    if not only:
        out += ["## The law of collision", "",
                "The largest difference \\|u+ - law\\| between a velocity after an impact and the law of collision, "
                "divided by h (`thud impacts`), for runs with N steps.", "",
                output_of(sys.executable, "-B", os.path.join(ROOT, "tests/study/check_impacts.py"),
                          os.path.join(build, "thud"), os.path.join(ROOT, "tests/worlds/catalogue/scenes"),
                          os.path.join(ROOT, "tests/study/scenes"), "markdown"),
                "## Random systems against impacts followed one by one", "", "```",
                output_of(os.path.join(build, "tests/laws/test_events_scheme")).rstrip(), "```"]
    with open(markdown, "w", encoding="utf-8") as file:
        file.write("\n".join(out).rstrip() + "\n")


if __name__ == "__main__":
    main()
