#!/usr/bin/env python3
"""The figures of a page are those that a test program prints.

    compare_page.py PAGE PROGRAM [ARGUMENT ...]

Every line that the program prints must stand in a block of code of the page, but for the names of
its cases and its last line, which counts them.
"""
import pathlib
import re
import subprocess
import sys


def main():
    page, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    cases = set(command[1:])
    wanted = [line for line in lines[:-1] if line and line not in cases]
    blocks = re.findall(r'^```.*?^```', page.read_text(), flags=re.M | re.S)
    found = {line.rstrip() for block in blocks for line in block.splitlines()}
    missing = [line for line in wanted if line not in found]
    for line in missing:
        print(f'{page.name} has not: {line}')
    print(f'{len(wanted)} lines, {len(missing)} missing')
    return done.returncode != 0 or not wanted or bool(missing)


if __name__ == '__main__':
    sys.exit(main())
