// Files of frames, ours and LAMMPS' binary dumps.
#include "peer_frames.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = 6,
    NAME_LENGTH = 10 // of DUMPCUSTOM, with which a dump begins after its length, negative
};

double *peer_state_read(const char *path, int *count)
{
    FILE *file = fopen(path, "rb");
    double *state = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    *count = (int)(size / (long)(COLUMNS * sizeof *state));
    if (size > 0 && fseek(file, 0, SEEK_SET) == 0)
        state = malloc((size_t)size);
    if (state && fread(state, 1, (size_t)size, file) != (size_t)size)
    {
        free(state);
        state = NULL;
    }
    if (file)
        (void)fclose(file);
    return state;
}

int peer_frame_write(FILE *file, const double *state, int count)
{
    size_t numbers = (size_t)count * COLUMNS;
    bool fine = fwrite(state, sizeof *state, numbers, file) == numbers;
    return fine && fflush(file) == 0 ? 0 : -1;
}

static bool take(FILE *file, void *to, size_t size)
{
    return fread(to, 1, size, file) == size;
}

static bool skip_text(FILE *file)
{
    int32_t length;
    return take(file, &length, sizeof length) && length >= 0 && fseek(file, length, SEEK_CUR) == 0;
}

// What a frame of a dump says of itself after its name, up to the number of its blocks.
static bool read_dump_header(FILE *file, int count, int32_t *blocks)
{
    char name[NAME_LENGTH], has_time;
    int32_t endian, revision, ints[7], columns;
    int64_t step, atoms;
    double box[6], time;
    return take(file, name, sizeof name) && memcmp(name, "DUMPCUSTOM", sizeof name) == 0 &&
           take(file, &endian, sizeof endian) && take(file, &revision, sizeof revision) &&
           endian == 1 && revision == 2 && take(file, &step, sizeof step) &&
           take(file, &atoms, sizeof atoms) && atoms == count && take(file, ints, sizeof ints) &&
           ints[0] == 0 && take(file, box, sizeof box) && take(file, &columns, sizeof columns) &&
           columns == COLUMNS && skip_text(file) && take(file, &has_time, 1) &&
           (!has_time || take(file, &time, sizeof time)) && skip_text(file) &&
           take(file, blocks, sizeof *blocks);
}

static bool read_dump(FILE *file, double *state, int count)
{
    int32_t blocks, numbers;
    size_t left = (size_t)count * COLUMNS;
    if (!read_dump_header(file, count, &blocks))
        return false;
    for (int k = 0; k < blocks; k++)
    {
        if (!take(file, &numbers, sizeof numbers) || numbers < 0 || (size_t)numbers > left ||
            !take(file, state, (size_t)numbers * sizeof *state))
            return false;
        state += numbers;
        left -= (size_t)numbers;
    }
    return left == 0;
}

int peer_frame_read(FILE *file, double *state, int count)
{
    size_t numbers = (size_t)count * COLUMNS;
    int64_t first; // the first coordinate of ours, or the length of a dump's name
    size_t got = fread(&first, 1, sizeof first, file);
    if (got == 0)
        return 0;
    if (got == sizeof first && first == -NAME_LENGTH)
        return read_dump(file, state, count) ? 1 : -1;
    memcpy(state, &first, sizeof first);
    return got == sizeof first && fread(state + 1, sizeof *state, numbers - 1, file) == numbers - 1
               ? 1
               : -1;
}
