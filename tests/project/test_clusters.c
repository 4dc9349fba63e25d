// Clusters are solved as if alone, and problems without an answer are told by a Farkas vector.
#include "pack_scene.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    PACKS = 6,
    MOST = 3 * 60 * PACKS // coordinates
};

// Several packs in one problem, each with coordinates of its own.
typedef struct whole
{
    pack packs[PACKS];
    int first[PACKS + 1];
    double w[MOST], mass[MOST], force[MOST];
    thud_rows *rows;
    thud_projection problem;
} whole;

static bool append_rows(whole *all, int k)
{
    const thud_rows *rows = thud_work_report(all->packs[k].work)->rows;
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int index[2];
        for (int b = 0; b < row.count; b++)
            index[b] = row.index[b] + all->first[k];
        row.index = index;
        if (thud_rows_push(all->rows, &row) < 0)
            return false;
    }
    return true;
}

// Packs of 20 are solved exactly, packs of 60 by sweeps.
static bool start_pack(whole *all, int k)
{
    pack_def def = {.dim = 3,
                    .count = k % 2 ? 60 : 20,
                    .columns = 3,
                    .seed = test_seed(40) + (uint64_t)k,
                    .h = 0.1,
                    .drag = 0.5,
                    .method = THUD_METHOD_ACTIVE_SET};
    pack *p = &all->packs[k];
    bool good = pack_start(&def, p);
    for (int n = 0; n < 60 + 20 * k && good; n++)
        good = pack_step(p) >= 0;
    if (!good)
        return false;
    const thud_report *report = thud_work_report(p->work);
    size_t size = (size_t)p->problem.dim * sizeof(double);
    memcpy(all->w + all->first[k], report->w, size);
    memcpy(all->mass + all->first[k], p->problem.mass, size);
    memcpy(all->force + all->first[k], report->mean_force, size);
    all->first[k + 1] = all->first[k] + p->problem.dim;
    return true;
}

static bool start_whole(whole *all)
{
    bool good = true;
    for (int k = 0; k < PACKS; k++)
        good = start_pack(all, k) && good;
    good = good && thud_rows_create(all->first[PACKS], NULL, &all->rows) >= 0;
    for (int k = 0; k < PACKS && good; k++)
        good = append_rows(all, k);
    all->problem = (thud_projection){.dim = all->first[PACKS],
                                     .h = 0.1,
                                     .mass = all->mass,
                                     .w = all->w,
                                     .rows = all->rows,
                                     .accuracy = 1e-3,
                                     .force = all->force,
                                     .shift_scale = 1};
    return good;
}

// One of the packs in its own coordinates.
static void compare_alone(const whole *all, int k, const thud_answer *together)
{
    thud_projection alone = all->problem;
    thud_projector *projector = NULL;
    thud_answer answer;
    alone.dim = all->first[k + 1] - all->first[k];
    alone.mass += all->first[k];
    alone.w += all->first[k];
    alone.force += all->first[k];
    alone.rows = thud_work_report(all->packs[k].work)->rows;
    REQUIRE(thud_projector_create(NULL, &projector) >= 0);
    CHECK(thud_project(&alone, projector, &answer) == THUD_OK);
    double off = 0;
    for (int i = 0; i < alone.dim; i++)
        off = fmax(off, fabs(answer.u[i] - together->u[all->first[k] + i]));
    printf("pack %d: %d clusters, %d sweeps, off by %.1e\n", k, answer.effort.clusters,
           answer.effort.sweeps, off);
    CHECK(memcmp(answer.u, together->u + all->first[k], (size_t)alone.dim * sizeof(double)) == 0);
    thud_projector_destroy(projector);
}

static void alone(void)
{
    static whole all;
    thud_projector *projector = NULL;
    thud_answer together;
    CHECK(start_whole(&all));
    CHECK(thud_projector_create(NULL, &projector) >= 0);
    if (test_failures() == 0)
    {
        CHECK(thud_project(&all.problem, projector, &together) == THUD_OK);
        CHECK(together.effort.clusters >= PACKS);
        for (int k = 0; k < PACKS; k++)
            compare_alone(&all, k, &together);
    }
    thud_projector_destroy(projector);
    thud_rows_destroy(all.rows);
    for (int k = 0; k < PACKS; k++)
        pack_free(&all.packs[k]);
}

static double compare_methods(const thud_projection *problem, thud_method a, thud_method b)
{
    thud_projector_def def_a = {.method = a}, def_b = {.method = b};
    thud_projector *one = NULL, *two = NULL;
    thud_answer first = {0}, second = {0};
    double off = 0;
    bool good =
        thud_projector_create(&def_a, &one) >= 0 && thud_projector_create(&def_b, &two) >= 0;
    CHECK(good && thud_project(problem, one, &first) == THUD_OK);
    CHECK(good && thud_project(problem, two, &second) == THUD_OK);
    for (int i = 0; i < problem->dim && first.u && second.u; i++)
        off = fmax(off, fabs(first.u[i] - second.u[i]));
    thud_projector_destroy(one);
    thud_projector_destroy(two);
    return off;
}

// Two clusters, each with a general row that meets the middle of a pair row's block first.
static void blocks(void)
{
    const double general[2] = {1, -0.5}, along[6] = {-0.6, 0, -0.8, 0.6, 0, 0.8};
    double w[12];
    thud_rows *rows = NULL;
    REQUIRE(thud_rows_create(12, NULL, &rows) >= 0);
    for (int k = 0; k < 2; k++)
    {
        int few[2] = {6 * k + 4, 6 * k + 2}, pair[2] = {6 * k, 6 * k + 3};
        thud_row first = {.key = {1}, .count = 2, .index = few, .slope = general};
        thud_row second = {.key = {2}, .width = 3, .count = 2, .index = pair, .slope = along};
        CHECK(thud_rows_push(rows, &first) >= 0 && thud_rows_push(rows, &second) >= 0);
        for (int i = 0; i < 6; i++)
            w[6 * k + i] = i < 3 ? 1 + i : -1 - i;
    }
    thud_projection problem = {.dim = 12, .h = 0.1, .w = w, .rows = rows, .shift_scale = 1};
    CHECK_AT_MOST(compare_methods(&problem, THUD_METHOD_AUTO, THUD_METHOD_ACTIVE_SET), 1e-14);
    thud_rows_destroy(rows);
}

// Two bodies that meet among a hundred free ones are a small cluster: solved exactly.
static void few_among_many(void)
{
    enum
    {
        DIM = 300
    };
    static double w[DIM];
    const double slope[6] = {-1, 0, 0, 1, 0, 0};
    const int index[2] = {30, 60};
    thud_row row = {.shift = 2e-5, .width = 3, .count = 2, .index = index, .slope = slope};
    thud_rows *rows = NULL;
    thud_projector *projector = NULL;
    thud_answer answer;
    w[30] = 1;
    w[60] = -1;
    REQUIRE(thud_rows_create(DIM, NULL, &rows) >= 0);
    CHECK(thud_rows_push(rows, &row) >= 0 && thud_projector_create(NULL, &projector) >= 0);
    thud_projection problem = {.dim = DIM, .h = 0.1, .w = w, .rows = rows, .shift_scale = 1};
    CHECK(thud_project(&problem, projector, &answer) == THUD_OK);
    printf("a pair among free bodies: %d sweeps, %d tight\n", answer.effort.sweeps, answer.tight);
    CHECK(answer.effort.sweeps == 0 && answer.tight == 1);
    thud_projector_destroy(projector);
    thud_rows_destroy(rows);
}

// y proves that no velocity keeps all gaps, as computed here.
static void check_farkas(const thud_rows *rows, const double *mass, double h,
                         const thud_farkas *farkas)
{
    int dim = thud_rows_dim(rows);
    double *pull = calloc((size_t)dim, sizeof *pull), sum = 0, total = 0, square = 0;
    REQUIRE(pull && farkas->y);
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        CHECK(farkas->y[i] >= 0);
        sum += farkas->y[i] * row.gap;
        total += farkas->y[i];
        for (int b = 0; b < row.count; b++)
            for (int k = 0; k < row.width; k++)
                pull[row.index[b] + k] += farkas->y[i] * row.slope[b * row.width + k];
    }
    for (int k = 0; k < dim; k++)
        square += pull[k] * pull[k] / (mass ? mass[k] : 1);
    printf("Farkas: sum y gap %.3e, residual %.1e, radius %.2e\n", farkas->sum, farkas->residual,
           farkas->radius);
    CHECK(total > 0 && sum < 0);
    CHECK_NEAR(farkas->sum, sum, 1e-12);
    CHECK_NEAR(farkas->residual, sqrt(square), 1e-12);
    CHECK_AT_MOST(farkas->residual, 1e-6);
    CHECK_AT_MOST(farkas->radius, -sum / (h * sqrt(square)) * (1 + 1e-6));
    CHECK(farkas->radius > 1e3);
    free(pull);
}

static int closing(double t, thud_plane *plane, void *user)
{
    (void)user;
    *plane = (thud_plane){{-1, 0, 0}, -(120.02 - t)};
    return 0;
}

// Sixty spheres in a row, two walls that close on them.
static bool start_row(pack *p, thud_method method)
{
    thud_world_def def = {.dim = 3, .h = 0.1};
    thud_wall_def low = {.plane = {{1, 0, 0}, 0}}, high = {.motion = closing};
    *p = (pack){0};
    bool good = thud_world_create(&def, &p->world) >= 0 &&
                thud_world_add_wall(p->world, &low, NULL) >= 0 &&
                thud_world_add_wall(p->world, &high, NULL) >= 0;
    for (int i = 0; i < 60 && good; i++)
    {
        thud_sphere s = {{1.001 + 2.0003 * i, 0, 0}, {0.1, 0, 0}, 1, 1 + i % 3};
        good = thud_world_add(p->world, &s, 1, NULL) >= 0;
    }
    if (!good || thud_world_prepare(p->world, THUD_REFUSE_OVERLAP, NULL) < 0)
        return false;
    thud_work_def work = thud_world_work(p->world);
    work.projector.method = method;
    p->problem = thud_world_inclusion(p->world);
    return thud_work_create(&work, &p->work) >= 0;
}

static void infeasible(void)
{
    const thud_method methods[] = {THUD_METHOD_AGS, THUD_METHOD_PGS, THUD_METHOD_APGD,
                                   THUD_METHOD_ACTIVE_SET, THUD_METHOD_AUTO};
    for (int k = 0; k < 5; k++)
    {
        pack p;
        bool good = start_row(&p, methods[k]);
        CHECK(good);
        if (good)
        {
            thud_status status = thud_step(&p.problem, thud_world_state(p.world), p.work);
            const thud_report *report = thud_work_report(p.work);
            printf("method %d: %s, %d sweeps\n", (int)methods[k], thud_work_message(p.work),
                   report->answer.effort.sweeps);
            CHECK(status == THUD_ERR_INFEASIBLE);
            CHECK(thud_world_state(p.world)->n == 0);
            if (status == THUD_ERR_INFEASIBLE)
                check_farkas(report->rows, p.problem.mass, 0.1, &report->answer.farkas);
        }
        pack_free(&p);
    }
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        {"alone", alone},
        {"blocks", blocks},
        {"few-among-many", few_among_many},
        {"infeasible", infeasible},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
