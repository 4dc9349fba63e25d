// VTK's PolyData for ParaView: per frame a file of bodies (points) and a file of contacts (lines),
// and two collections that give their times. Numbers are appended raw.
#include "record/exporter.h"
#include "record/record_fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum
{
    ARRAYS = 12 // of a file at most
};

typedef enum vtp_place
{
    POINT_DATA,
    CELL_DATA,
    POINTS,
    VERTS,
    LINES,
    PLACE_COUNT
} vtp_place;

// Elements of a piece, in the order that VTK writes them.
static const char *const places[PLACE_COUNT] = {"PointData", "CellData", "Points", "Verts",
                                                "Lines"};

typedef struct vtp_array
{
    vtp_place place;
    const char *name;
    int components;
    const void *data;
    bool whole; // Int64, else Float64
} vtp_array;

typedef struct vtp_piece
{
    int64_t points, verts, lines;
    vtp_array arrays[ARRAYS];
    int count;
} vtp_piece;

static size_t size_of(const vtp_piece *piece, const vtp_array *array)
{
    int64_t tuples[PLACE_COUNT] = {[POINT_DATA] = piece->points,
                                   [CELL_DATA] = piece->verts + piece->lines,
                                   [POINTS] = piece->points,
                                   [VERTS] = piece->verts,
                                   [LINES] = piece->lines};
    return 8 * (size_t)tuples[array->place] * (size_t)array->components;
}

static void add(vtp_piece *piece, vtp_place place, const char *name, int components,
                const void *data, bool whole)
{
    piece->arrays[piece->count++] = (vtp_array){place, name, components, data, whole};
}

static void declare(thudi_stream *out, const vtp_array *array, uint64_t offset)
{
    char text[256];
    bool cells = array->place == VERTS || array->place == LINES;
    (void)snprintf(text, sizeof text,
                   "    <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                   "format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                   array->whole ? "Int64" : "Float64", array->name, cells ? 1 : array->components,
                   offset);
    (void)thudi_stream_text(out, text);
}

static void write_xml(thudi_stream *out, const vtp_piece *piece, double t)
{
    char text[256];
    uint64_t offset = 0;
    (void)thudi_stream_text(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" "
                                 "version=\"1.0\" byte_order=\"LittleEndian\" "
                                 "header_type=\"UInt64\">\n <PolyData>\n  <FieldData>\n"
                                 "   <DataArray type=\"Float64\" Name=\"TimeValue\" "
                                 "NumberOfTuples=\"1\" format=\"ascii\">");
    (void)thudi_stream_number(out, t);
    (void)snprintf(text, sizeof text,
                   "</DataArray>\n  </FieldData>\n  <Piece NumberOfPoints=\"%" PRId64
                   "\" NumberOfVerts=\"%" PRId64 "\" NumberOfLines=\"%" PRId64
                   "\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                   piece->points, piece->verts, piece->lines);
    (void)thudi_stream_text(out, text);
    for (vtp_place place = 0; place < PLACE_COUNT; place++)
    {
        (void)snprintf(text, sizeof text, "   <%s>\n", places[place]);
        (void)thudi_stream_text(out, text);
        for (int i = 0; i < piece->count; i++)
            if (piece->arrays[i].place == place)
            {
                declare(out, &piece->arrays[i], offset);
                offset += 8 + size_of(piece, &piece->arrays[i]);
            }
        (void)snprintf(text, sizeof text, "   </%s>\n", places[place]);
        (void)thudi_stream_text(out, text);
    }
    (void)thudi_stream_text(out, "  </Piece>\n </PolyData>\n <AppendedData encoding=\"raw\">\n_");
}

// In the order of their offsets: that of the places.
static void write_data(thudi_stream *out, const vtp_piece *piece)
{
    for (vtp_place place = 0; place < PLACE_COUNT; place++)
        for (int i = 0; i < piece->count; i++)
            if (piece->arrays[i].place == place)
            {
                uint64_t size = size_of(piece, &piece->arrays[i]);
                (void)thudi_stream_write(out, &size, sizeof size);
                (void)thudi_stream_write(out, piece->arrays[i].data, size);
            }
    (void)thudi_stream_text(out, "\n </AppendedData>\n</VTKFile>\n");
}

// Write the piece as STEM_NNNNNN.vtp, and a line for it into the collection.
static thud_status write_piece(thudi_export *export, const vtp_piece *piece, const char *stem,
                               thudi_stream *collection)
{
    char name[THUDI_STREAM_NAME];
    const thudi_shot *shot = export->shot;
    thudi_stream out;
    (void)snprintf(name, sizeof name, "%s_%06" PRId64 ".vtp", stem, shot->frame);
    THUD_TRY(thudi_export_open(export, &out, name));
    write_xml(&out, piece, shot->t);
    write_data(&out, piece);
    THUD_TRY(thudi_export_finish(export, &out));
    (void)thudi_stream_text(collection, "  <DataSet timestep=\"");
    (void)thudi_stream_number(collection, shot->t);
    (void)thudi_stream_text(collection, "\" part=\"0\" file=\"");
    (void)thudi_stream_text(collection, name);
    (void)thudi_stream_text(collection, "\"/>\n");
    return thudi_export_check(export, collection);
}

static thud_status write_bodies(thudi_export *export, const int64_t *counting)
{
    const thudi_shot *shot = export->shot;
    vtp_piece piece = {.points = shot->count, .verts = shot->count};
    add(&piece, POINT_DATA, "id", 1, shot->id, true);
    add(&piece, POINT_DATA, "radius", 1, shot->radius, false);
    add(&piece, POINT_DATA, "mass", 1, shot->mass, false);
    add(&piece, POINT_DATA, "velocity", 3, shot->velocity, false);
    add(&piece, POINT_DATA, "kinetic energy", 1, shot->energy, false);
    add(&piece, POINTS, "Points", 3, shot->seen, false);
    add(&piece, VERTS, "connectivity", 1, counting, true);
    add(&piece, VERTS, "offsets", 1, counting + 1, true);
    return write_piece(export, &piece, "bodies", &export->bodies);
}

static thud_status write_contacts(thudi_export *export, const int64_t *counting,
                                  const int64_t *even)
{
    const thudi_shot *shot = export->shot;
    vtp_piece piece = {.points = 2 * (int64_t)shot->touch_count, .lines = shot->touch_count};
    add(&piece, CELL_DATA, "force", 1, shot->force, false);
    add(&piece, CELL_DATA, "impulse", 1, shot->impulse, false);
    add(&piece, CELL_DATA, "normal", 3, shot->normal, false);
    add(&piece, CELL_DATA, "a", 1, shot->a, true);
    add(&piece, CELL_DATA, "b", 1, shot->b, true);
    add(&piece, POINTS, "Points", 3, shot->ends, false);
    add(&piece, LINES, "connectivity", 2, counting, true);
    add(&piece, LINES, "offsets", 1, even, true);
    return write_piece(export, &piece, "contacts", &export->contacts);
}

// 0, 1, 2 ... are the points of all cells in turn; 2, 4, 6 ... are where lines end.
static thud_status frame(thudi_export *export)
{
    const thudi_shot *shot = export->shot;
    size_t lines = (size_t)shot->touch_count, room = (size_t)shot->count + 2 * lines + 1;
    size_t size = (room + lines) * sizeof(int64_t);
    int64_t *counting = thudi_allocate_zeroed(&export->allocator, size);
    if (!counting)
        return thudi_record_memory(export->fault);
    for (size_t i = 0; i < room; i++)
        counting[i] = (int64_t)i;
    for (size_t i = 0; i < lines; i++)
        counting[room + i] = 2 * (int64_t)(i + 1);
    thud_status status = write_bodies(export, counting);
    if (status == THUD_OK)
        status = write_contacts(export, counting, counting + room);
    thudi_free(&export->allocator, counting, size);
    return status;
}

static thud_status begin(thudi_export *export)
{
    THUD_TRY(thudi_export_open(export, &export->bodies, "bodies.pvd"));
    THUD_TRY(thudi_export_open(export, &export->contacts, "contacts.pvd"));
    const char *head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n <Collection>\n";
    (void)thudi_stream_text(&export->bodies, head);
    (void)thudi_stream_text(&export->contacts, head);
    return THUD_OK;
}

static thud_status end(thudi_export *export)
{
    const char *tail = " </Collection>\n</VTKFile>\n";
    (void)thudi_stream_text(&export->bodies, tail);
    (void)thudi_stream_text(&export->contacts, tail);
    THUD_TRY(thudi_export_finish(export, &export->bodies));
    return thudi_export_finish(export, &export->contacts);
}

const thudi_format thudi_format_vtp = {
    .begin = begin, .frame = frame, .end = end, .abandon = thudi_export_abandon};
