// Two disks on a floor, and a third one that falls between them.
#include "three_disks.h"

const char *const three_disks_names[THREE_DISKS_ROWS] = {"A-C", "B-C", "A-B", "floor-A", "floor-B"};

// A, B and C, two coordinates each.
static const double MASS[] = {2, 2, 2, 2, 1, 1};
static const double ORIGIN[] = {0, 0.6, 1.2, 0.6, 0.6, 1.4};
static const double PREDICTION[] = {0.05, -0.0981, -0.05, -0.0981, 0, -0.5981};
static const double FORCE[] = {0, -19.62, 0, -19.62, 0, -9.81};
static const double WARM[] = {0.3, 0.2, 0, 0.5, 0.5};

// Body b moves away from body a along the normal; a = -1 is the floor.
typedef struct contact
{
    int a, b;
    double gap, shift, normal[2];
} contact;

static const contact CONTACTS[THREE_DISKS_ROWS] = {
    {0, 2, 1e-5, 0.8e-5, {0.6, 0.8}}, {1, 2, 2e-5, 0.8e-5, {-0.6, 0.8}},
    {0, 1, 1.5e-5, 1.2e-5, {1, 0}},   {-1, 0, 2e-5, 1.2e-5, {0, 1}},
    {-1, 1, 1e-5, 1.2e-5, {0, 1}},
};

static thud_status push_pair(thud_rows *rows, int i)
{
    const contact *c = &CONTACTS[i];
    thud_pair_row row = {.key = thud_key_number(i),
                         .gap = c->gap,
                         .shift = c->shift,
                         .a = c->a < 0 ? -1 : 2 * c->a,
                         .b = 2 * c->b,
                         .normal = {c->normal[0], c->normal[1], 0}};
    return thud_rows_push_pairs(rows, 2, &row, 1);
}

static thud_status push_general(thud_rows *rows, int i)
{
    const contact *c = &CONTACTS[i];
    const double *n = c->normal;
    int two = c->a >= 0, index[] = {2 * c->a, 2 * c->a + 1, 2 * c->b, 2 * c->b + 1};
    double slope[] = {-n[0], -n[1], n[0], n[1]};
    return thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                            .gap = c->gap,
                                            .shift = c->shift,
                                            .count = two ? 4 : 2,
                                            .index = two ? index : index + 2,
                                            .slope = two ? slope : slope + 2});
}

bool three_disks_begin(three_disks *disks, bool pairs)
{
    *disks = (three_disks){0};
    if (thud_rows_create(THREE_DISKS_DIM, NULL, &disks->rows) < 0)
        return false;
    for (int i = 0; i < THREE_DISKS_ROWS; i++)
        if ((pairs ? push_pair(disks->rows, i) : push_general(disks->rows, i)) < 0)
            return false;
    disks->problem = (thud_projection){.dim = THREE_DISKS_DIM,
                                       .h = 0.01,
                                       .mass = MASS,
                                       .w = PREDICTION,
                                       .rows = disks->rows,
                                       .origin = ORIGIN,
                                       .warm = WARM,
                                       .accuracy = 1e-3,
                                       .force = FORCE,
                                       .shift_scale = 1};
    return true;
}

void three_disks_end(three_disks *disks)
{
    thud_rows_destroy(disks->rows);
}

thud_status three_disks_solve(const three_disks *disks, int sweeps, bool exactly,
                              thud_projector **projector, thud_answer *answer)
{
    // With exact_limit 1 every cluster of more than one row is swept, as large ones are.
    thud_projector_def def = {.sweep_limit = sweeps, .exact_limit = exactly ? 0 : 1};
    thud_status status = thud_projector_create(&def, projector);
    return status < 0 ? status : thud_project(&disks->problem, *projector, answer);
}
