// The impacts of a run, for people and for programs.
#include "thud/impacts.h"

#include <math.h>

enum
{
    NAME = 160
};

static void write_contact(const thud_recorded *run, const thud_impact_contact *contact,
                          thud_writer *writer)
{
    char name[NAME], before[THUD_NUMBER_SIZE], after[THUD_NUMBER_SIZE], atom[THUD_NUMBER_SIZE];
    thud_model_describe(thud_recorded_model(run), contact->key, name, sizeof name);
    thud_write(writer, "    ");
    thud_write_safe(writer, name);
    thud_write(writer, ": %s %s, rate of the gap %s before and %s after\n",
               contact->is_atom ? "atom" : "lasting contact",
               thud_words_short(atom, contact->impulse), thud_words_short(before, contact->before),
               thud_words_short(after, contact->after));
}

void thud_impacts_write(const thud_recorded *run, const thud_impacts_result *result,
                        thud_writer *writer)
{
    char a[THUD_NUMBER_SIZE], b[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE];
    int64_t first = thud_log_view(thud_recorded_log(run)).first_node;
    thud_write_safe(writer, thud_recorded_scene(run)->title);
    thud_write(writer, "\n  %s; impulses in atoms %s, in lasting contact %s\n",
               thud_words_count(count, result->impact_count, "impact"),
               thud_words_short(a, result->atoms), thud_words_short(b, result->density));
    if (first > 0)
        thud_write(writer, "  the run continues another; steps 1 to %lld are not in it\n",
                   (long long)first);
    thud_write(writer,
               "  atoms are impulses above %s that stand out from the steps around them; h = %s\n",
               thud_words_short(a, result->threshold), thud_words_short(b, result->h));
    for (int i = 0; i < result->impact_count; i++)
    {
        const thud_impact *impact = &result->impacts[i];
        thud_write(writer, "  t = %.6g, steps %lld to %lld: |u+ - u-| = %s", impact->t,
                   (long long)impact->first_step, (long long)impact->last_step,
                   thud_words_short(a, impact->jump));
        if (impact->restitution > 0)
            thud_write(writer, ", e = %s", thud_words_short(a, impact->restitution));
        if (isnan(impact->residual))
            thud_write(writer, ", residual unknown\n");
        else
            thud_write(writer, ", residual %s\n", thud_words_short(a, impact->residual));
        for (int k = 0; k < impact->contact_count; k++)
            write_contact(run, &result->contacts[impact->first_contact + k], writer);
    }
    if (result->impact_count > 0)
        thud_write(writer, "largest residual of the collision law: %s = %.3g h\n",
                   thud_words_short(a, result->residual), result->residual / result->h);
}

void thud_impacts_write_csv(const thud_recorded *run, const thud_impacts_result *result,
                            thud_writer *writer)
{
    thud_write(writer, "impact,t,first_step,last_step,contact,kind,impulse,before,after,jump,"
                       "restitution,residual\n");
    for (int i = 0; i < result->impact_count; i++)
    {
        const thud_impact *impact = &result->impacts[i];
        for (int k = 0; k < impact->contact_count; k++)
        {
            const thud_impact_contact *contact = &result->contacts[impact->first_contact + k];
            double values[] = {contact->impulse, contact->before,     contact->after,
                               impact->jump,     impact->restitution, impact->residual};
            char name[NAME], number[THUD_NUMBER_SIZE];
            thud_model_describe(thud_recorded_model(run), contact->key, name, sizeof name);
            thud_write(writer, "%d,%s,%lld,%lld,\"", i, thud_number_write(number, impact->t),
                       (long long)impact->first_step, (long long)impact->last_step);
            thud_write_safe(writer, name);
            thud_write(writer, "\",%s", contact->is_atom ? "atom" : "load");
            for (size_t j = 0; j < sizeof values / sizeof *values; j++)
                thud_write(writer, ",%s", thud_number_write(number, values[j]));
            thud_write(writer, "\n");
        }
    }
}

static void json_velocities(thud_json *json, const thud_recorded *run,
                            const thud_impacts_result *result, const thud_impact *impact)
{
    thud_json_list(json, "velocities");
    for (int k = 0; k < impact->coordinate_count; k++)
    {
        int at = impact->first_coordinate + k;
        char name[NAME];
        thud_scene_name_coordinate(thud_recorded_scene(run), result->coordinates[at], name,
                                   sizeof name);
        thud_json_open(json, NULL);
        thud_json_text(json, "of", name);
        thud_json_number(json, "before", result->before[at]);
        thud_json_number(json, "after", result->after[at]);
        thud_json_close(json);
    }
    thud_json_list_end(json);
}

static void json_contacts(thud_json *json, const thud_recorded *run,
                          const thud_impacts_result *result, const thud_impact *impact)
{
    thud_json_list(json, "contacts");
    for (int k = 0; k < impact->contact_count; k++)
    {
        const thud_impact_contact *contact = &result->contacts[impact->first_contact + k];
        char name[NAME];
        thud_model_describe(thud_recorded_model(run), contact->key, name, sizeof name);
        thud_json_open(json, NULL);
        thud_json_text(json, "contact", name);
        thud_json_text(json, "kind", contact->is_atom ? "atom" : "load");
        thud_json_number(json, "impulse", contact->impulse);
        thud_json_number(json, "before", contact->before);
        thud_json_number(json, "after", contact->after);
        thud_json_close(json);
    }
    thud_json_list_end(json);
}

void thud_impacts_json(const thud_recorded *run, const thud_impacts_result *result, thud_json *json)
{
    thud_json_open(json, NULL);
    thud_json_text(json, "title", thud_recorded_scene(run)->title);
    thud_json_whole(json, "first_step", thud_log_view(thud_recorded_log(run)).first_node);
    thud_json_number(json, "h", result->h);
    thud_json_number(json, "threshold", result->threshold);
    thud_json_number(json, "atoms", result->atoms);
    thud_json_number(json, "load", result->density);
    thud_json_number(json, "residual", result->residual);
    thud_json_list(json, "impacts");
    for (int i = 0; i < result->impact_count; i++)
    {
        const thud_impact *impact = &result->impacts[i];
        thud_json_open(json, NULL);
        thud_json_number(json, "t", impact->t);
        thud_json_whole(json, "first_step", impact->first_step);
        thud_json_whole(json, "last_step", impact->last_step);
        thud_json_number(json, "jump", impact->jump);
        thud_json_number(json, "restitution", impact->restitution);
        thud_json_number(json, "residual", impact->residual);
        json_contacts(json, run, result, impact);
        json_velocities(json, run, result, impact);
        thud_json_close(json);
    }
    thud_json_list_end(json);
    thud_json_close(json);
}
