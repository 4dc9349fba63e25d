// The checker's own elementary functions against those of the C library in long double.
#include "verify/checker_functions.h"

#include "thud_test.h"

typedef double function(double x);
typedef long double reference(long double x);

static double ulps(double value, long double exact)
{
    int k;
    (void)frexp((double)exact, &k);
    return (double)(fabsl((long double)value - exact) / (long double)ldexp(1, k - 53));
}

static void compare(const char *name, function *own, reference *exact, double low, double high)
{
    test_random random = test_random_start(test_seed(5));
    double worst = 0, at = 0;
    for (int i = 0; i < 200000; i++)
    {
        double x = test_random_uniform(&random, low, high);
        double error = ulps(own(x), exact(x));
        if (!(error <= worst))
        {
            worst = error;
            at = x;
        }
    }
    printf("%s on [%g, %g]: %.2f ulps at %.17g\n", name, low, high, worst, at);
    CHECK_AT_MOST(worst, 2);
}

static void run_series(void)
{
    compare("exp", thudi_checker_exp, expl, -700, 700);
    compare("exp", thudi_checker_exp, expl, -1, 1);
    compare("log", thudi_checker_log, logl, 1e-16, 2);
    compare("log", thudi_checker_log, logl, 0.9, 1.1);
    compare("sinh", thudi_checker_sinh, sinhl, -7, 7);
    compare("sinh", thudi_checker_sinh, sinhl, -1e-3, 1e-3);
    compare("cosh", thudi_checker_cosh, coshl, -7, 7);
    compare("sin", thudi_checker_sin, sinl, -10, 10);
    compare("cos", thudi_checker_cos, cosl, -10, 10);
    compare("sin", thudi_checker_sin, sinl, -1e9, 1e9);
    compare("cos", thudi_checker_cos, cosl, -1e9, 1e9);
}

static void run_lengths(void)
{
    test_random random = test_random_start(test_seed(6));
    double worst = 0;
    for (int i = 0; i < 200000; i++)
    {
        double scale = ldexp(1, test_random_int(&random, -1060, 1020));
        double x = scale * test_random_uniform(&random, -1, 1);
        double y = scale * test_random_uniform(&random, -1, 1);
        worst = fmax(worst, ulps(thudi_checker_length(x, y), hypotl(x, y)) > 2
                                ? fabs(thudi_checker_length(x, y) - (double)hypotl(x, y)) / 5e-324
                                : 0);
    }
    printf("lengths: beyond 2 ulps %.3g of the smallest number\n", worst);
    CHECK_AT_MOST(worst, 2);
    CHECK(thudi_checker_length(0, 0) == 0 && thudi_checker_length(-3, 4) == 5);
    CHECK(isinf(thudi_checker_length(INFINITY, 1)) && isnan(thudi_checker_length(NAN, 1)));
    CHECK(thudi_checker_length3(2, 3, 6) == 7);
    CHECK(thudi_checker_exp(0) == 1 && thudi_checker_exp(-1e9) == 0 &&
          isinf(thudi_checker_exp(1e9)));
    CHECK(isnan(thudi_checker_exp(NAN)) && isnan(thudi_checker_sin(INFINITY)));
    CHECK(thudi_checker_log(1) == 0 && thudi_checker_cos(0) == 1 && thudi_checker_sin(0) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"series", run_series}, {"lengths", run_lengths}};
    return test_main(argc, argv, cases, 2);
}
