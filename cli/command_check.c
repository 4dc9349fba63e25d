// thud check: what a scene says and what running it will take, without running it.
#include "commands.h"
#include "report.h"
#include "scene_argument.h"
#include <thud/estimate.h>
#include <thud/warnings.h>

#include <math.h>

// Figures of the bodies.
typedef struct body_facts
{
    double mass, smallest, largest, volume;
} body_facts;

static body_facts gather(const thud_scene *scene)
{
    const double pi = 3.14159265358979323846;
    body_facts facts = {.smallest = INFINITY};
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_sphere *sphere = &scene->bodies[i].sphere;
        double r = sphere->radius;
        facts.mass += sphere->mass;
        facts.smallest = r < facts.smallest ? r : facts.smallest;
        facts.largest = r > facts.largest ? r : facts.largest;
        facts.volume += scene->dim == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
    }
    return facts;
}

// "periodic along x (1 m) and y (2 m), sheared by 0.4*t".
static void print_cell(const thud_scene *scene)
{
    static const char axes[] = "xyz";
    const thud_scene_cell *cell = &scene->cell;
    char number[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE];
    bool any = false;
    for (int k = 0; k < scene->dim; k++)
    {
        if (!cell->is_periodic[k])
            continue;
        (void)printf("%s %c (%s%s)", any ? "," : "  periodic along", axes[k],
                     thud_words_short(number, cell->high[k] - cell->low[k]),
                     thud_words_unit(unit, scene->unit_length));
        any = true;
    }
    if (thud_varying_is_given(&cell->shear))
        (void)printf(", sheared by %s", thud_expression_view(cell->shear.expression)->text);
    if (any)
        (void)putchar('\n');
}

// "wall 'funnel': 144 triangles, 0.15 x 0.15 x 0.1 m": a mesh of another unit is seen at once.
static void print_meshes(const thud_scene *scene)
{
    char count[THUD_COUNT_SIZE], number[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE];
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        const thud_solid_def *solid = &scene->obstacles[i].solid;
        if (solid->kind != THUD_MESH)
            continue;
        (void)printf(
            "  wall '%s': %s", scene->obstacles[i].name,
            thud_words_count(count, solid->triangle_count, scene->dim == 2 ? "side" : "triangle"));
        for (int k = 0; k < scene->dim; k++)
        {
            double low = INFINITY, high = -INFINITY;
            for (int c = 0; c < 3 * solid->triangle_count; c++)
            {
                double x = solid->triangles[3 * (size_t)c + (size_t)k];
                low = x < low ? x : low;
                high = x > high ? x : high;
            }
            (void)printf("%s%s", k ? " x " : ", ", thud_words_short(number, high - low));
        }
        (void)printf("%s\n", thud_words_unit(unit, scene->unit_length));
    }
}

static void print_crowd(const thud_scene *scene, const thud_model *model)
{
    char groups[THUD_COUNT_SIZE], unit[THUD_COUNT_SIZE], speed[THUD_NUMBER_SIZE];
    double fastest = thud_model_fastest_wanted(model);
    if (scene->order != THUD_FIRST_ORDER)
        return;
    double nodes = thud_model_path_nodes(model);
    (void)printf("  order 1, a crowd: %s, largest wanted speed %s%s%s%s\n",
                 thud_words_count(groups, scene->group_count, "group"),
                 thud_words_short(speed, fastest), thud_words_unit(unit, scene->unit_length),
                 scene->unit_time[0] ? "/" : "", scene->unit_time);
    if (nodes > 0)
        (void)printf("  paths to doors: computed on a grid of %s\n",
                     thud_words_count(groups, (long long)nodes, "node"));
}

static void print_spheres(const thud_scene *scene, const thud_model *model)
{
    body_facts facts = gather(scene);
    thud_start start = thud_model_start(model);
    char walls[THUD_COUNT_SIZE], measures[THUD_COUNT_SIZE], length[THUD_COUNT_SIZE];
    char unit[THUD_COUNT_SIZE];
    char count[THUD_COUNT_SIZE], mass[THUD_NUMBER_SIZE], low[THUD_NUMBER_SIZE],
        high[THUD_NUMBER_SIZE], gap[THUD_NUMBER_SIZE];
    bool is_one = facts.smallest == facts.largest;
    (void)printf("  %s, %s %s%s%s%s, mass %s%s in all\n",
                 thud_words_count(count, scene->body_count, scene->dim == 2 ? "disk" : "sphere"),
                 is_one ? "radius" : "radii", thud_words_short(low, facts.smallest),
                 is_one ? "" : " to ", is_one ? "" : thud_words_short(high, facts.largest),
                 thud_words_unit(length, scene->unit_length), thud_words_short(mass, facts.mass),
                 thud_words_unit(unit, scene->unit_mass));
    (void)printf("  %s, %s\n",
                 thud_words_count(walls, scene->wall_count + scene->obstacle_count, "wall"),
                 thud_words_count(measures, scene->measure_count, "measure"));
    print_meshes(scene);
    print_cell(scene);
    if (start.overlap_count > 0)
        (void)printf("  %s at the start, removed by moving bodies up to %s\n",
                     thud_words_count(walls, start.overlap_count, "overlap"),
                     thud_words_short(gap, start.largest_shift));
    else if (start.largest_shift > 0)
        (void)printf("  gaps opened at the start by moving bodies up to %s%s\n",
                     thud_words_short(gap, start.largest_shift), length);
    if (start.min_gap > 0.01 * facts.smallest)
        (void)printf("  smallest gap at the start: more than a hundredth of a radius\n");
    else
        (void)printf("  smallest gap at the start: %s%s\n", thud_words_short(gap, start.min_gap),
                     length);
    thud_writer out = cli_writer(stdout);
    thud_tolerances_write(scene, model, 2, &out);
    thud_units_write(scene, &out);
    print_crowd(scene, model);
}

static void print_inclusion(const thud_scene *scene, const thud_model *model)
{
    int affine = 0;
    char coordinates[THUD_COUNT_SIZE], constraints[THUD_COUNT_SIZE];
    for (int i = 0; i < scene->constraint_count; i++)
        affine +=
            thud_expression_view(scene->constraints[i].gap.expression)->is_affine_in_coordinates;
    (void)printf("  %s, %s (%d of them affine), order %d\n",
                 thud_words_count(coordinates, scene->coordinate_count, "coordinate"),
                 thud_words_count(constraints, scene->constraint_count, "constraint"), affine,
                 scene->order == THUD_FIRST_ORDER ? 1 : 2);
    (void)printf("  violation of constraints between two steps: %s\n",
                 thud_model_problem(model)->smooth ? "bounded"
                                                   : "not bounded; add 'smooth' to get a bound");
}

static void print_run(const thud_scene *scene, const thud_estimate *estimate,
                      const thud_model *model)
{
    char step[THUD_NUMBER_SIZE], steps[THUD_COUNT_SIZE], auto_step[THUD_NUMBER_SIZE],
        frames[THUD_COUNT_SIZE], memory[THUD_NUMBER_SIZE], disk[THUD_NUMBER_SIZE];
    char unit[THUD_COUNT_SIZE];
    thud_step_advice advice = thud_step_advise(scene, model);
    (void)printf("  t from %g to %g%s, step %s%s, %s, %s\n", scene->start, scene->end,
                 thud_words_unit(unit, scene->unit_time), thud_words_short(step, scene->step),
                 scene->step_is_auto ? " (auto)" : "",
                 thud_words_count(steps, (long long)estimate->steps, "step"),
                 thud_words_count(frames, (long long)estimate->frames, "frame"));
    if (advice.suggested > 0 && !scene->step_is_auto)
        (void)printf("  suggested step: at most %s, %s\n",
                     thud_words_short(auto_step, advice.suggested), advice.why);
    double last = scene->start + estimate->steps * scene->step;
    if (last > scene->end + 1e-9 * scene->step)
        (void)printf("  the last step ends at t = %g, because the run is not a multiple of %s\n",
                     last, thud_words_short(step, scene->step));
    (void)printf("  needs about %s of memory and %s of disk\n",
                 thud_words_bytes(memory, estimate->memory),
                 thud_words_bytes(disk, estimate->disk));
}

static int print_json(const thud_scene *scene, const thud_model *model,
                      const thud_estimate *estimate, int kinks)
{
    thud_json json = {0};
    thud_start start = thud_model_start(model);
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    thud_json_open(&json, NULL);
    thud_json_text(&json, "title", scene->title);
    thud_json_text(&json, "kind", is_world ? "spheres" : "inclusion");
    thud_json_whole(&json, "bodies", scene->body_count);
    thud_json_whole(&json, "walls", scene->wall_count + scene->obstacle_count);
    thud_json_whole(&json, "coordinates", thud_model_problem(model)->dim);
    thud_json_whole(&json, "constraints", scene->constraint_count);
    thud_json_number(&json, "step", scene->step);
    thud_step_write_json(scene, model, &json);
    thud_tolerances_write_json(scene, model, &json);
    thud_json_number(&json, "rebound_error", thud_model_rebound_error(model));
    thud_json_number(&json, "steps", estimate->steps);
    thud_json_number(&json, "frames", estimate->frames);
    thud_json_number(&json, "memory_bytes", estimate->memory);
    thud_json_number(&json, "disk_bytes", estimate->disk);
    thud_json_whole(&json, "overlaps", start.overlap_count);
    thud_json_number(&json, "smallest_gap", is_world ? start.min_gap : NAN);
    thud_json_whole(&json, "kinks", kinks);
    thud_json_close(&json);
    return cli_json_print(&json);
}

// Warnings were printed above all facts, where they are easily missed.
static void print_end(void)
{
    char count[THUD_COUNT_SIZE];
    (void)printf("  the scene is fine");
    if (cli_warning_count() > 0)
        (void)printf(", with %s", thud_words_count(count, cli_warning_count(), "warning"));
    (void)putchar('\n');
}

static int print_facts(const cli_call *call, const thud_scene *scene, const thud_model *model)
{
    const char *what;
    thud_estimate estimate = thud_estimate_run(scene, ".");
    if (cli_has(call, "json"))
        return print_json(scene, model, &estimate, thud_scene_each_kink(scene, NULL, NULL));
    cli_print_safe(stdout, scene->title);
    (void)putchar('\n');
    if (scene->kind == THUD_SCENE_SPHERES)
        print_spheres(scene, model);
    else
        print_inclusion(scene, model);
    print_run(scene, &estimate, model);
    if (thud_estimate_is_too_much(&estimate, &what))
        cli_warn("there may be too little %s here: 'thud run' will need --force", what);
    print_end();
    return CLI_DONE;
}

int command_check(const cli_call *call)
{
    thud_scene *scene = NULL;
    thud_model *model = NULL;
    int code = cli_read_scene(call, &scene);
    if (code == CLI_DONE)
        code = cli_create_model(scene, &model);
    if (code == CLI_DONE)
        code = print_facts(call, scene, model);
    thud_model_destroy(model);
    thud_scene_destroy(scene);
    return code;
}
