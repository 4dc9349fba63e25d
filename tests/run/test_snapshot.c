// Snapshots of frames: bodies and contacts as the log and the model have them.
#include "show_rig.h"
#include "thud/snapshot.h"

#include <string.h>

static thud_snapshot_def def_of(const show_rig *rig)
{
    return (thud_snapshot_def){.scene = rig->scene, .model = rig->model, .log = rig->log};
}

// Every number is that of the frame, at the end of its step.
static void frames(void)
{
    show_rig rig = {0};
    thud_snapshot_reader *reader = NULL;
    REQUIRE(show_rig_make(&rig, show_rig_heap));
    thud_snapshot_def def = def_of(&rig);
    REQUIRE(thud_snapshot_open(&def, &reader, NULL) == THUD_OK);
    int64_t count = thud_log_view(rig.log).frame_count;
    int touches = 0;
    for (int64_t i = 0; i < count; i++)
    {
        thud_snapshot at;
        thud_frame frame;
        double q[600];
        REQUIRE(thud_snapshot_read(reader, i, &at, NULL) == THUD_OK);
        REQUIRE(thud_log_frame(rig.log, i, &frame, NULL) == THUD_OK && frame.dim <= 600);
        const double *u = frame.h > 0 ? frame.u_next : frame.u;
        thud_frame_end(&frame, q);
        CHECK(at.frame == i && at.h == frame.h && at.count == rig.scene->body_count);
        CHECK(fabs(at.t - frame.t - frame.h) <= 1e-12);
        CHECK(memcmp(at.q, q, sizeof *q * (size_t)frame.dim) == 0);
        CHECK(memcmp(at.position, q, sizeof *q * (size_t)frame.dim) == 0); // in space
        CHECK(memcmp(at.velocity, u, sizeof *u * (size_t)frame.dim) == 0);
        for (int k = 0; k < at.touch_count; k++)
            CHECK(at.force[k] == at.impulse[k] / at.h && at.a[k] >= 0 && at.a[k] < at.count);
        touches += at.touch_count;
    }
    CHECK(count > 2 && touches > 0);
    thud_snapshot_close(reader);
    thud_snapshot_close(NULL);
    show_rig_free(&rig);
}

static void refused(void)
{
    show_rig rig = {0}, other = {0};
    thud_snapshot_reader *reader = NULL;
    thud_fault fault = {0};
    REQUIRE(show_rig_make(&rig, show_rig_heap) && show_rig_make(&other, show_rig_disks));
    thud_snapshot_def def = def_of(&rig);
    def.log = NULL;
    CHECK(thud_snapshot_open(&def, &reader, &fault) == THUD_ERR_ARGUMENT && !reader);
    CHECK(strcmp(fault.text, "a snapshot needs a scene, its model and a log") == 0);
    def.log = other.log;
    CHECK(thud_snapshot_open(&def, &reader, &fault) == THUD_ERR_ARGUMENT && !reader);
    CHECK(strstr(fault.text, "different numbers of coordinates") && fault.hint[0]);
    show_rig_free(&other);
    show_rig_free(&rig);
}

static void failing_memory(void)
{
    show_rig rig = {0};
    REQUIRE(show_rig_make(&rig, show_rig_disks));
    long at = 1;
    for (thud_status status = THUD_ERR_MEMORY; status != THUD_OK; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_snapshot_def def = def_of(&rig);
        thud_snapshot_reader *reader = NULL;
        thud_snapshot snapshot;
        thud_fault fault = {0};
        def.allocator = &allocator;
        status = thud_snapshot_open(&def, &reader, &fault);
        if (status == THUD_OK)
            status = thud_snapshot_read(reader, 1, &snapshot, &fault);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        thud_snapshot_close(reader);
        CHECK(meter.blocks == 0);
    }
    CHECK(at > 5);
    show_rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"frames", frames},
        {"refused", refused},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
