// Radii that grow: two spheres, a sphere between walls, and no room left.
#include "sphere_rig.h"

#include <string.h>

static int growing_pair(double t, int count, const int *id, double *radius, void *user)
{
    (void)user;
    for (int i = 0; i < count; i++)
        radius[i] = id[i] == 0 ? 0.3 + 0.1 * t * t : 0.2 + 0.15 * t * t;
    return 0;
}

static int growing_one(double t, int count, const int *id, double *radius, void *user)
{
    (void)id;
    (void)user;
    for (int i = 0; i < count; i++)
        radius[i] = 0.2 + 0.3 * t;
    return 0;
}

// The impulses of all contacts of the last step, or of one wall.
static double impulse_of(sphere_rig *rig, int b)
{
    thud_contacts contacts;
    double sum = 0;
    if (thud_world_contacts(rig->world, thud_work_report(rig->work), &contacts) < 0)
        return NAN;
    for (int i = 0; i < contacts.count; i++)
        sum += contacts.b[i] == b ? contacts.impulse[i] : 0;
    return sum;
}

static double distance(const thud_bodies *bodies)
{
    double sum = 0;
    for (int k = 0; k < bodies->dim; k++)
        sum += pow(bodies->q[bodies->dim + k] - bodies->q[k], 2);
    return sqrt(sum);
}

// Contact at t = 1 with an atom of 3/8, then a density of 3/8 and |q2 - q1| = .5 + .25 t^2.
static void two_spheres(void)
{
    sphere_rig rig;
    double h = 1.0 / 256, before = 0, after = 0, worst = 0;
    thud_world_def def = {.h = h, .radii = growing_pair, .radius_tt = 0.3, .tol = 1e-8};
    thud_sphere pair[2] = {{{0, 0, 0}, {0}, 0.3, 1}, {{0.45, 0, 0.6}, {0}, 0.2, 3}};
    if (!rig_open(&rig, &def))
        return;
    CHECK(thud_world_add(rig.world, pair, 2, NULL) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    for (int n = 1; n <= 512 && rig_steps(&rig, 1); n++)
    {
        thud_bodies bodies = thud_world_bodies(rig.world);
        double t = n * h;
        *(t < 1.05 ? &before : &after) += impulse_of(&rig, 1);
        worst = fmax(worst, t > 1 ? fabs(distance(&bodies) - (0.5 + 0.25 * t * t)) : 0);
    }
    CHECK_NEAR(before, 0.375 * 1.05, 0.01);
    CHECK_NEAR(after, 0.375 * 0.95, 0.01);
    CHECK_AT_MOST(worst, 2 * h);
    printf("  impulse %.4f to t = 1.05, %.4f after, distance off by %.2g\n", before, after, worst);
    rig_say(&rig, "two spheres");
    rig_close(&rig);
}

// One sphere between the walls |x| = 1.
static bool open_slot(sphere_rig *rig, double h, double tol)
{
    thud_world_def def = {.h = h, .radii = growing_one, .tol = tol};
    thud_sphere ball = {.center = {0.4, 0, 0}, .radius = 0.2, .mass = 1};
    if (!rig_open(rig, &def))
        return false;
    rig_plane(rig, 1, 0, 0, -1);
    rig_plane(rig, -1, 0, 0, -1);
    CHECK(thud_world_add(rig->world, &ball, 1, NULL) == THUD_OK);
    CHECK(rig_prepare(rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    return true;
}

// The right wall at t = 4/3 with an atom of .3, then q = .8 - .3 t without force.
static void between_walls(void)
{
    sphere_rig rig;
    double h = 1.0 / 128, atom = 0, rest = 0;
    if (!open_slot(&rig, h, 1e-8))
        return;
    for (int n = 1; n <= 256 && rig_steps(&rig, 1); n++)
    {
        double impulse = impulse_of(&rig, -2);
        *(n * h < 1.5 ? &atom : &rest) += impulse;
        CHECK(impulse_of(&rig, -1) == 0);
        double wanted = n * h < 4.0 / 3 ? 0.4 : 0.8 - 0.3 * n * h;
        CHECK_NEAR(thud_world_bodies(rig.world).q[0], wanted, 0.3 * h);
    }
    CHECK_NEAR(atom, 0.3, 1e-6);
    CHECK_AT_MOST(rest, 1e-6);
    rig_say(&rig, "between walls");
    rig_close(&rig);
}

// The walls close at t = 8/3: the first step that ends later must fail, saying which walls.
static void close_walls(double h, double tol, int fails)
{
    sphere_rig rig;
    int n = 0;
    thud_status status = THUD_OK;
    if (!open_slot(&rig, h, tol))
        return;
    rig.may_lack_room = true;
    for (; n < 2 * fails && status >= 0; n++)
        status = rig_step(&rig);
    const char *message = thud_work_message(rig.work);
    const thud_farkas *farkas = &thud_work_report(rig.work)->answer.farkas;
    CHECK(status == THUD_ERR_INFEASIBLE);
    CHECK(n == fails);
    CHECK(strstr(message, "body 0 and wall 0") && strstr(message, "body 0 and wall 1"));
    CHECK(farkas->y != NULL && farkas->sum < 0);
    if (farkas->y)
        CHECK(farkas->y[0] == 0.5 && farkas->y[1] == 0.5);
    printf("  %s\n", message);
    rig_close(&rig);
}

static void no_room(void)
{
    static const double tols[] = {1e-3, 1e-5, 1e-8};
    for (int i = 0; i < 3; i++)
    {
        close_walls(3.0 / 60, tols[i], 54);
        close_walls(3.0 / 61, tols[i], 55);
        close_walls(3.0 / 240, tols[i], 214);
        close_walls(3.0 / 1000, tols[i], 889);
    }
}

// A step that ends when the sphere just fits: taken to some ulps and flagged, the next one fails.
static void exact_fit(void)
{
    sphere_rig rig;
    if (!open_slot(&rig, 1.0 / 24, 1e-5))
        return;
    rig.may_lack_room = true;
    thud_inclusion problem = thud_world_inclusion(rig.world);
    thud_state *state = thud_world_state(rig.world);
    CHECK(rig_steps(&rig, 63));
    thud_status status = thud_step(&problem, state, rig.work);
    CHECK(status == THUD_NEWS || status == THUD_ERR_INFEASIBLE);
    if (status == THUD_NEWS)
    {
        CHECK(thud_work_report(rig.work)->news & THUD_NEWS_NO_ROOM);
        CHECK(rig_smallest_gap(&rig, 8.0 / 3, state->q) >= -8 * 0x1p-52);
        CHECK(thud_step(&problem, state, rig.work) == THUD_ERR_INFEASIBLE);
    }
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"two-spheres", two_spheres},
        {"between-walls", between_walls},
        {"no-room", no_room},
        {"exact-fit", exact_fit},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
