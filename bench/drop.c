// Benchmark: the drop scene. Cost, work and quality of one simulated second, and of one pile at
// larger and larger steps.
//
//     drop [--quick] [--box WIDTH] [--preview] [--end SECONDS] [N ...]      default: 1000 10000
//
// --box: the side of the box in metres (default 0.4: 19 x 19 spheres a layer); --preview: that
// quality alone, and no pile after it; --end: how long to simulate (default 1).
#include "drop_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>
#include <time.h>

// What one run cost and how good it was.
typedef struct account
{
    double cpu, simulated;
    int steps, resolved;
    long sweeps, most_sweeps;
    double min_gap, residual;          // worst gap, worst backward bound
    double least_force, largest_force; // of the floor over the weight, in the last fifth
    double energy;                     // kinetic, per sphere over m g r, at the end
    double height;                     // mean height of the centres at the end
    thud_profile profile;
} account;

static double floor_force(thud_world *world, const thud_report *report)
{
    thud_contacts contacts;
    double sum = 0;
    if (thud_world_contacts(world, report, &contacts) < 0)
        return NAN;
    for (int i = 0; i < contacts.count; i++)
        if (contacts.b[i] < 0)
            sum += contacts.force[i] * contacts.normal[3 * i + 2];
    return sum;
}

static void add_step(account *a, thud_world *world, const thud_report *report, bool late)
{
    thud_bodies bodies = thud_world_bodies(world);
    double weight = bodies.count * drop_mass() * DROP_GRAVITY;
    a->steps++;
    a->resolved += report->rounds > 1;
    a->sweeps += report->effort.sweeps;
    if (report->effort.sweeps > a->most_sweeps)
        a->most_sweeps = report->effort.sweeps;
    a->min_gap = fmin(a->min_gap, report->min_gap);
    a->residual = fmax(a->residual, report->answer.certificate.backward);
    a->profile.predict += report->profile.predict;
    a->profile.linearise += report->profile.linearise;
    a->profile.project += report->profile.project;
    a->profile.check += report->profile.check;
    a->profile.commit += report->profile.commit;
    if (!late)
        return;
    double force = floor_force(world, report) / weight;
    a->least_force = fmin(a->least_force, force);
    a->largest_force = fmax(a->largest_force, force);
}

static void look_at_end(account *a, const thud_world *world)
{
    thud_bodies bodies = thud_world_bodies(world);
    for (int i = 0; i < bodies.count; i++)
    {
        const double *u = bodies.u + 3 * (size_t)i;
        double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        a->energy += 0.5 * square / (DROP_GRAVITY * DROP_RADIUS) / bodies.count;
        a->height += bodies.q[3 * (size_t)i + 2] / bodies.count;
    }
}

// Run a world to a time; false when a step failed.
static bool run(thud_world *world, double end, account *a)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_state *state = thud_world_state(world);
    thud_work_def def = thud_world_work(world);
    thud_work *work = NULL;
    thud_status status = thud_work_create(&def, &work);
    double start = thud_state_time(state);
    *a = (account){.min_gap = INFINITY, .least_force = INFINITY, .simulated = end - start};
    clock_t begin = clock();
    while (status >= 0 && thud_state_time(state) < end - state->h / 2)
    {
        status = thud_step(&problem, state, work);
        if (status >= 0)
            add_step(a, world, thud_work_report(work),
                     thud_state_time(state) > end - 0.2 * (end - start));
    }
    a->cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (status < 0)
        fprintf(stderr, "drop: %s %s\n", thud_work_message(work), thud_world_message(world));
    thud_work_destroy(work);
    look_at_end(a, world);
    return status >= 0;
}

static void print_account(const char *name, int n, double h, const account *a)
{
    const thud_profile *p = &a->profile;
    double all = p->predict + p->linearise + p->project + p->check + p->commit;
    printf("%-8s %6d %6.1f %8.2f %8.2f %7.1f %6ld %5d/%-4d %8.1e %8.1e %.3f-%.3f %8.1e %.4f  %4.1f "
           "%4.1f "
           "%4.1f %4.1f\n",
           name, n, 1e3 * h, a->cpu / a->simulated, all / a->simulated,
           (double)a->sweeps / a->steps, a->most_sweeps, a->resolved, a->steps,
           a->min_gap / DROP_RADIUS, a->residual / DROP_RADIUS, a->least_force, a->largest_force,
           a->energy, a->height, 100 * p->predict / all, 100 * p->linearise / all,
           100 * p->project / all, 100 * p->check / all);
}

static void print_header(void)
{
    printf("%-8s %6s %6s %8s %8s %7s %6s %-10s %8s %8s %-11s %8s %6s  %s\n", "quality", "N", "h ms",
           "cpu s/s", "wall s/s", "sweeps", "most", "resolved", "gap/r", "back/r", "floor/W",
           "KE/mgr", "z", "% predict rows project check");
}

static bool drop(const drop_quality *q, int n, double box, double h, double end)
{
    account a;
    thud_world *world = drop_scene(n, box, h, q, 0);
    bool fine = world && run(world, end, &a);
    if (fine)
        print_account(q->name, n, h, &a);
    thud_world_destroy(world);
    fflush(stdout);
    return fine;
}

// The same pile, settled with drag at the small step, then continued at larger ones.
static bool same_pile(int n, double h)
{
    bool fine = true;
    printf("\nOne pile of %d, settled at h = %.1f ms with drag, then continued for 40 steps:\n", n,
           1e3 * h);
    print_header();
    for (int k = 0; k < 3 && fine; k++)
    {
        double larger = h * (k == 0 ? 1 : k == 1 ? 10 : 100);
        account a;
        thud_world *world = drop_scene(n, DROP_WIDTH, h, &DROP_DEFAULT, 0.05 / h);
        fine = world && run(world, 1.5, &a);
        if (fine)
            fine = thud_state_set_step(thud_world_state(world), larger) >= 0;
        // drag stays below 1 / h for the largest step only if it is taken away
        if (fine)
        {
            double start = thud_state_time(thud_world_state(world));
            thud_world_set_drag(world, 0);
            fine = run(world, start + 40 * larger, &a);
        }
        if (fine)
            print_account("default", n, larger, &a);
        thud_world_destroy(world);
    }
    return fine;
}

typedef struct wish
{
    int sizes[16], count;
    bool quick, only_preview, tol_is_fixed;
    double box, end, h;
} wish;

static bool read_wish(int argc, char **argv, wish *w)
{
    *w = (wish){.box = DROP_WIDTH, .h = 0.005};
    for (int i = 1; i < argc && w->count < 16; i++)
        if (strcmp(argv[i], "--quick") == 0)
            w->quick = true;
        else if (strcmp(argv[i], "--preview") == 0)
            w->only_preview = true;
        else if (strcmp(argv[i], "--fixed-tol") == 0)
            w->tol_is_fixed = true;
        else if (strcmp(argv[i], "--step") == 0 && i + 1 < argc)
            w->h = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--box") == 0 && i + 1 < argc)
            w->box = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--end") == 0 && i + 1 < argc)
            w->end = strtod(argv[++i], NULL);
        else if ((w->sizes[w->count] = (int)strtol(argv[i], NULL, 10)) > 0)
            w->count++;
        else
            return false;
    if (w->count == 0)
    {
        w->sizes[w->count++] = w->quick ? 200 : 1000;
        if (!w->quick)
            w->sizes[w->count++] = 10000;
    }
    if (w->end == 0)
        w->end = w->quick ? 0.3 : 1;
    return w->box > 0 && w->end > 0 && w->h > 0;
}

int main(int argc, char **argv)
{
    drop_quality qualities[] = {DROP_PREVIEW, DROP_DEFAULT};
    wish w;
    bool fine = true;
    if (!read_wish(argc, argv, &w))
    {
        fprintf(stderr,
                "usage: drop [--quick] [--box WIDTH] [--preview] [--end SECONDS] [--step SECONDS] "
                "[--fixed-tol] [N ...]\n");
        return 2;
    }
    printf("thud %s: drop scene, box %g m, gaps and backward bound in radii\n", thud_version(),
           w.box);
    print_header();
    for (int i = 0; i < w.count && fine; i++)
        for (int k = 0; k < (w.only_preview ? 1 : 2) && fine; k++)
        {
            qualities[k].tol_is_fixed = w.tol_is_fixed;
            fine = drop(&qualities[k], w.sizes[i], w.box, w.h, w.end);
        }
    if (!w.only_preview && !w.tol_is_fixed)
        fine = fine && same_pile(w.quick ? 100 : 1000, w.h);
    return !fine;
}
