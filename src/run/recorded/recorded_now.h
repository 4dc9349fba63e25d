// A run that is being written.
#ifndef THUDI_RECORDED_NOW_H
#define THUDI_RECORDED_NOW_H

#include "thud/recorded.h"

// A step and when it was taken, in seconds of any clock.
typedef struct thudi_moment
{
    double step, when;
} thudi_moment;

// Fill in rates and the time left, for a run that was at two moments.
void thudi_now_rate(thud_recorded_now *now, const thud_scene *scene, thudi_moment from,
                    thudi_moment to);

// Read it. Nothing is locked, and files may grow meanwhile.
void thudi_now_read(const thud_recorded *recorded, const thud_recorded_ending *end,
                    thud_recorded_now *now);
void thudi_now_write(const thud_recorded_now *now, const thud_scene *scene, thud_writer *writer);
void thudi_now_json(const thud_recorded_now *now, thud_json *json);

#endif
