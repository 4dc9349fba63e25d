// thud render: pictures of the bodies of a run.
#include "commands.h"
#include "progress.h"
#include "report.h"
#include "run_argument.h"
#include "run_output.h"

#include <stdlib.h>
#include <string.h>
#include <thud/show.h>

static const char *const colors[THUD_COLOR_COUNT] = {
#define COLOR_NAME(name, text, about) text,
    THUD_COLOR_LIST(COLOR_NAME)
#undef COLOR_NAME
};

static void show(int64_t done, int64_t total, void *user)
{
    cli_progress *progress = user;
    double part = (double)done / (double)total;
    if (total > 1 && cli_progress_is_due(progress, part))
        cli_progress_show(progress, "drawn");
}

// "WxH", digits only.
static int read_size(const char *text, thud_render_def *def)
{
    size_t width = strspn(text, "0123456789");
    size_t height = text[width] == 'x' ? strspn(text + width + 1, "0123456789") : 0;
    if (width == 0 || width > 5 || height == 0 || height > 5 || text[width + 1 + height])
        return cli_fail_usage("give a size such as 1280x720",
                              "--size must be WIDTHxHEIGHT in pixels, not '%s'", text);
    def->width = (int)strtol(text, NULL, 10);
    def->height = (int)strtol(text + width + 1, NULL, 10);
    if (def->width >= 16 && def->width <= THUD_RENDER_SIDE && def->height >= 16 &&
        def->height <= THUD_RENDER_SIDE)
        return CLI_DONE;
    return cli_fail_usage("give a size such as 1280x720",
                          "--size must be from 16 to %d pixels each way, not %s", THUD_RENDER_SIDE,
                          text);
}

static int read_view(const char *text, thud_render_def *def)
{
    const char *comma = strchr(text, ',');
    def->has_view = true;
    if (comma && thud_number_read(text, (size_t)(comma - text), &def->azimuth) &&
        thud_number_read(comma + 1, strlen(comma + 1), &def->elevation) && def->azimuth >= -3600 &&
        def->azimuth <= 3600 && def->elevation >= -90 && def->elevation <= 90)
        return CLI_DONE;
    return cli_fail_usage("give angles such as 25,18; the elevation is from -90 to 90",
                          "--view must be AZIMUTH,ELEVATION in degrees, not '%s'", text);
}

static int read_zoom(const char *text, thud_render_def *def)
{
    if (thud_number_read(text, strlen(text), &def->zoom) && def->zoom >= 0.01 && def->zoom <= 1000)
        return CLI_DONE;
    return cli_fail_usage("use 2 to show everything twice as large",
                          "--zoom must be a number from 0.01 to 1000, not '%s'", text);
}

static int read_style(const cli_call *call, thud_render_def *def)
{
    const char *size = cli_value(call, "size", NULL), *view = cli_value(call, "view", NULL);
    const char *zoom = cli_value(call, "zoom", NULL);
    int code = size ? read_size(size, def) : CLI_DONE;
    if (code == CLI_DONE && view)
        code = read_view(view, def);
    if (code == CLI_DONE && zoom)
        code = read_zoom(zoom, def);
    while (strcmp(colors[def->color], cli_value(call, "color", colors[0])) != 0)
        def->color++;
    if (strcmp(cli_value(call, "theme", "light"), "dark") == 0)
        def->theme = THUD_THEME_DARK;
    def->chains = cli_has(call, "chains");
    def->no_text = cli_has(call, "no-text");
    return code;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

// A name that ends in .png is one picture, of the last frame unless another is chosen; any other
// is a folder of pictures.
static int read_target(const cli_call *call, int64_t count, char *name, size_t size,
                       thud_render_def *def)
{
    const char *text = cli_value(call, "frames", NULL);
    int code = cli_output_name(call->arguments[0], text ? "-frames" : ".png", name, size);
    if (code != CLI_DONE)
        return code;
    const char *out = cli_value(call, "out", name);
    bool is_file = ends_with(out, ".png");
    cli_frames frames = {is_file ? count - 1 : 0, count - 1, 1};
    code = text ? cli_frames_read(text, count, &frames) : CLI_DONE;
    if (code != CLI_DONE)
        return code;
    if (is_file && frames.last - frames.first >= frames.stride)
        return cli_fail_usage("choose one frame, as in --frames 7:7, or a folder, as in --out DIR/",
                              "--frames chooses several frames, but %s is one picture", out);
    def->first = frames.first;
    def->last = is_file ? frames.first : frames.last;
    def->stride = frames.stride;
    def->file = is_file ? out : NULL;
    def->folder = is_file ? NULL : out;
    return CLI_DONE;
}

static int render_run(const cli_call *call, const thud_recorded *run)
{
    char name[1100], count[THUD_COUNT_SIZE], left_out[120];
    thud_fault fault = {0};
    cli_progress progress =
        cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
    thud_render_def def = {.scene = thud_recorded_scene(run),
                           .model = thud_recorded_model(run),
                           .log = thud_recorded_log(run),
                           .progress = show,
                           .user = &progress};
    int code = read_style(call, &def);
    if (code == CLI_DONE)
        code = read_target(call, thud_log_view(thud_recorded_log(run)).frame_count, name,
                           sizeof name, &def);
    if (code != CLI_DONE)
        return code;
    thud_status status = thud_render(&def, &fault);
    cli_progress_end(&progress);
    if (status < 0)
        return cli_run_fail(thud_recorded_folder(run), status, &fault);
    if (cli_has(call, "quiet"))
        return CLI_DONE;
    (void)thud_recorded_left_out(run, left_out, sizeof left_out);
    if (def.file)
        (void)printf("frame %lld in %s%s\n",
                     (long long)thud_log_number(thud_recorded_log(run), def.first), def.file,
                     left_out);
    else
        (void)printf("%s in %s%s\n",
                     thud_words_count(count, (def.last - def.first) / def.stride + 1, "picture"),
                     def.folder, left_out);
    return CLI_DONE;
}

int command_render(const cli_call *call)
{
    thud_recorded *run;
    int code = cli_run_open_argument(call, &run);
    if (code == CLI_DONE)
        code = render_run(call, run);
    thud_recorded_close(run);
    return code;
}
