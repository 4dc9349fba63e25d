// The last part of the growth for many spheres, by the interior point method of jam_newton.h.
//
// First it climbs: distances are measured again after every step, and as they are convex, z stays
// positive in steps in which it does so to first order. They also make the problem one that is not
// convex: where pairs turn, their forces are no longer in balance. So moves are held back by what
// turning costs, y / d of each pair, and mu stays as it is until the balance has followed.
//
// Then linear programmes: distances stay as measured until t is the largest to first order, which
// tells what room there is; then everything moves there, and so on. Near a packing without room
// this is Newton's method for its network: the room left is squared each time.
#include "jam/jam_newton.h"

#include <math.h>
#include <string.h>

enum
{
    ROUNDS = 100,  // of climbing and closing in, at most
    CLIMBS = 3000, // steps of a climb, at most
    PATIENCE = 3,  // programmes without half the room of the best before
    STEPS = 60     // of one of them, at most
};

static const double START = 10;     // growths, by which spheres give way at first
static const double STIFF = 0.25;   // of y / d, that holds the bodies of a pair back in the climb
static const double UNREST = 1;     // |A y| t / sum y z up to which mu may become smaller
static const double CLIMBED = 2e-5; // sum y z / t at which the first climb ends,
static const double FINER = 0.05;   // the part of it for the next one,
static const double FINEST = 1e-8;  // and the least
static const double BACK = 5;       // times that, the part by which spheres give way then
static const double SHRINK = 1e-5;  // of t, before a programme: all z are positive then
static const double HELD = 1e-5;    // stiffness in a programme, of 1 / t for all bodies together
static const double SOLVED = 1e-16; // sum y z / t at which a programme ends,
static const double QUIET = 1e-11;  // with |A y| of sum y,
static const double VAIN = 1e-20;   // or at which it ends in any case
static const double LAST = 1e-12;   // room of the last programme

static void hold_back_turns(jam_newton *newton)
{
    memset(newton->stiff, 0, (size_t)newton->jam->count * sizeof *newton->stiff);
    for (int c = 0; c < newton->count; c++)
    {
        const thud_jam_contact *contact = &newton->jam->contacts.items[c];
        newton->stiff[contact->a] += STIFF * contact->force / contact->distance;
        newton->stiff[contact->b] += STIFF * contact->force / contact->distance;
    }
}

static double longest(const thud_jam *jam, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < 3 * (size_t)jam->count; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

static void displace(thud_jam *jam, double part, const double *x)
{
    for (size_t i = 0; i < 3 * (size_t)jam->count; i++)
    {
        double at = jam->q[i] + part * x[i];
        jam->q[i] = at - floor(at);
    }
}

static thud_status show_progress(jam_newton *newton)
{
    newton->jam->view.newton++;
    return thudi_jam_show_progress(newton->jam);
}

static bool is_sound(const jam_newton *newton)
{
    return newton->t > 0 && newton->mu < 1;
}

// Until sum y z / t is as small as `goal`, or the steps are used up. The spheres give way first, by
// the part `back`.
static thud_status climb(jam_newton *newton, double back, double goal)
{
    thud_jam *jam = newton->jam;
    newton->t = jam->diameter * (1 - back);
    THUD_TRY(thudi_jam_newton_restart(newton));
    for (int i = 0; i < CLIMBS; i++)
    {
        jam_reach reach;
        thudi_jam_newton_residual(newton);
        hold_back_turns(newton);
        double gap = newton->mu * newton->count;
        if (gap < goal * newton->t || !is_sound(newton))
            break;
        THUD_TRY(thudi_jam_newton_step(newton, newton->residual * newton->t > UNREST * gap, false,
                                       &reach));
        // pairs that were not looked at stay apart
        double way = longest(jam, newton->dx) + fabs(newton->dt) / 4;
        double most = thudi_jam_newton_safe_move(newton);
        double part = reach.primal * way > most ? most / way : reach.primal;
        displace(jam, part, newton->dx);
        newton->t += part * newton->dt;
        jam->diameter = newton->t;
        for (int c = 0; c < newton->count; c++)
            jam->contacts.items[c].force += reach.dual * newton->dy[c];
        THUD_TRY(thudi_jam_newton_measure(newton));
        if (show_progress(newton) == THUD_STOPPED)
            return THUD_STOPPED;
    }
    return THUD_OK;
}

// The largest t to first order, and x.
static thud_status solve_programme(jam_newton *newton)
{
    thud_jam *jam = newton->jam;
    newton->t = jam->diameter * (1 - SHRINK);
    THUD_TRY(thudi_jam_newton_restart(newton));
    for (int i = 0; i < jam->count; i++)
        newton->stiff[i] = HELD / (newton->t * jam->count);
    for (int i = 0; i < STEPS; i++)
    {
        jam_reach reach;
        thudi_jam_newton_residual(newton);
        double gap = newton->mu * newton->count / newton->t;
        if ((gap < SOLVED && newton->residual < QUIET) || gap < VAIN || !is_sound(newton))
            break;
        THUD_TRY(thudi_jam_newton_step(newton, false, true, &reach));
        for (size_t k = 0; k < 3 * (size_t)jam->count; k++)
            newton->x[k] += reach.primal * newton->dx[k];
        newton->t += reach.primal * newton->dt;
        for (int c = 0; c < newton->count; c++)
        {
            newton->z[c] += reach.primal * newton->dz[c];
            jam->contacts.items[c].force += reach.dual * newton->dy[c];
        }
        if (show_progress(newton) == THUD_STOPPED)
            return THUD_STOPPED;
    }
    return THUD_OK;
}

// Move to where the programme led, as far as it looked.
static void follow_programme(jam_newton *newton)
{
    thud_jam *jam = newton->jam;
    double way = longest(jam, newton->x), most = thudi_jam_newton_safe_move(newton);
    displace(jam, way > most ? most / way : 1, newton->x);
    jam->diameter = thudi_jam_nearest(jam, jam->q);
}

// The network: pairs whose force is more than their distance, with forces in balance.
static bool settle(jam_newton *newton)
{
    thud_jam *jam = newton->jam;
    int kept = 0;
    for (int c = 0; c < newton->count; c++)
        if (jam->contacts.items[c].force * newton->t > newton->z[c])
            jam->contacts.items[kept++] = jam->contacts.items[c];
    jam->contact_count = kept;
    return thudi_jam_balance(jam);
}

// Programmes while they leave less and less room, to one that leaves none. Where they do not, the
// packing gives way along soft modes, which they would follow, but slowly: the climb does that.
static thud_status close_in(jam_newton *newton, bool *done)
{
    thud_jam *jam = newton->jam;
    double least = INFINITY;
    for (int vain = 0; vain < PATIENCE && !*done; vain++)
    {
        double before = jam->diameter;
        thud_status status = solve_programme(newton);
        if (status != THUD_OK || !is_sound(newton))
            return status;
        double room = newton->t / before - 1;
        follow_programme(newton);
        *done = room < LAST && settle(newton);
        if (room < least / 2)
        {
            least = room;
            vain = -1;
        }
    }
    return THUD_OK;
}

// Each climb is finer than the one before: it turns off along softer modes.
static thud_status iterate(jam_newton *newton, double growth, bool *done)
{
    thud_jam *jam = newton->jam;
    double goal = CLIMBED, back = START * growth;
    THUD_TRY(thudi_jam_newton_start(newton));
    for (int i = 0; i < ROUNDS && !*done; i++)
    {
        thud_status status = climb(newton, back, goal);
        goal = goal > FINEST / FINER ? goal * FINER : FINEST;
        back = BACK * goal;
        jam->diameter = thudi_jam_nearest(jam, jam->q);
        if (status == THUD_OK && is_sound(newton))
            status = close_in(newton, done);
        if (status != THUD_OK || !is_sound(newton))
            return status;
    }
    return THUD_OK;
}

thud_status thudi_jam_interior(thud_jam *jam, double growth, bool *done)
{
    size_t size = 3 * (size_t)jam->count * sizeof *jam->q;
    double before = jam->diameter;
    jam_newton newton = {.jam = jam};
    *done = false;
    memcpy(jam->trial, jam->q, size);
    thud_status status = iterate(&newton, growth, done);
    if (!*done)
    {
        memcpy(jam->q, jam->trial, size);
        jam->diameter = before;
    }
    thudi_jam_newton_end(&newton);
    return status;
}
