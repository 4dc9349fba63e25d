// A mesh as triangles and lines, which are its sharp and its open edges.
#include "core/math/geometry.h"
#include "shapes/surface_maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

// An edge of a triangle, its smaller end first.
typedef struct edge
{
    double ends[6], normal[3];
} edge;

static int compare_edges(const void *a, const void *b)
{
    return compare_numbers(((const edge *)a)->ends, ((const edge *)b)->ends, 6);
}

static void fill_edges(const double *c, edge *out)
{
    double a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++)
    {
        a[k] = c[3 + k] - c[k];
        b[k] = c[6 + k] - c[k];
    }
    thudi_cross(a, b, normal);
    double size = thudi_norm(normal);
    for (int i = 0; i < 3; i++)
    {
        const double *p = c + 3 * (size_t)i, *q = c + 3 * (size_t)((i + 1) % 3);
        bool is_turned = compare_numbers(p, q, 3) > 0;
        memcpy(out[i].ends, is_turned ? q : p, 3 * sizeof *p);
        memcpy(out[i].ends + 3, is_turned ? p : q, 3 * sizeof *p);
        for (int k = 0; k < 3; k++)
            out[i].normal[k] = size > 0 ? normal[k] / size : 0;
    }
}

// Lines of a mesh: edges that two triangles do not share, and edges with a bend of more than 30
// degrees.
static void add_edges(thudi_surface_maker *m, edge *edges, int count)
{
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int i = 0, next; i < count; i = next)
    {
        const edge *e = &edges[i];
        for (next = i + 1; next < count && compare_edges(e, &edges[next]) == 0;)
            next++;
        double cosine = 0;
        for (int k = 0; k < 3; k++)
            cosine += e->normal[k] * edges[next - 1].normal[k];
        if (next - i != 2 || fabs(cosine) < 0.866)
            thudi_surface_add_line(m, e->ends, e->ends + 3);
    }
}

void thudi_surface_make_mesh(thudi_surface_maker *m)
{
    int count = m->solid->triangle_count;
    const double *triangles = m->solid->triangles;
    double single[9];
    if (m->solid->kind == THUD_TRIANGLE)
    {
        memcpy(single, m->solid->points, sizeof single);
        triangles = single;
        count = 1;
    }
    size_t size = 3 * (size_t)count * sizeof(edge);
    edge *edges = thudi_allocate_zeroed(m->allocator, size);
    if (!edges)
    {
        m->status = THUD_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < count; i++)
    {
        const double *c = triangles + 9 * (size_t)i;
        thudi_surface_add_triangle(m, c, c + 3, c + 6);
        fill_edges(c, edges + 3 * (size_t)i);
    }
    add_edges(m, edges, 3 * count);
    thudi_free(m->allocator, edges, size);
}
