// Settled packs: the floor carries the weight, the virial holds, multipliers are isostatic.
#include "pack_scene.h"
#include "thud_test.h"

#include <stdlib.h>

typedef struct settling
{
    double rest; // settled when the kinetic energy / (N m g r) is below this
    int step_limit;
    double rise;      // energy may rise by this times (kinetic + potential) per step; INFINITY: any
    double level;     // see pack_measure
    double late_drag; // once the energy is below 1e-6, so that the solver's noise is forgotten
} settling;

typedef struct settled
{
    pack_figures figures;
    double rise, balance, min_gap; // worst of all steps
    int steps;
    long sweeps;
    bool rests;
} settled;

// Steps until the pack rests, each judged by energy and balance.
static void settle(pack *p, const settling *s, settled *out)
{
    double before = INFINITY, last = INFINITY;
    *out = (settled){.min_gap = INFINITY};
    while (!out->rests && out->steps < s->step_limit)
    {
        thud_status status = pack_step(p);
        if (status < 0)
            printf("step %d: %s\n", out->steps, thud_work_message(p->work));
        REQUIRE(status >= 0);
        const thud_report *report = thud_work_report(p->work);
        pack_figures f = pack_measure(p, s->level);
        double energy = f.kinetic + f.height;
        out->rise = fmax(out->rise, (energy - before) / energy);
        out->balance = fmax(out->balance, f.balance);
        out->min_gap = fmin(out->min_gap, report->min_gap);
        out->sweeps += report->effort.sweeps;
        out->figures = f;
        out->steps++;
        // Twice in a row: the forces are those of the step that ends here.
        out->rests = f.energy_scale < s->rest && last < s->rest;
        last = f.energy_scale;
        before = energy;
        if (s->late_drag > 0 && f.energy_scale < 1e-6)
            p->drag = p->problem.drag = s->late_drag;
    }
    CHECK_AT_MOST(out->rise, s->rise);
    CHECK_AT_MOST(out->balance, 1e-10);
    CHECK(out->min_gap > 0);
    CHECK(out->rests);
}

static int isostatic(const pack_def *def, const pack_figures *f)
{
    return def->dim * def->count - (def->dim - 1) * f->floor_only;
}

static void print_settled(const pack_def *def, const settled *s)
{
    const pack_figures *f = &s->figures;
    printf("seed %llu: %d steps, %ld sweeps, KE %.1e, force/weight - 1 %.2e, virial - 1 %.2e, "
           "multipliers %d of %d (%d floor only), energy %.1e, balance %.1e, min gap %.2e\n",
           (unsigned long long)def->seed, s->steps, s->sweeps, f->energy_scale, f->floor_force - 1,
           f->virial - 1, f->positive, isostatic(def, f), f->floor_only, s->rise, s->balance,
           s->min_gap);
}

// A pack by the exact method: every count and force as at rest.
static void judge_exact(const pack_def *def, const settling *how)
{
    pack p;
    settled s = {0};
    bool started = pack_start(def, &p);
    CHECK(started);
    if (started)
        settle(&p, how, &s);
    print_settled(def, &s);
    pack_free(&p);
    CHECK_NEAR(s.figures.floor_force, 1, 1e-8);
    CHECK_NEAR(s.figures.virial, 1, 1e-8);
    CHECK(s.figures.positive == isostatic(def, &s.figures));
}

static void exact_spheres(void)
{
    settling how = {.rest = 1e-22, .step_limit = 20000, .rise = 1e-13};
    for (uint64_t seed = 1; seed <= 6; seed++)
        judge_exact(&(pack_def){.dim = 3,
                                .count = 60,
                                .columns = 4,
                                .seed = test_seed(0) + seed,
                                .h = 0.1,
                                .drag = 1,
                                .method = THUD_METHOD_ACTIVE_SET},
                    &how);
}

static void exact_disks(void)
{
    settling how = {.rest = 1e-22, .step_limit = 20000, .rise = 1e-13};
    for (uint64_t seed = 1; seed <= 6; seed++)
        judge_exact(&(pack_def){.dim = 2,
                                .count = 80,
                                .columns = 10,
                                .seed = test_seed(0) + seed,
                                .h = 0.1,
                                .drag = 1,
                                .method = THUD_METHOD_ACTIVE_SET},
                    &how);
}

// A pack at study tolerance by the default method.
static void judge_study(const pack_def *def)
{
    settling how = {
        .rest = 1e-12, .step_limit = 100000, .rise = INFINITY, .level = 1e-6, .late_drag = 4};
    pack p;
    settled s = {0};
    bool started = pack_start(def, &p);
    CHECK(started);
    if (started)
        settle(&p, &how, &s);
    print_settled(def, &s);
    pack_free(&p);
    CHECK_NEAR(s.figures.floor_force, 1, 1e-6);
    int wanted = isostatic(def, &s.figures);
    CHECK_NEAR(s.figures.positive, wanted, 0.01 * wanted);
}

static void study_200(void)
{
    judge_study(&(pack_def){.dim = 3,
                            .count = 200,
                            .columns = 6,
                            .seed = test_seed(1),
                            .h = 0.2,
                            .drag = 0.4,
                            .tol = 1e-8,
                            .tol_a = 1e-6});
}

static void study_1000(void)
{
    judge_study(&(pack_def){.dim = 3,
                            .count = 1000,
                            .columns = 10,
                            .seed = test_seed(1),
                            .h = 0.2,
                            .drag = 0.4,
                            .tol = 1e-8,
                            .tol_a = 1e-6});
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        {"exact-spheres", exact_spheres},
        {"exact-disks", exact_disks},
        {"study-200", study_200},
        {"study-1000", study_1000},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
