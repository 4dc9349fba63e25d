"""What a program compiled against the public headers relies on, as a list: tests/install/abi.txt.

abi.py check FILE               is the list that of the headers?
abi.py renew FILE [--released]  write it, unless it is released and more than additions

The list has a line for each struct (its size and a checksum of its fields), enumeration, function,
type of function and inline function, by library. docs/library.md says when it may change.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def soname():
    version = re.search(r'project\(thud VERSION (\d+)\.(\d+)', (ROOT / 'CMakeLists.txt').read_text())
    return version[1] if version[1] != '0' else f'0.{version[2]}'


def headers():
    """(library, header) in the order of src/layers.txt."""
    library = None
    for line in (ROOT / 'src' / 'layers.txt').read_text().split('\n'):
        words = line.partition('#')[0].split()
        if words[:1] == ['library']:
            library = words[1]
        elif words[:1] == ['headers']:
            yield from ((library, word) for word in words[1:])


def compiled(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / 'all.c'
        source.write_text(text)
        return subprocess.run(['gcc', '-std=c17', f'-I{ROOT / "include"}', *options, str(source)],
                              check=True, text=True, capture_output=True, cwd=folder).stdout


def texts(names):
    """The preprocessed text of each header, without those that it includes."""
    output = compiled(''.join(f'#include <thud/{name}.h>\n' for name in names), '-E')
    found, now = {name: [] for name in names}, None
    for line in output.split('\n'):
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            path = pathlib.Path(marker[1])
            now = path.stem if path.parent.name == 'thud' else None
        elif now in found:
            found[now].append(line)
    return {name: ' '.join(' '.join(lines).split()) for name, lines in found.items()}


def declarations(text):
    """The text in pieces, each a declaration or a function with its body."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character == '{') - (character == '}')
        piece = text[start:at + 1].strip()
        is_body = character == '}' and piece.startswith('static')
        if depth == 0 and (character == ';' or is_body):
            yield piece
            start = at + 1


def kind_of(piece):
    """(kind, name), or None for what has no place in the list."""
    for pattern, kind in ((r'typedef struct (\w+) {', 'struct'), (r'typedef (?:enum) (\w+) {', 'enum'),
                          (r'enum { (\w+)', 'constants'),
                          (r'static inline [^(]*?\b(\w+)\(', 'inline'),
                          (r'typedef struct (\w+) \w+;', None),
                          (r'typedef [^({]*?\b(\w+)\(', 'callback'),
                          (r'typedef .*?\b(\w+);$', 'type'),
                          (r'[^({]*?\b(thud_\w+)\(', 'function')):
        found = re.match(pattern, piece)
        if found:
            return (kind, found[1]) if kind else None
    sys.exit(f'abi: this declaration is not understood: {piece}')


def sizes(names, structs):
    lines = [f'#include <thud/{name}.h>' for name in names] + ['#include <stdio.h>', 'int main(void) {']
    lines += [f'printf("{struct} %zu\\n", sizeof({struct}));' for struct in structs] + ['return 0; }']
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / 'sizes'
        compiled('\n'.join(lines) + '\n', '-o', str(program))
        output = subprocess.run([program], check=True, text=True, capture_output=True).stdout
    return dict(line.split() for line in output.splitlines())


def current():
    of = list(headers())
    names = [name for _, name in of]
    text, found = texts(names), []
    for library, name in of:
        for piece in declarations(text[name]):
            kind = kind_of(piece)
            if kind:
                found.append((library, *kind, f'{zlib.crc32(piece.encode()):08x}'))
    size = sizes(names, [name for _, kind, name, _ in found if kind == 'struct'])
    lines = [' '.join((library, kind, name, *([size[name]] if kind == 'struct' else []), sum))
             for library, kind, name, sum in found]
    return [f'soname {soname()}', *sorted(lines)]


def changes(stored, now):
    """Lines in words for what was there and is not, or is another; and for what was added."""
    def table(lines):
        return {tuple(line.split()[:3]): line for line in lines[1:]}
    old, new = table(stored), table(now)
    broken = [f'{" ".join(key)} ' + ('is gone' if key not in new else 'has changed')
              for key in old if new.get(key) != old[key]]
    return broken, [f'{" ".join(key)} is new' for key in new if key not in old]


def is_released():
    """Is a version with this SONAME tagged?"""
    tags = subprocess.run(['git', '-C', str(ROOT), 'tag', '--list', f'v{soname()}.*'], text=True,
                          capture_output=True, check=False)
    return bool(tags.stdout.strip())


def main():
    what, path = sys.argv[1], pathlib.Path(sys.argv[2])
    stored = path.read_text().splitlines() if path.exists() else ['soname none']
    now = current()
    broken, added = changes(stored, now)
    if what == 'renew':
        released = is_released() or '--released' in sys.argv
        if broken and released and stored[0] == now[0]:
            sys.exit('\n'.join([*broken, f'abi: {soname()} is released: raise the minor version in '
                                         'CMakeLists.txt first, which is the SONAME']))
        path.write_text('\n'.join(now) + '\n')
    elif stored != now:
        if stored[0] != now[0]:
            broken.append(f'the SONAME is {now[0].split()[1]}, in the list {stored[0].split()[1]}')
        sys.exit('\n'.join([*broken, *added, 'abi: renew the list, see docs/library.md: '
                            'python3 tests/install/abi.py renew tests/install/abi.txt']))


if __name__ == '__main__':
    main()
