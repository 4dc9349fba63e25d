// Blocks that only a newer Thud knows are skipped. Files of an older format are refused in words.
#include "record_rig.h"

#include "record/frame_blocks.h"

#include <stdlib.h>
#include <string.h>

enum
{
    FRAMES = 4,
    NUMBER = 12 // of the block that this Thud does not know
};

// A log being put together again.
typedef struct writer
{
    unsigned char *bytes;
    size_t length;
} writer;

static void put(writer *w, const void *data, size_t length)
{
    memcpy(w->bytes + w->length, data, length);
    w->length += length;
}

// The names of the log, and one more.
static void put_names(writer *w, const char *name, bool is_needed)
{
    thudi_block_name names[THUDI_FRAME_BLOCKS + 1];
    thudi_record_head head;
    thudi_block block;
    memcpy(names, thudi_frame_names, sizeof thudi_frame_names);
    names[THUDI_FRAME_BLOCKS] = (thudi_block_name){.number = NUMBER, .is_needed = is_needed};
    (void)snprintf(names[THUDI_FRAME_BLOCKS].text, THUD_FIELD_NAME, "%s", name);
    thudi_block_names_head(names, THUDI_FRAME_BLOCKS + 1, &head, &block);
    put(w, &head, sizeof head);
    put(w, &block, sizeof block);
    put(w, names, sizeof names);
}

// Write the log of a run again, with a block in every frame that this Thud does not know. Its type
// is not known either, only how long its items are.
static bool add_blocks(const char *folder, const char *name, bool is_needed, uint16_t number)
{
    static const unsigned char items[8] = {3, 1, 4, 1, 5, 9}; // two of three bytes, and zeros
    thudi_block extra = thudi_block_make(number, 3 << 8 | 99, 2, items);
    size_t length = 0;
    unsigned char *bytes = rig_file_read(rig_path(folder, "frames.thud"), &length);
    writer w = {.bytes = malloc(2 * length)};
    if (!bytes || !w.bytes)
    {
        free(bytes);
        free(w.bytes);
        return false;
    }
    put(&w, bytes, sizeof(thudi_file_header));
    put_names(&w, name, is_needed);
    for (size_t at = RIG_LOG_BEGIN; at < length;)
    {
        thudi_record_head head;
        memcpy(&head, bytes + at, sizeof head);
        at += sizeof head;
        size_t body = head.length;
        head.length += sizeof extra + sizeof items;
        head.blocks++;
        thudi_head_seal(&head);
        put(&w, &head, sizeof head);
        put(&w, bytes + at, body);
        put(&w, &extra, sizeof extra);
        put(&w, items, sizeof items);
        at += body;
    }
    bool done = rig_file_write(rig_path(folder, "frames.thud"), w.bytes, w.length);
    free(bytes);
    free(w.bytes);
    return done;
}

static void with_block(const char *name, bool is_needed, uint16_t number, thud_status opened,
                       const char *text)
{
    char folder[RIG_PATH];
    rig_frame frames[FRAMES];
    thud_log *log = NULL;
    thud_frame frame;
    thud_fault fault = {0};
    REQUIRE(rig_folder_make(folder));
    CHECK(rig_run_write(folder, 20261123, 4, 5, frames, FRAMES));
    REQUIRE(add_blocks(folder, name, is_needed, number));
    CHECK(thud_log_open(folder, NULL, &log, &fault) == opened);
    if (log && !text)
    {
        CHECK(thud_log_view(log).frame_count == FRAMES);
        rig_log_check(log, frames, FRAMES);
    }
    else if (log)
        CHECK(thud_log_frame(log, 1, &frame, &fault) == THUD_ERR_RECORD);
    if (text)
        CHECK(strstr(fault.text, text) && strstr(fault.file, "frames.thud"));
    CHECK(opened == THUD_OK || fault.hint[0]);
    thud_log_close(log);
    CHECK(thud_log_open_damaged(folder, NULL, &log, &fault) == opened);
    if (log && !text)
        rig_log_check(log, frames, FRAMES);
    thud_log_close(log);
    for (int i = 0; i < FRAMES; i++)
        rig_frame_free(&frames[i]);
    rig_folder_remove(folder);
}

static void unknown_block(void)
{
    with_block("spin", false, NUMBER, THUD_OK, NULL);
    with_block("spin", true, NUMBER, THUD_ERR_RECORD, "blocks 'spin'");
    with_block("spin", false, NUMBER + 1, THUD_OK, "a block has no name");
}

// The files of a run that Thud wrote before there were blocks.
static void old_version(void)
{
    thud_log *log = NULL;
    thud_checkpoint *checkpoint = NULL;
    thud_fault fault = {0};
    CHECK(thud_log_open(GOLDEN_1, NULL, &log, &fault) == THUD_ERR_RECORD && !log);
    CHECK(strcmp(fault.text, "the log has version 1 of the format, this Thud reads 2") == 0);
    CHECK(strstr(fault.file, "frames.thud") && strstr(fault.hint, "run its scene again"));
    CHECK(thud_log_open_damaged(GOLDEN_1, NULL, &log, &fault) == THUD_ERR_RECORD && !log);
    CHECK(thud_checkpoint_read(GOLDEN_1, false, NULL, &checkpoint, &fault) == THUD_ERR_RECORD);
    CHECK(strcmp(fault.text, "the checkpoint has version 1 of the format, this Thud reads 3") == 0);
    CHECK(strstr(fault.file, "checkpoint.thud") && strstr(fault.hint, "run its scene again"));
    CHECK(!checkpoint);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"unknown-block", unknown_block},
        {"old-version", old_version},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
