"""A contact law is one file on each side: no other code asks which law a problem has.

check_laws.py ROOT          fails where a source outside of the laws names one of them
check_laws.py ROOT finds    does it find what it must find?
"""
import pathlib
import re
import sys

NAME = re.compile(r'\bTHUD_LAW_[A-Z0-9_]+')
FOLDERS = ('include', 'src', 'cli', 'viewer/src')
# The list itself, the files of the laws, and the checker's own files.
MAY_NAME = ('include/thud/law.h', 'src/laws/', 'src/verify/laws/')
SUFFIXES = ('.c', '.h', '.js')


def look(name, text):
    if name.startswith(MAY_NAME):
        return []
    return [f"{name}: {law}: ask for what the law needs, by thud_law_find or thud_law_has"
            for law in sorted(set(NAME.findall(text)))]


def finds():
    bad = ('if (law == THUD_LAW_GLUE)', 'case THUD_LAW_RESTITUTION:', 'THUD_LAW_LIST(X)')
    files = ('src/step/step.c', 'cli/report.c', 'src/scene/table_laws.c')
    return (all(look(name, line) for name in files for line in bad) and
            not look('src/laws/glue.c', bad[0]) and not look('src/step/step.c', 'MY_THUD_LAWS'))


def main():
    root = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ['finds']:
        sys.exit(0 if finds() else 'a file that names a law is not found')
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob('*'))
             if path.suffix in SUFFIXES]
    named = [path for path in files if NAME.search(path.read_text())]
    faults = [fault for path in named
              for fault in look(path.relative_to(root).as_posix(), path.read_text())]
    if not faults and len(named) < 5:
        sys.exit('the laws themselves were not found')
    sys.exit('\n'.join(faults) or 0)


main()
