// Scenes as problems: their constraints, their constant force and their exact legs.
#include "catalogue.h"

#include <string.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void push_plane(const cat_plane *plane, thud_key key, const thud_moment *at, thud_rows *rows)
{
    double gap = plane->offset + plane->speed * at->t;
    if (plane->motion)
        gap += plane->sign * plane->motion(at->t);
    for (int i = 0; i < plane->count; i++)
        gap += plane->slope[i] * at->q[plane->index[i]];
    thud_rows_push(rows, &(thud_row){.key = key,
                                     .gap = gap,
                                     .count = plane->count,
                                     .index = plane->index,
                                     .slope = plane->slope});
}

static double radius_at(const cat_scene *scene, int sphere, double t)
{
    const double *r = scene->radius[sphere];
    return r[0] + t * (r[1] + t * r[2]);
}

static void push_pair(const cat_scene *scene, const cat_sphere_pair *pair, thud_key key,
                      const thud_moment *at, thud_rows *rows)
{
    int w = scene->width;
    int index[2] = {pair->first * w, pair->second * w};
    double slope[6];
    double d = distance(at->q + index[1], at->q + index[0], w);
    for (int i = 0; i < w; i++)
    {
        slope[w + i] = (at->q[index[1] + i] - at->q[index[0] + i]) / d;
        slope[i] = -slope[w + i];
    }
    double reach = radius_at(scene, pair->first, at->t) + radius_at(scene, pair->second, at->t);
    thud_rows_push(
        rows,
        &(thud_row){
            .key = key, .gap = d - reach, .width = w, .count = 2, .index = index, .slope = slope});
}

static void push_disc(const cat_disc *disc, thud_key key, const thud_moment *at, thud_rows *rows)
{
    double from[2] = {at->q[0] - disc->centre[0], at->q[1] - disc->centre[1]};
    double d = sqrt(dot(from, from, 2)), gap = d - disc->radius, scale = 1 / d;
    if (disc->shape == OUTSIDE_SQUARED)
    {
        gap = dot(from, from, 2) - disc->radius * disc->radius;
        scale = 2;
    }
    else if (disc->shape == INSIDE)
    {
        gap = -gap;
        scale = -scale;
    }
    double slope[2] = {scale * from[0], scale * from[1]};
    thud_rows_push(
        rows,
        &(thud_row){
            .key = key, .gap = gap, .width = 2, .count = 1, .index = &(int){0}, .slope = slope});
}

static int number_of(const cat_scene *scene, int i)
{
    return scene->keys_reversed ? scene->rows - 1 - i : i;
}

static void push_row(const cat_scene *scene, int i, const thud_moment *at, thud_rows *rows)
{
    int pair = i - scene->plane_count, disc = pair - scene->pair_count;
    thud_key key = thud_key_number(number_of(scene, i));
    if (pair < 0)
        push_plane(&scene->planes[i], key, at, rows);
    else if (disc < 0)
        push_pair(scene, &scene->pairs[pair], key, at, rows);
    else
        push_disc(&scene->discs[disc], key, at, rows);
}

static int push_all(const thud_moment *at, thud_rows *rows, void *user)
{
    const cat_scene *scene = user;
    for (int i = 0; i < scene->rows; i++)
        push_row(scene, scene->push_reversed ? scene->rows - 1 - i : i, at, rows);
    return 0;
}

static int pull(double t, const double *q, double *f, void *user)
{
    const cat_scene *scene = user;
    (void)t, (void)q;
    memcpy(f, scene->pull, (size_t)scene->problem.dim * sizeof *f);
    return 0;
}

thud_inclusion scene_problem(cat_scene *scene)
{
    thud_inclusion problem = scene->problem;
    problem.smooth = &scene->smooth;
    if (scene->mass[0] != 0)
        problem.mass = scene->mass;
    if (!problem.force && !problem.impulse && dot(scene->pull, scene->pull, SCENE_DIM) > 0)
    {
        problem.force = pull;
        problem.force_is_steady = true;
    }
    if (!problem.gaps && scene->rows > 0)
        problem.gaps = push_all;
    if (!problem.user)
        problem.user = scene;
    return problem;
}

int scene_measured(const cat_scene *scene)
{
    return dot(scene->combine, scene->combine, SCENE_ROWS) > 0 ? 1 : scene->rows;
}

void scene_impulses(const cat_scene *scene, const cat_trial_step *step, double *impulses)
{
    // in the first-order problem mu is lambda itself
    double scale = scene->problem.order == THUD_FIRST_ORDER ? step->h : 1, combined = 0;
    for (int i = 0; i < scene->rows; i++)
    {
        double impulse = scale * trial_impulse(step, number_of(scene, i));
        combined += scene->combine[i] * impulse;
        impulses[i] = impulse;
    }
    if (scene_measured(scene) < scene->rows)
        impulses[0] = combined;
}

static void exact_legs(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    int dim = scene->problem.dim;
    memcpy(q, scene->q, (size_t)dim * sizeof *q);
    memset(mass, 0, SCENE_ROWS * sizeof *mass);
    for (int k = 0; k < scene->leg_count && scene->legs[k].start <= t; k++)
    {
        const cat_leg *leg = &scene->legs[k];
        double next = k + 1 < scene->leg_count ? scene->legs[k + 1].start : INFINITY;
        for (int i = 0; i < dim; i++)
            q[i] += leg->u[i] * (fmin(t, next) - leg->start);
        memcpy(u, leg->u, (size_t)dim * sizeof *u);
        for (int i = 0; i < scene->rows; i++)
            mass[i] += leg->atom[i];
    }
}

void scene_exact(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double own_q[SCENE_DIM], own_u[SCENE_DIM], own_mass[SCENE_ROWS];
    exact_fn *exact = scene->exact ? scene->exact : exact_legs;
    exact(scene, t, q ? q : own_q, u ? u : own_u, mass ? mass : own_mass);
}

void scene_finish(cat_scene *scene)
{
    if (!scene->problem.gaps)
        scene->rows = scene->plane_count + scene->pair_count + scene->disc_count;
    for (int k = 1; k < scene->leg_count; k++)
    {
        const cat_leg *leg = &scene->legs[k];
        double jump = distance(leg[0].u, leg[-1].u, scene->problem.dim);
        scene->events[scene->event_count++] = leg->start;
        scene->c_u += jump / 2;
        scene->c_q += jump / 4;
    }
}
