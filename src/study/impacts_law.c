// The law of collision of one impact: gradients of its contacts, and how far u+ is from the law.
#include "study/impact_parts.h"

#include "core/mass.h"
#include "thud/events.h"

#include <math.h>
#include <string.h>

// e of a contact.
static double restitution_of(const thud_scene_law *rule)
{
    return thud_law_has((int)rule->law, THUD_TRAIT_IMPACTS) ? rule->numbers[0] : 0;
}

static thud_status add_entry(thud_impacts *im, int coordinate, double slope)
{
    size_t at = (size_t)im->entry_count;
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->index, at + 1));
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->slope, at + 1));
    im->index.items[at] = coordinate;
    im->slope.items[at] = slope;
    im->entry_count++;
    return THUD_OK;
}

// --- inclusions -----------------------------------------------------------------------------

static thud_status add_constraint(thud_impacts *im, double t, const double *q,
                                  thudi_impact_row *row)
{
    const thud_scene *scene = im->def.scene;
    const thud_scene_constraint *constraint =
        &scene->constraints[thud_scene_constraint_of(scene, row->key)];
    const thud_expression_traits *traits = thud_expression_view(constraint->gap.expression);
    size_t count = (size_t)traits->coordinate_count, room = (size_t)traits->room;
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->square, count + room + 1));
    thud_jet jet = {.gradient = im->square.items};
    thud_varying_differentiate(&constraint->gap, t, q, im->square.items + count, &jet);
    row->rate_t = jet.t;
    row->e = restitution_of(&constraint->rule);
    for (size_t k = 0; k < count; k++)
        THUD_TRY(add_entry(im, traits->coordinate[k], jet.gradient[k]));
    return THUD_OK;
}

// --- spheres --------------------------------------------------------------------------------

static double restitution_between(const thud_scene *scene, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < scene->contact_count; i++)
        if (scene->contacts[i].a == low && scene->contacts[i].b == high)
            return restitution_of(&scene->contacts[i].rule);
    return 0;
}

// d_t of the radius of a body, by a difference over the step that ended at t.
static thud_status radius_rate(thud_impacts *im, double t, int body, double *rate)
{
    const thud_scene_body *of = &im->def.scene->bodies[body];
    *rate = 0;
    if (!of->growth)
        return THUD_OK;
    size_t room = (size_t)thud_varying_room(&of->growth->factor);
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->square, room + 1));
    double *scratch = im->square.items;
    double change = thud_scene_growth_at(of->growth, t, scratch) -
                    thud_scene_growth_at(of->growth, t - im->h, scratch);
    *rate = of->sphere.radius * change / im->h;
    return THUD_OK;
}

// d_t of the distance of x to a wall, x fixed.
static double wall_rate(const thud_impacts *im, double t, int wall, const double *x)
{
    const thud_scene *scene = im->def.scene;
    thud_plane now, then;
    double change = 0;
    if (wall >= scene->wall_count)
        return scene->obstacles[wall - scene->wall_count].moves ? NAN : 0;
    if (!scene->walls[wall].moves)
        return 0;
    thud_model_wall(im->def.model, wall, t, &now);
    thud_model_wall(im->def.model, wall, t - im->h, &then);
    for (int k = 0; k < scene->dim; k++)
        change += (now.normal[k] - then.normal[k]) * x[k];
    return (change - now.offset + then.offset) / im->h;
}

static thud_status add_spheres(thud_impacts *im, double t, const double *q, thudi_impact_row *row)
{
    const thud_scene *scene = im->def.scene;
    thud_touch touch;
    thud_multiplier loaded = {.key = row->key, .impulse = 1};
    double grows = 0, other = 0;
    row->rate_t = NAN;
    if (thud_model_touches(im->def.model, t, q, &loaded, 1, &touch) != 1)
        return THUD_OK;
    int wall = -1 - touch.b, material;
    THUD_TRY(radius_rate(im, t, touch.a, &grows));
    if (touch.b >= 0)
    {
        THUD_TRY(radius_rate(im, t, touch.b, &other));
        // images that a shear moves have a speed that is not followed here
        row->rate_t = thud_varying_is_given(&scene->cell.shear) ? NAN : -grows - other;
        material = scene->bodies[touch.b].material;
    }
    else
    {
        row->rate_t = wall_rate(im, t, wall, touch.from) - grows;
        material = wall < scene->wall_count ? scene->walls[wall].material
                                            : scene->obstacles[wall - scene->wall_count].material;
    }
    row->e = restitution_between(scene, scene->bodies[touch.a].material, material);
    for (int k = 0; k < scene->dim; k++)
        THUD_TRY(add_entry(im, scene->dim * touch.a + k, -touch.normal[k]));
    for (int k = 0; k < scene->dim && touch.b >= 0; k++)
        THUD_TRY(add_entry(im, scene->dim * touch.b + k, touch.normal[k]));
    return THUD_OK;
}

thud_status thudi_impact_add_row(thud_impacts *im, double t, const double *q,
                                 const thudi_push *push, bool force, bool *joins)
{
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->rows, (size_t)im->row_count + 1));
    thudi_impact_row *row = &im->rows.items[im->row_count];
    *row = (thudi_impact_row){.key = push->key, .atom = push->atom, .first = im->entry_count};
    bool is_inclusion = im->def.scene->kind == THUD_SCENE_INCLUSION;
    THUD_TRY((is_inclusion ? add_constraint : add_spheres)(im, t, q, row));
    row->count = im->entry_count - row->first;
    *joins = force;
    for (int i = row->first; i < im->entry_count; i++)
        *joins = *joins || im->marks.items[im->index.items[i]];
    if (!*joins)
    {
        im->entry_count = row->first;
        return THUD_OK;
    }
    for (int i = row->first; i < im->entry_count; i++)
        im->marks.items[im->index.items[i]] = true;
    im->row_count++;
    return THUD_OK;
}

// --- the law --------------------------------------------------------------------------------

static double mass_of(const thud_impacts *im, int k)
{
    return thudi_mass(thud_model_problem(im->def.model)->mass, k);
}

static double rate_of(const thud_impacts *im, const thudi_impact_row *row, const double *u)
{
    double sum = row->rate_t;
    for (int i = row->first; i < row->first + row->count; i++)
        sum += im->slope.items[i] * u[im->index.items[i]];
    return sum;
}

static double coupling(const thud_impacts *im, const thudi_impact_row *a, const thudi_impact_row *b)
{
    double sum = 0;
    for (int i = a->first; i < a->first + a->count; i++)
        for (int j = b->first; j < b->first + b->count; j++)
            if (im->index.items[i] == im->index.items[j])
                sum += im->slope.items[i] * im->slope.items[j] / mass_of(im, im->index.items[i]);
    return sum;
}

static double one_restitution(const thud_impacts *im, const thud_cone *cone)
{
    double weight = 0, weighted = 0;
    for (int i = 0; i < cone->count; i++)
    {
        double size = cone->matrix[(size_t)i * (size_t)cone->count + (size_t)i];
        if (cone->rate[i] >= 0 || size <= 0)
            continue;
        weight += cone->rate[i] * cone->rate[i] / size;
        weighted += im->rows.items[i].e * cone->rate[i] * cone->rate[i] / size;
    }
    return weight > 0 ? weighted / weight : 0;
}

// The contacts of the answer, with their rates.
static thud_status note_contacts(thud_impacts *im, const double *before, const double *after,
                                 thud_impact *impact)
{
    int count = im->result.contact_count;
    THUD_TRY(
        thudi_array_reserve(&im->allocator, &im->contacts, (size_t)count + (size_t)im->row_count));
    impact->first_contact = count;
    impact->contact_count = im->row_count;
    for (int i = 0; i < im->row_count; i++)
    {
        const thudi_impact_row *row = &im->rows.items[i];
        im->contacts.items[count + i] = (thud_impact_contact){.key = row->key,
                                                              .is_atom = row->atom >= 0,
                                                              .impulse = row->impulse,
                                                              .before = rate_of(im, row, before),
                                                              .after = rate_of(im, row, after)};
    }
    im->result.contact_count = count + im->row_count;
    return THUD_OK;
}

static double residual_of(thud_impacts *im, const thud_cone *cone, double e, const double *before,
                          const double *after, double *v)
{
    double sum = 0;
    memcpy(v, before, (size_t)im->dim * sizeof *v);
    for (int i = 0; i < cone->count; i++)
    {
        const thudi_impact_row *row = &im->rows.items[i];
        for (int j = row->first; j < row->first + row->count; j++)
            v[im->index.items[j]] +=
                (1 + e) * cone->mu[i] * im->slope.items[j] / mass_of(im, im->index.items[j]);
    }
    for (int k = 0; k < im->dim; k++)
        if (im->marks.items[k])
            sum += (after[k] - v[k]) * (after[k] - v[k]);
    return sqrt(sum);
}

thud_status thudi_impact_law(thud_impacts *im, const double *before, const double *after,
                             thud_impact *impact)
{
    int count = im->row_count;
    bool known = count <= THUDI_IMPACT_CONTACTS;
    THUD_TRY(note_contacts(im, before, after, impact));
    for (int i = 0; i < count; i++)
        known = known && !isnan(im->rows.items[i].rate_t);
    impact->residual = impact->restitution = NAN;
    if (!known)
        return THUD_OK;
    size_t room = thud_cone_room(count);
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->square, room + (size_t)im->dim));
    thud_cone cone = thud_cone_open(count, im->square.items);
    for (int i = 0; i < count; i++)
    {
        cone.rate[i] = rate_of(im, &im->rows.items[i], before);
        for (int j = 0; j < count; j++)
            cone.matrix[(size_t)i * (size_t)count + (size_t)j] =
                coupling(im, &im->rows.items[i], &im->rows.items[j]);
    }
    thud_cone_project(&cone);
    impact->restitution = one_restitution(im, &cone);
    impact->residual =
        residual_of(im, &cone, impact->restitution, before, after, im->square.items + room);
    return THUD_OK;
}
