// JSON without any '<': names come from scenes and are not to be trusted; '<', '>' and '&' are
// escaped, so that no text can end the element it stands in.
#include "page/page_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(thudi_pager *pager, const char *bytes, size_t length)
{
    thudi_page_text *head = &pager->head;
    if (head->status < 0)
        return;
    head->status = thudi_array_reserve(&pager->allocator, &head->bytes, head->length + length + 1);
    if (head->status < 0)
        return;
    memcpy(head->bytes.items + head->length, bytes, length);
    head->length += length;
}

void thudi_head_text(thudi_pager *pager, const char *text)
{
    put(pager, text, strlen(text));
}

// The character at text if it is one beyond ASCII that breaks or controls lines or turns the
// direction of writing, else 0.
static unsigned read_hidden(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    unsigned code = 0;
    if (c[0] >= 0xc2 && c[0] < 0xe0)
        code = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    else if (c[0] == 0xe2 && (c[1] & 0xfeu) == 0x80)
        code = 0x2000u | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    bool is_hidden = (code >= 0x80 && code < 0xa0) || code == 0x61c || code == 0x200e ||
                     code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x206f);
    return is_hidden ? code : 0;
}

void thudi_head_string(thudi_pager *pager, const char *text)
{
    thudi_head_text(pager, "\"");
    for (const char *c = text ? text : ""; *c; c++)
    {
        char escaped[12];
        unsigned char byte = (unsigned char)*c;
        unsigned hidden = read_hidden(c);
        if (hidden)
        {
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", hidden);
            thudi_head_text(pager, escaped);
            c += hidden < 0x800 ? 1 : 2;
            continue;
        }
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != '<' && byte != '>' &&
            byte != '&' && byte != 0x7f)
        {
            put(pager, c, 1);
            continue;
        }
        (void)snprintf(escaped, sizeof escaped, "\\u%04x", byte);
        thudi_head_text(pager, escaped);
    }
    thudi_head_text(pager, "\"");
}

// A comma unless the text before opens something, then the name.
static void put_name(thudi_pager *pager, const char *name)
{
    const thudi_page_text *head = &pager->head;
    char last = head->length > 0 ? head->bytes.items[head->length - 1] : '{';
    if (last != '{' && last != '[')
        thudi_head_text(pager, ",");
    if (!name)
        return;
    thudi_head_string(pager, name);
    thudi_head_text(pager, ":");
}

void thudi_head_open(thudi_pager *pager, const char *name, const char *bracket)
{
    put_name(pager, name);
    thudi_head_text(pager, bracket);
}

void thudi_head_field(thudi_pager *pager, const char *name, const char *value)
{
    put_name(pager, name);
    thudi_head_string(pager, value);
}

void thudi_head_number(thudi_pager *pager, const char *name, double x)
{
    char text[THUD_NUMBER_SIZE];
    put_name(pager, name);
    thudi_head_text(pager, isfinite(x) ? thud_number_write(text, x) : "null");
}

void thudi_head_whole(thudi_pager *pager, const char *name, int64_t x)
{
    char text[32];
    put_name(pager, name);
    (void)snprintf(text, sizeof text, "%" PRId64, x);
    thudi_head_text(pager, text);
}

void thudi_head_flag(thudi_pager *pager, const char *name, bool x)
{
    put_name(pager, name);
    thudi_head_text(pager, x ? "true" : "false");
}

void thudi_head_numbers(thudi_pager *pager, const char *name, const double *x, int count)
{
    thudi_head_open(pager, name, "[");
    for (int i = 0; i < count; i++)
        thudi_head_number(pager, NULL, x[i]);
    thudi_head_text(pager, "]");
}
