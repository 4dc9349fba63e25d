// Enclosures of projections whose answers are known.
#include "thud_test.h"

#include <stdlib.h>
#include <thud/thud.h>

// Two coordinates, and rows that are pushed as they come.
typedef struct rig
{
    thud_rows *rows;
    thud_projection projection;
    double w[2];
} rig;

static rig open_rig(double x, double y)
{
    rig r = {.w = {x, y}};
    if (thud_rows_create(2, NULL, &r.rows) != THUD_OK)
        abort();
    return r;
}

static void push(rig *r, double x, double y, double gap, double shift)
{
    int index[2] = {0, 1};
    double slope[2] = {x, y};
    thud_row row = {.key = thud_key_number(thud_rows_count(r->rows) + 1),
                    .gap = gap,
                    .shift = shift,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    CHECK(thud_rows_push(r->rows, &row) == THUD_OK);
}

// Enclose u for shifts of this scale.
static thud_enclosure enclose(rig *r, const double *u, const double *mu, double scale,
                              const thud_enclose_def *def, double *enlarged)
{
    thud_enclosure found;
    r->projection =
        (thud_projection){.dim = 2, .h = 1, .w = r->w, .rows = r->rows, .shift_scale = scale};
    CHECK(thud_enclose(&r->projection, u, mu, def, &found, enlarged) == THUD_OK);
    return found;
}

// A floor and a wall: the bound is the distance itself, whatever u is.
static void corner(void)
{
    rig r = open_rig(-3, -4);
    double u[2] = {0.1, -0.2}, mu[2] = {3, 4};
    push(&r, 1, 0, 0, 0.5);
    push(&r, 0, 1, 0, 0.25);
    thud_enclosure own = enclose(&r, u, mu, 0, NULL, NULL);
    thud_enclosure shifted = enclose(&r, u, mu, 1, NULL, NULL);
    CHECK(own.holds && shifted.holds && own.weak_rows == 0 && own.changed == 0);
    CHECK_NEAR(own.bound, hypot(0.1, 0.2), 1e-14);
    CHECK_NEAR(shifted.bound, hypot(0.4, 0.45), 1e-14);
    CHECK(own.bound >= 0.223606797749978969 && shifted.bound >= 0.602079728939614869);
    thud_rows_destroy(r.rows);
}

// Rows enter and leave the set until it is the one: nothing, or the wrong rows, to begin with.
static void guesses(void)
{
    for (int guess = 0; guess < 8; guess++)
    {
        rig r = open_rig(-3, 2);
        double u[2] = {0, 2}, mu[3] = {guess & 1, guess & 2, guess & 4};
        push(&r, 1, 0, 0, 0);
        push(&r, 0, 1, 0, 0);
        push(&r, -1, 0.5, 9, 0);
        thud_enclosure found = enclose(&r, u, mu, 0, NULL, NULL);
        CHECK(found.holds && found.weak_rows == 0);
        CHECK_AT_MOST(found.bound, 1e-15);
        CHECK((found.changed == 0) == (guess == 1));
        thud_rows_destroy(r.rows);
    }
}

// -0, and what is hardly above 0, push no more than 0 does.
static void faint(void)
{
    const double faintest[] = {-0.0, 0x1p-1074, 1e-300};
    for (int k = 0; k < 3; k++)
    {
        rig r = open_rig(-3, 2);
        double u[2] = {0, 2}, mu[2] = {3, faintest[k]};
        push(&r, 1, 0, 0, 0);
        push(&r, 0, 1, 1, 0);
        thud_enclosure found = enclose(&r, u, mu, 0, NULL, NULL);
        CHECK(found.holds && found.weak_rows == 0);
        CHECK_AT_MOST(found.bound, 1e-15);
        thud_rows_destroy(r.rows);
    }
}

// Rows so nearly parallel that rounding cannot tell them apart are not both in a verified set.
static void dependent(void)
{
    int held = 0;
    test_random random = test_random_start(1);
    for (int k = 0; k < 2000; k++)
    {
        double turn = test_random_uniform(&random, 0, 6.3), factor = pow(3, k % 5);
        double angle = turn + pow(10, -9 - k / 250.0), mu[2] = {1.5, 1.5 / factor}, u[2] = {0, 0};
        rig r = open_rig(-3 * cos(turn), -3 * sin(turn));
        push(&r, cos(turn), sin(turn), 0, 0);
        push(&r, factor * cos(angle), factor * sin(angle), 0, 0);
        thud_enclosure found = enclose(&r, u, mu, 0, NULL, NULL);
        CHECK(!found.holds || found.changed > 0);
        held += found.holds;
        thud_rows_destroy(r.rows);
    }
    printf("  %d of 2,000 enclosed by one of the rows\n", held);
}

// A row that meets its bound exactly and does not push is weak: by how much is said, and no more.
static void weak(void)
{
    rig r = open_rig(-1.0 / 3, -1.0 / 7);
    double mu[3] = {1.0 / 3, 1.0 / 7, 0}, u[2] = {0, 0}, enlarged[3];
    push(&r, 1, 0, 0, 0);
    push(&r, 0, 1, 0, 0);
    push(&r, 0.3, 0.4, 0, 0);
    thud_enclosure found = enclose(&r, u, mu, 0, NULL, enlarged);
    CHECK(found.holds);
    CHECK(found.weak_rows == (enlarged[2] > 0) && found.weak == enlarged[2]);
    CHECK(enlarged[0] == 0 && enlarged[1] == 0);
    CHECK_AT_MOST(found.weak, 1e-14);
    thud_rows_destroy(r.rows);
}

// Nothing is said where there is no room for the factor, or no answer.
static void refused(void)
{
    rig r = open_rig(-3, -4);
    double u[2] = {0, 0}, mu[2] = {3, 4};
    push(&r, 1, 0, 0, 0);
    push(&r, 0.6, 0.8, 0, 0);
    CHECK(!enclose(&r, u, mu, 0, &(thud_enclose_def){.factor_limit = 2}, NULL).holds);
    CHECK(enclose(&r, u, mu, 0, &(thud_enclose_def){.factor_limit = 3}, NULL).holds);
    push(&r, -1, 0, -1, 0); // K is empty
    double all[3] = {3, 4, 1};
    thud_enclosure found = enclose(&r, u, all, 0, NULL, NULL);
    CHECK(!found.holds && found.bound == INFINITY);
    u[0] = NAN;
    CHECK(thud_enclose(&r.projection, u, all, NULL, &found, NULL) == THUD_ERR_NOT_FINITE);
    CHECK(thud_enclose(&r.projection, NULL, all, NULL, &found, NULL) == THUD_ERR_ARGUMENT);
    thud_rows_destroy(r.rows);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {{"corner", corner}, {"guesses", guesses},
                               {"faint", faint},   {"dependent", dependent},
                               {"weak", weak},     {"refused", refused}};
    return test_main(argc, argv, cases, 6);
}
