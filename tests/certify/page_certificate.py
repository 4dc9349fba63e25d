#!/usr/bin/env python3
"""The bounds of docs/certificates.md, by its equations alone, are those of the library.

    page_certificate.py PAGE PROGRAM

PAGE is docs/solvers.md, which has the tables of the worked example, and PROGRAM test_worked_bounds. The exact answer is
that of docs/certificates.md, beside it.
Sums are exact fractions here, so the page's allowances for rounding are left out.
"""
import pathlib
import sys
from fractions import Fraction
from math import sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from worked_example import Example, printed, same  # noqa: E402


def exact_velocity(e, mu):
    """w + M^-1 G^T mu, rounded once."""
    u = [Fraction(w) for w in e.w]
    for row, m in zip(e.slope, mu):
        for k, g in row.items():
            u[k] += Fraction(g) * Fraction(m) / Fraction(e.mass[k])
    return [float(x) for x in u]


def certificate(e, mu, u):
    """lin, forward, backward, violation and stationarity of (u, mu)."""
    lin, r = [], [Fraction(m) * (Fraction(a) - Fraction(b)) for m, a, b in zip(e.mass, u, e.w)]
    for gap, row, m in zip(e.gap, e.slope, mu):
        lin.append(Fraction(gap) + Fraction(e.h) * sum(Fraction(g) * Fraction(u[k]) for k, g in row.items()))
        for k, g in row.items():
            r[k] -= Fraction(g) * Fraction(m)
    length = sqrt(sum(x * x / Fraction(m) for x, m in zip(r, e.mass)))
    given = sum(Fraction(m) * max(x, 0) for x, m in zip(lin, mu)) / Fraction(e.h)
    forward = length / 2 + sqrt(length ** 2 / 4 + given)
    backward = max(abs(x) if m > 0 else max(-x, 0) for x, m in zip(lin, mu))
    return [float(x) for x in lin], forward, float(backward), max(0, -float(min(lin))), length


def relative_residual(e, mu, u, lin):
    """kkt of the rows; that of the coordinates is rounding."""
    reach = [abs(w) for w in e.w]
    for row, m in zip(e.slope, mu):
        for k, g in row.items():
            reach[k] += abs(g * m) / e.mass[k]
    origin = [x for body in e.bodies for x in e.origin[body]]
    length = sum(sqrt(sum(m * x * x for m, x in zip(e.mass, v))) for v in (e.w, [a - b for a, b in zip(u, e.w)]))
    worst = 0
    for i, row in enumerate(e.slope):
        size = abs(e.gap[i]) + e.shift[i] + e.h * sum(abs(g) * reach[k] for k, g in row.items())
        size += sum(abs(g * origin[k]) for k, g in row.items()) + e.h * sqrt(e.a[i]) * length
        off = lin[i] - e.shift[i]
        worst = max(worst, (abs(off) if mu[i] > 0 else max(-off, 0)) / size)
    return worst


def projection(e):
    """P_K w by plain sweeps, without shifts: for the true distance. The multipliers too."""
    x, u = [0] * len(e.gap), e.w[:]
    for _ in range(2000):
        for i, row in enumerate(e.slope):
            x_new = max(0, x[i] - (e.gap[i] / e.h + sum(g * u[k] for k, g in row.items())) / e.a[i])
            for k, g in row.items():
                u[k] += (x_new - x[i]) * g / e.mass[k]
            x[i] = x_new
    return x, u


def compare_exact(e, page):
    """The exact answer without shifts, as docs/certificates.md has it."""
    for name, found in zip(('mu', 'P_K w'), projection(e)):
        line = next(line for line in page.read_text().split('\n') if line.startswith(name + ' '))
        for x, wanted in zip(found, line[len(name):].split(), strict=True):
            same(x, float(wanted), 1e-9, name)


def compare(e, lines):
    """What the library prints of one answer."""
    lines = {line[0]: line for line in lines if line}
    mu, lin_wanted = ([float(lines[name][n]) for name in e.names] for n in (1, 2))
    bounds = dict(zip(lines['forward'][::2], map(float, lines['forward'][1::2])))
    u = exact_velocity(e, mu)
    lin, forward, backward, violation, stationarity = certificate(e, mu, u)
    distance = sqrt(sum(m * (a - b) ** 2 for m, a, b in zip(e.mass, u, projection(e)[1])))
    for name, found, wanted in zip(e.names, lin, lin_wanted):
        same(found, wanted, 1e-9 * abs(wanted), f'lin of {name}')
    for found, wanted in zip(u, map(float, lines['u'][1:]), strict=True):
        same(found, wanted, 1e-9, 'u')
    same(forward, bounds['forward'], 1e-9 * forward, 'forward')
    same(backward, bounds['backward'], 1e-9 * backward, 'backward')
    same(violation, bounds['violation'], 0, 'violation')
    same(distance, float(lines['|u'][-1]), 1e-9 * distance, '|u - P_K w|')
    assert distance <= forward
    assert stationarity < 1e-17 and relative_residual(e, mu, u, lin) < 2e-6


def main():
    example, program = Example(pathlib.Path(sys.argv[1])), sys.argv[2]
    for case in 'three-sweeps', 'finished':
        compare(example, printed(program, case))
        print(f'{case}: equal')
    compare_exact(example, pathlib.Path(sys.argv[1]).parent / 'certificates.md')


if __name__ == '__main__':
    main()
