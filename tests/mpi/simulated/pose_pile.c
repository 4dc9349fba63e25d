// Writes the projection that the drop scene poses at one step into a file for `simulated`.
//
//     pose_pile COUNT STEPS FILE       COUNT spheres in 28 layers
#include "drop_posed.h"
#include "pile_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <thud/thud.h>

// One array of the file.
typedef struct column
{
    const void *from;
    size_t size; // bytes
} column;

static bool write_column(FILE *file, column c)
{
    static const char zeroes[PILE_LINE];
    size_t rest = pile_round_up(c.size) - c.size;
    return fwrite(c.from, 1, c.size, file) == c.size && fwrite(zeroes, 1, rest, file) == rest;
}

static bool write_columns(FILE *file, pile_head *head, const column *columns)
{
    head->place[0] = pile_round_up(sizeof *head);
    for (int i = 0; i < PILE_ARRAYS; i++)
        head->place[i + 1] = head->place[i] + pile_round_up(columns[i].size);
    bool fine = write_column(file, (column){head, sizeof *head});
    for (int i = 0; i < PILE_ARRAYS; i++)
        fine = fine && write_column(file, columns[i]);
    return fine;
}

static bool write_projection(FILE *file, const thud_projection *problem)
{
    const thud_rows *rows = problem->rows;
    size_t dim = (size_t)problem->dim, bytes = dim * sizeof(double);
    pile_head head = {.h = problem->h,
                      .accuracy = problem->accuracy,
                      .tolerance_share = problem->tolerance_share,
                      .shift_scale = problem->shift_scale,
                      .bricks = *problem->bricks,
                      .rows = (size_t)rows->count,
                      .slopes = rows->slopes_used,
                      .blocks = rows->blocks_used,
                      .dim = dim};
    int *marks = malloc(dim * sizeof *marks);
    if (!marks)
        return false;
    for (size_t k = 0; k < dim; k++)
        marks[k] = -1;
    const column columns[PILE_ARRAYS] = {
        {rows->heads.items, head.rows * sizeof *rows->heads.items},
        {rows->slope.items, head.slopes * sizeof *rows->slope.items},
        {rows->blocks.items, head.blocks * sizeof *rows->blocks.items},
        {problem->mass, bytes},
        {problem->w, bytes},
        {problem->origin, bytes},
        {problem->force, bytes},
        {problem->warm, head.rows * sizeof *problem->warm},
        {marks, dim * sizeof *marks}};
    bool fine = write_columns(file, &head, columns);
    free(marks);
    return fine;
}

static bool pose(int count, int steps, FILE *file)
{
    drop_posed drop = {0};
    bool fine = drop_posed_take(&drop, count, steps);
    fine = fine && write_projection(file, &drop.taken.problem);
    if (fine)
        printf("%d spheres, step %d: %d rows\n", count, steps, drop.taken.problem.rows->count);
    drop_posed_free(&drop);
    return fine;
}

int main(int argc, char **argv)
{
    int count = argc == 4 ? (int)strtol(argv[1], NULL, 10) : 0;
    int steps = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0;
    if (count < 1 || steps < 1)
    {
        (void)fprintf(stderr, "usage: pose_pile COUNT STEPS FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[3], "wb");
    bool fine = file && pose(count, steps, file);
    fine = file && fclose(file) == 0 && fine;
    if (!fine)
        (void)fprintf(stderr, "pose_pile: could not pose or write %s\n", argv[3]);
    return !fine;
}
