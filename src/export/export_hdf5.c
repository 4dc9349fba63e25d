// HDF5: arrays over all frames, contacts one after another with an offset for every frame. The file
// is written by HDF5 itself, under a temporary name.
#include "export/export_hdf5.h"
#include "core/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define NAME "run.h5"
#define PART_NAME NAME ".part"

// Arrays with a number per frame, or a number per frame and body.
enum
{
    TIME,
    FRAME,
    STEP,
    POSITION,
    VELOCITY,
    RADIUS,
    PRESSURE,
    OFFSETS,
    ARRAY_COUNT
};

// Arrays of the group /contacts.
enum
{
    CONTACT_ARRAYS = 7
};

struct thudi_hdf5
{
    thudi_hdf5_file file;
    bool made; // there may be a file under the temporary name
    hid_t arrays[ARRAY_COUNT];
    hid_t contacts[CONTACT_ARRAYS];
    hsize_t contact_count;           // so far
    THUDI_ARRAY(hid_t) multipliers;  // by constraint
    THUDI_ARRAY(const char *) names; // of coordinates, or of materials
    thudi_hdf5_walls walls;
};

static thud_status check(thudi_export *export)
{
    if (!export->hdf5->file.error)
        return THUD_OK;
    return thudi_fail_io(export->fault, THUDI_IN(export->def->folder, NAME), "write",
                         export->hdf5->file.error);
}

static thud_status create(thudi_export *export)
{
    if (unlinkat(export->folder, PART_NAME, 0) != 0 && errno != ENOENT)
        return thudi_fail_io(export->fault, THUDI_IN(export->def->folder, PART_NAME),
                             "remove the file", errno);
    export->hdf5->made = true; // even if it fails after that
    thudi_hdf5_create(&export->hdf5->file, export->folder, PART_NAME);
    return check(export);
}

static void begin_all(thudi_export *export)
{
    thudi_hdf5 *self = export->hdf5;
    const thud_scene *scene = export->def->scene;
    hid_t root = self->file.id;
    thudi_hdf5_label(&self->file, root, "title", scene->title ? scene->title : "");
    thudi_hdf5_label(&self->file, root, "unit_length",
                     scene->unit_length ? scene->unit_length : "");
    thudi_hdf5_label(&self->file, root, "unit_time", scene->unit_time ? scene->unit_time : "");
    thudi_hdf5_label(&self->file, root, "unit_mass", scene->unit_mass ? scene->unit_mass : "");
    thudi_hdf5_label(&self->file, root, "thud_version", thud_version());
    thudi_hdf5_number(&self->file, root, "step", scene->step);
    hsize_t rows = (hsize_t) export->total;
    static const char *const names[] = {[TIME] = "time", [FRAME] = "frame", [STEP] = "step"};
    for (int i = TIME; i <= STEP; i++)
        self->arrays[i] =
            thudi_hdf5_array(&self->file, root, names[i],
                             i == FRAME ? H5T_STD_I64LE : H5T_IEEE_F64LE, 1, &rows, false);
}

// An array that does not change from frame to frame.
static void write_fixed(thudi_export *export, const char *name, bool whole, hsize_t count,
                        const void *data)
{
    thudi_hdf5_file *file = &export->hdf5->file;
    hid_t stored = whole ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    hid_t array = thudi_hdf5_array(file, file->id, name, stored, 1, &count, false);
    if (count > 0)
        thudi_hdf5_fill(file, array, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, data);
}

// What is known of a contact, in the order of thudi_hdf5.contacts.
static thudi_hdf5_items items_of(const thud_snapshot *snapshot, int which, const char **name)
{
    static const char *const names[CONTACT_ARRAYS] = {"a",      "b",    "force", "impulse",
                                                      "normal", "from", "to"};
    const void *data[CONTACT_ARRAYS] = {snapshot->a,       snapshot->b,      snapshot->force,
                                        snapshot->impulse, snapshot->normal, snapshot->ends,
                                        snapshot->ends};
    bool vector = which >= 4, end = which >= 5;
    *name = names[which];
    return (thudi_hdf5_items){.type = which < 2 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                              .count = (hsize_t)snapshot->touch_count,
                              .columns = vector ? 3 : 1,
                              .first = which == 6 ? 3 : 0,
                              .stride = end      ? 6
                                        : vector ? 3
                                                 : 1,
                              .data = data[which]};
}

static thud_status begin_materials(thudi_export *export)
{
    thudi_hdf5 *self = export->hdf5;
    const thud_scene *scene = export->def->scene;
    size_t count = (size_t)scene->material_count;
    if (thudi_array_reserve(&export->allocator, &self->names, count + 1) < 0)
        return thudi_fail_memory(export->fault);
    for (size_t i = 0; i < count; i++)
        self->names.items[i] = scene->materials[i].name;
    thudi_hdf5_texts(&self->file, "materials", 1, count, self->names.items);
    write_fixed(export, "material", true, (hsize_t) export->snapshot.count,
                export->snapshot.material);
    return THUD_OK;
}

static thud_status begin_spheres(thudi_export *export)
{
    thudi_hdf5 *self = export->hdf5;
    THUD_TRY(begin_materials(export));
    hsize_t rows = (hsize_t) export->total, count = (hsize_t) export->snapshot.count;
    write_fixed(export, "id", true, count, export->snapshot.id);
    write_fixed(export, "mass", false, count, export->snapshot.mass);
    hsize_t dims[] = {rows, count, 3};
    hid_t root = self->file.id;
    self->arrays[RADIUS] =
        thudi_hdf5_array(&self->file, root, "radius", H5T_IEEE_F64LE, 2, dims, false);
    self->arrays[PRESSURE] =
        thudi_hdf5_array(&self->file, root, "pressure", H5T_IEEE_F64LE, 2, dims, false);
    self->arrays[POSITION] =
        thudi_hdf5_array(&self->file, root, "position", H5T_IEEE_F64LE, 3, dims, false);
    self->arrays[VELOCITY] =
        thudi_hdf5_array(&self->file, root, "velocity", H5T_IEEE_F64LE, 3, dims, false);
    hid_t group = thudi_hdf5_group(&self->file, "contacts");
    hsize_t offsets = rows + 1;
    self->arrays[OFFSETS] =
        thudi_hdf5_array(&self->file, group, "offsets", H5T_STD_I64LE, 1, &offsets, false);
    thudi_hdf5_row(&self->file, self->arrays[OFFSETS], H5T_NATIVE_INT64, 0, &(int64_t){0});
    for (int i = 0; i < CONTACT_ARRAYS; i++)
    {
        const char *name;
        thudi_hdf5_items items = items_of(&export->snapshot, i, &name);
        hsize_t none[] = {0, 3};
        self->contacts[i] =
            thudi_hdf5_array(&self->file, group, name, i < 2 ? H5T_STD_I64LE : H5T_IEEE_F64LE,
                             items.columns == 3 ? 2 : 1, none, true);
    }
    return thudi_hdf5_walls_begin(&self->walls, export, &self->file);
}

static thud_status begin_inclusion(thudi_export *export)
{
    thudi_hdf5 *self = export->hdf5;
    const thud_scene *scene = export->def->scene;
    size_t dim = (size_t)scene->coordinate_count, constraints = (size_t)scene->constraint_count;
    if (thudi_array_reserve(&export->allocator, &self->names, dim + 1) < 0 ||
        thudi_array_reserve(&export->allocator, &self->multipliers, constraints + 1) < 0)
        return thudi_fail_memory(export->fault);
    for (size_t k = 0; k < dim; k++)
        self->names.items[k] = scene->coordinates[k].name;
    hsize_t dims[] = {(hsize_t) export->total, dim};
    hid_t root = self->file.id;
    for (int i = POSITION; i <= VELOCITY; i++)
    {
        self->arrays[i] =
            thudi_hdf5_array(&self->file, root, i == POSITION ? "position" : "velocity",
                             H5T_IEEE_F64LE, 2, dims, false);
        thudi_hdf5_names(&self->file, self->arrays[i], "names", self->names.items, dim);
    }
    hid_t group = thudi_hdf5_group(&self->file, "multipliers");
    for (size_t i = 0; i < constraints; i++)
        self->multipliers.items[i] = thudi_hdf5_array(
            &self->file, group, scene->constraints[i].name, H5T_IEEE_F64LE, 1, dims, false);
    return THUD_OK;
}

static thud_status begin(thudi_export *export)
{
    export->hdf5 = thudi_allocate_zeroed(&export->allocator, sizeof *export->hdf5);
    if (!export->hdf5)
        return thudi_fail_memory(export->fault);
    export->hdf5->file.fd = -1;
    THUD_TRY(create(export));
    begin_all(export);
    if (export->def->scene->kind == THUD_SCENE_SPHERES)
        THUD_TRY(begin_spheres(export));
    else
        THUD_TRY(begin_inclusion(export));
    thudi_hdf5_units(export, &export->hdf5->file);
    THUD_TRY(thudi_hdf5_run(export, &export->hdf5->file));
    return check(export);
}

static void write_contacts(thudi_export *export)
{
    thudi_hdf5 *self = export->hdf5;
    for (int i = 0; i < CONTACT_ARRAYS; i++)
    {
        const char *name;
        thudi_hdf5_items items = items_of(&export->snapshot, i, &name);
        thudi_hdf5_append(&self->file, self->contacts[i], self->contact_count, &items);
    }
    self->contact_count += (hsize_t) export->snapshot.touch_count;
    int64_t end = (int64_t)self->contact_count;
    thudi_hdf5_row(&self->file, self->arrays[OFFSETS], H5T_NATIVE_INT64, (hsize_t) export->done + 1,
                   &end);
}

static void write_multipliers(thudi_export *export)
{
    const thud_snapshot *snapshot = &export->snapshot;
    int next = 0; // both are in the order of keys
    for (int i = 0; i < export->def->scene->constraint_count; i++)
    {
        double impulse = 0;
        thud_key key = thud_key_number(i);
        while (next < snapshot->multiplier_count &&
               thud_key_before(snapshot->multipliers[next].key, key))
            next++;
        for (; next < snapshot->multiplier_count &&
               thud_key_same(snapshot->multipliers[next].key, key);
             next++)
            impulse += snapshot->multipliers[next].impulse;
        thudi_hdf5_row(&export->hdf5->file, export->hdf5->multipliers.items[i], H5T_NATIVE_DOUBLE,
                       (hsize_t) export->done, &impulse);
    }
}

static thud_status frame(thudi_export *export)
{
    const thud_snapshot *snapshot = &export->snapshot;
    bool spheres = export->def->scene->kind == THUD_SCENE_SPHERES;
    thudi_hdf5_file *file = &export->hdf5->file;
    const hid_t *arrays = export->hdf5->arrays;
    hsize_t row = (hsize_t) export->done;
    thudi_hdf5_row(file, arrays[TIME], H5T_NATIVE_DOUBLE, row, &snapshot->t);
    thudi_hdf5_row(file, arrays[FRAME], H5T_NATIVE_INT64, row, &snapshot->frame);
    thudi_hdf5_row(file, arrays[STEP], H5T_NATIVE_DOUBLE, row, &snapshot->h);
    thudi_hdf5_row(file, arrays[POSITION], H5T_NATIVE_DOUBLE, row,
                   spheres ? snapshot->position : snapshot->q);
    thudi_hdf5_row(file, arrays[VELOCITY], H5T_NATIVE_DOUBLE, row,
                   spheres ? snapshot->velocity : snapshot->u);
    if (spheres)
    {
        thudi_hdf5_row(file, arrays[RADIUS], H5T_NATIVE_DOUBLE, row, snapshot->radius);
        thudi_hdf5_row(file, arrays[PRESSURE], H5T_NATIVE_DOUBLE, row, snapshot->pressure);
        thudi_hdf5_walls_frame(&export->hdf5->walls, export, file);
        write_contacts(export);
    }
    else
        write_multipliers(export);
    return check(export);
}

static thud_status end(thudi_export *export)
{
    thudi_hdf5_close(&export->hdf5->file);
    THUD_TRY(check(export));
    if (renameat(export->folder, PART_NAME, export->folder, NAME) != 0)
        return thudi_fail_io(export->fault, THUDI_IN(export->def->folder, NAME), "write", errno);
    export->hdf5->made = false;
    return THUD_OK;
}

static void abandon(thudi_export *export)
{
    thudi_hdf5 *self = export->hdf5;
    if (!self)
        return;
    thudi_hdf5_close(&self->file);
    if (self->made)
        (void)unlinkat(export->folder, PART_NAME, 0);
    thudi_array_free(&export->allocator, &self->multipliers);
    thudi_array_free(&export->allocator, &self->names);
    thudi_hdf5_walls_free(&self->walls, export);
    thudi_free(&export->allocator, self, sizeof *self);
}

const thudi_format thudi_format_hdf5 = {
    .inclusions = true, .begin = begin, .frame = frame, .end = end, .abandon = abandon};
