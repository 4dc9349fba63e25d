/// A small test harness: cases by name, checks that go on after a failure, a seeded generator.
#ifndef THUD_TEST_H
#define THUD_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct test_case
{
    const char *name;
    void (*run)(void);
} test_case;

/// Run the cases named in argv (all when none is named). Returns what main should.
int test_main(int argc, char **argv, const test_case *cases, int count);

/// Count a failed check and say where. Used by the macros.
void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Failures so far in this case.
int test_failures(void);

#define CHECK(condition)                                                                           \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                       \
    } while (0)

/// As CHECK, and leave the function: for what later lines depend on.
#define REQUIRE(condition)                                                                         \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
        {                                                                                          \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                       \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/// |value - wanted| <= tolerance; fails on NaN.
#define CHECK_NEAR(value, wanted, tolerance)                                                       \
    do                                                                                             \
    {                                                                                              \
        double value_ = (value), wanted_ = (wanted), tolerance_ = (tolerance);                     \
        if (!(fabs(value_ - wanted_) <= tolerance_))                                               \
            test_fail(__FILE__, __LINE__, "%s = %.17g, wanted %.17g within %g", #value, value_,    \
                      wanted_, tolerance_);                                                        \
    } while (0)

/// value <= bound; fails on NaN.
#define CHECK_AT_MOST(value, bound)                                                                \
    do                                                                                             \
    {                                                                                              \
        double value_ = (value), bound_ = (bound);                                                 \
        if (!(value_ <= bound_))                                                                   \
            test_fail(__FILE__, __LINE__, "%s = %.6g, allowed %.6g", #value, value_, bound_);      \
    } while (0)

/// An allocator that counts, and fails at one chosen call.
typedef struct test_meter
{
    long calls, fail_at; ///< fail_at 0: never
    long blocks;         ///< alive now
    size_t bytes;        ///< of these
} test_meter;

/// The resize function of a thud_allocator whose user is a test_meter.
void *test_meter_resize(void *block, size_t old_size, size_t new_size, void *user);

/// A generator with a printed seed: xorshift64*, the same numbers on every machine.
typedef struct test_random
{
    uint64_t state;
} test_random;

/// The seed of this run: THUD_SEED from the environment, else `standard`. Printed by the caller.
uint64_t test_seed(uint64_t standard);

test_random test_random_start(uint64_t seed);

/// One that starts with the seed of this run, which is printed.
test_random test_random_begin(uint64_t standard);
uint64_t test_random_bits(test_random *random);
double test_random_uniform(test_random *random, double low, double high);
int test_random_int(test_random *random, int low, int high); ///< low <= result <= high
double test_random_normal(test_random *random);              ///< mean 0, variance 1

#endif
