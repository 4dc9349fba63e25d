// The limits of expressions, and the search for the nearest name.
#include "thud_test.h"

#include "thud/expression.h"

#include <stdlib.h>
#include <string.h>

static const char *const coordinates[] = {"x"};
static const thud_symbols symbols = {.coordinates = coordinates, .coordinate_count = 1};

// A text of `count` times `piece` between `before` and `after`.
static char *repeated(const char *before, const char *piece, int count, const char *after)
{
    size_t size = strlen(before) + strlen(piece) * (size_t)count + strlen(after) + 1, used = 0;
    char *text = malloc(size);
    if (!text)
        abort();
    used += (size_t)snprintf(text, size, "%s", before);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s", piece);
    (void)snprintf(text + used, size - used, "%s", after);
    return text;
}

static void check_limit(char *text, int column, const char *message)
{
    thud_expression *e = NULL;
    thud_fault fault = {.column = 0};
    thud_status status = thud_expression_create(text, strlen(text), &symbols, NULL, &e, &fault);
    thud_status wanted = message ? THUD_ERR_LIMIT : THUD_OK;
    if (status != wanted ||
        (message && (fault.column != column || strcmp(fault.text, message) != 0)))
        test_fail(__FILE__, __LINE__, "'%.20s...': %s, column %d, %s", text,
                  thud_status_name(status), fault.column, fault.text);
    thud_expression_destroy(e);
    free(text);
}

static void limits(void)
{
    const char *deep = "it is nested more than 64 levels deep",
               *length = "the expression has more than 4096 characters";
    check_limit(repeated("", "-", 64, "x"), 0, NULL);
    check_limit(repeated("", "-", 65, "x"), 65, deep);
    check_limit(repeated("", "2^", 64, "x"), 0, NULL);
    check_limit(repeated("", "2^", 65, "x"), 130, deep);
    check_limit(repeated("", "(", 65, "x"), 65, deep);
    check_limit(repeated("", "sin(", 65, "x"), 260, deep);
    check_limit(repeated("((x))", "+(x)", 1000, ""), 0, NULL); // side by side is not nested
    check_limit(repeated("x", "+-x", 1000, ""), 0, NULL);
    check_limit(repeated("x", " ", 4096, ""), 1, length);
    check_limit(repeated("", "1", 5000, ""), 1, length);
    char *text = repeated("", "(", 64, "x");
    char *closed = repeated(text, ")", 64, "");
    free(text);
    check_limit(closed, 0, NULL);
    thud_expression *e;
    thud_fault fault;
    text = repeated("", "1", 1001, "");
    CHECK(thud_expression_create(text, 1001, &symbols, NULL, &e, &fault) == THUD_ERR_ARGUMENT);
    CHECK(strcmp(fault.text + strlen(fault.text) - 11, "is too long") == 0);
    free(text);
    text = repeated("max(x", ",x", 2045, ")"); // as many operations as fit
    CHECK(strlen(text) == THUD_EXPRESSION_LENGTH);
    check_limit(text, 0, NULL);
}

static void nearest_names(void)
{
    static const char *const names[] = {"radius", "density", "mass", "spacing",
                                        "count",  "mast",    ""};
    static const struct
    {
        const char *word, *wanted;
    } pairs[] = {{"raduis", "radius"}, {"radius", "radius"},  {"densitty", "density"},
                 {"mas", "mass"},      {"msat", "mast"},      {"masd", "mass"},
                 {"mats", "mass"},     {"conut", "count"},    {"cnt", NULL},
                 {"velocity", NULL},   {"spacng", "spacing"}, {"x", NULL},
                 {"", NULL},           {"de", NULL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    {
        const char *got = thud_nearest(pairs[i].word, strlen(pairs[i].word), names, 7);
        if ((got == NULL) != (pairs[i].wanted == NULL) ||
            (got && strcmp(got, pairs[i].wanted) != 0))
            test_fail(__FILE__, __LINE__, "%s: %s", pairs[i].word, got ? got : "none");
    }
    char *longest = repeated("", "a", 80, ""), *longer = repeated("", "a", 81, "");
    const char *const long_names[] = {longer, longest};
    CHECK(thud_nearest(longest, 79, long_names, 2) == longest);
    CHECK(thud_nearest(longer, 81, long_names, 2) == NULL);
    CHECK(thud_nearest("a", 1, NULL, 0) == NULL);
    free(longest);
    free(longer);
}

// Names are listed in a hint as long as they all fit.
static void many_names(void)
{
    const char *crowd[40];
    for (int i = 0; i < 40; i++)
        crowd[i] = "coordinate";
    for (int count = 18; count <= 40; count += 22)
    {
        thud_symbols crowded = {.coordinates = crowd, .coordinate_count = count, .time = true};
        thud_expression *e;
        thud_fault fault;
        CHECK(thud_expression_create("gravity", 7, &crowded, NULL, &e, &fault) ==
              THUD_ERR_ARGUMENT);
        char *all = repeated("use one of: ", "coordinate, ", 18, "t");
        CHECK(strcmp(fault.hint, count == 18 ? all : "") == 0);
        free(all);
    }
}

static const test_case cases[] = {
    {"many-names", many_names},
    {"limits", limits},
    {"nearest-names", nearest_names},
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
