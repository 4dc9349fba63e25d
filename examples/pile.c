// Sixty-four spheres fall into a box: a world instead of rows. Printed: where they come to rest,
// the smallest gap of any pair at any step, and the force on the floor over the weight.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

int main(void)
{
    thud_world *world;
    thud_work *work;
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}, .drag = 0.5};
    thud_world_create(&def, &world);
    for (int i = 0; i < 64; i++) // a loose lattice, every layer a little aside
    {
        int column = i % 4, row = i / 4 % 4, layer = i / 16;
        thud_sphere sphere = {.radius = 1, .mass = 1};
        sphere.center[0] = 1.2 + 2.4 * column + 0.1 * layer;
        sphere.center[1] = 1.2 + 2.4 * row;
        sphere.center[2] = 2 + 2.2 * layer;
        thud_world_add(world, &sphere, 1, NULL);
    }
    thud_world_add_box(world, (double[]){0, 0, 0}, (double[]){9.7, 9.7, INFINITY}, NULL);
    if (thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) < 0)
        return 1;
    thud_inclusion problem = thud_world_inclusion(world);
    thud_state *state = thud_world_state(world);
    thud_work_def work_def = thud_world_work(world);
    thud_work_create(&work_def, &work);
    double gap = INFINITY, force = 0, height = 0;
    while (thud_state_time(state) < 40 && thud_step(&problem, state, work) >= 0)
        gap = fmin(gap, thud_work_report(work)->min_gap);
    thud_contacts contacts;
    thud_world_contacts(world, thud_work_report(work), &contacts);
    for (int i = 0; i < contacts.count; i++)
        force += contacts.b[i] < 0 ? contacts.force[i] * contacts.normal[3 * i + 2] : 0;
    for (int i = 0; i < 64; i++)
        height += state->q[3 * i + 2] / 64;
    printf("t = %.0f: mean height %.3f, smallest gap %s 0, floor / weight %.3f\n",
           thud_state_time(state), height, gap > 0 ? ">" : "<=", force / 64);
    thud_work_destroy(work);
    thud_world_destroy(world);
    return 0;
}
