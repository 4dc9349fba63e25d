// The known name nearest to a misspelt one: the smallest Damerau-Levenshtein distance.
#include "thud/text.h"

#include <string.h>

enum
{
    LONGEST = 80 // compared bytes of a word; longer words get no suggestion
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Edits that turn a into b, both at most LONGEST long; no byte is edited twice.
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST + 1] = {{0}};
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
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
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

const char *thud_nearest(const char *word, size_t length, const char *const *names, int count)
{
    size_t best = (length > 3 ? length : 3) / 3 + 1;
    const char *found = NULL;
    for (int i = 0; length > 1 && length <= LONGEST && i < count; i++)
    {
        size_t name_length = strlen(names[i]);
        if (name_length > LONGEST)
            continue;
        size_t d = distance(word, length, names[i], name_length);
        if (d < best)
        {
            best = d;
            found = names[i];
        }
    }
    return found;
}
