// The network of contacts: which bodies are held, and forces in balance.
#include "jam/jam.h"

#include <math.h>
#include <string.h>

enum
{
    HOLDING = 4, // contacts that hold a sphere, at least: fewer leave it a way out
    PASSES = 200 // of dropping what does not push
};

static const double WEAK = 1e-9;   // of the mean force: no force
static const double EXACT = 1e-22; // squared gradient to stop at, of the first
static const double GONE = 1e-6;   // of the forces before: there is nothing in balance

int thudi_jam_find_rattlers(thud_jam *jam)
{
    int held = 0;
    for (int i = 0; i < jam->count; i++)
        jam->is_rattler[i] = true;
    for (int c = 0; c < jam->contact_count; c++)
        jam->is_rattler[jam->contacts.items[c].a] = jam->is_rattler[jam->contacts.items[c].b] =
            false;
    for (int i = 0; i < jam->count; i++)
        held += !jam->is_rattler[i];
    return held;
}

int thudi_jam_isostatic(int held)
{
    return 3 * (held - 1) + 1;
}

static void measure(thud_jam *jam, const double *q)
{
    for (int c = 0; c < jam->contact_count; c++)
    {
        thud_jam_contact *contact = &jam->contacts.items[c];
        double vector[3];
        contact->distance = thudi_jam_between(q, contact->a, contact->b, vector);
        for (int k = 0; k < 3; k++)
            contact->normal[k] = vector[k] / contact->distance;
    }
}

static void count_degrees(thud_jam *jam)
{
    memset(jam->degree, 0, (size_t)jam->count * sizeof *jam->degree);
    for (int c = 0; c < jam->contact_count; c++)
    {
        jam->degree[jam->contacts.items[c].a]++;
        jam->degree[jam->contacts.items[c].b]++;
    }
}

// Drop contacts without force, and those of bodies that too few of them hold, until all is held.
static bool prune(thud_jam *jam)
{
    bool any = false;
    double mean = 0;
    for (int c = 0; c < jam->contact_count; c++)
        mean += jam->contacts.items[c].force / jam->contact_count;
    for (bool changed = true; changed; any = any || changed)
    {
        int kept = 0;
        count_degrees(jam);
        for (int c = 0; c < jam->contact_count; c++)
        {
            const thud_jam_contact contact = jam->contacts.items[c];
            if (contact.force > WEAK * mean && jam->degree[contact.a] >= HOLDING &&
                jam->degree[contact.b] >= HOLDING)
                jam->contacts.items[kept++] = contact;
        }
        changed = kept < jam->contact_count;
        jam->contact_count = kept;
    }
    return any;
}

// Forces made to have sum force times diameter = 1.
static bool normalise(thud_jam *jam, const double *y)
{
    double sum = 0;
    for (int c = 0; c < jam->contact_count; c++)
        sum += y[c] > 0 ? y[c] * jam->diameter : 0;
    for (int c = 0; c < jam->contact_count && sum > 0; c++)
        jam->contacts.items[c].force = y[c] / sum;
    return sum > 0;
}

bool thudi_jam_balance(thud_jam *jam)
{
    measure(jam, jam->q);
    (void)prune(jam);
    for (int pass = 0; pass < PASSES && jam->contact_count > 0; pass++)
    {
        double *y = jam->by_contact.items + 2 * (size_t)jam->contact_count, before = 0, after = 0;
        for (int c = 0; c < jam->contact_count; c++)
            before += fabs(y[c] = jam->contacts.items[c].force);
        for (int i = 0; i < 3; i++) // once more for what rounding left
            thudi_jam_project_forces(jam, EXACT, y);
        for (int c = 0; c < jam->contact_count; c++)
            after += fabs(y[c]);
        if (!(after > GONE * before) || !normalise(jam, y))
            return false; // the bodies feel every force: they can give way
        if (!prune(jam))
            return true;
    }
    return false;
}
