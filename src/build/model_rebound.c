// How well a step resolves the first rebounds of falling bodies.
//
// A free fall of the scheme has v_h^2 + v_h g h = v^2, v the true speed at the wall. The step with
// the impact begins anywhere in the last one, so that it meets the wall with v - g h/2 to v + g h/2
// and moves on by the part of the step that is left. Of the rebound, which rises to
// e^2 v^2 / (2 g), the height is then off by at most e (1 + e) v h / 2, which is
//
//     (1 + 1/e) g h / v   of itself
#include "build/model.h"

#include <math.h>

// The same for one body and wall; INFINITY where it does not fall onto it, or would not bounce.
static double error_of(const thud_model *model, int body, int wall, const double gravity[3])
{
    const thud_scene *scene = model->scene;
    const thud_sphere *sphere = &scene->bodies[body].sphere;
    size_t side = (size_t)model->sides_of_table;
    double e = model->table[(size_t)model->material[body] * side +
                            (size_t)model->material[scene->body_count + wall]];
    thud_plane plane;
    thud_model_wall(model, wall, scene->start, &plane);
    double gap = -plane.offset - sphere->radius, speed = 0, pull = 0;
    for (int k = 0; k < scene->dim; k++)
    {
        gap += plane.normal[k] * sphere->center[k];
        speed -= plane.normal[k] * sphere->velocity[k];
        pull -= plane.normal[k] * gravity[k];
    }
    double square = speed * speed + 2 * pull * gap;
    if (!(e > 0) || !(pull > 0) || !(gap > 0) || !(square > 0))
        return INFINITY;
    return (1 + 1 / e) * pull * scene->step / sqrt(square);
}

double thud_model_rebound_error(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    double gravity[3] = {0}, least = INFINITY;
    if (scene->kind != THUD_SCENE_SPHERES || !model->table ||
        !thud_law_has((int)scene->law, THUD_TRAIT_IMPACTS))
        return 0;
    thudi_model_gravity(model, scene->start, gravity);
    for (int i = 0; i < scene->body_count; i++)
        for (int k = 0; k < scene->wall_count; k++)
            least = fmin(least, error_of(model, i, k, gravity));
    return isinf(least) ? 0 : least;
}
