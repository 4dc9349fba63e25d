// What libyaml found wrong, in one plain sentence.
#ifndef THUDI_YAML_PROBLEM_H
#define THUDI_YAML_PROBLEM_H

#include "text/tree.h"

#include <yaml.h>

typedef struct thudi_yaml_problem
{
    yaml_mark_t mark; // where
    char text[200];
    const char *hint;
    char own_hint[200]; // room for a hint that quotes the text
} thudi_yaml_problem;

// Explain the error of a parser that failed on a source.
void thudi_yaml_find_problem(const yaml_parser_t *parser, const thudi_source *source,
                             thudi_yaml_problem *problem);

#endif
