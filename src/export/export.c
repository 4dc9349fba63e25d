// Runs in the formats of other programs: a table of formats, and the loop over the frames.
#include "core/fault.h"
#include "export/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static const thudi_format *const formats[] = {
    [THUD_EXPORT_VTP] = &thudi_format_vtp,
    [THUD_EXPORT_XYZ] = &thudi_format_xyz,
    [THUD_EXPORT_CSV] = &thudi_format_csv,
    [THUD_EXPORT_HDF5] = &thudi_format_hdf5,
};
_Static_assert(sizeof formats / sizeof *formats == THUD_EXPORT_COUNT, "every format is there");

thud_status thudi_export_check(thudi_export *export, thudi_stream *stream)
{
    if (!stream->error)
        return THUD_OK;
    return thudi_fail_io(export->fault, THUDI_IN(export->def->folder, stream->name), "write",
                         stream->error);
}

thud_status thudi_export_open(thudi_export *export, thudi_stream *stream, const char *name)
{
    (void)thudi_stream_open(stream, &export->allocator, export->folder, name);
    return thudi_export_check(export, stream);
}

thud_status thudi_export_finish(thudi_export *export, thudi_stream *stream)
{
    (void)thudi_stream_finish(stream, false);
    return thudi_export_check(export, stream);
}

void thudi_export_abandon(thudi_export *export)
{
    (void)thudi_stream_close(&export->bodies);
    (void)thudi_stream_close(&export->contacts);
}

static thud_status fail(thud_fault *fault, const char *hint, const char *text)
{
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, hint, "%s", text);
}

static thud_status check_def(const thud_export_def *def, thud_fault *fault)
{
    if ((unsigned)def->format >= THUD_EXPORT_COUNT || !def->folder || !def->folder[0] ||
        !def->scene || !def->model || !def->log || def->stride < 0)
        return fail(fault, "", "an export needs a format, a folder, a scene and a log");
    const char *absent = formats[def->format]->absent;
    if (absent)
        return fail(fault, "build it with -DTHUD_HDF5=ON, or export to vtp, xyz or csv", absent);
    thud_log_summary summary = thud_log_view(def->log);
    if (def->first < 0 || def->last < def->first || def->last >= summary.frame_count)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "there are no frames %" PRId64 " to %" PRId64 ": the log has %" PRId64,
                          def->first, def->last, summary.frame_count);
    }
    if (summary.dim != thud_model_problem(def->model)->dim)
        return fail(fault, "give the scene of this run",
                    "the log and the scene have different numbers of coordinates");
    if (def->scene->kind == THUD_SCENE_INCLUSION && !formats[def->format]->inclusions)
        return fail(fault, "use csv or hdf5", "this format holds bodies, but the scene has none");
    return THUD_OK;
}

// A run directory has files of the same names, and must stay as it is.
static thud_status open_folder(thudi_export *export)
{
    const char *path = export->def->folder;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return thudi_fail_io(export->fault, THUDI_IN(path, NULL), "make the folder", errno);
    export->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (export->folder < 0)
        return thudi_fail_io(export->fault, THUDI_IN(path, NULL), "open the folder", errno);
    if (thud_record_find_log(path, NULL))
    {
        return thudi_fail(export->fault, THUD_ERR_ARGUMENT, THUDI_IN(path, NULL),
                          "choose another folder",
                          "the folder is a run directory; an export does not write into one");
    }
    return THUD_OK;
}

static thud_status read_frame(thudi_export *export, int64_t i)
{
    return thud_snapshot_read(export->reader, i, &export->snapshot, export->fault);
}

static thud_status write_frames(thudi_export *export, const thudi_format *format)
{
    const thud_export_def *def = export->def;
    int64_t stride = def->stride > 0 ? def->stride : 1;
    export->total = (def->last - def->first) / stride + 1;
    THUD_TRY(read_frame(export, def->first));
    THUD_TRY(format->begin(export));
    while (export->done < export->total)
    {
        THUD_TRY(read_frame(export, def->first + export->done * stride));
        THUD_TRY(format->frame(export));
        export->done++;
        if (def->progress)
            def->progress(export->done, export->total, def->user);
    }
    return format->end(export);
}

thud_status thudi_export_reader(const thudi_export *export, thud_snapshot_reader **reader)
{
    const thud_export_def *def = export->def;
    return thud_snapshot_open(&(thud_snapshot_def){.scene = def->scene,
                                                   .model = def->model,
                                                   .log = def->log,
                                                   .allocator = &export->allocator},
                              reader, export->fault);
}

thud_status thud_export(const thud_export_def *def, thud_fault *fault)
{
    THUD_TRY(check_def(def, fault));
    const thudi_format *format = formats[def->format];
    thudi_export export = {.def = def,
                           .allocator = thudi_allocator_or_default(def->allocator),
                           .fault = fault,
                           .folder = -1,
                           .bodies = THUDI_STREAM_CLOSED,
                           .contacts = THUDI_STREAM_CLOSED};
    thud_status status = thudi_export_reader(&export, &export.reader);
    if (status == THUD_OK)
        status = open_folder(&export);
    if (status == THUD_OK)
    {
        status = write_frames(&export, format);
        format->abandon(&export);
    }
    if (export.folder >= 0)
        (void)close(export.folder);
    thud_snapshot_close(export.reader);
    return status;
}
