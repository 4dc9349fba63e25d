// Records of named blocks: what is made is found again, and nothing that is wrong is taken.
#include "thud_test.h"

#include "record/blocks.h"

#include <stdlib.h>
#include <string.h>

enum
{
    ROOM = 1 << 14,
    BLOCKS = 6
};

// A record in memory, as it is in a file without its head.
typedef struct sample
{
    thudi_record_head head;
    uint64_t bytes[ROOM / 8];
    uint64_t place[BLOCKS + 1]; // of every block, and the end
} sample;

static void push(sample *s, thudi_block block, const void *items)
{
    unsigned char *at = (unsigned char *)s->bytes + s->head.length;
    memcpy(at, &block, sizeof block);
    memcpy(at + sizeof block, items, thudi_block_items(&block));
    s->place[s->head.blocks++] = s->head.length;
    s->head.length += thudi_block_length(&block);
    s->place[s->head.blocks] = s->head.length;
    CHECK(s->head.length <= ROOM && s->head.length % 8 == 0);
}

static const uint16_t types[BLOCKS] = {THUDI_ITEM_DOUBLE, THUDI_ITEM_INT8,
                                       THUDI_ITEM_UINT32, THUDI_ITEM_MULTIPLIER,
                                       THUDI_ITEM_RANGE,  3 << 8 | 77 /* that nobody knows */};

static void fill(sample *s, test_random *random)
{
    unsigned char items[255 * 8];
    uint16_t name = 0;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < BLOCKS; i++)
    {
        uint64_t count = (uint64_t)test_random_int(random, i % 2, 8);
        for (size_t k = 0; k < sizeof items; k++)
            items[k] = (unsigned char)(test_random_bits(random) >> 40);
        name = (uint16_t)(name + test_random_int(random, 1, 9));
        push(s, thudi_block_make(name, types[i], count, items), items);
    }
    thudi_head_seal(&s->head);
}

// Blocks until the end or until something is wrong, which is returned.
static const char *walk_all(const sample *s, int *count)
{
    const char *wrong = NULL;
    thudi_walk walk = thudi_walk_begin(&s->head, s->bytes);
    for (*count = 0; thudi_walk_next(&walk, &wrong); ++*count)
        CHECK(walk.place == s->place[*count]);
    return wrong;
}

static void round_trip(void)
{
    test_random random = test_random_start(test_seed(20261120));
    for (int trial = 0; trial < 200; trial++)
    {
        sample s;
        int count = 0;
        fill(&s, &random);
        CHECK(thudi_head_is_sound(&s.head));
        CHECK(!walk_all(&s, &count) && count == BLOCKS);
        const char *wrong = NULL;
        thudi_walk walk = thudi_walk_begin(&s.head, s.bytes);
        for (int i = 0; thudi_walk_next(&walk, &wrong); i++)
            CHECK(walk.block.type == types[i] &&
                  (const void *)walk.items == (const char *)s.bytes + s.place[i] + 16);
    }
}

static void flipped_bits(void)
{
    test_random random = test_random_start(test_seed(20261121));
    sample s;
    fill(&s, &random);
    unsigned char *bytes = (unsigned char *)s.bytes, *head = (unsigned char *)&s.head;
    for (size_t bit = 0; bit < 8 * s.head.length; bit++)
    {
        int count = 0;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(walk_all(&s, &count) != NULL && s.place[count] <= bit / 8);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * sizeof s.head; bit++)
    {
        head[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(!thudi_head_is_sound(&s.head));
        head[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    printf("  %zu bits\n", 8 * ((size_t)s.head.length + sizeof s.head));
}

// Numbers that cannot be, with sums as right as they can be made.
static void impossible(void)
{
    test_random random = test_random_start(test_seed(20261122));
    sample s;
    int count = 0;
    fill(&s, &random);
    for (uint64_t length = 0; length < s.head.length; length += 8) // cut off
    {
        sample cut = s;
        cut.head.length = length;
        CHECK(walk_all(&cut, &count) != NULL);
    }
    sample more = s;
    more.head.blocks++;
    CHECK(strcmp(walk_all(&more, &count), "a block is missing") == 0 && count == BLOCKS);
    sample fewer = s;
    fewer.head.blocks--;
    CHECK(strstr(walk_all(&fewer, &count), "belong to no block") && count == BLOCKS - 1);
    static const uint64_t counts[] = {1000, UINT64_MAX, UINT64_MAX / 8 + 1, INT64_MAX,
                                      UINT64_C(1) << 61};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    {
        sample huge = s;
        thudi_block block;
        memcpy(&block, huge.bytes, sizeof block);
        block.count = counts[i];
        memcpy(huge.bytes, &block, sizeof block);
        CHECK(strstr(walk_all(&huge, &count), "impossible") && count == 0);
    }
    sample twice = {.head = {.blocks = 0}};
    double x = 1;
    push(&twice, thudi_block_make(3, THUDI_ITEM_DOUBLE, 1, &x), &x);
    push(&twice, thudi_block_make(3, THUDI_ITEM_DOUBLE, 1, &x), &x);
    CHECK(strstr(walk_all(&twice, &count), "impossible") && count == 1);
    sample sizeless = {.head = {.blocks = 0}};
    push(&sizeless, thudi_block_make(3, THUD_FIELD_DOUBLE, 1, &x), &x);
    CHECK(strstr(walk_all(&sizeless, &count), "impossible") && count == 0);
}

// What is wrong with a record of these names.
static const char *take(const thudi_block_name *list, uint64_t count, thudi_block_names *names)
{
    uint64_t bytes[200];
    thudi_record_head head;
    thudi_block block;
    const char *wrong = "nothing was looked at";
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_block_names_head(list, count, &head, &block);
    if (head.length > sizeof bytes)
        return wrong;
    memcpy(bytes, &block, sizeof block);
    memcpy((char *)bytes + sizeof block, list, count * sizeof *list);
    CHECK(thudi_head_is_sound(&head));
    CHECK(thudi_block_names_add(&allocator, names, &head, bytes, &wrong) == THUD_OK);
    return wrong;
}

static void names(void)
{
    static const thudi_block_name good[] = {{1, 1, 0, "q"}, {7, 0, 0, "spin"}, {9, 1, 0, "walls"}};
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_block_names all = {.count = 0};
    CHECK(!take(good, 3, &all) && all.count == 3);
    const thudi_block_name *spin = thudi_block_names_find(&all, 7);
    CHECK(spin && strcmp(spin->text, "spin") == 0 && !spin->is_needed);
    CHECK(thudi_block_names_find_text(&all, "walls") &&
          thudi_block_names_find_text(&all, "walls")->is_needed);
    CHECK(!thudi_block_names_find(&all, 2) && !thudi_block_names_find_text(&all, "wall"));
    static const thudi_block_name later[] = {{2, 0, 0, "u"}};
    CHECK(!take(later, 1, &all) && all.count == 4);
    thudi_block_name bad[] = {{1, 0, 0, "other"}, {3, 0, 0, "q"},    {0, 0, 0, "zero"},
                              {4, 2, 0, "two"},   {5, 0, 1, "one"},  {6, 0, 0, ""},
                              {8, 0, 0, "end"},   {10, 0, 0, "full"}};
    bad[6].text[THUD_FIELD_NAME - 1] = 'x';
    memset(bad[7].text, 'x', THUD_FIELD_NAME);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(take(&bad[i], 1, &all) && all.count == 4);
    // of a record that is wrong nothing is taken, not even what comes before
    static const thudi_block_name half[] = {{11, 0, 0, "mass"}, {12, 0, 0, "mass"}};
    CHECK(take(half, 2, &all) && all.count == 4 && !thudi_block_names_find(&all, 11));
    thudi_block_names_free(&allocator, &all);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"round-trip", round_trip},
        {"flipped-bits", flipped_bits},
        {"impossible", impossible},
        {"names", names},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
