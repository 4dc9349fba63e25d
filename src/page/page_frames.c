// The arrays of the page: bodies, frames and series, rounded and packed. viewer/src/data.js reads
// them in the same order.
//
//     bodies   radius f32, mass f32, material + 1 u16; where laws of growth have names: which of
//              materials and laws tells the growth, + 1, u16
//     surfaces of obstacles, in their frames: corners of triangles, ends of lines, f32
//     frame    t f64, contacts u32; spheres: force of the thickest chains f32, growth f32 by
//              material and law, walls 4 f32 each (normal, offset), obstacles 12 f32 each (origin,
//              turn by rows), the shear f64 of a periodic cell, velocities and positions by
//              component, smallest gap of a loaded contact by body, contacts (a, b, force), feet
//              of contacts with obstacles 3 f32
//              inclusions: q, u, multipliers f64; g on the grid
//     series   t f64, then the columns f32
#include "page/pager.h"

#include <math.h>
#include <string.h>

static const double STEPS = 65535, SPEEDS = 32767;

// x >= 0 to the nearest whole number up to most; what is no number to 0.
static uint16_t nearest_whole(double x, double most)
{
    if (!(x > 0))
        return 0;
    return (uint16_t)(x < most ? floor(x + 0.5) : most);
}

static uint16_t round_position(const thudi_page_scale *scale, int axis, double x)
{
    double extent = scale->high[axis] - scale->low[axis];
    return extent > 0 ? nearest_whole((x - scale->low[axis]) / extent * STEPS, STEPS) : 0;
}

static uint16_t round_velocity(const thudi_page_scale *scale, double v)
{
    if (!(scale->speed > 0))
        return 0;
    uint16_t size = nearest_whole(fabs(v) / scale->speed * SPEEDS, SPEEDS);
    return (uint16_t)(v < 0 ? 0U - size : size);
}

static void widen(thudi_page_scale *scale, int axis, double low, double high)
{
    if (isfinite(low) && low < scale->low[axis])
        scale->low[axis] = low;
    if (isfinite(high) && high > scale->high[axis])
        scale->high[axis] = high;
}

static void measure_snapshot(thudi_page_scale *scale, const thud_scene *scene,
                             const thud_snapshot *snapshot)
{
    for (size_t i = 0; i < (size_t)snapshot->count; i++)
        for (size_t k = 0; k < (size_t)scene->dim; k++)
        {
            double x = snapshot->seen[3 * i + k], v = fabs(snapshot->velocity[3 * i + k]);
            widen(scale, (int)k, x - snapshot->radius[i], x + snapshot->radius[i]);
            if (isfinite(v) && v > scale->speed)
                scale->speed = v;
        }
    for (int k = 0; k < scene->coordinate_count && k < 3; k++)
        widen(scale, k, snapshot->q[k], snapshot->q[k]);
}

// Constraints are drawn beyond where the coordinates went, in a square: the page is free to choose.
static void make_square(thudi_page_scale *scale)
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        if (scale->high[k] - scale->low[k] > largest)
            largest = scale->high[k] - scale->low[k];
    largest = largest > 0 ? largest : 1;
    for (int k = 0; k < 3; k++)
    {
        double middle = 0.5 * scale->low[k] + 0.5 * scale->high[k];
        scale->low[k] = middle - 1.5 * largest;
        scale->high[k] = middle + 1.5 * largest;
    }
}

thud_status thudi_page_measure(thudi_pager *pager)
{
    const thud_page_def *def = pager->def;
    int64_t stride = def->stride > 0 ? def->stride : 1;
    thudi_page_scale *scale = &pager->scale;
    for (int k = 0; k < 3; k++)
    {
        scale->low[k] = INFINITY;
        scale->high[k] = -INFINITY;
    }
    for (int64_t i = def->first; i <= def->last; i += stride)
    {
        THUD_TRY(thud_snapshot_read(pager->reader, i, &pager->snapshot, pager->fault));
        measure_snapshot(scale, def->scene, &pager->snapshot);
    }
    for (int k = 0; k < 3; k++)
        if (!(scale->low[k] <= scale->high[k]))
            scale->low[k] = scale->high[k] = 0;
    if (def->scene->kind == THUD_SCENE_INCLUSION)
        make_square(scale);
    return THUD_OK;
}

// The place of a body's growth: that of its material, or behind these its own; -1 for none.
static int growth_place(const thud_scene *scene, const thud_scene_body *body)
{
    if (body->growth && body->growth->name)
        return scene->material_count + (int)(body->growth - scene->growths);
    return body->material;
}

static void pack_bodies(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    const thud_snapshot *snapshot = &pager->snapshot;
    for (int i = 0; i < scene->body_count; i++)
        thudi_pack_f32(&pager->pack, scene->bodies[i].sphere.radius);
    for (int i = 0; i < scene->body_count; i++)
        thudi_pack_f32(&pager->pack, snapshot->mass[i]);
    for (int i = 0; i < scene->body_count; i++)
        pager->now.items[i] = (uint16_t)(scene->bodies[i].material + 1);
    thudi_pack_u16s(&pager->pack, pager->now.items, (size_t)scene->body_count);
    for (int i = 0; i < scene->body_count; i++)
        pager->now.items[i] = (uint16_t)(growth_place(scene, &scene->bodies[i]) + 1);
    if (scene->growth_count > 0)
        thudi_pack_u16s(&pager->pack, pager->now.items, (size_t)scene->body_count);
}

// Radii grow by material or law; what one without bodies does is not to be seen.
static void pack_growth(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    double *growth = pager->numbers.items;
    int count = scene->material_count + scene->growth_count;
    for (int i = 0; i < count; i++)
        growth[i] = 1;
    for (int i = 0; i < scene->body_count; i++)
    {
        int place = growth_place(scene, &scene->bodies[i]);
        if (place >= 0)
            growth[place] = pager->snapshot.radius[i] / scene->bodies[i].sphere.radius;
    }
    for (int i = 0; i < count; i++)
        thudi_pack_f32(&pager->pack, growth[i]);
}

static thud_status pack_chains(thudi_pager *pager)
{
    const thud_snapshot *snapshot = &pager->snapshot;
    THUD_TRY(
        thudi_array_reserve(&pager->allocator, &pager->numbers, (size_t)snapshot->touch_count + 1));
    thudi_pack_f32(&pager->pack, thudi_chains_force(snapshot, pager->numbers.items));
    return THUD_OK;
}

static void pack_walls(thudi_pager *pager)
{
    for (int i = 0; i < pager->def->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(pager->def->model, i, pager->snapshot.t, &plane);
        for (int k = 0; k < 3; k++)
            thudi_pack_f32(&pager->pack, plane.normal[k]);
        thudi_pack_f32(&pager->pack, plane.offset);
    }
}

static void pack_poses(thudi_pager *pager)
{
    for (int i = 0; i < pager->def->scene->obstacle_count; i++)
    {
        thud_pose pose;
        thud_model_pose(pager->def->model, i, pager->snapshot.t, &pose);
        thud_placement at = thud_pose_place(&pose);
        for (int k = 0; k < 3; k++)
            thudi_pack_f32(&pager->pack, at.origin[k]);
        for (int k = 0; k < 9; k++)
            thudi_pack_f32(&pager->pack, at.turn[k / 3][k % 3]);
    }
}

static void pack_difference(thudi_pager *pager, uint16_t *now, const uint16_t *guess, size_t count)
{
    for (size_t i = 0; i < count; i++)
        now[i] = thudi_zigzag16((uint16_t)(now[i] - guess[i]));
    thudi_pack_u16s(&pager->pack, now, count);
}

// Where the mean of the old and the new velocity takes a position since the frame before, in steps
// of rounding. The page does the same, operation by operation.
static void guess_positions(const uint16_t *old, const uint16_t *old_speed, const uint16_t *speed,
                            double factor, uint16_t *guess, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        double moved = floor(factor * ((int16_t)old_speed[i] + (int16_t)speed[i]) + 0.5);
        guess[i] = (uint16_t)(old[i] + (int)moved);
    }
}

static double factor_of(const thudi_pager *pager, size_t axis)
{
    const thudi_page_scale *scale = &pager->scale;
    double extent = scale->high[axis] - scale->low[axis];
    double moved = scale->speed / SPEEDS / 2 * (pager->snapshot.t - pager->last_time);
    double factor = moved / extent * STEPS;
    return fabs(factor) < 1000 ? factor : 0; // nothing that can be guessed
}

// By component: the velocity as its change since the frame before, then the position as the
// distance from where that velocity would have taken it.
static void pack_motion(thudi_pager *pager)
{
    const thud_snapshot *snapshot = &pager->snapshot;
    size_t count = (size_t)snapshot->count, dim = (size_t)pager->def->scene->dim;
    uint16_t *position = pager->now.items, *speed = position + count, *guess = speed + count;
    uint16_t *kept = guess + count;
    for (size_t k = 0; k < dim; k++)
    {
        uint16_t *old = pager->old.items + count * k, *old_speed = old + count * dim;
        for (size_t i = 0; i < count; i++)
        {
            position[i] = round_position(&pager->scale, (int)k, snapshot->seen[3 * i + k]);
            speed[i] = round_velocity(&pager->scale, snapshot->velocity[3 * i + k]);
        }
        guess_positions(old, old_speed, speed, factor_of(pager, k), guess, count);
        memcpy(old, position, count * sizeof *old);
        memcpy(kept, speed, count * sizeof *kept);
        pack_difference(pager, speed, old_speed, count);
        pack_difference(pager, position, guess, count);
        memcpy(old_speed, kept, count * sizeof *kept);
    }
    pager->last_time = snapshot->t;
}

static double gap_of(const thud_snapshot *snapshot, size_t contact)
{
    const double *ends = snapshot->ends + 6 * contact;
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (ends[3 + k] - ends[k]) * (ends[3 + k] - ends[k]);
    double radii = snapshot->radius[snapshot->a[contact]];
    if (snapshot->b[contact] >= 0)
        radii += snapshot->radius[snapshot->b[contact]];
    return sqrt(square) - radii;
}

// The smallest gap of a body's contacts that carry load; NAN for a body without any.
static void pack_gaps(thudi_pager *pager)
{
    const thud_snapshot *snapshot = &pager->snapshot;
    double *smallest = pager->numbers.items;
    for (int i = 0; i < snapshot->count; i++)
        smallest[i] = NAN;
    for (size_t i = 0; i < (size_t)snapshot->touch_count; i++)
    {
        double gap = gap_of(snapshot, i);
        int64_t who[2] = {snapshot->a[i], snapshot->b[i]};
        for (int side = 0; side < 2; side++)
            if (who[side] >= 0 && !(smallest[who[side]] <= gap))
                smallest[who[side]] = gap;
    }
    // to 5 bits of mantissa: they are looked at for their size, and noise does not deflate
    for (int i = 0; i < snapshot->count; i++)
        pager->now.items[i] = (uint16_t)((thudi_half_float(smallest[i]) + 4U) & 0xfff8U);
    thudi_pack_u16s(&pager->pack, pager->now.items, (size_t)snapshot->count);
}

static thud_status pack_contacts(thudi_pager *pager)
{
    const thud_snapshot *snapshot = &pager->snapshot;
    size_t count = (size_t)snapshot->touch_count;
    THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->words, 2 * count + 1));
    THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->now, count + 1));
    uint32_t *a = pager->words.items, *b = a + count;
    for (size_t i = 0; i < count; i++)
    {
        int64_t before = i > 0 ? snapshot->a[i - 1] : 0;
        a[i] = thudi_zigzag32((uint32_t)(snapshot->a[i] - before));
        b[i] = thudi_zigzag32(
            (uint32_t)(snapshot->b[i] < 0 ? snapshot->b[i] : snapshot->b[i] - snapshot->a[i]));
        pager->now.items[i] = thudi_half_float(snapshot->force[i]);
    }
    thudi_pack_u32s(&pager->pack, a, count);
    thudi_pack_u32s(&pager->pack, b, count);
    thudi_pack_u16s(&pager->pack, pager->now.items, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3 && -1 - snapshot->b[i] >= pager->def->scene->wall_count; k++)
            thudi_pack_f32(&pager->pack, snapshot->ends[6 * i + 3 + k]);
    return THUD_OK;
}

static void pack_coordinates(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    const thud_snapshot *snapshot = &pager->snapshot;
    size_t dim = (size_t)scene->coordinate_count, count = (size_t)scene->constraint_count;
    double *impulse = pager->numbers.items;
    memset(impulse, 0, count * sizeof *impulse);
    for (int i = 0; i < snapshot->multiplier_count; i++)
    {
        int constraint = thud_scene_constraint_of(scene, snapshot->multipliers[i].key);
        if (constraint >= 0)
            impulse[constraint] = snapshot->multipliers[i].impulse;
    }
    thudi_pack_bytes(&pager->pack, snapshot->q, dim * sizeof *snapshot->q);
    thudi_pack_bytes(&pager->pack, snapshot->u, dim * sizeof *snapshot->u);
    thudi_pack_bytes(&pager->pack, impulse, count * sizeof *impulse);
}

static thud_status pack_frame(thudi_pager *pager, bool is_first)
{
    const thud_snapshot *snapshot = &pager->snapshot;
    thudi_pack_f64(&pager->pack, snapshot->t);
    thudi_pack_u32(&pager->pack, (uint32_t)snapshot->touch_count);
    if (pager->def->scene->kind == THUD_SCENE_INCLUSION)
    {
        pack_coordinates(pager);
        return thudi_page_sample(pager, snapshot->t, is_first);
    }
    THUD_TRY(pack_chains(pager));
    pack_growth(pager);
    pack_walls(pager);
    pack_poses(pager);
    if (thudi_page_is_periodic(pager->def->scene))
        thudi_pack_f64(&pager->pack, thud_model_shear(pager->def->model, snapshot->t));
    pack_motion(pager);
    pack_gaps(pager);
    return pack_contacts(pager);
}

static void pack_series(thudi_pager *pager)
{
    const thud_series_table *series = pager->series;
    size_t columns = (size_t)series->column_count;
    for (size_t row = 0; row < series->row_count; row++)
        thudi_pack_f64(&pager->pack, columns > 1 ? series->values[columns * row + 1] : NAN);
    for (size_t column = 0; column < columns; column++)
        for (size_t row = 0; row < series->row_count; row++)
            thudi_pack_f32(&pager->pack, series->values[columns * row + column]);
}

static thud_status reserve(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    size_t bodies = (size_t)scene->body_count;
    size_t motion = 2 * (size_t)scene->dim * bodies + 1;
    size_t numbers = bodies + (size_t)scene->material_count + (size_t)scene->growth_count +
                     (size_t)scene->constraint_count + 1;
    THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->now, 4 * bodies + 1));
    THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->old, motion));
    THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->numbers, numbers));
    memset(pager->old.items, 0, motion * sizeof *pager->old.items);
    pager->last_time = 0;
    return THUD_OK;
}

thud_status thudi_page_pack(thudi_pager *pager)
{
    const thud_page_def *def = pager->def;
    if (reserve(pager) < 0)
        return thudi_fail_memory(pager->fault);
    THUD_TRY(thud_snapshot_read(pager->reader, def->first, &pager->snapshot, pager->fault));
    pack_bodies(pager);
    thudi_page_pack_surfaces(pager);
    for (int64_t i = 0; i < pager->frame_count && pager->pack.status >= 0; i++)
    {
        int64_t frame = def->first + i * pager->stride;
        THUD_TRY(thud_snapshot_read(pager->reader, frame, &pager->snapshot, pager->fault));
        if (pack_frame(pager, i == 0) < 0)
            return thudi_fail_memory(pager->fault);
        pager->packed = i;
        if (def->progress)
            def->progress(i + 1, pager->frame_count, def->user);
    }
    pack_series(pager);
    thud_status status = thudi_pack_end(&pager->pack);
    return status == THUD_ERR_MEMORY ? thudi_fail_memory(pager->fault) : status;
}
