// Finds the known name nearest to a misspelt one. The measure is the restricted Damerau-Levenshtein
// distance, also called optimal string alignment.
#include "thud/text.h"

#include <string.h>

enum
{
    LONGEST = 80 // bytes; longer words get no suggestion, and longer names are not suggested
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The number of edits that turn a into b: insert, delete or replace a byte, or exchange neighbours.
// No byte is edited twice. Both lengths are at most LONGEST.
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    // at [j]: edits from the first i - 2, i - 1 and i bytes of a to the first j of b
    size_t table[3][LONGEST + 1] = {{0}};
    size_t *before = table[0], *last = table[1], *now = table[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++)
    {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++)
        {
            size_t cost = a[i - 1] != b[j - 1];
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        size_t *unused = before;
        before = last;
        last = now;
        now = unused;
    }
    return last[b_length];
}

const char *thud_nearest(const char *word, size_t length, const char *const *names, int count)
{
    // at most a third of the bytes may be edited, but one always may
    size_t best = (length > 3 ? length : 3) / 3 + 1;
    const char *found = NULL;
    for (int i = 0; length > 1 && length <= LONGEST && i < count; i++)
    {
        size_t name_length = strlen(names[i]);
        if (name_length > LONGEST)
            continue;
        size_t edits = distance(word, length, names[i], name_length);
        if (edits < best)
        {
            best = edits;
            found = names[i];
        }
    }
    return found;
}
