// Which programs are raced, at which settings.
#include "compare.h"

#include <string.h>
#include <strings.h>

// A program at a setting: the option that makes it, the overlap it aims at, frames and steps each.
#define THUD(text, first, second)                                                                  \
    {                                                                                              \
        .program = "Thud", .setting = (text), .driver = "peer_thud", .options = {first, second},   \
        .frame = 0.005, .per = 1                                                                   \
    }
// At default quality: other steps, and the tolerance before it followed the step (fixed=1). Raced
// only where --only names them.
#define STEPS(text, seconds, option)                                                               \
    {                                                                                              \
        .program = "Thud-steps", .setting = (text), .driver = "peer_thud", .options = {option},    \
        .frame = (seconds), .per = 1, .is_extra = true                                             \
    }
#define PEER(name, by, text, option, overlap, seconds, steps)                                      \
    {                                                                                              \
        .program = (name), .setting = (text), .driver = (by), .options = {option},                 \
        .aim = (overlap), .frame = (seconds), .per = (steps)                                       \
    }
#define LAMMPS(text, option, overlap, steps)                                                       \
    PEER("LAMMPS", "peer_lammps", text, option, overlap, 0.005, steps)
#define BULLET(text, option, overlap)                                                              \
    PEER("Bullet", "peer_bullet", text, option, overlap, 1.0 / 240, 1)
#define ODE(text, option, overlap, steps)                                                          \
    PEER("ODE", "peer_ode", text, option, overlap, 0.005, steps)

// Settings that reach an overlap, or come near it. Soft spheres in a deep pile must be stiffer; no
// setting of Bullet or ODE was found that carries the weight of 28 layers at a cost near these.
int compare_plan(int count, entry *entries)
{
    static const entry both[] = {
        THUD("preview, h = 5 ms", "tol=1e-3", "tol_a=3e-2"),
        THUD("default, h = 5 ms", "tol=1e-5", "tol_a=1e-3"),
        STEPS("h = auto = 3.2 ms", 0.0032, NULL),
        STEPS("h = auto, tol fixed", 0.0032, "fixed=1"),
        STEPS("h = 5 ms, tol fixed", 0.005, "fixed=1"),
        STEPS("h = 12 ms", 0.012, NULL),
        STEPS("h = 12 ms, tol fixed", 0.012, "fixed=1"),
    };
    static const entry shallow[] = {
        LAMMPS("k = 1e5 N/m, dt = 6.9e-5", "stiffness=1e5", 1e-2, 72),
        LAMMPS("k = 4e6 N/m, dt = 1.1e-5", "stiffness=4e6", 1e-3, 450),
        BULLET("50 iterations, dt = 1/240", "iterations=50", 1e-2),
        BULLET("200 iterations, dt = 1/240", "iterations=200", 1e-3),
        ODE("20 iterations, dt = 2.5e-4", "iterations=20", 1e-2, 20),
        ODE("20 iterations, dt = 1e-4", "iterations=20", 1e-3, 50),
    };
    static const entry deep[] = {
        LAMMPS("k = 6e5 N/m, dt = 2.8e-5", "stiffness=6e5", 1e-2, 180),
        LAMMPS("k = 4e6 N/m, dt = 1.1e-5", "stiffness=4e6", 1e-3, 450),
        BULLET("50 iterations, dt = 1/240", "iterations=50", 1e-2),
        ODE("50 iterations, dt = 1e-3", "iterations=50", 1e-2, 5),
    };
    bool is_deep = count > 3000;
    size_t own = sizeof both / sizeof *both;
    size_t more = is_deep ? sizeof deep / sizeof *deep : sizeof shallow / sizeof *shallow;
    memcpy(entries, both, sizeof both);
    memcpy(entries + own, is_deep ? deep : shallow, more * sizeof *entries);
    return (int)(own + more);
}

int compare_keep(entry *entries, int count, const char *only)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
    {
        size_t length = strlen(entries[i].program);
        bool wanted = !only && !entries[i].is_extra;
        for (const char *p = only; p && *p; p += strcspn(p, ","), p += *p == ',')
            wanted = wanted || (strncasecmp(p, entries[i].program, length) == 0 &&
                                (p[length] == ',' || p[length] == '\0'));
        if (wanted)
            entries[kept++] = entries[i];
    }
    return kept;
}
