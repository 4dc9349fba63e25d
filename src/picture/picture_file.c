// Files of pictures: cairo writes into streams that get their final names when all went well.
#include "picture/picture_file.h"

#include "core/fault.h"
#include "core/stream.h"
#include "thud/record.h"

#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

thud_status thudi_picture_folder_open(thudi_picture_folder *output, const char *path)
{
    output->path = path;
    output->folder = -1;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return thudi_fail_io(output->fault, THUDI_IN(path, NULL), "make the folder", errno);
    output->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (output->folder < 0)
        return thudi_fail_io(output->fault, THUDI_IN(path, NULL), "open the folder", errno);
    if (!thud_record_find_log(path, NULL))
        return THUD_OK;
    return thudi_fail(output->fault, THUD_ERR_ARGUMENT, THUDI_IN(path, NULL),
                      "choose another folder",
                      "the folder is a run directory; pictures are not written into one");
}

void thudi_picture_folder_close(thudi_picture_folder *output)
{
    if (output->folder >= 0)
        (void)close(output->folder);
    output->folder = -1;
}

thud_status thudi_cairo_check(cairo_status_t status, thud_fault *fault)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return THUD_OK;
    if (status == CAIRO_STATUS_NO_MEMORY)
        return thudi_fail_memory(fault);
    return thudi_fail(fault, THUD_ERR_LIMIT, THUDI_NOWHERE, "", "cairo cannot draw: %s",
                      cairo_status_to_string(status));
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned length)
{
    return thudi_stream_write(stream, data, length) ? CAIRO_STATUS_WRITE_ERROR
                                                    : CAIRO_STATUS_SUCCESS;
}

// The stream's own error says more than cairo's.
static thud_status finish(const thudi_picture_folder *output, thudi_stream *stream,
                          cairo_status_t status)
{
    if (!stream->error && status != CAIRO_STATUS_SUCCESS)
    {
        (void)thudi_stream_close(stream);
        return thudi_cairo_check(status, output->fault);
    }
    (void)thudi_stream_finish(stream, false);
    return stream->error ? thudi_fail_io(output->fault, THUDI_IN(output->path, stream->name),
                                         "write", stream->error)
                         : THUD_OK;
}

thud_status thudi_picture_folder_png(const thudi_picture_folder *output, const char *name,
                                     cairo_surface_t *surface)
{
    thudi_stream stream;
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    if (thudi_stream_open(&stream, output->allocator, output->folder, name) == 0)
        status = cairo_surface_write_to_png_stream(surface, write_bytes, &stream);
    else
        return thudi_fail_io(output->fault, THUDI_IN(output->path, name), "write", stream.error);
    return finish(output, &stream, status);
}

thud_status thudi_picture_folder_svg(const thudi_picture_folder *output, const char *name,
                                     double width, double height, thudi_draw_fn *draw,
                                     const void *user)
{
    thudi_stream stream;
    if (thudi_stream_open(&stream, output->allocator, output->folder, name) != 0)
        return thudi_fail_io(output->fault, THUDI_IN(output->path, name), "write", stream.error);
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(write_bytes, &stream, width, height);
    cairo_t *cairo = cairo_create(surface);
    draw(cairo, user);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return finish(output, &stream, status);
}
