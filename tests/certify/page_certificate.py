#!/usr/bin/env python3
"""The bounds of docs/certificates.md, by its equations alone, are those of the library.

    page_certificate.py PAGE PROGRAM

PAGE is docs/solvers.md, which has the tables of the worked example, and PROGRAM test_worked_bounds.
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
    """lin, forward, backward and violation of (u, mu)."""
    lin, r = [], [Fraction(m) * (Fraction(a) - Fraction(b)) for m, a, b in zip(e.mass, u, e.w)]
    for gap, row, m in zip(e.gap, e.slope, mu):
        lin.append(Fraction(gap) + Fraction(e.h) * sum(Fraction(g) * Fraction(u[k]) for k, g in row.items()))
        for k, g in row.items():
            r[k] -= Fraction(g) * Fraction(m)
    length = sqrt(sum(x * x / Fraction(m) for x, m in zip(r, e.mass)))
    given = sum(Fraction(m) * max(x, 0) for x, m in zip(lin, mu)) / Fraction(e.h)
    forward = length / 2 + sqrt(length ** 2 / 4 + given)
    backward = max(abs(x) if m > 0 else max(-x, 0) for x, m in zip(lin, mu))
    return [float(x) for x in lin], forward, float(backward), max(0, -float(min(lin)))


def projection(e):
    """P_K w by plain sweeps, without shifts: for the true distance."""
    x, u = [0] * len(e.gap), e.w[:]
    for _ in range(2000):
        for i, row in enumerate(e.slope):
            x_new = max(0, x[i] - (e.gap[i] / e.h + sum(g * u[k] for k, g in row.items())) / e.a[i])
            for k, g in row.items():
                u[k] += (x_new - x[i]) * g / e.mass[k]
            x[i] = x_new
    return u


def compare(e, lines):
    """What the library prints of one answer."""
    lines = {line[0]: line for line in lines if line}
    mu, lin_wanted = ([float(lines[name][n]) for name in e.names] for n in (1, 2))
    bounds = dict(zip(lines['forward'][::2], map(float, lines['forward'][1::2])))
    u = exact_velocity(e, mu)
    lin, forward, backward, violation = certificate(e, mu, u)
    distance = sqrt(sum(m * (a - b) ** 2 for m, a, b in zip(e.mass, u, projection(e))))
    for name, found, wanted in zip(e.names, lin, lin_wanted):
        same(found, wanted, 1e-9 * abs(wanted), f'lin of {name}')
    for found, wanted in zip(u, map(float, lines['u'][1:]), strict=True):
        same(found, wanted, 1e-9, 'u')
    same(forward, bounds['forward'], 1e-9 * forward, 'forward')
    same(backward, bounds['backward'], 1e-9 * backward, 'backward')
    same(violation, bounds['violation'], 0, 'violation')
    same(distance, float(lines['|u'][-1]), 1e-9 * distance, '|u - P_K w|')
    assert distance <= forward


def main():
    example, program = Example(pathlib.Path(sys.argv[1])), sys.argv[2]
    for case in 'three-sweeps', 'finished':
        compare(example, printed(program, case))
        print(f'{case}: equal')


if __name__ == '__main__':
    main()
