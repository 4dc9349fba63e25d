// Sentences about scenes and steps that summaries, verdicts and commands share.
#include "thud/recording.h"

#include <stdio.h>

void thud_scene_write_head(const thud_scene *scene, thud_writer *writer)
{
    char first[THUD_COUNT_SIZE], second[THUD_COUNT_SIZE], step[THUD_NUMBER_SIZE];
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    const char *body = scene->dim == 2 ? "disk" : "sphere";
    thud_write_safe(writer, scene->title);
    thud_write(writer, "\n");
    if (is_world)
        thud_write(writer, "  %s, %s", thud_words_count(first, scene->body_count, body),
                   thud_words_count(second, scene->wall_count + scene->obstacle_count, "wall"));
    else
        thud_write(writer, "  %s, %s",
                   thud_words_count(first, scene->coordinate_count, "coordinate"),
                   thud_words_count(second, scene->constraint_count, "constraint"));
    thud_write(writer, ", step %s%s", thud_words_short(step, scene->step),
               thud_words_unit(first, scene->unit_time));
}

void thud_write_enclosed(thud_writer *writer, int indent, int64_t held, int64_t all,
                         const char *noun, const double bounds[3])
{
    char some[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE], number[3][THUD_NUMBER_SIZE];
    char enlarged[80] = "";
    if (held <= 0)
        return;
    if (bounds[2] > 0)
        (void)snprintf(enlarged, sizeof enlarged, " (some gaps enlarged by up to %s)",
                       thud_words_short(number[2], bounds[2]));
    thud_write_line(writer, indent,
                    "which contacts push is proved in %s of %s; velocities there are off by at "
                    "most %s for the gaps themselves, and by %s for the gaps less their shifts%s",
                    thud_words_grouped(some, held), thud_words_count(count, all, noun),
                    thud_words_short(number[0], bounds[0]), thud_words_short(number[1], bounds[1]),
                    enlarged);
}
