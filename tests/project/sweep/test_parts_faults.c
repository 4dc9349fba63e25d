// An error of one member of a team is that of all members, with its message. None waits for ever.
#include "parts_rig.h"
#include "sweep_graph.h"

#include <string.h>

// A graph whose members fail one after the other.
typedef struct failing
{
    sweep_graph graph;
    parts_task task;
    parts_answer answers[PARTS_MOST];
} failing;

static void begin_failing(failing *f, test_random *random)
{
    f->graph = sweep_graph_make(random, 3, 500, 0, true);
    f->graph.bricks.side = PARTS_BRICK_SIDE;
    (void)sweep_graph_problem(&f->graph, random);
    parts_outgrow_floats(&f->graph.problem);
    f->task = (parts_task){.problem = &f->graph.problem,
                           .def = {.brick_limit = PARTS_BRICK_LIMIT},
                           .size = 3,
                           .threads = 1};
}

// All members must have the status, and a message of member `failing`.
static void check_failure(failing *f, thud_status status)
{
    char wanted[THUD_TEAM_MESSAGE];
    (void)snprintf(wanted, sizeof wanted, "member %d of %d: %s", f->task.failing + 1, f->task.size,
                   thud_status_text(status));
    for (int r = 0; r < f->task.size; r++)
    {
        CHECK(f->answers[r].status == status);
        if (strcmp(f->answers[r].message, wanted) != 0)
            test_fail(__FILE__, __LINE__, "'%s', wanted '%s'", f->answers[r].message, wanted);
    }
}

// Every request for memory of one member fails once: the others learn it, and all end. The stack of
// rooms can do without some of it; then all have the answer.
static void failing_memory(void)
{
    test_random random = test_random_begin(85);
    failing f;
    int failures = 0;
    begin_failing(&f, &random);
    for (long at = 1;; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        f.task.failing = (int)(at % f.task.size);
        f.task.allocator = &allocator;
        parts_solve(&f.task, f.answers);
        CHECK(meter.blocks == 0);
        bool failed = f.answers[0].status == THUD_ERR_MEMORY;
        if (failed)
            check_failure(&f, THUD_ERR_MEMORY);
        for (int r = 1; r < f.task.size; r++)
            CHECK(f.answers[r].status == f.answers[0].status);
        failures += failed;
        parts_free(f.answers, f.task.size);
        if (meter.calls < at)
            break;
    }
    printf("  %d failures\n", failures);
    CHECK(failures > 5);
    sweep_graph_free(&f.graph);
}

// One member is asked to stop.
static void stopped(void)
{
    static const int flag = 1;
    test_random random = test_random_begin(86);
    failing f;
    begin_failing(&f, &random);
    f.task.stop = &flag;
    for (f.task.failing = 0; f.task.failing < f.task.size; f.task.failing++)
    {
        parts_solve(&f.task, f.answers);
        check_failure(&f, THUD_ERR_STOPPED);
        CHECK(f.answers[0].effort.sweeps == 1);
        parts_free(f.answers, f.task.size);
    }
    sweep_graph_free(&f.graph);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"failing-memory", failing_memory}, {"stopped", stopped}};
    return test_main(argc, argv, cases, 2);
}
