#!/usr/bin/env python3
"""The tables of keys in docs/scenes.md are those that the program prints; so is the table of contact
laws in docs/models.md.

    check_scene_docs.py THUD docs/scenes.md scene [--update]
    check_scene_docs.py THUD docs/models.md laws [--update]

Each stands between '<!-- keys: NAME -->' and '<!-- end of keys -->'. --update writes them anew.
"""
import re
import subprocess
import sys

BLOCK = re.compile(r"<!-- keys: (\w+) -->\n.*?<!-- end of keys -->\n", re.DOTALL)


def main(program, path, topic, update):
    printed = subprocess.run([program, "help", topic, "--markdown"], check=True,
                             capture_output=True, encoding="utf-8").stdout
    tables = {match.group(1): match.group(0) for match in BLOCK.finditer(printed)}
    with open(path, encoding="utf-8") as file:
        page = file.read()
    found = [match.group(1) for match in BLOCK.finditer(page)]
    wrong = 0
    for name in sorted(set(tables) ^ set(found)):
        print(f"{path}: the table '{name}' is " + ("missing" if name in tables else "unknown"))
        wrong += 1
    if len(found) != len(set(found)):
        print(f"{path}: a table stands twice")
        wrong += 1
    renewed = BLOCK.sub(lambda match: tables.get(match.group(1), match.group(0)), page)
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(renewed)
    elif renewed != page:
        print(f"{path} is stale: run {sys.argv[0]} THUD {path} {topic} --update")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4], "--update" in sys.argv[4:]))
