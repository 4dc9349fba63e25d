// The rows of a world of spheres, and the check that none was missed.
//
//     pairs:  g = |q_b - q_a| - r_a - r_b,  slope (-n, n);   walls:  g = n . q - offset - r,  slope
//     n
//
// LINEARISE pushes the pairs that could touch in this step: g < 2 sigma + 2 h |w - u| + h max(s),
// s_i the largest relative speed of the prediction near body i and its neighbours; and all pairs
// with a multiplier. That is a guess, as impacts make bodies faster. CHECK then looks at every pair
// that could have met with the velocities found, in the frame of the mean velocity c:
//     g <= h (|u_a - c| + |u_b - c|) + sigma,
// and pushes those with lin < sigma. So the answer does not depend on the guess.
#include "spheres/world.h"

#include <math.h>
#include <string.h>

uint64_t thudi_world_pair_key(int id_a, int id_b)
{
    uint64_t low = (uint64_t)(id_a < id_b ? id_a : id_b);
    uint64_t high = (uint64_t)(id_a < id_b ? id_b : id_a);
    return low << 32 | high;
}

uint64_t thudi_world_wall_key(int wall, int id)
{
    return UINT64_C(1) << 63 | (uint64_t)wall << 32 | (uint64_t)id;
}

uint64_t thudi_world_surface_key(int surface, int id)
{
    return UINT64_C(1) << 63 | (uint64_t)surface << 32 | UINT64_C(1) << 31 | (uint64_t)id;
}

bool thudi_world_direction(const thud_world *world, const double *q, int a, int b, double *distance,
                           double normal[3])
{
    double sum = 0;
    normal[2] = 0;
    for (int k = 0; k < world->dim; k++)
    {
        normal[k] = q[world->dim * b + k] - q[world->dim * a + k];
        sum += normal[k] * normal[k];
    }
    *distance = sqrt(sum);
    for (int k = 0; k < world->dim; k++)
        normal[k] /= *distance;
    return *distance > 0;
}

double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i)
{
    const thud_plane *plane = &world->planes.items[wall];
    double sum = -plane->offset;
    for (int k = 0; k < world->dim; k++)
        sum += plane->normal[k] * q[world->dim * i + k];
    return sum - world->radius.items[i];
}

static double shift_of(const thud_world *world, int a, int b)
{
    return world->shift_factor * fmin(world->radius.items[a], world->radius.items[b]);
}

static thud_status push_pair(const thud_world *world, const double *q, int a, int b,
                             thud_rows *rows)
{
    double distance, normal[3], slope[6];
    if (!thudi_world_direction(world, q, a, b, &distance, normal))
        return THUD_ERR_OVERLAP;
    for (int k = 0; k < world->dim; k++)
        slope[k] = -(slope[world->dim + k] = normal[k]);
    int index[2] = {world->dim * a, world->dim * b};
    return thud_rows_push(rows,
                          &(thud_row){
                              .key = thudi_world_pair_key(world->id.items[a], world->id.items[b]),
                              .gap = distance - world->radius.items[a] - world->radius.items[b],
                              .shift = shift_of(world, a, b),
                              .width = world->dim,
                              .count = 2,
                              .index = index,
                              .slope = slope,
                          });
}

static thud_status push_wall(const thud_world *world, const double *q, int wall, int i,
                             thud_rows *rows)
{
    int index = world->dim * i;
    return thud_rows_push(rows, &(thud_row){
                                    .key = thudi_world_wall_key(wall, world->id.items[i]),
                                    .gap = thudi_world_wall_gap(world, wall, q, i),
                                    .shift = shift_of(world, i, i),
                                    .width = world->dim,
                                    .count = 1,
                                    .index = &index,
                                    .slope = world->planes.items[wall].normal,
                                });
}

static double speed_between(int dim, const double *v, int a, int b)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (v[dim * b + k] - v[dim * a + k]) * (v[dim * b + k] - v[dim * a + k]);
    return sqrt(sum);
}

static void mean_of(const thud_world *world, const double *v, double mean[3])
{
    memset(mean, 0, 3 * sizeof *mean);
    for (int i = 0; i < world->count; i++)
        for (int k = 0; k < world->dim; k++)
            mean[k] += v[world->dim * i + k] / world->count;
}

// |v_i - mean| of body i.
static double speed_beside(int dim, const double *v, int i, const double mean[3])
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (v[dim * i + k] - mean[k]) * (v[dim * i + k] - mean[k]);
    return sqrt(sum);
}

// How far apart a pair may be and still count as near: what the fastest could close, but not more
// than a few radii, as CHECK finds what is missing.
static double near_margin(const thud_world *world, const thud_moment *at, double pull)
{
    double mean[3], fastest = 0, largest = 0;
    mean_of(world, at->w, mean);
    for (int i = 0; i < world->count; i++)
    {
        fastest = fmax(fastest, speed_beside(world->dim, at->w, i, mean));
        largest = fmax(largest, world->radius.items[i]);
    }
    double travel = 2 * at->h * fastest + 2 * at->h * pull;
    return fmin(travel, largest) + 2 * world->shift_factor * largest;
}

// The largest change of velocity that the force makes in the step: h a.
static double largest_pull(const thud_world *world, const thud_moment *at)
{
    double largest = 0;
    for (int i = 0; i < world->count; i++)
    {
        double sum = 0;
        for (int k = 0; k < world->dim; k++)
        {
            double change = at->w[world->dim * i + k] - at->u[world->dim * i + k];
            sum += change * change;
        }
        largest = fmax(largest, sqrt(sum));
    }
    return largest;
}

// speed: the largest relative speed to any near body or wall; ring: the largest of that around.
static void spread_speeds(thud_world *world, const thud_moment *at)
{
    const thudi_cells *cells = &world->cells;
    double *speed = world->speed.items, *ring = world->ring.items;
    for (int i = 0; i < world->count; i++)
    {
        speed[i] = 0;
        for (int w = 0; w < world->wall_count; w++)
        {
            double along = 0;
            for (int k = 0; k < world->dim; k++)
                along += world->planes.items[w].normal[k] * at->w[world->dim * i + k];
            if (thudi_world_wall_gap(world, w, at->q, i) < 2 * world->reach.items[i])
                speed[i] = fmax(speed[i], fabs(along));
        }
    }
    for (int p = 0; p < cells->pair_count; p++)
    {
        thudi_pair pair = cells->pairs.items[p];
        double s = speed_between(world->dim, at->w, pair.a, pair.b);
        speed[pair.a] = fmax(speed[pair.a], s);
        speed[pair.b] = fmax(speed[pair.b], s);
    }
    memcpy(ring, speed, (size_t)world->count * sizeof *ring);
    for (int p = 0; p < cells->pair_count; p++)
    {
        thudi_pair pair = cells->pairs.items[p];
        ring[pair.a] = fmax(ring[pair.a], speed[pair.b]);
        ring[pair.b] = fmax(ring[pair.b], speed[pair.a]);
    }
}

static bool has_multiplier(const thud_moment *at, uint64_t key)
{
    int low = 0, high = at->multiplier_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (at->multipliers[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < at->multiplier_count && at->multipliers[low].key == key;
}

static thud_status push_near_pairs(thud_world *world, const thud_moment *at, double pull,
                                   thud_rows *rows)
{
    const thudi_cells *cells = &world->cells;
    for (int p = 0; p < cells->pair_count; p++)
    {
        int a = cells->pairs.items[p].a, b = cells->pairs.items[p].b;
        double distance, normal[3];
        if (!thudi_world_direction(world, at->q, a, b, &distance, normal))
            return THUD_ERR_OVERLAP;
        double gap = distance - world->radius.items[a] - world->radius.items[b];
        double fastest = fmax(world->ring.items[a], world->ring.items[b]);
        uint64_t key = thudi_world_pair_key(world->id.items[a], world->id.items[b]);
        if (gap < 2 * shift_of(world, a, b) + at->h * (2 * pull + fastest) ||
            has_multiplier(at, key))
            THUD_TRY(push_pair(world, at->q, a, b, rows));
    }
    return THUD_OK;
}

static thud_status push_near_walls(thud_world *world, const thud_moment *at, double pull,
                                   thud_rows *rows)
{
    for (int w = 0; w < world->wall_count; w++)
        for (int i = 0; i < world->count; i++)
        {
            double gap = thudi_world_wall_gap(world, w, at->q, i);
            uint64_t key = thudi_world_wall_key(w, world->id.items[i]);
            if (gap < 2 * shift_of(world, i, i) + at->h * (2 * pull + world->ring.items[i]) ||
                has_multiplier(at, key))
                THUD_TRY(push_wall(world, at->q, w, i, rows));
        }
    return THUD_OK;
}

static thud_status linearise(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    double pull = largest_pull(world, at), margin = near_margin(world, at, pull);
    for (int i = 0; i < world->count; i++)
        world->reach.items[i] = world->radius.items[i] + margin / 2;
    THUD_TRY(thudi_cells_find(&world->cells, world->dim, world->count, at->q, world->reach.items));
    spread_speeds(world, at);
    THUD_TRY(push_near_pairs(world, at, pull, rows));
    THUD_TRY(push_near_walls(world, at, pull, rows));
    return thudi_world_push_obstacles(world, at, pull, rows);
}

// Every pair that could have met with the velocities found.
static thud_status check_pairs(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    const thudi_cells *cells = &world->cells;
    for (int p = 0; p < cells->pair_count; p++)
    {
        int a = cells->pairs.items[p].a, b = cells->pairs.items[p].b;
        double distance, normal[3], after, normal_after[3];
        if (!thudi_world_direction(world, at->q, a, b, &distance, normal))
            return THUD_ERR_OVERLAP;
        // a trial without this row may well put both into one place
        (void)thudi_world_direction(world, at->trial, a, b, &after, normal_after);
        double radii = world->radius.items[a] + world->radius.items[b], lin = distance - radii;
        for (int k = 0; k < world->dim; k++)
        {
            int ka = world->dim * a + k, kb = world->dim * b + k;
            lin += normal[k] * ((at->trial[kb] - at->q[kb]) - (at->trial[ka] - at->q[ka]));
        }
        thud_rows_note_gap(rows, after - radii);
        if (lin < shift_of(world, a, b))
            THUD_TRY(push_pair(world, at->q, a, b, rows));
    }
    return THUD_OK;
}

static thud_status check_walls(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    for (int w = 0; w < world->wall_count; w++)
        for (int i = 0; i < world->count; i++)
        {
            double gap = thudi_world_wall_gap(world, w, at->trial, i); // affine: this is lin
            thud_rows_note_gap(rows, gap);
            if (gap < shift_of(world, i, i))
                THUD_TRY(push_wall(world, at->q, w, i, rows));
        }
    return THUD_OK;
}

// reach: radius and a margin, the way travelled beside the mean, and the shift.
static thud_status check(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    int dim = world->dim;
    double mean[3] = {0, 0, 0}, largest = 0;
    for (int i = 0; i < world->count; i++)
    {
        largest = fmax(largest, world->radius.items[i]);
        for (int k = 0; k < dim && k < 3; k++)
            mean[k] += (at->trial[dim * i + k] - at->q[dim * i + k]) / world->count;
    }
    for (int i = 0; i < world->count; i++)
    {
        double sum = 0;
        for (int k = 0; k < dim && k < 3; k++)
        {
            double way = at->trial[dim * i + k] - at->q[dim * i + k] - mean[k];
            sum += way * way;
        }
        world->reach.items[i] = world->radius.items[i] * (1 + THUDI_WORLD_MARGIN) + sqrt(sum) +
                                world->shift_factor * largest;
    }
    THUD_TRY(thudi_cells_find(&world->cells, dim, world->count, at->q, world->reach.items));
    THUD_TRY(check_pairs(world, at, rows));
    THUD_TRY(check_walls(world, at, rows));
    return thudi_world_check_obstacles(world, at, rows);
}

int thudi_world_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    thud_world *world = user;
    thud_status status = world->is_ready ? THUD_OK : THUD_ERR_ARGUMENT;
    world->message[0] = '\0';
    if (status < 0)
        thudi_world_say(world, "bodies or walls have changed: call thud_world_prepare first");
    if (status >= 0)
        status = thudi_world_look_at(world, at->t);
    if (status >= 0)
        status = at->phase == THUD_CHECK ? check(world, at, rows) : linearise(world, at, rows);
    if (status < 0 && world->message[0] == '\0')
        thudi_world_say(world, "%s", thud_status_text(status));
    return status < 0 ? status : 0;
}

int thudi_world_force(double t, const double *q, double *f, void *user)
{
    const thud_world *world = user;
    double gravity[3];
    memcpy(gravity, world->def.gravity, sizeof gravity);
    if (world->def.gravity_law && world->def.gravity_law(t, gravity, world->def.user) != 0)
        return -1;
    for (int i = 0; i < world->count; i++)
        for (int k = 0; k < world->dim; k++)
        {
            int at = world->dim * i + k;
            f[at] = world->mass.items[at] * gravity[k];
        }
    if (!world->def.force)
        return 0;
    return world->def.force(t, world->count, world->id.items, q, f, world->def.user);
}
