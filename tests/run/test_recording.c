// Recordings in pieces: called again, left and taken up; and what is seen of a run that was left in
// the midst of its verification.
#include "model_rig.h"
#include "record_rig.h"

#include "thud/recorded.h"
#include "thud/recording.h"

#include <string.h>

static const char disks[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 0.2}\n"
                            "gravity: [0, -1]\n"
                            "bodies:\n  - {at: [0, 0.6], radius: 0.5, mass: 1}\n"
                            "  - {at: [0, 1.7], radius: 0.5, mass: 1}\n"
                            "walls:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n";

// A disk that has no room beside it.
static const char fitted[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 0.02}\n"
                             "bodies:\n  - {at: [0.5, 0.5], radius: 0.5, mass: 1}\n"
                             "walls:\n  box: {box: [[0, 0], [1, 1]]}\n";

typedef struct part
{
    model_rig rig;
    char folder[RIG_PATH], run[RIG_PATH];
    thud_recording *recording;
    int warnings, second; // steps of second runs
} part;

static void hear(thud_recording_news kind, int64_t step, const char *text, void *user)
{
    part *p = user;
    if (kind == THUD_RECORDING_WARNING && step == 0 && strstr(text, "no room at the start"))
        p->warnings++;
}

static void see(const thud_recording_progress *progress, void *user)
{
    part *p = user;
    p->second += progress->is_second;
}

static thud_recording_def def_of(part *p)
{
    return (thud_recording_def){
        .scene = p->rig.scene, .folder = p->run, .news = hear, .progress = see, .user = p};
}

static bool begin(part *p, const char *scene, bool halve)
{
    *p = (part){0};
    if (!rig_folder_make(p->folder) || !model_try(&p->rig, scene, NULL))
        return false;
    rig_join(p->run, p->folder, "run");
    thud_recording_def def = def_of(p);
    def.halve = halve;
    return thud_recording_create(&def, &p->recording, NULL) == THUD_OK;
}

static void end(part *p)
{
    CHECK(thud_recording_close(p->recording, NULL) == THUD_OK);
    model_close(&p->rig);
    rig_folder_remove(p->folder);
}

// Does run.json say that it ended so?
static bool ended(const part *p, const char *how)
{
    char text[4096] = "", found[40] = "";
    FILE *file = fopen(rig_path(p->run, "run.json"), "rb");
    if (!file)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    return length > 0 && thud_json_find_text(text, "ending", found, sizeof found) &&
           strcmp(found, how) == 0;
}

// A run that goes on tells its frames; a time before the start takes no step.
static void pieces(void)
{
    part p;
    REQUIRE(begin(&p, disks, false));
    CHECK(thud_recording_run(p.recording, -INFINITY, NULL) == THUD_OK);
    thud_recording_figures at = thud_recording_summary(p.recording);
    CHECK(strcmp(at.ending, "running") == 0 && at.reached == 0 && at.frames == 1);
    CHECK(thud_recording_run(p.recording, 0.1, NULL) >= 0);
    at = thud_recording_summary(p.recording);
    CHECK(strcmp(at.ending, "running") == 0 && at.frames > 1);
    int64_t half = at.frames;
    CHECK(thud_recording_run(p.recording, INFINITY, NULL) >= 0);
    at = thud_recording_summary(p.recording);
    CHECK(strcmp(at.ending, "done") == 0 && at.frames > half);
    end(&p);
}

// Called after its end, it does nothing: its second run was made.
static void twice(void)
{
    part p;
    REQUIRE(begin(&p, disks, true));
    CHECK(thud_recording_run(p.recording, INFINITY, NULL) >= 0);
    int second = p.second;
    CHECK(second > 0 && ended(&p, "done"));
    CHECK(thud_recording_run(p.recording, INFINITY, NULL) == THUD_OK && p.second == second);
    end(&p);
}

// Taken up and closed without a step, a run is stopped; one that was done stays done.
static void taken_up(void)
{
    part p;
    REQUIRE(begin(&p, disks, false));
    for (int i = 0; i < 2; i++)
    {
        CHECK(thud_recording_run(p.recording, i == 0 ? 0.1 : INFINITY, NULL) >= 0);
        CHECK(thud_recording_close(p.recording, NULL) == THUD_OK);
        thud_recording_def def = def_of(&p);
        p.recording = NULL;
        REQUIRE(thud_recording_resume(&def, &p.recording, NULL) == THUD_OK);
        CHECK(ended(&p, i == 0 ? "running" : "done"));
        CHECK(thud_recording_close(p.recording, NULL) == THUD_OK);
        CHECK(ended(&p, i == 0 ? "stopped" : "done"));
        REQUIRE(thud_recording_resume(&def, &p.recording, NULL) == THUD_OK);
    }
    CHECK(thud_recording_is_done(p.recording));
    end(&p);
}

// What is to be known of the start is said by the recording that makes the model, and only by it.
static void start_news(void)
{
    part p;
    REQUIRE(begin(&p, fitted, false));
    CHECK(p.rig.status == THUD_NEWS && p.warnings == 1);
    CHECK(thud_recording_close(p.recording, NULL) == THUD_OK);
    thud_recording_def def = def_of(&p);
    def.model = p.rig.model;
    def.replace = true;
    p.recording = NULL;
    CHECK(thud_recording_create(&def, &p.recording, NULL) == THUD_OK && p.warnings == 1);
    end(&p);
}

static int count_down(double done, void *user)
{
    int *left = user;
    (void)done;
    return --*left == 0;
}

// Stopped wherever it may be, a verification leaves the run as it was.
static void stopped_verification(void)
{
    part p;
    thud_recorded *run = NULL;
    thud_recorded_verdict verdict;
    REQUIRE(begin(&p, disks, false));
    CHECK(thud_recording_run(p.recording, INFINITY, NULL) >= 0);
    REQUIRE(thud_recorded_open(p.run, NULL, &run, NULL) == THUD_OK);
    int stops = 0;
    for (thud_status status = THUD_STOPPED; status == THUD_STOPPED; stops++)
    {
        int left = stops + 1;
        thud_recorded_verify_def def = {.enclose = true, .progress = count_down, .user = &left};
        status = thud_recorded_verify(run, &def, &verdict, NULL);
        CHECK(status == THUD_OK || status == THUD_STOPPED);
        CHECK(thud_recorded_verify(run, NULL, &verdict, NULL) == THUD_OK);
        CHECK(verdict.damage.text[0] == '\0');
    }
    CHECK(stops > 2 * verdict.frames);
    thud_recorded_close(run);
    end(&p);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"pieces", pieces},
        {"twice", twice},
        {"taken-up", taken_up},
        {"start-news", start_news},
        {"stopped-verification", stopped_verification},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
