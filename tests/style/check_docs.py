#!/usr/bin/env python3
"""The documents: links lead somewhere, words that stop a reader are not used, and every word of the
glossary has a definition.

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
    faults += [fault for page in pages for fault in stumbles(page)]
    faults += long_sentences(pages[0])
    faults += faults_of_glossary(source / 'docs/glossary.md')
    print('\n'.join(faults) or f'{len(pages)} pages')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
