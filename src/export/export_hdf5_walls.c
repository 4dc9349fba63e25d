// The walls of a scene of spheres in HDF5: planes by normal and offset, solids and containers by
// triangles in their own frames and where these frames are: x = origin + turn y.
#include "core/fault.h"
#include "export/export_hdf5.h"
#include "export/export_walls.h"
#include "thud/surface.h"

#include <string.h>

#define PLANES "walls/planes"
#define SOLIDS "walls/solids"

enum
{
    NORMALS,
    OFFSETS,
    ORIGINS,
    TURNS
};

// Numbers of each array for one wall.
static const size_t widths[THUDI_HDF5_WALL_ARRAYS] = {3, 1, 3, 9};

static bool is_of_solids(int array)
{
    return array >= ORIGINS;
}

static thud_status reserve(thudi_hdf5_walls *walls, const thudi_export *export, size_t triangles)
{
    const thud_scene *scene = export->def->scene;
    size_t planes = (size_t)scene->wall_count, solids = (size_t)scene->obstacle_count;
    size_t most = planes + solids, room = 4 * planes + 12 * solids + 9 * triangles + 1;
    if (thudi_array_reserve(&export->allocator, &walls->room, room) < 0 ||
        thudi_array_reserve(&export->allocator, &walls->names, most + 1) < 0 ||
        thudi_array_reserve(&export->allocator, &walls->numbers, most + triangles + 1) < 0)
        return thudi_fail_memory(export->fault);
    return THUD_OK;
}

static void write_numbers(thudi_hdf5_file *file, const char *name, const int64_t *numbers,
                          hsize_t count)
{
    hid_t array = thudi_hdf5_array(file, file->id, name, H5T_STD_I64LE, 1, &count, false);
    if (count > 0)
        thudi_hdf5_fill(file, array, H5T_NATIVE_INT64, numbers);
}

// Names and materials, which stay.
static void begin_group(thudi_hdf5_walls *walls, const thudi_export *export, thudi_hdf5_file *file,
                        bool is_solid)
{
    const thud_scene *scene = export->def->scene;
    int first = is_solid ? scene->wall_count : 0;
    int count = is_solid ? scene->obstacle_count : scene->wall_count;
    for (int i = 0; i < count; i++)
    {
        walls->names.items[i] = thud_scene_wall_name(scene, first + i);
        walls->numbers.items[i] = thudi_wall_material(scene, first + i);
    }
    (void)thudi_hdf5_group(file, is_solid ? SOLIDS : PLANES);
    thudi_hdf5_texts(file, is_solid ? SOLIDS "/name" : PLANES "/name", 1, (hsize_t)count,
                     walls->names.items);
    write_numbers(file, is_solid ? SOLIDS "/material" : PLANES "/material", walls->numbers.items,
                  (hsize_t)count);
}

static void begin_arrays(thudi_hdf5_walls *walls, const thudi_export *export, thudi_hdf5_file *file)
{
    static const char *const names[THUDI_HDF5_WALL_ARRAYS] = {PLANES "/normal", PLANES "/offset",
                                                              SOLIDS "/origin", SOLIDS "/turn"};
    const thud_scene *scene = export->def->scene;
    for (int i = 0; i < THUDI_HDF5_WALL_ARRAYS; i++)
    {
        int count = is_of_solids(i) ? scene->obstacle_count : scene->wall_count;
        hsize_t dims[4] = {(hsize_t) export->total, (hsize_t)count, 3, 3};
        int rank = widths[i] == 1 ? 2 : (widths[i] == 3 ? 3 : 4);
        walls->arrays[i] =
            thudi_hdf5_array(file, file->id, names[i], H5T_IEEE_F64LE, rank, dims, false);
    }
}

// The triangles of all solids one after the other, and the wall of each.
static void write_triangles(thudi_hdf5_walls *walls, const thudi_export *export,
                            thudi_hdf5_file *file, size_t count)
{
    hsize_t dims[3] = {count, 3, 3};
    size_t used = 0;
    for (int i = 0; i < export->def->scene->obstacle_count; i++)
    {
        const thud_surface *surface = &walls->surfaces[i];
        size_t own = (size_t)surface->triangle_count;
        if (own > 0)
            memcpy(walls->room.items + 9 * used, surface->triangles,
                   9 * own * sizeof *walls->room.items);
        for (size_t k = 0; k < own; k++)
            walls->numbers.items[used++] = i;
    }
    hid_t array =
        thudi_hdf5_array(file, file->id, SOLIDS "/triangles", H5T_IEEE_F64LE, 3, dims, false);
    if (count > 0)
        thudi_hdf5_fill(file, array, H5T_NATIVE_DOUBLE, walls->room.items);
    write_numbers(file, SOLIDS "/solid", walls->numbers.items, count);
}

thud_status thudi_hdf5_walls_begin(thudi_hdf5_walls *walls, const thudi_export *export,
                                   thudi_hdf5_file *file)
{
    const thud_scene *scene = export->def->scene;
    size_t triangles = 0;
    if (thud_surfaces_make(scene, &export->allocator, &walls->surfaces) < 0)
        return thudi_fail_memory(export->fault);
    for (int i = 0; i < scene->obstacle_count; i++)
        triangles += (size_t)walls->surfaces[i].triangle_count;
    THUD_TRY(reserve(walls, export, triangles));
    (void)thudi_hdf5_group(file, "walls");
    begin_group(walls, export, file, false);
    begin_group(walls, export, file, true);
    write_triangles(walls, export, file, triangles);
    begin_arrays(walls, export, file);
    return THUD_OK;
}

void thudi_hdf5_walls_frame(thudi_hdf5_walls *walls, const thudi_export *export,
                            thudi_hdf5_file *file)
{
    const thud_scene *scene = export->def->scene;
    size_t planes = (size_t)scene->wall_count, solids = (size_t)scene->obstacle_count;
    double t = export->snapshot.t, *normal = walls->room.items, *offset = normal + 3 * planes;
    double *origin = offset + planes, *turn = origin + 3 * solids;
    const double *data[THUDI_HDF5_WALL_ARRAYS] = {normal, offset, origin, turn};
    for (size_t i = 0; i < planes; i++)
    {
        thud_plane plane;
        thud_model_wall(export->def->model, (int)i, t, &plane);
        memcpy(normal + 3 * i, plane.normal, sizeof plane.normal);
        offset[i] = plane.offset;
    }
    for (size_t i = 0; i < solids; i++)
    {
        thud_pose pose;
        thud_model_pose(export->def->model, (int)i, t, &pose);
        thud_placement at = thud_pose_place(&pose);
        memcpy(origin + 3 * i, at.origin, sizeof at.origin);
        memcpy(turn + 9 * i, at.turn, sizeof at.turn);
    }
    for (int i = 0; i < THUDI_HDF5_WALL_ARRAYS; i++)
        thudi_hdf5_row(file, walls->arrays[i], H5T_NATIVE_DOUBLE, (hsize_t) export->done, data[i]);
}

void thudi_hdf5_walls_free(thudi_hdf5_walls *walls, const thudi_export *export)
{
    thud_surfaces_free(export->def->scene, &export->allocator, walls->surfaces);
    thudi_array_free(&export->allocator, &walls->room);
    thudi_array_free(&export->allocator, &walls->names);
    thudi_array_free(&export->allocator, &walls->numbers);
}
