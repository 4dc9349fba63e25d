// Facts and findings, for people and for programs.
#include "thud/findings.h"
#include "thud/recording.h"

#include <math.h>

void thud_facts_write(const thud_facts *facts, thud_writer *writer)
{
    thud_finding findings[THUD_FINDINGS];
    int count = thud_facts_assess(facts, findings);
    char rho[THUD_NUMBER_SIZE], looked[THUD_COUNT_SIZE], unit[THUD_COUNT_SIZE];
    thud_scene_write_head(facts->scene, writer);
    thud_write(writer, "\n  near means g <= rho = %s%s; examined: the start",
               thud_words_short(rho, facts->rho), thud_words_unit(unit, facts->scene->unit_length));
    if (facts->is_run)
        thud_write(writer, " and %s of %lld", thud_words_count(looked, facts->looks - 1, "step"),
                   (long long)facts->steps);
    thud_write(writer, "\n");
    for (int i = 0; i < count; i++)
    {
        thud_write(writer, "  %-10s  %-8s", thud_holding_name(findings[i].holding),
                   findings[i].name);
        thud_write_safe(writer, findings[i].text);
        if (findings[i].meaning[0] != '\0')
        {
            thud_write(writer, "\n%22s", "");
            thud_write_safe(writer, findings[i].meaning);
        }
        thud_write(writer, "\n");
    }
}

static void write_extreme(thud_json *json, const thud_facts *facts, const char *name,
                          const thud_extreme *extreme)
{
    char where[200] = "";
    thud_json_open(json, name);
    thud_json_number(json, "value", extreme->value);
    if (extreme->value != 0 && isfinite(extreme->value))
        thud_model_describe(facts->model, extreme->key, where, sizeof where);
    thud_json_text(json, "where", where);
    thud_json_close(json);
}

static void write_gamma(thud_json *json, const thud_facts *facts, const char *name,
                        const thud_facts_gamma *gamma)
{
    char where[200];
    thud_json_open(json, name);
    thud_json_number(json, "gamma", gamma->worst.gamma);
    thud_json_number(json, "at_least", gamma->worst.least);
    thud_json_flag(json, "self_stress", gamma->worst.is_stressed);
    thud_json_whole(json, "constraints", gamma->worst.rows);
    thud_json_whole(json, "clusters", gamma->worst.clusters);
    thud_json_whole(json, "setting", gamma->worst.setting);
    thud_json_number(json, "t", gamma->t);
    thud_json_list(json, "set_by");
    for (int i = 0; i < gamma->setter_count; i++)
    {
        thud_model_describe(facts->model, gamma->setter[i], where, sizeof where);
        thud_json_text(json, NULL, where);
    }
    thud_json_list_end(json);
    thud_json_close(json);
}

static void write_run(thud_json *json, const thud_facts *facts)
{
    thud_json_whole(json, "first_step", facts->first);
    thud_json_whole(json, "steps", facts->steps);
    thud_json_whole(json, "frames", facts->frames);
    thud_json_whole(json, "looks", facts->looks);
    thud_json_number(json, "largest_speed", facts->largest_speed);
    thud_json_number(json, "variation", facts->variation);
    thud_json_flag(json, "all_steps", facts->frames == facts->steps + 1);
    thud_json_number(json, "mass", facts->total_mass);
    thud_json_number(json, "mass_over_bound", facts->worst_part);
    thud_json_whole(json, "loaded_steps", facts->loaded_steps);
    thud_json_whole(json, "held_steps", facts->held_steps);
    thud_json_whole(json, "steps_without_bound", facts->free_steps);
    thud_json_whole(json, "steps_not_judged", facts->unjudged_steps);
    thud_json_number(json, "support", facts->loaded_steps > 0 ? facts->support.value : NAN);
}

static void write_facts(thud_json *json, const thud_facts *facts)
{
    const thud_bounds *bounds = &facts->bounds;
    thud_json_text(json, "title", facts->scene->title);
    thud_json_number(json, "rho", facts->rho);
    thud_json_number(json, "length", facts->length);
    write_extreme(json, facts, "alpha", &bounds->alpha);
    write_extreme(json, facts, "beta", &bounds->beta);
    write_extreme(json, facts, "gap_t", &bounds->gap_t);
    write_extreme(json, facts, "slope_t", &bounds->slope_t);
    write_extreme(json, facts, "gap_tt", &bounds->gap_tt);
    write_extreme(json, facts, "curvature", &bounds->curvature);
    write_extreme(json, facts, "concavity", &bounds->concavity);
    write_gamma(json, facts, "active", &facts->active);
    write_gamma(json, facts, "near", &facts->near);
    thud_json_number(json, "force", facts->force_size);
    thud_json_number(json, "lipschitz", facts->lipschitz);
    thud_json_number(json, "force_integral", facts->force_integral);
    thud_json_whole(json, "kinks", facts->kinks);
    thud_json_number(json, "start_gap", facts->start.gap.value);
    thud_json_whole(json, "start_touching", facts->start.touching);
    thud_json_number(json, "step", facts->scene->step);
    thud_json_number(json, "safe_step", facts->safe_step);
    if (facts->is_run)
        write_run(json, facts);
}

void thud_facts_json(const thud_facts *facts, thud_json *json)
{
    thud_finding findings[THUD_FINDINGS];
    int count = thud_facts_assess(facts, findings);
    thud_json_open(json, NULL);
    write_facts(json, facts);
    thud_json_list(json, "findings");
    for (int i = 0; i < count; i++)
    {
        thud_json_open(json, NULL);
        thud_json_text(json, "name", findings[i].name);
        thud_json_text(json, "verdict", thud_holding_name(findings[i].holding));
        thud_json_text(json, "text", findings[i].text);
        thud_json_text(json, "meaning", findings[i].meaning);
        thud_json_close(json);
    }
    thud_json_list_end(json);
    thud_json_close(json);
}
