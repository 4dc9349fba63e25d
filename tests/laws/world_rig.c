// A world and its judge: see world_rig.h.
#include "world_rig.h"

#include <string.h>

static int shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const world_rig *rig = user;
    for (int i = 0; i < rig->count; i++)
        radius[i] = rig->spheres[i].radius * (1 + rig->growth * t);
    for (int w = 0; w < rig->wall_count; w++)
    {
        memcpy(normal + 3 * (size_t)w, rig->walls[w].normal, sizeof rig->walls[w].normal);
        offset[w] = rig->walls[w].offset + (w == 0 ? rig->swing * sin(rig->rate * t) : 0);
    }
    return 0;
}

static int move_wall(double t, thud_plane *plane, void *user)
{
    const world_rig *rig = user;
    *plane = rig->walls[0];
    plane->offset += rig->swing * sin(rig->rate * t);
    return 0;
}

static int grow(double t, int count, const int *id, double *radius, void *user)
{
    const world_rig *rig = user;
    for (int i = 0; i < count; i++)
        radius[i] = rig->spheres[id[i]].radius * (1 + rig->growth * t);
    return 0;
}

bool world_open(world_rig *rig, thud_law law, const thud_projector_def *projector)
{
    double tol = rig->def.tol > 0 ? rig->def.tol : 1e-5, largest = 0;
    rig->def.material_count = WORLD_MATERIALS;
    rig->def.law = law;
    rig->def.numbers = thud_law_find((int)law)->number_count > 0 ? rig->table : NULL;
    rig->def.radii = rig->growth != 0 ? grow : NULL;
    rig->def.user = rig->growth != 0 ? rig : rig->def.user;
    bool made = thud_world_create(&rig->def, &rig->world) == THUD_OK &&
                thud_world_add(rig->world, rig->spheres, rig->count, NULL) == THUD_OK;
    for (int i = 0; i < rig->count; i++)
    {
        made = made && thud_world_set_material(rig->world, &i, 1, rig->material[i]) == THUD_OK;
        largest = fmax(largest, rig->spheres[i].radius);
    }
    for (int w = 0; made && w < rig->wall_count; w++)
    {
        thud_wall_def wall = {.plane = rig->walls[w],
                              .material = rig->wall_material[w],
                              .motion = w == 0 && rig->swing != 0 ? move_wall : NULL,
                              .smooth = {rig->swing * rig->rate * rig->rate, 0},
                              .user = rig};
        made = thud_world_add_wall(rig->world, &wall, NULL) == THUD_OK;
    }
    made = made && thud_world_prepare(rig->world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK;
    CHECK(made);
    if (!made)
        return false;
    rig->judge = (thud_verify_spheres_def){.dim = rig->def.dim,
                                           .count = rig->count,
                                           .wall_count = rig->wall_count,
                                           .shapes = shapes,
                                           .user = rig,
                                           .shift = 2 * tol,
                                           .material = rig->material,
                                           .wall_material = rig->wall_material,
                                           .material_count = WORLD_MATERIALS,
                                           .numbers = rig->def.numbers};
    thud_work_def work = thud_world_work(rig->world);
    if (projector)
        work.projector = *projector;
    return track_world(&rig->way, rig->world, &work, &rig->judge, 2 * 2 * tol * largest);
}

void world_close(world_rig *rig)
{
    track_end(&rig->way);
    thud_world_destroy(rig->world);
}

void world_fill_table(world_rig *rig, double value)
{
    for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS; k++)
        rig->table[k] = value;
}
