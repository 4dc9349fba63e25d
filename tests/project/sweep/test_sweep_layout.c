// The layout of packs: every row once, no body twice in a pack, no block twice in a phase.
#include "sweep_graph.h"

#include <stdlib.h>
#include <string.h>

// Every slot that holds a row holds it right, and every row has its own.
static void check_slots(const thud_projection *problem, const thudi_packs *p)
{
    size_t slots = THUDI_PACK_WIDTH * (size_t)p->pack_first[p->groups];
    bool *used = calloc(slots + (size_t)p->rows, sizeof *used), *placed = used + slots;
    REQUIRE(used);
    for (int i = 0; i < p->rows; i++)
    {
        int slot = p->placed[i].slot, lane = slot % THUDI_PACK_WIDTH;
        int number = p->placed[i].row;
        bool own = slot >= 0 && (size_t)slot < slots && !used[slot];
        own = own && number >= 0 && number < p->rows && !placed[number];
        CHECK(own);
        if (!own)
            continue;
        used[slot] = placed[number] = true;
        const thudi_pack *pack = &p->packs[slot / THUDI_PACK_WIDTH];
        thud_row_room room;
        thud_row row = thud_rows_get(problem->rows, number, &room);
        int a = pack->a[lane] / 4, b = pack->b[lane] / 4;
        CHECK(pack->a[lane] % 4 == 0 && pack->b[lane] % 4 == 0);
        CHECK(p->coordinate[b] == row.index[row.count - 1]);
        CHECK(row.count == 1 ? a >= p->bodies : p->coordinate[a] == row.index[0]);
        double square = 0, weight = p->velocity[pack->a[lane] + 3] + p->velocity[pack->b[lane] + 3];
        for (int k = 0; k < p->width; k++)
        {
            double slope = row.slope[(row.count - 1) * row.width + k];
            CHECK(pack->normal[k][lane] == slope * p->scale[i]);
            square += pack->normal[k][lane] * pack->normal[k][lane];
        }
        CHECK_NEAR(square * weight, 1, 1e-15); // the diagonal
        for (int k = p->width; k < 3; k++)
            CHECK(pack->normal[k][lane] == 0);
    }
    for (size_t slot = 0; slot < slots; slot++)
        if (!used[slot])
        {
            const thudi_pack *pack = &p->packs[slot / THUDI_PACK_WIDTH];
            CHECK(pack->a[slot % 8] >= 4 * p->bodies && pack->b[slot % 8] >= 4 * p->bodies);
            CHECK(pack->normal[0][slot % 8] == 0 && pack->level[slot % 8] == 0);
        }
    free(used);
}

// mark[body]: the last pack, then the last phase and group, that touched it.
static void check_conflicts(const thudi_packs *p)
{
    int *pack_of = malloc(2 * (size_t)(p->bodies + p->idle_count) * sizeof *pack_of);
    REQUIRE(pack_of);
    int *group_of = pack_of + p->bodies + p->idle_count;
    for (int i = 0; i < 2 * (p->bodies + p->idle_count); i++)
        pack_of[i] = -1;
    for (int phase = 0; phase < p->phases; phase++)
        for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
            for (int i = p->pack_first[g]; i < p->pack_first[g + 1]; i++)
                for (int k = 0; k < 2 * THUDI_PACK_WIDTH; k++)
                {
                    int body = (k < 8 ? p->packs[i].a[k] : p->packs[i].b[k - 8]) / 4;
                    if (body < p->bodies)
                    {
                        CHECK(pack_of[body] != i);
                        pack_of[body] = i;
                    }
                    bool elsewhere = group_of[body] >= p->phase_first[phase] && group_of[body] != g;
                    CHECK(!elsewhere); // idle bodies too: threads must not share them
                    group_of[body] = g;
                }
    CHECK(p->phase_first[p->phases] == p->groups);
    free(pack_of);
}

static void check(sweep_graph *g, test_random *random, double least_fill)
{
    thud_rooms rooms = {0};
    const thud_projection *problem = sweep_graph_problem(g, random);
    thudi_packs packs = {0};
    for (int again = 0; again < 2; again++)
    {
        thudi_rooms_free(&rooms);
        REQUIRE(sweep_graph_pack(problem, &rooms, &packs) == THUD_OK);
        REQUIRE(thudi_packs_widen(problem, &packs) == THUD_OK);
        check_slots(problem, &packs);
        check_conflicts(&packs);
    }
    double fill = (double)packs.rows / (8.0 * packs.pack_first[packs.groups]);
    printf("  %d bodies, %d rows: %d packs, %.1f %% filled, %d groups in %d phases\n", packs.bodies,
           packs.rows, packs.pack_first[packs.groups], 100 * fill, packs.groups, packs.phases);
    CHECK(fill >= least_fill);
    thudi_rooms_free(&rooms);
}

static void layout_of(int width, int bodies, int star, bool walls, double least_fill)
{
    uint64_t seed = test_seed((uint64_t)bodies);
    test_random random = test_random_start(seed);
    sweep_graph g = sweep_graph_make(&random, width, bodies, star, walls);
    check(&g, &random, least_fill);
    sweep_graph_free(&g);
}

static void random_graphs(void)
{
    layout_of(3, 500, 0, false, 0.85);
    layout_of(3, 5000, 0, false, 0.85); // eight blocks
    layout_of(3, 70000, 0, true, 0.85); // sixteen
}

static void star(void)
{
    layout_of(3, 6000, 4000, true, 0.1); // one body in 4,000 rows: one of them in a pack
}

static void walls(void)
{
    layout_of(3, 4500, 0, true, 0.85);
}

static void disks(void)
{
    layout_of(2, 9000, 0, true, 0.85);
    layout_of(2, 100, 0, true, 0.7);
}

static void few_rows(void)
{
    layout_of(3, 2, 0, false, 0.1);
    layout_of(2, 2, 0, true, 0.1);
}

// Rows that are not for packs: without shift, slopes not opposite, of two widths.
static void refused(void)
{
    test_random random = test_random_start(3);
    for (int what = 0; what < 5; what++)
    {
        sweep_graph g = sweep_graph_make(&random, 3, 40, 0, true);
        int index[2] = {3, 9};
        double slope[6] = {-1, 0, 0, 1, 0, 0};
        thud_row row = {.key = thud_key_number(INT64_C(0x80000000)),
                        .gap = 1,
                        .shift = 1e-5,
                        .width = 3,
                        .count = 2,
                        .index = index,
                        .slope = slope};
        if (what == 1)
            row.shift = 0;
        if (what == 2)
            slope[0] = -0.5;
        if (what == 3)
            row.width = 2;
        if (what == 4)
            slope[0] = slope[3] = 0;
        CHECK(thud_rows_push(g.rows, &row) == THUD_OK);
        thud_rooms rooms = {0};
        thudi_packing packing;
        thudi_packs packs = {0};
        const thud_projection *problem = sweep_graph_problem(&g, &random);
        REQUIRE(sweep_graph_open(problem, NULL, &rooms, &packing) == THUD_OK);
        CHECK(thudi_packs_lay_out(&packing, &packs) == (what == 0 ? THUD_OK : THUD_NEWS));
        sweep_graph_check_marks(&packing);
        thudi_rooms_free(&rooms);
        sweep_graph_free(&g);
    }
}

static void failing_memory(void)
{
    test_random random = test_random_start(4);
    sweep_graph g = sweep_graph_make(&random, 3, 60, 0, true);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    problem.accuracy = 0; // in floats first, then in doubles
    int failures = 0;
    for (long at = 1;; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_rooms rooms = {0};
        thudi_packing packing;
        thudi_packs packs = {0};
        thud_status status = sweep_graph_open(&problem, &allocator, &rooms, &packing);
        bool is_open = status == THUD_OK;
        if (status == THUD_OK)
            status = thudi_packs_begin(&packing, &packs);
        if (status == THUD_OK)
            status = thudi_packs_widen(&problem, &packs);
        if (is_open)
            sweep_graph_check_marks(&packing);
        thudi_rooms_free(&rooms);
        CHECK(meter.blocks == 0);
        if (status == THUD_OK)
            break;
        CHECK(status == THUD_ERR_MEMORY);
        failures++;
    }
    printf("  %d allocations\n", failures);
    CHECK(failures >= 3);
    sweep_graph_free(&g);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"random", random_graphs},
                                      {"star", star},
                                      {"walls", walls},
                                      {"disks", disks},
                                      {"few-rows", few_rows},
                                      {"refused", refused},
                                      {"failing-memory", failing_memory}};
    return test_main(argc, argv, cases, 7);
}
