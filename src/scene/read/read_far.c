// Bodies so far from a periodic cell, or a cell sheared so far, that doubles cannot tell images
// apart any more: found when a scene is read, by the bound that the search for neighbours has.
#include "core/math/geometry.h"
#include "core/text.h"
#include "scene/read/read_parts.h"

#include <math.h>

// Coordinates below this many periods are known to 1/512 of a period with 4 bits to spare.
static const double MOST_PERIODS = 0x1p39;

enum
{
    LOOKS = 1000 // at the shear of the run
};

// The largest shear of the run, with its sign, and when.
static thud_status largest_shear(thudi_reader *r, double *shear, double *t)
{
    const thud_scene *scene = &r->scene->view;
    *shear = 0;
    *t = scene->start;
    for (int i = -1; i < LOOKS && thud_varying_is_given(&scene->cell.shear); i++)
    {
        // the end, then times that are no whole part of the run, so that a period does not hide
        double part = i < 0 ? 1 : i * THUDI_GOLDEN - floor(i * THUDI_GOLDEN), x;
        double at = scene->start + (scene->end - scene->start) * part;
        THUD_TRY(thudi_value_at(r, &scene->cell.shear, at, NULL, &x));
        if (!(fabs(x) > fabs(*shear)) || !isfinite(x))
            continue;
        *shear = x;
        *t = at;
    }
    return THUD_OK;
}

static double spacing(double x)
{
    return nextafter(fabs(x), INFINITY) - fabs(x);
}

static thud_status refuse_body(thudi_reader *r, int body, int axis, double period)
{
    const thud_scene *scene = &r->scene->view;
    const thud_place *place = &scene->cell.place;
    char at[THUDI_TEXT_NUMBER_SIZE], apart[THUDI_TEXT_NUMBER_SIZE], length[THUDI_TEXT_NUMBER_SIZE];
    double x = scene->bodies[body].sphere.center[axis];
    return thudi_fail_place(
        r->fault, THUD_ERR_SCENE, place->file, place->line, place->column,
        scene->cell.is_periodic[axis]
            ? "bring it into the cell: positions that are whole periods apart mean the same"
            : "bring it nearer",
        "body %d is too far from the cell: near %c = %s, double precision resolves only %s, too "
        "coarse for a period of %s",
        body, "xyz"[axis], thudi_text_number(at, x), thudi_text_number(apart, spacing(x)),
        thudi_text_number(length, period));
}

static thud_status refuse_shear(thudi_reader *r, int body, int axis, double shear, double t,
                                double cells, double period)
{
    const thud_scene *scene = &r->scene->view;
    const thud_place *place = &scene->cell.place;
    char a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE], c[THUDI_TEXT_NUMBER_SIZE],
        d[THUDI_TEXT_NUMBER_SIZE], e[THUDI_TEXT_NUMBER_SIZE], f[THUDI_TEXT_NUMBER_SIZE];
    return thudi_fail_place(
        r->fault, THUD_ERR_SCENE, place->file, place->line, place->column,
        "reduce the shear, or bring bodies into the cell: positions whole periods apart mean the "
        "same",
        "the shear of %s at t = %s moves images by up to %s, because body %d is at %c = %s; double "
        "precision resolves only %s there, too coarse for a period of %s",
        thudi_text_number(a, shear), thudi_text_number(b, t),
        thudi_text_number(c, cells * fabs(shear)), body, "xyz"[axis],
        thudi_text_number(d, scene->bodies[body].sphere.center[axis]),
        thudi_text_number(e, spacing(cells * shear)), thudi_text_number(f, period));
}

thud_status thudi_check_far(thudi_reader *r)
{
    const thud_scene *scene = &r->scene->view;
    double far = 0, longest = 0, shortest = INFINITY, shear, t;
    int body = 0, axis = 0;
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        double period = scene->cell.high[k] - scene->cell.low[k];
        if (!scene->cell.is_periodic[k])
            continue;
        longest = period > longest ? period : longest;
        shortest = period < shortest ? period : shortest;
    }
    if (longest == 0 || scene->body_count == 0)
        return THUD_OK;
    for (int i = 0; i < scene->body_count; i++)
        for (int k = 0; k < scene->dim && k < 3; k++)
            if (fabs(scene->bodies[i].sphere.center[k]) > far)
            {
                far = fabs(scene->bodies[i].sphere.center[k]);
                body = i;
                axis = k;
            }
    if (!(far + longest < MOST_PERIODS * shortest))
        return refuse_body(r, body, axis, shortest);
    THUD_TRY(largest_shear(r, &shear, &t));
    double cells = far / shortest + 2;
    if (!(far + longest + cells * fabs(shear) < MOST_PERIODS * shortest))
        return refuse_shear(r, body, axis, shear, t, cells, shortest);
    return THUD_OK;
}
