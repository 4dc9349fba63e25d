"""The functions that installed headers declare.

declared.py list HEADER...      a line for each function with THUD_API: HEADER FUNCTION
declared.py program HEADER...   a C program that takes the address of each of them
"""
import pathlib
import re
import sys


def functions(header):
    text = pathlib.Path(header).read_text()
    text = re.sub(r'//[^\n]*|/\*(?s:.*?)\*/', '', text)
    return re.findall(r'\bTHUD_API\b[^;{]*?\b(thud_\w+)\s*\(', text)


def program(headers):
    lines = [f'#include <thud/{pathlib.Path(h).name}>' for h in headers]
    lines += ['#include <stdio.h>', 'typedef void any_fn(void);',
              'static any_fn *const functions[] = {']
    lines += [f'    (any_fn *){name},' for h in headers for name in functions(h)]
    lines += ['};', 'int main(void)', '{', '    size_t found = 0;',
              '    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)',
              '        found += functions[i] != NULL;',
              '    printf("%zu\\n", found);', '    return 0;', '}']
    return lines


def main():
    what, headers = sys.argv[1], sorted(sys.argv[2:])
    if what == 'program':
        print('\n'.join(program(headers)))
    else:
        for header in headers:
            for name in functions(header):
                print(pathlib.Path(header).stem, name)


if __name__ == '__main__':
    main()
