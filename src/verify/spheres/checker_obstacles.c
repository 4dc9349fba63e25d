// The rows of obstacles that a step could have met, and the values of g at its nodes.
//
// Any direction n makes a row for a triangle, n . q' - max over its corners of n . v >= r: that of
// the step's record is taken, with the gap worked out again. One without a row on record and with
// lin < 0 counts as kept if the direction of another row or near triangle separates the body's end
// from it. The cuts of concave facets are taken from the record too, if each is a tangent that
// bounds g from above.
#include "verify/spheres/checker_obstacles.h"

#include <math.h>
#include <string.h>

// At the start of a step a body is at least this part of its radius from a triangle. The radius is
// that of the end, and may have grown.
static const double APART = 0.9;

// What the square of a unit vector on record may be off by.
static const double NOT_UNIT = 1e-12;

// Reaches are enlarged by these, of themselves and of the place: more than all roundings.
static const double FARTHER = 1 + 1e-9, PLACE_ROUNDING = 1e-12;

// A gap below 0 without any size, for what must not be.
static const double FORBIDDEN = -1e-300;

// One call: one obstacle at one time.
typedef struct call
{
    thudi_obstacles *all;
    const thud_verify_obstacle *obstacle;
    thudi_frame frame, start; // at the time of the call, and of the start of the step
    int first;                // surface
    const double *q;
    bool is_node; // values of g are wanted, not rows
    thud_rows *rows;
} call;

// The first row on record of a body from a surface on.
static const thudi_recorded *record_of(const thudi_obstacles *all, int body, int surface)
{
    int low = 0, high = all->recorded_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        const thudi_recorded *at = &all->recorded[middle];
        if (at->body < body || (at->body == body && at->surface < surface))
            low = middle + 1;
        else
            high = middle;
    }
    return all->recorded + low;
}

static bool is_recorded(const thudi_obstacles *all, int body, int surface)
{
    const thudi_recorded *at = record_of(all, body, surface);
    return at < all->recorded + all->recorded_count && at->body == body && at->surface == surface;
}

static bool has_impulse(const thud_state *after, thud_key key)
{
    int low = 0, high = after->multiplier_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (thud_key_before(after->multipliers[middle].key, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low < after->multiplier_count && thud_key_same(after->multipliers[low].key, key);
}

static void place_of(const call *c, const double *q, int body, double y[3])
{
    int dim = c->all->def->dim;
    double x[3] = {0, 0, 0};
    memcpy(x, q + (size_t)dim * (size_t)body, (size_t)dim * sizeof *x);
    thudi_frame_in(&c->frame, x, y);
}

// A row whose direction the solver did not look at promises no more than g >= 0: it has no shift.
static thud_status push_as(const call *c, int surface, int body, double gap, const double normal[3],
                           bool is_own)
{
    const thud_verify_spheres_def *def = c->all->def;
    int index = def->dim * body, material = def->material ? def->material[body] : 0;
    double slope[3];
    thudi_frame_turn_out(&c->frame, normal, slope);
    thud_row row = {.key = thud_key_surface(surface, body),
                    .gap = gap,
                    .width = def->dim,
                    .count = 1,
                    .index = &index,
                    .slope = slope};
    thudi_spheres_add_law(def, c->all->law, c->all->radius[body], material, c->obstacle->material,
                          &row);
    row.shift = is_own ? 0 : row.shift;
    return thud_rows_push(c->rows, &row);
}

static thud_status push(const call *c, int surface, int body, double gap, const double normal[3])
{
    return push_as(c, surface, body, gap, normal, false);
}

static bool is_near(const call *c, int body, double distance)
{
    return distance <= c->all->extent[body];
}

// Facets of anything but a mesh.
static thud_status push_facets(const call *c, int body)
{
    const thud_solid_def *solid = &c->obstacle->solid;
    int keys = thudi_facet_keys(solid);
    double y[3];
    place_of(c, c->q, body, y);
    for (int facet = 0; facet < thudi_facet_count(solid); facet++)
    {
        thudi_facet_view view = thudi_facet_view_from(solid, facet, y);
        if (!is_near(c, body, view.distance) ||
            (!c->is_node && thudi_facet_is_concave(solid, facet)))
            continue;
        thud_status status = push(c, c->first + keys * facet, body,
                                  view.distance - c->all->radius[body], view.normal);
        if (status != THUD_OK)
            return status;
    }
    return THUD_OK;
}

static double highest(const double *corners, const double normal[3])
{
    double most = -INFINITY;
    for (const double *v = corners; v < corners + 9; v += 3)
        most = fmax(most, normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2]);
    return most;
}

static double height_over(const double *corners, const double n[3], const double y[3])
{
    return n[0] * y[0] + n[1] * y[1] + n[2] * y[2] - highest(corners, n);
}

// The direction of a row on record in the frame of the obstacle; false if it is no unit vector.
static bool direction_of(const call *c, const thudi_recorded *at, double normal[3])
{
    thud_row_room room;
    thud_row row = thud_rows_get(c->all->def->cuts, at->row, &room);
    double slope[3] = {0, 0, 0}, square = 0;
    memcpy(slope, row.slope, (size_t)c->all->def->dim * sizeof *slope);
    for (int k = 0; k < 3; k++)
        square += slope[k] * slope[k];
    thudi_frame_turn_in(&c->frame, slope, normal);
    return fabs(square - 1) < NOT_UNIT;
}

// The next row on record of the same body and obstacle, `at` if that is one; NULL for none.
static const thudi_recorded *row_from(const call *c, const thudi_recorded *at, int body)
{
    const thud_solid_def *solid = &c->obstacle->solid;
    int end = c->first + thudi_facet_count(solid) * thudi_facet_keys(solid);
    bool is_one =
        at < c->all->recorded + c->all->recorded_count && at->body == body && at->surface < end;
    return is_one ? at : NULL;
}

// Does a direction separate the body from a triangle at the start of the step, where both were
// then?
static bool parts_start(const call *c, const double *corners, const double n[3], int body)
{
    int dim = c->all->def->dim;
    double x[3] = {0, 0, 0}, y[3];
    memcpy(x, c->all->before->q + (size_t)dim * (size_t)body, (size_t)dim * sizeof *x);
    thudi_frame_in(&c->start, x, y);
    return height_over(corners, n, y) >= APART * c->all->radius[body];
}

// Is the direction on record of a triangle one that makes a row? Else its own does.
static bool is_taken(const call *c, int surface, int body)
{
    const thudi_recorded *at = record_of(c->all, body, surface);
    const double *corners = c->obstacle->solid.triangles + 9 * (size_t)(surface - c->first);
    double normal[3];
    return is_recorded(c->all, body, surface) && direction_of(c, at, normal) &&
           parts_start(c, corners, normal, body);
}

// Does the direction of another near triangle or row separate the start of the body and its end y
// from this one? One that separates the end alone would let it pass through.
static bool is_separated(const call *c, int count, int facet, int body, const double y[3])
{
    const double *corners = c->obstacle->solid.triangles + 9 * (size_t)facet;
    const thudi_recorded *at = record_of(c->all, body, c->first);
    double radius = c->all->radius[body], normal[3];
    for (int i = 0; i < count; i++)
        if (height_over(corners, c->all->near[i].view.normal, y) >= radius &&
            parts_start(c, corners, c->all->near[i].view.normal, body))
            return true;
    for (; row_from(c, at, body); at++)
        if (direction_of(c, at, normal) && height_over(corners, normal, y) >= radius &&
            parts_start(c, corners, normal, body))
            return true;
    return false;
}

// The rows of a mesh that are on record, with gaps worked out again.
static thud_status push_record(const call *c, int body, const double y[3])
{
    const thudi_recorded *at = record_of(c->all, body, c->first);
    for (; row_from(c, at, body); at++)
    {
        const double *corners = c->obstacle->solid.triangles + 9 * (size_t)(at->surface - c->first);
        double normal[3];
        if (!is_taken(c, at->surface, body) || !direction_of(c, at, normal))
        {
            c->all->has_stray = c->all->has_stray || c->all->def->cuts_only;
            continue; // the triangle's own row is pushed instead
        }
        thud_status status = push(c, at->surface, body,
                                  height_over(corners, normal, y) - c->all->radius[body], normal);
        if (status != THUD_OK)
            return status;
    }
    return THUD_OK;
}

// The near triangles of the mesh, found along the axis of sorting.
static int collect(const call *c, int k, const double y[3], const double end[3], int body)
{
    const thud_solid_def *solid = &c->obstacle->solid;
    const thudi_sorted *sorted = c->all->sorted[k];
    double reach = c->all->extent[body] * FARTHER + PLACE_ROUNDING * fabs(y[0]);
    int low = 0, high = solid->triangle_count, count = 0;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (sorted[middle].low < y[0] - reach - c->all->widest[k])
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < solid->triangle_count && sorted[low].low <= y[0] + reach; low++)
    {
        thudi_near_triangle near = {.facet = sorted[low].facet};
        near.view = thudi_facet_view_from(solid, near.facet, y);
        near.lin = near.view.distance - c->all->radius[body];
        for (int i = 0; i < 3; i++)
            near.lin += near.view.normal[i] * (end[i] - y[i]);
        if (is_near(c, body, near.view.distance))
            c->all->near[count++] = near;
    }
    return count;
}

// Is the triangle behind the plane of a row on record, except for a quarter of sigma? Then that row
// speaks for it in an impact as well, where every row that touches counts.
static bool is_hidden(const call *c, int facet, int body)
{
    const double *triangles = c->obstacle->solid.triangles;
    const thudi_recorded *at = record_of(c->all, body, c->first);
    double slack = thudi_spheres_shift(c->all->def, c->all->radius[body]) / 4, normal[3];
    for (; row_from(c, at, body); at++)
        if (is_taken(c, at->surface, body) && direction_of(c, at, normal) &&
            highest(triangles + 9 * (size_t)facet, normal) <=
                highest(triangles + 9 * (size_t)(at->surface - c->first), normal) + slack)
            return true;
    return false;
}

static thud_status push_triangles(const call *c, int k, int body)
{
    double y[3], end[3], radius = c->all->radius[body];
    place_of(c, c->q, body, y);
    place_of(c, c->all->after->q, body, end);
    int count = collect(c, k, y, end, body);
    thud_status status = c->is_node ? THUD_OK : push_record(c, body, y);
    for (int i = 0; i < count && status == THUD_OK; i++)
    {
        const thudi_near_triangle *near = &c->all->near[i];
        int surface = c->first + near->facet;
        bool is_loaded = has_impulse(c->all->after, thud_key_surface(surface, body));
        if (!c->is_node && is_taken(c, surface, body))
            continue;
        if (!c->is_node && near->lin < 0 && !is_loaded &&
            is_separated(c, count, near->facet, body, end))
            continue;
        if (!c->is_node && c->all->law->needs_all_touching && !is_loaded &&
            is_hidden(c, near->facet, body))
            continue;
        status =
            push_as(c, surface, body, near->view.distance - radius, near->view.normal, !is_loaded);
    }
    return status;
}

// Rows of convex facets that carry an impulse count even if they are far: then they should not. So
// do those that were held.
static thud_status push_far(const call *c, int surfaces)
{
    const thud_solid_def *solid = &c->obstacle->solid;
    thud_status status = THUD_OK;
    for (int n = 0; n < thudi_far_count(c->all) && status == THUD_OK; n++)
    {
        thud_key key;
        bool is_new = thudi_far_key(c->all, n, &key);
        thud_key_parts parts = thud_key_read(key, THUD_KEYS_OPEN);
        int surface = (int)(parts.a - c->first), body = (int)parts.b;
        int facet = surface / thudi_facet_keys(solid);
        double y[3];
        if (!is_new || parts.kind != THUD_KEY_SURFACE || surface < 0 || surface >= surfaces ||
            body >= c->all->def->count || surface % thudi_facet_keys(solid) != 0 ||
            thudi_facet_is_concave(solid, facet) ||
            (solid->kind == THUD_MESH && is_taken(c, c->first + surface, body)))
            continue;
        place_of(c, c->q, body, y);
        thudi_facet_view view = thudi_facet_view_from(solid, facet, y);
        if (!is_near(c, body, view.distance) && isfinite(view.distance))
            status = push(c, c->first + surface, body, view.distance - c->all->radius[body],
                          view.normal);
    }
    return status;
}

// The cuts of the concave facet that are on record and are what they should be.
static thud_status push_cuts(const call *c, int body)
{
    const thud_solid_def *solid = &c->obstacle->solid;
    const thudi_recorded *at = record_of(c->all, body, c->first);
    double y[3];
    place_of(c, c->q, body, y);
    for (; row_from(c, at, body) && at->surface < c->first + thudi_facet_keys(solid); at++)
    {
        double normal[3], distance;
        if (!direction_of(c, at, normal) || !thudi_facet_tangent(solid, normal, y, &distance))
        {
            c->all->has_stray = c->all->has_stray || c->all->def->cuts_only;
            continue; // the certificate of signs will miss it
        }
        thud_status status = push(c, at->surface, body, distance - c->all->radius[body], normal);
        if (status != THUD_OK)
            return status;
    }
    return THUD_OK;
}

// That no obstacle changed sides with a body while it moved, as a row without gradient.
static thud_status push_passing(const call *c, int k)
{
    thud_status status = THUD_OK;
    for (int body = 0; body < c->all->def->count && status == THUD_OK; body++)
    {
        double room;
        status = thudi_obstacles_passing(c->all, k, body, &room);
        if (status == THUD_OK && room <= 0)
            status = thud_rows_push(
                c->rows, &(thud_row){.key = thud_key_obstacle(k), .gap = fmin(room, FORBIDDEN)});
    }
    return status;
}

static thud_status push_obstacle(const call *c, int k)
{
    const thud_solid_def *solid = &c->obstacle->solid;
    thud_status status = THUD_OK;
    for (int body = 0; body < c->all->def->count && status == THUD_OK; body++)
    {
        status = solid->kind == THUD_MESH ? push_triangles(c, k, body) : push_facets(c, body);
        if (status == THUD_OK && !c->is_node && thudi_facet_is_concave(solid, 0))
            status = push_cuts(c, body);
    }
    if (status == THUD_OK && !c->is_node)
        status = push_far(c, thudi_facet_count(solid) * thudi_facet_keys(solid));
    if (status == THUD_OK && !c->is_node && c->obstacle->motion)
        status = push_passing(c, k);
    return status;
}

thud_status thudi_obstacles_push(thudi_obstacles *obstacles, const thud_moment *at, thud_rows *rows)
{
    const thud_state *before = obstacles->before;
    double begin = thud_state_time(before);
    double end = fma((double)(before->n + 1), before->h, before->t0);
    int first = 0;
    for (int k = 0; k < obstacles->def->obstacle_count; k++)
    {
        const thud_verify_obstacle *obstacle = &obstacles->def->obstacles[k];
        thud_pose pose = obstacle->pose, start = pose;
        if (obstacle->motion && (obstacle->motion(at->t, &pose, obstacle->user) != 0 ||
                                 obstacle->motion(begin, &start, obstacle->user) != 0))
            return THUD_ERR_CALLBACK;
        call c = {.all = obstacles,
                  .obstacle = obstacle,
                  .frame = thudi_frame_of(&pose),
                  .start = thudi_frame_of(&start),
                  .first = first,
                  .q = at->q,
                  .is_node = at->q != before->q || at->t != end,
                  .rows = rows};
        thud_status status = push_obstacle(&c, k);
        if (status != THUD_OK)
            return status;
        first += thudi_facet_count(&obstacle->solid) * thudi_facet_keys(&obstacle->solid);
    }
    // a direction that means nothing proves nothing: a row that cannot be satisfied
    return obstacles->has_stray ? thud_rows_push(rows, &(thud_row){.key = THUD_NO_KEY, .gap = -1})
                                : THUD_OK;
}
