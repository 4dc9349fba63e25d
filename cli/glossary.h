// The glossary, docs/glossary.md, embedded at build time: 'thud help WORD'.
#ifndef CLI_GLOSSARY_H
#define CLI_GLOSSARY_H

// The text of docs/glossary.md.
extern const char cli_glossary[];

enum
{
    CLI_WORDS = 200,    // entries, at most
    CLI_WORD_SIZE = 40, // bytes of a word, with its end
};

typedef struct cli_word
{
    char name[CLI_WORD_SIZE]; // as in its heading
    const char *text;         // what follows the heading
    int length;               // bytes of the text
} cli_word;

// Read the headings. Returns how many words there are.
int cli_read_words(cli_word words[CLI_WORDS]);

// Print the entry of a word, in which blanks, '-' and '_' are the same. CLI_USAGE, with the nearest
// name of a word or command, when there is none.
int cli_print_word(const char *wanted);

// Print all words, one a line.
int cli_print_words(void);

#endif
