// Alters a run as somebody would who knows the formats: one number of one frame, and then every sum
// that would tell, in the log and in the checkpoints; if wanted the chain of hashes, too. Or one
// number of the state in a checkpoint.
//
//     forger RUN mend
//     forger RUN FIELD FRAME INDEX FACTOR [chain]
//     forger RUN checkpoint FILE SECTION INDEX FACTOR
//
// FIELD: q, u, u_next, force, before, after (an impulse), direction (by component), t, h or n. The
// chain can be made right only where every step is on record. SECTION: q, u or multipliers (an
// impulse).
#include "core/checksum.h"
#include "record/checkpoint_format.h"
#include "record/digest.h"
#include "record/frame_blocks.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct file
{
    char path[1000];
    unsigned char *bytes;
    size_t length;
} file;

static void die(const char *what)
{
    (void)fprintf(stderr, "forger: %s\n", what);
    exit(1);
}

static bool read_file(const char *folder, const char *name, file *f)
{
    *f = (file){0};
    (void)snprintf(f->path, sizeof f->path, "%s/%s", folder, name);
    FILE *stream = fopen(f->path, "rb");
    if (!stream)
        return false;
    (void)fseek(stream, 0, SEEK_END);
    long length = ftell(stream);
    rewind(stream);
    f->length = length > 0 ? (size_t)length : 0;
    f->bytes = malloc(f->length + 1);
    if (!f->bytes || fread(f->bytes, 1, f->length, stream) != f->length)
        die("cannot read");
    (void)fclose(stream);
    return true;
}

static void write_file(file *f)
{
    FILE *stream = fopen(f->path, "wb");
    if (!stream || fwrite(f->bytes, 1, f->length, stream) != f->length || fclose(stream) != 0)
        die("cannot write");
    free(f->bytes);
}

static uint32_t sum_inputs(const char *folder)
{
    static const char *const names[] = {"bodies.csv", "meshes.stl", "scene.yaml"};
    uint32_t sum = 0;
    for (int i = 0; i < 3; i++)
    {
        file f;
        if (!read_file(folder, names[i], &f))
            continue;
        uint32_t own = thudi_checksum(0, f.bytes, f.length);
        sum = thudi_checksum(sum, &own, sizeof own);
        free(f.bytes);
    }
    return sum;
}

// The block of that name in a checkpoint, its items behind it: names are numbered in their order.
static thudi_block *find(file *f, const char *name)
{
    thudi_record_head *names = (void *)(f->bytes + sizeof(thudi_file_header));
    const thudi_block *list = (const void *)(names + 1);
    const thudi_block_name *table = (const void *)(list + 1);
    thudi_block *block = (void *)((char *)(names + 1) + names->length + sizeof *names);
    for (uint64_t i = 0; i < list->count; i++)
    {
        if (strcmp(table[i].text, name) == 0)
            return block;
        block = (void *)((char *)block + thudi_block_length(block));
    }
    die("no such section");
    return NULL;
}

static void seal_block(thudi_block *block)
{
    *block = thudi_block_make(block->name, block->type, block->count, block + 1);
}

static uint64_t get(file *f, const char *name)
{
    uint64_t value;
    memcpy(&value, find(f, name) + 1, 8);
    return value;
}

static void set(file *f, const char *name, uint64_t value)
{
    thudi_block *block = find(f, name);
    memcpy(block + 1, &value, 8);
    seal_block(block);
}

// The digest of the log as it is now, after all records of a node.
static thud_digest digest_of(const char *folder, int64_t node)
{
    thudi_digest_request wish = {.node = node};
    thudi_log_source source;
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    if (at < 0 || thudi_log_source_open(&source, &allocator, at, folder, O_RDONLY, NULL) < 0 ||
        thudi_digest_log(&source, INT64_MAX / 2, &wish, 1) != 0)
        die("no digest");
    thudi_log_source_close(&source);
    (void)close(at);
    return wish.digest;
}

static void set_digest(file *f, const char *folder)
{
    thudi_block *block = find(f, "log.digest");
    thud_digest digest = digest_of(folder, (int64_t)get(f, "n"));
    memcpy(block + 1, &digest, sizeof digest);
    seal_block(block);
}

// The digest that run.json tells.
static void mend_json(const char *folder)
{
    file f;
    char digits[THUD_DIGEST_TEXT];
    if (!read_file(folder, "run.json", &f))
        return;
    f.bytes[f.length] = '\0';
    char *text = (char *)f.bytes, *steps = strstr(text, "\"steps\": ");
    char *digest = strstr(text, "\"digest\": \"");
    char *origin = strstr(text, "\"after_step\": "); // of a run that continues another
    if (steps && digest && digest[11] != '"')
    {
        int64_t first = origin ? strtoll(origin + 14, NULL, 10) : 0;
        thud_digest now = digest_of(folder, first + strtoll(steps + 9, NULL, 10));
        memcpy(digest + 11, thud_digest_text(&now, digits), THUD_DIGEST_TEXT - 1);
    }
    write_file(&f);
}

// A number with fewer digits makes a file shorter than the checkpoint says: its reader will find
// that.
static size_t least(uint64_t told, size_t length)
{
    return told < length ? (size_t)told : length;
}

// Make a checkpoint fit the files as they are now; chain: of every node, or NULL.
static void mend_checkpoint(const char *folder, const char *name, const uint64_t *chain)
{
    file f, log, series;
    if (!read_file(folder, name, &f))
        return;
    if (!read_file(folder, THUDI_LOG_NAME, &log) || !read_file(folder, "series.csv", &series))
        die("no log");
    set(&f, "log.sum", thudi_checksum(0, log.bytes, least(get(&f, "log.bytes"), log.length)));
    set(&f, "series.sum",
        thudi_checksum(0, series.bytes, least(get(&f, "series.bytes"), series.length)));
    set(&f, "inputs.sum", sum_inputs(folder));
    set_digest(&f, folder);
    if (chain)
        set(&f, "chain", chain[get(&f, "n")]);
    write_file(&f);
    free(log.bytes);
    free(series.bytes);
}

static void mend_all(const char *folder, const uint64_t *chain)
{
    mend_checkpoint(folder, THUDI_CHECKPOINT_NAME, chain);
    mend_checkpoint(folder, THUDI_CHECKPOINT_PREV, chain);
    mend_json(folder);
}

// words: FILE SECTION INDEX FACTOR. The other sums are made right by mend_checkpoint.
static void alter_checkpoint(const char *folder, char **words)
{
    file f;
    if (!read_file(folder, words[0], &f))
        die("no such checkpoint");
    thudi_block *block = find(&f, words[1]);
    bool is_multiplier = block->type == THUDI_ITEM_MULTIPLIER;
    size_t item = thudi_item_size(block->type), index = (size_t)strtol(words[2], NULL, 10);
    unsigned char *at = (unsigned char *)(block + 1) + index * item;
    double x;
    if (index >= block->count)
        die("no such number");
    at += is_multiplier ? offsetof(thudi_file_multiplier, impulse) : 0;
    memcpy(&x, at, sizeof x);
    x *= strtod(words[3], NULL);
    memcpy(at, &x, sizeof x);
    seal_block(block);
    write_file(&f);
    mend_checkpoint(folder, words[0], NULL);
}

// The block of that name in a record, its items behind it; NULL if there is none.
static thudi_block *block_of(thudi_record_head *head, const char *name)
{
    const char *wrong = NULL;
    unsigned char *bytes = (unsigned char *)(head + 1);
    thudi_walk walk = thudi_walk_begin(head, bytes);
    while (thudi_walk_next(&walk, &wrong))
        if (strcmp(thudi_frame_names[walk.block.name - 1].text, name) == 0)
            return (thudi_block *)(void *)(bytes + walk.place);
    return NULL;
}

static double *number_of(thudi_record_head *head, const char *field, int index)
{
    size_t place = (size_t)index, normal = place % 3;
    bool is_direction = strcmp(field, "direction") == 0;
    thudi_block *block = block_of(head, is_direction ? "directions" : field);
    if (strcmp(field, "t") == 0)
        return &head->t;
    if (strcmp(field, "h") == 0)
        return &head->h;
    if (!block || (is_direction ? place / 3 : place) >= block->count)
        die("no such number");
    void *items = block + 1;
    if (is_direction)
        return &((thudi_file_direction *)items)[place / 3].normal[normal];
    if (block->type == THUDI_ITEM_MULTIPLIER)
        return &((thudi_file_multiplier *)items)[place].impulse;
    if (block->type == THUDI_ITEM_IMPULSE)
        return &((thudi_file_impulse *)items)[place].impulse;
    return (double *)items + place;
}

// words: RUN FIELD FRAME INDEX FACTOR, from FIELD on at 1.
static void alter(thudi_record_head *head, char **words)
{
    double factor = strtod(words[4], NULL);
    if (strcmp(words[1], "n") == 0)
        head->n++;
    else
    {
        double *x = number_of(head, words[1], (int)strtol(words[3], NULL, 10));
        thudi_block *block =
            block_of(head, strcmp(words[1], "direction") == 0 ? "directions" : words[1]);
        *x = *x == 0 ? factor - 1 : *x * factor;
        if (block)
            seal_block(block);
    }
    thudi_head_seal(head);
}

// The node that a frame ends at, from its own numbers.
static thud_state node_of(thudi_frame_reader *reader, const thudi_record_head *head, double *q,
                          double t0, double h)
{
    thud_frame frame;
    if (thudi_frame_join(reader, head, head + 1, &frame) < 0)
        die("no frame");
    size_t d = (size_t)frame.dim;
    thud_state state = {.dim = frame.dim, .t0 = t0, .h = h, .q = q, .u = q + d};
    thud_frame_end(&frame, q);
    memcpy(q + d, frame.h == 0 ? frame.u : frame.u_next, d * sizeof *q);
    if (frame.h == 0)
        return state;
    state.n = frame.n + 1;
    state.multiplier_count = frame.after_count;
    memcpy(&state.multipliers, &frame.after, sizeof frame.after);
    return state;
}

// Go past the record at `at`; *step or *head is that record, the other one NULL,
// and both of names.
static size_t next_record(file *log, size_t at, thudi_log_step **step, thudi_record_head **head)
{
    *step = (void *)(log->bytes + at);
    *head = (void *)(log->bytes + at);
    if ((*step)->type == THUDI_LOG_STEP)
    {
        *head = NULL;
        return at + sizeof **step;
    }
    *step = NULL;
    size_t next = at + sizeof **head + (*head)->length;
    if ((*head)->type != THUDI_LOG_FRAME)
        *head = NULL;
    return next;
}

// Alter the frame, and find the start time and the step of the run.
static void alter_frame(file *log, char **words, double *t0, double *h)
{
    thudi_log_step *step;
    thudi_record_head *head;
    long wanted = strtol(words[2], NULL, 10), frame = 0;
    for (size_t at = sizeof(thudi_file_header); at < log->length;)
    {
        at = next_record(log, at, &step, &head);
        if (!head)
            continue;
        if (head->h == 0)
            *t0 = head->t;
        *h = frame == 1 ? head->h : *h;
        if (frame++ == wanted)
            alter(head, words);
    }
}

// Make the chain right, of a log that has a frame for every step.
static uint64_t *chain_anew(file *log, double t0, double h)
{
    const thudi_file_header *header = (const void *)log->bytes;
    thudi_frame_reader reader = {.allocator = thudi_allocator_or_default(NULL),
                                 .dim = (int)header->dim,
                                 .keys = (thud_key_space)header->keys};
    uint64_t *chain = calloc(log->length / sizeof(thudi_log_step) + 1, sizeof *chain), last = 0;
    double *q = calloc(2 * (size_t)header->dim, sizeof *q);
    if (!chain || !q)
        die("no memory");
    thudi_log_step *step, *own_step = NULL;
    thudi_record_head *head, *own_head = NULL;
    for (size_t at = sizeof(thudi_file_header); at < log->length;)
    {
        at = next_record(log, at, &step, &head);
        own_step = step ? step : own_step;
        own_head = head ? head : own_head;
        if (!own_step || !own_head)
            continue; // a step and its frame stand next to each other
        thud_state node = node_of(&reader, own_head, q, t0, h);
        last = thud_state_hash(&node, last);
        chain[own_step->n] = own_step->chain = last;
        own_step->sum = 0;
        own_step->sum = thudi_checksum(0, own_step, sizeof *own_step);
        own_step = NULL;
        own_head = NULL;
    }
    free(q);
    thudi_frame_reader_free(&reader);
    return chain;
}

int main(int argc, char **argv)
{
    file log;
    double t0 = 0, h = 0;
    if (argc == 3 && strcmp(argv[2], "mend") == 0)
    {
        mend_all(argv[1], NULL);
        return 0;
    }
    if (argc == 7 && strcmp(argv[2], "checkpoint") == 0)
    {
        alter_checkpoint(argv[1], argv + 3);
        return 0;
    }
    if (argc < 6 || !read_file(argv[1], THUDI_LOG_NAME, &log))
        die("see the head of the source");
    alter_frame(&log, argv + 1, &t0, &h);
    uint64_t *chain = argc > 6 ? chain_anew(&log, t0, h) : NULL;
    write_file(&log);
    mend_all(argv[1], chain);
    free(chain);
    return 0;
}
