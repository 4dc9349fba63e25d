// Balls in a drum that turns, with a paddle on its wall that lifts them; nothing overlaps, and the
// paddle would be refused if it went through a ball within a step.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int turn(double t, thud_pose *pose, void *user)
{
    *pose = (thud_pose){.rotation = {0, t, 0}, .turning = {0, 1, 0}};
    return user != NULL; // it has none
}

int main(void)
{
    thud_world *world;
    thud_work *work;
    double lowest = INFINITY, highest = -INFINITY;
    thud_obstacle_def drum = {.motion = turn}, paddle = {.motion = turn};
    drum.solid = (thud_solid_def){
        .kind = THUD_INSIDE_DRUM, .points = {{0, -0.3, 0}, {0, 0.3, 0}}, .radius = 0.5};
    paddle.solid =
        (thud_solid_def){.kind = THUD_BOX, .points = {{-0.02, -0.3, 0.3}, {0.02, 0.3, 0.5}}};
    thud_world_create(&(thud_world_def){.h = 0.005, .gravity = {0, 0, -9.8}}, &world);
    for (int i = 0; i < 60; i++)
        thud_world_add(world,
                       &(thud_sphere){.center = {0.1 * (i % 5) - 0.2, 0.12 * (i / 5 % 4) - 0.18,
                                                 0.1 * (i / 20.) - 0.2},
                                      .radius = 0.03 + 0.001 * (i % 7),
                                      .mass = 1},
                       1, NULL);
    thud_world_add_obstacle(world, &drum, NULL);
    thud_world_add_obstacle(world, &paddle, NULL);
    thud_status status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL);
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work_def def = thud_world_work(world);
    thud_work_create(&def, &work);
    for (int n = 0; n < 1200 && status >= 0; n++)
    {
        status = thud_step(&problem, thud_world_state(world), work);
        lowest = fmin(lowest, thud_work_report(work)->min_gap);
        for (int i = 0; i < 60 && n > 200; i++) // after they have fallen
            highest = fmax(highest, thud_world_state(world)->q[3 * i + 2]);
    }
    printf("%s: one turn, never an overlap: %s, lifted to %.1f\n", thud_status_text(status),
           lowest > 0 ? "true" : "false", highest);
    thud_work_destroy(work);
    thud_world_destroy(world);
    return status < 0;
}
