// The metadata of the files of a log in HDF5 files.
#include "record/hdf5/hdf5_layout.h"

#include "core/checksum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char ABOUT[8] = "thudh5l\n", HEADS[8] = "thudh5f\n";
static const char OTHER_VERSION[] = "it has another version of the format";
static const char NOT_OURS[] = "it is not a file of a log in HDF5 files";
static const char IMPOSSIBLE[] = "its first attribute has impossible numbers";
static const char CHANGED[] = "its first attribute does not match its checksum";

// The units in thudi_h5_about.
enum
{
    LENGTH,
    TIME,
    VELOCITY,
    FORCE,
    IMPULSE,
    NO_UNIT
};

// The sum of an attribute, with 0 for the sum in it, which is at byte 12.
static uint32_t sum_of(const void *data, uint64_t length)
{
    static const uint32_t none = 0;
    const char *bytes = data;
    uint32_t sum = thudi_checksum(0, bytes, 12);
    sum = thudi_checksum(sum, &none, sizeof none);
    return thudi_checksum(sum, bytes + 16, (size_t)length - 16);
}

// Are the numbers of an attribute possible whose sum is right?
static bool is_about_possible(const thudi_h5_all *all)
{
    const thudi_h5_about *about = &all->about;
    if (about->block.count > THUDI_H5_NAMES || about->block.type != THUDI_ITEM_NAME ||
        about->length != sizeof *about + about->block.count * sizeof *all->names ||
        about->frames < 0)
        return false;
    for (int i = 0; i < THUDI_H5_UNITS; i++)
        if (about->units[i][THUDI_H5_UNIT - 1] != 0)
            return false;
    for (uint64_t i = 0; i < about->block.count; i++)
        if (!thudi_is_word(all->names[i].text, sizeof all->names[i].text))
            return false;
    return true;
}

bool thudi_h5_about_is_sound(const thudi_h5_all *all, size_t read, const char **wrong)
{
    const thudi_h5_about *about = &all->about;
    *wrong = NULL;
    if (read < sizeof *about || memcmp(about->magic, ABOUT, sizeof ABOUT) != 0)
        *wrong = NOT_OURS;
    else if (about->version != THUDI_H5_VERSION)
        *wrong = OTHER_VERSION;
    else if (about->length < sizeof *about || about->length > read ||
             about->sum != sum_of(all, about->length))
        *wrong = CHANGED;
    else if (!is_about_possible(all))
        *wrong = IMPOSSIBLE;
    return !*wrong;
}

// Do the heads of blocks fit the record, and the file?
static bool are_blocks_sound(const thudi_h5_heads *heads, uint64_t file_size)
{
    uint64_t length = 0;
    for (uint64_t i = 0; i < heads->record.blocks; i++)
    {
        const thudi_block *block = &heads->blocks[i];
        uint64_t size = thudi_item_size(block->type);
        if (size == 0 || block->count == 0 || block->count > file_size / size)
            return false;
        length += thudi_block_length(block);
    }
    return length == heads->record.length;
}

// Are the numbers possible? A tail has hashes and no frame.
static bool are_heads_possible(const thudi_h5_heads *heads, uint64_t file_size)
{
    const uint64_t least = offsetof(thudi_h5_heads, record);
    if (heads->has_frame > 1 || heads->number < 0 || heads->steps > file_size / 16)
        return false;
    if (heads->has_frame == 0)
        return heads->length == least && heads->steps > 0;
    return heads->length >= least + sizeof heads->record &&
           heads->record.blocks <= THUDI_H5_BLOCKS &&
           heads->length ==
               least + sizeof heads->record + heads->record.blocks * sizeof *heads->blocks &&
           are_blocks_sound(heads, file_size);
}

bool thudi_h5_heads_are_sound(const thudi_h5_heads *heads, size_t read, uint64_t file_size,
                              const char **wrong)
{
    const size_t least = offsetof(thudi_h5_heads, record);
    *wrong = NULL;
    if (read < least || memcmp(heads->magic, HEADS, sizeof HEADS) != 0)
        *wrong = NOT_OURS;
    else if (heads->version != THUDI_H5_VERSION)
        *wrong = OTHER_VERSION;
    else if (heads->length < least || heads->length > read ||
             heads->sum != sum_of(heads, heads->length))
        *wrong = CHANGED;
    else if (!are_heads_possible(heads, file_size))
        *wrong = IMPOSSIBLE;
    else if (heads->data > file_size || file_size - heads->data != thudi_h5_data_length(heads))
        *wrong = "the file is longer or shorter than its arrays";
    return !*wrong;
}

static uint64_t block_count(const thudi_h5_heads *heads)
{
    return heads->has_frame ? heads->record.blocks : 0;
}

uint64_t thudi_h5_data_length(const thudi_h5_heads *heads)
{
    uint64_t length = heads->steps * sizeof(thudi_h5_node);
    for (uint64_t i = 0; i < block_count(heads); i++)
        length += thudi_block_length(&heads->blocks[i]) - sizeof(thudi_block);
    return length;
}

uint64_t thudi_h5_log_length(const thudi_h5_heads *heads)
{
    uint64_t length = heads->steps * sizeof(thudi_log_step);
    return heads->has_frame ? length + sizeof heads->record + heads->record.length : length;
}

uint64_t thudi_h5_bodies(const thud_id_range *ids, uint64_t count)
{
    uint64_t bodies = 0;
    for (uint64_t i = 0; i < count; i++)
        if (ids[i].count > 0 && ids[i].count <= INT32_MAX)
            bodies += (uint64_t)ids[i].count;
        else
            return 0;
    return bodies;
}

// The name of a block; NULL if it has none.
static const char *name_of(const thudi_h5_all *all, const thudi_block *block)
{
    for (uint64_t i = 0; i < thudi_h5_name_count(all); i++)
        if (all->names[i].number == block->name)
            return all->names[i].text;
    return NULL;
}

int thudi_h5_ids_block(const thudi_h5_all *all, const thudi_h5_heads *heads)
{
    for (uint64_t i = 0; i < block_count(heads); i++)
    {
        const char *name = name_of(all, &heads->blocks[i]);
        if (heads->blocks[i].type == THUDI_ITEM_RANGE && name && strcmp(name, "ids") == 0)
            return (int)i;
    }
    return -1;
}

static const char *unit_of(const thudi_h5_all *all, const char *name)
{
    static const struct
    {
        const char *name;
        int unit;
    } units[] = {{"q", LENGTH},      {"u", VELOCITY},     {"u_next", VELOCITY}, {"force", FORCE},
                 {"move", VELOCITY}, {"before", IMPULSE}, {"after", IMPULSE}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return all->about.units[units[i].unit];
    return NULL;
}

void thudi_h5_frame_name(char name[32], int64_t number)
{
    (void)snprintf(name, 32, "%06" PRId64 ".h5", number);
}

static void links_of_all(thudi_h5_bytes *to, const thudi_h5_all *all)
{
    char name[32], path[48];
    for (int64_t i = 0; i < all->about.frames && !to->has_failed; i++)
    {
        thudi_h5_frame_name(name, i);
        (void)snprintf(path, sizeof path, THUDI_H5_FOLDER "/%s", name);
        *strchr(name, '.') = '\0';
        thudi_h5_external(to, name, path);
    }
}

// The whole file, whose length is `end`.
static void write_about(thudi_h5_bytes *to, const thudi_h5_all *all, uint64_t end)
{
    static const char *const units[] = {"unit_length", "unit_time", "unit_velocity", "unit_force",
                                        "unit_impulse"};
    const thudi_h5_about *about = &all->about;
    to->used = 0;
    thudi_h5_superblock(to, end);
    thudi_h5_begin_object(to);
    thudi_h5_raw(to, "about", all, (size_t)about->length);
    thudi_h5_number(to, "coordinates", THUDI_H5_UINT64, &about->header.dim);
    thudi_h5_number(to, "first_node", THUDI_H5_INT64, &about->header.first);
    for (int i = 0; i < THUDI_H5_UNITS; i++)
        if (about->units[i][0])
            thudi_h5_text(to, units[i], about->units[i]);
    thudi_h5_group(to);
    links_of_all(to, all);
    thudi_h5_end_object(to);
}

void thudi_h5_set_units(thudi_h5_about *about, const thud_log_units *units)
{
    const char *const texts[THUDI_H5_UNITS] = {[LENGTH] = units->length,
                                               [TIME] = units->time,
                                               [VELOCITY] = units->velocity,
                                               [FORCE] = units->force,
                                               [IMPULSE] = units->impulse};
    memset(about->units, 0, sizeof about->units);
    for (int i = 0; i < THUDI_H5_UNITS; i++)
        if (texts[i] && strlen(texts[i]) < THUDI_H5_UNIT)
            memcpy(about->units[i], texts[i], strlen(texts[i]));
}

void thudi_h5_make_about(thudi_h5_bytes *to, thudi_h5_all *all)
{
    memcpy(all->about.magic, ABOUT, sizeof ABOUT);
    all->about.version = THUDI_H5_VERSION;
    all->about.length = sizeof all->about + all->about.block.count * sizeof *all->names;
    all->about.sum = sum_of(all, all->about.length);
    write_about(to, all, 0);
    write_about(to, all, to->used);
}

// The arrays of a frame, and where their items are.
static int list_arrays(const thudi_h5_all *all, const thudi_h5_heads *heads, uint64_t bodies,
                       char spare[][16], thudi_h5_array *arrays)
{
    int count = 0;
    uint64_t data = heads->data, dim = all->about.header.dim;
    if (heads->steps > 0)
        arrays[count++] = (thudi_h5_array){
            .name = "nodes", .type = THUDI_H5_NODES, .rows = heads->steps, .data = data};
    data += heads->steps * sizeof(thudi_h5_node);
    for (uint64_t i = 0; i < block_count(heads); i++)
    {
        const thudi_block *block = &heads->blocks[i];
        const char *name = name_of(all, block);
        thudi_h5_array array = {.type = block->type, .rows = block->count, .data = data};
        (void)snprintf(spare[i], sizeof spare[i], "block-%d", (int)block->name);
        array.name = name ? name : spare[i];
        array.unit = unit_of(all, array.name);
        bool is_table = block->type == THUDI_ITEM_DOUBLE && block->count == dim && bodies > 0 &&
                        dim > bodies && dim % bodies == 0;
        if (is_table)
            array.rows = bodies, array.columns = dim / bodies;
        arrays[count++] = array;
        data += thudi_block_length(block) - sizeof *block;
    }
    return count;
}

static void write_frame(thudi_h5_bytes *to, const thudi_h5_all *all, const thudi_h5_heads *heads,
                        thudi_h5_array *arrays, int count)
{
    const char *time = all->about.units[TIME];
    to->used = 0;
    thudi_h5_superblock(to, heads->data + thudi_h5_data_length(heads));
    thudi_h5_begin_object(to);
    thudi_h5_raw(to, "heads", heads, (size_t)heads->length);
    if (heads->has_frame)
    {
        thudi_h5_number(to, "frame", THUDI_H5_INT64, &heads->number);
        thudi_h5_number(to, "n", THUDI_H5_INT64, &heads->record.n);
        thudi_h5_number(to, "t", THUDI_H5_DOUBLE, &heads->record.t);
        thudi_h5_number(to, "h", THUDI_H5_DOUBLE, &heads->record.h);
        if (time[0])
            thudi_h5_text(to, "unit_time", time);
    }
    thudi_h5_group(to);
    for (int i = 0; i < count; i++)
        thudi_h5_link(to, arrays[i].name, arrays[i].header);
    thudi_h5_end_object(to);
    for (int i = 0; i < count; i++)
        thudi_h5_array_header(to, &arrays[i]);
    while (to->used % 8 != 0 && !to->has_failed)
        thudi_h5_put(to, 0, 1);
}

// Addresses are known only after all is written once: they do not change its length.
void thudi_h5_make_frame(thudi_h5_bytes *to, const thudi_h5_all *all, thudi_h5_heads *heads,
                         uint64_t bodies)
{
    thudi_h5_array arrays[THUDI_H5_BLOCKS + 1];
    char spare[THUDI_H5_BLOCKS][16];
    memcpy(heads->magic, HEADS, sizeof HEADS);
    heads->version = THUDI_H5_VERSION;
    heads->length = offsetof(thudi_h5_heads, record);
    if (heads->has_frame)
        heads->length += sizeof heads->record + heads->record.blocks * sizeof *heads->blocks;
    heads->data = 0;
    int count = list_arrays(all, heads, bodies, spare, arrays);
    write_frame(to, all, heads, arrays, count);
    heads->data = to->used;
    heads->sum = sum_of(heads, heads->length);
    for (int i = 0; i < count; i++)
        arrays[i].data += heads->data;
    write_frame(to, all, heads, arrays, count);
}
