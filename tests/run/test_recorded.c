// A run directory read again: whether its log is damaged, and that run.json has every figure.
#include "record_rig.h"

#include "thud/recorded.h"
#include "thud/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char scene_text[] = "thud: 1\nkind: inclusion\ntime: {step: 0.01, end: 0.3}\n"
                                 "record: all\n"
                                 "coordinates: {a: {start: 0, velocity: 1}, b: {start: 0.2}}\n"
                                 "constraints: {first: b - a}\n";

typedef struct rig
{
    char folder[RIG_PATH], run[RIG_PATH], log[RIG_PATH];
} rig;

static bool make(rig *r)
{
    thud_scene_def def = {.text = scene_text, .length = strlen(scene_text)};
    thud_recording *recording = NULL;
    thud_scene *scene = NULL;
    thud_fault fault = {0};
    bool done = rig_folder_make(r->folder) != NULL;
    rig_join(r->run, r->folder, "run");
    rig_join(r->log, r->run, "frames.thud");
    done = done && thud_scene_read(&def, &scene, &fault) >= 0 &&
           thud_recording_create(&(thud_recording_def){.scene = scene, .folder = r->run},
                                 &recording, &fault) >= 0 &&
           thud_recording_run(recording, INFINITY, &fault) >= 0;
    done = thud_recording_close(recording, &fault) >= 0 && done;
    thud_scene_destroy(scene);
    if (!done)
        test_fail(__FILE__, __LINE__, "no run: %s", fault.text);
    return done;
}

static thud_recorded_info look(const rig *r)
{
    thud_recorded *recorded = NULL;
    thud_recorded_info info = {.is_damaged = false};
    thud_fault fault = {0};
    thud_recorded_def def = {.skip_damaged = true};
    thud_status status = thud_recorded_open(r->run, &def, &recorded, &fault);
    if (status < 0 || thud_recorded_read_info(recorded, &info, &fault) < 0)
        test_fail(__FILE__, __LINE__, "cannot be read: %s", fault.text);
    thud_recorded_close(recorded);
    return info;
}

// Damaged frames were to be left out, and there are none.
static void intact(void)
{
    rig r;
    size_t length = 0;
    REQUIRE(make(&r));
    thud_recorded_info info = look(&r);
    CHECK(!info.is_damaged && strcmp(info.end.how, "done") == 0 && info.end.error[0] == '\0');
    // a log that was cut is not damaged, and its end says what is missing
    unsigned char *bytes = rig_file_read(r.log, &length);
    REQUIRE(bytes && length > 10 && rig_file_write(r.log, bytes, length - 10));
    info = look(&r);
    CHECK(!info.is_damaged && strcmp(info.end.how, "incomplete") == 0);
    CHECK(strncmp(info.end.error, "the log was cut: ", 17) == 0);
    free(bytes);
    rig_folder_remove(r.folder);
}

// A byte anywhere, whether it costs a frame or a hash.
static void damaged(void)
{
    rig r;
    size_t length = 0;
    REQUIRE(make(&r));
    unsigned char *bytes = rig_file_read(r.log, &length);
    REQUIRE(bytes && length > 2000);
    for (size_t at = RIG_LOG_BEGIN; at < length; at += 37)
    {
        bytes[at] ^= 1;
        REQUIRE(rig_file_write(r.log, bytes, length));
        thud_recorded_info info = look(&r);
        CHECK(info.is_damaged && strcmp(info.end.how, "incomplete") == 0);
        CHECK(strcmp(info.end.error, "the log is damaged") == 0);
        bytes[at] ^= 1;
    }
    free(bytes);
    rig_folder_remove(r.folder);
}

// Each figure of the tally that has a key is in run.json, whatever its section.
static void figures(void)
{
    rig r;
    size_t length = 0;
    REQUIRE(make(&r));
    unsigned char *bytes = rig_file_read(rig_path(r.run, "run.json"), &length);
    REQUIRE(bytes && length > 0);
    char *json = calloc(length + 1, 1);
    REQUIRE(json);
    memcpy(json, bytes, length);
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        const thud_figure *figure = &thud_tally_figures()[i];
        if (figure->key[0] && !thud_json_find(json, figure->key))
            test_fail(__FILE__, __LINE__, "'%s' is missing", figure->key);
    }
    free(json);
    free(bytes);
    rig_folder_remove(r.folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"intact", intact}, {"damaged", damaged}, {"figures", figures}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
