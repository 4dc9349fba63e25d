// Charts of measures and of chosen columns: their words, panels and axes, without a run: the values
// of the series are made up.
#include "plot/plotter.h"
#include "show_rig.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROWS = 4,
    TEXT = 4000
};

typedef struct bench
{
    thud_scene *scene;
    thud_model *model;
    thud_allocator allocator;
    thud_fault fault;
    thud_plot_def def;
    thudi_plotter plotter;
    thud_series_table series;
    THUDI_ARRAY(double) values;
} bench;

// A series with the columns of the model: the value of column c in row r is `value` of them.
static bool bench_make(bench *b, const thud_scene_def *scene, double (*value)(const char *, int))
{
    *b = (bench){.allocator = thudi_allocator_or_default(NULL)};
    if (thud_scene_read(scene, &b->scene, &b->fault) < 0 ||
        thud_model_create(b->scene, NULL, &b->model, &b->fault) < 0)
    {
        test_fail(__FILE__, __LINE__, "no model: %s", b->fault.text);
        return false;
    }
    const char *const *names;
    int count = thud_model_series(b->model, &names);
    b->def = (thud_plot_def){.scene = b->scene, .model = b->model};
    b->plotter.def = &b->def;
    b->plotter.allocator = &b->allocator;
    b->plotter.fault = &b->fault;
    b->plotter.series = &b->series;
    if (thudi_array_reserve(&b->allocator, &b->values, (size_t)(count * ROWS)) < 0)
        return false;
    b->series = (thud_series_table){
        .column_count = count, .row_count = ROWS, .values = b->values.items, .names = names};
    for (int c = 0; c < count; c++)
        for (int r = 0; r < ROWS; r++)
            b->series.values[r * count + c] = value(names[c], r);
    return thudi_plot_describe(&b->plotter) == THUD_OK;
}

static void bench_free(bench *b)
{
    thudi_array_free(&b->allocator, &b->values);
    thudi_array_free(&b->allocator, &b->plotter.columns);
    thud_model_destroy(b->model);
    thud_scene_destroy(b->scene);
}

// The chart in words: "axis [log] [whole]: name; name" for every panel, a line each.
static void describe(const thudi_chart *chart, char *text)
{
    for (int p = 0; p < chart->count; p++)
    {
        const thudi_panel *panel = &chart->panels[p];
        size_t used = strlen(text);
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s%s:", panel->label,
                                 panel->is_log ? " log" : "", panel->is_whole ? " whole" : "");
        for (int c = 0; c < panel->count; c++)
            used += (size_t)snprintf(text + used, TEXT - used, "%s %s", c > 0 ? ";" : "",
                                     panel->curves[c].name);
        (void)snprintf(text + used, TEXT - used, "\n");
    }
}

// All parts of the chart of measures in words, and how many curves they have.
static int measure_parts(bench *b, char *text)
{
    int curves = 0;
    text[0] = '\0';
    for (int part = 0; part < 1000; part++)
    {
        b->plotter.chart = (thudi_chart){.count = 0};
        thudi_plot_measures(&b->plotter);
        if (!thudi_chart_has_points(&b->plotter.chart))
            break;
        describe(&b->plotter.chart, text);
        for (int p = 0; p < b->plotter.chart.count; p++)
            curves += b->plotter.chart.panels[p].count;
        size_t used = strlen(text);
        (void)snprintf(text + used, TEXT - used, "--\n");
    }
    return curves;
}

static double growing(const char *name, int row)
{
    return strcmp(name, "t") == 0 ? row : row + 1.0;
}

static const char head[] =
    "thud: 1\nkind: spheres\nunits: {length: m, time: s, mass: kg}\n"
    "time: {step: 0.01, end: 1}\ngravity: [0, 0, -9.81]\nmaterials: {glass: {density: 1}}\n"
    "bodies: [{at: [0, 0, 1], radius: 0.1, material: glass}]\n"
    "walls:\n"
    "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "  roof: {plane: {point: [0, 0, 9], normal: [0, 0, -1]}}\n"
    "measure:\n";

static bool make_measures(bench *b, const char *measures, double (*value)(const char *, int))
{
    static char text[TEXT];
    (void)snprintf(text, sizeof text, "%s%s", head, measures);
    return bench_make(b, &(thud_scene_def){.text = text, .length = strlen(text)}, value);
}

static void check_words(const char *measures, double (*value)(const char *, int),
                        const char *wanted, int line)
{
    static char text[TEXT];
    bench b;
    if (!make_measures(&b, measures, value))
        return;
    (void)measure_parts(&b, text);
    if (strcmp(text, wanted) != 0)
        test_fail(__FILE__, line, "found\n%swanted\n%s", text, wanted);
    bench_free(&b);
}

static double without_sides(const char *name, int row)
{
    size_t length = strlen(name);
    bool is_side = length > 2 &&
                   (strcmp(name + length - 2, ".x") == 0 || strcmp(name + length - 2, ".y") == 0);
    return is_side ? 0 : growing(name, row);
}

static double never(const char *name, int row)
{
    return strcmp(name, "t") == 0 ? row : (double)NAN;
}

static double at_rest(const char *name, int row)
{
    return strcmp(name, "t") == 0 ? row : 0;
}

// One curve: all words at the axis. Several: what they have in common, with their unit.
static void words(void)
{
    check_words("  push: {force_on: floor}\n", growing, "force on wall 'floor' (N): x; y; z\n--\n",
                __LINE__);
    check_words("  push: {force_on: floor}\n", without_sides,
                "force on wall 'floor', z (N): force on wall 'floor', z\n--\n", __LINE__);
    check_words("  push: {force_on: floor}\n  lift: {force_on: roof}\n", without_sides,
                "force on wall (N): 'floor', z; 'roof', z\n--\n", __LINE__);
    // nothing but zeros is told as well, nothing but nan is not
    check_words("  push: {force_on: floor}\n", at_rest, "force on wall 'floor' (N): x; y; z\n--\n",
                __LINE__);
    check_words("  push: {force_on: floor}\n", never, "", __LINE__);
    // a kind of measure, a unit, and counts apart: a panel each
    check_words("  out: {count_through: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                "  push: {force_on: floor}\n"
                "  back: {count_through: {plane: {point: [0, 0, 1], normal: [0, 0, 1]}}}\n",
                without_sides,
                "bodies through whole: 'out'; 'back'\n"
                "force on wall 'floor', z (N): force on wall 'floor', z\n--\n",
                __LINE__);
    check_words("  cell: {stress: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                "  fill: {packing_fraction: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                "  push: {force_on: floor}\n",
                without_sides,
                "pressure of contacts in 'cell' (Pa): pressure of contacts in 'cell'\n"
                "stress of contacts in 'cell' (Pa): xx; yy; zz; xy; xz; yz\n"
                "packing fraction in 'fill': packing fraction in 'fill'\n--\n"
                "force on wall 'floor', z (N): force on wall 'floor', z\n--\n",
                __LINE__);
    check_words("  high: {height_of: 0}\n  fast: {speed_of: 0}\n  way: {position_of: 0}\n"
                "  late: {time_when: {column: high, reaches: 5}}\n",
                without_sides,
                "height of body 0 (m): height of body 0\nspeed of body 0 (m/s): speed of body 0\n"
                "position of body 0, z (m): position of body 0, z\n--\n",
                __LINE__);
    // seven curves fill a panel; a measure is not torn apart
    check_words("  a: {force_on: floor}\n  b: {force_on: roof}\n  c: {force_on: floor}\n", growing,
                "force on wall (N): 'floor', x; 'floor', y; 'floor', z; 'roof', x; 'roof', y; "
                "'roof', z\nforce on wall 'floor' (N): x; y; z\n--\n",
                __LINE__);
}

static double decades(const char *name, int row)
{
    static const double values[] = {0, 1e-3, 1, 10};
    return strcmp(name, "t") == 0 ? row : values[row];
}

static double hundredfold(const char *name, int row)
{
    static const double values[] = {0, 1, 10, 100};
    return strcmp(name, "t") == 0 ? row : values[row];
}

static double with_zero(const char *name, int row)
{
    static const double values[] = {1, 0, 1e5, 1};
    return strcmp(name, "t") == 0 ? row : values[row];
}

static double to_rest(const char *name, int row)
{
    static const double values[] = {1, 1, 1e-5, 1e-20};
    return strcmp(name, "t") == 0 ? row : values[row];
}

// Three powers of ten, of numbers above 0 after the start; not what comes to rest.
static void axes(void)
{
    const char *fill = "  fill: {packing_fraction: {box: [[0, 0, 0], [1, 1, 1]]}}\n";
    const char *plain = "packing fraction in 'fill': packing fraction in 'fill'\n--\n";
    const char *log = "packing fraction in 'fill' log: packing fraction in 'fill'\n--\n";
    check_words(fill, decades, log, __LINE__);
    check_words(fill, hundredfold, plain, __LINE__);
    check_words(fill, with_zero, plain, __LINE__);
    check_words(fill, to_rest, plain, __LINE__);
}

static void check_chosen(bench *b, const char *columns, const char *wanted, int line)
{
    char text[TEXT] = "";
    b->def.columns = columns;
    b->plotter.chart = (thudi_chart){.count = 0};
    CHECK(thudi_plot_describe(&b->plotter) == THUD_OK);
    thud_status status = thudi_plot_chosen(&b->plotter);
    describe(&b->plotter.chart, text);
    if (status != THUD_OK || strcmp(text, wanted) != 0)
        test_fail(__FILE__, line, "%s %s: found\n%swanted\n%s", thud_status_name(status),
                  b->fault.text, text, wanted);
}

static void check_refused(bench *b, const char *columns, const char *wanted, const char *hint)
{
    b->fault = (thud_fault){0};
    b->def.columns = columns;
    b->plotter.chart = (thudi_chart){.count = 0};
    CHECK(thudi_plot_describe(&b->plotter) == THUD_OK);
    CHECK(thudi_plot_chosen(&b->plotter) == THUD_ERR_ARGUMENT);
    if (strcmp(b->fault.text, wanted) != 0 || strcmp(b->fault.hint, hint) != 0)
        test_fail(__FILE__, __LINE__, "'%s', '%s'", b->fault.text, b->fault.hint);
}

static void chosen(void)
{
    bench b;
    REQUIRE(make_measures(&b, "  push: {force_on: floor}\n", growing));
    check_chosen(&b, "kinetic", "kinetic energy (J): kinetic energy\n", __LINE__);
    check_chosen(&b, "push.z,push.x,push.z", "force on wall 'floor' (N): x; z\n", __LINE__);
    check_chosen(&b, "push", "force on wall 'floor' (N): x; y; z\n", __LINE__);
    check_chosen(&b, "push.z,kinetic,potential",
                 "kinetic energy, potential energy (J): kinetic energy; potential energy\n"
                 "force on wall 'floor', z (N): force on wall 'floor', z\n",
                 __LINE__);
    check_chosen(&b, "min_gap,violation,backward,between",
                 "m: smallest gap; violation of linearised constraints; backward bound; bound "
                 "between steps\n",
                 __LINE__);
    check_refused(&b, "kinetik", "the series has no column 'kinetik'", "did you mean 'kinetic'?");
    check_refused(&b, "push,", "the series has no column ''",
                  "the first line of series.csv lists the columns");
    check_refused(&b, "kinetic,push.w", "the series has no column 'push.w'",
                  "did you mean 'push.x'?");
    check_refused(&b, "posh", "the series has no column 'posh'", "did you mean 'push'?");
    check_refused(&b, "qqqqqqqqqqqqqq", "the series has no column 'qqqqqqqqqqqqqq'",
                  "the first line of series.csv lists the columns");
    check_refused(&b, "contacts,rows,rounds,sweeps,forward,kkt,kinetic,push,min_gap,t",
                  "the chart would have more than 6 panels", "choose fewer columns");
    bench_free(&b);
}

// Without units: coordinates together, velocities and forces apart.
static void chosen_inclusion(void)
{
    static const char text[] = "thud: 1\nkind: inclusion\ncoordinates: {x: {start: 1}, y: "
                               "{start: 1}}\nforce: {x: -1, y: -1}\n"
                               "constraints: {left: x, floor: y}\ntime: {step: 0.01, end: 1}\n";
    bench b;
    REQUIRE(bench_make(&b, &(thud_scene_def){.text = text, .length = strlen(text)}, growing));
    check_chosen(&b, "x,y,u.x,u.y,force.floor",
                 "x, y: x; y\nvelocity of: x; y\n"
                 "force of constraint 'floor': force of constraint 'floor'\n",
                 __LINE__);
    bench_free(&b);
}

// Columns that are left out unless they are chosen: times, and masses that repeat a count.
static void numbers(void)
{
    static const char crowd[] =
        "thud: 1\nkind: spheres\ndim: 2\norder: 1\ntime: {step: 0.01, end: 1}\n"
        "bodies: [{at: [0, 1], radius: 0.1%s}]\ncrowd: [{velocity: [1, 0]}]\n"
        "measure: {door: {flow_through: {polygon: [[1, 2], [1, 0]]}},\n"
        "          empty: {time_when: {column: door.count, reaches: 1}}}\n";
    static char text[TEXT], scene[sizeof crowd + 20];
    for (int is_heavy = 0; is_heavy < 2; is_heavy++)
    {
        bench b;
        (void)snprintf(scene, sizeof scene, crowd, is_heavy ? ", mass: 3" : "");
        if (!bench_make(&b, &(thud_scene_def){.text = scene, .length = strlen(scene)}, growing))
            return;
        (void)measure_parts(&b, text);
        const char *wanted = is_heavy ? "bodies through 'door' whole: bodies through 'door'\n"
                                        "mass through 'door': mass through 'door'\n--\n"
                                      : "bodies through 'door' whole: bodies through 'door'\n--\n";
        if (strcmp(text, wanted) != 0)
            test_fail(__FILE__, __LINE__, "found\n%swanted\n%s", text, wanted);
        bench_free(&b);
    }
}

static bool is_curve(const bench *b, const thud_series_column *about)
{
    if (about->measure < 0)
        return false;
    thud_measure_kind kind = b->scene->measures[about->measure].kind;
    bool repeats = b->scene->order == THUD_FIRST_ORDER && strcmp(about->component, "mass") == 0;
    return kind != THUD_MEASURE_PRESSURE_PROFILE && kind != THUD_MEASURE_TIME_WHEN && !repeats;
}

// Every column of every measure of every shipped scene is in a chart, if it is a curve.
static void shipped(void)
{
    glob_t files;
    static char text[100 * TEXT];
    int scenes = 0;
    REQUIRE(glob(SCENES "/*.yaml", 0, NULL, &files) == 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
    {
        bench b;
        int wanted = 0;
        if (!bench_make(&b, &(thud_scene_def){.path = files.gl_pathv[i]}, growing))
            continue;
        for (int c = 0; c < b.plotter.column_count; c++)
            wanted += is_curve(&b, &b.plotter.columns.items[c].about);
        int found = measure_parts(&b, text);
        if (found != wanted)
            test_fail(__FILE__, __LINE__, "%s: %d columns of measures, %d curves",
                      files.gl_pathv[i], wanted, found);
        scenes += wanted > 0;
        bench_free(&b);
    }
    printf("  %d of %d scenes have measures\n", scenes, (int)files.gl_pathc);
    CHECK(scenes >= 8);
    globfree(&files);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"words", words},     {"axes", axes},
        {"chosen", chosen},   {"chosen-inclusion", chosen_inclusion},
        {"numbers", numbers}, {"shipped", shipped},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
