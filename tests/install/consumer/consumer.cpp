// The same program in C++: a ball falls onto a floor, by the installed library alone.
#include <cstdio>
#include <memory>
#include <thud/thud.h>
#include <thud/verify.h>

namespace {

int gravity(double, const double *, double *f, void *)
{
    f[0] = -1.0;
    return 0;
}

int above_floor(const thud_moment *at, thud_rows *rows, void *)
{
    const int coordinate = 0;
    const double up = 1.0;
    thud_row floor = thud_row();
    floor.key = thud_key_number(1);
    floor.gap = at->q[0];
    floor.count = 1;
    floor.index = &coordinate;
    floor.slope = &up;
    return thud_rows_push(rows, &floor) < 0;
}

bool ball_comes_to_rest()
{
    const double height = 1.0;
    thud_inclusion ball = thud_inclusion();
    ball.dim = 1;
    ball.force = gravity;
    ball.force_is_steady = true;
    ball.gaps = above_floor;
    thud_state_def def = thud_state_def();
    def.dim = 1;
    def.h = 0.125;
    def.q = &height;

    thud_state *raw = nullptr;
    thud_work *raw_work = nullptr;
    if (thud_state_create(&def, &raw) < 0)
        return false;
    const std::unique_ptr<thud_state, decltype(&thud_state_destroy)> state(raw, thud_state_destroy);
    if (thud_work_create(nullptr, &raw_work) < 0)
        return false;
    const std::unique_ptr<thud_work, decltype(&thud_work_destroy)> work(raw_work,
                                                                        thud_work_destroy);
    thud_run_def run = thud_run_def();
    run.end = 4.0;
    thud_tally tally;
    return thud_run(&ball, state.get(), work.get(), &run, &tally) >= 0 && state->q[0] >= 0.0 &&
           state->q[0] < 1e-9 && thud_certificate_title(THUD_CERT_NO_OVERLAP) != nullptr;
}

} // namespace

int main()
{
    const bool good = ball_comes_to_rest();
    std::printf("%s\n", good ? thud_version() : "wrong");
    return good ? 0 : 1;
}
