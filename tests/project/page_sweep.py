#!/usr/bin/env python3
"""The sweeps of docs/solvers.md, by its tables and equations alone, are those of the library.

    page_sweep.py PAGE PROGRAM

PROGRAM is test_worked_sweep. Names are those of the page. The example ends before the safeguard.
"""
import itertools
import math
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from worked_example import Example, printed, same  # noqa: E402


class Sweeps:
    """Section Sweeps."""

    def __init__(self, example):
        e = self.e = example
        self.tolerance = [min(e.share * s, e.tol_a * e.h ** 2 * e.a_max) / e.h for s in e.shift]
        self.x, self.x_before = e.warm[:], e.warm[:]
        self.evaluate()

    def v(self, i, u):
        e = self.e
        return (e.gap[i] - e.shift[i]) / e.h + sum(g * u[k] for k, g in e.slope[i].items())

    def f(self):
        e, u = self.e, self.e.velocity(self.x)
        energy = sum(m * (a - b) ** 2 for m, a, b in zip(e.mass, u, e.w)) / 2
        return energy + sum(x * self.v(i, e.w) for i, x in enumerate(self.x))

    def evaluate(self):
        """U and U_before again; the largest residual over its tolerance."""
        self.u, self.u_before = self.e.velocity(self.x), self.e.velocity(self.x_before)
        return max(abs(min(a * x, self.v(i, self.u))) / tolerance for i, (a, x, tolerance)
                   in enumerate(zip(self.e.a, self.x, self.tolerance)))

    def sweep(self, beta, order):
        change = [a - b for a, b in zip(self.u, self.u_before)]
        self.energy = sum(m * c * c for m, c in zip(self.e.mass, change)) / 2
        self.u_before, self.u = self.u, [u + beta * c for u, c in zip(self.u, change)]
        self.turn = self.decrease = self.worst = 0
        for i in order:
            self.renew(i, beta)

    def renew(self, i, beta):
        a, x, v = self.e.a[i], self.x[i], self.v(i, self.u)
        y = x + beta * (x - self.x_before[i])
        x_new = max(0, y - v / a)
        d = x_new - y
        self.turn -= a * d * (x_new - x)
        self.decrease += d * (v + a * d / 2)
        self.worst = max(self.worst, abs(d) * a / self.tolerance[i])
        self.x_before[i], self.x[i] = x, x_new
        for k, g in self.e.slope[i].items():
            self.u[k] += d * g / self.e.mass[k]


def loop(example, order):
    """Sections Momentum and The loop: beta, x and worst of the start and of each sweep; is it done?"""
    s = Sweeps(example)
    theta, beta, delta, evaluated = 1, 0, 0, 0
    yield 0, s.x, 0, s.evaluate() <= 1
    for k in itertools.count(1):
        f = s.f()
        s.sweep(beta, order)
        delta = beta * (delta + s.energy) + beta ** 2 * s.energy + s.decrease
        same(delta, s.f() - f, 1e-14, f'delta of sweep {k}')
        is_tested = s.worst <= 1.5 and k >= evaluated + 4
        evaluated = k if is_tested else evaluated
        yield beta, s.x, s.worst, is_tested and s.evaluate() <= 1
        if s.turn > 0 and beta > 0:
            theta, beta = max(1, 0.8 * theta), 0
        elif k < 100:
            before, theta = theta, (1 + math.sqrt(1 + 4 * theta ** 2)) / 2
            beta = (before - 1) / theta
        else:
            beta = 1


def ranks(e):
    """Section Packs, 1: the bodies along the Morton curve."""
    low = [min(q[c] for q in e.origin.values()) for c in (0, 1)]
    side = max(q[c] - low[c] for q in e.origin.values() for c in (0, 1))

    def code(body):
        cell = [min(int((e.origin[body][c] - low[c]) * (2 ** 15 / side)), 2 ** 15 - 1) for c in (0, 1)]
        return sum((cell[c] >> n & 1) << 2 * n + c for c in (0, 1) for n in range(15))

    met = dict.fromkeys(body for ends in e.ends for body in ends)
    return {body: rank for rank, body in enumerate(sorted(met, key=code))}


def dealt_out(packs):
    """Section Packs, 6."""
    step = math.ceil(len(packs) / 4)
    return [pack for first in range(step) for pack in packs[first::step]]


def in_packs(e):
    """Section Packs, 3 to 6: one group, one tile."""
    rank, packs = ranks(e), []
    for i in sorted(range(len(e.ends)), key=lambda i: min(rank[body] for body in e.ends[i])):
        for pack in packs + [[]]:
            if len(pack) < 8 and not any(set(e.ends[i]) & set(e.ends[j]) for j in pack):
                break
        packs += [pack] if not pack else []
        pack.append(i)
    return [i for pack in dealt_out(packs) for i in pack]


# The figures that the text of the page gives of sweeps, by their number.
WORST = {'rows': {4: 4.7, 5: 1.09}, 'packs': {4: 36, 5: 11.5, 6: 1.009}}


def compare(lines, sweeps, room, told):
    """What the library prints of each sweep, and that it ends with the last of these."""
    for line, (beta, x, worst, is_done) in zip(lines, sweeps):
        same(worst, told.get(int(line[0]), worst), 0.01 * worst, f'worst of sweep {line[0]}')
        same(beta, float(line[1].replace('-', '0')), 6e-5, f'beta of sweep {line[0]}')
        for found, wanted in zip(x, line[2:]):
            same(found, float(wanted), room, f'x of sweep {line[0]}')
        assert is_done == (line is lines[-1]), f'sweep {line[0]} is the last one of the page or of the library'


def main():
    example, program = Example(pathlib.Path(sys.argv[1])), sys.argv[2]
    assert dealt_out(list(range(10))) == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8]
    by_rows, width = range(len(example.names)), 2 + len(example.names)
    for case, order, room in (('rows', by_rows, 1e-7), ('packs', in_packs(example), 1e-6)):
        lines = [line for line in printed(program, case) if len(line) == width and line[0].isdigit()]
        assert len(lines) > 1, f'{case}: the library prints no sweeps'
        compare(lines, loop(example, order), room, WORST[case])
        print(f'{case}: {len(lines) - 1} sweeps')
    exact = next(line for line in printed(program, 'exact') if line[0] == 'exact' and len(line) == width)
    _, x, _, _ = next(itertools.islice(loop(example, by_rows), 300, None))
    for found, wanted in zip(x, exact[2:]):
        same(found, float(wanted), 1e-7, 'x after 300 sweeps')


if __name__ == '__main__':
    main()
