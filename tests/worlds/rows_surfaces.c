// Bodies and facets of obstacles: which rows there must be, and what they say.
#include "rows_brute.h"

#include <string.h>

// A body and one facet of an obstacle.
typedef struct facing
{
    const thud_obstacle_def *def;
    int facet, first; // surface of the facet
    double reach;     // how far the body looks
    constraint c;
} facing;

static void set_lin(const brute *b, facing *f)
{
    const rows_world *w = b->w;
    f->c.lin = f->c.gap;
    for (int k = 0; k < w->dim && b->at->trial; k++)
        f->c.lin +=
            f->c.normal[k] * (b->at->trial[w->dim * f->c.a + k] - b->at->q[w->dim * f->c.a + k]);
}

// Take the direction of the row, and with it gap and lin by the formula of its tangent.
static void take_direction(const brute *b, facing *f, const thud_row *row)
{
    double n[3] = {0, 0, 0}, x[3];
    memcpy(n, row->slope, (size_t)b->w->dim * sizeof *n);
    brute_place(b->w, b->at->q, f->c.a, x);
    memcpy(f->c.normal, n, sizeof n);
    f->c.gap = brute_tangent(&f->def->solid, &f->def->pose, f->facet, n, x) - b->w->radius[f->c.a];
    set_lin(b, f);
    if (!(fabs(brute_length(n, 3) - 1) < 1e-12))
        brute_tell(b, &f->c, "its slope is no unit vector");
}

// Is the triangle behind the plane of one that has a row, but for a quarter of sigma?
static bool is_hidden(const brute *b, const facing *f)
{
    double x[3];
    int first = f->first - f->facet;
    brute_place(b->w, b->at->q, f->c.a, x);
    for (int other = 0; other < f->def->solid.triangle_count; other++)
    {
        thud_key key = thud_key_surface(first + other, f->c.a);
        int i = brute_find(b->rows, key);
        if (i < 0)
            continue;
        double n[3] = {0, 0, 0};
        thud_row_room room;
        memcpy(n, thud_rows_get(b->rows, i, &room).slope, (size_t)b->w->dim * sizeof *n);
        double own = brute_tangent(&f->def->solid, &f->def->pose, f->facet, n, x);
        double front = brute_tangent(&f->def->solid, &f->def->pose, other, n, x);
        if (own >= front - f->c.sigma / 4 - ROWS_ROUNDING)
            return true;
    }
    return false;
}

static void judge_triangle(brute *b, facing *f)
{
    bool within = f->c.gap <= f->reach - ROWS_ROUNDING, may = f->c.gap <= f->reach + ROWS_ROUNDING;
    int i = brute_find(b->rows, f->c.key);
    double natural = f->c.gap;
    if (i < 0 && b->at->phase == THUD_LINEARISE && within && !is_hidden(b, f))
        brute_tell(b, &f->c, "its row is missing");
    if (i < 0)
        return;
    thud_row_room room;
    thud_row row = thud_rows_get(b->rows, i, &room);
    take_direction(b, f, &row);
    if (f->c.gap > natural + ROWS_ROUNDING)
        brute_tell(b, &f->c, "its gap is larger than the distance");
    if (b->at->phase == THUD_FIND_MISSING)
        brute_judge_lin(b, &f->c, false);
    else
        brute_judge(b, &f->c, true, may);
}

// Any of the cuts of a concave facet.
static void judge_cuts(brute *b, facing *f)
{
    const rows_world *w = b->w;
    bool checks = b->at->phase == THUD_FIND_MISSING;
    double x[3];
    brute_place(w, checks ? b->at->trial : b->at->q, f->c.a, x);
    double g = brute_look(&f->def->solid, &f->def->pose, 0, x).distance - w->radius[f->c.a];
    double limit = checks ? f->c.sigma / 2 : f->reach;
    thud_key key = f->c.key;
    int there = 0;
    for (int cut = 0; cut < 8; cut++)
    {
        f->c.key = thud_key_surface(f->first + cut, f->c.a);
        int i = brute_find(b->rows, f->c.key);
        if (i < 0)
            continue;
        thud_row_room room;
        thud_row row = thud_rows_get(b->rows, i, &room);
        take_direction(b, f, &row);
        brute_judge(b, &f->c, true, g < limit + ROWS_ROUNDING && (checks || cut == 0));
        there++;
    }
    f->c.key = key;
    if (there == 0 && g < limit - ROWS_ROUNDING)
        brute_tell(b, &f->c, "its cut is missing");
}

static void judge_facet(brute *b, int k, int facet, int i)
{
    const rows_world *w = b->w;
    const thud_obstacle_def *def = &w->obstacles[k];
    facing f = {.def = def, .facet = facet};
    double x[3], h = b->at->h, way[3] = {0, 0, 0};
    f.first = rows_world_first(w, k) + rows_world_keys(&def->solid) * facet;
    f.c = (constraint){.key = thud_key_surface(f.first, i),
                       .a = i,
                       .b = -1,
                       .sigma = 2 * w->tol * w->radius[i],
                       .materials = {w->material[i], def->material}};
    brute_place(w, b->at->q, i, x);
    brute_view view = brute_look(&def->solid, &def->pose, facet, x);
    f.c.gap = view.distance - w->radius[i];
    memcpy(f.c.normal, view.normal, sizeof f.c.normal);
    set_lin(b, &f);
    f.reach = 2 * f.c.sigma + 2 * h * b->pull +
              h * fmax(brute_length(b->at->w + w->dim * i, w->dim), b->ring[i]);
    for (int c = 0; c < w->dim && b->at->trial; c++)
        way[c] = b->at->trial[w->dim * i + c] - b->at->q[w->dim * i + c];
    if (b->at->trial)
        f.reach = brute_length(way, 3) + f.c.sigma + ROWS_MARGIN * w->radius[i];
    if (!(view.distance < INFINITY))
        return;
    if (brute_is_concave(&def->solid, facet))
        judge_cuts(b, &f);
    else if (def->solid.kind == THUD_MESH)
        judge_triangle(b, &f);
    else if (b->at->phase == THUD_FIND_MISSING)
        brute_judge_lin(b, &f.c, false);
    else
    {
        double entry = w->table[f.c.materials[0] * ROWS_MATERIALS + f.c.materials[1]];
        bool held = w->law == THUD_LAW_GLUE && entry != 0 && brute_recall(b->at, f.c.key);
        brute_judge(b, &f.c, held || f.c.gap <= f.reach - ROWS_ROUNDING,
                    held || f.c.gap <= f.reach + ROWS_ROUNDING);
    }
}

void brute_judge_surfaces(brute *b)
{
    const rows_world *w = b->w;
    for (int k = 0; k < w->obstacle_count; k++)
        for (int facet = 0; facet < brute_facets(&w->obstacles[k].solid); facet++)
            for (int i = 0; i < w->count; i++)
                judge_facet(b, k, facet, i);
}
