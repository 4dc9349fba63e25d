// The tolerances of a scene of spheres, in words and as JSON: those of its quality, and what the
// step makes of tol.
#include "thud/estimate.h"

#include "thud/words.h"

#include <math.h>

void thud_tolerances_write(const thud_scene *scene, const thud_model *model, int indent,
                           thud_writer *writer)
{
    char tol[THUD_NUMBER_SIZE], kept[THUD_NUMBER_SIZE], tol_a[THUD_NUMBER_SIZE];
    if (scene->kind != THUD_SCENE_SPHERES)
        return;
    bool is_raised = thud_model_tol(model) > scene->tol;
    thud_write_line(writer, indent,
                    "quality %s: tol_a %s, gaps are kept above %s of %s radius%s%s%s",
                    scene->quality, thud_words_short(tol_a, scene->tol_a),
                    thud_words_short(kept, thud_model_tol(model)), is_raised ? "the smallest" : "a",
                    is_raised ? " (tol " : "", is_raised ? thud_words_short(tol, scene->tol) : "",
                    is_raised ? "; the step allows more)" : "");
}

void thud_tolerances_write_json(const thud_scene *scene, const thud_model *model, thud_json *json)
{
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    thud_json_number(json, "tol", is_world ? scene->tol : NAN);
    thud_json_number(json, "tol_a", is_world ? scene->tol_a : NAN);
    thud_json_number(json, "effective_tol", is_world ? thud_model_tol(model) : NAN);
}
