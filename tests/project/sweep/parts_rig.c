// A projection solved alone and by the members of a team of threads.
#include "parts_rig.h"

#include "project/sweep/part.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static thud_status open_marks(thud_rooms *rooms, int dim, int **marks)
{
    THUD_TRY(thudi_room(rooms, marks, (size_t)dim, "marks"));
    for (int k = 0; k < dim; k++)
        (*marks)[k] = -1;
    return THUD_OK;
}

// All rows, with marks in a room of a zeroed stack.
static thudi_packing open_packing(const thud_projection *problem, int brick_limit,
                                  thud_rooms *rooms)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_packing packing = {.problem = problem,
                             .count = problem->rows->count,
                             .rooms = rooms,
                             .brick_limit = brick_limit};
    thudi_rooms_begin(rooms, &allocator);
    thudi_rooms_enter(rooms);
    CHECK(open_marks(rooms, problem->dim, &packing.marks) == THUD_OK);
    return packing;
}

int parts_count_bricks(const thud_projection *problem, int brick_limit)
{
    thud_rooms rooms = {0};
    thudi_packs packs = {0};
    thudi_packing packing = open_packing(problem, brick_limit, &rooms);
    CHECK(thudi_packs_lay_out(&packing, &packs) == THUD_OK);
    thudi_rooms_free(&rooms);
    return packs.bricks;
}

void parts_cut_at_random(test_random *random, int bricks, int size, int *cut)
{
    cut[0] = 0;
    for (int r = 1; r < size; r++)
    {
        int at = test_random_int(random, 0, bricks), k = r;
        for (; k > 1 && cut[k - 1] > at; k--)
            cut[k] = cut[k - 1];
        cut[k] = at;
    }
    cut[size] = bricks;
}

void parts_outgrow_floats(thud_projection *problem)
{
    problem->accuracy = 0;
    problem->warm = NULL;
    problem->shift_scale = 0.18;
}

// By a member, or alone if there is no team. The projector must not fail before the members meet,
// so its memory is asked for first.
static thud_status solve(const parts_task *t, thud_team *team, thud_projector *projector,
                         parts_answer *answer)
{
    bool unique = true, exact = true;
    thud_team alone = thudi_team_alone();
    thudi_task task = {.problem = t->problem,
                       .projector = projector,
                       .mu = answer->mu,
                       .y = answer->y,
                       .effort = &answer->effort,
                       .unique = &unique,
                       .exact = &exact,
                       .team = &alone,
                       .marks = malloc((size_t)t->problem->dim * sizeof(int))};
    CHECK(task.marks);
    for (int k = 0; task.marks && k < t->problem->dim; k++)
        task.marks[k] = -1;
    thudi_rooms_enter(projector->rooms);
    thud_status status = team ? thudi_project_by_parts(&task, team, t->cut)
                              : thudi_project_by_accelerated_gauss_seidel(&task);
    for (int k = 0; task.marks && k < t->problem->dim; k++)
        CHECK(task.marks[k] == -1);
    thud_rooms_close(projector->rooms, 0);
    free(task.marks);
    return status;
}

static void find(const parts_task *t, thud_team *team, parts_answer *answer)
{
    size_t rows = (size_t)t->problem->rows->count;
    thud_projector_def def = t->def;
    thud_projector *projector = NULL;
    bool fails = team && team->rank == t->failing;
    *answer = (parts_answer){.mu = calloc(rows, sizeof *answer->mu),
                             .y = calloc(rows, sizeof *answer->y)};
    def.stop = fails ? t->stop : NULL;
    CHECK(answer->mu && answer->y && thud_projector_create(&def, &projector) == THUD_OK);
    if (!projector)
        return;
    if (fails && t->allocator)
        projector->own_rooms.allocator = *t->allocator;
    answer->status = solve(t, team, projector, answer);
    if (team)
    {
        memcpy(answer->message, team->message, sizeof answer->message);
        answer->counts = team->counts;
    }
    thud_projector_destroy(projector);
}

typedef struct common
{
    const parts_task *task;
    parts_answer *answers;
} common;

typedef struct measuring
{
    const parts_task *task;
    parts_size *sizes;
} measuring;

// An allocator that knows the most bytes that were ever in use.
typedef struct peak_meter
{
    test_meter meter;
    size_t most;
} peak_meter;

static void *resize_and_compare(void *block, size_t old_size, size_t new_size, void *user)
{
    peak_meter *peak = user;
    void *got = test_meter_resize(block, old_size, new_size, &peak->meter);
    peak->most = peak->meter.bytes > peak->most ? peak->meter.bytes : peak->most;
    return got;
}

// Of the processor, that this thread has used.
static double seconds_of_thread(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure_as_member(thud_team *team, void *user)
{
    const measuring *m = user;
    peak_meter peak = {0};
    thud_rooms marks = {0}, rooms = {0};
    thudi_packs packs = {0};
    thudi_packing packing = open_packing(m->task->problem, m->task->def.brick_limit, &marks);
    packing.team = team;
    packing.cut = m->task->cut;
    packing.rooms = &rooms;
    thudi_rooms_begin(&rooms, &(thud_allocator){resize_and_compare, &peak});
    thudi_rooms_enter(&rooms);
    double begun = seconds_of_thread();
    CHECK(thudi_packs_begin(&packing, &packs) == THUD_OK);
    m->sizes[team->rank] = (parts_size){.own_rows = packs.part ? packs.part->own_rows : packs.rows,
                                        .rows = packs.rows,
                                        .ghosts = packs.part ? packs.part->ghosts : 0,
                                        .held = rooms.used,
                                        .most = peak.most,
                                        .seconds = seconds_of_thread() - begun};
    thudi_rooms_free(&rooms);
    thudi_rooms_free(&marks);
}

void parts_measure(const parts_task *task, parts_size *sizes)
{
    measuring m = {task, sizes};
    CHECK(team_threads_run(task->size, task->threads, measure_as_member, &m));
}

static void find_as_member(thud_team *team, void *user)
{
    const common *c = user;
    find(c->task, team, &c->answers[team->rank]);
}

void parts_solve_alone(const parts_task *task, parts_answer *answer)
{
    omp_set_num_threads(task->threads);
    find(task, NULL, answer);
}

void parts_solve(const parts_task *task, parts_answer *answers)
{
    common c = {task, answers};
    CHECK(team_threads_run(task->size, task->threads, find_as_member, &c));
}

void parts_free(parts_answer *answers, int count)
{
    for (int i = 0; i < count; i++)
    {
        free(answers[i].mu);
        free(answers[i].y);
    }
}
