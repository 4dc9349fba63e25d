#!/usr/bin/env python3
"""The bits of row keys are known to one module.

    check_keys.py ROOT

No other source takes the bits of a key, or makes one of shifted numbers.
"""

import re
import sys
from pathlib import Path

MODULE = {"include/thud/key.h", "src/rows/key.h", "src/rows/key.c", "tests/rows/test_key.c"}
OTHER = {  # keys of random numbers, not of rows
    "src/core/math/normal.c",
    "src/verify/checker_noise.c",
}
KEY = r"\b(?:\w+_)?key\b"
SLIPS = [
    (re.compile(KEY + r"\s*(?:<<|>>|&(?!&)|\|(?!\|)|\^|%)=?"), "takes bits of a key"),
    (re.compile(r"(?:<<|>>|~|\^|(?<!\|)\|)\s*\(?(?:\w+(?:\[\w+\])?(?:\.|->))*" + KEY), "takes bits of a key"),
    (re.compile(r"(?:\.key|\bthud_key \w+)\s*=[^=][^,;]*(?:<<|(?<!\|)\|(?!\|))"), "makes a key of bits"),
    (re.compile(r"\((?:u?int\d*_t|u?int|unsigned|size_t|long)\)\s*\(?(?:\w+(?:\[\w+\])?(?:\.|->))*" + KEY), "takes a key for a number"),
    (re.compile(KEY + r"(?:\([^()]*\))?\.bits\b"), "takes bits of a key"),
    (re.compile(r"\buint64_t \*?" + KEY), "has a key that is no thud_key"),
]
WRONG = [
    "uint64_t low = row.key.bits;",
    "int a = (int)(row.key >> 32);",
    "if (m->key & 0x80000000u)",
    "x = {.key = (uint64_t)a << 32 | (uint64_t)b};",
    "thud_key key = UINT64_C(1) << 63 | k;",
    "state->multipliers[i].key |= image << 25;",
    "uint32_t low = (uint32_t)multiplier->key;",
    "low = mask | rows[i].key;",
    "static void stir(uint64_t key)",
]
RIGHT = [
    "if (thud_key_before(a.key, b.key) || thud_key_same(a.key, b.key))",
    "thud_key key = thud_key_pair(a, b, m & 3);",
    "thud_key_read(&multiplier->key, space);",
    "wanted |= (unsigned)remembers(&m, key) << k;",
    "while (i < count && thud_key_before(heads[i].key, kept->key))",
]


def slip_of(line):
    """What is wrong with a line of code, or None."""
    for pattern, what in SLIPS:
        if pattern.search(line):
            return what
    return None


def lines_of(path):
    """The lines of a file without comments and texts, numbered."""
    text = path.read_text(encoding="utf-8")
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", blank, text, flags=re.S)
    return enumerate(text.split("\n"), 1)


def main():
    root = Path(sys.argv[1])
    failed = [line for line in WRONG if not slip_of(line)] + [line for line in RIGHT if slip_of(line)]
    if failed:
        print("the check itself is wrong about:", *failed, sep="\n    ")
        return 1
    files = [path for folder in ("src", "include", "cli", "tests", "bench", "examples")
             for path in sorted((root / folder).rglob("*.[ch]"))]
    slips = 0
    for path in files:
        name = str(path.relative_to(root))
        if name in MODULE or name in OTHER:
            continue
        for number, line in lines_of(path):
            what = slip_of(line)
            if what:
                slips += 1
                print(f"{name}:{number}: {what}: use thud/key.h")
    print(f"{len(files)} files, {slips} with the bits of a key")
    return slips > 0 or len(files) < 100


sys.exit(main())
