// Draws frames as pictures. All frames are read twice: first to find the camera and the range of
// colours that they share, then to draw each of them.
#include "colors/body_values.h"
#include "core/fault.h"
#include "picture/picture_file.h"
#include "picture/render_parts.h"
#include "picture/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct renderer
{
    thud_render_def def; // with defaults
    thud_allocator allocator;
    thud_fault *fault;
    thud_snapshot_def source; // scene, model and log that the frames are read from
    thud_snapshot_reader *reader;
    thud_snapshot snapshot; // of the frame that was read last
    thudi_survey survey;
    thudi_stage stage;
    THUDI_ARRAY(uint32_t) pixels; // width * height, 0x00rrggbb, row by row from the top
    thudi_picture_folder output;
    char folder[1100]; // of the picture if it is a single one
    char name[256];    // of the picture that is written next, in its folder
} renderer;

static thud_status fail_argument(thud_fault *fault, const char *hint, const char *text)
{
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, hint, "%s", text);
}

static bool is_within(double x, double low, double high)
{
    return x >= low && x <= high;
}

// Check the def, in which defaults are set already.
static thud_status check_def(const thud_render_def *def, thud_fault *fault)
{
    if (!def->scene || !def->model || !def->log || (!def->file == !def->folder) ||
        (unsigned)def->color >= THUD_COLOR_COUNT || (unsigned)def->theme > THUD_THEME_DARK)
        return fail_argument(fault, "", "a picture needs a scene, a log, and a file or a folder");
    if (def->scene->kind != THUD_SCENE_SPHERES)
        return fail_argument(fault, "use 'thud plot' to draw charts",
                             "there are no bodies to draw: the scene is an inclusion");
    if (def->scene->body_count == 0)
        return fail_argument(fault, "", "there are no bodies to draw");
    if (!is_within(def->width, 16, THUD_RENDER_SIDE) ||
        !is_within(def->height, 16, THUD_RENDER_SIDE))
        return fail_argument(fault, "",
                             "the size of a picture must be from 16 to 16384 pixels each way");
    if (!is_within(def->elevation, -90, 90) || !is_within(def->azimuth, -3600, 3600))
        return fail_argument(
            fault, "",
            "the elevation must be from -90 to 90 degrees, and the azimuth at most 3600");
    if (!is_within(def->zoom, 0.01, 1000))
        return fail_argument(fault, "", "the zoom must be from 0.01 to 1000");
    thud_log_summary summary = thud_log_view(def->log);
    if (summary.frame_count == 0)
    {
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE, "",
                          "the log holds no complete frame");
    }
    if (def->first < 0 || def->last < def->first || def->last >= summary.frame_count ||
        def->stride < 0 || (def->file && def->first != def->last))
        return fail_argument(fault, "", "there are no such frames");
    if (summary.dim != thud_model_problem(def->model)->dim)
        return fail_argument(fault, "give the scene of this run",
                             "the log and the scene have different numbers of coordinates");
    return THUD_OK;
}

static void set_defaults(thud_render_def *def)
{
    def->width = def->width == 0 ? 1280 : def->width;
    def->height = def->height == 0 ? 720 : def->height;
    def->zoom = def->zoom == 0 ? 1 : def->zoom;
    def->stride = def->stride == 0 ? 1 : def->stride;
}

// Split the path of a single picture into its folder and its name there.
static thud_status split_path(renderer *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    const char *name = slash ? slash + 1 : path;
    if (length >= sizeof r->folder || strlen(name) >= sizeof r->name || !name[0])
        return fail_argument(r->fault, "", "the name of the picture is empty or too long");
    if (slash == path)
        length = 1; // the folder is "/"
    (void)snprintf(r->folder, sizeof r->folder, "%.*s", (int)(slash ? length : 1),
                   slash ? path : ".");
    (void)snprintf(r->name, sizeof r->name, "%s", name);
    return THUD_OK;
}

// A surface that draws into r->pixels. Destroy it after use.
static cairo_surface_t *create_surface(renderer *r)
{
    return cairo_image_surface_create_for_data((unsigned char *)r->pixels.items, CAIRO_FORMAT_RGB24,
                                               r->def.width, r->def.height, 4 * r->def.width);
}

static thud_status set_colors(renderer *r)
{
    const thud_snapshot *snapshot = &r->snapshot;
    if (thudi_array_reserve(&r->allocator, &r->stage.colors, (size_t)snapshot->count) < 0)
        return thudi_fail_memory(r->fault);
    double *values = r->survey.values.items;
    thudi_values_find(r->def.color, r->def.scene, snapshot, values);
    thudi_stage_color(&r->def, &r->survey, values, snapshot->count, r->stage.colors.items);
    return THUD_OK;
}

// Draw a scene in two dimensions, by cairo.
static thud_status draw_flat(renderer *r, cairo_t *cairo)
{
    thudi_flat_draw(cairo, &r->def, &r->survey, &r->snapshot, r->stage.colors.items);
    thud_status status =
        thudi_flat_obstacles(cairo, &r->def, &r->survey, r->snapshot.t, &r->allocator);
    return status < 0 ? thudi_fail_memory(r->fault) : THUD_OK;
}

// Draw a scene in three dimensions: rays set the pixels of the surface.
static thud_status trace(renderer *r, cairo_surface_t *surface)
{
    if (thudi_stage_set(&r->stage, &r->def, &r->allocator, &r->survey, &r->snapshot) < 0)
        return thudi_fail_memory(r->fault);
    thudi_stage_trace(&r->stage, r->pixels.items);
    cairo_surface_mark_dirty(surface);
    return THUD_OK;
}

static thud_status draw(renderer *r, cairo_surface_t *surface)
{
    bool is_flat = r->def.scene->dim == 2;
    THUD_TRY(is_flat ? set_colors(r) : trace(r, surface));
    cairo_t *cairo = cairo_create(surface);
    thud_status status = is_flat ? draw_flat(r, cairo) : THUD_OK;
    if (!r->def.no_text)
        thudi_legend_draw(cairo, &r->def, &r->survey, &r->snapshot);
    if (status == THUD_OK)
        status = thudi_cairo_check(cairo_status(cairo), r->fault);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    return status;
}

static thud_status draw_frame(renderer *r, int64_t frame)
{
    THUD_TRY(thud_snapshot_read(r->reader, frame, &r->snapshot, r->fault));
    r->survey.force = r->def.chains ? thudi_chains_force(&r->snapshot, r->survey.values.items) : 0;
    if (!r->def.file)
        (void)snprintf(r->name, sizeof r->name, "frame-%06" PRId64 ".png",
                       thud_log_number(r->def.log, frame));
    cairo_surface_t *surface = create_surface(r);
    thud_status status = thudi_cairo_check(cairo_surface_status(surface), r->fault);
    if (status == THUD_OK)
        status = draw(r, surface);
    if (status == THUD_OK)
        status = thudi_picture_folder_png(&r->output, r->name, surface);
    cairo_surface_destroy(surface);
    return status;
}

// Find what the frames share: the bounds of the bodies, the camera and the range of colours.
static thud_status survey_frames(renderer *r, int64_t count)
{
    const thud_render_def *def = &r->def;
    thudi_ranges ranges;
    thudi_survey_start(&r->survey, def);
    THUD_TRY(thudi_ranges_find(&ranges, &r->source, r->reader, 1U << def->color, r->fault));
    r->survey.range = ranges.color[def->color];
    for (int64_t i = 0; i < count; i++)
    {
        int64_t frame = def->first + i * def->stride;
        THUD_TRY(thud_snapshot_read(r->reader, frame, &r->snapshot, r->fault));
        THUD_TRY(thudi_survey_add(&r->survey, def, &r->allocator, &r->snapshot, r->fault));
    }
    thudi_survey_end(&r->survey, def);
    return THUD_OK;
}

static thud_status draw_all(renderer *r)
{
    const thud_render_def *def = &r->def;
    int64_t count = (def->last - def->first) / def->stride + 1;
    size_t pixel_count = (size_t)def->width * (size_t)def->height;
    if (def->file)
        THUD_TRY(split_path(r, def->file));
    THUD_TRY(thud_snapshot_open(&r->source, &r->reader, r->fault));
    THUD_TRY(survey_frames(r, count));
    THUD_TRY(thudi_picture_folder_open(&r->output, def->file ? r->folder : def->folder));
    if (thudi_array_reserve(&r->allocator, &r->pixels, pixel_count) < 0)
        return thudi_fail_memory(r->fault);
    for (int64_t i = 0; i < count; i++)
    {
        THUD_TRY(draw_frame(r, def->first + i * def->stride));
        if (def->progress)
            def->progress(i + 1, count, def->user);
    }
    return THUD_OK;
}

thud_status thud_render(const thud_render_def *def, thud_fault *fault)
{
    renderer r = {.def = *def,
                  .allocator = thudi_allocator_or_default(def->allocator),
                  .fault = fault,
                  .source = {.scene = def->scene, .model = def->model, .log = def->log},
                  .output = {.folder = -1, .fault = fault}};
    set_defaults(&r.def);
    THUD_TRY(check_def(&r.def, fault));
    r.source.allocator = &r.allocator;
    r.output.allocator = &r.allocator;
    thud_status status = draw_all(&r);
    thudi_picture_folder_close(&r.output);
    thudi_stage_free(&r.stage, &r.allocator);
    thudi_survey_free(&r.survey, &r.allocator);
    thud_snapshot_close(r.reader);
    thudi_array_free(&r.allocator, &r.pixels);
    return status;
}
