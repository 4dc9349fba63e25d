// What the checker lays out once per step: triangles of meshes and rows on record, sorted.
#include "verify/checker.h"
#include "verify/spheres/checker_obstacles.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const thudi_sorted *left = a, *right = b;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return left->facet < right->facet ? -1 : 1;
}

static void sort_mesh(const thud_solid_def *solid, thudi_sorted *sorted, double *widest)
{
    for (int i = 0; i < solid->triangle_count; i++)
    {
        const double *c = solid->triangles + 9 * (size_t)i;
        double low = fmin(c[0], fmin(c[3], c[6])), high = fmax(c[0], fmax(c[3], c[6]));
        sorted[i] = (thudi_sorted){.low = low, .facet = i};
        *widest = fmax(*widest, high - low);
    }
    qsort(sorted, (size_t)solid->triangle_count, sizeof *sorted, compare);
}

static int compare_recorded(const void *a, const void *b)
{
    const thudi_recorded *left = a, *right = b;
    if (left->body != right->body)
        return left->body < right->body ? -1 : 1;
    if (left->surface != right->surface)
        return left->surface < right->surface ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

// Is a surface one whose directions are on record: of a mesh, or of what is concave?
static bool has_directions(const thud_verify_spheres_def *def, int surface)
{
    int first = 0;
    for (int k = 0; k < def->obstacle_count; k++)
    {
        const thud_solid_def *solid = &def->obstacles[k].solid;
        int keys = thudi_facet_keys(solid), count = thudi_facet_count(solid) * keys;
        if (surface < first + count)
            return solid->kind == THUD_MESH || (keys > 1 && surface < first + keys);
        first += count;
    }
    return false;
}

// The rows of obstacles on record, those that could be none left out.
static void sort_record(thudi_obstacles *obstacles)
{
    const thud_verify_spheres_def *def = obstacles->def;
    int count = def->cuts ? thud_rows_count(def->cuts) : 0;
    for (int i = 0; i < count; i++)
    {
        thud_row row = thud_rows_get(def->cuts, i, NULL);
        thud_key_parts parts = thud_key_read(row.key, THUD_KEYS_OPEN);
        bool is_surface = parts.kind == THUD_KEY_SURFACE;
        int surface = is_surface ? (int)parts.a : -1, body = is_surface ? (int)parts.b : -1;
        if (is_surface && body < def->count && row.width == def->dim && row.count == 1)
            obstacles->recorded[obstacles->recorded_count++] =
                (thudi_recorded){.body = body, .surface = surface, .row = i};
        else
            obstacles->has_stray = true;
        obstacles->has_stray = obstacles->has_stray || !has_directions(def, surface);
    }
    obstacles->has_stray = obstacles->has_stray && def->cuts_only;
    if (obstacles->recorded_count > 1)
        qsort(obstacles->recorded, (size_t)obstacles->recorded_count, sizeof *obstacles->recorded,
              compare_recorded);
}

bool thudi_obstacles_open(thudi_obstacles *obstacles, const thud_allocator *allocator)
{
    const thud_verify_spheres_def *def = obstacles->def;
    size_t count = (size_t)def->obstacle_count, total = 0, most = 0;
    for (size_t k = 0; k < count; k++)
    {
        const thud_solid_def *solid = &def->obstacles[k].solid;
        size_t triangles = solid->kind == THUD_MESH ? (size_t)solid->triangle_count : 0;
        total += triangles;
        most = triangles > most ? triangles : most;
    }
    obstacles->has_stray = def->cuts_only && count == 0 && def->cuts;
    if (count == 0)
        return true;
    thudi_checker memory = {0}; // for its allocator alone
    if (allocator)
        memory.allocator = *allocator;
    size_t rows = def->cuts ? (size_t)thud_rows_count(def->cuts) : 0;
    obstacles->size = most * sizeof(thudi_near_triangle) + total * sizeof(thudi_sorted) +
                      count * (sizeof(thudi_sorted *) + sizeof(double)) +
                      rows * sizeof(thudi_recorded);
    obstacles->block = thudi_checker_allocate(&memory, obstacles->size);
    if (!obstacles->block)
        return false;
    obstacles->near = obstacles->block;
    thudi_sorted *next = (thudi_sorted *)(obstacles->near + most);
    obstacles->widest = (double *)(next + total);
    obstacles->sorted = (thudi_sorted **)(obstacles->widest + count);
    obstacles->recorded = (thudi_recorded *)(obstacles->sorted + count);
    sort_record(obstacles);
    for (size_t k = 0; k < count; k++)
    {
        const thud_solid_def *solid = &def->obstacles[k].solid;
        if (solid->kind != THUD_MESH)
            continue;
        obstacles->sorted[k] = next;
        sort_mesh(solid, next, &obstacles->widest[k]);
        next += solid->triangle_count;
    }
    return true;
}

void thudi_obstacles_close(thudi_obstacles *obstacles, const thud_allocator *allocator)
{
    thudi_checker memory = {0};
    if (allocator)
        memory.allocator = *allocator;
    thudi_checker_release(&memory, obstacles->block, obstacles->size);
}
