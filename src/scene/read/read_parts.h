// The parts of reading a scene, one function per group of keys.
#ifndef THUDI_READ_PARTS_H
#define THUDI_READ_PARTS_H

#include "scene/scene_data.h"
#include "text/names.h"
#include "text/scene_load.h"

// Version, kind and the keys of the root, title, units, parameters, times.
thud_status thudi_read_common(thudi_reader *r, const thudi_tree *root);

// Read the parameters; then, when all is read, check that something uses each of them.
thud_status thudi_read_parameters(thudi_reader *r, const thudi_tree *root);
thud_status thudi_check_parameters(thudi_reader *r, const thudi_tree *root);

thud_status thudi_read_spheres(thudi_reader *r, const thudi_tree *root);
thud_status thudi_read_inclusion(thudi_reader *r, const thudi_tree *root);
// The key `exact`, which may be absent (NULL).
thud_status thudi_read_exact(thudi_reader *r, const thudi_tree *node);

// Read the seed at the top of the scene. Read that of an entry of `bodies` or a group of a crowd:
// its own, else one that follows from the top if it draws anything, else 1. When all is read, check
// that something follows the top.
thud_status thudi_read_top_seed(thudi_reader *r, const thudi_tree *root);
thud_status thudi_read_seed(thudi_reader *r, const thudi_tree *entry, bool draws, uint64_t *seed);
thud_status thudi_check_seed(thudi_reader *r);
// A seed, mixed with the sample that the caller of thud_scene_read wants.
uint64_t thudi_sample_seed(const thudi_reader *r, uint64_t seed);

// Order, noise and seed, for both kinds; the groups of a crowd, when all bodies are known.
thud_status thudi_read_order(thudi_reader *r, const thudi_tree *root);
thud_status thudi_read_crowd(thudi_reader *r, const thudi_tree *root);

// Growths: read those with names; one by name or written out; that of an entry, which gets a name.
// Then check that tables reach as far as the run.
thud_status thudi_read_growths(thudi_reader *r, const thudi_tree *root);
thud_status thudi_read_growth(thudi_reader *r, const thudi_tree *node,
                              const thud_scene_growth **growth);
thud_status thudi_read_entry_growth(thudi_reader *r, const thudi_tree *node,
                                    const thud_scene_growth **growth);
const thud_scene_growth *thudi_growth_find(const thudi_reader *r, const char *name, size_t length);
thud_status thudi_check_growths(thudi_reader *r);

thud_status thudi_read_materials(thudi_reader *r, const thudi_tree *root);
// Restitution and glue of pairs of materials, and of one constraint; a material by its name.
thud_status thudi_read_contacts(thudi_reader *r, const thudi_tree *root);
thud_status thudi_read_contact_law(thudi_reader *r, const thudi_tree *node, thud_scene_law *rule,
                                   bool *any);
thud_status thudi_material_named(thudi_reader *r, const thudi_tree *node, int *material);

// Read the periodic cell; then check that no wall stands across it.
thud_status thudi_read_cell(thudi_reader *r, const thudi_tree *root);
thud_status thudi_check_cell(thudi_reader *r, const thudi_tree *root);
// Can doubles tell images apart? Bodies must be near enough to the cell, and its shear must be
// small enough. Call this when all is read.
thud_status thudi_check_far(thudi_reader *r);
// Is the box from low to high within the cell along its periodic axes? Else a fault at the node.
thud_status thudi_check_in_cell(thudi_reader *r, const thudi_tree *node, const double *low,
                                const double *high);
// The cell for a fill: its region must be within; bodies that are there are moved into it.
thud_status thudi_fill_cell(thudi_reader *r, const thudi_tree *region, thudi_fill *fill);

thud_status thudi_read_walls(thudi_reader *r, const thudi_tree *root);
// Which thudi_obstacle_word the wall has, -1 if it is made of planes; then read such an obstacle.
int thudi_obstacle_find(const thudi_tree *node);
thud_status thudi_read_obstacle(thudi_reader *r, const thudi_tree *node, int word, int material,
                                thudi_wall_entry *wall, thud_scene_obstacle *to);

thud_status thudi_read_plane(thudi_reader *r, const thudi_tree *node, thud_scene_plane *plane,
                             bool *moves);
// All names that a measure may use for a wall, and what one of them stands for.
thud_status thudi_name_walls(thudi_reader *r, thudi_names *names);
thud_status thudi_find_wall(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                            thud_scene_measure *measure);

thud_status thudi_read_measures(thudi_reader *r, const thudi_tree *root);
// The corners of a convex polygon in a plane, a segment in two dimensions.
thud_status thudi_read_polygon(thudi_reader *r, const thudi_tree *node,
                               thud_scene_measure *measure);

// Material and body names while bodies are read.
typedef struct thudi_body_reader
{
    thudi_reader *r;
    thudi_names materials, bodies;
    int next_entry;
} thudi_body_reader;

thud_status thudi_read_bodies(thudi_reader *r, const thudi_tree *root);

// For entries of `bodies`: room for `count` more bodies at the end of the list.
thud_status thudi_bodies_reserve(thudi_body_reader *b, const thudi_tree *node, double count);
// Index of a material by name. A fault names `place`.
thud_status thudi_material_find(thudi_body_reader *b, const char *name, size_t length,
                                const thud_place *place, int *material);
// Check that a body's name is valid and new, and keep it.
thud_status thudi_body_name(thudi_body_reader *b, const char *name, size_t length,
                            const thud_place *place, const char **kept);
// Add a body. If its mass is 0, its material gives the mass.
thud_status thudi_body_add(thudi_body_reader *b, const thud_scene_body *body,
                           const thud_place *place);

thud_status thudi_read_lattice(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry);
thud_status thudi_read_fill(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry);
thud_status thudi_read_file(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry);
// `material` or `mass` of an entry.
thud_status thudi_read_matter(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry);
thud_status thudi_read_distribution(thudi_reader *r, const thudi_tree *node,
                                    thudi_distribution *law);
// A pair of corners, low < high.
thud_status thudi_read_box(thudi_reader *r, const thudi_tree *node, int dim, double low[3],
                           double high[3]);

#endif
