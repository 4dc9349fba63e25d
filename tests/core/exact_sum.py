#!/usr/bin/env python3
"""The sums that test_exact_sum prints, computed again with fractions.

    exact_sum.py PROGRAM

A line has terms, "=" and the sum. Python's float(Fraction) rounds once, to nearest and even.
"""
import subprocess
import sys
from fractions import Fraction


def rounded(terms):
    """The exact sum, rounded once; infinite where it is too large."""
    total = sum(map(Fraction, terms))
    try:
        return float(total)
    except OverflowError:
        return float('inf') if total > 0 else float('-inf')


def main():
    lines = subprocess.run([sys.argv[1], 'printed'], check=True, capture_output=True, text=True).stdout.splitlines()
    wrong = sums = overflows = 0
    for line in lines:
        if ' = ' not in line or not line.lstrip('-').startswith('0x'):
            continue
        terms, value = line.split(' = ')
        wanted = rounded([float.fromhex(x) for x in terms.split()])
        value = float.fromhex(value)
        sums += 1
        overflows += wanted in (float('inf'), float('-inf'))
        if value.hex() != wanted.hex():
            wrong += 1
            print(f'{line}: wanted {wanted.hex()}')
    print(f'{sums} sums, {overflows} too large: {wrong} wrong')
    return 1 if wrong or sums < 600 or overflows == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
