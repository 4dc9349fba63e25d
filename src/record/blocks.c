// Records of named blocks: their sums, and the walk over the blocks of one.
#include "record/blocks.h"

#include "core/checksum.h"

#include <stddef.h>
#include <string.h>

uint16_t thudi_item_of(thud_field_type type)
{
    if (type == THUD_FIELD_MULTIPLIER)
        return THUDI_ITEM_MULTIPLIER;
    if (type == THUD_FIELD_KEY)
        return THUDI_ITEM_KEY;
    size_t size = thud_field_size(type);
    return size == 0 ? 0 : (uint16_t)(size << 8 | type);
}

// The checksum of a block, computed with 0 in place of its sum.
static uint32_t sum_of(thudi_block block, const void *items)
{
    static const char zeros[8];
    block.sum = 0;
    uint32_t sum = thudi_checksum(0, &block, sizeof block);
    if (block.count > 0)
        sum = thudi_checksum(sum, items, thudi_block_items(&block));
    return thudi_checksum(sum, zeros, thudi_block_zeros(&block));
}

thudi_block thudi_block_make(uint16_t name, uint16_t type, uint64_t count, const void *items)
{
    thudi_block block = {.name = name, .type = type, .count = count};
    block.sum = sum_of(block, items);
    return block;
}

static uint32_t header_sum(const thudi_file_header *header)
{
    return thudi_checksum(0, header, offsetof(thudi_file_header, sum));
}

void thudi_header_seal(thudi_file_header *header)
{
    header->sum = header_sum(header);
}

bool thudi_header_is_sound(const thudi_file_header *header)
{
    return header->sum == header_sum(header);
}

static uint32_t head_sum(thudi_record_head head)
{
    head.sum = 0;
    return thudi_checksum(0, &head, sizeof head);
}

void thudi_head_seal(thudi_record_head *head)
{
    head->sum = head_sum(*head);
}

bool thudi_head_is_sound(const thudi_record_head *head)
{
    return head->sum == head_sum(*head);
}

thudi_walk thudi_walk_begin(const thudi_record_head *head, const void *bytes)
{
    return (thudi_walk){.bytes = bytes, .length = head->length, .left = head->blocks};
}

// Read and check the block at `place`, which must end within the record. `last` is the number of
// the block before. Returns what is wrong, or NULL.
static const char *read_block(thudi_walk *walk, uint16_t last)
{
    uint64_t rest = walk->length - walk->place;
    thudi_block *block = &walk->block;
    if (rest < sizeof *block)
        return "a block is missing";
    memcpy(block, walk->bytes + walk->place, sizeof *block);
    rest -= sizeof *block;
    uint64_t size = thudi_item_size(block->type);
    if (size == 0 || block->name <= last || block->count > rest / size ||
        thudi_block_items(block) + thudi_block_zeros(block) > rest)
        return "a block has impossible numbers";
    walk->items = walk->bytes + walk->place + sizeof *block;
    uint64_t filled = thudi_block_items(block) + thudi_block_zeros(block);
    for (uint64_t i = thudi_block_items(block); i < filled; i++)
        if (walk->items[i] != 0)
            return "a block does not match its checksum";
    if (block->sum != sum_of(*block, walk->items))
        return "a block does not match its checksum";
    walk->next = walk->place + thudi_block_length(block);
    return NULL;
}

bool thudi_walk_next(thudi_walk *walk, const char **wrong)
{
    uint16_t last = walk->block.name; // 0 before the first
    walk->place = walk->next;
    *wrong = NULL;
    if (walk->left == 0)
    {
        if (walk->place != walk->length)
            *wrong = "there are bytes that belong to no block";
        return false;
    }
    walk->left--;
    *wrong = read_block(walk, last);
    return !*wrong;
}

void thudi_block_names_free(const thud_allocator *allocator, thudi_block_names *names)
{
    thudi_array_free(allocator, &names->list);
    *names = (thudi_block_names){.count = 0};
}

const thudi_block_name *thudi_block_names_find(const thudi_block_names *names, uint16_t number)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list.items[i].number == number)
            return &names->list.items[i];
    return NULL;
}

const thudi_block_name *thudi_block_names_find_text(const thudi_block_names *names,
                                                    const char *text)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list.items[i].text, text) == 0)
            return &names->list.items[i];
    return NULL;
}

bool thudi_is_word(const char *text, size_t room)
{
    size_t end = 0;
    while (end < room && text[end] >= ' ' && text[end] <= '~')
        end++;
    for (size_t i = end; i < room; i++)
        if (text[i] != 0)
            return false;
    return end > 0 && end < room;
}

static bool is_name(const thudi_block_name *name)
{
    return thudi_is_word(name->text, THUD_FIELD_NAME) && name->number > 0 && name->is_needed <= 1 &&
           name->zero == 0;
}

bool thudi_head_is_timeless(const thudi_record_head *head)
{
    static const thudi_record_head zero;
    return head->n == 0 && memcmp(&head->t, &zero.t, sizeof head->t) == 0 &&
           memcmp(&head->h, &zero.h, sizeof head->h) == 0 && head->index == 0;
}

const char *thudi_block_names_fault(const thudi_record_head *head)
{
    if (!thudi_head_is_sound(head))
        return "a head does not match its checksum";
    if (head->type != THUDI_RECORD_NAME || head->blocks != 1 || head->length % 8 != 0 ||
        head->length > sizeof(thudi_block) + THUDI_NAMES_MOST * sizeof(thudi_block_name) ||
        !thudi_head_is_timeless(head))
        return "a head has impossible numbers";
    return NULL;
}

thud_status thudi_block_names_add(const thud_allocator *allocator, thudi_block_names *names,
                                  const thudi_record_head *head, const void *bytes,
                                  const char **wrong)
{
    thudi_walk walk = thudi_walk_begin(head, bytes);
    if (!thudi_walk_next(&walk, wrong))
        return THUD_OK;
    size_t before = names->count;
    thudi_block block = walk.block;
    const unsigned char *items = walk.items;
    *wrong = "a record of names has impossible numbers";
    if (block.type != THUDI_ITEM_NAME || block.name != 1 ||
        block.count > THUDI_NAMES_MOST - names->count)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(allocator, &names->list, names->count + block.count));
    for (uint64_t i = 0; i < block.count; i++)
    {
        thudi_block_name name;
        memcpy(&name, items + i * sizeof name, sizeof name);
        if (!is_name(&name) || thudi_block_names_find(names, name.number) ||
            thudi_block_names_find_text(names, name.text))
        {
            names->count = before;
            return THUD_OK;
        }
        names->list.items[names->count++] = name;
    }
    if (thudi_walk_next(&walk, wrong))
        *wrong = "a record of names has impossible numbers";
    if (*wrong)
        names->count = before;
    return THUD_OK;
}

void thudi_block_names_head(const thudi_block_name *list, uint64_t count, thudi_record_head *head,
                            thudi_block *block)
{
    *block = thudi_block_make(1, THUDI_ITEM_NAME, count, list);
    *head = (thudi_record_head){
        .type = THUDI_RECORD_NAME, .blocks = 1, .length = thudi_block_length(block)};
    thudi_head_seal(head);
}
