/// Random expressions as text.
#ifndef EXPRESSION_SAMPLES_H
#define EXPRESSION_SAMPLES_H

#include "thud_test.h"

enum
{
    SAMPLE_LENGTH = 1000 ///< bytes of a text at most, its end included
};

/// A well-formed expression of x0 ... x3, t and k, nested at most `depth` deep.
void expression_sample(test_random *random, int depth, char text[SAMPLE_LENGTH]);

#endif
