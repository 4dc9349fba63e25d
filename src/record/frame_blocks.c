// Converts frames to blocks, and back.
#include "record/frame_blocks.h"

#include <limits.h>
#include <string.h>

const thudi_block_name thudi_frame_names[THUDI_FRAME_BLOCKS] = {
    {THUDI_FRAME_IDS, 1, 0, "ids"},
    {THUDI_FRAME_Q, 1, 0, "q"},
    {THUDI_FRAME_U, 1, 0, "u"},
    {THUDI_FRAME_U_NEXT, 1, 0, "u_next"},
    {THUDI_FRAME_FORCE, 1, 0, "force"},
    {THUDI_FRAME_MOVE, 1, 0, "move"},
    {THUDI_FRAME_BEFORE, 1, 0, "before"},
    {THUDI_FRAME_AFTER, 1, 0, "after"},
    {THUDI_FRAME_DIRECTIONS, 1, 0, "directions"},
};

// The number that this Thud gives to a name; 0 if it does not know it.
static int number_of(const char *text)
{
    for (int i = 0; i < THUDI_FRAME_BLOCKS; i++)
        if (strcmp(thudi_frame_names[i].text, text) == 0)
            return thudi_frame_names[i].number;
    return 0;
}

bool thudi_frame_knows(const char *text)
{
    return number_of(text) != 0;
}

bool thudi_ids_fit(const thud_id_range *ids, int64_t count, int dim)
{
    int64_t total = 0, behind = 0;
    for (int64_t i = 0; i < count; i++)
    {
        if (ids[i].first < behind || ids[i].count < 1 || ids[i].count > dim - total ||
            ids[i].first > INT64_MAX - ids[i].count)
            return false;
        behind = ids[i].first + ids[i].count;
        total += ids[i].count;
    }
    return total > 0 && dim % total == 0;
}

void thudi_frame_parts_free(const thud_allocator *allocator, thudi_frame_parts *parts)
{
    thudi_array_free(allocator, &parts->room);
    parts->room.items = NULL;
    parts->room.capacity = 0;
}

struct iovec thudi_part_of(const void *data, size_t length)
{
    struct iovec part = {.iov_len = length};
    memcpy(&part.iov_base, &data, sizeof data);
    return part;
}

// Add a block, unless it has no items. A frame's items are multiples of 8 bytes, so no zeros
// follow.
static void push(thudi_frame_parts *parts, int name, uint16_t type, int64_t count,
                 const void *items)
{
    if (count == 0)
        return;
    thudi_block *block = &parts->blocks[parts->head.blocks++];
    *block = thudi_block_make((uint16_t)name, type, (uint64_t)count, items);
    parts->parts[parts->count++] = thudi_part_of(block, sizeof *block);
    parts->parts[parts->count++] = thudi_part_of(items, thudi_block_items(block));
    parts->head.length += thudi_block_length(block);
}

// Add a block of multipliers, packed into `room`.
static void push_rows(thudi_frame_parts *parts, int name, const thudi_row_list *list,
                      thud_key_space keys, void *room)
{
    thudi_rows_pack(list, keys, room);
    push(parts, name, thudi_rows_type(list), list->count, room);
}

// The size of `count` items, in doubles.
static size_t words_of(uint16_t type, int count)
{
    return (size_t)count * thudi_item_size(type) / sizeof(double);
}

static size_t words_of_rows(const thudi_row_list *list)
{
    return words_of(thudi_rows_type(list), list->count);
}

thud_status thudi_frame_split(const thud_allocator *allocator, const thud_frame *frame,
                              uint64_t index, thud_key_space keys, thudi_frame_parts *parts)
{
    const thudi_row_list carried = {frame->before, frame->before_more, frame->before_count,
                                    frame->more_width};
    const thudi_row_list own = {frame->after, frame->after_more, frame->after_count,
                                frame->more_width};
    size_t before = words_of_rows(&carried), after = words_of_rows(&own);
    size_t directions = words_of(THUDI_ITEM_DIRECTION, frame->direction_count);
    THUD_TRY(thudi_array_reserve(allocator, &parts->room, before + after + directions + 1));
    double *room = parts->room.items;
    const double *vectors[] = {frame->q, frame->u, frame->u_next, frame->force, frame->move};
    parts->head = (thudi_record_head){
        .type = THUDI_LOG_FRAME, .n = frame->n, .t = frame->t, .h = frame->h, .index = index};
    parts->count = 2; // the caller's, and the head
    push(parts, THUDI_FRAME_IDS, THUDI_ITEM_RANGE, frame->ids ? frame->id_count : 1,
         frame->ids ? frame->ids : &parts->all_ids);
    for (int i = 0; i < 5; i++)
        push(parts, THUDI_FRAME_Q + i, THUDI_ITEM_DOUBLE, vectors[i] ? frame->dim : 0, vectors[i]);
    push_rows(parts, THUDI_FRAME_BEFORE, &carried, keys, room);
    push_rows(parts, THUDI_FRAME_AFTER, &own, keys, room + before);
    thudi_file_direction *last = (void *)(room + before + after);
    thudi_directions_pack(frame->directions, (size_t)frame->direction_count, keys, last);
    push(parts, THUDI_FRAME_DIRECTIONS, THUDI_ITEM_DIRECTION, frame->direction_count, last);
    thudi_head_seal(&parts->head);
    parts->parts[1] = thudi_part_of(&parts->head, sizeof parts->head);
    return THUD_OK;
}

void thudi_frame_reader_free(thudi_frame_reader *reader)
{
    thudi_block_names_free(&reader->allocator, &reader->names);
    thudi_array_free(&reader->allocator, &reader->before);
    thudi_array_free(&reader->allocator, &reader->after);
    thudi_array_free(&reader->allocator, &reader->before_more);
    thudi_array_free(&reader->allocator, &reader->after_more);
    thudi_array_free(&reader->allocator, &reader->directions);
}

// The number that this Thud gives to a block: 0 if it does not know it, -1 if it has no name.
static int number_of_block(const thudi_frame_reader *reader, const thudi_block *block)
{
    const thudi_block_name *name = thudi_block_names_find(&reader->names, block->name);
    if (reader->names.count == 0)
        return block->name <= THUDI_FRAME_BLOCKS ? block->name : 0;
    return name ? number_of(name->text) : -1;
}

static bool take_vector(const thudi_walk *walk, int number, thud_frame *frame)
{
    const double **vectors[] = {&frame->q, &frame->u, &frame->u_next, &frame->force, &frame->move};
    *vectors[number - THUDI_FRAME_Q] = (const double *)(const void *)walk->items;
    return walk->block.type == THUDI_ITEM_DOUBLE && walk->block.count == (uint64_t)frame->dim;
}

static bool take_ids(const thudi_walk *walk, thud_frame *frame)
{
    frame->ids = (const thud_id_range *)(const void *)walk->items;
    if (walk->block.type != THUDI_ITEM_RANGE || walk->block.count > INT_MAX)
        return false;
    frame->id_count = (int)walk->block.count;
    return thudi_ids_fit(frame->ids, frame->id_count, frame->dim);
}

// Read multipliers into a list of the reader. All rows of a frame keep the same count of numbers.
static bool take_multipliers(const thudi_frame_reader *reader, const thudi_walk *walk,
                             thud_frame *frame)
{
    bool is_before = number_of_block(reader, &walk->block) == THUDI_FRAME_BEFORE;
    size_t items = walk->block.count;
    int width = thudi_rows_width(walk->block.type);
    if (items < 1 || items > INT_MAX || width < 0 ||
        (!is_before && frame->before_count > 0 && width != frame->more_width))
        return false;
    frame->more_width = width;
    *(is_before ? &frame->before_count : &frame->after_count) = (int)items;
    return thudi_rows_unpack(walk->items, walk->block.type, items, reader->keys,
                             is_before ? reader->before.items : reader->after.items,
                             is_before ? reader->before_more.items : reader->after_more.items);
}

// The same for directions.
static bool take_directions(const thudi_frame_reader *reader, const thudi_walk *walk,
                            thud_frame *frame)
{
    size_t items = walk->block.count;
    if (walk->block.type != THUDI_ITEM_DIRECTION || items < 1 || items > INT_MAX)
        return false;
    frame->direction_count = (int)items;
    frame->directions = reader->directions.items;
    return thudi_directions_unpack(walk->items, items, reader->keys, reader->directions.items);
}

// Make room for a block of rows or directions.
static thud_status make_room(thudi_frame_reader *reader, int number, const thudi_block *block)
{
    const thud_allocator *allocator = &reader->allocator;
    int width = thudi_rows_width(block->type);
    size_t rows = block->count, more = width > 0 ? rows * (size_t)width : 0;
    if (number == THUDI_FRAME_DIRECTIONS)
        return thudi_array_reserve(allocator, &reader->directions, rows);
    if (number == THUDI_FRAME_BEFORE)
    {
        THUD_TRY(thudi_array_reserve(allocator, &reader->before, rows));
        return thudi_array_reserve(allocator, &reader->before_more, more);
    }
    if (number != THUDI_FRAME_AFTER)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(allocator, &reader->after, rows));
    return thudi_array_reserve(allocator, &reader->after_more, more);
}

static thud_status take_block(thudi_frame_reader *reader, const thudi_walk *walk, thud_frame *frame)
{
    int number = number_of_block(reader, &walk->block);
    bool is_right = true;
    if (number < 0)
        reader->wrong = "a block has no name";
    if (number <= 0)
        return THUD_OK;
    THUD_TRY(make_room(reader, number, &walk->block));
    if (number == THUDI_FRAME_IDS)
        is_right = take_ids(walk, frame);
    else if (number <= THUDI_FRAME_MOVE)
        is_right = take_vector(walk, number, frame);
    else if (number <= THUDI_FRAME_AFTER)
        is_right = take_multipliers(reader, walk, frame);
    else
        is_right = take_directions(reader, walk, frame);
    if (!is_right)
        reader->wrong = "a block has impossible numbers";
    return THUD_OK;
}

// What is wrong with the set of blocks; NULL if nothing is. A start frame has no blocks of a step.
static const char *missing(const thud_frame *frame)
{
    bool start = frame->h == 0;
    if (!frame->ids || !frame->q || !frame->u || !frame->u_next != start || !frame->force != start)
        return "a block is missing, or is too many";
    if (start && (frame->move || frame->direction_count > 0))
        return "a block is too many";
    return NULL;
}

thud_status thudi_frame_join(thudi_frame_reader *reader, const thudi_record_head *head,
                             const void *bytes, thud_frame *frame)
{
    *frame = (thud_frame){.n = head->n, .t = head->t, .h = head->h, .dim = reader->dim};
    // lists of rows are not NULL even if they are empty
    THUD_TRY(thudi_array_reserve(&reader->allocator, &reader->before, 1));
    THUD_TRY(thudi_array_reserve(&reader->allocator, &reader->after, 1));
    thudi_walk walk = thudi_walk_begin(head, bytes);
    reader->wrong = NULL;
    while (!reader->wrong && thudi_walk_next(&walk, &reader->wrong))
        THUD_TRY(take_block(reader, &walk, frame));
    frame->before = reader->before.items;
    frame->after = reader->after.items;
    frame->before_more = reader->before_more.items;
    frame->after_more = reader->after_more.items;
    if (!reader->wrong)
        reader->wrong = missing(frame);
    reader->place = walk.place;
    return reader->wrong ? THUD_ERR_RECORD : THUD_OK;
}

bool thudi_blocks_are_whole(const thudi_record_head *head, const void *bytes)
{
    const char *wrong = NULL;
    thudi_walk walk = thudi_walk_begin(head, bytes);
    while (thudi_walk_next(&walk, &wrong))
        continue;
    return !wrong;
}
