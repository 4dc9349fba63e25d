// The exact solution that a scene of kind inclusion may give; `thud converge` measures errors by
// it.
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_PIECES = 10000
};

// q and u during one interval of time. The last interval must have no end, the others must have
// one.
static thud_status read_piece(thudi_reader *r, const thudi_tree *node, bool last, double after,
                              thud_scene_piece *piece)
{
    const thudi_tree *until;
    char path[THUDI_PATH_SIZE], a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    THUD_TRY(thudi_thing_open(r, node, &thudi_piece_thing));
    until = thudi_optional(node, "until");
    if (last && until)
        return thudi_fail_node(
            r->fault, THUD_ERR_SCENE, until->key, "remove it: the last piece lasts to the end",
            "%s: the last piece must not have 'until'", thudi_tree_path(node, path));
    if (!last)
        THUD_TRY(thudi_required(r, node, "until", "give the time at which the next piece begins",
                                &until));
    piece->until = INFINITY;
    if (until)
        THUD_TRY(thudi_number(r, until, THUDI_ANY, &piece->until));
    if (until && !(piece->until > after))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, until, "write the pieces in order of time",
                               "%s is %s, not after %s", thudi_tree_path(until, path),
                               thudi_text_number(a, piece->until), thudi_text_number(b, after));
    return thudi_read_fields(r, node, &thudi_piece_thing, piece);
}

static thud_status read_pieces(thudi_reader *r, const thudi_tree *node, thud_scene_exact *exact)
{
    bool is_list = node->kind == THUDI_LIST;
    int count = is_list ? node->count : 1;
    thud_scene_piece *pieces;
    double after = -INFINITY;
    char path[THUDI_PATH_SIZE];
    if (is_list && (count == 0 || count > MOST_PIECES))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must have 1 to %d pieces",
                               thudi_tree_path(node, path), MOST_PIECES);
    THUD_TRY(thudi_reader_allocate(r, (size_t)count * sizeof *pieces, &pieces));
    exact->pieces = pieces;
    const thudi_tree *item = is_list ? node->first : node;
    for (; exact->count < count; item = item->next)
    {
        thud_scene_piece *piece = &pieces[exact->count++];
        THUD_TRY(read_piece(r, item, exact->count == count, after, piece));
        after = piece->until;
    }
    return THUD_OK;
}

thud_status thudi_read_exact(thudi_reader *r, const thudi_tree *node)
{
    thud_scene *scene = &r->scene->view;
    thud_scene_exact *exact;
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_expect(r, node, THUDI_MAP, "a map of coordinates"));
    THUD_TRY(thudi_map_open(r, node, r->symbols.coordinates));
    THUD_TRY(thudi_reader_allocate(r, (size_t)scene->coordinate_count * sizeof *exact, &exact));
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        const char *name = scene->coordinates[i].name;
        const thudi_tree *member = thudi_optional(node, name);
        if (!member)
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "give all coordinates",
                                   "%s lacks the coordinate '%s'", thudi_tree_path(node, path),
                                   thudi_quote(quote, name, strlen(name)));
        THUD_TRY(read_pieces(r, member, &exact[i]));
    }
    scene->exact = exact;
    return THUD_OK;
}
