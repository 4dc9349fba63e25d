/// What is expected of the checker, and counted.
#ifndef CHECKER_EXPECT_H
#define CHECKER_EXPECT_H

#include "checker_scenes.h"
#include "thud_test.h"

typedef struct checker_tally
{
    int tried, caught;
} checker_tally;

/// Check a step; the verdict of one that could not be checked holds nothing.
thud_verdict checker_verdict(const checker_scene *scene, const scene_step *step);

void checker_print_failing(const thud_verdict *verdict);

/// The step must fail, and the named certificate among those that do.
void checker_expect_caught(const checker_scene *scene, const scene_step *step,
                           thud_certificate_name by, const char *what, checker_tally *count);

/// The step must fail by the named certificate and by no other.
void checker_expect_only(const checker_scene *scene, const scene_step *step,
                         thud_certificate_name by);

/// Print how many were caught; some must have been tried.
void checker_report(const char *what, checker_tally count);

#endif
