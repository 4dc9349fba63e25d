// A reader of pages that shares no code with the writer.
#include "page_rig.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The text between the end of `tag` and the next '<'.
static char *cut(const char *html, const char *tag, size_t *length)
{
    const char *at = strstr(html, tag);
    if (!at)
        return NULL;
    at += strlen(tag);
    *length = strcspn(at, "<");
    char *text = malloc(*length + 1);
    if (text)
    {
        memcpy(text, at, *length);
        text[*length] = '\0';
    }
    return text;
}

static size_t decode_base64(char *text, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long bits = 0;
    size_t used = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++)
    {
        const char *digit = strchr(digits, text[i]);
        if (!digit || !*digit)
            return 0;
        bits = bits << 6 | (unsigned long)(digit - digits);
        if (i % 4 > 0)
            text[used++] = (char)(bits >> (6 - 2 * (i % 4)) & 255);
    }
    return used;
}

static bool inflate_all(page_parts *page, char *packed, size_t length)
{
    uLongf size = 100UL << 20;
    page->data = malloc(size);
    bool fine = page->data && uncompress(page->data, &size, (const Bytef *)packed, length) == Z_OK;
    page->data_length = fine ? size : 0;
    return fine;
}

bool page_read(page_parts *page, const char *path)
{
    *page = (page_parts){0};
    unsigned char *bytes = rig_file_read(path, &page->length);
    if (!bytes)
        return false;
    page->html = malloc(page->length + 1);
    if (page->html)
    {
        memcpy(page->html, bytes, page->length);
        page->html[page->length] = '\0';
    }
    free(bytes);
    if (!page->html)
        return false;
    size_t length = 0;
    page->head = cut(page->html, "<script type=\"application/json\" id=\"thud-head\">", &length);
    char *packed =
        cut(page->html, "<script type=\"application/octet-stream\" id=\"thud-data\">", &length);
    bool fine = page->head && packed && inflate_all(page, packed, decode_base64(packed, length));
    free(packed);
    return fine;
}

void page_free(page_parts *page)
{
    free(page->html);
    free(page->head);
    free(page->data);
}

double page_item(const page_parts *page, const char *name, int place)
{
    char key[100];
    (void)snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(page->head, key);
    if (!at)
        return NAN;
    at += strlen(key);
    at += *at == '[';
    for (; place > 0 && at; place--)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    return at && strncmp(at, "null", 4) != 0 ? strtod(at, NULL) : NAN;
}

double page_number(const page_parts *page, const char *name)
{
    return page_item(page, name, 0);
}

static void take(page_parts *page, void *to, size_t size)
{
    memset(to, 0, size);
    if (page->at + size <= page->data_length)
        memcpy(to, page->data + page->at, size);
    page->at += size;
}

double page_f32(page_parts *page)
{
    float x;
    take(page, &x, sizeof x);
    return x;
}

double page_f64(page_parts *page)
{
    double x;
    take(page, &x, sizeof x);
    return x;
}

unsigned page_u32(page_parts *page)
{
    uint32_t x;
    take(page, &x, sizeof x);
    return x;
}

void page_u16s(page_parts *page, uint16_t *x, size_t count)
{
    for (size_t plane = 0; plane < 2; plane++)
        for (size_t i = 0; i < count; i++)
        {
            unsigned char byte;
            take(page, &byte, 1);
            x[i] = (uint16_t)(plane == 0 ? byte : x[i] | byte << 8);
        }
}

void page_u32s(page_parts *page, uint32_t *x, size_t count)
{
    for (size_t plane = 0; plane < 4; plane++)
        for (size_t i = 0; i < count; i++)
        {
            unsigned char byte;
            take(page, &byte, 1);
            x[i] = (plane == 0 ? 0 : x[i]) | (uint32_t)byte << 8 * plane;
        }
}
