// The test harness: see thud_test.h.
#include "thud_test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int failures;

void test_fail(const char *file, int line, const char *format, ...)
{
    const char *slash = strrchr(file, '/');
    va_list arguments;
    va_start(arguments, format);
    printf("  FAILED %s:%d: ", slash ? slash + 1 : file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    failures++;
}

int test_failures(void)
{
    return failures;
}

static bool is_chosen(int argc, char **argv, const char *name)
{
    if (argc < 2)
        return true;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return false;
}

int test_main(int argc, char **argv, const test_case *cases, int count)
{
    int ran = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < count; i++)
    {
        if (!is_chosen(argc, argv, cases[i].name))
            continue;
        failures = 0;
        printf("%s\n", cases[i].name);
        cases[i].run();
        ran++;
        failed += failures > 0;
    }
    if (ran < (argc > 1 ? argc - 1 : 1))
    {
        printf("no such test case\n");
        return 2;
    }
    printf("%d passed, %d failed\n", ran - failed, failed);
    return failed > 0;
}

void *test_meter_resize(void *block, size_t old_size, size_t new_size, void *user)
{
    test_meter *m = user;
    if (new_size == 0)
    {
        m->blocks -= block != NULL;
        m->bytes -= old_size;
        free(block);
        return NULL;
    }
    if (++m->calls == m->fail_at)
        return NULL;
    void *next = realloc(block, new_size);
    m->blocks += block == NULL && next != NULL;
    m->bytes += next ? new_size - old_size : 0;
    return next;
}

uint64_t test_seed(uint64_t standard)
{
    const char *text = getenv("THUD_SEED");
    return text ? strtoull(text, NULL, 0) : standard;
}

test_random test_random_start(uint64_t seed)
{
    // splitmix64, so that small seeds are as good as large ones and the state is never 0
    uint64_t z = seed + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (test_random){z ? z : 1};
}

test_random test_random_begin(uint64_t standard)
{
    uint64_t seed = test_seed(standard);
    printf("  seed %llu\n", (unsigned long long)seed);
    return test_random_start(seed);
}

uint64_t test_random_bits(test_random *random)
{
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * 0x2545f4914f6cdd1du;
}

double test_random_uniform(test_random *random, double low, double high)
{
    return low + (high - low) * ((double)(test_random_bits(random) >> 11) * 0x1p-53);
}

int test_random_int(test_random *random, int low, int high)
{
    uint64_t span = (uint64_t)(high - low) + 1;
    return low + (int)(test_random_bits(random) % span);
}

double test_random_normal(test_random *random)
{
    double radius = sqrt(-2 * log(test_random_uniform(random, 0x1p-60, 1)));
    return radius * cos(6.283185307179586 * test_random_uniform(random, 0, 1));
}
