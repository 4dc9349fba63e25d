// The known name nearest to a misspelt one, for hints.
#ifndef THUDI_NEAREST_H
#define THUDI_NEAREST_H

#include <stddef.h>

// The first of those names nearest to word[0 .. length), counted in bytes added, dropped, replaced,
// or swapped with their neighbour; NULL when more than a third of max(length, 3) would have to be.
const char *thudi_nearest(const char *word, size_t length, const char *const *names, int count);

#endif
