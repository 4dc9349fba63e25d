// A file of VTK's PolyData: XML that declares the arrays, and their numbers appended raw. Names are
// field data, as the codes of their bytes with a 0 after each name: so VTK stores strings as text.
#include "export/vtp_file.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const places[THUDI_VTP_PLACE_COUNT] = {"PointData", "CellData", "Points",
                                                          "Verts",     "Lines",    "Polys"};

static size_t size_of(const thudi_vtp_piece *piece, const thudi_vtp_array *array)
{
    int64_t tuples[THUDI_VTP_PLACE_COUNT] = {[THUDI_VTP_POINT_DATA] = piece->points,
                                             [THUDI_VTP_CELL_DATA] =
                                                 piece->verts + piece->lines + piece->polys,
                                             [THUDI_VTP_POINTS] = piece->points,
                                             [THUDI_VTP_VERTS] = piece->verts,
                                             [THUDI_VTP_LINES] = piece->lines,
                                             [THUDI_VTP_POLYS] = piece->polys};
    return 8 * (size_t)tuples[array->place] * (size_t)array->components;
}

void thudi_vtp_add(thudi_vtp_piece *piece, thudi_vtp_place place, const char *name, int components,
                   const void *data, bool is_whole)
{
    piece->arrays[piece->count++] = (thudi_vtp_array){place, name, components, data, is_whole};
}

void thudi_vtp_add_names(thudi_vtp_piece *piece, const char *name, thudi_vtp_text_fn *text,
                         int count)
{
    int at = piece->list_count;
    if (count == 0)
        return;
    piece->lists[at].name = name;
    piece->lists[at].text = text;
    piece->lists[at].count = count;
    piece->list_count++;
}

static void declare(thudi_stream *out, const thudi_vtp_array *array, uint64_t offset)
{
    char text[256];
    bool is_cells = array->place >= THUDI_VTP_VERTS;
    (void)snprintf(text, sizeof text,
                   "    <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                   "format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                   array->is_whole ? "Int64" : "Float64", array->name,
                   is_cells ? 1 : array->components, offset);
    (void)thudi_stream_text(out, text);
}

static void write_names(thudi_stream *out, const thudi_vtp_piece *piece, int list)
{
    char head[128];
    int count = piece->lists[list].count;
    (void)snprintf(head, sizeof head,
                   "   <Array type=\"String\" Name=\"%s\" NumberOfTuples=\"%d\" format=\"ascii\">",
                   piece->lists[list].name, count);
    (void)thudi_stream_text(out, head);
    for (int i = 0; i < count; i++)
    {
        const char *text = piece->lists[list].text(piece->scene, i);
        for (const char *c = text ? text : ""; *c; c++)
        {
            (void)thudi_stream_integer(out, (unsigned char)*c);
            (void)thudi_stream_text(out, " ");
        }
        (void)thudi_stream_text(out, i + 1 < count ? "0 " : "0");
    }
    (void)thudi_stream_text(out, "</Array>\n");
}

static void write_fields(thudi_stream *out, const thudi_vtp_piece *piece, double t)
{
    (void)thudi_stream_text(out, "  <FieldData>\n   <DataArray type=\"Float64\" "
                                 "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    (void)thudi_stream_number(out, t);
    (void)thudi_stream_text(out, "</DataArray>\n");
    for (int i = 0; i < piece->list_count; i++)
        write_names(out, piece, i);
    (void)thudi_stream_text(out, "  </FieldData>\n");
}

static void write_xml(thudi_stream *out, const thudi_vtp_piece *piece, double t)
{
    char text[256];
    uint64_t offset = 0;
    (void)thudi_stream_text(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" "
                                 "version=\"1.0\" byte_order=\"LittleEndian\" "
                                 "header_type=\"UInt64\">\n <PolyData>\n");
    write_fields(out, piece, t);
    (void)snprintf(text, sizeof text,
                   "  <Piece NumberOfPoints=\"%" PRId64 "\" NumberOfVerts=\"%" PRId64
                   "\" NumberOfLines=\"%" PRId64 "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64
                   "\">\n",
                   piece->points, piece->verts, piece->lines, piece->polys);
    (void)thudi_stream_text(out, text);
    for (thudi_vtp_place place = 0; place < THUDI_VTP_PLACE_COUNT; place++)
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

void thudi_vtp_write(thudi_stream *out, const thudi_vtp_piece *piece, double t)
{
    write_xml(out, piece, t);
    // in the order of the offsets, which is that of the places
    for (thudi_vtp_place place = 0; place < THUDI_VTP_PLACE_COUNT; place++)
        for (int i = 0; i < piece->count; i++)
            if (piece->arrays[i].place == place)
            {
                uint64_t size = size_of(piece, &piece->arrays[i]);
                (void)thudi_stream_write(out, &size, sizeof size);
                (void)thudi_stream_write(out, piece->arrays[i].data, size);
            }
    (void)thudi_stream_text(out, "\n </AppendedData>\n</VTKFile>\n");
}
