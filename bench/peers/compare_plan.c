// Which programs are raced, at which settings.
#include "compare.h"

#include <string.h>
#include <strings.h>

// Settings that reach an overlap, or come near it. Soft spheres in a deep pile must be stiffer; no
// setting of Bullet or ODE was found that carries the weight of 28 layers at a cost near these.
int compare_plan(int count, entry *entries)
{
    static const entry both[] = {
        {.program = "Thud",
         .setting = "preview, h = 5 ms",
         .driver = "peer_thud",
         .options = {"tol=1e-3", "tol_a=3e-2"},
         .frame = 0.005,
         .per = 1},
        {.program = "Thud",
         .setting = "default, h = 5 ms",
         .driver = "peer_thud",
         .options = {"tol=1e-5", "tol_a=1e-3"},
         .frame = 0.005,
         .per = 1},
    };
    static const entry shallow[] = {
        {.program = "LAMMPS",
         .setting = "k = 1e5 N/m, dt = 6.9e-5",
         .driver = "peer_lammps",
         .options = {"stiffness=1e5"},
         .aim = 1e-2,
         .frame = 0.005,
         .per = 72},
        {.program = "LAMMPS",
         .setting = "k = 4e6 N/m, dt = 1.1e-5",
         .driver = "peer_lammps",
         .options = {"stiffness=4e6"},
         .aim = 1e-3,
         .frame = 0.005,
         .per = 450},
        {.program = "Bullet",
         .setting = "50 iterations, dt = 1/240",
         .driver = "peer_bullet",
         .options = {"iterations=50"},
         .aim = 1e-2,
         .frame = 1.0 / 240,
         .per = 1},
        {.program = "Bullet",
         .setting = "200 iterations, dt = 1/240",
         .driver = "peer_bullet",
         .options = {"iterations=200"},
         .aim = 1e-3,
         .frame = 1.0 / 240,
         .per = 1},
        {.program = "ODE",
         .setting = "20 iterations, dt = 2.5e-4",
         .driver = "peer_ode",
         .options = {"iterations=20"},
         .aim = 1e-2,
         .frame = 0.005,
         .per = 20},
        {.program = "ODE",
         .setting = "20 iterations, dt = 1e-4",
         .driver = "peer_ode",
         .options = {"iterations=20"},
         .aim = 1e-3,
         .frame = 0.005,
         .per = 50},
    };
    static const entry deep[] = {
        {.program = "LAMMPS",
         .setting = "k = 6e5 N/m, dt = 2.8e-5",
         .driver = "peer_lammps",
         .options = {"stiffness=6e5"},
         .aim = 1e-2,
         .frame = 0.005,
         .per = 180},
        {.program = "LAMMPS",
         .setting = "k = 4e6 N/m, dt = 1.1e-5",
         .driver = "peer_lammps",
         .options = {"stiffness=4e6"},
         .aim = 1e-3,
         .frame = 0.005,
         .per = 450},
        {.program = "Bullet",
         .setting = "50 iterations, dt = 1/240",
         .driver = "peer_bullet",
         .options = {"iterations=50"},
         .aim = 1e-2,
         .frame = 1.0 / 240,
         .per = 1},
        {.program = "ODE",
         .setting = "50 iterations, dt = 1e-3",
         .driver = "peer_ode",
         .options = {"iterations=50"},
         .aim = 1e-2,
         .frame = 0.005,
         .per = 5},
    };
    bool is_deep = count > 3000;
    size_t more = is_deep ? sizeof deep / sizeof *deep : sizeof shallow / sizeof *shallow;
    memcpy(entries, both, sizeof both);
    memcpy(entries + 2, is_deep ? deep : shallow, more * sizeof *entries);
    return 2 + (int)more;
}

int compare_keep(entry *entries, int count, const char *only)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
    {
        size_t length = strlen(entries[i].program);
        bool wanted = !only;
        for (const char *p = only; p && *p; p += strcspn(p, ","), p += *p == ',')
            wanted = wanted || (strncasecmp(p, entries[i].program, length) == 0 &&
                                (p[length] == ',' || p[length] == '\0'));
        if (wanted)
            entries[kept++] = entries[i];
    }
    return kept;
}
