// No word of a frame is free: what no law uses must be 0, and lists be in order.
#include "thud_test.h"

#include "run/verify/verify_parts.h"

#include <math.h>
#include <string.h>

static const double vector[2] = {1, 2};

// A frame of a plain scene in two dimensions, with contacts and without directions.
typedef struct rig
{
    thud_scene scene;
    thud_multiplier before[2], after[2];
    thud_direction directions[2];
    thud_id_range ids[2];
    thud_frame frame;
} rig;

static void make(rig *r)
{
    *r = (rig){
        .scene = {
            .kind = THUD_SCENE_SPHERES, .dim = 2, .body_count = 1, .law = THUD_LAW_INELASTIC}};
    r->before[0] = r->after[0] = (thud_multiplier){.key = {3}, .impulse = 0.5};
    r->before[1] = r->after[1] = (thud_multiplier){.key = {8}, .impulse = 0.25};
    r->directions[0] = (thud_direction){.key = {5}, .normal = {0.6, 0.8, 0}};
    r->directions[1] = (thud_direction){.key = {9}, .normal = {0, 1, 0}};
    r->ids[0] = (thud_id_range){0, 1};
    r->frame = (thud_frame){.h = 0.1,
                            .ids = r->ids,
                            .id_count = 1,
                            .dim = 2,
                            .q = vector,
                            .u = vector,
                            .u_next = vector,
                            .force = vector,
                            .before = r->before,
                            .before_count = 2,
                            .after = r->after,
                            .after_count = 2,
                            .directions = r->directions};
}

static bool is_right(const rig *r)
{
    return thudi_verify_word(&r->scene, &r->frame) == NULL;
}

static void multipliers(void)
{
    rig r;
    make(&r);
    CHECK(is_right(&r));
    for (int side = 0; side < 2; side++)
    {
        static const double words[] = {1e-300, -0.0, 1, NAN};
        for (int i = 0; i < 4; i++)
        {
            make(&r);
            (side ? r.after : r.before)[1].memory = words[i];
            CHECK(!is_right(&r));
        }
        make(&r);
        (side ? r.after : r.before)[0].key = thud_key_number(8); // twice
        CHECK(!is_right(&r));
        make(&r);
        (side ? r.after : r.before)[0].impulse = 0; // a contact that carries nothing
        CHECK(!is_right(&r));
        (side ? r.after : r.before)[0].impulse = INFINITY;
        CHECK(!is_right(&r));
    }
    // with glue or restitution the memory is a number of the law, and judged by it
    make(&r);
    r.scene.law = THUD_LAW_GLUE;
    r.after[1].memory = -1;
    CHECK(is_right(&r));
    // numbers beyond the memory, which no law of the list keeps
    static const double more[16];
    r.frame.before_more = r.frame.after_more = more;
    r.frame.more_width = 1;
    CHECK(!is_right(&r));
}

static void displacements(void)
{
    rig r;
    make(&r);
    r.frame.move = vector;
    CHECK(!is_right(&r)); // another way to the end of the step
    r.scene.law = THUD_LAW_RESTITUTION;
    CHECK(is_right(&r));
    r.frame.move = NULL;
    CHECK(!is_right(&r));
    r.frame.h = 0; // the start has none
    CHECK(is_right(&r));
}

static void directions(void)
{
    rig r;
    make(&r);
    r.frame.direction_count = 2;
    CHECK(!is_right(&r)); // of nothing
    r.scene.obstacle_count = 1;
    CHECK(is_right(&r));
    r.directions[0].normal[2] = -0.0;
    CHECK(!is_right(&r));
    make(&r);
    r.frame.direction_count = 2;
    r.scene.obstacle_count = 1;
    r.directions[1].normal[1] = 1 + 1e-13;
    CHECK(!is_right(&r));
    r.directions[1].normal[1] = NAN;
    CHECK(!is_right(&r));
    r.directions[1] = r.directions[0];
    CHECK(!is_right(&r));
}

static void ids(void)
{
    static const thud_id_range wrong[] = {{1, 1}, {0, 2}, {-1, 1}};
    rig r;
    for (int i = 0; i < 3; i++)
    {
        make(&r);
        r.ids[0] = wrong[i];
        CHECK(!is_right(&r));
    }
    make(&r);
    r.ids[1] = (thud_id_range){2, 1};
    r.frame.id_count = 2;
    CHECK(!is_right(&r));
    make(&r);
    r.scene.kind = THUD_SCENE_INCLUSION;
    r.scene.coordinate_count = 2;
    CHECK(!is_right(&r));
    r.ids[0].count = 2;
    CHECK(is_right(&r));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"multipliers", multipliers},
        {"displacements", displacements},
        {"directions", directions},
        {"ids", ids},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
