// A run verified by 2, 3 and 5 members of a team. Every member finds what one alone finds, in the
// same words. That holds for every kind of damage, and for a frame of any member.
#include "mend_file.h"
#include "record_rig.h"
#include "team_threads.h"

#include "thud/recorded.h"
#include "thud/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char scene_text[] =
    "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 1}\nrecord: all\n"
    "gravity: [0, -9.81]\nmaterials: {stone: {density: 2600}}\n"
    "bodies:\n"
    "  - lattice: {origin: [0.012, 0.3], count: [4, 3], spacing: 0.021, radius: 0.01, "
    "material: stone}\n"
    "walls: {box: {box: [[0, 0], [0.1, 1]]}}\n";

enum
{
    FRAMES = 101,
    MOST_MEMBERS = 5,
    WORDS = 6000
};

typedef struct rig
{
    char folder[RIG_PATH], run[RIG_PATH], log[RIG_PATH];
    unsigned char *bytes; // of the log as it was written
    size_t length;
} rig;

static bool make_with(rig *r, const char *set)
{
    thud_scene_def def = {
        .text = scene_text, .length = strlen(scene_text), .set = &set, .set_count = set ? 1 : 0};
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
    r->bytes = rig_file_read(r->log, &r->length);
    if (!done || !r->bytes)
        test_fail(__FILE__, __LINE__, "no run: %s", fault.text);
    return done && r->bytes;
}

static bool make(rig *r)
{
    return make_with(r, NULL);
}

static void end(rig *r)
{
    free(r->bytes);
    rig_folder_remove(r->folder);
}

// All that one member says.
typedef struct said
{
    thud_status status;
    thud_status of_run;
    char words[WORDS];
    size_t used;
} said;

typedef struct common
{
    const char *run, *other;     // other: the folder that the second member sees; NULL: the same
    const thud_scene_def *scene; // that the second member judges by; NULL: that of the run
    thud_recorded_verify_def def;
    said said[MOST_MEMBERS];
} common;

static int add(const char *text, size_t length, void *user)
{
    said *s = user;
    if (length >= WORDS - s->used)
        return 1;
    memcpy(s->words + s->used, text, length);
    s->used += length;
    return 0;
}

static void add_text(said *s, const char *text)
{
    (void)add(text, strlen(text), s);
    (void)add("\n", 1, s);
}

static void say(const thud_recorded *run, const thud_recorded_verdict *verdict, said *s)
{
    thud_json json = {0};
    thud_fault fault = {0};
    thud_writer writer = {.sink = add, .user = s};
    thud_recorded_verdict_write(run, verdict, NULL, &writer);
    thud_recorded_verdict_json(run, verdict, NULL, &json);
    add_text(s, json.text);
    thud_json_free(&json);
    s->of_run = thud_recorded_verdict_fault(run, verdict, true, &fault);
    add_text(s, fault.text);
    add_text(s, fault.file);
    add_text(s, fault.hint);
}

static void verify(thud_team *team, void *user)
{
    common *c = user;
    int rank = thud_team_rank(team);
    said *s = &c->said[rank];
    thud_recorded *run = NULL;
    thud_recorded_verdict verdict;
    thud_recorded_verify_def def = c->def;
    thud_fault fault = {0};
    def.team = team;
    *s = (said){.used = 0};
    thud_recorded_def how = {.scene = rank == 1 ? c->scene : NULL};
    REQUIRE(thud_recorded_open(rank == 1 && c->other ? c->other : c->run, &how, &run, &fault) >= 0);
    s->status = thud_recorded_verify(run, &def, &verdict, &fault);
    if (s->status == THUD_OK)
        say(run, &verdict, s);
    else
        add_text(s, fault.text);
    thud_recorded_close(run);
}

// A team says what one alone says. After an error the other members also say whose it was.
static void check_same(common *c, const char *what)
{
    static const int sizes[] = {2, 3, 5};
    verify(NULL, c);
    said alone = c->said[0];
    for (int k = 0; k < 3; k++)
    {
        CHECK(team_threads_run(sizes[k], 1, verify, c));
        for (int r = 0; r < sizes[k]; r++)
            if (c->said[r].status != alone.status || c->said[r].of_run != alone.of_run ||
                ((r == 0 || alone.status == THUD_OK) && strcmp(c->said[r].words, alone.words) != 0))
                test_fail(__FILE__, __LINE__, "%s: member %d of %d: %d %d\n%s\nalone: %d %d\n%s",
                          what, r + 1, sizes[k], c->said[r].status, c->said[r].of_run,
                          c->said[r].words, alone.status, alone.of_run, alone.words);
    }
}

static void intact(void)
{
    static const char *const names[] = {"plain", "rerun", "rerun-tail", "enclose"};
    rig r;
    REQUIRE(make(&r));
    common c = {.run = r.run};
    for (int k = 0; k < 4; k++)
    {
        c.def.rerun = k < 3 ? (thud_rerun)k : THUD_RERUN_NONE;
        c.def.enclose = k == 3;
        check_same(&c, names[k]);
        CHECK(c.said[0].status == THUD_OK && c.said[0].of_run == THUD_OK);
        CHECK(strstr(c.said[0].words, "verdict: OK, verified 100 of 100 steps"));
    }
    end(&r);
}

// Where the frames begin.
static int find_frames(const rig *r, size_t at[FRAMES])
{
    int count = 0;
    for (size_t k = 64; k + 4 < r->length && count < FRAMES; k++)
        if (memcmp(r->bytes + k, "FRAM", 4) == 0)
            at[count++] = k;
    return count;
}

// One bit of a velocity in each of ten frames in turn, so that there is one in each share. With the
// sums mended the log can be read, and says something false.
static void forged(void)
{
    rig r;
    size_t at[FRAMES];
    REQUIRE(make(&r));
    REQUIRE(find_frames(&r, at) == FRAMES);
    common c = {.run = r.run};
    for (int k = 0; k < 10; k++)
    {
        size_t length = r.length, place = at[31 + k] - 40;
        unsigned char *bytes = malloc(length);
        REQUIRE(bytes);
        memcpy(bytes, r.bytes, length);
        bytes[place] ^= 16;
        mend_file(bytes, length, 7);
        REQUIRE(rig_file_write(r.log, bytes, length));
        free(bytes);
        check_same(&c, "forged");
        CHECK(c.said[0].status == THUD_OK && c.said[0].of_run < 0);
        printf("  frame %d: %.60s...\n", 30 + k, strstr(c.said[0].words, "\"damage\""));
    }
    end(&r);
}

// Without sums that fit, a frame cannot be read.
static void damaged(void)
{
    rig r;
    size_t at[FRAMES];
    REQUIRE(make(&r));
    REQUIRE(find_frames(&r, at) == FRAMES);
    common c = {.run = r.run};
    for (int k = 0; k < 6; k++)
    {
        r.bytes[at[50 + k] + 150] ^= 1;
        REQUIRE(rig_file_write(r.log, r.bytes, r.length));
        check_same(&c, "damaged");
        CHECK(c.said[0].status == THUD_ERR_RECORD);
        r.bytes[at[50 + k] + 150] ^= 1;
    }
    printf("  %s", c.said[0].words);
    end(&r);
}

// A member that cannot read its frames, as its disk is another: all fail, and say whose error it
// is.
static void failing_member(void)
{
    rig r, other;
    size_t at[FRAMES];
    REQUIRE(make(&r));
    REQUIRE(make(&other));
    REQUIRE(find_frames(&other, at) == FRAMES);
    for (int k = 60; k < 62; k++)
        other.bytes[at[k] + 150] ^= 1;
    REQUIRE(rig_file_write(other.log, other.bytes, other.length));
    common c = {.run = r.run, .other = other.run};
    CHECK(team_threads_run(2, 1, verify, &c));
    printf("  %s", c.said[0].words);
    CHECK(c.said[0].status == THUD_ERR_RECORD && c.said[1].status == THUD_ERR_RECORD);
    CHECK(strncmp(c.said[0].words, "member 2 of 2: frame 61", 23) == 0);
    end(&other);
    end(&r);
}

// A member that sees another run.
static void other_run(void)
{
    rig r, other;
    REQUIRE(make(&r));
    REQUIRE(make_with(&other, "gravity=[0, -9.8]"));
    common c = {.run = r.run, .other = other.run};
    CHECK(team_threads_run(3, 1, verify, &c));
    printf("  %s", c.said[0].words);
    for (int k = 0; k < 3; k++)
        CHECK(c.said[k].status == THUD_ERR_RECORD);
    CHECK(strcmp(c.said[0].words,
                 "member 2 of 3: it does not see the same run as the first member\n") == 0);
    end(&other);
    end(&r);
}

// A member that sees the same run, and judges it by another scene.
static void other_scene(void)
{
    const char *set = "gravity=[0, -9.8]";
    thud_scene_def scene = {.text = scene_text, .length = strlen(scene_text), .set = &set};
    rig r;
    REQUIRE(make(&r));
    common c = {.run = r.run, .scene = &scene};
    CHECK(team_threads_run(3, 1, verify, &c));
    CHECK(c.said[0].status == THUD_OK && c.said[0].of_run == THUD_OK); // another text of the same
    scene.set_count = 1;
    CHECK(team_threads_run(3, 1, verify, &c));
    printf("  %s", c.said[0].words);
    for (int k = 0; k < 3; k++)
        CHECK(c.said[k].status == THUD_ERR_RECORD);
    CHECK(strcmp(c.said[0].words,
                 "member 2 of 3: it does not see the same scene as the first member\n") == 0);
    end(&r);
}

enum
{
    FORGED = 61, // a frame of the second of 2 members, and of 3
    CALLS = 98   // of the progress, when every frame was dealt out
};

// One bit of the force of a step, which no hash of a state tells of; with all sums mended.
static void forge_force(rig *r)
{
    size_t at[FRAMES], vector = 16 + 24 * sizeof(double);
    REQUIRE(find_frames(r, at) == FRAMES);
    r->bytes[at[FORGED] + 56 + 32 + 3 * vector + 16 + 6] ^= 1; // head, ids, three vectors before it
    mend_file(r->bytes, r->length, 7);
}

// One member alone sees a frame that is sound and false, in turn the first one and the second.
static void other_frame(void)
{
    rig r, other;
    REQUIRE(make(&r));
    REQUIRE(make(&other));
    forge_force(&r);
    REQUIRE(rig_file_write(r.log, r.bytes, r.length));
    for (int turn = 0; turn < 2; turn++)
    {
        common c = {.run = turn ? other.run : r.run, .other = turn ? r.run : other.run};
        CHECK(team_threads_run(3, 1, verify, &c));
        printf("  %s", c.said[0].words);
        for (int k = 0; k < 3; k++)
            CHECK(c.said[k].status == THUD_ERR_RECORD);
        CHECK(strcmp(c.said[0].words,
                     "member 2 of 3 sees another frame 61 than the first member\n") == 0);
    }
    end(&other);
    end(&r);
}

typedef struct swap
{
    const rig *to;
    int calls;
} swap;

// A file is replaced when all steps are judged, and none is enclosed.
static int replace(double part, void *user)
{
    swap *s = user;
    (void)part;
    if (++s->calls == CALLS)
        CHECK(rig_file_write(s->to->log, s->to->bytes, s->to->length));
    return 0;
}

static void replaced(void)
{
    rig r, other;
    REQUIRE(make(&r));
    REQUIRE(make(&other));
    forge_force(&other);
    swap s = {.to = &other};
    common c = {.run = r.run,
                .other = other.run,
                .def = {.enclose = true, .progress = replace, .user = &s}};
    CHECK(team_threads_run(2, 1, verify, &c));
    printf("  %s", c.said[0].words);
    CHECK(c.said[0].status == THUD_ERR_RECORD && c.said[1].status == THUD_ERR_RECORD);
    CHECK(strcmp(c.said[0].words, "member 2 of 2 sees other frames than the first member\n") == 0);
    end(&other);
    end(&r);
}

static int stop_late(double part, void *user)
{
    return part > *(const double *)user;
}

// The first member is asked to stop, in each part of the work.
static void stopped(void)
{
    rig r;
    double limit = 0.5;
    REQUIRE(make(&r));
    common c = {.run = r.run, .def = {.progress = stop_late, .user = &limit}};
    check_same(&c, "stopped");
    CHECK(c.said[0].status == THUD_STOPPED);
    end(&r);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"intact", intact},           {"forged", forged},
        {"damaged", damaged},         {"failing-member", failing_member},
        {"other-run", other_run},     {"other-scene", other_scene},
        {"other-frame", other_frame}, {"replaced", replaced},
        {"stopped", stopped}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
