// What is expected of the checker, and counted.
#include "checker_expect.h"

thud_verdict checker_verdict(const checker_scene *scene, const scene_step *step)
{
    thud_verdict verdict = {0};
    thud_status status =
        thud_verify_step(&scene->problem, &step->before, &step->after, NULL, &verdict);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", scene->name, thud_status_name(status));
    return verdict;
}

void checker_print_failing(const thud_verdict *verdict)
{
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        if (!verdict->checks[i].holds)
            printf("    %s: value %g, residual %g, at %lld, key %llu\n",
                   thud_certificate_title((thud_certificate_name)i), verdict->checks[i].value,
                   verdict->checks[i].residual, (long long)verdict->checks[i].where,
                   (unsigned long long)thud_key_read(verdict->checks[i].key, THUD_KEYS_NUMBERED).a);
}

void checker_expect_caught(const checker_scene *scene, const scene_step *step,
                           thud_certificate_name by, const char *what, checker_tally *count)
{
    thud_verdict verdict = checker_verdict(scene, step);
    bool caught = !verdict.holds && !verdict.checks[by].holds;
    count->tried++;
    count->caught += caught;
    if (!caught)
        test_fail(__FILE__, __LINE__, "%s: %s not caught by %s", scene->name, what,
                  thud_certificate_title(by));
}

void checker_expect_only(const checker_scene *scene, const scene_step *step,
                         thud_certificate_name by)
{
    thud_verdict verdict = checker_verdict(scene, step);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        if (verdict.checks[i].holds == (i == (int)by))
            test_fail(__FILE__, __LINE__, "%s: %s %s, wanted only %s to fail", scene->name,
                      thud_certificate_title((thud_certificate_name)i),
                      verdict.checks[i].holds ? "holds" : "fails", thud_certificate_title(by));
}

void checker_report(const char *what, checker_tally count)
{
    printf("  %s: caught %d of %d\n", what, count.caught, count.tried);
    CHECK(count.tried > 0);
}
