// A run as one HTML page: the viewer's template with the data put in, as many frames as fit.
#define _GNU_SOURCE // memmem
#include "page/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const int64_t MAX_BYTES = 12000000;

static const char HEAD_BEGIN[] = "<script type=\"application/json\" id=\"thud-head\">";
static const char DATA_BEGIN[] =
    "</script>\n<script type=\"application/octet-stream\" id=\"thud-data\">";
static const char DATA_END[] = "</script>\n";

static thud_status fail(thud_fault *fault, const char *hint, const char *text)
{
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, hint, "%s", text);
}

static thud_status check_def(const thud_page_def *def, thud_fault *fault)
{
    if (!def->path || !def->path[0] || !def->folder || !def->scene || !def->model || !def->log ||
        def->stride < 0 || def->max_bytes < 0)
        return fail(fault, "", "a page needs a path, a run directory, a scene and a log");
    thud_log_summary summary = thud_log_view(def->log);
    if (def->first < 0 || def->last < def->first || def->last >= summary.frame_count)
        return fail(fault, "", "there are no such frames in the log");
    if (summary.dim != thud_model_problem(def->model)->dim)
        return fail(fault, "give the scene of this run",
                    "the log and the scene have different numbers of coordinates");
    if (thudi_page_template_size == 0)
        return fail(fault, "build it with -DTHUD_VIEWER=ON", "Thud was built without its viewer");
    return THUD_OK;
}

// Everything but the packed data.
static size_t frame_size(const thudi_pager *pager)
{
    return thudi_page_template_size - strlen(THUDI_PAGE_MARK) + strlen(HEAD_BEGIN) +
           pager->head.length + strlen(DATA_BEGIN) + strlen(DATA_END);
}

static int64_t max_bytes(const thudi_pager *pager)
{
    return pager->def->max_bytes > 0 ? pager->def->max_bytes : MAX_BYTES;
}

static void set_stride(thudi_pager *pager, int64_t stride)
{
    const thud_page_def *def = pager->def;
    pager->stride = stride;
    pager->frame_count = (def->last - def->first) / stride + 1;
}

// Pack with the present stride; THUD_ERR_LIMIT when that is too large.
static thud_status pack_once(thudi_pager *pager)
{
    thudi_pack_free(&pager->pack);
    THUD_TRY(thudi_page_write_head(pager));
    int64_t room = max_bytes(pager) - (int64_t)frame_size(pager);
    thudi_pack_begin(&pager->pack, &pager->allocator, room > 0 ? (size_t)room / 4 * 3 : 0);
    return thudi_page_pack(pager);
}

static thud_status fail_too_large(const thudi_pager *pager)
{
    return thudi_fail(pager->fault, THUD_ERR_LIMIT, THUDI_IN(pager->def->path, NULL),
                      "allow a larger page (--max-size)",
                      "not even one frame fits into a page of %.3g MB",
                      (double)max_bytes(pager) / 1e6);
}

// Leave out frames, every other one at least of those that were asked for, until the rest fits.
static thud_status pack_as_fits(thudi_pager *pager)
{
    int64_t wanted = pager->def->stride > 0 ? pager->def->stride : 1;
    set_stride(pager, wanted);
    for (;;)
    {
        thud_status status = pack_once(pager);
        if (status != THUD_ERR_LIMIT)
            return status;
        if (pager->frame_count == 1)
            return fail_too_large(pager);
        // the frames that fitted, less two in a hundred for the series
        int64_t fitted = pager->packed - pager->frame_count / 50;
        int64_t span = pager->def->last - pager->def->first;
        int64_t stride = fitted > 1 ? span / (fitted * wanted) : span / wanted;
        if (stride * wanted <= pager->stride)
            stride = pager->stride / wanted + 1;
        set_stride(pager, stride * wanted);
    }
}

static void write_page(const thudi_pager *pager, thudi_stream *stream)
{
    const char *whole = (const char *)thudi_page_template;
    size_t size = thudi_page_template_size, mark = strlen(THUDI_PAGE_MARK);
    const char *at = memmem(whole, size, THUDI_PAGE_MARK, mark);
    size_t before = (size_t)(at - whole);
    (void)thudi_stream_write(stream, whole, before);
    (void)thudi_stream_text(stream, HEAD_BEGIN);
    (void)thudi_stream_write(stream, pager->head.text, pager->head.length);
    (void)thudi_stream_text(stream, DATA_BEGIN);
    thudi_pack_base64(&pager->pack, stream);
    (void)thudi_stream_text(stream, DATA_END);
    (void)thudi_stream_write(stream, at + mark, size - before - mark);
}

static thud_status write_file(thudi_pager *pager, thud_page_size *size)
{
    const char *path = pager->def->path, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char folder[4096] = ".";
    thudi_stream stream = THUDI_STREAM_CLOSED;
    size_t length = slash == path ? 1 : (size_t)(name - path);
    if (length >= sizeof folder)
        return thudi_fail_io(pager->fault, THUDI_IN(path, NULL), "write", ENAMETOOLONG);
    if (slash)
    {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return thudi_fail_io(pager->fault, THUDI_IN(folder, NULL), "open the folder", errno);
    if (thudi_stream_open(&stream, &pager->allocator, descriptor, name) == 0)
    {
        write_page(pager, &stream);
        (void)thudi_stream_finish(&stream, false);
    }
    (void)close(descriptor);
    if (stream.error)
        return thudi_fail_io(pager->fault, THUDI_IN(path, NULL), "write", stream.error);
    *size = (thud_page_size){stream.bytes, pager->frame_count, pager->stride};
    return THUD_OK;
}

static void free_pager(thudi_pager *pager)
{
    const thud_allocator *allocator = &pager->allocator;
    thudi_pack_free(&pager->pack);
    thud_snapshot_close(pager->reader);
    thud_series_table_destroy(pager->series);
    thud_json_free(&pager->head);
    thudi_array_free(allocator, &pager->now);
    thudi_array_free(allocator, &pager->old);
    thudi_array_free(allocator, &pager->words);
    thudi_array_free(allocator, &pager->numbers);
    thudi_page_free_surfaces(pager);
}

static int grid_of(const thud_scene *scene)
{
    if (scene->kind != THUD_SCENE_INCLUSION || scene->constraint_count > 64)
        return 0;
    return scene->coordinate_count == 1 ? 257 : scene->coordinate_count == 2 ? 97 : 0;
}

thud_status thud_page_write(const thud_page_def *def, thud_page_size *size, thud_fault *fault)
{
    THUD_TRY(check_def(def, fault));
    thudi_pager pager = {.def = def, .fault = fault, .grid = grid_of(def->scene)};
    pager.allocator = thudi_allocator_or_default(def->allocator);
    pager.pack.allocator = pager.allocator;
    pager.run = (thud_snapshot_def){
        .scene = def->scene, .model = def->model, .log = def->log, .allocator = &pager.allocator};
    thud_status status = thud_snapshot_open(&pager.run, &pager.reader, fault);
    if (status >= 0)
        status = thudi_page_make_surfaces(&pager);
    if (status >= 0)
        status = thudi_page_read_series(&pager);
    if (status >= 0)
        status = thudi_page_measure(&pager);
    if (status >= 0)
        status = thudi_page_find_ranges(&pager);
    if (status >= 0)
        status = pack_as_fits(&pager);
    if (status >= 0)
        status = write_file(&pager, size);
    free_pager(&pager);
    return status;
}
