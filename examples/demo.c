// The demo: a ball on an oscillating plate, with its events against the exact ones, the worst of
// every certificate, the verdict of the independent checker, and a picture.
//
//     z'' = -G + lambda,   z >= A sin(w t),   A = 1, w = 2, G = 2,   from rest on the plate
#include "svg_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>
#include <thud/verify.h>

enum
{
    STEPS = 1536
};
static const double END = 6, FREQUENCY = 2, GRAVITY = 2;
// The solver keeps the gap at this distance, so that it is positive exactly, not nearly.
static const double SHIFT = 1e-12;

typedef struct demo
{
    thud_state *before;            // the last node, for the checker
    int points;                    // nodes recorded
    double t[STEPS + 1];           // time,
    double z[STEPS + 1];           // height of the ball,
    double plate[STEPS + 1];       // height of the plate,
    double impulse[STEPS + 1];     // and cumulative impulse at each node
    int events;                    // lift-offs and landings met
    double event_time[16];         // and their times
    double event_impulse[16];      // cumulative impulse at each
    int checked, held;             // steps checked, steps that hold all nine certificates
    double worst[THUD_CERT_COUNT]; // the worst value of each certificate
} demo;

static int gravity(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = -GRAVITY;
    return 0;
}

static int plate(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    return thud_rows_push(rows, &(thud_row){.gap = at->q[0] - sin(FREQUENCY * at->t),
                                            .shift = SHIFT,
                                            .count = 1,
                                            .index = (int[]){0},
                                            .slope = (double[]){1}});
}

static void check(demo *d, const thud_view *view)
{
    thud_verdict verdict;
    thud_check_def def = {.backward = 2 * SHIFT};
    if (thud_check_step(view->problem, d->before, view->state, &def, &verdict) < 0)
        return;
    d->checked++;
    d->held += verdict.holds;
    for (int c = 0; c < THUD_CERT_COUNT; c++)
        d->worst[c] = fmax(d->worst[c], verdict.checks[c].value);
}

static int watch(const thud_view *view, void *user)
{
    demo *d = user;
    int n = d->points++;
    double mu = view->report ? view->report->answer.mu[0] : 0;
    d->t[n] = view->t;
    d->z[n] = view->q[0];
    d->plate[n] = sin(FREQUENCY * view->t);
    d->impulse[n] = (n > 0 ? d->impulse[n - 1] : 0) + mu;
    if (n > 0)
        check(d, view);
    int touched = n == 1 || d->before->multiplier_count > 0, touches = mu > 0;
    if (n > 0 && touches != touched && d->events < 16)
    {
        d->event_impulse[d->events] = d->impulse[n];
        d->event_time[d->events++] = view->t;
    }
    return thud_state_copy(d->before, view->state) < 0;
}

static void print_events(const demo *d, double h)
{
    // lift-off when A w^2 sin(w t) = G; impacts by root finding, to all digits shown
    static const double exact[] = {0.261799387799, 2.591225125655, 3.403392041389, 5.732817779245};
    printf("  %-10s %10s %10s %12s\n", "event", "exact", "computed", "error / h");
    for (int e = 0; e < d->events && e < 4; e++)
        printf("  %-10s %10.6f %10.6f %12.2f\n", e % 2 ? "landing" : "lift-off", exact[e],
               d->event_time[e], (d->event_time[e] - exact[e]) / h);
}

static void print_certificate(const demo *d, const thud_tally *tally)
{
    printf("\nCertificate, the worst of %lld steps\n", (long long)tally->steps);
    printf("  smallest gap at any node               %9.1e\n", tally->min_gap);
    printf("  every step is the exact projection for gaps off by at most %.1e\n", tally->backward);
    printf("  relative KKT residual                  %9.1e\n", tally->kkt);
    printf("  depth between nodes, at most           %9.1e\n", tally->between);
    printf("  checked independently: %s (%d certificates of %d steps)\n",
           d->held == tally->steps ? "OK" : "FAILED", THUD_CERT_COUNT, d->checked);
    for (int c = 0; c < THUD_CERT_COUNT; c++)
        printf("    %d %-16s %-66s %8.1e\n", c + 1, thud_certificate_title(c),
               thud_certificate_text(c), d->worst[c]);
    printf("  (last column: residual over its tolerance, at most 1)\n");
}

static int draw(const demo *d, const char *folder, char *path, size_t size)
{
    svg_curve heights[] = {{"plate", "#c26a1b", 1, d->plate}, {"ball", "#1f5fa8", 0, d->z}};
    svg_curve impulses[] = {{"cumulative impulse", "#2b7a4b", 0, d->impulse}};
    svg_panel panels[] = {{"height z", heights, 2}, {"impulse of the plate", impulses, 1}};
    svg_chart chart = {
        .title = "Ball on an oscillating plate",
        .subtitle =
            "z'' = -2 + lambda, z &gt;= sin 2t. Maury's scheme, h = 1/256. Vertical lines: exact "
            "lift-offs and landings",
        .axis = "time t",
        .t = d->t,
        .count = d->points,
        .panels = panels,
        .panel_count = 2,
        .marks = (double[]){0.261799387799, 2.591225125655, 3.403392041389, 5.732817779245},
        .mark_count = 4,
    };
    (void)snprintf(path, size, "%s/plate.svg", folder);
    return svg_chart_write(&chart, path);
}

static int run(demo *d, const char *folder)
{
    double h = END / STEPS;
    char path[4096];
    thud_smoothness smooth = {.gap_tt = FREQUENCY * FREQUENCY};
    thud_inclusion problem = {
        .dim = 1, .force = gravity, .force_is_steady = true, .gaps = plate, .smooth = &smooth};
    thud_state_def start = {.dim = 1, .h = h, .q = (double[]){SHIFT}, .u = (double[]){FREQUENCY}};
    thud_observer observer = {watch, THUD_EVERY_STEP, d};
    thud_run_def def = {.end = END, .observers = &observer, .observer_count = 1};
    thud_state *state = NULL;
    thud_work *work = NULL;
    thud_tally tally;
    thud_status status = thud_state_create(&start, &state);
    if (status >= 0)
        status = thud_state_create(&start, &d->before);
    if (status >= 0)
        status = thud_work_create(NULL, &work);
    if (status >= 0)
        status = thud_run(&problem, state, work, &def, &tally);
    if (status < 0)
        fprintf(stderr, "demo: %s\n", work ? thud_work_message(work) : thud_status_text(status));
    else
    {
        printf("Ball on an oscillating plate: z'' = -2 + lambda, z >= sin 2t\n");
        printf("h = 1/256, %lld steps, libthud %s\n\n", (long long)tally.steps, thud_version());
        print_events(d, h);
        print_certificate(d, &tally);
        if (draw(d, folder, path, sizeof path) != 0)
        {
            fprintf(stderr, "demo: cannot write %s\n", path);
            status = THUD_ERR_ARGUMENT;
        }
        else
            printf("\nLook at: %s\n", path);
    }
    thud_work_destroy(work);
    thud_state_destroy(state);
    thud_state_destroy(d->before);
    return status < 0 || d->held != tally.steps;
}

int main(int argc, char **argv)
{
    if (argc != 2)
    {
        fprintf(stderr, "usage: demo FOLDER\n");
        return 2;
    }
    demo *d = calloc(1, sizeof *d);
    if (!d)
        return 5;
    int result = run(d, argv[1]);
    free(d);
    return result;
}
