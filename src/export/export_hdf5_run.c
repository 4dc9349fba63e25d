// What a run directory holds apart from frames, in HDF5: a column of the series each as an array
// with its name, label and unit, and the scene as text.
#include "core/fault.h"
#include "export/export_hdf5.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define SCENE_NAME "scene.yaml"

enum
{
    ROWS = 1024,     // of the series that are written at once
    PART = 64 * 1024 // bytes that are read at once
};

typedef struct table
{
    const thudi_export *export;
    thudi_hdf5_file *file;
    thud_series *series;
    size_t width;
    THUDI_ARRAY(hid_t) columns;
    THUDI_ARRAY(double) block; // ROWS lines
} table;

// What the model says of a column, if its series has the same one there.
static void describe(const table *t, int column, hid_t array)
{
    const thud_model *model = t->export->def->model;
    const char *name = thud_series_name(t->series, column), *measure = "";
    const char *const *names;
    thud_series_column about = {.label = "", .unit = "", .component = "", .measure = -1};
    if (column < thud_model_series(model, &names) && strcmp(names[column], name) == 0)
        thud_model_series_column(model, column, &about);
    if (about.measure >= 0)
        measure = t->export->def->scene->measures[about.measure].name;
    thudi_hdf5_number(t->file, array, "column", column);
    thudi_hdf5_label(t->file, array, "name", name);
    thudi_hdf5_label(t->file, array, "label", about.label);
    thudi_hdf5_label(t->file, array, "unit", about.unit);
    thudi_hdf5_label(t->file, array, "measure", measure);
    thudi_hdf5_label(t->file, array, "component", about.component);
}

static thud_status begin_table(table *t)
{
    const thud_allocator *allocator = &t->export->allocator;
    t->width = (size_t)thud_series_columns(t->series);
    if (thudi_array_reserve(allocator, &t->columns, t->width) < 0 ||
        thudi_array_reserve(allocator, &t->block, ROWS * t->width) < 0)
        return thudi_fail_memory(t->export->fault);
    hid_t group = thudi_hdf5_group(t->file, "series");
    for (size_t i = 0; i < t->width; i++)
    {
        const char *name = thud_series_name(t->series, (int)i);
        t->columns.items[i] =
            thudi_hdf5_array(t->file, group, name, H5T_IEEE_F64LE, 1, &(hsize_t){0}, true);
        describe(t, (int)i, t->columns.items[i]);
    }
    return THUD_OK;
}

static thud_status write_lines(table *t)
{
    hsize_t done = 0;
    for (bool is_over = false; !is_over && !t->file->error;)
    {
        size_t count = 0;
        while (count < ROWS)
        {
            THUD_TRY(thud_series_next(t->series, t->block.items + count * t->width, &is_over,
                                      t->export->fault));
            if (is_over)
                break;
            count++;
        }
        for (size_t i = 0; i < t->width; i++)
        {
            thudi_hdf5_items items = {.type = H5T_NATIVE_DOUBLE,
                                      .count = count,
                                      .columns = 1,
                                      .first = i,
                                      .stride = t->width,
                                      .data = t->block.items};
            thudi_hdf5_append(t->file, t->columns.items[i], done, &items);
        }
        done += count;
    }
    return THUD_OK;
}

static thud_status write_series(const thudi_export *export, thudi_hdf5_file *file)
{
    table t = {.export = export, .file = file};
    thud_status status =
        thud_series_open(export->def->run, &export->allocator, &t.series, export->fault);
    if (status == THUD_OK)
        status = begin_table(&t);
    if (status == THUD_OK)
        status = write_lines(&t);
    thud_series_close(t.series);
    thudi_array_free(&export->allocator, &t.columns);
    thudi_array_free(&export->allocator, &t.block);
    return status;
}

static thud_status read_all(const thudi_export *export, int fd, thudi_hdf5_file *file)
{
    THUDI_ARRAY(char) text = {0};
    size_t used = 0;
    ssize_t count = 1;
    thud_status status = THUD_OK;
    while (count > 0 && status == THUD_OK)
    {
        status = thudi_array_reserve(&export->allocator, &text, used + PART + 1);
        if (status < 0)
            status = thudi_fail_memory(export->fault);
        else
            count = read(fd, text.items + used, PART);
        used += status == THUD_OK && count > 0 ? (size_t)count : 0;
    }
    if (status == THUD_OK && count < 0)
        status =
            thudi_fail_io(export->fault, THUDI_IN(export->def->run, SCENE_NAME), "read", errno);
    if (status == THUD_OK)
    {
        text.items[used] = '\0';
        thudi_hdf5_texts(file, "scene", 0, 1, (const char *const *)&text.items);
    }
    thudi_array_free(&export->allocator, &text);
    return status;
}

static thud_status write_scene(const thudi_export *export, thudi_hdf5_file *file)
{
    const char *run = export->def->run;
    int fd = -1;
    THUD_TRY(thud_record_open_file(run, SCENE_NAME, &fd, export->fault));
    thud_status status = read_all(export, fd, file);
    (void)close(fd);
    return status;
}

thud_status thudi_hdf5_run(const thudi_export *export, thudi_hdf5_file *file)
{
    if (!export->def->run)
        return THUD_OK;
    THUD_TRY(write_series(export, file));
    return write_scene(export, file);
}
