// The same bits for 1, 2, 3, 4, 8, 16 and 64 threads: whole steps of eight worlds that are cut into
// bricks.
#include "brick_worlds.h"

static void check(const char *name)
{
    static const int threads[] = {2, 3, 4, 8, 16, 64};
    const brick_world *w = brick_world_find(name);
    brick_world_result alone = brick_world_run(w, 1, NULL);
    printf("  %s: %016llx, swept in %d of %d steps\n", name, (unsigned long long)alone.hash,
           alone.swept, w->steps);
    CHECK(alone.swept > w->steps / 4);
    for (int k = 0; k < 6; k++)
        if (brick_world_run(w, threads[k], NULL).hash != alone.hash)
            test_fail(__FILE__, __LINE__, "%s: other bits with %d threads", name, threads[k]);
}

#define CASE(name)                                                                                 \
    static void name(void)                                                                         \
    {                                                                                              \
        check(#name);                                                                              \
    }
CASE(pile)
CASE(drum)
CASE(sheared)
CASE(sizes)
CASE(gas)
CASE(restitution)
CASE(glue)
CASE(crowd)

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"pile", pile},       {"drum", drum},
                                      {"sheared", sheared}, {"sizes", sizes},
                                      {"gas", gas},         {"restitution", restitution},
                                      {"glue", glue},       {"crowd", crowd}};
    return test_main(argc, argv, cases, 8);
}
