// VTK's PolyData for ParaView: per frame a file of bodies (points), a file of contacts (lines) and,
// where walls move, a file of walls (triangles and lines); collections give their times.
#include "core/fault.h"
#include "export/export_walls.h"
#include "export/vtp_file.h"

#include <inttypes.h>
#include <stdio.h>

struct thudi_vtp
{
    thudi_walls walls;
    thudi_stream collection;       // of the files of walls
    THUDI_ARRAY(int64_t) counting; // 0, 1, 2 ...
    THUDI_ARRAY(int64_t) ends;     // where lines and triangles end among the points of their kind
    THUDI_ARRAY(int64_t) materials;
};

#define WALLS_NAME "walls"

static const char *material_name(const thud_scene *scene, int i)
{
    return scene->materials[i].name;
}

// Write the piece to the file, unless a frame before had it, and a line for it into the collection.
static thud_status write_piece(thudi_export *export, const thudi_vtp_piece *piece, const char *name,
                               bool is_there, thudi_stream *collection)
{
    double t = export->snapshot.t;
    thudi_stream out;
    if (!is_there)
    {
        THUD_TRY(thudi_export_open(export, &out, name));
        thudi_vtp_write(&out, piece, t);
        THUD_TRY(thudi_export_finish(export, &out));
    }
    (void)thudi_stream_text(collection, "  <DataSet timestep=\"");
    (void)thudi_stream_number(collection, t);
    (void)thudi_stream_text(collection, "\" part=\"0\" file=\"");
    (void)thudi_stream_text(collection, name);
    (void)thudi_stream_text(collection, "\"/>\n");
    return thudi_export_check(export, collection);
}

static void name_file(char name[THUDI_STREAM_NAME_SIZE], const char *stem, int64_t frame)
{
    (void)snprintf(name, THUDI_STREAM_NAME_SIZE, "%s_%06" PRId64 ".vtp", stem, frame);
}

static thudi_vtp_piece start_piece(const thudi_export *export)
{
    const thud_scene *scene = export->def->scene;
    thudi_vtp_piece piece = {.scene = scene};
    thudi_vtp_add_names(&piece, "materials", material_name, scene->material_count);
    return piece;
}

static thud_status write_bodies(thudi_export *export)
{
    const thud_snapshot *snapshot = &export->snapshot;
    const int64_t *counting = export->vtp->counting.items;
    char name[THUDI_STREAM_NAME_SIZE];
    thudi_vtp_piece piece = start_piece(export);
    piece.points = piece.verts = snapshot->count;
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "id", 1, snapshot->id, true);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "radius", 1, snapshot->radius, false);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "mass", 1, snapshot->mass, false);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "material", 1, snapshot->material, true);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "velocity", 3, snapshot->velocity, false);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "speed", 1, snapshot->speed, false);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "kinetic energy", 1, snapshot->energy, false);
    thudi_vtp_add(&piece, THUDI_VTP_POINT_DATA, "pressure", 1, snapshot->pressure, false);
    thudi_vtp_add(&piece, THUDI_VTP_POINTS, "Points", 3, snapshot->seen, false);
    thudi_vtp_add(&piece, THUDI_VTP_VERTS, "connectivity", 1, counting, true);
    thudi_vtp_add(&piece, THUDI_VTP_VERTS, "offsets", 1, counting + 1, true);
    name_file(name, "bodies", snapshot->frame);
    return write_piece(export, &piece, name, false, &export->bodies);
}

static thud_status write_contacts(thudi_export *export)
{
    const thud_snapshot *snapshot = &export->snapshot;
    char name[THUDI_STREAM_NAME_SIZE];
    thudi_vtp_piece piece = {.points = 2 * (int64_t)snapshot->touch_count,
                             .lines = snapshot->touch_count};
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "force", 1, snapshot->force, false);
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "impulse", 1, snapshot->impulse, false);
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "normal", 3, snapshot->normal, false);
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "a", 1, snapshot->a, true);
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "b", 1, snapshot->b, true);
    thudi_vtp_add(&piece, THUDI_VTP_POINTS, "Points", 3, snapshot->ends, false);
    thudi_vtp_add(&piece, THUDI_VTP_LINES, "connectivity", 2, export->vtp->counting.items, true);
    thudi_vtp_add(&piece, THUDI_VTP_LINES, "offsets", 1, export->vtp->ends.items, true);
    name_file(name, "contacts", snapshot->frame);
    return write_piece(export, &piece, name, false, &export->contacts);
}

// 0, 1, 2 ... are the points of all cells in turn; lines end at 2, 4, 6 ..., and the triangles
// that follow at 3, 6, 9 ...
static thud_status count_up(thudi_export *export, size_t points, size_t lines, size_t triangles)
{
    thudi_vtp *self = export->vtp;
    if (thudi_array_reserve(&export->allocator, &self->counting, points + 1) < 0 ||
        thudi_array_reserve(&export->allocator, &self->ends, lines + triangles + 1) < 0)
        return thudi_fail_memory(export->fault);
    for (size_t i = 0; i <= points; i++)
        self->counting.items[i] = (int64_t)i;
    for (size_t i = 0; i < lines; i++)
        self->ends.items[i] = 2 * (int64_t)(i + 1);
    for (size_t i = 0; i < triangles; i++)
        self->ends.items[lines + i] = 3 * (int64_t)(i + 1);
    return THUD_OK;
}

static thud_status place_walls(thudi_export *export)
{
    thudi_vtp *self = export->vtp;
    thudi_walls *walls = &self->walls;
    THUD_TRY(thudi_walls_place(walls, export, export->snapshot.t));
    size_t lines = (size_t)walls->line_count, triangles = (size_t)walls->triangle_count;
    THUD_TRY(count_up(export, 2 * lines + 3 * triangles, lines, triangles));
    if (thudi_array_reserve(&export->allocator, &self->materials, lines + triangles + 1) < 0)
        return thudi_fail_memory(export->fault);
    for (size_t i = 0; i < lines + triangles; i++)
        self->materials.items[i] =
            thudi_wall_material(export->def->scene, (int)walls->walls.items[i]);
    return THUD_OK;
}

// Walls that do not move are in one file, which is listed for every frame.
static thud_status write_walls(thudi_export *export)
{
    thudi_vtp *self = export->vtp;
    const thudi_walls *walls = &self->walls;
    const thud_scene *scene = export->def->scene;
    bool is_there = !walls->moves && export->done > 0;
    char name[THUDI_STREAM_NAME_SIZE] = WALLS_NAME ".vtp";
    thudi_vtp_piece piece = start_piece(export);
    if (walls->moves)
        name_file(name, WALLS_NAME, export->snapshot.frame);
    if (!is_there)
        THUD_TRY(place_walls(export));
    size_t lines = (size_t)walls->line_count;
    piece.lines = walls->line_count;
    piece.polys = walls->triangle_count;
    piece.points = 2 * walls->line_count + 3 * walls->triangle_count;
    thudi_vtp_add_names(&piece, "walls", thud_scene_wall_name,
                        scene->wall_count + scene->obstacle_count);
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "wall", 1, walls->walls.items, true);
    thudi_vtp_add(&piece, THUDI_VTP_CELL_DATA, "material", 1, self->materials.items, true);
    thudi_vtp_add(&piece, THUDI_VTP_POINTS, "Points", 3, walls->points.items, false);
    thudi_vtp_add(&piece, THUDI_VTP_LINES, "connectivity", 2, self->counting.items, true);
    thudi_vtp_add(&piece, THUDI_VTP_LINES, "offsets", 1, self->ends.items, true);
    thudi_vtp_add(&piece, THUDI_VTP_POLYS, "connectivity", 3, self->counting.items + 2 * lines,
                  true);
    thudi_vtp_add(&piece, THUDI_VTP_POLYS, "offsets", 1, self->ends.items + lines, true);
    return write_piece(export, &piece, name, is_there, &self->collection);
}

static thud_status frame(thudi_export *export)
{
    size_t bodies = (size_t) export->snapshot.count,
           contacts = (size_t) export->snapshot.touch_count;
    THUD_TRY(count_up(export, bodies > 2 * contacts ? bodies : 2 * contacts, contacts, 0));
    THUD_TRY(write_bodies(export));
    THUD_TRY(write_contacts(export));
    return export->vtp->walls.has_any ? write_walls(export) : THUD_OK;
}

static thud_status begin_collection(thudi_export *export, thudi_stream *collection,
                                    const char *name)
{
    THUD_TRY(thudi_export_open(export, collection, name));
    (void)thudi_stream_text(collection, "<?xml version=\"1.0\"?>\n"
                                        "<VTKFile type=\"Collection\" version=\"1.0\" "
                                        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                                        " <Collection>\n");
    return THUD_OK;
}

static thud_status end_collection(thudi_export *export, thudi_stream *collection)
{
    (void)thudi_stream_text(collection, " </Collection>\n</VTKFile>\n");
    return thudi_export_finish(export, collection);
}

static thud_status begin(thudi_export *export)
{
    thudi_vtp *self = thudi_allocate_zeroed(&export->allocator, sizeof *self);
    if (!self)
        return thudi_fail_memory(export->fault);
    export->vtp = self;
    self->collection = THUDI_STREAM_CLOSED;
    THUD_TRY(thudi_walls_begin(&self->walls, export));
    THUD_TRY(begin_collection(export, &export->bodies, "bodies.pvd"));
    THUD_TRY(begin_collection(export, &export->contacts, "contacts.pvd"));
    return self->walls.has_any ? begin_collection(export, &self->collection, WALLS_NAME ".pvd")
                               : THUD_OK;
}

static thud_status end(thudi_export *export)
{
    THUD_TRY(end_collection(export, &export->bodies));
    THUD_TRY(end_collection(export, &export->contacts));
    return export->vtp->walls.has_any ? end_collection(export, &export->vtp->collection) : THUD_OK;
}

static void abandon(thudi_export *export)
{
    thudi_vtp *self = export->vtp;
    thudi_export_abandon(export);
    if (!self)
        return;
    (void)thudi_stream_close(&self->collection);
    thudi_walls_free(&self->walls, export);
    thudi_array_free(&export->allocator, &self->counting);
    thudi_array_free(&export->allocator, &self->ends);
    thudi_array_free(&export->allocator, &self->materials);
    thudi_free(&export->allocator, self, sizeof *self);
}

const thudi_format thudi_format_vtp = {
    .begin = begin, .frame = frame, .end = end, .abandon = abandon};
