// On a processor without AVX2 or FMA every door of a library that needs them returns
// THUD_ERR_FLOAT. This program is compiled for every x86-64 itself, and runs in an emulator:
//
//     old_doors refuse|open
#include <stdio.h>
#include <string.h>
#include <thud/events.h>
#include <thud/expression.h>
#include <thud/jamming.h>
#include <thud/scene.h>
#include <thud/thud.h>

static thud_status by_check(void)
{
    return thud_float_check();
}

static thud_status by_state(void)
{
    thud_state *state = NULL;
    thud_state_def def = {.dim = 1, .h = 1, .q = (double[]){0}};
    thud_status status = thud_state_create(&def, &state);
    thud_state_destroy(state);
    return status;
}

static thud_status by_rows(void)
{
    thud_rows *rows = NULL;
    thud_status status = thud_rows_create(3, NULL, &rows);
    thud_rows_destroy(rows);
    return status;
}

static thud_status by_work(void)
{
    thud_work *work = NULL;
    thud_status status = thud_work_create(NULL, &work);
    thud_work_destroy(work);
    return status;
}

static thud_status by_world(void)
{
    thud_world *world = NULL;
    thud_status status = thud_world_create(&(thud_world_def){.dim = 2, .h = 1}, &world);
    thud_world_destroy(world);
    return status;
}

static thud_status by_solid(void)
{
    thud_solid *solid = NULL;
    thud_solid_def def = {.kind = THUD_BALL, .radius = 1};
    thud_status status = thud_solid_create(&def, &solid, NULL);
    thud_solid_destroy(solid);
    return status;
}

static thud_status by_jam(void)
{
    thud_jam *jam = NULL;
    thud_status status = thud_jam_create(&(thud_jam_def){.count = 30, .seed = 1}, &jam);
    thud_jam_destroy(jam);
    return status;
}

static thud_status by_events(void)
{
    thud_events *events = NULL;
    thud_events_def def = {.dim = 1,
                           .count = 1,
                           .end = 1,
                           .q = (double[]){0},
                           .u = (double[]){1},
                           .radius = (double[]){1}};
    thud_status status = thud_events_create(&def, &events);
    thud_events_destroy(events);
    return status;
}

static thud_status by_expression(void)
{
    thud_expression *e = NULL;
    thud_fault fault;
    thud_status status = thud_expression_create("1/3", 3, NULL, NULL, &e, &fault);
    thud_expression_destroy(e);
    return status;
}

static thud_status by_scene(void)
{
    static const char TEXT[] = "thud: 1\n"
                               "kind: spheres\n"
                               "dim: 2\n"
                               "time: {step: 0.003, end: 0.3}\n"
                               "bodies:\n"
                               "  - {at: [0.1, 0.11], radius: 0.1, mass: 1}\n";
    thud_scene *scene = NULL;
    thud_fault fault;
    thud_scene_def def = {.text = TEXT, .length = sizeof TEXT - 1};
    thud_status status = thud_scene_read(&def, &scene, &fault);
    thud_scene_destroy(scene);
    return status;
}

static const struct
{
    const char *name;
    thud_status (*open)(void);
} DOORS[] = {
    {"thud_float_check", by_check},
    {"thud_state_create", by_state},
    {"thud_rows_create", by_rows},
    {"thud_work_create", by_work},
    {"thud_world_create", by_world},
    {"thud_solid_create", by_solid},
    {"thud_jam_create", by_jam},
    {"thud_events_create", by_events},
    {"thud_expression_create", by_expression},
    {"thud_scene_read", by_scene},
};

int main(int argc, char **argv)
{
    thud_status wanted = argc > 1 && strcmp(argv[1], "refuse") == 0 ? THUD_ERR_FLOAT : THUD_OK;
    int failed = 0;
    for (size_t d = 0; d < sizeof DOORS / sizeof *DOORS; d++)
    {
        thud_status status = DOORS[d].open();
        (void)printf("%s: %s\n", DOORS[d].name, thud_status_name(status));
        (void)fflush(stdout); // a signal may come
        failed += status != wanted;
    }
    return failed > 0;
}
