// How the step of a scene stands to the one suggested for it.
#include "thud/estimate.h"

#include <math.h>
#include <stdio.h>

// A step is far above the suggested one from here on: the flow out of scenes/discharge.yaml is a
// fifth too low at 2.5 times, and half of what it should be at 10 times.
static const double FAR = 2;

// A step that is written as twice the suggested one may differ from that by rounding.
static const double RATIO_ROUNDING = 1e-9;

// Bodies of a crowd should want to go at most this part of the smallest radius in a step.
static const double CROWD_PART = 0.25;

// Errors of a rebound's height: what is worth a warning, and what a better step should have.
static const double REBOUND_FAR = 0.02, REBOUND_GOOD = 0.01;

// The step h in which the fastest body wants to go CROWD_PART of the smallest radius:
// v h + s sqrt(h) = CROWD_PART r, s the noise.
static double suggest_crowd(const thud_scene *scene, const thud_model *model)
{
    double v = thud_model_fastest_wanted(model), s = scene->noise, smallest = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
        smallest = fmin(smallest, scene->bodies[i].sphere.radius);
    double length = CROWD_PART * smallest;
    if (!(v > 0 || s > 0) || !isfinite(length))
        return 0;
    // the smaller form of the root, which does not cancel
    double root = 2 * length / (s + sqrt(s * s + 4 * v * length));
    return root * root;
}

thud_step_advice thud_step_advise(const thud_scene *scene, const thud_model *model)
{
    thud_step_advice advice = {.why = "0.1 sqrt(r/g)"};
    if (scene->kind != THUD_SCENE_SPHERES)
        return advice;
    bool is_crowd = scene->order == THUD_FIRST_ORDER;
    advice.suggested = is_crowd ? suggest_crowd(scene, model) : thud_model_suggested_step(model);
    if (is_crowd)
        advice.why = "a quarter of the smallest radius at the fastest wanted speed";
    if (advice.suggested > 0)
        advice.ratio = scene->step / advice.suggested;
    advice.is_far = advice.ratio > FAR * (1 + RATIO_ROUNDING);
    return advice;
}

void thud_step_warn(const thud_scene *scene, const thud_model *model, thud_warn_fn *warn,
                    void *user)
{
    char text[400];
    char suggested[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE], better[THUD_NUMBER_SIZE];
    thud_step_advice advice = thud_step_advise(scene, model);
    double error = thud_model_rebound_error(model);
    (void)thud_words_unit(unit, scene->unit_time);
    if (advice.is_far)
    {
        (void)thud_format(
            text, sizeof text,
            "the step is %.2g times the suggested one, %s%s (%s): every step will be proved, "
            "but results may be far off; 'thud run --halve' measures by how much",
            advice.ratio, thud_words_short(suggested, advice.suggested), unit, advice.why);
        warn(text, user);
    }
    if (error > REBOUND_FAR)
    {
        (void)thud_format(
            text, sizeof text,
            "the step may put the height of a first rebound off by up to %.2g %%; with "
            "time.step at most %s%s it is at most %.2g %%",
            100 * error, thud_words_short(better, scene->step * REBOUND_GOOD / error), unit,
            100 * REBOUND_GOOD);
        warn(text, user);
    }
}

void thud_step_write_far(const char *indent, const thud_scene *scene, const thud_model *model,
                         thud_writer *writer)
{
    char suggested[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE];
    thud_step_advice advice = thud_step_advise(scene, model);
    if (advice.is_far)
        thud_write(writer,
                   "%sthe step is %.2g times the suggested one, %s%s: results may be far off\n",
                   indent, advice.ratio, thud_words_short(suggested, advice.suggested),
                   thud_words_unit(unit, scene->unit_time));
}

void thud_step_write_json(const thud_scene *scene, const thud_model *model, thud_json *json)
{
    thud_step_advice advice = thud_step_advise(scene, model);
    thud_json_number(json, "suggested_step", advice.suggested);
    thud_json_number(json, "step_ratio", advice.suggested > 0 ? advice.ratio : NAN);
}
