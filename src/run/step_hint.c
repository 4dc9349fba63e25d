// What to do about a step that was refused: names the walls, radii or shear that take part in it.
#include "run/step_hint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void thudi_name_conflict(const thud_model *model, const thud_report *report, char *text,
                         size_t size)
{
    const double *y = report->answer.farkas.y;
    int count = y ? thud_rows_count(report->rows) : 0, named = 0;
    double below = INFINITY;
    size_t used = 0;
    for (int last = -1; named < 4; named++)
    {
        int heaviest = -1;
        for (int i = 0; i < count; i++)
            if (y[i] > 0 && (y[i] < below || (y[i] == below && i > last)) &&
                (heaviest < 0 || y[i] > y[heaviest]))
                heaviest = i;
        if (heaviest < 0)
            break;
        below = y[heaviest];
        last = heaviest;
        char name[200];
        thud_model_describe(model, thud_rows_get(report->rows, heaviest, NULL).key, name,
                            sizeof name);
        int length = snprintf(text + used, size - used, "%s%s", named ? "; " : "", name);
        used += length > 0 && (size_t)length < size - used ? (size_t)length : 0;
    }
    int all = 0;
    for (int i = 0; i < count; i++)
        all += y[i] > 0;
    if (all > named)
        (void)snprintf(text + used, size - used, "; and %d more", all - named);
}

static bool wall_moves(const thud_scene *scene, int wall)
{
    return wall < scene->wall_count ? scene->walls[wall].moves
                                    : scene->obstacles[wall - scene->wall_count].moves;
}

// The wall of a constraint, counted with the obstacles after the walls; -1 for none.
static int wall_of(thud_model *model, thud_key key)
{
    thud_multiplier one = {.key = key, .impulse = 1};
    thud_touch touch;
    const thud_state *state = thud_model_state(model);
    int count = thud_model_touches(model, thud_state_time(state), state->q, &one, 1, &touch);
    return count == 1 && touch.b < 0 ? -1 - touch.b : -1;
}

enum
{
    MOST_NAMES = 3
};

// Walls that move and are in conflict, each once; MOST_NAMES + 1 if there are more.
static int find_moving(const thud_scene *scene, thud_model *model, const thud_report *report,
                       int walls[MOST_NAMES])
{
    const double *y = report->answer.farkas.y;
    int rows = y ? thud_rows_count(report->rows) : 0, count = 0;
    for (int i = 0; i < rows; i++)
    {
        int wall = y[i] > 0 ? wall_of(model, thud_rows_get(report->rows, i, NULL).key) : -1;
        bool is_new = wall >= 0 && wall_moves(scene, wall);
        for (int k = 0; k < count && k < MOST_NAMES; k++)
            is_new = is_new && walls[k] != wall;
        if (is_new && count < MOST_NAMES)
            walls[count++] = wall;
        else if (is_new)
            return MOST_NAMES + 1;
    }
    return count;
}

// "wall 'left', wall 'right' and the radii".
typedef struct list
{
    char text[180];
    int count;
    bool is_plural; // the verb after it has no s
} list;

static void add(list *what, const char *text, const char *name)
{
    what->is_plural = what->count > 0;
    char before[180];
    (void)snprintf(before, sizeof before, "%s", what->text);
    (void)snprintf(what->text, sizeof what->text, "%.100s%s%s%.40s%s", before,
                   what->count ? " and " : "", text, name, name[0] ? "'" : "");
    what->count++;
}

// The same for words that are a plural by themselves.
static void add_several(list *what, const char *text)
{
    add(what, text, "");
    what->is_plural = true;
}

void thudi_hint_conflict(const thud_scene *scene, thud_model *model, const thud_report *report,
                         thud_fault *fault)
{
    int walls[MOST_NAMES];
    list what = {.count = 0};
    bool grows = false;
    if (scene->kind != THUD_SCENE_SPHERES)
        add_several(&what, "these constraints");
    int moving = what.count == 0 ? find_moving(scene, model, report, walls) : 0;
    for (int i = 0; i < moving && moving <= MOST_NAMES; i++)
        add(&what, "wall '", thud_scene_wall_name(scene, walls[i]));
    if (moving > MOST_NAMES)
        add_several(&what, "these walls");
    for (int i = 0; i < scene->body_count; i++)
        grows = grows || scene->bodies[i].growth;
    if (grows)
        add(&what, "the growth of radii", "");
    if (thud_varying_is_given(&scene->cell.shear))
        add(&what, "the shear of the cell", "");
    if (what.count == 0) // nothing moves: what touches is closed to the last bit
        add_several(&what, "bodies and walls that touch");
    (void)snprintf(fault->hint, sizeof fault->hint,
                   "%s leave%s no room from then on; the frames before are kept", what.text,
                   what.is_plural ? "" : "s");
}

// The world counts obstacles, the scene names them.
void thudi_hint_step(const thud_scene *scene, thud_fault *fault)
{
    int k = fault->wall - scene->wall_count;
    if (k >= 0 && k < scene->obstacle_count)
        (void)snprintf(fault->hint, sizeof fault->hint,
                       "use a smaller time.step; obstacle %d is wall '%.100s'", k,
                       scene->obstacles[k].name);
    else
        (void)snprintf(fault->hint, sizeof fault->hint,
                       "use a smaller time.step, or a cell larger than the distance that bodies "
                       "move in a step");
}
