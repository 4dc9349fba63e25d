// Every bound that is claimed of a projection against the truth in 113-bit arithmetic.
#include "hunt.h"

#include <stdlib.h>
#include <string.h>

// A ratio is counted where the true error is above this part of |w|.
static const double COUNTS = 1e-13;

double hunt_tol(hunt_quality quality)
{
    static const double tol[] = {0, 1e-3, 1e-5, 1e-8};
    return tol[quality];
}

double hunt_tol_a(hunt_quality quality)
{
    static const double tol_a[] = {1e-3, 3e-2, 1e-3, 1e-6};
    return tol_a[quality];
}

// One projection as it is judged: with rows written out, and the answer.
typedef struct subject
{
    const thud_projection *projection;
    const double *u, *mu;
    uint64_t seed;
    problem *p;
    quad *gap; // scratch: those of the problem that is solved
    double length;
} subject;

static subject subject_of(const thud_projection *projection, const double *u, const double *mu,
                          uint64_t seed)
{
    int count = thud_rows_count(projection->rows);
    subject s = {projection, u, mu, seed, problem_create(projection->dim, count), NULL, 0};
    s.gap = calloc((size_t)count + 1, sizeof *s.gap);
    if (!s.gap)
        abort();
    s.p->h = projection->h;
    s.p->shift_scale = projection->shift_scale;
    for (int k = 0; k < projection->dim; k++)
    {
        s.p->w[k] = projection->w[k];
        s.p->mass[k] = projection->mass ? projection->mass[k] : 1;
        s.length += s.p->mass[k] * s.p->w[k] * s.p->w[k];
    }
    s.length = sqrt(s.length);
    for (int i = 0; i < count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(projection->rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        s.p->gap[i] = row.gap;
        s.p->shift[i] = row.shift;
        for (int e = 0; e < row.count * width; e++)
            problem_slope(s.p, i)[row.index[e / width] + e % width] = row.slope[e];
    }
    return s;
}

static void subject_free(subject *s)
{
    problem_destroy(s->p);
    free(s->gap);
}

// |u - P w| for the gaps in s->gap; negative if they have no answer. *doubt: what it may be off by.
static double true_distance(const subject *s, double *doubt)
{
    quad_problem *q = quad_problem_create(s->p, s->gap);
    quad_solution *solution = quad_solve(q);
    quad square = 0;
    for (int k = 0; k < s->p->dim; k++)
    {
        quad apart = q->root[k] * s->u[k] - solution->x[k];
        square += apart * apart;
    }
    double distance = solution->is_solved ? (double)quad_sqrt(square) : -1;
    *doubt = (double)(4 * solution->doubt) + 1e-29 * s->length;
    quad_solution_destroy(solution);
    quad_problem_destroy(q);
    return distance;
}

static void note(hunt_figures *figures, double ratio)
{
    if (figures->count == figures->room)
    {
        figures->room = 2 * figures->room + 64;
        figures->ratio = realloc(figures->ratio, (size_t)figures->room * sizeof *figures->ratio);
        if (!figures->ratio)
            abort();
    }
    figures->ratio[figures->count++] = ratio;
}

// Is the claim true? It is counted, and its ratio where the error is no rounding.
static void hold_against(const subject *s, const char *name, double claim, hunt_class *class,
                         hunt_figures *figures)
{
    double doubt, distance = true_distance(s, &doubt);
    if (distance < 0 || doubt > 1e-3 * claim + 1e-25 * s->length)
    {
        class->unsure++;
        return;
    }
    figures->claims++;
    if (distance - doubt > claim)
        test_fail(__FILE__, __LINE__, "seed %llu: %s claims %.17g, true is %.17g (%g more)",
                  (unsigned long long)s->seed, name, claim, distance, distance - claim);
    if (distance > COUNTS * s->length)
        note(figures, claim / distance);
}

// lin_i at u, exactly.
static quad lin_of(const subject *s, int i)
{
    quad lin = s->p->gap[i];
    for (int k = 0; k < s->p->dim; k++)
        lin += (quad)s->p->h * problem_slope(s->p, i)[k] * s->u[k];
    return lin;
}

static void judge_forward(const subject *s, double claim, hunt_class *class)
{
    for (int i = 0; i < s->p->count; i++)
    {
        quad lin = lin_of(s, i);
        s->gap[i] = s->p->gap[i] + (lin < 0 ? -lin : 0);
    }
    class->forward.asked++;
    hold_against(s, "forward", claim, class, &class->forward);
}

// What row i is made of: |gap| + shift + |slope| (h |w| + h |u| + |q|).
static double size_of(const subject *s, int i)
{
    const double *origin = s->projection->origin;
    double size = fabs(s->p->gap[i]) + s->p->shift[i];
    for (int k = 0; k < s->p->dim; k++)
        size += fabs(problem_slope(s->p, i)[k]) *
                (s->p->h * (fabs(s->p->w[k]) + fabs(s->u[k])) + (origin ? fabs(origin[k]) : 0));
    return size;
}

// claimed: as the library gave it, or NULL: not asked for. It is asked for again with the gaps it
// enlarges, which must be the same.
static void judge_enclosure(const subject *s, double scale, const thud_enclosure *claimed,
                            hunt_class *class, hunt_figures *figures, double *largest)
{
    thud_projection projection = *s->projection;
    thud_enclosure again;
    double *enlarged = calloc((size_t)s->p->count + 1, sizeof *enlarged), most = 0;
    int weak = 0;
    if (!enlarged)
        abort();
    projection.shift_scale = scale;
    CHECK(thud_enclose(&projection, s->u, s->mu, NULL, &again, enlarged) == THUD_OK);
    if (claimed)
        CHECK(claimed->holds == again.holds && claimed->bound == again.bound &&
              claimed->weak == again.weak && claimed->weak_rows == again.weak_rows);
    for (int i = 0; i < s->p->count; i++)
    {
        double shift = s->p->shift[i] * scale;
        s->gap[i] = (quad)s->p->gap[i] - shift + enlarged[i];
        most = fmax(most, enlarged[i]);
        weak += enlarged[i] > 0;
        if (enlarged[i] > 0)
            *largest = fmax(*largest, enlarged[i] / (size_of(s, i) + 1e-290));
    }
    figures->asked++;
    figures->weak += again.holds && weak > 0;
    CHECK(!again.holds || (most == again.weak && weak == again.weak_rows));
    if (again.holds)
        hold_against(s, scale > 0 ? "E of the shifted problem" : "E of K", again.bound, class,
                     figures);
    free(enlarged);
}

void hunt_judge(hunt *h, hunt_quality quality, const thud_projection *projection, bool swept,
                const thud_answer *answer, uint64_t seed)
{
    const thud_certificate *certificate = &answer->certificate;
    hunt_class *class = &h->classes[2 * quality + swept];
    subject s = subject_of(projection, answer->u, answer->mu, seed);
    class->solved++;
    judge_forward(&s, certificate->forward, class);
    judge_enclosure(&s, 0, swept ? NULL : &certificate->enclosure, class, &class->whole,
                    &h->largest);
    if (quality != HUNT_BARE)
        judge_enclosure(&s, projection->shift_scale, swept ? NULL : &certificate->shifted, class,
                        &class->shifted, &h->largest);
    subject_free(&s);
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void print_figures(const char *name, hunt_figures *f)
{
    if (f->asked == 0)
        return;
    if (f->count > 0)
        qsort(f->ratio, (size_t)f->count, sizeof *f->ratio, by_size);
    printf("    %-24s %6.2f %% of %6d (with weak rows %5.2f %%)", name,
           100.0 * f->claims / f->asked, f->asked, 100.0 * f->weak / f->asked);
    if (f->count > 0)
        printf("  claimed/true %.4g, 90 %% %.4g, of %d", f->ratio[f->count / 2],
               f->ratio[(int)(0.9 * f->count)], f->count);
    printf("\n");
    free(f->ratio);
}

void hunt_report(hunt *h)
{
    static const char *const names[] = {"no shift", "preview", "default", "study"};
    for (int c = 0; c < HUNT_CLASSES; c++)
    {
        hunt_class *class = &h->classes[c];
        if (class->solved == 0)
            continue;
        printf("  %s, %s: %d answers, %d claims without a truth\n", c % 2 ? "swept" : "exact",
               names[c / 2], class->solved, class->unsure);
        print_figures("forward", &class->forward);
        print_figures("E, K itself", &class->whole);
        print_figures("E, shifted problem", &class->shifted);
    }
    printf("  no answer: %d; weak rows enlarge gaps by %.2g of their terms at most\n", h->others,
           h->largest);
}
