// What the tests of scenes share.
#include "scene_rig.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

int rig_sink(const char *bytes, size_t length, void *user)
{
    rig_text *text = user;
    if (text->length + length + 1 > text->capacity)
    {
        size_t room = 2 * (text->length + length + 1);
        char *larger = realloc(text->bytes, room);
        if (!larger)
            return 1;
        text->bytes = larger;
        text->capacity = room;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
    return 0;
}

void rig_text_free(rig_text *text)
{
    free(text->bytes);
    *text = (rig_text){0};
}

bool rig_load(const char *path, rig_text *text)
{
    char part[4096];
    size_t got;
    *text = (rig_text){0};
    FILE *file = fopen(path, "rb");
    bool fine = file && rig_sink("", 0, text) == 0;
    while (fine && (got = fread(part, 1, sizeof part, file)) > 0)
        fine = rig_sink(part, got, text) == 0;
    if (file)
        (void)fclose(file);
    if (!fine)
        test_fail(__FILE__, __LINE__, "cannot read %s", path);
    return fine;
}

int rig_exit_code(thud_status status)
{
    switch (status)
    {
    case THUD_ERR_ARGUMENT:
        return 2;
    case THUD_ERR_SCENE:
        return 3;
    case THUD_ERR_IO:
        return 4;
    case THUD_ERR_LIMIT:
    case THUD_ERR_MEMORY:
        return 5;
    default:
        return 99;
    }
}

void rig_report(const thud_scene_def *def, char report[RIG_REPORT_SIZE])
{
    thud_scene *scene = NULL;
    thud_fault fault;
    char line[16] = "", column[16] = "";
    thud_status status = thud_scene_read(def, &scene, &fault);
    report[0] = '\0';
    thud_scene_destroy(scene);
    if (status >= 0)
        return;
    if (fault.line > 0)
        (void)snprintf(line, sizeof line, ":%d", fault.line);
    if (fault.column > 0)
        (void)snprintf(column, sizeof column, ":%d", fault.column);
    (void)snprintf(report, RIG_REPORT_SIZE, "thud: error: %s%s%s: %s\n%s%s%sexit %d\n", fault.file,
                   line, column, fault.text, fault.hint[0] ? "  hint: " : "", fault.hint,
                   fault.hint[0] ? "\n" : "", rig_exit_code(status));
}

thud_scene *rig_read(const thud_scene_def *def)
{
    thud_scene *scene = NULL;
    thud_fault fault;
    thud_status status = thud_scene_read(def, &scene, &fault);
    if (status < 0)
        test_fail(__FILE__, __LINE__, "%s:%d:%d: %s (%s)", fault.file, fault.line, fault.column,
                  fault.text, thud_status_name(status));
    return scene;
}

thud_scene *rig_read_text(const char *text)
{
    return rig_read(&(thud_scene_def){.text = text, .length = strlen(text)});
}

static bool differ(const char *what, int i)
{
    test_fail(__FILE__, __LINE__, "%s differ (%d)", what, i);
    return false;
}

#define SAME_NUMBER(a, b) (memcmp(&(a), &(b), sizeof(double)) == 0)

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_expression(const thud_expression *a, const thud_expression *b)
{
    return a == b ||
           (a && b && same_text(thud_expression_view(a)->text, thud_expression_view(b)->text));
}

static bool same_table(const thud_knots *a, const thud_knots *b)
{
    if (!a || !b)
        return a == b;
    size_t size = (size_t)a->count * sizeof *a->t;
    return a->count == b->count && memcmp(a->t, b->t, size) == 0 &&
           memcmp(a->value, b->value, size) == 0 && memcmp(a->curve, b->curve, size) == 0;
}

static bool same_varying(const thud_varying *a, const thud_varying *b)
{
    return a->kind == b->kind && SAME_NUMBER(a->value, b->value) &&
           same_expression(a->expression, b->expression) && same_table(a->table, b->table);
}

static bool same_plane(const thud_scene_plane *a, const thud_scene_plane *b, int dim)
{
    bool same = true;
    for (int k = 0; k < dim; k++)
        same = same && same_varying(&a->point[k], &b->point[k]) &&
               same_varying(&a->normal[k], &b->normal[k]);
    return same;
}

static bool same_common(const thud_scene *a, const thud_scene *b)
{
    return same_text(a->title, b->title) && same_text(a->about, b->about) && a->kind == b->kind &&
           same_text(a->unit_length, b->unit_length) && same_text(a->unit_time, b->unit_time) &&
           same_text(a->unit_mass, b->unit_mass) && SAME_NUMBER(a->start, b->start) &&
           SAME_NUMBER(a->step, b->step) && SAME_NUMBER(a->end, b->end) && a->frames == b->frames &&
           a->record_all == b->record_all && a->law == b->law && SAME_NUMBER(a->noise, b->noise) &&
           (a->noise == 0 || a->seed == b->seed) && SAME_NUMBER(a->drag, b->drag);
}

static bool same_growth(const thud_scene_growth *a, const thud_scene_growth *b)
{
    if (!a || !b)
        return a == b;
    return same_varying(&a->factor, &b->factor);
}

static bool same_body(const thud_scene_body *a, const thud_scene_body *b)
{
    // no holes between doubles
    return memcmp(&a->sphere, &b->sphere, sizeof a->sphere) == 0 && a->material == b->material &&
           same_text(a->name, b->name) && same_growth(a->growth, b->growth);
}

static bool same_head(const thud_scene *a, const thud_scene *b)
{
    bool same = a->dim == b->dim && same_text(a->quality, b->quality) &&
                SAME_NUMBER(a->tol, b->tol) && SAME_NUMBER(a->tol_a, b->tol_a) &&
                a->overlaps == b->overlaps && a->gravity_moves == b->gravity_moves &&
                a->material_count == b->material_count && a->body_count == b->body_count &&
                a->wall_count == b->wall_count && a->measure_count == b->measure_count &&
                a->obstacle_count == b->obstacle_count && a->contact_count == b->contact_count &&
                a->growth_count == b->growth_count;
    for (int k = 0; k < a->dim && same; k++)
        same = same_varying(&a->gravity[k], &b->gravity[k]);
    return same;
}

static bool same_obstacle(const thud_scene_obstacle *a, const thud_scene_obstacle *b)
{
    const thud_solid_def *p = &a->solid, *q = &b->solid;
    bool same = same_text(a->name, b->name) && a->moves == b->moves && a->material == b->material &&
                p->kind == q->kind && memcmp(p->points, q->points, sizeof p->points) == 0 &&
                SAME_NUMBER(p->radius, q->radius) && p->is_open == q->is_open &&
                p->triangle_count == q->triangle_count;
    if (same && p->triangle_count > 0)
        same = memcmp(p->triangles, q->triangles,
                      9 * (size_t)p->triangle_count * sizeof *p->triangles) == 0;
    for (int k = 0; k < 3 && same; k++)
        same = same_varying(&a->position[k], &b->position[k]) &&
               same_varying(&a->rotation[k], &b->rotation[k]);
    return same;
}

static bool same_crowd(const thud_scene *a, const thud_scene *b)
{
    if (a->order != b->order || a->group_count != b->group_count)
        return differ("orders and crowds", 0);
    for (int i = 0; i < a->group_count; i++)
    {
        const thud_scene_group *p = &a->groups[i], *q = &b->groups[i];
        bool same = p->material == q->material && p->door_count == q->door_count &&
                    SAME_NUMBER(p->cell, q->cell);
        for (int k = 0; k < 3; k++)
            same = same && same_varying(&p->velocity[k], &q->velocity[k]);
        for (int k = 0; k < 4 * p->door_count && same; k++)
            same = SAME_NUMBER(p->doors[k], q->doors[k]);
        if (!same)
            return differ("wishes", i);
    }
    for (int i = 0; i < a->body_count && a->group_count > 0; i++)
        if (a->group_of[i] != b->group_of[i] || !SAME_NUMBER(a->speeds[i], b->speeds[i]))
            return differ("speeds", i);
    return true;
}

static bool same_measure(const thud_scene_measure *a, const thud_scene_measure *b, int dim)
{
    bool same = same_text(a->name, b->name) && a->kind == b->kind &&
                a->first_wall == b->first_wall && a->wall_count == b->wall_count &&
                a->obstacle == b->obstacle && a->axis == b->axis && a->bins == b->bins &&
                a->corner_count == b->corner_count && memcmp(a->low, b->low, sizeof a->low) == 0 &&
                memcmp(a->high, b->high, sizeof a->high) == 0 &&
                memcmp(a->normal, b->normal, sizeof a->normal) == 0 && a->body == b->body &&
                a->material == b->material && a->falls == b->falls &&
                SAME_NUMBER(a->value, b->value) && !a->column == !b->column &&
                (!a->column || same_text(a->column, b->column));
    for (int k = 0; k < dim && same; k++)
        same = same_varying(&a->about[k], &b->about[k]);
    for (int k = 0; k < dim * a->corner_count && same; k++)
        same = SAME_NUMBER(a->corners[k], b->corners[k]);
    return same && (a->kind != THUD_MEASURE_COUNT_THROUGH || same_plane(&a->plane, &b->plane, dim));
}

static bool same_spheres(const thud_scene *a, const thud_scene *b)
{
    if (!same_head(a, b))
        return differ("heads of spheres", 0);
    if (!same_crowd(a, b))
        return false;
    for (int i = 0; i < a->growth_count; i++)
        if (!same_text(a->growths[i].name, b->growths[i].name) ||
            !same_growth(&a->growths[i], &b->growths[i]))
            return differ("laws of growth", i);
    for (int i = 0; i < a->material_count; i++)
        if (!same_text(a->materials[i].name, b->materials[i].name) ||
            !SAME_NUMBER(a->materials[i].density, b->materials[i].density) ||
            !same_growth(a->materials[i].growth, b->materials[i].growth))
            return differ("materials", i);
    for (int i = 0; i < a->contact_count; i++)
        if (a->contacts[i].a != b->contacts[i].a || a->contacts[i].b != b->contacts[i].b ||
            a->contacts[i].rule.law != b->contacts[i].rule.law ||
            !SAME_NUMBER(a->contacts[i].rule.numbers[0], b->contacts[i].rule.numbers[0]))
            return differ("contacts", i);
    for (int i = 0; i < a->body_count; i++)
        if (!same_body(&a->bodies[i], &b->bodies[i]))
            return differ("bodies", i);
    for (int i = 0; i < a->wall_count; i++)
        if (!same_text(a->walls[i].name, b->walls[i].name) ||
            a->walls[i].moves != b->walls[i].moves ||
            a->walls[i].material != b->walls[i].material ||
            !same_plane(&a->walls[i].plane, &b->walls[i].plane, a->dim))
            return differ("walls", i);
    for (int i = 0; i < a->obstacle_count; i++)
        if (!same_obstacle(&a->obstacles[i], &b->obstacles[i]))
            return differ("obstacles", i);
    for (int i = 0; i < a->measure_count; i++)
        if (!same_measure(&a->measures[i], &b->measures[i], a->dim))
            return differ("measures", i);
    return true;
}

static bool same_inclusion(const thud_scene *a, const thud_scene *b)
{
    if (a->order != b->order || a->coordinate_count != b->coordinate_count ||
        a->constraint_count != b->constraint_count || a->break_count != b->break_count ||
        a->measure_count != b->measure_count ||
        memcmp(&a->smooth, &b->smooth, sizeof a->smooth) != 0)
        return differ("heads of inclusions", 0);
    for (int i = 0; i < a->coordinate_count; i++)
    {
        const thud_scene_coordinate *x = &a->coordinates[i], *y = &b->coordinates[i];
        if (!same_text(x->name, y->name) || !SAME_NUMBER(x->start, y->start) ||
            !SAME_NUMBER(x->velocity, y->velocity) || !SAME_NUMBER(x->mass, y->mass) ||
            !same_varying(&x->force, &y->force) || !same_varying(&x->impulse, &y->impulse))
            return differ("coordinates", i);
    }
    for (int i = 0; i < a->constraint_count; i++)
        if (!same_text(a->constraints[i].name, b->constraints[i].name) ||
            !SAME_NUMBER(a->constraints[i].shift, b->constraints[i].shift) ||
            a->constraints[i].rule.law != b->constraints[i].rule.law ||
            !SAME_NUMBER(a->constraints[i].rule.numbers[0], b->constraints[i].rule.numbers[0]) ||
            !same_varying(&a->constraints[i].gap, &b->constraints[i].gap))
            return differ("constraints", i);
    for (int i = 0; i < a->break_count; i++)
        if (!SAME_NUMBER(a->breaks[i], b->breaks[i]))
            return differ("breaks", i);
    for (int i = 0; i < a->measure_count; i++)
        if (!same_measure(&a->measures[i], &b->measures[i], 0))
            return differ("measures", i);
    return true;
}

bool rig_same(const thud_scene *a, const thud_scene *b)
{
    if (!same_common(a, b))
        return differ("common parts", 0);
    return a->kind == THUD_SCENE_SPHERES ? same_spheres(a, b) : same_inclusion(a, b);
}
