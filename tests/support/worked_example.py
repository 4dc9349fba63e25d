"""The worked example as the tables of docs/solvers.md have it, and what a test program prints of it.

Nothing here or in the two tests that use it comes from the library: the pages must suffice.
"""
import math
import re
import subprocess


def cells(line):
    return [cell.strip() for cell in line.strip('|').split('|')]


def numbers(cell):
    return [float(x) for x in cell.strip('()').split(',')]


class Example:
    """Masses and velocities by coordinate, rows as {coordinate: slope}."""
    h, tol_a, share = 0.01, 1e-3, 0.5

    def __init__(self, page):
        section = page.read_text().split('## A worked example')[1]
        table = [cells(line) for line in section.split('\n') if re.match(r'\| [A-Zf]', line)]
        self.read_bodies([line for line in table if len(line) == 5])
        self.read_rows([line for line in table if len(line) == 8])

    def read_bodies(self, lines):
        self.bodies = [line[0] for line in lines]
        self.mass = [float(line[1]) for line in lines for _ in range(2)]
        self.origin = {line[0]: numbers(line[2]) for line in lines}
        self.w = [x for line in lines for x in numbers(line[3])]
        force = [x for line in lines for x in numbers(line[4])]
        self.a_max = max(abs(f) / m for f, m in zip(force, self.mass))

    def read_rows(self, lines):
        self.names = [line[0] for line in lines]
        self.ends = [[body for body in line[1:3] if body] for line in lines]
        self.gap, self.shift, self.warm = ([float(line[n]) for line in lines] for n in (4, 5, 6))
        self.slope = [{} for _ in lines]
        for slope, line in zip(self.slope, lines):
            for sign, body in ((-1, line[1]), (1, line[2])):
                for c, x in enumerate(numbers(line[3]) if body else []):
                    slope[2 * self.bodies.index(body) + c] = sign * x
        self.a = [sum(g * g / self.mass[k] for k, g in row.items()) for row in self.slope]
        for a, line in zip(self.a, lines):
            assert math.isclose(a, float(line[7])), f'A_ii of {line[0]} is {a}'

    def velocity(self, x):
        """w + M^-1 G^T x"""
        u = self.w[:]
        for row, xi in zip(self.slope, x):
            for k, g in row.items():
                u[k] += g * xi / self.mass[k]
        return u


def printed(program, case):
    """The words of each line that a case of the test program prints."""
    done = subprocess.run([program, case], capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def same(found, wanted, room, what):
    """Ends the test if two numbers differ by more than this."""
    assert abs(found - wanted) <= room, f'{what}: the page gives {found!r}, the library {wanted!r}'
