// Pairs of bodies that could be near, by sorting.
//
// Bodies are taken by size, the largest first: those of one size, within a factor of eight, are
// compared with each other and with all that are smaller. They are put into strips as wide as the
// largest along one axis and sorted within a strip along another; only those that overlap there, in
// the same strip or the next, are compared.
#include "verify/spheres/checker_pairs.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef thudi_place place;

static const double SIZES = 8; // largest over smallest of those that are of one size

// Reaches, and their squares, are enlarged by these, of themselves and of the place: more than all
// roundings.
static const double FARTHER = 1 + 1e-9, PLACE_ROUNDING = 1e-15, FARTHER_SQUARED = 1 + 1e-12;

static int compare_places(const void *a, const void *b)
{
    const place *left = a, *right = b;
    if (left->strip != right->strip)
        return left->strip < right->strip ? -1 : 1;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return left->body < right->body ? -1 : left->body > right->body;
}

// Most are not near; those are told without a root.
static bool is_surely_far(const place *a, const place *b)
{
    double reach = a->extent + b->extent, square = 0;
    for (int k = 0; k < 3; k++)
        square += (b->x[k] - a->x[k]) * (b->x[k] - a->x[k]);
    return square > reach * reach * FARTHER_SQUARED;
}

// The two axes along which the bodies are spread most: strips along the first.
static void choose_axes(thudi_pairs *p)
{
    double low[3] = {0, 0, 0}, spread[3] = {0, 0, -1};
    for (int k = 0; k < p->dim && k < 3; k++)
    {
        double high = low[k] = p->places[0].x[k];
        for (size_t i = 1; i < p->count; i++)
        {
            double x = p->places[i].x[k];
            low[k] = x < low[k] ? x : low[k];
            high = x > high ? x : high;
        }
        spread[k] = high - low[k];
    }
    int worst = 0;
    for (int k = 1; k < 3; k++)
        if (spread[k] < spread[worst])
            worst = k;
    p->axes[0] = (worst + 1) % 3;
    p->axes[1] = (worst + 2) % 3;
    p->from = low[p->axes[0]];
}

static void sort_places(const thudi_pairs *p, double width, place *first, const place *end)
{
    for (place *i = first; i < end; i++)
    {
        double strip = (i->x[p->axes[0]] - p->from) / width, x = i->x[p->axes[1]];
        double half = i->extent * FARTHER + PLACE_ROUNDING * fabs(x);
        i->strip = strip < INT_MAX - 2 ? (int)strip : INT_MAX - 2;
        i->low = x - half;
        i->high = x + half;
    }
    qsort(first, (size_t)(end - first), sizeof *first, compare_places);
}

// Put the places with extents above `below` first; where the others begin.
static place *part_by_size(place *first, const place *end, double below)
{
    for (place *i = first; i < end; i++)
        if (i->extent > below)
        {
            place moved = *i;
            *i = *first;
            *first++ = moved;
        }
    return first;
}

// Compare place i with those from `first` on, in one strip, whose low is within its own reach.
static thud_status sweep(const thudi_pairs *p, const place *i, const place *first, const place *end)
{
    for (const place *j = first; j < end && j->low <= i->high; j++)
    {
        if (is_surely_far(i, j))
            continue;
        thud_status status = p->compare(i, j, p->user);
        if (status != THUD_OK)
            return status;
    }
    return THUD_OK;
}

static const place *strip_end(const place *first, const place *end)
{
    const place *next = first;
    while (next < end && next->strip == first->strip)
        next++;
    return next;
}

// Pairs across two strips: whichever begins later is within reach of the other.
static thud_status sweep_across(const thudi_pairs *p, const place *a, const place *a_end,
                                const place *b, const place *b_end)
{
    thud_status status = THUD_OK;
    while (a < a_end && b < b_end && status == THUD_OK)
    {
        if (a->low <= b->low)
        {
            status = sweep(p, a, b, b_end);
            a++;
        }
        else
        {
            status = sweep(p, b, a, a_end);
            b++;
        }
    }
    return status;
}

// Pairs among some places.
static thud_status compare_own(const thudi_pairs *p, const place *first, const place *end)
{
    thud_status status = THUD_OK;
    while (first < end && status == THUD_OK)
    {
        const place *next = strip_end(first, end);
        for (const place *i = first; i < next && status == THUD_OK; i++)
            status = sweep(p, i, i + 1, next);
        if (status == THUD_OK && next < end && next->strip == first->strip + 1)
            status = sweep_across(p, first, next, next, strip_end(next, end));
        first = next;
    }
    return status;
}

// The first place that is in a strip or behind it.
static const place *find_strip(const place *first, const place *end, int strip)
{
    while (first < end)
    {
        const place *middle = first + (end - first) / 2;
        if (middle->strip < strip)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

// Pairs of the places from `large` on with the smaller ones from `small` on.
static thud_status compare_between(const thudi_pairs *p, const place *large, const place *small,
                                   const place *end)
{
    thud_status status = THUD_OK;
    for (const place *first = large, *next; first < small && status == THUD_OK; first = next)
    {
        next = strip_end(first, small);
        for (int beside = -1; beside <= 1 && status == THUD_OK; beside++)
        {
            const place *other = find_strip(small, end, first->strip + beside);
            const place *other_end = find_strip(other, end, first->strip + beside + 1);
            status = sweep_across(p, first, next, other, other_end);
        }
    }
    return status;
}

static double largest_extent(const place *first, const place *end)
{
    double largest = 0;
    for (; first < end; first++)
        largest = first->extent > largest ? first->extent : largest;
    return largest;
}

thud_status thudi_pairs_compare(thudi_pairs *p)
{
    thud_status status = THUD_OK;
    place *end = p->places + p->count;
    choose_axes(p);
    for (place *first = p->places, *small; first < end && status == THUD_OK; first = small)
    {
        double most = largest_extent(first, end);
        double width = most * 2.0 * (1 + 1e-9); // rounding puts no near pair two strips apart
        small = part_by_size(first, end, most / SIZES);
        sort_places(p, width, first, small);
        sort_places(p, width, small, end);
        status = compare_own(p, first, small);
        if (status == THUD_OK)
            status = compare_between(p, first, small, end);
    }
    return status;
}
