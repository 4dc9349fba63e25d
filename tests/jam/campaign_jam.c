// A large jammed packing, certified.
#include "jam_judge.h"

static void two_thousand(void)
{
    thud_jam *packing;
    REQUIRE(thud_jam_create(&(thud_jam_def){.count = 2000, .seed = 1}, &packing) == THUD_OK);
    thud_jam_view jam = thud_jam_look(packing);
    printf("fraction %.6f, %d rattlers, %d contacts, isostatic %d, room %.3g\n", jam.fraction,
           jam.rattler_count, jam.contact_count, jam.isostatic, jam.room);
    CHECK(jam.fraction >= 0.62 && jam.fraction <= 0.65);
    judge_packing(&jam);
    judge_moves(&jam, 1);
    thud_jam_destroy(packing);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"two-thousand", two_thousand}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
