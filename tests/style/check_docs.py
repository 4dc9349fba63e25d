#!/usr/bin/env python3
"""The documents: links lead somewhere, paths and names of code exist, words that stop a reader are
not used, and every word of the glossary has a definition.

    check_docs.py SOURCE

Documents are README.md, CONTRIBUTING.md and docs/*.md. Links are those to files of the tree and to
headings; an address of the web is not looked at. A definition is one or two sentences.
"""
import pathlib
import re
import sys

MOST_WORDS = 25  # of a sentence of the README and the glossary
STUMBLES = re.compile(r'\b(anew|besides|but for|likewise|thereby|of its own|at hand|as it were|'
                      r'in earnest|would do|is none|nobody|somebody|whoever)\b', re.I)
LINK = re.compile(r'\]\(([^)\s]+)\)')
FOLDERS = ('bench', 'cli', 'cmake', 'docs', 'examples', 'include', 'scenes', 'scripts', 'src', 'tests', 'viewer')
PATH = re.compile(r'(?<![\w./<-])(?:thud(?=/\w+\.h)|' + '|'.join(FOLDERS) + r')/[\w./*{},-]*[\w*/}]')
FILE = re.compile(r'[\w-]+\.(?:c|h|py|js|cmake|cpp)')
NAME = re.compile(r'\b(?:thudi?|THUDI?)_\w+')


def prose(text):
    """The text without blocks and spans of code, in which brackets are not links."""
    text = re.sub(r'^```.*?^```', '', text, flags=re.M | re.S)
    return re.sub(r'`[^`\n]*`', '', text)


def anchors(path):
    """The names of a page's headings, as they stand behind '#' in a link."""
    names = set()
    for heading in re.findall(r'^#+ (.*)$', path.read_text(), flags=re.M):
        name = re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')
        names.add(name)
    return names


def broken_links(page):
    for target in LINK.findall(prose(page.read_text())):
        if re.match(r'[a-z]+:', target):
            continue
        name, _, anchor = target.partition('#')
        path = page.parent / name if name else page
        if not path.exists():
            yield f'{page}: there is no {target}'
        elif anchor and anchor not in anchors(path):
            yield f'{page}: {name or page.name} has no heading #{anchor}'


class Tree:
    """What the tree has: its files, and the names in them."""

    def __init__(self, source):
        self.source = source
        self.files = [p.relative_to(source) for folder in FOLDERS
                      for p in (source / folder).rglob('*') if p.is_file()]
        self.files += [p.relative_to(source) for p in source.iterdir() if p.is_file()]
        self.basenames = {p.name for p in self.files}
        self.names = set()
        for path in self.files:
            if path.suffix in ('.c', '.h', '.cpp', '.txt', '.cmake', '.in', '.py', '.js', '') and 'docs' not in path.parts and path.name != 'check_docs.py':
                text = (source / path).read_text(errors='replace')
                self.names.update(NAME.findall(text))

    def has_path(self, path):
        """'*', '{a,b}' and NAME stand for any text. A header may be named as it is included, and a
        program by its source without the ending."""
        if path.startswith('thud/'):
            path = 'include/' + path
        pattern = re.sub(r'\{[^}]*\}|NAME', '*', path.rstrip('/'))
        return any(True for end in ('', '.c') for _ in self.source.glob(pattern + end))

    def has_name(self, name):
        return name in self.names or any(n.startswith(name) for n in self.names if name.endswith('_'))


def unknown_names(page, text, tree):
    """Paths below a folder of the tree, sources named alone, and names of code that are not there."""
    for path in sorted(set(PATH.findall(text))):
        if not tree.has_path(path.rstrip('.')):
            yield f'{page}: there is no {path}'
    for span in sorted(set(re.findall(r'`([^`\n]+)`', text))):
        if FILE.fullmatch(span) and span not in tree.basenames:
            yield f'{page}: no file is called {span}'
    for name in sorted(set(NAME.findall(text))):
        if not tree.has_name(name):
            yield f'{page}: no code is called {name}'


def check_of_names(tree):
    """Does the check find what is not there, and only that?"""
    right = 'See src/layers.txt, thud/rows.h, `check_docs.py`, tests/*/CMakeLists.txt, thud_*_fn, `THUD_OK`.'
    wrong = 'See src/no_such.c, thud/no_such.h, `no_such.py`, thud_no_such(), THUD_NO_SUCH, thudi_no_such.'
    found = [len(list(unknown_names('a page', text, tree))) for text in (right, wrong)]
    if found != [0, 6]:
        yield f'the check of names finds {found[0]} and {found[1]} of what is there and is not'


def stumbles(page):
    for number, line in enumerate(page.read_text().split('\n'), 1):
        for found in STUMBLES.findall(line):
            yield f"{page}:{number}: write '{found}' in plainer words"


def long_sentences(page):
    """Sentences of paragraphs and lists; not of tables, headings and code."""
    text = re.sub(r'^(#|\||    |!\[).*$', '', prose(page.read_text()), flags=re.M)
    for paragraph in re.split(r'\n\s*\n|^\s*- ', text, flags=re.M):
        for sentence in re.split(r'(?<=[.?!:])[*")]*\s+(?=[A-Z*"(\[])', ' '.join(paragraph.split())):
            if len(sentence.split()) > MOST_WORDS:
                yield f'{page}: more than {MOST_WORDS} words: {sentence[:60]} ...'


def faults_of_entry(word, entry):
    paragraphs = [' '.join(p.split()) for p in entry.strip().split('\n\n')]
    definition = paragraphs[0]
    sentences = [s for s in re.split(r'(?<=[.?!])\s+(?=[A-Z])', definition) if s]
    if not definition.endswith('.') or not 1 <= len(sentences) <= 2:
        yield f"glossary: '{word}' has no definition of one or two sentences"
    for sentence in re.split(r'(?<=[.?!])\s+(?=[A-Z])', ' '.join(paragraphs)):
        if len(sentence.split()) > MOST_WORDS:
            yield f"glossary: '{word}' has a sentence of more than {MOST_WORDS} words"
    if not LINK.search(paragraphs[-1]):
        yield f"glossary: '{word}' does not end with a link"


def faults_of_glossary(page):
    parts = re.split(r'^## (.*)$', page.read_text(), flags=re.M)[1:]
    words, entries = parts[::2], parts[1::2]
    if len(words) < 40:
        yield f'glossary: {len(words)} words were found'
    if words != sorted(words) or len(set(words)) != len(words):
        yield 'glossary: the words are not in alphabetical order, or one stands twice'
    for word, entry in zip(words, entries):
        if word != word.lower() or len(word) > 39:
            yield f"glossary: '{word}' is not in small letters, or has more than 39"
        yield from faults_of_entry(word, entry)


def main():
    source = pathlib.Path(sys.argv[1])
    pages = [source / 'README.md', source / 'CONTRIBUTING.md', *sorted(source.glob('docs/*.md'))]
    faults = [fault for page in pages for fault in broken_links(page)]
    tree = Tree(source)
    faults += check_of_names(tree)
    readme = pages[0].read_text()
    faults += [f'README.md does not say what {f}/ is' for f in FOLDERS if f'| [{f}/' not in readme]
    faults += [fault for page in pages for fault in unknown_names(page, page.read_text(), tree)]
    faults += [fault for page in pages for fault in stumbles(page)]
    faults += long_sentences(pages[0])
    faults += faults_of_glossary(source / 'docs/glossary.md')
    print('\n'.join(faults) or f'{len(pages)} pages')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
