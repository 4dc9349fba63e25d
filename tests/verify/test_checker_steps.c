// The checker on the library's own steps: random problems, every step checked, and random
// corruptions of them caught.
#include "thud/thud.h"
#include "thud/verify.h"
#include "thud_test.h"

#include <string.h>

enum
{
    MOST_BODIES = 8,
    MOST_DIM = 3 * MOST_BODIES,
    MOST_ROWS = 40,
    PROBLEMS = 400,
    STEPS = 12
};

// A random problem: affine rows that may move, or spheres in a box that may grow. Row `dropped`
// is left out.
typedef struct lottery
{
    thud_inclusion problem;
    thud_smoothness smooth;
    double mass[MOST_DIM], q[MOST_DIM], u[MOST_DIM];
    double t0, h;
    uint64_t dropped;
    // affine: gap = offset + drift (t - t0) + slope . q
    int row_count;
    double offset[MOST_ROWS], drift[MOST_ROWS], slope[MOST_ROWS][MOST_DIM];
    // spheres
    int width, bodies;
    double radius[MOST_BODIES], growth;
    // force
    double weight[MOST_DIM], wave;
} lottery;

static void push(const lottery *of, thud_rows *rows, const thud_row *row)
{
    if (row->key != of->dropped)
        thud_rows_push(rows, row);
}

static int affine_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const lottery *of = user;
    for (int i = 0; i < of->row_count; i++)
    {
        int index[MOST_DIM], count = 0;
        double slope[MOST_DIM], gap = of->offset[i] + of->drift[i] * (at->t - of->t0);
        for (int k = 0; k < of->problem.dim; k++)
        {
            if (of->slope[i][k] == 0)
                continue;
            gap += of->slope[i][k] * at->q[k];
            index[count] = k;
            slope[count++] = of->slope[i][k];
        }
        thud_row row = {
            .key = (uint64_t)i + 1, .gap = gap, .count = count, .index = index, .slope = slope};
        push(of, rows, &row);
    }
    return 0;
}

static double radius_at(const lottery *of, int i, double t)
{
    return of->radius[i] * (1 + of->growth * t);
}

static void push_contact(const lottery *of, const thud_moment *at, int i, int j, thud_rows *rows)
{
    int width = of->width;
    double d[3], slope[6], length = 0;
    for (int c = 0; c < width; c++)
    {
        d[c] = at->q[j * width + c] - at->q[i * width + c];
        length += d[c] * d[c];
    }
    length = sqrt(length);
    for (int c = 0; c < width; c++)
    {
        slope[width + c] = d[c] / length;
        slope[c] = -slope[width + c];
    }
    thud_row row = {.key = (uint64_t)(100 + i * MOST_BODIES + j),
                    .gap = length - radius_at(of, i, at->t) - radius_at(of, j, at->t),
                    .width = width,
                    .count = 2,
                    .index = (int[]){i * width, j * width},
                    .slope = slope};
    push(of, rows, &row);
}

static int sphere_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const lottery *of = user;
    double up[3] = {0, 0, 0};
    up[of->width - 1] = 1;
    for (int i = 0; i < of->bodies; i++)
    {
        int index = i * of->width;
        thud_row ground = {.key = (uint64_t)i + 1,
                           .gap = at->q[index + of->width - 1] - radius_at(of, i, at->t),
                           .width = of->width,
                           .count = 1,
                           .index = &index,
                           .slope = up};
        push(of, rows, &ground);
        for (int j = i + 1; j < of->bodies; j++)
            push_contact(of, at, i, j, rows);
    }
    return 0;
}

static int waving_force(double t, const double *q, double *f, void *user)
{
    const lottery *of = user;
    for (int k = 0; k < of->problem.dim; k++)
        f[k] = of->weight[k] * (1 + of->wave * cos(3 * t + k)) - 0.25 * q[k];
    return 0;
}

static int waving_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    const lottery *of = user;
    for (int k = 0; k < of->problem.dim; k++)
        impulse[k] =
            of->weight[k] * ((t_next - t) + of->wave / 3 * (sin(3 * t_next + k) - sin(3 * t + k))) -
            0.25 * q[k] * (t_next - t);
    return 0;
}

static void draw_force(lottery *of, test_random *random)
{
    int kind = test_random_int(random, 0, 3);
    for (int k = 0; k < of->problem.dim; k++)
        of->weight[k] = of->mass[k] * test_random_normal(random);
    of->wave = kind >= 2 ? 1 : 0;
    if (kind == 3)
        of->problem.impulse = waving_impulse;
    else if (kind > 0)
        of->problem.force = waving_force;
    of->problem.force_is_steady = kind == 1;
}

// Rows through or above the start, some of them equal, opposite, or badly scaled.
static void draw_affine(lottery *of, test_random *random)
{
    int dim = of->problem.dim = test_random_int(random, 1, 10);
    of->row_count = test_random_int(random, 0, 20);
    of->problem.gaps = affine_gaps;
    for (int k = 0; k < dim; k++)
    {
        of->mass[k] = pow(10, test_random_uniform(random, -1, 1));
        of->q[k] = test_random_normal(random);
        of->u[k] = test_random_normal(random);
    }
    for (int i = 0; i < of->row_count; i++)
    {
        double sum = 0, scale = pow(10, test_random_uniform(random, -3, 3));
        bool again = i > 0 && test_random_int(random, 0, 9) == 0;
        for (int k = 0; k < dim; k++)
        {
            bool zero = test_random_int(random, 0, 2) == 0;
            of->slope[i][k] = zero ? 0 : scale * test_random_normal(random);
            if (again)
                of->slope[i][k] = of->slope[i - 1][k];
            sum += of->slope[i][k] * of->q[k];
        }
        of->drift[i] = test_random_int(random, 0, 2) ? 0 : 0.1 * scale * test_random_normal(random);
        double room =
            test_random_int(random, 0, 1) ? 0.1 * scale * test_random_uniform(random, 0, 1) : 0;
        of->offset[i] = room - sum;
    }
}

// Spheres on a line that leans, near each other, over the ground.
static void draw_spheres(lottery *of, test_random *random)
{
    of->width = test_random_int(random, 2, 3);
    of->bodies = test_random_int(random, 1, MOST_BODIES);
    of->problem.dim = of->width * of->bodies;
    of->problem.gaps = sphere_gaps;
    of->growth = test_random_int(random, 0, 1) ? 0.05 : 0;
    double height = 0;
    for (int i = 0; i < of->bodies; i++)
    {
        double m = pow(10, test_random_uniform(random, -1, 1));
        of->radius[i] = test_random_uniform(random, 0.5, 1);
        height += radius_at(of, i, of->t0);
        for (int c = 0; c < of->width; c++)
        {
            int k = i * of->width + c;
            of->mass[k] = m;
            of->q[k] = c == of->width - 1 ? height : 0.1 * test_random_normal(random);
            of->u[k] = test_random_normal(random);
        }
        height += radius_at(of, i, of->t0) + test_random_uniform(random, 0, 0.1);
    }
}

static void draw(lottery *of, test_random *random)
{
    memset(of, 0, sizeof *of);
    of->t0 = test_random_int(random, 0, 1) ? 0 : test_random_uniform(random, -1, 1);
    of->h = pow(10, test_random_uniform(random, -3, -0.5));
    of->problem.order = test_random_int(random, 0, 2) ? THUD_SECOND_ORDER : THUD_FIRST_ORDER;
    if (test_random_int(random, 0, 1))
        draw_affine(of, random);
    else
        draw_spheres(of, random);
    of->problem.mass = of->mass;
    of->problem.user = of;
    of->problem.smooth = &of->smooth;
    draw_force(of, random);
}

// One problem with its states and work space.
typedef struct stand
{
    lottery of;
    thud_state *before, *after;
    thud_work *work;
    int missed; // steps that the library itself says missed their tolerance
} stand;

static bool open_stand(stand *at, test_random *random)
{
    draw(&at->of, random);
    thud_state_def def = {
        .dim = at->of.problem.dim, .t0 = at->of.t0, .h = at->of.h, .q = at->of.q, .u = at->of.u};
    return thud_state_create(&def, &at->before) == THUD_OK &&
           thud_state_create(&def, &at->after) == THUD_OK &&
           thud_work_create(NULL, &at->work) == THUD_OK;
}

static void close_stand(stand *at)
{
    thud_state_destroy(at->before);
    thud_state_destroy(at->after);
    thud_work_destroy(at->work);
}

// before <- after, after <- its successor. False when there is none: no velocity is admissible
// any more, or the projection refuses to vouch for its answer.
static bool advance(stand *at)
{
    thud_status status = thud_state_copy(at->before, at->after);
    if (status == THUD_OK)
        status = thud_step(&at->of.problem, at->after, at->work);
    at->missed += status == THUD_ERR_NOT_CONVERGED;
    if (status < 0 && status != THUD_ERR_INFEASIBLE && status != THUD_ERR_NOT_CONVERGED)
        test_fail(__FILE__, __LINE__, "step: %s", thud_work_message(at->work));
    return status >= 0;
}

static bool check(const stand *at, thud_verdict *verdict)
{
    thud_status status = thud_check_step(&at->of.problem, at->before, at->after, NULL, verdict);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "checker: %s", thud_status_name(status));
    return status == THUD_OK && verdict->holds;
}

static void every_step(void)
{
    uint64_t seed = test_seed(20240601);
    test_random random = test_random_start(seed);
    double worst[THUD_CERT_COUNT] = {0};
    int steps = 0, held = 0, rows = 0, pushed = 0, missed = 0;
    for (int p = 0; p < PROBLEMS; p++)
    {
        stand at = {0};
        REQUIRE(open_stand(&at, &random));
        for (int n = 0; n < STEPS && advance(&at); n++)
        {
            thud_verdict verdict = {0};
            bool holds = check(&at, &verdict);
            steps++;
            held += holds;
            rows += verdict.rows;
            pushed += at.after->multiplier_count;
            for (int i = 0; i < THUD_CERT_COUNT; i++)
            {
                worst[i] = fmax(worst[i], verdict.checks[i].value);
                if (!verdict.checks[i].holds)
                    test_fail(__FILE__, __LINE__, "problem %d, step %d: %s, value %g, at %lld", p,
                              n, thud_certificate_title((thud_certificate_name)i),
                              verdict.checks[i].value, (long long)verdict.checks[i].where);
            }
        }
        missed += at.missed;
        close_stand(&at);
    }
    printf("  seed %llu: %d steps, %d rows, %d multipliers; all nine hold for %d of %d\n",
           (unsigned long long)seed, steps, rows, pushed, held, steps);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        printf("    %-16s worst value %.3g of 1\n",
               thud_certificate_title((thud_certificate_name)i), worst[i]);
    printf("    steps that were refused as not converged: %d\n", missed);
    CHECK(steps > PROBLEMS && pushed > PROBLEMS && missed < PROBLEMS / 50);
}

// A number of the step that matters, or NULL: positions and velocities at both ends, impulses.
static double *pick(const stand *at, int what, test_random *random)
{
    int k = test_random_int(random, 0, at->of.problem.dim - 1);
    bool first = at->of.problem.order == THUD_FIRST_ORDER;
    switch (what)
    {
    case 0:
        return &at->before->q[k];
    case 1:
        return &at->after->q[k];
    case 2:
        return first ? NULL : &at->before->u[k]; // of no effect in the first order
    case 3:
        return &at->after->u[k];
    default:
        k = at->after->multiplier_count;
        return k == 0 ? NULL : &at->after->multipliers[test_random_int(random, 0, k - 1)].impulse;
    }
}

static void corruption(void)
{
    static const char *const names[5] = {"position before", "position after", "velocity before",
                                         "velocity after", "multiplier"};
    uint64_t seed = test_seed(20240602);
    test_random random = test_random_start(seed);
    int tried[5] = {0}, caught[5] = {0};
    for (int p = 0; p < PROBLEMS; p++)
    {
        stand at = {0};
        REQUIRE(open_stand(&at, &random));
        for (int n = 0; n < STEPS && advance(&at); n++)
        {
            int what = test_random_int(&random, 0, 4);
            double *x = pick(&at, what, &random);
            if (!x || fabs(*x) < 1e-4) // small against what it is added to
                continue;
            double kept = *x;
            thud_verdict verdict = {0};
            *x *= 1 + 1e-6;
            tried[what]++;
            caught[what] += !check(&at, &verdict);
            *x = kept;
        }
        close_stand(&at);
    }
    printf("  seed %llu, altered by 1e-6:\n", (unsigned long long)seed);
    for (int what = 0; what < 5; what++)
    {
        printf("    %-16s caught %d of %d\n", names[what], caught[what], tried[what]);
        CHECK(tried[what] > 0 && caught[what] == tried[what]);
    }
}

// How far two velocities are apart, relative to them and to the one wanted.
static double distance(const double *u, const double *v, const double *wanted, int dim)
{
    double most = 0, size = 0;
    for (int k = 0; k < dim; k++)
    {
        most = fmax(most, fabs(u[k] - v[k]));
        size = fmax(size, fmax(fabs(wanted[k]), fmax(fabs(u[k]), fabs(v[k]))));
    }
    return size > 0 ? most / size : 0;
}

// Does the difference show in the positions at all? Below some 100 ulps of them no gap is known.
static bool shows(const double *u, const double *v, const thud_state *state)
{
    double most = 0, size = 0;
    for (int k = 0; k < state->dim; k++)
    {
        most = fmax(most, state->h * fabs(u[k] - v[k]));
        size = fmax(size, fabs(state->q[k]));
    }
    return most > 1e-12 * size;
}

// Take the step again without one of the rows that pushed. Where that makes a difference it must
// be seen that the row is violated.
static void dropped(void)
{
    uint64_t seed = test_seed(20240603);
    test_random random = test_random_start(seed);
    int tried = 0, caught = 0;
    for (int p = 0; p < PROBLEMS; p++)
    {
        stand at = {0};
        double u[MOST_DIM];
        REQUIRE(open_stand(&at, &random));
        for (int n = 0; n < STEPS && advance(&at); n++)
        {
            int dim = at.of.problem.dim, count = at.after->multiplier_count;
            if (count == 0)
                continue;
            at.of.dropped = at.after->multipliers[test_random_int(&random, 0, count - 1)].key;
            memcpy(u, at.after->u, (size_t)dim * sizeof *u);
            CHECK(thud_state_copy(at.after, at.before) == THUD_OK);
            thud_status status = thud_step(&at.of.problem, at.after, at.work);
            at.of.dropped = 0;
            const double *w = thud_work_report(at.work)->w;
            if (status >= 0 && distance(u, at.after->u, w, dim) > 1e-6 &&
                shows(u, at.after->u, at.before))
            {
                thud_verdict verdict = {0};
                tried++;
                caught += !check(&at, &verdict) && !verdict.checks[THUD_CERT_FEASIBLE].holds;
            }
            CHECK(thud_state_copy(at.after, at.before) == THUD_OK);
            if (!advance(&at))
                break;
        }
        close_stand(&at);
    }
    printf("  seed %llu: dropped constraints caught %d of %d\n", (unsigned long long)seed, caught,
           tried);
    CHECK(tried > PROBLEMS && caught == tried);
}

// A body between two walls that get enormous impulses, nearly equal: they must not vouch for a step
// through a wall.
static int slot_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    static const double slopes[2] = {1, -1};
    (void)user;
    for (int i = 0; i < 2; i++)
        thud_rows_push(rows, &(thud_row){.key = (uint64_t)i,
                                         .gap = i == 0 ? at->q[0] : 0.01 - at->q[0],
                                         .count = 1,
                                         .index = (int[]){0},
                                         .slope = &slopes[i]});
    return 0;
}

static void forged_impulses(void)
{
    static const double velocities[] = {0.7, 1.4, -9, 0.51, -0.51};
    thud_inclusion problem = {.dim = 1, .gaps = slot_gaps};
    thud_state_def def = {.dim = 1, .h = 0.01, .q = (double[]){0.005}, .u = (double[]){-1}};
    thud_state *before = NULL, *after = NULL;
    REQUIRE(thud_state_create(&def, &before) == THUD_OK);
    REQUIRE(thud_state_create(&def, &after) == THUD_OK);
    REQUIRE(thud_state_reserve(after, 2) == THUD_OK);
    for (int i = 0; i < 5; i++)
        for (double size = 1; size < 1e14; size *= 10)
        {
            thud_verdict verdict;
            double push = velocities[i] - -1;
            after->u[0] = velocities[i];
            after->q[0] = fma(def.h, velocities[i], 0.005);
            after->n = 1;
            after->multipliers[0] = (thud_multiplier){.key = 0, .impulse = size + fmax(push, 0)};
            after->multipliers[1] = (thud_multiplier){.key = 1, .impulse = size + fmax(-push, 0)};
            after->multiplier_count = 2;
            CHECK(thud_check_step(&problem, before, after, NULL, &verdict) == THUD_OK);
            CHECK(!verdict.holds);
        }
    thud_state_destroy(before);
    thud_state_destroy(after);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"every_step", every_step},
        {"corruption", corruption},
        {"dropped", dropped},
        {"forged_impulses", forged_impulses},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
