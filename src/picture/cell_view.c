// The images and edges of a periodic cell, for pictures.
#include "picture/cell_view.h"

#include <math.h>

thudi_cell_view thudi_cell_view_at(const thud_model *model, double t, thudi_vec low, thudi_vec high)
{
    thudi_cell_view view = {.cell = thud_model_cell(model), .low = low, .high = high};
    view.is_periodic = thud_cell_is_periodic(&view.cell);
    const double *start = view.cell.low, *period = view.cell.period;
    if (view.cell.shear)
        view.shear = remainder(thud_model_shear(model, t), period[0]);
    if (period[0] > 0)
    {
        view.low.x = start[0];
        view.high.x = start[0] + period[0];
    }
    if (period[1] > 0)
    {
        view.low.y = start[1];
        view.high.y = start[1] + period[1];
    }
    if (period[2] > 0)
    {
        view.low.z = start[2];
        view.high.z = start[2] + period[2];
    }
    return view;
}

// Does [x - r, x + r] reach between the two?
static bool reaches(double x, double r, double low, double high)
{
    return x + r > low && x - r < high;
}

int thudi_cell_images(const thudi_cell_view *view, thudi_vec p, double r,
                      thudi_vec shift[THUDI_CELL_IMAGES])
{
    const double *period = view->cell.period;
    int count = 1, most[3];
    shift[0] = (thudi_vec){0, 0, 0};
    for (int k = 0; k < 3; k++)
        most[k] = period[k] > 0;
    most[0] *= 2; // a sheared image may be one more away
    for (int x = -most[0]; x <= most[0]; x++)
        for (int y = -most[1]; y <= most[1]; y++)
            for (int z = -most[2]; z <= most[2] && count < THUDI_CELL_IMAGES; z++)
            {
                thudi_vec s = {x * period[0] + y * view->shear, y * period[1], z * period[2]};
                bool near = (most[0] == 0 || reaches(p.x + s.x, r, view->low.x, view->high.x)) &&
                            (most[1] == 0 || reaches(p.y + s.y, r, view->low.y, view->high.y)) &&
                            (most[2] == 0 || reaches(p.z + s.z, r, view->low.z, view->high.z));
                if (near && (x != 0 || y != 0 || z != 0))
                    shift[count++] = s;
            }
    return count;
}

int thudi_cell_edges(const thudi_cell_view *view, int dim, thudi_vec ends[THUDI_CELL_EDGES][2])
{
    int count = 0;
    for (int axis = 0; axis < dim && view->is_periodic; axis++)
        for (int side = 0; side < (dim == 3 ? 4 : 2); side++)
            for (int end = 0; end < 2; end++)
            {
                // the corner: one end along the axis, the sides of the two others
                int corner[3] = {0, 0, 0};
                corner[axis] = end;
                corner[(axis + 1) % dim] = side & 1;
                if (dim == 3)
                    corner[(axis + 2) % 3] = side >> 1;
                ends[count / 2][end] = (thudi_vec){corner[0] ? view->high.x : view->low.x,
                                                   corner[1] ? view->high.y : view->low.y,
                                                   corner[2] ? view->high.z : view->low.z};
                count++;
            }
    return count / 2;
}
