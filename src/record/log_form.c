// The list of forms, and what is the same for all of them.
#include "record/log_form.h"

#include "core/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const thudi_log_table *const forms[] = {
    [THUD_LOG_FILE] = &thudi_log_in_file,
    [THUD_LOG_HDF5] = &thudi_log_in_hdf5,
};

enum
{
    FORM_COUNT = sizeof forms / sizeof *forms
};

const thudi_log_table *thudi_log_table_of(thud_log_form form)
{
    return forms[form];
}

const char *thud_log_form_name(thud_log_form form)
{
    return (unsigned)form < FORM_COUNT ? forms[form]->name : NULL;
}

const char *thud_log_form_file(thud_log_form form)
{
    return (unsigned)form < FORM_COUNT ? forms[form]->file : NULL;
}

static bool has_log(int folder, int form)
{
    struct stat look;
    return fstatat(folder, forms[form]->file, &look, AT_SYMLINK_NOFOLLOW) == 0;
}

bool thudi_log_is_in(int folder)
{
    for (int i = 0; i < FORM_COUNT; i++)
        if (has_log(folder, i))
            return true;
    return false;
}

thud_log_form thudi_log_form_in(int folder)
{
    for (int i = 0; i < FORM_COUNT; i++)
        if (has_log(folder, i))
            return (thud_log_form)i;
    return THUD_LOG_FILE;
}

bool thud_record_find_log(const char *folder, thud_log_form *form)
{
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = at >= 0 && thudi_log_is_in(at);
    if (found && form)
        *form = thudi_log_form_in(at);
    if (at >= 0)
        (void)close(at);
    return found;
}

// Only a run that was killed while it replaced another leaves two logs, and then neither has a
// scene or a checkpoint. Whoever puts a log beside another shows other programs what Thud does not
// verify.
static thud_status check_alone(int folder, const char *path, thud_fault *fault)
{
    int own = (int)thudi_log_form_in(folder);
    for (int i = 0; i < FORM_COUNT; i++)
        if (i != own && has_log(folder, i))
            return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(path, NULL),
                              "remove the one that is not of this run, or replace the run with "
                              "'thud run --replace'",
                              "the folder holds two logs, %s and %s", forms[own]->file,
                              forms[i]->file);
    return THUD_OK;
}

thud_status thudi_log_source_open(thudi_log_source *source, const thud_allocator *allocator,
                                  int folder, const char *path, int flags, thud_fault *fault)
{
    const thudi_log_table *form = forms[thudi_log_form_in(folder)];
    *source = THUDI_LOG_SOURCE_CLOSED;
    THUD_TRY(check_alone(folder, path, fault));
    *source = (thudi_log_source){
        .form = form, .path = path, .allocator = *allocator, .folder = folder, .fd = -1};
    thud_status status = form->open(source, folder, flags, fault);
    if (status < 0)
        thudi_log_source_close(source);
    return status;
}

void thudi_log_source_close(thudi_log_source *source)
{
    if (source->form)
        source->form->close(source);
    if (source->fd >= 0)
        (void)close(source->fd);
    *source = THUDI_LOG_SOURCE_CLOSED;
}

ssize_t thudi_log_source_read(thudi_log_source *source, void *to, size_t length, int64_t offset)
{
    size_t done = 0;
    while (done < length)
    {
        ssize_t got =
            source->form->read(source, (char *)to + done, length - done, offset + (int64_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

thudi_log_place thudi_log_source_find(thudi_log_source *source, int64_t offset)
{
    thudi_log_place place = {.offset = offset};
    (void)snprintf(place.file, sizeof place.file, "%s", source->form->file);
    if (source->form->find)
        source->form->find(source, offset, &place);
    return place;
}

bool thudi_log_source_find_wrong(thudi_log_source *source, thudi_log_place *place)
{
    return source->form->find_wrong && source->form->find_wrong(source, place);
}

const char *thudi_log_source_compare_shown(thudi_log_source *source, const thud_log_units *units,
                                           bool is_over)
{
    return source->form->compare_shown ? source->form->compare_shown(source, units, is_over) : NULL;
}

static ssize_t read_source(thudi_stream *stream, void *to, size_t length, int64_t offset)
{
    return thudi_log_source_read(stream->kept, to, length, offset);
}

static int close_source(thudi_stream *stream)
{
    thudi_log_source_close(stream->kept);
    thudi_free(&stream->allocator, stream->kept, sizeof(thudi_log_source));
    return 0;
}

int thudi_log_source_compare(thudi_stream *stream, const thud_allocator *allocator,
                             thudi_log_source *source)
{
    static const thudi_stream_target target = {.read = read_source, .close = close_source};
    *stream = (thudi_stream){
        .fd = -1, .allocator = *allocator, .published = true, .compares = true, .target = NULL};
    (void)snprintf(stream->name, sizeof stream->name, "%s", source->form->file);
    stream->buffer = allocator->resize(NULL, 0, THUDI_STREAM_BUFFER_SIZE, allocator->user);
    stream->kept = thudi_allocate_zeroed(allocator, sizeof *source);
    if (stream->buffer && stream->kept)
    {
        memcpy(stream->kept, source, sizeof *source);
        stream->target = &target;
        return 0;
    }
    thudi_free(allocator, stream->buffer, THUDI_STREAM_BUFFER_SIZE);
    thudi_free(allocator, stream->kept, sizeof *source);
    stream->buffer = NULL;
    thudi_log_source_close(source);
    return ENOMEM;
}

bool thudi_log_is_shown_by(const char *name)
{
    for (int i = 0; i < FORM_COUNT; i++)
        if (strcmp(name, forms[i]->file) == 0)
            return true;
    return false;
}

static bool is_part(const char *name, const char *file)
{
    size_t length = strlen(file);
    return strncmp(name, file, length) == 0 && strcmp(name + length, ".part") == 0;
}

bool thudi_log_owns(int folder, const char *name, bool is_folder)
{
    for (int i = 0; i < FORM_COUNT; i++)
        if (is_folder ? forms[i]->has_folder && forms[i]->has_folder(folder, name)
                      : strcmp(name, forms[i]->file) == 0 || is_part(name, forms[i]->file))
            return true;
    return false;
}

int thudi_log_clear(int folder)
{
    int error = 0;
    for (int i = 0; !error && i < FORM_COUNT; i++)
        error = forms[i]->remove_folder ? forms[i]->remove_folder(folder) : 0;
    return error;
}

int thudi_log_clear_others(int folder, thud_log_form form)
{
    for (int i = 0; i < FORM_COUNT; i++)
        if (i != (int)form && unlinkat(folder, forms[i]->file, 0) != 0 && errno != ENOENT)
            return errno;
    return 0;
}

// Is it the path of a file in the folder of the form?
static bool is_within(const char *path, const char *slash, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    return folder && slash && (size_t)(slash - path) > length &&
           slash[-1 - (ptrdiff_t)length] == '/' && memcmp(slash - length, folder, length) == 0;
}

bool thudi_log_has_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < FORM_COUNT; i++)
        if (is_within(path, slash, forms[i]->folder))
            return true;
    return thudi_log_is_shown_by(slash ? slash + 1 : path);
}
