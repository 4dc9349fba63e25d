#!/usr/bin/env python3
"""The plan of the house, src/layers.txt, against every include and every symbol.

    check_layers.py SOURCE BUILD
    check_layers.py --draw SOURCE     draw the plan anew in docs/architecture.md

Includes: a folder may include itself, core, the folders that its line names, the public headers of
its own library and of those that its library needs. Symbols: an object may use private functions
(thudi_...) of the same folders, and no others but lists that such a folder declares and one below
it defines; a function of another library must be public. The
drawing in docs/architecture.md must be that of the plan.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

MOST_FILES = 30  # of a folder
CORE = {'core', 'core/math'}  # every folder may use it


class Plan:
    """What src/layers.txt says."""

    def __init__(self, path):
        self.library_of, self.may, self.needs, self.header_of = {}, {}, {}, {}
        self.exceptions, self.what, self.lists = {}, {}, {}
        library = None
        for number, line in enumerate(path.read_text().split('\n'), 1):
            line, _, what = line.partition('#')
            words = line.split()
            if not words:
                continue
            kind, *words = words
            if kind == 'library':
                library, *needs = words
                self.needs[library] = needs
            elif kind == 'headers':
                self.header_of.update({name: library for name in words})
            elif kind == 'folder':
                folder, *others = words
                self.library_of[folder] = library
                self.may[folder] = {folder, *CORE, *others}
                self.what[folder] = what.strip()
            elif kind == 'list' and len(words) == 2:
                self.lists[words[1]] = words[0]
            elif kind == 'except' and len(words) > 2:
                self.exceptions[tuple(words[:2])] = ' '.join(words[2:])
            else:
                sys.exit(f'{path}:{number}: what is this: {line}')

    def faults(self):
        """Folders that are unknown, or that include one that is not below them."""
        known = []
        for folder, others in self.may.items():
            for other in sorted(others - {folder}):
                if other not in known and other not in CORE:
                    yield f'layers.txt: {folder} may include {other}, which does not come before it'
                elif other not in CORE and self.library_of[other] != self.library_of[folder]:
                    yield f'layers.txt: {folder} may include {other} of another library'
            known.append(folder)


    def folders_of(self, library):
        return [folder for folder, owner in self.library_of.items() if owner == library]

    def below(self, folder):
        """The folders that it may include, but for itself and core, in the order of the plan."""
        return [f for f in self.may if f in self.may[folder] and f != folder and f not in CORE]

    def steps_down(self, folder):
        """Of these the ones that none of the others may include: the arrows of a drawing."""
        below = self.below(folder)
        return [f for f in below if not any(f in self.below(other) for other in below)]


def draw(plan):
    """The plan as a graph in the language of Mermaid, and as a table."""
    node = lambda folder: folder.replace('/', '_')
    lines = ['```mermaid', 'flowchart TB']
    for library in reversed(plan.needs):
        lines.append(f'    subgraph lib{library}')
        for folder in plan.folders_of(library):
            lines.append(f'        {node(folder)}["{folder}"]')
        for folder in plan.folders_of(library):
            lines += [f'        {node(folder)} --> {node(f)}' for f in plan.steps_down(folder)]
        lines.append('    end')
    for library, needs in plan.needs.items():
        nearest = [n for n in needs if not any(n in plan.needs[other] for other in needs)]
        lines += [f'    lib{library} ==> lib{n}' for n in nearest]
    lines += ['```', '', '| folder | what it holds | may include |', '|---|---|---|']
    for library, needs in plan.needs.items():
        headers = ', '.join(name for name, owner in plan.header_of.items() if owner == library)
        below = ', '.join(f'lib{n}' for n in needs) or 'libc, libm, OpenMP'
        lines.append(f'| **lib{library}** | headers: {headers} | {below} |')
        for folder in plan.folders_of(library):
            below = ', '.join(plan.below(folder))
            lines.append(f'| `src/{folder}` | {plan.what[folder]} | {below} |')
    if plan.exceptions:
        lines += ['', 'These edges are still there against the plan:', '',
                  '| folder | includes | why |', '|---|---|---|']
    for (folder, other), why in plan.exceptions.items():
        lines.append(f'| `src/{folder}` | {other} | {why} |')
    return '\n'.join(lines) + '\n'


BEGIN = '<!-- Made from src/layers.txt by tests/style/check_layers.py --draw: do not edit. -->\n'
END = '<!-- The end of what is made. -->\n'


def drawing(source):
    """(text before, drawing, text behind) of docs/architecture.md."""
    text = (source / 'docs' / 'architecture.md').read_text()
    before, _, rest = text.partition(BEGIN)
    shown, _, behind = rest.partition(END)
    return before, shown, behind


def faults_of_drawing(source, plan):
    if drawing(source)[1].strip() != draw(plan).strip():
        yield ('docs/architecture.md is not as src/layers.txt says: '
               'python3 tests/style/check_layers.py --draw .')


def faults_of_headers(source, plan):
    there = {path.stem for path in (source / 'include' / 'thud').glob('*.h')}
    for name in sorted(there ^ set(plan.header_of)):
        yield f'include/thud/{name}.h is in layers.txt alone, or not in it'
    for folder in plan.may:
        if not plan.what[folder]:
            yield f'layers.txt: what {folder} holds is not said'


def edges_of_includes(source, plan):
    """(folder, folder or public header, where) for each include that the plan does not allow."""
    ours = {path.name for top in ('src', 'cli') for path in (source / top).rglob('*.h')}
    for path in sorted((source / 'src').rglob('*.[ch]')):
        folder = str(path.parent.relative_to(source / 'src'))
        if folder not in plan.may:
            yield folder, '?', f'{path}: the folder is not in layers.txt'
            continue
        reach = {plan.library_of[folder], *plan.needs[plan.library_of[folder]]}
        for number, line in enumerate(path.read_text().split('\n'), 1):
            found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not found:
                continue
            name, where = found[1], f'{path.relative_to(source)}:{number}: {line.strip()}'
            target = str(pathlib.PurePath(name).parent)
            if target == 'thud':
                owner = plan.header_of.get(pathlib.PurePath(name).stem)
                if owner not in reach:
                    yield folder, name, where
            elif target == '.' and name not in ours:
                continue  # the build makes it
            elif target not in plan.may[folder]:
                yield folder, target, where


def folder_of_object(name):
    return re.sub(r'.*?CMakeFiles/folder_\w+\.dir/', '', name).rpartition('/')[0]


def objects_of(build):
    commands = json.loads((build / 'compile_commands.json').read_text())
    names = [re.search(r' -o (src/\S+\.o)', c['command']) for c in commands]
    return sorted({n[1] for n in names if n and '/folder_' in n[1]})


def edges_of_symbols(build, plan):
    """(folder, folder, symbol) for each use of a private symbol that the plan does not allow."""
    objects = objects_of(build)
    if len(objects) < 100:
        sys.exit(f'style: {len(objects)} objects in {build}')
    output = subprocess.run(['nm', '-A', '-g', *objects], cwd=build, check=True, text=True,
                            capture_output=True).stdout
    defined, used = {}, collections.defaultdict(set)
    for line in output.split('\n'):
        found = re.match(r'(\S+?):\s*[0-9a-f]*\s+(\w) (thudi?_\w+)$', line)
        if not found:
            continue
        name, kind, symbol = found.groups()
        if kind == 'U':
            used[symbol].add(name)
        else:
            defined[symbol] = folder_of_object(name)
    for symbol, owner in sorted(defined.items()):
        for user in sorted(used[symbol]):
            folder = folder_of_object(user)
            if folder not in plan.may or owner not in plan.may:
                continue
            if symbol.startswith('thudi_'):
                if owner not in plan.may[folder] and plan.lists.get(symbol) not in plan.may[folder]:
                    yield folder, owner, f'{user} uses {symbol}'
            elif plan.library_of[owner] not in (plan.library_of[folder],
                                                *plan.needs[plan.library_of[folder]]):
                yield folder, owner, f'{user} uses {symbol}'


def sizes(source, plan):
    for folder in plan.may:
        files = list((source / 'src' / folder).glob('*.[ch]'))
        if len(files) > MOST_FILES:
            yield f'src/{folder} has {len(files)} files, at most {MOST_FILES}'
        if not files:
            yield f'src/{folder} is in layers.txt and has no files'


def check(source, build):
    """All faults of the tree, as lines of text."""
    plan = Plan(source / 'src' / 'layers.txt')
    faults = [*plan.faults(), *sizes(source, plan), *faults_of_headers(source, plan),
              *faults_of_drawing(source, plan)]
    met = set()
    for folder, target, where in (*edges_of_includes(source, plan), *edges_of_symbols(build, plan)):
        if (folder, target) in plan.exceptions:
            met.add((folder, target))
        else:
            faults.append(f'{folder} -> {target}: {where}')
    faults += [f'layers.txt: the exception {a} {b} is not needed any more'
               for a, b in sorted(set(plan.exceptions) - met)]
    return faults


def main():
    if sys.argv[1] == '--draw':
        source = pathlib.Path(sys.argv[2])
        before, _, behind = drawing(source)
        shown = draw(Plan(source / 'src' / 'layers.txt'))
        (source / 'docs' / 'architecture.md').write_text(before + BEGIN + '\n' + shown + '\n' + END + behind)
        return
    source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    faults = check(source, build)
    print('\n'.join(faults) or 'every include and every symbol is as src/layers.txt says')
    sys.exit(1 if faults else 0)


if __name__ == '__main__':
    main()
