// Prints the contact laws: 'thud help laws'.
#ifndef CLI_LAW_HELP_H
#define CLI_LAW_HELP_H

// Print every law, what its contacts do, and its numbers.
void cli_print_laws(void);

// Print the laws as the Markdown table that docs/models.md contains.
void cli_print_law_table(void);

#endif
