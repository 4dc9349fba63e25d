#!/usr/bin/env python3
"""Does check_layers.py find what it is for?

    test_layers.py SOURCE BUILD

In copies of the tree and of the list of objects one line is added: an include of a folder above, a
private header of another library, a public header of a library that is not needed, a private symbol
of another library, of a folder above. Each must be found, by its folders, and nothing else besides
what the tree has.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import check_layers


def includes(source, plan):
    return set(check_layers.edges_of_includes(source, plan))


def expect(what, found, folder, target):
    """found: the edges that came with the change."""
    fine = [edge[:2] for edge in found] == [(folder, target)]
    print(f'{"found" if fine else "WRONG"}: {what}' + ('' if fine else f': {sorted(found)}'))
    return fine


def test_includes(source, scratch):
    """Each include once, behind the last line of a file."""
    shutil.copytree(source / 'src', scratch / 'src', ignore=lambda folder, names: [
        n for n in names if pathlib.Path(folder, n).is_file() and not n.endswith(('.c', '.h', '.txt'))])
    plan = check_layers.Plan(scratch / 'src' / 'layers.txt')
    before = includes(scratch, plan)
    fine = True
    for what, path, header, target in (
            ('an include of a folder above', 'rows/key.c', 'step/work.h', 'step'),
            ('a private header of another library', 'verify/checker.c', 'rows/rows.h', 'rows'),
            ('a public header of a library above', 'rows/key.c', 'thud/scene.h', 'thud/scene.h'),
            ('a public header that no library has', 'rows/key.c', 'thud/none.h', 'thud/none.h')):
        file = scratch / 'src' / path
        text = file.read_text()
        file.write_text(text + f'#include "{header}"\n')
        after = includes(scratch, plan)
        file.write_text(text)
        fine = expect(what, after - before, str(pathlib.PurePath(path).parent), target) and fine
    return fine


def private_symbol(build, folder):
    """One that an object of the folder defines."""
    objects = [o for o in check_layers.objects_of(build) if check_layers.folder_of_object(o) == folder]
    lines = subprocess.run(['nm', '-g', '--defined-only', *objects], cwd=build, check=True, text=True,
                           capture_output=True).stdout.split('\n')
    return next(line.split()[-1] for line in lines if ' T thudi_' in line)


def test_symbols(source, build, scratch):
    """An object more, which uses a symbol that it must not; the others are those of the build."""
    plan = check_layers.Plan(source / 'src' / 'layers.txt')
    before = set(check_layers.edges_of_symbols(build, plan))
    objects = check_layers.objects_of(build)
    for name in objects:
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).symlink_to(build / name)
    fine = True
    for what, folder, owner in (('a private symbol of another library', 'record', 'step'),
                                ('a private symbol of a folder above', 'rows', 'step')):
        symbol = private_symbol(build, owner)
        added = f'src/CMakeFiles/folder_{folder}.dir/{folder}/doctored.c.o'
        (scratch / 'doctored.c').write_text(f'void {symbol}(void);\nvoid doctored(void);\n'
                                            f'void doctored(void)\n{{\n    {symbol}();\n}}\n')
        subprocess.run(['cc', '-c', 'doctored.c', '-o', added], cwd=scratch, check=True)
        (scratch / 'compile_commands.json').write_text(json.dumps(
            [{'command': f'cc -o {name}'} for name in (*objects, added)]))
        after = set(check_layers.edges_of_symbols(scratch, plan))
        fine = expect(what, after - before, folder, owner) and fine
    return fine


def main():
    source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        fine = test_includes(source, pathlib.Path(one))
        fine = test_symbols(source, build, pathlib.Path(two)) and fine
    sys.exit(0 if fine else 1)


if __name__ == '__main__':
    main()
