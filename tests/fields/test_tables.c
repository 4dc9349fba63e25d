// Tables of fields: the order that code relies on, and the defaults that the table sets.
#include "core/memory.h"
#include "scene/tables.h"
#include "thud_test.h"

#include <string.h>

// The reader of an obstacle finds its field by its number in the list of words.
static void walls(void)
{
    const char *const *words = thudi_wall_thing.one_of;
    int i = 0;
    for (; words[i]; i++)
        CHECK(i < thudi_wall_thing.count && strcmp(words[i], thudi_wall_thing.fields[i].key) == 0);
    CHECK(i == 12);
}

typedef struct part
{
    thud_varying rate, pull;
    const char *text;
    double number;
    int whole;
} part;

static void defaults(void)
{
    static const thudi_field fields[] = {
        {"rate", THUDI_A_VARYING, THUDI_MEMBER(part, rate), .initial = "2.5"},
        {"pull", THUDI_A_FUNCTION, THUDI_MEMBER(part, pull), .initial = "-1"},
        {"text", THUDI_A_TEXT, THUDI_MEMBER(part, text), .initial = "word"},
        {"number", THUDI_A_NUMBER, THUDI_MEMBER(part, number), .initial = "0.5"},
        {"whole", THUDI_A_WHOLE, THUDI_MEMBER(part, whole), .initial = "7"},
    };
    static const thudi_thing thing = {"part", THUDI_FIELDS(fields)};
    part to = {.whole = 0};
    thud_allocator memory = thudi_allocator_or_default(NULL);
    thudi_arena arena = {.allocator = memory};
    thudi_made *made = NULL;
    thudi_reader r = {.allocator = memory, .arena = &arena, .expressions = &made, .dim = 2};
    CHECK(thudi_read_fields(&r, NULL, &thing, &to) == THUD_OK);
    CHECK(to.rate.kind == THUD_VARYING_CONSTANT && to.rate.value == 2.5 && to.rate.expression);
    CHECK(to.pull.kind == THUD_VARYING_CONSTANT && to.pull.value == -1);
    CHECK(strcmp(to.text, "word") == 0 && to.number == 0.5 && to.whole == 7);
    for (; made; made = made->next)
        thud_expression_destroy(made->expression);
    thudi_array_free(&memory, &r.room);
    thudi_arena_free(&arena);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"walls", walls}, {"defaults", defaults}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
