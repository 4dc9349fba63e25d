// Benchmark: the processor time that each member of a team spends on one certificate, of a
// projection that the drop scene poses. Every team must find the bits of one member alone.
//
//     certificates [--quick | N STEPS]      default: 100000 spheres in 28 layers, the projection of
//                                           step 70
//
// A member is a thread that shares no memory with the others: what they tell each other is copied.
#include "certify/certify.h"
#include "core/memory.h"
#include "drop_posed.h"
#include "team_threads.h"
#include "thud_test.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>
#include <time.h>

enum
{
    MOST_MEMBERS = 8,
    TRIES = 12 // the quickest counts
};

// A certificate and its time.
typedef struct made
{
    thud_certificate certificate;
    double *u, *lin, seconds;
} made;

typedef struct common
{
    const thud_projection *problem;
    const double *mu;
    made all[MOST_MEMBERS];
} common;

static double thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void certify(thud_team *team, void *user)
{
    common *c = user;
    made *m = &c->all[thud_team_rank(team)];
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thud_rooms rooms = {0};
    int unit = thudi_survey_rows(c->problem).unit;
    thudi_rooms_begin(&rooms, &allocator);
    m->seconds = INFINITY;
    for (int k = 0; k < TRIES; k++)
    {
        double start = thread_seconds();
        thudi_rooms_enter(&rooms);
        CHECK(thudi_certify(c->problem, unit, c->mu, team, &rooms, m->u, m->lin, &m->certificate) ==
              THUD_OK);
        m->seconds = fmin(m->seconds, thread_seconds() - start);
    }
    thudi_rooms_free(&rooms);
}

static bool is_same(const made *a, const made *b, int dim, int rows)
{
    return a->certificate.forward == b->certificate.forward &&
           a->certificate.backward == b->certificate.backward &&
           a->certificate.kkt == b->certificate.kkt &&
           memcmp(a->u, b->u, (size_t)dim * sizeof *a->u) == 0 &&
           memcmp(a->lin, b->lin, (size_t)rows * sizeof *a->lin) == 0;
}

// A team, and a line about it.
static bool try_team(common *c, int size, const made *alone)
{
    int rows = thud_rows_count(c->problem->rows);
    double most = 0, sum = 0;
    bool fine = team_threads_run(size, 1, certify, c);
    for (int r = 0; r < size; r++)
    {
        fine = fine && is_same(&c->all[r], alone, c->problem->dim, rows);
        most = fmax(most, c->all[r].seconds);
        sum += c->all[r].seconds;
    }
    printf("%7d %9.2f %9.2f %8.2f  %s\n", size, 1e3 * sum / size, 1e3 * most,
           alone->seconds / (sum / size), fine ? "same bits" : "OTHER BITS");
    return fine;
}

static bool try_teams(const thud_projection *problem, const double *mu)
{
    static const int sizes[] = {1, 2, 3, 4, 8};
    common c = {.problem = problem, .mu = mu};
    size_t dim = (size_t)problem->dim, rows = (size_t)thud_rows_count(problem->rows);
    made alone = {.u = malloc(dim * sizeof(double)), .lin = malloc(rows * sizeof(double))};
    bool fine = alone.u && alone.lin;
    for (int r = 0; r < MOST_MEMBERS; r++)
    {
        c.all[r].u = malloc(dim * sizeof(double));
        c.all[r].lin = malloc(rows * sizeof(double));
        fine = fine && c.all[r].u && c.all[r].lin;
    }
    if (fine)
    {
        made first = c.all[0];
        c.all[0] = alone;
        certify(NULL, &c);
        alone = c.all[0];
        c.all[0] = first;
        printf("%d rows, alone %.2f ms\n", (int)rows, 1e3 * alone.seconds);
        printf("%7s %9s %9s %8s\n", "members", "mean, ms", "most, ms", "ratio");
    }
    for (int s = 0; s < 5 && fine; s++)
        fine = try_team(&c, sizes[s], &alone);
    for (int r = 0; r < MOST_MEMBERS; r++)
    {
        free(c.all[r].u);
        free(c.all[r].lin);
    }
    free(alone.u);
    free(alone.lin);
    return fine;
}

static bool measure(int count, int steps)
{
    drop_posed drop = {0};
    bool fine = drop_posed_take(&drop, count, steps);
    printf("%d spheres, step %d: ", count, steps);
    fine = fine && try_teams(&drop.taken.problem, thud_work_report(drop.work)->impulse);
    drop_posed_free(&drop);
    return fine;
}

int main(int argc, char **argv)
{
    bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    int count = is_quick ? 6000 : 100000, steps = is_quick ? 30 : 70;
    if (argc == 3)
    {
        count = (int)strtol(argv[1], NULL, 10);
        steps = (int)strtol(argv[2], NULL, 10);
    }
    if ((argc > 1 && !is_quick && argc != 3) || count < 1 || steps < 1)
    {
        (void)fprintf(stderr, "usage: certificates [--quick | N STEPS]\n");
        return 2;
    }
    omp_set_num_threads(1);
    bool fine = measure(count, steps);
    return !(fine && test_failures() == 0);
}
