// Exact problems that are thin or empty by 1e-9 to 1e-14: a projection, an exact fit, or a proof
// that no velocity near w is admissible; never "not converged".
#include "thud/project.h"

#include "thud_test.h"

#include <string.h>

enum
{
    MOST = 10,
    TRIALS = 5825
};

typedef struct trial
{
    int dim, count; // count: rows, the last one minus a combination of the others
    double slope[MOST + 1][MOST], gap[MOST + 1], w[MOST];
    double room; // how thin it is; negative: empty by so much
} trial;

static void draw(test_random *random, trial *t)
{
    memset(t, 0, sizeof *t);
    t->dim = test_random_int(random, 2, MOST);
    t->count = test_random_int(random, 1, t->dim) + 1;
    double sign = test_random_int(random, 0, 1) ? 1 : -1;
    t->room = sign * pow(10, test_random_uniform(random, -14, -9));
    for (int k = 0; k < t->dim; k++)
        t->w[k] = test_random_normal(random);
    int last = t->count - 1;
    for (int i = 0; i < last; i++)
    {
        double part = test_random_uniform(random, 0, 1);
        t->gap[i] = test_random_normal(random);
        t->gap[last] -= part * t->gap[i];
        for (int k = 0; k < t->dim; k++)
        {
            t->slope[i][k] = test_random_normal(random);
            t->slope[last][k] -= part * t->slope[i][k];
        }
    }
    t->gap[last] += t->room;
}

__extension__ typedef __float128 quad;

// The Farkas vector in quadruple precision: what it rules out is at least what it says.
static void check_proof(const trial *t, const thud_farkas *farkas)
{
    quad sum = 0, square = 0;
    for (int k = 0; k < t->dim; k++)
    {
        quad e = 0;
        for (int i = 0; i < t->count; i++)
            e += (quad)farkas->y[i] * t->slope[i][k];
        square += e * e;
    }
    for (int i = 0; i < t->count; i++)
    {
        CHECK(farkas->y[i] >= 0);
        sum += (quad)farkas->y[i] * t->gap[i];
    }
    double speed = 0;
    for (int k = 0; k < t->dim; k++)
        speed += t->w[k] * t->w[k];
    CHECK(t->room < 0 && sum < 0);
    CHECK(farkas->radius > sqrt(speed));
    CHECK((quad)farkas->radius * farkas->radius * square <= sum * sum);
}

static void run_thin(void)
{
    uint64_t seed = test_seed(30);
    test_random random = test_random_start(seed);
    thud_projector *projector = NULL;
    int found = 0, fits = 0, empty = 0, open = 0;
    thud_projector_def def = {.method = THUD_METHOD_ACTIVE_SET};
    REQUIRE(thud_projector_create(&def, &projector) == THUD_OK);
    for (int n = 0; n < TRIALS; n++)
    {
        static const int index[MOST] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        trial t;
        thud_rows *rows = NULL;
        thud_answer answer;
        draw(&random, &t);
        REQUIRE(thud_rows_create(t.dim, NULL, &rows) == THUD_OK);
        for (int i = 0; i < t.count; i++)
            CHECK(thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                                   .gap = t.gap[i],
                                                   .count = t.dim,
                                                   .index = index,
                                                   .slope = t.slope[i]}) == THUD_OK);
        thud_projection problem = {.dim = t.dim, .h = 1, .w = t.w, .rows = rows};
        thud_status status = thud_project(&problem, projector, &answer);
        if (status == THUD_ERR_INFEASIBLE)
            check_proof(&t, &answer.farkas);
        else if (status != THUD_OK)
            test_fail(__FILE__, __LINE__, "trial %d, dim %d, room %g: %s", n, t.dim, t.room,
                      thud_status_text(status));
        found += status == THUD_OK;
        fits += status == THUD_OK && answer.relieved > 0;
        empty += status == THUD_ERR_INFEASIBLE;
        open += status == THUD_ERR_NOT_CONVERGED;
        thud_rows_destroy(rows);
        if (test_failures() > 50)
            break;
    }
    printf("seed %llu: %d found, %d of them exact fits; %d proved empty; %d not converged\n",
           (unsigned long long)seed, found, fits, empty, open);
    CHECK(empty > 0 && fits > 0);
    thud_projector_destroy(projector);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"thin", run_thin}};
    return test_main(argc, argv, cases, 1);
}
