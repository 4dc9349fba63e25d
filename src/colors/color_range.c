// Computes the range of every colour over a whole run:
//
//     speed, pressure    from 0 to a tick that 99 in 100 of the values above 0 do not exceed
//     radius             from the smallest to the largest
//     contacts           from 0 to the largest
#include "colors/color_range.h"

#include "colors/body_values.h"
#include "core/fault.h"
#include "core/memory.h"

#include <math.h>

enum
{
    MOST_FRAMES = 64,   // that are read
    MOST_VALUES = 4096, // that are kept of one frame
    PART = 100,         // one value in so many may be above the range
};

// Bodies are at rest if none moves farther than this in the whole run, in radii of the largest
// body. Rounding alone may move them so far.
static const double REST = 1e-9;

// The values of one colour above 0, from all frames together.
typedef struct pool
{
    THUDI_ARRAY(double) items; // those that are kept
    int count;                 // of items
    double most;               // the largest of all, kept or not
} pool;

typedef struct finder
{
    thudi_ranges *ranges;
    const thud_scene *scene;
    const thud_allocator *allocator;
    unsigned wanted; // bit 1 << color: is the range of the colour computed?
    pool pools[THUD_COLOR_COUNT];
    THUDI_ARRAY(double) values; // of one colour in one frame, by body
    double radius;              // the largest of all bodies and frames
    double first, last;         // times of the first and last frame that was read
} finder;

// Does the range of this colour end at a value that most values do not exceed?
static bool is_pooled(thud_color color)
{
    return color == THUD_COLOR_SPEED || color == THUD_COLOR_PRESSURE;
}

// Add the values of one frame. If they are too many, every stride-th one is kept.
static thud_status pool_add(pool *into, const thud_allocator *allocator, const double *value,
                            int count)
{
    int stride = count > MOST_VALUES ? (count + MOST_VALUES - 1) / MOST_VALUES : 1;
    THUD_TRY(thudi_array_reserve(allocator, &into->items,
                                 (size_t)into->count + (size_t)(count / stride) + 1));
    for (int i = 0; i < count; i++)
    {
        if (!(value[i] > 0) || !isfinite(value[i]))
            continue;
        into->most = value[i] > into->most ? value[i] : into->most;
        if (i % stride == 0)
            into->items.items[into->count++] = value[i];
    }
    return THUD_OK;
}

static void widen(thudi_color_range *range, const double *value, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (!isfinite(value[i]))
            continue;
        range->low = value[i] < range->low ? value[i] : range->low;
        range->high = value[i] > range->high ? value[i] : range->high;
    }
}

static thud_status add_frame(finder *find, const thud_snapshot *snapshot)
{
    THUD_TRY(thudi_array_reserve(find->allocator, &find->values, (size_t)snapshot->count + 1));
    for (int color = 0; color < THUD_COLOR_COUNT; color++)
    {
        double *value = find->values.items;
        if (!(find->wanted >> color & 1U))
            continue;
        thudi_values_find((thud_color)color, find->scene, snapshot, value);
        if (is_pooled((thud_color)color))
            THUD_TRY(pool_add(&find->pools[color], find->allocator, value, snapshot->count));
        else
            widen(&find->ranges->color[color], value, snapshot->count);
    }
    for (int i = 0; i < snapshot->count; i++)
        find->radius = snapshot->radius[i] > find->radius ? snapshot->radius[i] : find->radius;
    find->first = isnan(find->first) ? snapshot->t : find->first;
    find->last = snapshot->t;
    return THUD_OK;
}

// Read up to MOST_FRAMES frames, evenly spread; the first and the last are among them.
static thud_status read_frames(finder *find, const thud_log *log, thud_snapshot_reader *reader,
                               thud_fault *fault)
{
    int64_t count = thud_log_view(log).frame_count;
    int64_t reads = count < MOST_FRAMES ? count : MOST_FRAMES;
    for (int64_t i = 0; i < reads; i++)
    {
        int64_t frame = reads > 1 ? i * (count - 1) / (reads - 1) : 0;
        thud_snapshot snapshot;
        // A damaged frame is skipped, so its fault is not needed. If the frame is also to be shown,
        // the code that shows it fails with this fault.
        thud_status status = thud_snapshot_read(reader, frame, &snapshot, NULL);
        if (status >= 0)
            status = add_frame(find, &snapshot);
        if (status == THUD_ERR_MEMORY)
            return thudi_fail_memory(fault);
    }
    return THUD_OK;
}

// x rounded up to a multiple of the distance between the ticks of a scale 0 .. x. A scale up to the
// result ends at a tick.
static double round_up(double x)
{
    thudi_ticks ticks = thudi_ticks_linear(0, x, THUDI_SCALE_TICKS);
    if (ticks.count < 2)
        return x;
    double last = ticks.at[ticks.count - 1];
    return last >= x * (1 - THUDI_TICK_SLACK) ? last : last + ticks.at[1];
}

double thudi_chains_force(const thud_snapshot *snapshot, double *room)
{
    for (int i = 0; i < snapshot->touch_count; i++)
        room[i] = snapshot->force[i];
    return round_up(thudi_values_most(room, snapshot->touch_count, PART));
}

static void set_ranges(finder *find)
{
    double slowest = REST * find->radius / (find->last - find->first);
    for (int color = 0; color < THUD_COLOR_COUNT; color++)
    {
        thudi_color_range *range = &find->ranges->color[color];
        if (is_pooled((thud_color)color))
        {
            pool *all = &find->pools[color];
            double most = thudi_values_most(all->items.items, all->count, PART);
            *range = (thudi_color_range){.high = round_up(most)};
            range->is_cut = all->most > range->high;
        }
        if (!(range->low <= range->high)) // there was no value
            range->low = range->high = 0;
        if (color == THUD_COLOR_CONTACTS)
            range->low = 0;
        if (range->high == 0 || (color == THUD_COLOR_SPEED && range->high < slowest))
            range->high = 1; // all is 0 or rounding: the scale must not be empty
    }
}

thud_status thudi_ranges_find(thudi_ranges *ranges, const thud_snapshot_def *run,
                              thud_snapshot_reader *reader, unsigned wanted, thud_fault *fault)
{
    thud_allocator allocator = thudi_allocator_or_default(run->allocator);
    finder find = {.ranges = ranges,
                   .scene = run->scene,
                   .allocator = &allocator,
                   .wanted = wanted,
                   .first = NAN};
    for (int color = 0; color < THUD_COLOR_COUNT; color++)
        ranges->color[color] = (thudi_color_range){.low = INFINITY, .high = -INFINITY};
    thud_status status = read_frames(&find, run->log, reader, fault);
    if (status >= 0)
        set_ranges(&find);
    for (int color = 0; color < THUD_COLOR_COUNT; color++)
        thudi_array_free(&allocator, &find.pools[color].items);
    thudi_array_free(&allocator, &find.values);
    return status;
}

thudi_ticks thudi_range_ticks(const thudi_color_range *range, thud_color color, int most)
{
    if (color == THUD_COLOR_CONTACTS && range->high < most)
        most = (int)range->high;
    return thudi_ticks_linear(range->low, range->high, most);
}
