// A floating-point unit that rounds otherwise or drops subnormal numbers is refused at creation.
#include "thud_test.h"

#include <fenv.h>
#include <immintrin.h>
#include <thud/thud.h>

static thud_status create_once(void)
{
    thud_work *work = NULL;
    thud_status status = thud_work_create(NULL, &work);
    CHECK((work != NULL) == (status == THUD_OK));
    thud_work_destroy(work);
    return status;
}

static void rounding(void)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    CHECK(create_once() == THUD_OK);
    for (int i = 0; i < 3; i++)
    {
        CHECK(fesetround(modes[i]) == 0);
        thud_status status = create_once();
        CHECK(fegetround() == modes[i]); // looking must not change what is looked at
        CHECK(fesetround(FE_TONEAREST) == 0);
        CHECK(status == THUD_ERR_FLOAT);
        CHECK(create_once() == THUD_OK);
    }
}

static void subnormals(void)
{
    static const unsigned bits[] = {0x8000, 0x0040, 0x8040}; // FTZ, DAZ, both
    unsigned before = _mm_getcsr();
    CHECK(create_once() == THUD_OK);
    for (int i = 0; i < 3; i++)
    {
        _mm_setcsr(before | bits[i]);
        thud_status status = create_once();
        unsigned during = _mm_getcsr();
        _mm_setcsr(before);
        CHECK(status == THUD_ERR_FLOAT);
        CHECK((during & bits[i]) == bits[i]);
        CHECK(create_once() == THUD_OK);
    }
}

// A step must leave rounding mode and flushing as they were.
static void untouched_by_a_step(void)
{
    thud_state *state = NULL;
    thud_work *work = NULL;
    unsigned before = _mm_getcsr() & 0xffc0; // without the sticky flags
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0}}, &state) ==
            THUD_OK);
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    CHECK(thud_step(&(thud_inclusion){.dim = 1}, state, work) == THUD_OK);
    CHECK((_mm_getcsr() & 0xffc0) == before && fegetround() == FE_TONEAREST);
    thud_work_destroy(work);
    thud_state_destroy(state);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"rounding", rounding},
        {"subnormals", subnormals},
        {"untouched-by-a-step", untouched_by_a_step},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
