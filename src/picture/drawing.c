// Text and colours by cairo.
#include "picture/drawing.h"

#include <stdio.h>
#include <string.h>

enum
{
    TEXT_SIZE = 256
};

void thudi_ink(cairo_t *cairo, thudi_rgb color)
{
    cairo_set_source_rgb(cairo, thudi_rgb_encode(color.r), thudi_rgb_encode(color.g),
                         thudi_rgb_encode(color.b));
}

void thudi_font(cairo_t *cairo, double size)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

// Bytes of the character that begins here, or 0 if it is none that can be shown.
static size_t character(const unsigned char *c)
{
    if (c[0] < 0x80)
        return c[0] >= ' ' && c[0] != 0x7f;
    size_t size = c[0] < 0xe0 ? 2 : (c[0] < 0xf0 ? 3 : 4);
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool is_bad = (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xe0 && c[1] < 0xa0) ||
                  (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
                  (c[0] == 0xf4 && c[1] > 0x8f);
    return is_bad ? 0 : size;
}

// cairo stops drawing for good at a text that is not UTF-8. Returns the length.
static size_t clean(char out[TEXT_SIZE], const char *text)
{
    size_t used = 0;
    while (*text && used + 5 < TEXT_SIZE)
    {
        size_t size = character((const unsigned char *)text);
        if (size > 0)
            memcpy(out + used, text, size);
        else
            out[used] = '?';
        used += size > 0 ? size : 1;
        text += size > 0 ? size : 1;
    }
    out[used] = '\0';
    return used;
}

double thudi_label_width(cairo_t *cairo, const char *text)
{
    char out[TEXT_SIZE];
    cairo_text_extents_t extents;
    (void)clean(out, text);
    cairo_text_extents(cairo, out, &extents);
    return extents.x_advance;
}

void thudi_label(cairo_t *cairo, double x, double y, int side, double most, const char *text)
{
    char out[TEXT_SIZE];
    size_t used = clean(out, text);
    double width = thudi_label_width(cairo, out);
    while (most > 0 && width > most && used > 0)
    {
        do
            used--;
        while (used > 0 && ((unsigned char)out[used] & 0xc0) == 0x80);
        (void)snprintf(out + used, TEXT_SIZE - used, "\xe2\x80\xa6");
        width = thudi_label_width(cairo, out);
    }
    cairo_move_to(cairo, x - (side < 0 ? width : (side == 0 ? width / 2 : 0)), y);
    cairo_show_text(cairo, out);
}
