// Every number of time of a scene is visited, has a name, and has room to be evaluated in.
#include "model_rig.h"
#include "scene_text.h"

#include "scene/scene_data.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

enum
{
    MOST = 4000
};

typedef struct visited
{
    const thud_expression *all[MOST];
    int count;
    char names[2000]; // of those that use t
} visited;

static int note(const thud_scene_varying *number, void *user)
{
    visited *v = user;
    char name[200];
    if (v->count == MOST)
        return 1;
    v->all[v->count++] = number->varying->expression;
    bool varies = thud_varying_uses_time(number->varying);
    thud_scene_varying_name(number, name, sizeof name);
    size_t used = strlen(v->names);
    if (varies)
        (void)snprintf(v->names + used, sizeof v->names - used, "%s\n", name);
    return 0;
}

// What the reader compiled and the walk does not visit.
static int missed(const thud_scene *scene, visited *v)
{
    int count = 0;
    memset(v, 0, sizeof *v);
    CHECK(!thud_scene_each_varying(scene, note, v));
    for (const thudi_made *made = thudi_scene_of(scene)->expressions; made; made = made->next)
    {
        bool found = false;
        for (int i = 0; i < v->count && !found; i++)
            found = v->all[i] == made->expression;
        if (found || !thud_expression_view(made->expression)->uses_time)
            continue;
        count++;
        test_fail(__FILE__, __LINE__, "not visited: %s",
                  thud_expression_view(made->expression)->text);
    }
    return count;
}

static const char spheres[] =
    "thud: 1\nkind: spheres\ndim: 3\ntime: {step: 0.01, end: 1}\n"
    "gravity: [\"sqrt(100.5 - t)\", \"sqrt(101.5 - t)\", \"sqrt(102.5 - t)\"]\n"
    "growth:\n  law: \"1 + sqrt(104.5 - t)/1e9\"\n"
    "  rows: {table: [[0, 1], [1, 1.001], [106, 1.001]]}\n"
    "materials:\n  a: {density: 1, growth: \"1 + sqrt(106.5 - t)/1e9\"}\n"
    "  b: {density: 1, growth: law}\n  c: {density: 1, growth: rows}\n"
    "walls:\n"
    "  floor: {plane: {point: [0, 0, \"sqrt(107.5 - t)/1e3\"],\n"
    "                  normal: [0, \"0*sqrt(108.5 - t)\", 1]}}\n"
    "  block: {solid_box: [[0, 0, 0], [1, 1, 1]], position: [40, 40, \"50 + sqrt(109.5 - t)\"],\n"
    "          rotation: [0, 0, \"sqrt(110.5 - t)\"]}\n"
    "bodies:\n"
    "  - {at: [20, 20, 20], radius: 1, material: a}\n"
    "  - {at: [30, 20, 20], radius: 1, material: b}\n"
    "  - {at: [50, 20, 20], radius: 1, material: c}\n"
    "  - {at: [20, 50, 20], radius: 1, mass: 1, growth: \"1 + sqrt(111.5 - t)/1e9\"}\n"
    "measure:\n"
    "  turn: {torque_on: {wall: floor, about: [0, 0, \"sqrt(112.5 - t)\"]}}\n"
    "  pass: {count_through: {plane: {point: [0, 0, \"sqrt(113.5 - t)\"],\n"
    "                                 normal: [0, \"t/9\", 1]}}}\n";

static const char sheared[] =
    "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 1}\nmaterials: {a: {density: 1}}\n"
    "cell: {x: [0, 9], y: [0, 9], shear: \"sqrt(100.5 - t)\"}\n"
    "bodies:\n  - {at: [0, 0], radius: 1}\n";

static const char crowd[] =
    "thud: 1\nkind: spheres\ndim: 2\norder: 1\ntime: {step: 0.01, end: 1}\nmaterials: {red: {}}\n"
    "crowd:\n  - {material: red, velocity: [1, \"t*y\"]}\n  - {velocity: [\"sin(t)\", 0]}\n"
    "bodies:\n  - {at: [0, 0], radius: 1, material: red}\n";

static const char forced[] =
    "thud: 1\nkind: inclusion\ntime: {step: 0.01, end: 1}\n"
    "coordinates: {x: {start: 1, velocity: 0}, y: {start: 0, velocity: 0}}\n"
    "force: {x: \"sqrt(100.5 - t)\", y: \"sqrt(101.5 - t)\"}\n"
    "constraints: {low: \"x + 0*sqrt(102.5 - t)\"}\n"
    "exact: {x: [{until: 0.5, q: \"t\", u: \"1 + 0*t\"}, {q: \"t\"}], y: {q: \"t^2\"}}\n";

static const char pushed[] =
    "thud: 1\nkind: inclusion\ntime: {step: 0.01, end: 1}\n"
    "coordinates: {x: {start: 1, velocity: 0}}\nimpulse: {x: \"sqrt(100.5 - t)\"}\n";

static const char first[] = "thud: 1\nkind: inclusion\norder: 1\ntime: {step: 0.01, end: 1}\n"
                            "coordinates: {x: {start: 1}}\nvelocity: {x: \"sqrt(100.5 - t)\"}\n";

static void every_place(void)
{
    static const struct
    {
        const char *text, *names;
    } all[] = {
        {spheres, "gravity[0]\ngravity[1]\ngravity[2]\ngrowth.law\ngrowth.rows\n"
                  "growth.bodies_3\nmaterials.a.growth\nwalls.floor.point[2]\n"
                  "walls.floor.normal[1]\nwalls.block.position[2]\nwalls.block.rotation[2]\n"
                  "measure.turn.about[2]\nmeasure.pass.point[2]\nmeasure.pass.normal[1]\n"},
        {sheared, "cell.shear\n"},
        {crowd, "crowd.red.velocity[1]\ncrowd.all.velocity[0]\n"},
        {forced, "constraints.low\nforce.x\nforce.y\nexact.x.q[0]\nexact.x.u[0]\nexact.x.q[1]\n"
                 "exact.y.q[0]\n"},
        {pushed, "impulse.x\n"},
        {first, "velocity.x\n"},
    };
    static visited v;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        thud_scene *scene = scene_of_text(all[i].text);
        REQUIRE(scene);
        CHECK(missed(scene, &v) == 0);
        if (strcmp(v.names, all[i].names) != 0)
            test_fail(__FILE__, __LINE__, "visited:\n%s", v.names);
        thud_scene_destroy(scene);
    }
}

// The first that fails as t grows is named; the rest of the walk follows in order.
static void named(void)
{
    static const struct
    {
        const char *text;
        double t;
        const char *trouble;
    } all[] = {
        {spheres, 101, "gravity[0] is nan"}, {sheared, 101, "cell.shear is nan"},
        {forced, 101, "force.x is nan"},     {forced, 103, "constraints.low is nan"},
        {pushed, 101, "impulse.x is nan"},   {first, 101, "velocity.x is nan"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        model_rig rig;
        char text[200];
        REQUIRE(model_open(&rig, all[i].text));
        const double *q = thud_model_state(rig.model)->q;
        CHECK(!thud_model_fault(rig.model, 0.5, q, text, sizeof text) && text[0] == '\0');
        CHECK(thud_model_fault(rig.model, all[i].t, q, text, sizeof text));
        if (strcmp(text, all[i].trouble) != 0)
            test_fail(__FILE__, __LINE__, "%s, not %s", text, all[i].trouble);
        model_close(&rig);
    }
}

// One place after the other is made to fail: each must be named, measures excepted.
static void each_named(void)
{
    static const char *const names[] = {"gravity[0]",
                                        "gravity[1]",
                                        "gravity[2]",
                                        NULL,
                                        "growth.law",
                                        "growth.rows",
                                        "materials.a.growth",
                                        "walls.floor.point[2]",
                                        "walls.floor.normal[1]",
                                        "walls.block.position[2]",
                                        "walls.block.rotation[2]",
                                        "growth.bodies_3"};
    char text[sizeof spheres], said[200];
    for (int i = 0; i < 12; i++)
    {
        model_rig rig;
        char from[16];
        if (!names[i])
            continue;
        memcpy(text, spheres, sizeof spheres);
        // all but this one stay finite until t = 900
        for (int j = 0; j < 14; j++)
        {
            (void)snprintf(from, sizeof from, "(1%02d.5", j);
            char *at = strstr(text, from);
            if (at && j != i)
                at[1] = '9';
        }
        char *table = strstr(text, "[106,");
        if (i != 5)
            table[1] = '9';
        REQUIRE(model_open(&rig, text));
        const double *q = thud_model_state(rig.model)->q;
        CHECK(thud_model_fault(rig.model, 120, q, said, sizeof said));
        if (strncmp(said, names[i], strlen(names[i])) != 0)
            test_fail(__FILE__, __LINE__, "%s: said '%s'", names[i], said);
        model_close(&rig);
    }
}

static void check_file(const char *path)
{
    static visited v;
    thud_scene *scene = NULL;
    thud_fault fault = {0};
    thud_scene_def def = {.path = path};
    if (thud_scene_read(&def, &scene, &fault) < 0)
        return; // parts of scenes
    if (missed(scene, &v) > 0)
        test_fail(__FILE__, __LINE__, "%s", path);
    thud_scene_destroy(scene);
}

static void files(void)
{
    static const char *const folders[] = {SCENE_GOOD, SHIPPED, CASES};
    int count = 0;
    for (int i = 0; i < 3; i++)
    {
        DIR *folder = opendir(folders[i]);
        REQUIRE(folder);
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        {
            char path[4096];
            if (!strstr(entry->d_name, ".yaml"))
                continue;
            (void)snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            check_file(path);
            count++;
        }
        (void)closedir(folder);
    }
    printf("  %d scenes\n", count);
    CHECK(count > 40);
}

// A shear that is the longest expression of its scene, bit for bit the short one.
static void shear(void)
{
    uint64_t bits[2][8];
    for (int i = 0; i < 2; i++)
    {
        thud_scene *scene = NULL;
        thud_model *model = NULL;
        thud_work *work = NULL;
        const char *set = "cell.shear=0.2*t";
        thud_fault fault = {0};
        thud_scene_def def = {.path = CASES "/shear-expression.yaml", .set = &set, .set_count = i};
        REQUIRE(thud_scene_read(&def, &scene, &fault) == THUD_OK);
        REQUIRE(thud_model_create(scene, NULL, &model, &fault) >= 0);
        thud_work_def space = thud_model_work(model);
        REQUIRE(thud_work_create(&space, &work) == THUD_OK);
        for (int n = 0; n < 100; n++)
            CHECK(thud_step(thud_model_problem(model), thud_model_state(model), work) >= 0);
        memcpy(bits[i], thud_model_state(model)->q, sizeof bits[i]);
        thud_work_destroy(work);
        thud_model_destroy(model);
        thud_scene_destroy(scene);
    }
    CHECK(memcmp(bits[0], bits[1], sizeof bits[0]) == 0);
}

// A shear that is no line: the model follows it and takes steps. Its memory was once too short.
static void wave(void)
{
    static const char text[] =
        "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 1/64, end: 1}\nmaterials: {a: {density: 1}}\n"
        "cell: {x: [0, 1], y: [0, 1], shear: \"0.1*sin(3*t)\"}\n"
        "bodies:\n  - {at: [0.25, 0.25], radius: 0.24, velocity: [0.3, 1]}\n"
        "  - {at: [0.75, 0.75], radius: 0.24}\n";
    model_rig rig;
    thud_work *work = NULL;
    REQUIRE(model_open(&rig, text));
    thud_work_def space = thud_model_work(rig.model);
    REQUIRE(thud_work_create(&space, &work) == THUD_OK);
    for (int n = 0; n < 64; n++)
    {
        thud_state *state = thud_model_state(rig.model);
        CHECK_NEAR(thud_model_shear(rig.model, thud_state_time(state)),
                   0.1 * sin(3 * thud_state_time(state)), 1e-16);
        CHECK(thud_step(thud_model_problem(rig.model), state, work) >= 0);
    }
    thud_cell cell = thud_model_cell(rig.model);
    CHECK(isnan(cell.shear_t) && isnan(cell.shear_tt));
    thud_work_destroy(work);
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"every-place", every_place},
        {"named", named},
        {"each-named", each_named},
        {"files", files},
        {"shear", shear},
        {"wave", wave},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
