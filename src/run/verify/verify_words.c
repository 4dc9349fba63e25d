// No free word in a frame: what no law uses is 0, and lists are in order.
#include "run/verify/verify_parts.h"

#include <math.h>
#include <string.h>

static bool is_zero(double x)
{
    static const double zero = 0;
    return memcmp(&x, &zero, sizeof x) == 0; // -0 is another
}

// Does the law keep nothing of multiplier i?
static bool is_forgotten(const thud_multiplier *list, const double *more, int width, int i)
{
    bool is_none = list[i].memory == 0;
    for (int k = 0; k < width; k++)
        is_none = is_none && more[(size_t)i * (size_t)width + (size_t)k] == 0;
    return is_none;
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

// Each row has the numbers that the law keeps, and a row without an impulse and a number is not
// kept.
static const char *word_of_multipliers(thud_law law, const thud_multiplier *list,
                                       const double *more, int count, int width)
{
    int kept = thud_law_find((int)law)->kept;
    if (count > 0 && width != (kept > 1 ? kept - 1 : 0))
        return "its multipliers have more or fewer numbers than the contact law keeps";
    if (!all_finite(more, (size_t)count * (size_t)width))
        return "a number that the contact law keeps is not finite";
    for (int i = 0; i < count; i++)
    {
        if (!isfinite(list[i].impulse) || !isfinite(list[i].memory))
            return "a multiplier is not finite";
        if (i > 0 && !thud_key_before(list[i - 1].key, list[i].key))
            return "its multipliers are not in order";
        if (kept == 0 && !is_zero(list[i].memory))
            return "an inelastic contact has a memory";
        if (list[i].impulse == 0 && is_forgotten(list, more, width, i))
            return "a multiplier is 0";
    }
    return NULL;
}

static const char *word_of_directions(const thud_scene *scene, const thud_frame *frame)
{
    static const double unit = 1e-14; // a normal is rounded a few times
    for (int i = 0; i < frame->direction_count; i++)
    {
        const thud_direction *one = &frame->directions[i];
        double square = one->normal[0] * one->normal[0] + one->normal[1] * one->normal[1] +
                        one->normal[2] * one->normal[2];
        if (!(fabs(square - 1) <= unit))
            return "a direction does not have unit length";
        if (scene->dim == 2 && !is_zero(one->normal[2]))
            return "a direction leaves the plane";
        if (i > 0 && !thud_key_before(one[-1].key, one->key))
            return "its directions are not in order";
    }
    return NULL;
}

// A scene's bodies, or the coordinates of an inclusion, are all there from the start to the end.
static bool has_all_ids(const thud_scene *scene, const thud_frame *frame)
{
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    return frame->id_count == 1 && frame->ids[0].first == 0 &&
           frame->ids[0].count == (is_world ? scene->body_count : scene->coordinate_count);
}

const char *thudi_verify_word(const thud_scene *scene, const thud_frame *frame)
{
    bool bounces = thud_law_has((int)scene->law, THUD_TRAIT_MOVE_APART);
    if (!has_all_ids(scene, frame))
        return "its ids are not those of the scene";
    if (frame->h != 0 && (frame->move != NULL) != bounces)
        return bounces ? "the displacement is missing"
                       : "it has a separate displacement, though contacts do not bounce";
    if (frame->direction_count > 0 && scene->obstacle_count == 0)
        return "it has directions, but the scene has no obstacles";
    const char *wrong = word_of_multipliers(scene->law, frame->before, frame->before_more,
                                            frame->before_count, frame->more_width);
    if (!wrong)
        wrong = word_of_multipliers(scene->law, frame->after, frame->after_more, frame->after_count,
                                    frame->more_width);
    return wrong ? wrong : word_of_directions(scene, frame);
}
