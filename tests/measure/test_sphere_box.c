// Balls cut by boxes: caps, wedges and corners that are known, and sums that must be whole.
#include "measure/sphere_box.h"
#include "thud_test.h"

static const double PI = 3.14159265358979323846;

static double ball(double x, double y, double z, double r, const double box[6])
{
    const double center[3] = {x, y, z};
    return thudi_sphere_box(3, center, r, box, box + 3);
}

static void whole_and_none(void)
{
    const double box[6] = {0, 0, 0, 4, 5, 6}, center[2] = {2, 2}, far[2] = {-1, 2};
    CHECK(ball(2, 2, 2, 1, box) == 4 * PI / 3);
    CHECK(ball(1, 1, 5, 1, box) == 4 * PI / 3); // it touches three sides
    CHECK(ball(-1, 2, 2, 1, box) == 0 && ball(2, 2, 7, 1, box) == 0);
    CHECK_NEAR(ball(4.9, 5.9, 2, 1, box), 0, 1e-15); // near an edge, but outside
    CHECK(thudi_sphere_box(2, center, 1, box, box + 3) == PI);
    CHECK(thudi_sphere_box(2, far, 1, box, box + 3) == 0);
}

/// One side cuts: pi d^2 (3 r - d) / 3, and a half disk.
static void caps(void)
{
    const double box[6] = {0, -9, -9, 9, 9, 9};
    for (int i = 1; i < 40; i++)
    {
        double r = 2, d = i * 0.1, wanted = PI * d * d * (3 * r - d) / 3;
        CHECK_NEAR(ball(d - r, 0, 0, r, box), wanted, 1e-13);
    }
    const double center[2] = {0, 1};
    CHECK_NEAR(thudi_sphere_box(2, center, 3, (const double[]){0, -9}, (const double[]){9, 9}),
               PI * 4.5, 1e-14);
}

/// Planes through the centre leave halves, quarters and eighths; two parallel ones a slice.
static void wedges(void)
{
    const double half[6] = {-9, 0, -9, 9, 9, 9}, quarter[6] = {-9, -9, 0, 0, 9, 9};
    const double eighth[6] = {0, -9, 0, 9, 0, 9}, slice[6] = {-9, -9, -0.5, 9, 9, 0.25};
    CHECK_NEAR(ball(0, 0, 0, 1, half), 2 * PI / 3, 1e-15);
    CHECK_NEAR(ball(0, 0, 0, 1, quarter), PI / 3, 1e-15);
    CHECK_NEAR(ball(0, 0, 0, 1, eighth), PI / 6, 1e-15);
    CHECK_NEAR(ball(0, 0, 0, 1, slice), PI * (0.75 - (0.125 + 0.25 * 0.25 * 0.25) / 3), 1e-15);
}

/// A box that is wholly inside of the ball.
static void box_inside(void)
{
    const double box[6] = {-0.5, -0.4, -0.3, 0.6, 0.2, 0.1}, low[2] = {-0.5, 0},
                 high[2] = {0.5, 0.5};
    const double center[2] = {0, 0};
    CHECK_NEAR(ball(0, 0, 0, 1, box), 1.1 * 0.6 * 0.4, 2e-15);
    CHECK_NEAR(thudi_sphere_box(2, center, 1, low, high), 0.5, 2e-15);
}

/// Boxes that fill space: the parts sum up to the ball, wherever the cuts are.
static void cut_in_eight(void)
{
    uint64_t seed = test_seed(20261116);
    test_random rng = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 2000; i++)
    {
        double cut[3], r = test_random_uniform(&rng, 0.1, 3), sum = 0;
        for (int k = 0; k < 3; k++)
            cut[k] = test_random_uniform(&rng, -1.2, 1.2) * r;
        for (int corner = 0; corner < 8; corner++)
        {
            double box[6];
            for (int k = 0; k < 3; k++)
            {
                box[k] = corner >> k & 1 ? cut[k] : -9;
                box[3 + k] = corner >> k & 1 ? 9 : cut[k];
            }
            sum += ball(0, 0, 0, r, box);
        }
        CHECK_NEAR(sum / (r * r * r), 4 * PI / 3, 3e-14);
    }
}

/// An edge of the box that the ball all but touches: nothing to speak of is beyond it, and cut off
/// by the complement is a cap for each side.
static void grazed_edges(void)
{
    for (int i = 1; i < 40; i++)
        for (int down = 24; down < 53; down++)
        {
            double part = 1 - ldexp(1, -down),
                   at[2] = {cos(i * 0.039) * part, sin(i * 0.039) * part};
            const double beyond[6] = {at[0], at[1], -9, 9, 9, 9};
            const double within[6] = {-9, -9, -9, at[0], at[1], 9};
            double rest = 4 * PI / 3;
            for (int k = 0; k < 2; k++)
                rest -= PI * (1 - at[k]) * (1 - at[k]) * (2 + at[k]) / 3;
            CHECK_NEAR(ball(0, 0, 0, 1, beyond), 0, 1e-14);
            CHECK_NEAR(ball(0, 0, 0, 1, within), rest, 1e-14);
        }
}

// The chord of the ball above (x, y), within the box.
static double chord(double x, double y, double r, const double box[6])
{
    double square = r * r - x * x - y * y, half = square > 0 ? sqrt(square) : 0;
    double low = -half > box[2] ? -half : box[2], high = half < box[5] ? half : box[5];
    return high > low ? high - low : 0;
}

static void by_midpoints(void)
{
    enum
    {
        N = 600
    };
    test_random rng = test_random_start(7);
    for (int i = 0; i < 20; i++)
    {
        double box[6], sum = 0;
        for (int k = 0; k < 3; k++)
        {
            box[k] = test_random_uniform(&rng, -1.1, 0.9);
            box[3 + k] = box[k] + test_random_uniform(&rng, 0.05, 2);
        }
        double dx = (box[3] - box[0]) / N, dy = (box[4] - box[1]) / N;
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                sum += chord(box[0] + (a + 0.5) * dx, box[1] + (b + 0.5) * dy, 1, box);
        CHECK_NEAR(ball(0, 0, 0, 1, box), sum * dx * dy, 2e-4);
    }
}

static void rectangle_by_midpoints(void)
{
    enum
    {
        N = 20000
    };
    test_random rng = test_random_start(8);
    for (int i = 0; i < 50; i++)
    {
        double low[2], high[2], sum = 0;
        const double center[2] = {3, -2};
        for (int k = 0; k < 2; k++)
        {
            low[k] = center[k] + test_random_uniform(&rng, -1.1, 0.9);
            high[k] = low[k] + test_random_uniform(&rng, 0.05, 2);
        }
        double dx = (high[0] - low[0]) / N;
        for (int a = 0; a < N; a++)
        {
            double x = low[0] + (a + 0.5) * dx - 3, square = 1 - x * x;
            double half = square > 0 ? sqrt(square) : 0;
            double down = -2 - half > low[1] ? -2 - half : low[1];
            double up = -2 + half < high[1] ? -2 + half : high[1];
            sum += up > down ? up - down : 0;
        }
        CHECK_NEAR(thudi_sphere_box(2, center, 1, low, high), sum * dx, 1e-5);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"whole-and-none", whole_and_none},
                                      {"caps", caps},
                                      {"wedges", wedges},
                                      {"box-inside", box_inside},
                                      {"cut-in-eight", cut_in_eight},
                                      {"grazed-edges", grazed_edges},
                                      {"by-midpoints", by_midpoints},
                                      {"rectangle-by-midpoints", rectangle_by_midpoints}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
