// The table of contacts of a scene of spheres, by pair of materials, for its world and the checker.
#include "build/model.h"

// The table is square, sides_of_table by sides_of_table: one side per material, and a last one for
// bodies and walls without a material, which have inelastic contacts.
int thudi_model_material(const thud_model *model, int material)
{
    int none = model->sides_of_table > 0 ? model->sides_of_table - 1 : 0;
    return model->table && material >= 0 ? material : none;
}

static size_t table_size(const thud_model *model)
{
    return (size_t)model->sides_of_table * (size_t)model->sides_of_table *
           (size_t)thud_law_find((int)model->scene->law)->number_count * sizeof *model->table;
}

static size_t list_size(const thud_model *model)
{
    size_t count = (size_t)model->scene->body_count + (size_t)model->scene->wall_count;
    return count * sizeof *model->material;
}

thud_status thudi_model_contacts(thud_model *model)
{
    const thud_scene *scene = model->scene;
    const thud_law_info *law = thud_law_find((int)scene->law);
    if (law->number_count == 0)
        return THUD_OK;
    model->sides_of_table = scene->material_count + 1;
    model->table = thudi_allocate_zeroed(&model->allocator, table_size(model));
    model->material = thudi_allocate_zeroed(&model->allocator, list_size(model));
    if (!model->table || !model->material)
        return THUD_ERR_MEMORY;
    size_t side = (size_t)model->sides_of_table, width = (size_t)law->number_count;
    for (size_t i = 0; i < side * side * width; i++)
        model->table[i] = law->numbers[i % width].none;
    for (int i = 0; i < scene->contact_count; i++)
    {
        const thud_scene_contact *contact = &scene->contacts[i];
        size_t a = (size_t)contact->a, b = (size_t)contact->b;
        for (size_t k = 0; k < width && contact->rule.law == scene->law; k++)
            model->table[(a * side + b) * width + k] = model->table[(b * side + a) * width + k] =
                contact->rule.numbers[k];
    }
    for (int i = 0; i < scene->body_count; i++)
        model->material[i] = thudi_model_material(model, scene->bodies[i].material);
    for (int i = 0; i < scene->wall_count; i++)
        model->material[scene->body_count + i] =
            thudi_model_material(model, scene->walls[i].material);
    return THUD_OK;
}

void thudi_model_contacts_free(thud_model *model)
{
    thudi_free(&model->allocator, model->table, table_size(model));
    thudi_free(&model->allocator, model->material, list_size(model));
}
