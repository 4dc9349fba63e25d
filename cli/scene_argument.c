// The scene that a command is given.
#include "scene_argument.h"

#include "report.h"
#include "run/way_grid.h"
#include "unit_hint.h"
#include <thud/estimate.h>

#include <string.h>
#include <thud/recording.h>

static int complain(thud_status status, thud_fault *fault, double wanted)
{
    char build[THUD_NUMBER_SIZE], run[THUD_NUMBER_SIZE], have[THUD_NUMBER_SIZE];
    if (status == THUD_ERR_LIMIT && wanted > 0 && wanted <= THUD_SCENE_BODIES)
        (void)snprintf(
            fault->hint, sizeof fault->hint,
            "building it takes about %s of memory and a run at least %s, but only %s is available",
            thud_words_bytes(build, thud_estimate_building(wanted)),
            thud_words_bytes(run, thud_estimate_bodies(wanted)),
            thud_words_bytes(have, thud_memory_available()));
    return cli_complain(status, fault);
}

// A title and labels of units change nothing of the run: to add them is no trap.
static bool is_label(const char *key)
{
    return strcmp(key, "title") == 0 || strcmp(key, "about") == 0 ||
           strncmp(key, "units", strlen("units")) == 0;
}

enum
{
    LONG_OVERRIDE = 60 // of one that is longer only the key is shown
};

void cli_note_added(const cli_call *call, const thud_scene *scene)
{
    const char *overrides[CLI_VALUES];
    int count = cli_has(call, "quiet") ? 0 : cli_values(call, "set", overrides);
    for (int i = 0; i < count && i < scene->set_count; i++)
    {
        bool is_long = strlen(overrides[i]) > LONG_OVERRIDE;
        int shown = (int)(is_long ? strcspn(overrides[i], "=") + 1 : LONG_OVERRIDE);
        if (scene->added[i] && !is_label(scene->added[i]))
            cli_note("--set %.*s%s adds '%.200s', which the scene does not have", shown,
                     overrides[i], is_long ? "..." : "", scene->added[i]);
    }
}

int cli_read_scene(const cli_call *call, thud_scene **scene)
{
    const char *overrides[CLI_VALUES];
    thud_fault fault = {0};
    double wanted = 0;
    thud_scene_def def = {.path = call->arguments[0],
                          .set = overrides,
                          .body_limit = cli_has(call, "force") ? 0 : thud_bodies_that_fit(),
                          .bodies_wanted = &wanted,
                          .set_count = cli_values(call, "set", overrides)};
    thud_status status = thud_scene_read(&def, scene, &fault);
    if (status < 0)
        return complain(status, &fault, wanted);
    cli_note_added(call, *scene);
    return CLI_DONE;
}

void cli_print_scene(const thud_scene *scene)
{
    thud_writer out = cli_writer(stdout);
    thud_scene_write_head(scene, &out);
}

typedef struct kinks
{
    const char *group; // of the numbers that are visited now
    const char *what;  // they are called so
    cli_kink_fn *visit;
    void *user;
    int count;
} kinks;

static int visit_kink(const thud_scene_varying *number, void *user)
{
    kinks *k = user;
    if (strcmp(number->group, k->group) != 0 ||
        thud_varying_bound(number->varying, 0, 0, NULL).kink == 0)
        return 0;
    bool is_cell = strcmp(number->group, "cell") == 0;
    k->visit(k->what, is_cell ? "cell" : number->name, number->varying->expression, k->user);
    k->count++;
    return 0;
}

int cli_each_kink(const thud_scene *scene, cli_kink_fn *visit, void *user)
{
    static const char *const groups[][2] = {{"constraints", "constraint"},
                                            {"walls", "wall"},
                                            {"materials", "growth of material"},
                                            {"growth", "growth"},
                                            {"cell", "shear of the"}};
    kinks k = {.visit = visit, .user = user};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    {
        k.group = groups[i][0];
        k.what = groups[i][1];
        (void)thud_scene_each_varying(scene, visit_kink, &k);
    }
    return k.count;
}

static void warn_of_kink(const char *what, const char *name, const thud_expression *expression,
                         void *user)
{
    const thud_expression_traits *traits = thud_expression_look(expression);
    (void)user;
    cli_warn("%s '%s': \"%s\" has a kink in t (column %d); the convergence theorem assumes that it "
             "is smooth",
             what, name, traits->text, traits->kink_in_time);
}

// Of this part of a radius per step on, a wall's motion is sampled too coarsely to be followed.
static const double FAST_PART = 0.3;

static void warn_of_motion(const thud_scene *scene, const thud_model *model)
{
    int wall;
    double part = thud_model_largest_motion(model, &wall), shear = thud_model_shear_motion(model);
    if (shear >= FAST_PART)
        cli_warn("the shear moves images by up to %.2g times the smallest radius in a step; use a "
                 "smaller time.step to follow it",
                 shear);
    int idle = thud_model_idle_turning(model);
    if (idle >= 0)
        cli_warn(
            "wall '%s' only turns about its own axis, which moves nothing, because contacts have "
            "no friction; add a part that turns with it and carries bodies, as in 'thud new drum'",
            thud_scene_wall_name(scene, idle));
    if (part < FAST_PART)
        return;
    if (wall >= 0)
        cli_warn("wall '%s' moves by up to %.2g times the smallest radius in a step; use a smaller "
                 "time.step to follow it",
                 thud_scene_wall_name(scene, wall), part);
    else
        cli_warn("radii grow by up to %.2g times the smallest radius in a step; use a smaller "
                 "time.step to follow them",
                 part);
}

// A step splits its mean velocity where the wanted velocity of all bodies jumps, but not of each.
static void warn_of_crowd(const thud_scene *scene)
{
    for (int i = 0; i < scene->wish_count; i++)
        for (int k = 0; k < 3; k++)
        {
            const thud_scene_wish *wish = &scene->wishes[i];
            const thud_expression *velocity = wish->velocity[k].expression;
            int column = velocity ? thud_expression_look(velocity)->kink_in_both : 0;
            if (column > 0)
                cli_warn("%s:%d:%d: crowd velocity \"%s\" jumps or bends (column %d) at times "
                         "that depend on where a body is; a change shorter than a step may be "
                         "missed",
                         wish->place.file, wish->place.line, wish->place.column,
                         thud_expression_look(velocity)->text, column);
        }
}

int cli_make_model(const thud_scene *scene, thud_model **model)
{
    thud_fault fault = {0};
    thud_ways_warn(scene, cli_warn_text, NULL); // before the wait
    thud_status status = thud_model_create(scene, NULL, model, &fault);
    if (status < 0)
        return cli_complain(status, &fault);
    cli_warn_of_units(scene);
    (void)cli_each_kink(scene, warn_of_kink, NULL);
    warn_of_crowd(scene);
    int concave = thud_model_find_concave(*model);
    if (concave >= 0)
        cli_warn("constraint '%s' is not convex in the coordinates near the start: a step does not "
                 "ensure that it holds, and the run stops where it fails",
                 scene->constraints[concave].name);
    warn_of_motion(scene, *model);
    thud_step_warn(scene, *model, cli_warn_text, NULL);
    if (status == THUD_NEWS)
        cli_warn("there is no room at the start to open all gaps: bodies fit exactly");
    return CLI_DONE;
}
