// A run for the exporters: a scene made by hand, a fake of a model, and a record of random numbers.
#include "export_rig.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 8,
    FRAMES = 7,
    MOST = 12, // multipliers of a step
    DIM = 24,  // coordinates at most
    COLUMNS = 4,
    LINES = 1500 // of the series
};

struct thud_model
{
    const thud_scene *scene;
    thud_inclusion problem;
    double mass[DIM];
};

static const thud_scene_material materials[] = {{.name = "glass"}, {.name = "soft clay"}};
static const thud_scene_wall walls[] = {{.name = "floor", .material = 0, .moves = true},
                                        {.name = "box, \"low\"", .material = -1}};
static const thud_scene_obstacle obstacles[] = {
    {.name = "block",
     .material = 1,
     .moves = true,
     .solid = {.kind = THUD_BOX, .points = {{-1, -2, -3}, {1, 2, 3}}}},
    {.name = "Gefäß/1",
     .material = -1,
     .moves = true,
     .solid = {.kind = THUD_INSIDE_BOX, .points = {{-4, -5, -6}, {4, 5, 6}}}}};
static const thud_scene_measure measures[] = {{.name = "load"}};
static const char *const columns[COLUMNS] = {"step", "t", "load.x", "a, \"c\""};
static const thud_scene_coordinate coordinates[] = {{.name = "x"}, {.name = "y_2"}, {.name = "z"}};
static const thud_scene_constraint constraints[] = {{.name = "floor"}, {.name = "top"}};

// The fake. Radii grow with t; key 100 a + b is a contact of bodies a and b, b >= 50 a wall. Wall 0
// is across the last axis and moves with t; wall 1 leans. Obstacles move along x.
const thud_inclusion *thud_model_problem(const thud_model *model)
{
    return &model->problem;
}

void thud_model_radii(const thud_model *model, double t, double *radius)
{
    for (int i = 0; i < model->scene->body_count; i++)
        radius[i] = model->scene->bodies[i].sphere.radius + t;
}

void thud_model_wall(const thud_model *model, int wall, double t, thud_plane *plane)
{
    *plane = (thud_plane){.normal = {0.6, 0.8, 0}, .offset = 1};
    if (wall == 0)
        *plane = (thud_plane){.offset = t};
    if (wall == 0)
        plane->normal[model->scene->dim - 1] = 1;
}

void thud_model_pose(const thud_model *model, int obstacle, double t, thud_pose *pose)
{
    (void)model;
    *pose = (thud_pose){.position = {t + 10 * obstacle, 0.5, 0}};
}

int thud_model_series(const thud_model *model, const char *const **names)
{
    (void)model;
    *names = columns;
    return COLUMNS;
}

void thud_model_series_column(const thud_model *model, int column, thud_series_column *out)
{
    (void)model;
    *out = (thud_series_column){.name = columns[column],
                                .measure = column == 2 ? 0 : -1,
                                .component = column == 2 ? "x" : ""};
    (void)snprintf(out->label, sizeof out->label, "label %d", column);
    (void)snprintf(out->unit, sizeof out->unit, "unit %d", column);
}

thud_cell thud_model_cell(const thud_model *model)
{
    (void)model;
    return (thud_cell){0};
}

double thud_model_shear(const thud_model *model, double t)
{
    (void)model;
    (void)t;
    return 0;
}

void thud_model_wrap(const thud_model *model, double t, int width, double *x)
{
    (void)model;
    (void)t;
    (void)width;
    (void)x;
}

int thud_model_touches(const thud_model *model, double t, const double *q,
                       const thud_multiplier *multipliers, int count, thud_touch *touch)
{
    int found = 0;
    size_t dim = (size_t)model->scene->dim;
    for (int i = 0; i < count; i++)
    {
        int number = (int)thud_key_read(multipliers[i].key, THUD_KEYS_NUMBERED).a;
        int a = number / 100, b = number % 100;
        if (!(multipliers[i].impulse > 0))
            continue;
        thud_touch *one = &touch[found++];
        *one = (thud_touch){.a = a, .b = b >= 50 ? 49 - b : b, .impulse = multipliers[i].impulse};
        memcpy(one->from, q + dim * (size_t)a, dim * sizeof *q);
        if (b < 50)
            memcpy(one->to, q + dim * (size_t)b, dim * sizeof *q);
        else
            one->to[0] = t; // a wall that moves along x
        one->normal[b % 3] = 1;
    }
    return found;
}

static void set_scene(export_rig *rig, export_rig_kind kind, test_random *random)
{
    thud_scene *scene = &rig->scene;
    *scene = (thud_scene){.title = "Füllung \"A\" <1>", .unit_length = "m", .unit_time = "s"};
    scene->start = 0.25;
    scene->step = 0.1;
    scene->measures = measures;
    scene->measure_count = 1;
    if (kind >= EXPORT_INCLUSION)
    {
        scene->kind = THUD_SCENE_INCLUSION;
        scene->order = kind == EXPORT_INCLUSION_FIRST ? THUD_FIRST_ORDER : THUD_SECOND_ORDER;
        scene->coordinates = coordinates;
        scene->coordinate_count = 3;
        scene->constraints = constraints;
        scene->constraint_count = 2;
        return;
    }
    scene->kind = THUD_SCENE_SPHERES;
    scene->dim = kind == EXPORT_SPHERES_3D ? 3 : 2;
    scene->bodies = rig->bodies;
    scene->body_count = BODIES;
    scene->materials = materials;
    scene->material_count = 2;
    scene->walls = walls;
    scene->wall_count = 2;
    scene->obstacles = obstacles;
    scene->obstacle_count = 2;
    for (int i = 0; i < BODIES; i++)
        rig->bodies[i] = (thud_scene_body){.sphere.radius = test_random_uniform(random, 0.1, 2),
                                           .material = i % 3 - 1,
                                           .name = i == 2   ? "probe"
                                                   : i == 5 ? "a,\"b\""
                                                            : NULL};
}

// Numbers of all sizes, with both zeros among them.
static double some_number(test_random *random)
{
    static const double special[] = {0.0, -0.0, 1, 1e-310, -1e22, 0.1};
    int which = test_random_int(random, 0, 20);
    double x = test_random_normal(random) * pow(10, test_random_int(random, -8, 8));
    return which < 6 ? special[which] : x;
}

static void print_numbers(FILE *out, const char *name, const double *x, int count)
{
    (void)fprintf(out, "\"%s\": [", name);
    for (int i = 0; i < count; i++)
        (void)fprintf(out, "%s\"%a\"", i > 0 ? ", " : "", x[i]);
    (void)fprintf(out, "], ");
}

static void print_multipliers(FILE *out, const thud_frame *frame)
{
    (void)fprintf(out, "\"after\": [");
    for (int i = 0; i < frame->after_count; i++)
        (void)fprintf(out, "%s[%d, \"%a\"]", i > 0 ? ", " : "",
                      (int)thud_key_read(frame->after[i].key, THUD_KEYS_NUMBERED).a,
                      frame->after[i].impulse);
    (void)fprintf(out, "]}");
}

static int set_multipliers(thud_multiplier *list, export_rig_kind kind, test_random *random)
{
    int count = 0;
    if (kind >= EXPORT_INCLUSION)
    {
        for (int i = 0; i < 2; i++)
            if (test_random_int(random, 0, 1))
                list[count++] = (thud_multiplier){thud_key_number(i), fabs(some_number(random)), 0};
        return count;
    }
    int most = test_random_int(random, 0, MOST);
    for (int number = 0; number < 100 * BODIES && count < most; number++)
    {
        int a = number / 100, b = number % 100;
        bool exists = (b > a && b < BODIES) || b == 50 || b == 51;
        if (exists && test_random_int(random, 0, 4) == 0) // some carry no load
            list[count++] =
                (thud_multiplier){thud_key_number(number),
                                  test_random_int(random, 0, 3) ? fabs(some_number(random)) : 0, 0};
    }
    return count;
}

// Frames: the start, steps of the scene's own h, and one of another segment.
static bool write_frames(export_rig *rig, export_rig_kind kind, thud_record *record, FILE *out,
                         test_random *random)
{
    int dim = rig->model->problem.dim;
    bool done = true;
    (void)fprintf(out, "\"frames\": [\n");
    for (int i = 0; i < FRAMES; i++)
    {
        double x[4][DIM];
        thud_multiplier list[MOST];
        for (int k = 0; k < 4 * DIM; k++)
            x[k / DIM][k % DIM] = some_number(random);
        thud_frame frame = {.n = i > 0 ? 10 * i : 0, .dim = dim, .q = x[0], .u = x[1]};
        frame.h = i > 0 ? rig->scene.step : 0;
        frame.t = fma((double)frame.n, frame.h, rig->scene.start);
        if (i == FRAMES - 1)
            frame.t = 17.3;
        if (i > 0)
        {
            frame.u_next = x[2];
            frame.force = x[3];
            frame.after = list;
            frame.after_count = set_multipliers(list, kind, random);
        }
        done = done && thud_record_frame(record, &frame) == THUD_OK;
        (void)fprintf(out, "%s{\"n\": %d, ", i > 0 ? ",\n" : "", (int)frame.n);
        print_numbers(out, "times", (double[]){frame.t, frame.h}, 2);
        print_numbers(out, "q", frame.q, dim);
        print_numbers(out, "u", i > 0 ? frame.u_next : frame.u, dim);
        print_multipliers(out, &frame);
    }
    (void)fprintf(out, "]}\n");
    return done;
}

// More lines than are written at once, nan and inf among them; and a scene in which no byte is
// ASCII for certain.
static bool write_rest(thud_record *record, FILE *out, test_random *random)
{
    static const char scene[] = "thud: 1\ntitle: F\xc3\xbcllung\n";
    bool done = true;
    (void)fprintf(out, "\"series\": [\n");
    for (int i = 0; i < LINES; i++)
    {
        double values[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            values[k] = some_number(random);
        values[3] = i % 3 == 0 ? (double)NAN : (i % 3 == 1 ? (double)-INFINITY : values[3]);
        done = done && thud_record_series(record, values) == THUD_OK;
        (void)fprintf(out, "%s[\"%a\", \"%a\", \"%a\", \"%a\"]", i > 0 ? ",\n" : "", values[0],
                      values[1], values[2], values[3]);
    }
    (void)fprintf(out, "], ");
    return done && thud_record_file_begin(record, "scene.yaml") == THUD_OK &&
           thud_record_file_write(scene, sizeof scene - 1, record) == 0 &&
           thud_record_file_end(record) == THUD_OK;
}

static bool write_run(export_rig *rig, export_rig_kind kind, test_random *random)
{
    double radius[BODIES];
    thud_record *record = NULL;
    rig_join(rig->run, rig->folder, "run");
    thud_record_def def = {.folder = rig->run,
                           .dim = rig->model->problem.dim,
                           .series = columns,
                           .series_count = COLUMNS};
    FILE *out = fopen(rig_path(rig->folder, "expected.json"), "w");
    if (!out || thud_record_create(&def, &record, NULL) < 0)
    {
        if (out)
            (void)fclose(out);
        return false;
    }
    for (int i = 0; i < BODIES; i++)
        radius[i] = rig->bodies[i].sphere.radius;
    (void)fprintf(out, "{\"dim\": %d, \"order\": %d, ", rig->scene.dim,
                  rig->scene.order == THUD_FIRST_ORDER ? 1 : 2);
    print_numbers(out, "start", &rig->scene.start, 1);
    print_numbers(out, "mass", rig->model->mass, rig->model->problem.dim);
    print_numbers(out, "radius", radius, rig->scene.body_count);
    bool done = write_rest(record, out, random);
    done = write_frames(rig, kind, record, out, random) && done;
    done = thud_record_close(record, NULL) == THUD_OK && done;
    done = fclose(out) == 0 && done;
    return done && thud_log_open(rig->run, NULL, &rig->log, NULL) == THUD_OK;
}

bool export_rig_make(export_rig *rig, export_rig_kind kind, uint64_t seed)
{
    test_random random = test_random_start(seed);
    memset(rig, 0, sizeof *rig);
    set_scene(rig, kind, &random);
    rig->frame_count = FRAMES;
    rig->model = calloc(1, sizeof *rig->model);
    if (!rig->model || !rig_folder_make(rig->folder))
        return false;
    int width = rig->scene.dim > 0 ? rig->scene.dim : 1;
    int count = rig->scene.body_count > 0 ? BODIES : 3;
    rig->model->scene = &rig->scene;
    rig->model->problem = (thud_inclusion){.dim = width * count, .mass = rig->model->mass};
    for (int k = 0; k < DIM; k++)
        rig->model->mass[k] =
            k % width == 0 ? test_random_uniform(&random, 0.5, 3) : rig->model->mass[k - 1];
    return write_run(rig, kind, &random);
}

void export_rig_free(export_rig *rig)
{
    thud_log_close(rig->log);
    free(rig->model);
    if (rig->folder[0])
        rig_folder_remove(rig->folder);
}

thud_export_def export_rig_def(const export_rig *rig)
{
    return (thud_export_def){.scene = &rig->scene,
                             .model = rig->model,
                             .log = rig->log,
                             .run = rig->run,
                             .last = rig->frame_count - 1};
}
