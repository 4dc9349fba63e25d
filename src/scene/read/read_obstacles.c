// Walls of a scene that are solids or containers, and how they move.
#include "scene/read/read_parts.h"
#include "scene/tables.h"
#include "shapes/stl_file.h"
#include "text/scene_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const words[] = {
#define OBSTACLE_WORD(name, word, solid, flat) word,
    THUDI_OBSTACLE_LIST(OBSTACLE_WORD)
#undef OBSTACLE_WORD
};

static const thud_solid_kind kinds[] = {
#define OBSTACLE_KIND(name, word, solid, flat) solid,
    THUDI_OBSTACLE_LIST(OBSTACLE_KIND)
#undef OBSTACLE_KIND
};

static const bool is_flat[] = {
#define OBSTACLE_FLAT(name, word, solid, flat) flat,
    THUDI_OBSTACLE_LIST(OBSTACLE_FLAT)
#undef OBSTACLE_FLAT
};

// State while one obstacle is read.
typedef struct obstacle_reader
{
    thudi_reader *r;
    const thudi_tree *node; // the value of its shape's key
    int dim;
    thudi_obstacle_entry *entry;
    thud_scene_obstacle *to;
} obstacle_reader;

static thud_status read_boxes(const obstacle_reader *o)
{
    double(*points)[3] = o->to->solid.points;
    points[0][2] = -INFINITY; // kept in two dimensions
    points[1][2] = INFINITY;
    return thudi_read_box(o->r, o->node, o->dim, points[0], points[1]);
}

static thud_status read_triangle(const obstacle_reader *o)
{
    char path[THUDI_PATH_SIZE];
    int k = 0;
    THUD_TRY(thudi_expect(o->r, o->node, THUDI_LIST, "three corners"));
    if (o->node->count != 3)
        return thudi_fail_node(o->r->fault, THUD_ERR_SCENE, o->node, "",
                               "%s must be three corners, but has %d",
                               thudi_tree_path(o->node, path), o->node->count);
    for (const thudi_tree *item = o->node->first; item; item = item->next)
        THUD_TRY(thudi_vector(o->r, item, o->dim, THUDI_ANY, o->to->solid.points[k++]));
    return THUD_OK;
}

// Room for the triangles of one more mesh.
static thud_status take_triangles(const obstacle_reader *o, int count, double **triangles)
{
    const thud_scene *scene = &o->r->scene->view;
    char path[THUDI_PATH_SIZE];
    int before = 0;
    for (int i = 0; i < scene->obstacle_count; i++)
        before += scene->obstacles[i].solid.triangle_count;
    if (count > THUD_SCENE_TRIANGLES - before)
        return thudi_fail_node(o->r->fault, THUD_ERR_LIMIT, o->node, "use a coarser mesh",
                               "%s makes %lld triangles in all; the limit is %d",
                               thudi_tree_path(o->node, path), (long long)before + count,
                               THUD_SCENE_TRIANGLES);
    THUD_TRY(thudi_reader_allocate(o->r, 9 * (size_t)count * sizeof **triangles, triangles));
    o->to->solid.triangles = *triangles;
    o->to->solid.triangle_count = count;
    return THUD_OK;
}

// Keep the wanted triangles, scaled.
static thud_status keep_triangles(const obstacle_reader *o, const thudi_stl *stl)
{
    const thudi_tree *first = thudi_optional(o->node, "first"),
                     *count = thudi_optional(o->node, "count");
    double from = 0, wanted = stl->count, *triangles;
    char path[THUDI_PATH_SIZE];
    if (first)
        THUD_TRY(thudi_whole(o->r, first, 0, stl->count - 1.0, &from));
    wanted -= from;
    if (count)
        THUD_TRY(thudi_whole(o->r, count, 1, stl->count - from, &wanted));
    THUD_TRY(take_triangles(o, (int)wanted, &triangles));
    o->entry->first_triangle = (int)from;
    for (size_t i = 0; i < 9 * (size_t)wanted; i++)
    {
        triangles[i] = o->entry->scale * stl->triangles[9 * (size_t)from + i];
        if (!isfinite(triangles[i]))
            return thudi_fail_node(o->r->fault, THUD_ERR_SCENE, o->node, "use a smaller scale",
                                   "%s has corners that are not finite",
                                   thudi_tree_path(o->node, path));
    }
    return THUD_OK;
}

static thud_status load_mesh(const obstacle_reader *o, const thudi_tree *file)
{
    thudi_reader *r = o->r;
    char where[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    const char *reason = "";
    thudi_file text;
    thudi_stl stl;
    thud_status status = thudi_file_read(r->origin->folder, file->text, r->origin->no_links,
                                         THUD_SCENE_FILE_SIZE, &r->allocator, &text, &reason);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(r->fault, status);
    if (status < 0)
        return thudi_fail_file(&text, r->fault,
                               thudi_fail_node(r->fault, status, file, "", "%s: the file '%s' %s",
                                               thudi_tree_path(file, where),
                                               thudi_quote(quote, file->text, file->length),
                                               reason));
    status = thudi_stl_read(text.text, text.length, &r->allocator, &stl, r->fault);
    thudi_file_free(&r->allocator, &text);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(r->fault, status);
    if (status < 0)
    {
        if (r->fault)
            (void)snprintf(r->fault->file, sizeof r->fault->file, "%s%s", r->origin->folder_prefix,
                           file->text);
        return status;
    }
    status = keep_triangles(o, &stl);
    thudi_stl_free(&r->allocator, &stl);
    return status;
}

static thud_status read_mesh(const obstacle_reader *o)
{
    const thudi_tree *file;
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    THUD_TRY(thudi_thing_open(o->r, o->node, &thudi_mesh_thing));
    THUD_TRY(thudi_required(o->r, o->node, "file", "give the name of an STL file", &file));
    THUD_TRY(thudi_expect(o->r, file, THUDI_STRING, "the name of an STL file"));
    THUD_TRY(thudi_path_check(file, o->r->origin, o->r->fault));
    const char *dot = strrchr(file->text, '.');
    if (!dot || (strcmp(dot, ".stl") != 0 && strcmp(dot, ".STL") != 0))
        return thudi_fail_node(o->r->fault, THUD_ERR_SCENE, file, "use a name that ends in .stl",
                               "%s: '%s' is not a known kind of file", thudi_tree_path(file, path),
                               thudi_quote(quote, file->text, file->length));
    THUD_TRY(thudi_copy(o->r, file->text, file->length, &o->entry->path));
    THUD_TRY(thudi_read_fields(o->r, o->node, &thudi_mesh_thing, o->entry));
    return load_mesh(o, file);
}

static thud_status read_hopper(const obstacle_reader *o)
{
    thudi_hopper *hopper = &o->entry->hopper;
    double *triangles;
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_read_fields(o->r, o->node, &thudi_hopper_thing, hopper));
    if (!(hopper->outlet < hopper->top))
        return thudi_fail_node(o->r->fault, THUD_ERR_SCENE, thudi_optional(o->node, "outlet"),
                               "make it smaller: both are radii of openings",
                               "%s.outlet must be smaller than its top",
                               thudi_tree_path(o->node, path));
    THUD_TRY(take_triangles(o, thudi_hopper_count(hopper, o->dim), &triangles));
    thudi_hopper_make(hopper, o->dim, triangles);
    return THUD_OK;
}

static thud_status read_shape(const obstacle_reader *o)
{
    switch (o->entry->word)
    {
    case THUDI_OBSTACLE_SOLID_BOX:
    case THUDI_OBSTACLE_MOVING_BOX:
        return read_boxes(o);
    case THUDI_OBSTACLE_TRIANGLE:
        return read_triangle(o);
    case THUDI_OBSTACLE_MESH:
        return read_mesh(o);
    case THUDI_OBSTACLE_HOPPER:
        return read_hopper(o);
    default: // a map, which its table reads
        return thudi_read_fields(o->r, o->node, thudi_wall_thing.fields[1 + o->entry->word].of,
                                 &o->to->solid);
    }
}

// Let the solid's constructor validate the definition now, while its place in the scene is known.
static thud_status check_solid(const obstacle_reader *o)
{
    thud_solid_def def = o->to->solid;
    thud_solid *solid = NULL;
    const char *why = "";
    char path[THUDI_PATH_SIZE];
    def.allocator = &o->r->allocator;
    thud_status status = thud_solid_create(&def, &solid, &why);
    thud_solid_destroy(solid);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(o->r->fault, status);
    return status < 0 ? thudi_fail_node(o->r->fault, THUD_ERR_SCENE, o->node, "", "%s: %s",
                                        thudi_tree_path(o->node, path), why)
                      : THUD_OK;
}

// One vector of the pose: `given` numbers of t from `first` on, zeros elsewhere.
static thud_status read_motion(const obstacle_reader *o, const thudi_tree *node, int first,
                               int given, thud_varying out[3])
{
    char path[THUDI_PATH_SIZE];
    if (node && given == 1)
        THUD_TRY(thudi_varying(o->r, node, THUDI_OF_TIME, &out[first]));
    else if (node)
        THUD_TRY(thudi_varyings(o->r, node, given, out + first));
    for (int k = first; k < first + given; k++)
    {
        double x;
        if (!thud_varying_is_given(&out[k]))
            THUD_TRY(thudi_varying_of(o->r, 0, &out[k]));
        THUD_TRY(thudi_value_at(o->r, &out[k], o->r->scene->view.start, NULL, &x));
        if (node && !isfinite(x))
            return thudi_fail_node(o->r->fault, THUD_ERR_SCENE, node, "",
                                   "%s is not finite at the start", thudi_tree_path(node, path));
        o->to->moves = o->to->moves || thud_varying_uses_time(&out[k]);
    }
    return THUD_OK;
}

int thudi_obstacle_find(const thudi_tree *node)
{
    bool is_moved = thudi_optional(node, "position") || thudi_optional(node, "rotation");
    for (int i = 0; i < THUDI_OBSTACLE_WORDS; i++)
        if (thudi_optional(node, words[i]) && (i != THUDI_OBSTACLE_MOVING_BOX || is_moved))
            return i;
    return -1;
}

thud_status thudi_read_obstacle(thudi_reader *r, const thudi_tree *node, int word, int material,
                                thudi_wall_entry *wall, thud_scene_obstacle *to)
{
    obstacle_reader o = {
        .r = r, .node = thudi_optional(node, words[word]), .dim = r->scene->view.dim, .to = to};
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_reader_allocate(r, sizeof *o.entry, &o.entry));
    *o.entry = (thudi_obstacle_entry){.word = (thudi_obstacle_word)word,
                                      .index = r->scene->view.obstacle_count};
    wall->obstacle = o.entry;
    *to = (thud_scene_obstacle){.name = wall->name,
                                .solid = {.kind = kinds[word]},
                                .material = material,
                                .show = wall->show};
    THUD_TRY(thudi_place(r, node->key, &to->place));
    if (o.dim == 2 && !is_flat[word])
        return thudi_fail_node(
            r->fault, THUD_ERR_SCENE, o.node->key,
            "use plane, box, solid_box, ball, capsule, triangle, hopper or shell in two dimensions",
            "%s exists only in three dimensions", thudi_tree_path(o.node, path));
    THUD_TRY(read_shape(&o));
    THUD_TRY(check_solid(&o));
    THUD_TRY(read_motion(&o, thudi_optional(node, "position"), 0, o.dim, to->position));
    return read_motion(&o, thudi_optional(node, "rotation"), o.dim == 2 ? 2 : 0, o.dim == 2 ? 1 : 3,
                       to->rotation);
}
