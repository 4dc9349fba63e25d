// bench/compare: programs at settings, raced on the same scene, measured and printed.
#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>
#include <stdio.h>

enum
{
    MOST_RUNS = 9,
    MOST_ENTRIES = 16,
    MOST_OPTIONS = 3
};

// One part of the scene: what it cost in every run, and how good it was.
typedef struct phase
{
    double cpu[MOST_RUNS]; // seconds, less those of a run of no steps
    int runs;
    double seconds;        // simulated
    double worst, end;     // overlap in radii: worst of all frames, of the last one
    double energy, height; // of the last frame, see peer_quality.h
    int outside;           // of the last frame
    double megabytes;      // of memory, most
    bool was_cut;          // it was stopped at the limit of processor time
} phase;

// A program at a setting.
typedef struct entry
{
    const char *program, *setting;
    const char *driver, *options[MOST_OPTIONS];
    bool is_extra;  // raced only if it is named
    double aim;     // overlap in radii that the setting is to reach; 0: none
    double frame;   // seconds between frames
    int per;        // steps in each
    double startup; // processor seconds of a run of no steps
    phase drop, pile;
} entry;

// What is raced and how.
typedef struct contest
{
    int count; // spheres
    int runs;
    double drop_seconds, pile_seconds;
    double limit;        // processor seconds of one run
    const char *drivers; // folder of the programs
    const char *folder;  // for files, which are removed again
    entry *entries;
    int entry_count;
} contest;

// The programs and settings for so many spheres, at most MOST_ENTRIES. Their number.
int compare_plan(int count, entry *entries);

// Keep the programs of a list with commas; all when it is NULL. The number that is left.
int compare_keep(entry *entries, int count, const char *only);

// Run all parts of the scene as often as asked. False after a message when something failed.
bool compare_hold(contest *c);

// Remove the files of a contest and its folder.
void compare_clean(const contest *c);

// Run all entries for some frames' time from their files start-K.bin, so that all advance alike in
// simulated time, each alone on the processor; frames-K.bin are their frames. cpu[K] and
// megabytes[K] receive what they used, was_cut[K] whether the limit stopped it. False after a
// message when one failed.
bool compare_race(const contest *c, double seconds, double *cpu, double *megabytes, bool *was_cut);

// The path of a file of entry k; kind is "start" or "frames".
void compare_path(const contest *c, const char *kind, int k, char *path, size_t size);

// Processor seconds per simulated second: median of the runs.
double compare_cost(const phase *p);

// Tables for people; the ratios are those to the entries of Thud.
void compare_print(const contest *c);

// One object of a JSON array.
void compare_print_json(const contest *c, FILE *file);

#endif
