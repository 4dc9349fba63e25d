// The definitions behind a rig: gaps by their formulas, contacts and balances by their sums.
#include "sphere_rig_laws.h"

#include <stdlib.h>
#include <string.h>

void rig_radii(const sphere_rig *rig, double t, double *radius)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    if (rig->def.radii)
        (void)rig->def.radii(t, bodies.count, bodies.id, radius, rig->def.user);
    else
        memcpy(radius, bodies.radius, (size_t)bodies.count * sizeof *radius);
}

void rig_gravity(const sphere_rig *rig, double t, double gravity[3])
{
    memcpy(gravity, rig->def.gravity, 3 * sizeof *gravity);
    if (rig->def.gravity_law)
        (void)rig->def.gravity_law(t, gravity, rig->def.user);
}

double rig_pair_gap(const sphere_rig *rig, const double *q, const double *radius, int a, int b,
                    double *normal)
{
    int dim = rig->def.dim;
    double way[3] = {0, 0, 0};
    for (int k = 0; k < dim; k++)
        way[k] = q[dim * b + k] - q[dim * a + k];
    double distance = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int k = 0; k < 3 && normal; k++)
        normal[k] = way[k] / distance;
    return distance - radius[a] - radius[b];
}

double rig_wall_gap(const sphere_rig *rig, double t, const double *q, const double *radius, int w,
                    int i, double *normal)
{
    int dim = rig->def.dim;
    thud_plane plane = rig->walls[w].plane;
    double length = 0, along = 0;
    if (rig->walls[w].motion)
        (void)rig->walls[w].motion(t, &plane, rig->walls[w].user);
    for (int k = 0; k < dim; k++)
        length += plane.normal[k] * plane.normal[k];
    length = sqrt(length);
    for (int k = 0; k < dim; k++)
        along += plane.normal[k] / length * q[dim * i + k];
    for (int k = 0; k < 3 && normal; k++)
        normal[k] = k < dim ? plane.normal[k] / length : 0;
    return along - plane.offset / length - radius[i];
}

void rig_push_pair(const sphere_rig *rig, const double *q, const double *radius, int a, int b,
                   thud_rows *rows)
{
    int dim = rig->def.dim, index[2] = {dim * a, dim * b};
    const int *id = thud_world_bodies(rig->world).id;
    double normal[3], slope[6], gap = rig_pair_gap(rig, q, radius, a, b, normal);
    int low = id[a] < id[b] ? id[a] : id[b], high = id[a] < id[b] ? id[b] : id[a];
    for (int k = 0; k < dim; k++)
    {
        slope[k] = -normal[k];
        slope[dim + k] = normal[k];
    }
    thud_row row = {.key = thud_key_pair(low, high, 0),
                    .gap = gap,
                    .width = dim,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    (void)thud_rows_push(rows, &row);
}

void rig_push_wall(const sphere_rig *rig, const thud_moment *at, const double *radius, int w, int i,
                   thud_rows *rows)
{
    int index = rig->def.dim * i;
    double normal[3], gap = rig_wall_gap(rig, at->t, at->q, radius, w, i, normal);
    thud_row row = {.key = thud_key_wall(w, thud_world_bodies(rig->world).id[i]),
                    .gap = gap,
                    .width = rig->def.dim,
                    .count = 1,
                    .index = &index,
                    .slope = normal};
    (void)thud_rows_push(rows, &row);
}

double rig_smallest_gap(const sphere_rig *rig, double t, const double *q)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    double *radius = malloc((size_t)bodies.count * sizeof *radius), smallest = INFINITY;
    if (!radius)
        return NAN;
    rig_radii(rig, t, radius);
    for (int a = 0; a < bodies.count; a++)
    {
        for (int b = a + 1; b < bodies.count; b++)
            smallest = fmin(smallest, rig_pair_gap(rig, q, radius, a, b, NULL));
        for (int w = 0; w < rig->wall_count; w++)
            smallest = fmin(smallest, rig_wall_gap(rig, t, q, radius, w, a, NULL));
    }
    free(radius);
    return smallest;
}

static int index_of(const thud_bodies *bodies, int id)
{
    int low = 0, high = bodies->count - 1;
    while (low < high)
    {
        int middle = (low + high) / 2;
        if (bodies->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Gap, normal, and what a positive impulse allows: half of sigma to one and a half.
static void check_contact(sphere_rig *rig, const thud_contacts *contacts, int i)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    const thud_state *state = thud_world_state(rig->world);
    int a = index_of(&bodies, contacts->a[i]), wall = -1 - contacts->b[i];
    int b = wall >= 0 ? a : index_of(&bodies, contacts->b[i]);
    double t = thud_state_time(state), normal[3], rounding = 0x1p-48 * rig->size;
    double gap = wall >= 0 ? rig_wall_gap(rig, t, rig->before->q, bodies.radius, wall, a, normal)
                           : rig_pair_gap(rig, rig->before->q, bodies.radius, a, b, normal);
    double sigma = 2 * rig->def.tol * fmin(bodies.radius[a], bodies.radius[b]);
    double scale = thud_work_report(rig->work)->shift_scale;
    CHECK(contacts->a[i] == bodies.id[a] && (wall >= 0 || contacts->b[i] == bodies.id[b]));
    CHECK(wall < rig->wall_count && (wall >= 0 || contacts->a[i] < contacts->b[i]));
    CHECK_NEAR(contacts->gap[i], gap, rounding);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(contacts->normal[3 * i + k], normal[k], 1e-14);
    CHECK(contacts->impulse[i] >= 0);
    CHECK(contacts->force[i] == contacts->impulse[i] / state->h);
    CHECK(contacts->lin[i] >= scale * sigma / 2 - rounding);
    if (contacts->impulse[i] == 0)
        return;
    double mobility = 1 / bodies.mass[bodies.dim * a];
    mobility += wall >= 0 ? 0 : 1 / bodies.mass[bodies.dim * b];
    bool negligible = state->h * mobility * contacts->impulse[i] <= sigma / 2;
    rig->slack = fmax(rig->slack, contacts->lin[i] / sigma);
    if (!(rig->may_be_slack && negligible))
        CHECK_AT_MOST(contacts->lin[i], 1.5 * sigma + rounding);
}

// The mean of gravity over the step, by Gauss's rule with four points.
static void mean_gravity(const sphere_rig *rig, double mean[3])
{
    static const double x[4] = {-.86113631159405258, -.33998104358485626, .33998104358485626,
                                .86113631159405258};
    static const double w[4] = {.17392742256872693, .32607257743127307, .32607257743127307,
                                .17392742256872693};
    double t = thud_state_time(rig->before), h = rig->before->h, gravity[3];
    memset(mean, 0, 3 * sizeof *mean);
    for (int p = 0; p < 4; p++)
    {
        rig_gravity(rig, t + h * (1 + x[p]) / 2, gravity);
        for (int k = 0; k < 3; k++)
            mean[k] += w[p] * gravity[k];
    }
}

// |F_walls + W - M dV / h| over W (over the forces of the walls without gravity).
static void check_balance(sphere_rig *rig, const thud_contacts *contacts)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    double gravity[3], sum[3] = {0, 0, 0}, weight = 0, pushes = 0, error = 0;
    mean_gravity(rig, gravity);
    for (int at = 0; at < bodies.count * bodies.dim; at++)
    {
        double rate = (bodies.u[at] - rig->before->u[at]) / rig->before->h;
        int k = at % bodies.dim;
        sum[k] += bodies.mass[at] * (gravity[k] - rig->def.drag * rig->before->u[at] - rate);
        weight += bodies.mass[at] * fabs(gravity[k]);
    }
    for (int i = 0; i < contacts->count; i++)
        for (int k = 0; k < 3 && contacts->b[i] < 0; k++)
        {
            sum[k] += contacts->force[i] * contacts->normal[3 * i + k];
            pushes += fabs(contacts->force[i] * contacts->normal[3 * i + k]);
        }
    for (int k = 0; k < 3; k++)
        error = fmax(error, fabs(sum[k]));
    if (weight == 0)
        weight = pushes;
    if (weight == 0)
        return;
    CHECK_AT_MOST(error, 1e-10 * weight);
    rig->balance = fmax(rig->balance, error / weight);
}

void rig_check_contacts(sphere_rig *rig)
{
    thud_contacts contacts;
    REQUIRE(thud_world_contacts(rig->world, thud_work_report(rig->work), &contacts) == THUD_OK);
    for (int i = 0; i < contacts.count; i++)
        check_contact(rig, &contacts, i);
    if (!rig->def.force)
        check_balance(rig, &contacts);
}

void rig_momenta(const sphere_rig *rig, double linear[3], double angular[3])
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (int i = 0; i < bodies.count; i++)
    {
        double q[3] = {0, 0, 0}, p[3] = {0, 0, 0};
        for (int k = 0; k < bodies.dim; k++)
        {
            q[k] = bodies.q[bodies.dim * i + k];
            p[k] = bodies.mass[bodies.dim * i] * bodies.u[bodies.dim * i + k];
        }
        for (int k = 0; k < 3; k++)
        {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            linear[k] += p[k];
            angular[k] += q[l] * p[m] - q[m] * p[l];
        }
    }
}

void rig_pour(sphere_rig *rig, int count, double radius_low, double radius_high, int width,
              double floor, uint64_t seed)
{
    test_random random = test_random_start(seed);
    thud_sphere *spheres = calloc((size_t)count, sizeof *spheres);
    int dim = rig->def.dim, layer = dim == 3 ? width * width : width;
    REQUIRE(spheres);
    for (int i = 0; i < count; i++)
    {
        double pitch = 2.3 * radius_high, jitter = 0.1 * radius_high;
        int place[3] = {i % width, dim == 3 ? i / width % width : i / layer, i / layer};
        spheres[i].radius =
            radius_low + (radius_high - radius_low) * pow(test_random_uniform(&random, 0, 1), 3);
        spheres[i].mass = pow(spheres[i].radius / radius_high, dim);
        for (int k = 0; k < dim && k < 3; k++)
        {
            double base = k == dim - 1 ? floor : 0;
            spheres[i].center[k] =
                base + pitch * (place[k] + 0.5) + test_random_uniform(&random, -jitter, jitter);
            spheres[i].velocity[k] = test_random_uniform(&random, -0.3, 0.3);
        }
    }
    CHECK(thud_world_add(rig->world, spheres, count, NULL) == THUD_OK);
    free(spheres);
}
