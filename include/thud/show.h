/// Pictures of runs: bodies drawn by rays, and charts for papers. (library thud_show)
///
/// Neither needs a screen. Pixels depend on the run and the definition alone, not on the number of
/// threads (OpenMP's, as OMP_NUM_THREADS says); the text in them depends on the fonts installed.
#ifndef THUD_SHOW_H
#define THUD_SHOW_H

#include "thud/converge.h"
#include "thud/measured.h"
#include "thud/model.h"
#include "thud/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What bodies are coloured by: X(name, lower case name, what it is).
#define THUD_COLOR_LIST(X)                                                                         \
    X(SPEED, "speed", "length of the velocity")                                                    \
    X(PRESSURE, "pressure", "contact forces on a body, divided by its surface")                    \
    X(RADIUS, "radius", "radius at the frame's time")                                              \
    X(CONTACTS, "contacts", "contacts that carry load, walls included")                            \
    X(MATERIAL, "material", "material")                                                            \
    X(PLAIN, "plain", "all alike")

typedef enum thud_color
{
#define THUD_COLOR_ENUM(name, text, about) THUD_COLOR_##name,
    THUD_COLOR_LIST(THUD_COLOR_ENUM)
#undef THUD_COLOR_ENUM
        THUD_COLOR_COUNT
} thud_color;

typedef enum thud_theme
{
    THUD_THEME_LIGHT = 0,
    THUD_THEME_DARK = 1
} thud_theme;

enum
{
    THUD_RENDER_SIDE = 16384 ///< pixels at most, of each side
};

/// Pictures of frames. Zero in a field means the default that is said.
typedef struct thud_render_def
{
    const thud_scene *scene; ///< of spheres
    const thud_model *model; ///< made of that scene
    thud_log *log;
    int64_t first, last, stride; ///< frames first, first + stride, ... <= last; stride 0 means 1
    const char *file;            ///< the PNG, when first == last; NULL: `folder` is given
    const char *folder;          ///< made if absent; holds frame-000000.png ... by frame
    int width, height;           ///< pixels, 16 .. THUD_RENDER_SIDE; default 1280 by 720
    thud_color color;
    thud_theme theme;
    bool chains;      ///< draw contact forces as lines, thickness by force
    bool no_text;     ///< neither legend nor time
    bool has_view;    ///< azimuth and elevation are given; else 25 and 18. Not for 2D
    double azimuth;   ///< of the eye, degrees to the right of the y axis' front
    double elevation; ///< of the eye, degrees above the horizon, -90 .. 90
    double zoom;      ///< 1 (default) shows all bodies, 2 twice as large
    /// Called after each frame with frames done and to do; NULL for none.
    void (*progress)(int64_t done, int64_t total, void *user);
    void *user;
    const thud_allocator *allocator; ///< NULL for the C library's; cairo uses its own too
} thud_render_def;

/// Draw. A frame shows the end of its step, as in thud_export. The camera is the same for all
/// frames drawn. A colour means the same value in all pictures of a run. The width of chains is
/// relative to the largest force of each frame, which the legend gives. A file under its final name
/// is complete.
/// THUD_ERR_ARGUMENT (an inclusion, no such frames, a value out of range), THUD_ERR_IO,
/// THUD_ERR_RECORD, THUD_ERR_MEMORY with a fault.
THUD_API thud_status thud_render(const thud_render_def *def, thud_fault *fault);

/// Charts of a run.
typedef struct thud_plot_def
{
    const thud_scene *scene;
    const thud_model *model; ///< made of that scene
    thud_log *log;
    const char *run;    ///< the run directory: series.csv is read from there
    const char *folder; ///< made if absent; files of the same names are replaced
    /// Names of columns or measures, separated by commas: one chart of these, called "columns", a
    /// panel for each unit. NULL: all charts.
    const char *columns;
    /// Called with the name of each chart that was written, without ending; NULL for none.
    void (*written)(const char *name, void *user);
    void *user;
    const thud_allocator *allocator; ///< NULL for the C library's; cairo uses its own too
} thud_plot_def;

/// Write each chart as SVG and PNG: measures, energies, impulses, certificates, contacts; for
/// spheres the distribution of contact forces of the last frame; for inclusions coordinates, the
/// phase plane and, of two coordinates, the path. Those with nothing to show are left out.
/// Statuses as for thud_render; THUD_ERR_RECORD for a malformed series.csv, with its line;
/// THUD_ERR_ARGUMENT for a column that is not there, with the nearest name as a hint.
THUD_API thud_status thud_plot(const thud_plot_def *def, thud_fault *fault);

/// Draw the errors of a convergence study over the step as NAME.svg and NAME.png in a folder, which
/// is made if absent. Nothing where all errors are 0. Statuses as for thud_plot.
THUD_API thud_status thud_plot_convergence(const thud_converge_result *result, const char *folder,
                                           const char *name, const thud_allocator *allocator,
                                           thud_fault *fault);

/// The same for a study that halves the step: the values over the step, label beside them, and the
/// change of each halving.
THUD_API thud_status thud_plot_halving(const thud_halving_result *result, const char *label,
                                       const char *folder, const char *name,
                                       const thud_allocator *allocator, thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
