// Jammed packings: certified, the same again, refused, stopped, and without memory.
#include "jam_judge.h"
#include "thud/project.h"

static void certified(int count, uint64_t seed)
{
    thud_jam *packing;
    thud_jam_def def = {.count = count, .seed = seed};
    REQUIRE(thud_jam_create(&def, &packing) == THUD_OK);
    thud_jam_view jam = thud_jam_packing(packing);
    printf("seed %d: fraction %.6f, %d rattlers, %d contacts, isostatic %d, room %.3g, "
           "residual %.3g, %d + %d steps\n",
           (int)seed, jam.fraction, jam.rattler_count, jam.contact_count, jam.isostatic, jam.room,
           jam.residual, jam.steps + jam.refusals, jam.newton);
    CHECK(jam.fraction >= 0.62 && jam.fraction <= 0.65);
    CHECK(jam.contact_count == jam.isostatic && jam.room < 1e-11);
    judge_packing(&jam);
    judge_moves(&jam, 20261116 + seed);
    if (count <= 150) // takes count^3
        judge_rigidity(&jam);
    thud_jam_destroy(packing);
}

static void certified_1(void)
{
    certified(150, 1);
}

static void certified_2(void)
{
    certified(150, 3);
}

static void certified_3(void)
{
    certified(150, 6);
}

static void certified_500(void)
{
    certified(500, 1);
}

static void certified_2000(void)
{
    certified(2000, 1);
}

// Every packing is rigid, whatever the seed; fractions of so few spheres scatter.
static void many(void)
{
    uint64_t first = test_seed(20261116);
    printf("seed %llu\n", (unsigned long long)first);
    for (uint64_t seed = first; seed < first + 12; seed++)
    {
        thud_jam *packing;
        thud_jam_def def = {.count = 30 + (int)(seed % 5) * 6, .seed = seed};
        REQUIRE(thud_jam_create(&def, &packing) == THUD_OK);
        thud_jam_view jam = thud_jam_packing(packing);
        CHECK(jam.room < 1e-12 && jam.imbalance < 1e-13);
        CHECK(jam.fraction > 0.55 && jam.fraction < 0.7405);
        judge_packing(&jam);
        judge_rigidity(&jam);
        thud_jam_destroy(packing);
    }
}

static thud_status push_near(const thud_jam_view *jam, double diameter, thud_rows *rows)
{
    for (int a = 0; a < jam->count; a++)
        for (int b = a + 1; b < jam->count; b++)
        {
            double v[3], sum = 0;
            for (int k = 0; k < 3; k++)
            {
                v[k] = jam->q[3 * b + k] - jam->q[3 * a + k];
                v[k] -= floor(v[k] + 0.5);
                sum += v[k] * v[k];
            }
            double d = sqrt(sum);
            if (d > 1.02 * diameter)
                continue;
            thud_pair_row row = {.key = thud_key_pair(a, b, 0),
                                 .gap = d - diameter,
                                 .a = 3 * a,
                                 .b = 3 * b,
                                 .normal = {v[0] / d, v[1] / d, v[2] / d}};
            thud_status status = thud_rows_push_pairs(rows, 3, &row, 1);
            if (status < 0)
                return status;
        }
    return THUD_OK;
}

/// The exact projection finds no room for a growth of 1e-6 either, and has a Farkas vector of its
/// own.
static void no_room(void)
{
    thud_jam *packing;
    thud_rows *rows;
    thud_projector *projector;
    thud_answer answer;
    REQUIRE(thud_jam_create(&(thud_jam_def){.count = 60, .seed = 1}, &packing) == THUD_OK);
    thud_jam_view jam = thud_jam_packing(packing);
    static const double w[180];
    thud_projector_def def = {.method = THUD_METHOD_ACTIVE_SET};
    REQUIRE(thud_rows_create(3 * jam.count, NULL, &rows) == THUD_OK);
    REQUIRE(thud_projector_create(&def, &projector) == THUD_OK);
    CHECK(push_near(&jam, jam.diameter * (1 + 1e-6), rows) == THUD_OK);
    thud_projection problem = {.dim = 3 * jam.count, .h = 1, .w = w, .rows = rows};
    CHECK(thud_project(&problem, projector, &answer) == THUD_ERR_INFEASIBLE);
    CHECK(answer.farkas.y && answer.farkas.sum < 0 && answer.farkas.radius > 1e3);
    thud_rows_clear(rows);
    CHECK(push_near(&jam, jam.diameter * (1 - 1e-6), rows) == THUD_OK);
    CHECK(thud_project(&problem, projector, &answer) == THUD_OK);
    thud_projector_destroy(projector);
    thud_rows_destroy(rows);
    thud_jam_destroy(packing);
}

static void small(void)
{
    thud_jam *packing;
    REQUIRE(thud_jam_create(&(thud_jam_def){.count = 40, .seed = 2}, &packing) == THUD_OK);
    thud_jam_view jam = thud_jam_packing(packing);
    judge_packing(&jam);
    judge_moves(&jam, 5);
    judge_rigidity(&jam);
    thud_jam_destroy(packing);
}

// Small packings may come to be in order: more contacts than hold them, and rigid all the same.
static void ordered(void)
{
    thud_jam *packing;
    thud_jam_def def = {.count = 34, .seed = 777098, .growth = 1e-4};
    REQUIRE(thud_jam_create(&def, &packing) == THUD_OK);
    thud_jam_view jam = thud_jam_packing(packing);
    printf("%d contacts, isostatic %d\n", jam.contact_count, jam.isostatic);
    CHECK(jam.contact_count > jam.isostatic);
    judge_packing(&jam);
    judge_moves(&jam, 6);
    judge_rigidity(&jam);
    thud_jam_destroy(packing);
}

static void arguments(void)
{
    static const thud_jam_def bad[] = {{.count = 29},
                                       {.count = THUD_JAM_MOST + 1},
                                       {.count = 40, .growth = -1},
                                       {.count = 40, .growth = 0.6},
                                       {.count = 40, .growth = NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        thud_jam *packing = (thud_jam *)&packing;
        CHECK(thud_jam_create(&bad[i], &packing) == THUD_ERR_ARGUMENT && !packing);
    }
    thud_jam_destroy(NULL);
}

/// Steps of the interior point method can be stopped as well.
static int stop_inside(const thud_jam_progress *progress, void *user)
{
    int *calls = user;
    *calls = progress->growth < 1e-5 ? *calls + 1 : 0;
    return *calls == 20;
}

static int stop_soon(const thud_jam_progress *progress, void *user)
{
    int *calls = user;
    CHECK(progress->step == ++*calls && progress->growth > 0 && progress->fraction > 0);
    return *calls == 30;
}

static void stopped(void)
{
    thud_jam *packing;
    int calls = 0;
    thud_jam_def def = {.count = 40, .seed = 2, .progress = stop_soon, .user = &calls};
    CHECK(thud_jam_create(&def, &packing) == THUD_STOPPED && !packing && calls == 30);
    def = (thud_jam_def){.count = 30, .seed = 2, .progress = stop_inside, .user = &calls};
    calls = 0;
    CHECK(thud_jam_create(&def, &packing) == THUD_STOPPED && !packing && calls == 20);
}

/// Every allocation fails once, up to those of the last network. A packing can do without a few:
/// the rooms of a projection stay in pieces where they cannot be put together.
static void failing_memory(void)
{
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    thud_jam *packing;
    thud_jam_def def = {.count = 30, .seed = 1, .allocator = &allocator};
    REQUIRE(thud_jam_create(&def, &packing) == THUD_OK);
    thud_jam_destroy(packing);
    long calls = meter.calls;
    CHECK(meter.blocks == 0);
    printf("%ld allocations\n", calls);
    int spared = 0, tried = 0;
    for (long i = 1; i <= calls; i += i < 16 || i > calls - 30 ? 1 : calls / 12)
    {
        meter = (test_meter){.fail_at = i};
        thud_status status = thud_jam_create(&def, &packing);
        CHECK(packing ? status == THUD_OK : status == THUD_ERR_MEMORY);
        spared += packing != NULL;
        tried++;
        thud_jam_destroy(packing);
        CHECK(meter.blocks == 0);
    }
    printf("%d of %d were spared\n", spared, tried);
    CHECK(10 * spared <= tried);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"certified-1", certified_1},
                                      {"certified-2", certified_2},
                                      {"certified-3", certified_3},
                                      {"certified-500", certified_500},
                                      {"certified-2000", certified_2000},
                                      {"many", many},
                                      {"no-room", no_room},
                                      {"small", small},
                                      {"ordered", ordered},
                                      {"arguments", arguments},
                                      {"stopped", stopped},
                                      {"failing-memory", failing_memory}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
