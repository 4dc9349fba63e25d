// Whole runs, each step judged by brute force: drops, collapse, bullet, many sizes, moving parts.
#include "sphere_rig.h"

#include <string.h>

static void drop(int dim, int count, double tol, double tol_a, const char *name)
{
    sphere_rig rig;
    thud_world_def def = {.dim = dim, .h = 0.05, .tol = tol, .tol_a = tol_a};
    def.gravity[dim - 1] = -1;
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, dim == 3 ? 4.6 : 9.2, INFINITY);
    rig_pour(&rig, count, 0.4, 0.5, dim == 3 ? 4 : 8, 0.5, test_seed(7));
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, dim == 3 ? 240 : 300);
    rig_say(&rig, name);
    rig_close(&rig);
}

static void drop_3d(void)
{
    drop(3, 60, 1e-3, 3e-2, "preview");
    drop(3, 60, 1e-5, 1e-3, "default");
    drop(3, 60, 1e-8, 1e-6, "study");
}

static void drop_2d(void)
{
    drop(2, 80, 1e-3, 3e-2, "preview");
    drop(2, 80, 1e-5, 1e-3, "default");
    drop(2, 80, 1e-8, 1e-6, "study");
}

static double work_of_slack(sphere_rig *rig)
{
    thud_contacts contacts;
    double sum = 0;
    if (thud_world_contacts(rig->world, thud_work_report(rig->work), &contacts) < 0)
        return NAN;
    for (int i = 0; i < contacts.count; i++)
        sum += contacts.force[i] * contacts.lin[i];
    return sum;
}

// All bodies fly to the centre: energy never grows, momenta stay.
static void collapse(void)
{
    sphere_rig rig;
    thud_world_def def = {.h = 0.05};
    double linear[3], angular[3], p[3], l[3];
    if (!rig_open(&rig, &def))
        return;
    rig_pour(&rig, 100, 0.4, 0.5, 5, 0, test_seed(11));
    thud_state *state = thud_world_state(rig.world);
    for (int at = 0; at < state->dim; at++)
    {
        state->q[at] -= at % 3 == 2 ? 2.3 : 2.875;
        state->u[at] -= state->q[at];
    }
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_momenta(&rig, linear, angular);
    double energy = kinetic_energy(rig.world), start = energy, worst = 0;
    for (int n = 0; n < 120 && rig_steps(&rig, 1); n++)
    {
        double now = kinetic_energy(rig.world);
        CHECK_AT_MOST(now, energy + work_of_slack(&rig) + 1e-13 * start);
        energy = now;
        rig_momenta(&rig, p, l);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fmax(fabs(p[k] - linear[k]), fabs(l[k] - angular[k])));
    }
    CHECK_AT_MOST(worst, 1e-11);
    CHECK(energy < 0.2 * start);
    printf("  energy %.3g to %.3g, momenta off by %.2g\n", start, energy, worst);
    rig_say(&rig, "collapse");
    rig_close(&rig);
}

// A fast ball through a pile: neighbours that the prediction does not show.
static void bullet(void)
{
    sphere_rig rig;
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}};
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, 4.6, INFINITY);
    rig_pour(&rig, 60, 0.4, 0.5, 4, 0, test_seed(13));
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 120);
    thud_sphere ball = {{2.3, 2.3, 9}, {3, 1, -100}, 0.3, 5};
    CHECK(thud_world_add(rig.world, &ball, 1, NULL) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 60);
    CHECK(rig.most_rounds > 1);
    rig_say(&rig, "bullet");
    rig_close(&rig);
}

static void many_sizes(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        sphere_rig rig;
        thud_world_def def = {.dim = dim, .h = 0.05};
        def.gravity[dim - 1] = -1;
        if (!rig_open(&rig, &def))
            return;
        rig_box(&rig, 0, dim == 3 ? 4.6 : 9.2, INFINITY);
        rig_pour(&rig, 60, 0.01, 0.5, dim == 3 ? 4 : 8, 0.5, test_seed(17));
        CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
        rig_steps(&rig, 250);
        rig_say(&rig, "1 : 50");
        rig_close(&rig);
    }
}

static int piston(double t, thud_plane *plane, void *user)
{
    double low = *(const double *)user;
    *plane = (thud_plane){{0, 0, -2}, -2 * (low + 3 * (1 + cos(t)))};
    return 0;
}

static double force_of_wall(sphere_rig *rig, int wall)
{
    thud_contacts contacts;
    double sum = 0;
    if (thud_world_contacts(rig->world, thud_work_report(rig->work), &contacts) < 0)
        return NAN;
    for (int i = 0; i < contacts.count; i++)
        sum += contacts.b[i] == -1 - wall ? contacts.force[i] : 0;
    return sum;
}

// A lid comes down on the pile and goes up again.
static void moving_wall(void)
{
    sphere_rig rig;
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}};
    double low = 1.7, pressed = 0;
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, 4.6, INFINITY);
    rig_wall(&rig,
             &(thud_wall_def){
                 .plane = {{0, 0, -1}, -9}, .motion = piston, .smooth.gap_tt = 3, .user = &low});
    rig_pour(&rig, 40, 0.4, 0.5, 4, 0.2, test_seed(19));
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    for (int n = 0; n < 130 && rig_steps(&rig, 1); n++)
        pressed = fmax(pressed, force_of_wall(&rig, 5));
    CHECK(pressed > 0); // it was in touch
    rig_say(&rig, "piston");
    rig_close(&rig);
}

static int turning(double t, double gravity[3], void *user)
{
    (void)user;
    gravity[0] = sin(t / 2);
    gravity[1] = 0.2 * sin(t / 3);
    gravity[2] = -cos(t / 2);
    return 0;
}

static void turning_gravity(void)
{
    sphere_rig rig;
    thud_world_def def = {.h = 0.05, .gravity_law = turning, .drag = 0.1};
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, 4.6, 8);
    rig_pour(&rig, 40, 0.4, 0.5, 4, 0.2, test_seed(23));
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 200);
    rig_say(&rig, "drum");
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"drop-3d", drop_3d},
        {"drop-2d", drop_2d},
        {"collapse", collapse},
        {"bullet", bullet},
        {"many-sizes", many_sizes},
        {"moving-wall", moving_wall},
        {"turning-gravity", turning_gravity},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
