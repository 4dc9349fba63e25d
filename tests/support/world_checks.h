/// What every world that takes steps under test is asked.
#ifndef WORLD_CHECKS_H
#define WORLD_CHECKS_H

#include "thud_test.h"

#include <thud/thud.h>

/// Say why step `number` was not taken. Returns whether to go on: not if so, nor after many
/// failures.
static inline bool went_on(thud_status status, int number, const thud_work *work)
{
    if (status < 0)
        test_fail(__FILE__, __LINE__, "step %d: %s", number, thud_work_message(work));
    return status >= 0 && test_failures() <= 20;
}

/// The step has no news, but perhaps that there was no room.
static inline void check_news(const thud_work *work, bool may_lack_room)
{
    unsigned news = thud_work_report(work)->news;
    CHECK((news & ~(may_lack_room ? (unsigned)THUD_NEWS_NO_ROOM : 0u)) == 0);
}

static inline double kinetic_energy(const thud_world *world)
{
    thud_bodies bodies = thud_world_bodies(world);
    double sum = 0;
    for (int i = 0; i < bodies.count * bodies.dim; i++)
        sum += bodies.mass[i] * bodies.u[i] * bodies.u[i] / 2;
    return sum;
}

#endif
