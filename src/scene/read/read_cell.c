// The periodic cell of a scene: {x: [low, high], y: .., z: .., shear: S(t)}.
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>

static const char *const axes[] = {"x", "y", "z"};

static thud_status read_axis(thudi_reader *r, const thudi_tree *node, int k)
{
    thud_scene_cell *cell = &r->scene->view.cell;
    char path[THUDI_PATH_SIZE], a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    double ends[3];
    THUD_TRY(thudi_expect_list(r, node, 2, "give where the cell begins and ends"));
    THUD_TRY(thudi_vector(r, node, 2, THUDI_ANY, ends));
    if (!(ends[0] < ends[1]) || !isfinite(ends[1] - ends[0]))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "write the smaller number first",
                               "%s goes from %s down to %s", thudi_tree_path(node, path),
                               thudi_text_number(a, ends[0]), thudi_text_number(b, ends[1]));
    cell->is_periodic[k] = true;
    cell->low[k] = ends[0];
    cell->high[k] = ends[1];
    return THUD_OK;
}

static thud_status read_shear(thudi_reader *r, const thudi_tree *node)
{
    thud_scene_cell *cell = &r->scene->view.cell;
    double x;
    if (!cell->is_periodic[0] || !cell->is_periodic[1])
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node->key, "give the ends of both x and y",
                               "cell.shear moves the cells above along x: both x and y must be "
                               "periodic");
    THUD_TRY(thudi_varying(r, node, THUDI_OF_TIME, &cell->shear));
    THUD_TRY(thudi_value_at(r, &cell->shear, r->scene->view.start, NULL, &x));
    return isfinite(x) ? THUD_OK
                       : thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                                         "cell.shear is not finite at the start");
}

thud_status thudi_read_cell(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "cell");
    thud_scene *scene = &r->scene->view;
    bool any = false;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_thing_open(r, node, &thudi_cell_thing));
    THUD_TRY(thudi_place(r, node->key, &scene->cell.place));
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        const thudi_tree *axis = thudi_optional(node, axes[k]);
        any = any || axis;
        if (axis)
            THUD_TRY(read_axis(r, axis, k));
    }
    const thudi_tree *shear = thudi_optional(node, "shear");
    if (shear)
        return read_shear(r, shear);
    return any ? THUD_OK
               : thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                                 "give an axis, such as {x: [0, 1]}, or remove the key",
                                 "cell has no periodic axis");
}

thud_status thudi_check_cell(thudi_reader *r, const thudi_tree *root)
{
    const thud_scene *scene = &r->scene->view;
    const thudi_tree *walls = thudi_optional(root, "walls");
    for (int e = 0; e < r->scene->wall_count; e++)
        for (int w = 0; w < r->scene->walls[e].count; w++)
            for (int k = 0; k < scene->dim && k < 3; k++)
            {
                const thud_scene_wall *wall = &scene->walls[r->scene->walls[e].first + w];
                double n = 0;
                if (scene->cell.is_periodic[k])
                    THUD_TRY(thudi_value_at(r, &wall->plane.normal[k], scene->start, NULL, &n));
                if (n != 0)
                    return thudi_fail_node(
                        r->fault, THUD_ERR_SCENE,
                        thudi_optional(walls, r->scene->walls[e].name)->key,
                        "use planes that are parallel to the periodic axes, not a box",
                        "wall '%s' crosses the periodic axis %s", wall->name, axes[k]);
            }
    return THUD_OK;
}

thud_status thudi_check_in_cell(thudi_reader *r, const thudi_tree *node, const double *low,
                                const double *high)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE];
    for (int k = 0; k < scene->dim && k < 3; k++)
        if (scene->cell.is_periodic[k] &&
            (low[k] < scene->cell.low[k] || high[k] > scene->cell.high[k]))
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "limit it to the cell",
                                   "%s goes beyond the cell along %s", thudi_tree_path(node, path),
                                   axes[k]);
    return THUD_OK;
}

thud_status thudi_fill_cell(thudi_reader *r, const thudi_tree *region, thudi_fill *fill)
{
    const thud_scene *scene = &r->scene->view;
    const thudi_region *in = &fill->region;
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        low[k] = in->is_ball ? in->center[k] - in->radius : in->low[k];
        high[k] = in->is_ball ? in->center[k] + in->radius : in->high[k];
    }
    THUD_TRY(thudi_check_in_cell(r, region, low, high));
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        if (!scene->cell.is_periodic[k])
            continue;
        fill->cell.low[k] = scene->cell.low[k];
        fill->cell.period[k] = scene->cell.high[k] - scene->cell.low[k];
    }
    if (thud_varying_is_given(&scene->cell.shear))
        THUD_TRY(thudi_value_at(r, &scene->cell.shear, scene->start, NULL, &fill->shear));
    return THUD_OK;
}
