// The parts of the scene: each raced, measured, and the start of the next.
#include "compare.h"
#include "drop_scene.h"
#include "peer_frames.h"
#include "peer_quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_state(const char *path, const double *state, int count)
{
    FILE *file = fopen(path, "wb");
    bool fine = file && peer_frame_write(file, state, count) == 0;
    if (file && fclose(file) != 0)
        fine = false;
    if (!fine)
        perror(path);
    return fine;
}

// The start of the drop, the same file for all.
static bool write_starts(const contest *c)
{
    thud_sphere *spheres = calloc((size_t)c->count, sizeof *spheres);
    double *state = calloc((size_t)c->count, 6 * sizeof *state);
    bool fine = spheres && state;
    char path[4096];
    if (fine)
        drop_fill(spheres, c->count, DROP_WIDTH);
    for (int i = 0; i < c->count && fine; i++)
        memcpy(state + 6 * (size_t)i, spheres[i].center, sizeof spheres[i].center);
    for (int k = 0; k < c->entry_count && fine; k++)
    {
        compare_path(c, "start", k, path, sizeof path);
        fine = write_state(path, state, c->count);
    }
    free(spheres);
    free(state);
    return fine;
}

// Measure the frames of an entry, and make the last one its next start.
static bool judge(const contest *c, int k, phase *p)
{
    char path[4096];
    double *state = calloc((size_t)c->count, 6 * sizeof *state);
    peer_quality quality = {0};
    int got = 0, frames = 0;
    compare_path(c, "frames", k, path, sizeof path);
    FILE *file = fopen(path, "rb");
    bool fine = state && file;
    p->worst = 0;
    while (fine && (got = peer_frame_read(file, state, c->count)) == 1)
    {
        fine = peer_measure(state, c->count, &quality) == 0;
        p->worst = fmax(p->worst, quality.overlap);
        frames++;
    }
    if (file)
        (void)fclose(file);
    // A program that was stopped may leave half a frame.
    fine = fine && frames > 0 && (got == 0 || p->was_cut);
    if (!fine)
        (void)fprintf(stderr, "compare: the frames of %s, %s are damaged: %s\n",
                      c->entries[k].program, c->entries[k].setting, path);
    p->seconds = (frames - 1) * c->entries[k].frame;
    p->end = quality.overlap;
    p->energy = quality.energy;
    p->height = quality.height;
    p->outside = quality.outside;
    (void)unlink(path);
    compare_path(c, "start", k, path, sizeof path);
    fine = fine && write_state(path, state, c->count);
    free(state);
    return fine;
}

// Race one part of the scene, and measure it. seconds: 0 to find what starting costs.
static bool run_part(contest *c, double seconds, bool is_pile)
{
    double cpu[MOST_ENTRIES], megabytes[MOST_ENTRIES];
    bool was_cut[MOST_ENTRIES];
    bool fine = compare_race(c, seconds, cpu, megabytes, was_cut);
    for (int k = 0; k < c->entry_count && fine; k++)
    {
        entry *e = &c->entries[k];
        phase *p = is_pile ? &e->pile : &e->drop;
        if (seconds == 0)
        {
            e->startup = cpu[k];
            continue;
        }
        p->cpu[p->runs++] = fmax(cpu[k] - e->startup, 0);
        p->megabytes = megabytes[k];
        p->was_cut = was_cut[k];
        fine = judge(c, k, p);
    }
    return fine;
}

bool compare_hold(contest *c)
{
    bool fine = write_starts(c) && run_part(c, 0, false);
    for (int run = 0; run < c->runs && fine; run++)
    {
        (void)fprintf(stderr, "compare: N = %d, run %d of %d\n", c->count, run + 1, c->runs);
        fine = write_starts(c) && run_part(c, c->drop_seconds, false) &&
               run_part(c, c->pile_seconds, true);
    }
    return fine;
}

void compare_clean(const contest *c)
{
    static const char *const endings[] = {"", ".atoms", ".in", ".log"};
    char path[4096], whole[4104];
    for (int k = 0; k < c->entry_count; k++)
    {
        compare_path(c, "start", k, path, sizeof path);
        (void)unlink(path);
        compare_path(c, "frames", k, path, sizeof path);
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        {
            (void)snprintf(whole, sizeof whole, "%s%s", path, endings[i]);
            (void)unlink(whole);
        }
    }
    (void)rmdir(c->folder);
}
