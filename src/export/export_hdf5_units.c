// The attribute "unit" of every array of an export to HDF5 that holds a quantity: by the labels of
// the scene, "" where it gives none, and for numbers without a dimension.
#include "export/export_hdf5.h"
#include "thud/units.h"

typedef enum quantity
{
    NUMBER,
    LENGTH,
    TIME,
    MASS,
    VELOCITY,
    FORCE,
    IMPULSE,
    PRESSURE
} quantity;

typedef struct labelled
{
    const char *path;
    quantity what;
} labelled;

static const char *name_unit(char text[THUD_UNIT_SIZE], const thud_scene *scene, quantity what)
{
    text[0] = '\0';
    switch (what)
    {
    case LENGTH:
        return thud_unit_text(text, scene, 1, 0, 0);
    case TIME:
        return thud_unit_text(text, scene, 0, 1, 0);
    case MASS:
        return thud_unit_text(text, scene, 0, 0, 1);
    case VELOCITY:
        return thud_unit_text(text, scene, 1, -1, 0);
    case FORCE:
        return thud_unit_force(text, scene);
    case IMPULSE: // in order 1 too, where it is what a force is
        return thud_unit_text(text, scene, 1, -1, 1);
    case PRESSURE:
        return thud_unit_pressure(text, scene);
    default:
        return text;
    }
}

static void label_all(const thudi_export *export, thudi_hdf5_file *file, const labelled *arrays,
                      size_t count)
{
    char unit[THUD_UNIT_SIZE];
    for (size_t i = 0; i < count; i++)
        thudi_hdf5_label(file, thudi_hdf5_find(file, arrays[i].path), "unit",
                         name_unit(unit, export->def->scene, arrays[i].what));
}

void thudi_hdf5_units(const thudi_export *export, thudi_hdf5_file *file)
{
    static const labelled times[] = {{"time", TIME}, {"step", TIME}};
    static const labelled spheres[] = {
        {"mass", MASS},
        {"radius", LENGTH},
        {"pressure", PRESSURE},
        {"position", LENGTH},
        {"velocity", VELOCITY},
        {"contacts/force", FORCE},
        {"contacts/impulse", IMPULSE},
        {"contacts/normal", NUMBER},
        {"contacts/from", LENGTH},
        {"contacts/to", LENGTH},
        {"walls/planes/normal", NUMBER},
        {"walls/planes/offset", LENGTH},
        {"walls/solids/triangles", LENGTH},
        {"walls/solids/origin", LENGTH},
        {"walls/solids/turn", NUMBER},
    };
    // coordinates of an inclusion may each have another dimension
    static const labelled inclusion[] = {{"position", NUMBER}, {"velocity", NUMBER}};
    label_all(export, file, times, sizeof times / sizeof *times);
    if (export->def->scene->kind == THUD_SCENE_SPHERES)
        label_all(export, file, spheres, sizeof spheres / sizeof *spheres);
    else
        label_all(export, file, inclusion, sizeof inclusion / sizeof *inclusion);
}
