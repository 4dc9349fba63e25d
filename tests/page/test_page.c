// The page: what is read back from it differs from the run by the stated rounding and no more; it
// keeps to its size.
#include "page_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    BODIES = 64,
    FRAMES = 9
};

// The end of a step as the page shows it.
static double position_of(const thud_frame *frame, int k)
{
    return frame->h != 0 ? fma(frame->h, frame->u_next[k], frame->q[k]) : frame->q[k];
}

static double velocity_of(const thud_frame *frame, int k)
{
    return frame->h != 0 ? frame->u_next[k] : frame->u[k];
}

static double half(uint16_t bits)
{
    uint32_t whole = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &whole, sizeof x);
    return x;
}

static int32_t unzigzag(uint32_t x)
{
    return (int32_t)(x >> 1 ^ (0U - (x & 1)));
}

static void check_bodies(page_parts *page, const page_rig *rig)
{
    const thud_scene *scene = rig->scene;
    uint16_t material[BODIES];
    for (int i = 0; i < scene->body_count; i++)
        CHECK(page_f32(page) == (float)scene->bodies[i].sphere.radius);
    for (int i = 0; i < scene->body_count; i++)
        CHECK(page_f32(page) == (float)thud_model_problem(rig->model)->mass[scene->dim * i]);
    page_u16s(page, material, (size_t)scene->body_count);
    for (int i = 0; i < scene->body_count; i++)
        CHECK(material[i] == scene->bodies[i].material + 1);
    if (scene->growth_count == 0)
        return;
    page_u16s(page, material, (size_t)scene->body_count); // whose growth it is
    for (int i = 0; i < scene->body_count; i++)
        CHECK(material[i] ==
              (scene->bodies[i].material < 0 ? scene->material_count : scene->bodies[i].material) +
                  1);
}

// Every solid has corners within its bounds, and they are finite; those of a triangle are its own.
static void check_surfaces(page_parts *page, const page_rig *rig)
{
    const thud_scene *scene = rig->scene;
    const char *at = page->head;
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        const thud_scene_obstacle *obstacle = &scene->obstacles[i];
        int triangles = 0, lines = 0;
        at = strstr(at, "\"triangles\":");
        REQUIRE(at);
        triangles = (int)strtol(at + 12, NULL, 10);
        at = strstr(at, "\"lines\":");
        REQUIRE(at);
        lines = (int)strtol(at + 8, NULL, 10);
        CHECK(triangles > 0 && (lines > 0) == (obstacle->solid.kind != THUD_BALL));
        for (int k = 0; k < 9 * triangles + 6 * lines; k++)
        {
            double x = page_f32(page);
            CHECK(fabs(x) <= 60 + 1e-5);
            if (obstacle->solid.kind == THUD_TRIANGLE && k < 9)
                CHECK((float)obstacle->solid.points[k / 3][k % 3] == (float)x);
        }
    }
}

static void check_poses(page_parts *page, const page_rig *rig, double t)
{
    for (int i = 0; i < rig->scene->obstacle_count; i++)
    {
        thud_pose pose;
        thud_model_pose(rig->model, i, t, &pose);
        double angle = pose.rotation[1] + pose.rotation[2], trace = 0;
        for (int k = 0; k < 3; k++)
            CHECK(page_f32(page) == (float)pose.position[k]);
        for (int k = 0; k < 9; k++)
        {
            double x = page_f32(page);
            trace += k % 4 == 0 ? x : 0;
        }
        CHECK_NEAR(trace, 1 + 2 * cos(angle), 1e-6);
    }
}

static void check_growth_and_walls(page_parts *page, const page_rig *rig, double t)
{
    const thud_scene *scene = rig->scene;
    for (int i = 0; i < scene->material_count; i++)
        CHECK_NEAR(page_f32(page), scene->materials[i].growth ? 1 + 0.5 * t : 1, 1e-6);
    for (int i = 0; i < scene->growth_count; i++)
        CHECK_NEAR(page_f32(page), 1 + t, 1e-6);
    for (int i = 0; i < scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(rig->model, i, t, &plane);
        for (int k = 0; k < 3; k++)
            CHECK(page_f32(page) == (float)plane.normal[k]);
        CHECK(page_f32(page) == (float)plane.offset);
    }
    check_poses(page, rig, t);
}

// What was read of the frames before.
typedef struct motion
{
    uint16_t position[3][BODIES], speed[3][BODIES];
    double t;
} motion;

// Undo the guess: by how much the mean velocity moves a position, in steps of rounding.
static int moved(const page_parts *page, int axis, double time, uint16_t a, uint16_t b)
{
    double extent = page_item(page, "high", axis) - page_item(page, "low", axis);
    double factor = page_number(page, "speed") / 32767 / 2 * time / extent * 65535;
    return fabs(factor) < 1000 ? (int)floor(factor * ((int16_t)a + (int16_t)b) + 0.5) : 0;
}

// Half a step of rounding, and what doubles lose on the way.
static void check_motion(page_parts *page, const page_rig *rig, const thud_frame *frame,
                         motion *before, double t)
{
    int count = rig->scene->body_count, dim = rig->scene->dim;
    double top = page_number(page, "speed");
    for (int k = 0; k < dim; k++)
    {
        uint16_t speed[BODIES], position[BODIES];
        double low = page_item(page, "low", k), high = page_item(page, "high", k);
        page_u16s(page, speed, (size_t)count);
        page_u16s(page, position, (size_t)count);
        for (int i = 0; i < count; i++)
        {
            uint16_t *x = &before->position[k][i], *v = &before->speed[k][i], old = *v;
            *v = (uint16_t)(*v + (unsigned)unzigzag(speed[i]));
            *x = (uint16_t)(*x + unzigzag(position[i]) + moved(page, k, t - before->t, old, *v));
            CHECK_NEAR(low + (high - low) * *x / 65535, position_of(frame, dim * i + k),
                       (high - low) / 65535 * 0.5001);
            CHECK_NEAR(top * (int16_t)*v / 32767, velocity_of(frame, dim * i + k),
                       top / 32767 * 0.5001);
        }
    }
    before->t = t;
}

static void check_contacts(page_parts *page, const page_rig *rig, const thud_frame *frame,
                           unsigned count)
{
    uint16_t gap[BODIES], force[BODIES];
    uint32_t a[BODIES], b[BODIES];
    REQUIRE(count <= BODIES && (int)count == (frame->h != 0 ? frame->after_count : 0));
    page_u16s(page, gap, (size_t)rig->scene->body_count);
    page_u32s(page, a, count);
    page_u32s(page, b, count);
    page_u16s(page, force, count);
    int32_t last = 0;
    for (unsigned i = 0; i < count; i++)
    {
        const thud_multiplier *multiplier = &frame->after[i];
        thud_key_parts parts = thud_key_read(multiplier->key, THUD_KEYS_OPEN);
        bool is_wall = parts.kind == THUD_KEY_WALL;
        last += unzigzag(a[i]);
        CHECK(last == (is_wall ? parts.b : parts.a));
        int32_t other = unzigzag(b[i]);
        CHECK(is_wall ? other == -1 : last + other == parts.b);
        double wanted = multiplier->impulse / frame->h;
        CHECK_NEAR(half(force[i]), wanted, wanted / 256);
        CHECK(!isnan(half(gap[last])));
    }
}

static void check_series(page_parts *page, const page_rig *rig, int frames)
{
    const char *const *names;
    int columns = thud_model_series(rig->model, &names);
    CHECK(page_number(page, "rows") == frames);
    for (int i = 0; i < frames; i++)
        CHECK_NEAR(page_f64(page), rig->scene->start + i * rig->scene->step, 1e-12);
    for (int column = 0; column < columns; column++)
        for (int i = 0; i < frames; i++)
        {
            double x = page_f32(page);
            if (column == 0)
                CHECK(x == i);
            if (column == 6)
                CHECK(i % 3 ? isnan(x) : x == i / 8.0);
        }
    CHECK(page->at == page->data_length);
}

static void read_back(page_rig *rig, const char *name, const thud_page_size *size)
{
    page_parts page;
    motion before = {0};
    bool fine = page_read(&page, rig_path(rig->folder, name));
    CHECK(fine && (int64_t)page.length == size->bytes);
    if (fine)
    {
        check_bodies(&page, rig);
        check_surfaces(&page, rig);
    }
    for (int64_t i = 0; i < size->frames && fine; i++)
    {
        thud_frame frame;
        CHECK(thud_log_frame(rig->log, i * size->stride, &frame, NULL) == THUD_OK);
        double t = page_f64(&page);
        CHECK_NEAR(t, frame.t + frame.h, 1e-15);
        unsigned contacts = page_u32(&page);
        CHECK(page_f32(&page) >= 0); // the force of the thickest chains
        check_growth_and_walls(&page, rig, t);
        check_motion(&page, rig, &frame, &before, t);
        check_contacts(&page, rig, &frame, contacts);
    }
    if (fine)
        check_series(&page, rig, rig->frame_count);
    page_free(&page);
}

static void round_trip(page_rig_kind kind, uint64_t standard)
{
    page_rig rig;
    thud_page_size size = {0};
    uint64_t seed = test_seed(standard);
    printf("  seed %llu\n", (unsigned long long)seed);
    if (page_rig_make(&rig, kind, FRAMES, seed))
    {
        thud_page_def def = page_rig_def(&rig, "a.html");
        CHECK(thud_page_write(&def, &size, NULL) == THUD_OK);
        CHECK(size.frames == FRAMES && size.stride == 1);
        read_back(&rig, "a.html", &size);
        def.stride = 3; // over the page that is there
        CHECK(thud_page_write(&def, &size, NULL) == THUD_OK);
        CHECK(size.frames == 3 && size.stride == 3);
        read_back(&rig, "a.html", &size);
        CHECK(rig_count(rig.folder) == 2);
    }
    page_rig_free(&rig);
}

static void spheres_3d(void)
{
    round_trip(PAGE_SPHERES_3D, 20261101);
}

static void spheres_2d(void)
{
    round_trip(PAGE_SPHERES_2D, 20261102);
}

static void check_coordinates(page_parts *page, const page_rig *rig, bool is_first)
{
    thud_frame frame;
    static uint16_t grid[97 * 97];
    CHECK(thud_log_frame(rig->log, is_first ? 0 : 1, &frame, NULL) == THUD_OK);
    double t = page_f64(page);
    (void)page_u32(page);
    for (int k = 0; k < 2; k++)
        CHECK(page_f64(page) == position_of(&frame, k));
    for (int k = 0; k < 2; k++)
        CHECK(page_f64(page) == velocity_of(&frame, k));
    for (int k = 0; k < 2; k++)
        CHECK(page_f64(page) == (!is_first && thud_key_same(frame.after[0].key, thud_key_number(k))
                                     ? frame.after[0].impulse
                                     : 0));
    double low = page_item(page, "low", 0), high = page_item(page, "high", 0);
    double floor = page_item(page, "low", 1), top = page_item(page, "high", 1);
    for (int k = is_first ? 0 : 1; k < 2; k++) // the floor does not move: once is enough
    {
        page_u16s(page, grid, 97 * 97);
        for (int i = 0; i < 97 * 97; i++)
        {
            double g = k == 0 ? floor + (top - floor) * (i / 97) / 96 // NOLINT: rows
                              : low + (high - low) * (i % 97) / 96 - 0.1 * t;
            CHECK_NEAR(half(grid[i]), g, fabs(g) / 256 + 1e-12);
        }
    }
}

static void inclusion(void)
{
    page_rig rig;
    page_parts page = {0};
    thud_page_size size = {0};
    if (page_rig_make(&rig, PAGE_INCLUSION, 2, test_seed(20261103)))
    {
        thud_page_def def = page_rig_def(&rig, "a.html");
        CHECK(thud_page_write(&def, &size, NULL) == THUD_OK);
        if (page_read(&page, def.path))
        {
            check_coordinates(&page, &rig, true);
            check_coordinates(&page, &rig, false);
            check_series(&page, &rig, 2);
        }
        else
            CHECK(!"the page can be read");
    }
    page_free(&page);
    page_rig_free(&rig);
}

// The size is kept to by leaving out frames; the smallest page is one frame, below it there is
// none.
static void size_bound(void)
{
    page_rig rig;
    thud_page_size whole = {0}, size = {0};
    thud_fault fault = {0};
    if (page_rig_make(&rig, PAGE_SPHERES_3D, 200, 7))
    {
        thud_page_def def = page_rig_def(&rig, "a.html");
        CHECK(thud_page_write(&def, &whole, NULL) == THUD_OK && whole.frames == 200);
        def.last = 0;
        CHECK(thud_page_write(&def, &size, NULL) == THUD_OK && size.frames == 1);
        int64_t least = size.bytes;
        def.last = 199;
        for (int64_t room = whole.bytes - 1; room > least + 40; room -= (whole.bytes - least) / 7)
        {
            def.max_bytes = room;
            CHECK(thud_page_write(&def, &size, NULL) == THUD_OK);
            CHECK(size.bytes <= room && size.stride > 1 && size.frames == 199 / size.stride + 1);
            CHECK(size.bytes > least);
            read_back(&rig, "a.html", &size);
        }
        CHECK(unlink(def.path) == 0);
        def.max_bytes = least - 40;
        CHECK(thud_page_write(&def, &size, &fault) == THUD_ERR_LIMIT && fault.hint[0]);
        def.max_bytes = 1;
        CHECK(thud_page_write(&def, &size, &fault) == THUD_ERR_LIMIT && fault.hint[0]);
        CHECK(rig_count(rig.folder) == 1);
    }
    page_rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"spheres-3d", spheres_3d},
        {"spheres-2d", spheres_2d},
        {"inclusion", inclusion},
        {"size-bound", size_bound},
    };
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
