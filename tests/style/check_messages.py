"""No code reads a message back: words are for people, numbers of a fault are for programs.

check_messages.py ROOT          fails where a source looks for text in a fault, a hint or run.json
check_messages.py ROOT finds    does it find what it must find?
"""
import pathlib
import re
import sys

READERS = r'\b(?:strstr|strncmp|strtol|strtoll|strtod|sscanf|atoi)\('
WORDS = r'(?:fault|found|damage|failure)(?:->|\.)(?:text|hint)|message|refusal|\bjson\b|_message\('
PATTERN = re.compile(READERS + r'[^;]*(?:' + WORDS + r')')


def look(name, text):
    return [f'{name}: {m.group(0)[:80]}: read a number of the fault, or thud/json.h, instead'
            for m in PATTERN.finditer(text)]


def main():
    root = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ['finds']:
        bad = ['strstr(fault->text, "x")', 'strncmp(hint_of(f), r->fault->hint, 3)',
               'strtol(message + 3, NULL, 10)', 'strstr(json, key)']
        sys.exit(0 if all(look('', line) for line in bad) else 'a reader of messages is not found')
    faults = []
    for folder in ('src', 'cli'):
        for path in sorted((root / folder).rglob('*.c')):
            if path.name != 'json_read.c':  # the reader of JSON itself
                faults += look(path.relative_to(root), path.read_text())
    sys.exit('\n'.join(faults) or 0)


main()
