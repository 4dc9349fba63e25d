// Thud on the drop scene:  peer_thud START FRAMES COUNT frame= per= [tol=] [tol_a=] [fixed=1]
#include "drop_scene.h"
#include "peer_driver.h"

#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>

typedef struct engine
{
    thud_world *world;
    thud_work *work;
    thud_inclusion problem;
} engine;

static int step(void *user)
{
    engine *e = user;
    if (thud_step(&e->problem, thud_world_state(e->world), e->work) >= 0)
        return 0;
    (void)fprintf(stderr, "peer_thud: %s\n", thud_work_message(e->work));
    return 1;
}

static void look(const void *user, double *state)
{
    const engine *e = user;
    thud_bodies bodies = thud_world_bodies(e->world);
    for (int i = 0; i < bodies.count; i++)
        for (int k = 0; k < 3; k++)
        {
            state[6 * (size_t)i + (size_t)k] = bodies.q[3 * (size_t)i + (size_t)k];
            state[6 * (size_t)i + 3 + (size_t)k] = bodies.u[3 * (size_t)i + (size_t)k];
        }
}

static thud_world *make_world(const peer_task *task)
{
    drop_quality quality = {.name = "",
                            .tol = peer_option(task, "tol", DROP_DEFAULT.tol),
                            .tol_a = peer_option(task, "tol_a", DROP_DEFAULT.tol_a),
                            .tol_is_fixed = peer_option(task, "fixed", 0) != 0};
    thud_world_def def = {.h = task->step,
                          .gravity = {0, 0, -DROP_GRAVITY},
                          .tol = quality.tol,
                          .tol_a = quality.tol_a,
                          .step_tol = drop_step_tol(&quality, task->step)};
    thud_sphere *spheres = calloc((size_t)task->count, sizeof *spheres);
    thud_world *world = NULL;
    for (int i = 0; i < task->count && spheres; i++)
    {
        const double *from = task->state + 6 * (size_t)i;
        spheres[i] = (thud_sphere){.radius = DROP_RADIUS, .mass = drop_mass()};
        memcpy(spheres[i].center, from, sizeof spheres[i].center);
        memcpy(spheres[i].velocity, from + 3, sizeof spheres[i].velocity);
    }
    if (spheres)
        world = drop_world(&def, spheres, task->count, DROP_WIDTH);
    free(spheres);
    return world;
}

int main(int argc, char **argv)
{
    peer_task task;
    engine e = {0};
    int result = 1;
    if (peer_begin(argc, argv, &task) < 0)
        return 2;
    e.world = make_world(&task);
    if (e.world)
    {
        thud_work_def def = thud_world_work(e.world);
        e.problem = thud_world_inclusion(e.world);
        if (thud_work_create(&def, &e.work) >= 0)
            result = peer_drive(&task, step, look, &e);
    }
    else
        (void)fprintf(stderr, "peer_thud: the world could not be made\n");
    thud_work_destroy(e.work);
    thud_world_destroy(e.world);
    peer_end(&task);
    return result;
}
