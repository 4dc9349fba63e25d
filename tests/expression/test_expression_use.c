// Expressions in use: what is known of them, the same bits every way, no memory taken while they
// are evaluated, none lost when there is none.
#include "expression_samples.h"

#include "thud/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The linker sends every allocation of the library and of this test here (--wrap).
static long allocations;

void *real_malloc(size_t size) __asm__("__real_malloc");
void *real_calloc(size_t count, size_t size) __asm__("__real_calloc");
void *real_realloc(void *block, size_t size) __asm__("__real_realloc");
void *wrapped_malloc(size_t size) __asm__("__wrap_malloc");
void *wrapped_calloc(size_t count, size_t size) __asm__("__wrap_calloc");
void *wrapped_realloc(void *block, size_t size) __asm__("__wrap_realloc");

void *wrapped_malloc(size_t size)
{
    allocations++;
    return real_malloc(size);
}

void *wrapped_calloc(size_t count, size_t size)
{
    allocations++;
    return real_calloc(count, size);
}

void *wrapped_realloc(void *block, size_t size)
{
    allocations++;
    return real_realloc(block, size);
}

enum
{
    COORDINATES = 4,
    SAMPLES = 5000
};

static const char *const names[COORDINATES] = {"x0", "x1", "x2", "x3"};
static const char *const parameter = "k";
static const double k = 1.5;
static const thud_symbols symbols = {names, COORDINATES, &parameter, &k, 1, true, NULL};

// The compiled text, or NULL when a constant part of it is not finite.
static thud_expression *compile(const char *text, const thud_allocator *allocator)
{
    thud_expression *e = NULL;
    thud_fault fault = {.column = 0};
    thud_status status =
        thud_expression_create(text, strlen(text), &symbols, allocator, &e, &fault);
    if (status < 0 && !strstr(fault.text, "the result of"))
        test_fail(__FILE__, __LINE__, "%s: %s", text, fault.text);
    return e;
}

typedef struct jets
{
    double value, t, tt, gradient[COORDINATES], gradient_t[COORDINATES];
} jets;

// Everything at once, in scratch memory of just the size asked for and full of `garbage`.
static jets evaluate(const thud_expression *e, double t, const double *q, double garbage)
{
    int count = thud_expression_view(e)->room;
    double *room = malloc((size_t)count * sizeof *room);
    jets result = {0};
    thud_jet jet = {.gradient = result.gradient, .gradient_t = result.gradient_t};
    for (int i = 0; room && i < count; i++)
        room[i] = garbage;
    if (!room)
        abort();
    thud_expression_differentiate(e, t, q, room, &jet);
    result.value = jet.value;
    result.t = jet.t;
    result.tt = jet.tt;
    free(room);
    return result;
}

static bool same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static void check_bits(const thud_expression *e, const char *text, double t, const double *q)
{
    jets one = evaluate(e, t, q, 0), other = evaluate(e, t, q, NAN);
    double *room = malloc((size_t)thud_expression_view(e)->room * sizeof *room);
    if (!room)
        abort();
    double value = thud_expression_value(e, t, q, room), gradient_t[COORDINATES] = {0};
    thud_jet bare = {.gradient = NULL}, half = {.gradient_t = gradient_t};
    thud_expression_differentiate(e, t, q, room, &bare);
    thud_expression_differentiate(e, t, q, room, &half);
    bool fine = same(&one, &other, sizeof one) && same(&one.value, &value, sizeof value) &&
                same(&one.tt, &bare.tt, sizeof value) && same(&one.t, &half.t, sizeof value) &&
                same(gradient_t, one.gradient_t, sizeof gradient_t);
    if (!fine)
        test_fail(__FILE__, __LINE__, "%s: %.17g, %.17g", text, one.value, value);
    free(room);
}

static void random_place(test_random *random, double *t, double *q)
{
    double size = test_random_int(random, 0, 3) ? 2 : 1000;
    *t = test_random_uniform(random, -size, size);
    for (int i = 0; i < COORDINATES; i++)
        q[i] = test_random_int(random, 0, 9) ? test_random_uniform(random, -size, size) : 0;
}

static void same_bits(void)
{
    uint64_t seed = test_seed(21);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < SAMPLES && test_failures() < 5; i++)
    {
        char text[SAMPLE_LENGTH];
        double t, q[COORDINATES];
        expression_sample(&random, 5, text);
        random_place(&random, &t, q);
        thud_expression *e = compile(text, NULL);
        if (e)
            check_bits(e, text, t, q);
        thud_expression_destroy(e);
    }
}

static void no_allocation(void)
{
    test_random random = test_random_start(test_seed(22));
    static double room[20000];
    for (int i = 0; i < 200; i++)
    {
        char text[SAMPLE_LENGTH];
        double t, q[COORDINATES], gradient[COORDINATES], gradient_t[COORDINATES];
        test_meter meter = {0};
        thud_allocator metered = {test_meter_resize, &meter};
        expression_sample(&random, 4, text);
        random_place(&random, &t, q);
        allocations = 0;
        thud_expression *e = compile(text, i % 2 ? &metered : NULL);
        if (!e)
            continue;
        CHECK(allocations > 0); // the count counts
        REQUIRE(thud_expression_view(e)->room <= (int)(sizeof room / sizeof *room));
        long calls = meter.calls;
        allocations = 0;
        thud_jet jet = {.gradient = gradient, .gradient_t = gradient_t};
        (void)thud_expression_value(e, t, q, room);
        thud_expression_differentiate(e, t, q, room, &jet);
        CHECK(allocations == 0 && meter.calls == calls);
        thud_expression_destroy(e);
        CHECK(meter.blocks == 0);
    }
}

// Creation with every allocation failing in turn.
static void no_memory(void)
{
    static const char *const texts[] = {
        "1",   "x0+t",   "min(x3,x1,x0*x1)-hypot(t,k)^2", "sin(x2)+((x1*x1)+(x0*x0)+(x3*x3))*k",
        "x0+", "foo(x0)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        thud_status status = THUD_ERR_MEMORY;
        long fail_at = 0;
        while (status == THUD_ERR_MEMORY && fail_at < 1000)
        {
            test_meter meter = {.fail_at = ++fail_at};
            thud_allocator metered = {test_meter_resize, &meter};
            thud_expression *e = (thud_expression *)&e;
            thud_fault fault = {.column = 7, .hint = "old"};
            status =
                thud_expression_create(texts[i], strlen(texts[i]), &symbols, &metered, &e, &fault);
            if (status == THUD_ERR_MEMORY)
                CHECK(!e && fault.column == 0 && strcmp(fault.text, "out of memory") == 0 &&
                      fault.hint[0] == '\0');
            if (status == THUD_OK)
                thud_expression_destroy(e);
            else
                CHECK(e == NULL);
            CHECK(meter.blocks == 0);
        }
        CHECK(fail_at > 1);
        CHECK(status == (i < 4 ? THUD_OK : THUD_ERR_ARGUMENT));
    }
    thud_expression_destroy(NULL);
}

typedef struct expected
{
    const char *text;
    bool constant, time, affine_time, affine_space;
    int kink, count;
    int coordinate[COORDINATES];
} expected;

static void traits_by_hand(void)
{
    static const expected samples[] = {
        {"1+2*k", true, false, true, true, 0, 0, {0}},
        {"x3-x1", false, false, true, true, 0, 2, {1, 3}},
        {"x2+x0+x2*k", false, false, true, true, 0, 2, {0, 2}},
        {"t", false, true, true, true, 0, 0, {0}},
        {"x0+2*t-t/k", false, true, true, true, 0, 1, {0}},
        {"t*t", false, true, false, true, 0, 0, {0}},
        {"k/t", false, true, false, true, 0, 0, {0}},
        {"sin(t)", false, true, false, true, 0, 0, {0}},
        {"t*x0", false, true, false, true, 0, 1, {0}},
        {"t/x0", false, true, false, false, 0, 1, {0}},
        {"x0*x1", false, false, true, false, 0, 2, {0, 1}},
        {"x0/k+x1*k", false, false, true, true, 0, 2, {0, 1}},
        {"x0^2+t", false, true, true, false, 0, 1, {0}},
        {"x0^1*t^1", false, true, false, true, 0, 1, {0}},
        {"-(x0+t)", false, true, true, true, 0, 1, {0}},
        {"min(x0, x1)", false, false, true, false, 0, 2, {0, 1}},
        {"x0+min(t, x1)", false, true, false, false, 4, 1 + 1, {0, 1}},
        {"abs(x0)+abs(t)+max(t,1)", false, true, false, false, 9, 1, {0}},
        {"min(x0, abs(t))", false, true, false, false, 1, 1, {0}},
        {"min(t)", false, true, true, true, 0, 0, {0}},
        {"hypot(t)", false, true, false, true, 1, 0, {0}},
        {"hypot(t,x0)", false, true, false, false, 0, 1, {0}},
        {"abs(x0)*sin(t)", false, true, false, false, 0, 1, {0}},
        {"exp(x1)*t", false, true, false, false, 0, 1, {1}},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    {
        const expected *w = &samples[i];
        thud_expression *e = compile(w->text, NULL);
        REQUIRE(e);
        const thud_expression_traits *got = thud_expression_view(e);
        if (got->is_constant != w->constant || got->uses_time != w->time ||
            got->is_affine_in_time != w->affine_time ||
            got->is_affine_in_coordinates != w->affine_space || got->kink_in_time != w->kink ||
            got->coordinate_count != w->count || strcmp(got->text, w->text) != 0 ||
            (w->count > 0 &&
             !same(got->coordinate, w->coordinate, (size_t)w->count * sizeof *w->coordinate)))
            test_fail(__FILE__, __LINE__, "%s: %d %d %d %d %d %d", w->text, got->is_constant,
                      got->uses_time, got->is_affine_in_time, got->is_affine_in_coordinates,
                      got->kink_in_time, got->coordinate_count);
        thud_expression_destroy(e);
    }
}

// Whether `word` stands alone somewhere in text[0 .. length).
static bool contains(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, word, size) == 0 && (i == 0 || !isalnum((unsigned char)text[i - 1])) &&
            (i + size == length || !isalnum((unsigned char)text[i + size])))
            return true;
    return false;
}

// The column of the first kink in time by reading the text: where `name`( begins whose arguments
// contain t, several of them for min and max and one for hypot.
static int kink_by_reading(const char *text)
{
    static const char *const kinked[] = {"abs(", "min(", "max(", "hypot("};
    for (const char *c = text; *c; c++)
        for (int n = 0; n < 4; n++)
        {
            size_t length = strlen(kinked[n]), end = length;
            if (strncmp(c, kinked[n], length) != 0)
                continue;
            int depth = 1, commas = 0;
            for (; depth > 0; end++)
            {
                commas += depth == 1 && c[end] == ',';
                depth += (c[end] == '(') - (c[end] == ')');
            }
            bool kink = n == 0 || (n == 3 ? commas == 0 : commas > 0);
            if (kink && contains(c + length, end - length, "t"))
                return (int)(c - text) + 1;
        }
    return 0;
}

static bool is_zero(double x)
{
    return x == 0 || !isfinite(x);
}

// What is said to be affine is so at random places: its second derivatives are 0.
static void check_affine(const thud_expression *e, test_random *random, const char *text)
{
    const thud_expression_traits *traits = thud_expression_view(e);
    double t, q[COORDINATES], there[COORDINATES];
    random_place(random, &t, q);
    random_place(random, &t, there);
    jets here = evaluate(e, t, q, 0), other = evaluate(e, t, there, 0);
    bool fine = true;
    for (int i = 0; i < traits->coordinate_count; i++)
    {
        double change = other.gradient[i] - here.gradient[i];
        fine = fine && (!traits->is_affine_in_time || is_zero(here.gradient_t[i]));
        fine = fine && (!traits->is_affine_in_coordinates || is_zero(change) ||
                        fabs(change) <= 1e-14 * fabs(here.gradient[i]));
    }
    if (!fine || (traits->is_affine_in_time && !is_zero(here.tt)))
        test_fail(__FILE__, __LINE__, "%s: not affine", text);
}

static void traits_random(void)
{
    uint64_t seed = test_seed(23);
    test_random random = test_random_start(seed);
    int affine = 0, kinks = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < SAMPLES && test_failures() < 5; i++)
    {
        char text[SAMPLE_LENGTH];
        expression_sample(&random, test_random_int(&random, 1, 4), text);
        thud_expression *e = compile(text, NULL);
        if (!e)
            continue;
        const thud_expression_traits *traits = thud_expression_view(e);
        int count = 0;
        for (int c = 0; c < COORDINATES; c++)
            if (contains(text, strlen(text), names[c]))
                CHECK(count < traits->coordinate_count && traits->coordinate[count++] == c);
        CHECK(count == traits->coordinate_count);
        bool time = contains(text, strlen(text), "t");
        CHECK(traits->uses_time == time && traits->is_constant == (!time && count == 0));
        if (traits->kink_in_time != kink_by_reading(text))
            test_fail(__FILE__, __LINE__, "%s: kink in %d", text, traits->kink_in_time);
        check_affine(e, &random, text);
        affine +=
            time && count > 0 && (traits->is_affine_in_time || traits->is_affine_in_coordinates);
        kinks += traits->kink_in_time > 0;
        thud_expression_destroy(e);
    }
    printf("%d affine, %d with kinks\n", affine, kinks);
    CHECK(affine > 50 && kinks > 50);
}

static const test_case cases[] = {
    {"same-bits", same_bits},           {"no-allocation", no_allocation}, {"no-memory", no_memory},
    {"traits-by-hand", traits_by_hand}, {"traits-random", traits_random},
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
