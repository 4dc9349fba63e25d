// What is JSON and what is not.
#include "thud_test.h"

#include "thud/json.h"

#include <string.h>

static void accepted(void)
{
    static const char *const texts[] = {
        "{}",
        " {\"a\": 1}\n",
        "{\"a\": [], \"b\": {}, \"c\": [1, -2.5e+10, 0.5, 0, \"x\", true, false, null]}",
        "{\"d\": [[], {\"e\": [[]]}]}",
        "{\"quoted \\\" \\u00e9 \\n\": \"\xc3\xa9\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(thud_json_is_object(texts[i]));
}

static void refused(void)
{
    static const char *const texts[] = {
        "",
        "null",
        "[1]",
        "{",
        "{\"a\"}",
        "{\"a\": }",
        "{\"a\": 1,}",
        "{a: 1}",
        "{\"a\": 01}",
        "{\"a\": .5}",
        "{\"a\": 1.}",
        "{\"a\": 1e}",
        "{\"a\": +1}",
        "{\"a\": nan}",
        "{\"a\": \"x}",
        "{\"a\": \"\\x\"}",
        "{\"a\": \"\\u12\"}",
        "{\"a\": \"\n\"}",
        "{} {}",
        "{\"a\": [1 2]}",
        "{\"a\": [1}",
        "{\"a\": tru}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(!thud_json_is_object(texts[i]));
    // every text that was cut
    static const char whole[] = "{\"a\": [1, \"b\"], \"c\": {\"d\": true}}";
    char cut[sizeof whole];
    for (size_t length = 0; length + 1 < sizeof whole; length++)
    {
        memcpy(cut, whole, length);
        cut[length] = '\0';
        CHECK(!thud_json_is_object(cut));
    }
    CHECK(thud_json_is_object(whole));
    // deeper than any program writes it: an answer, not a crash
    char deep[4000] = "{\"a\": ";
    memset(deep + 6, '[', 3000);
    CHECK(!thud_json_is_object(deep));
}

// Bytes that are no UTF-8 become U+FFFD, each of them; all others stay.
static void broken_bytes(void)
{
    static const struct
    {
        const char *text, *written;
    } all[] = {
        {"\xe5\x85\x83", "\"\xe5\x85\x83\""},
        {"\xe5\x85", "\"\\ufffd\\ufffd\""},
        {"\xe5\x85z", "\"\\ufffd\\ufffdz\""},
        {"\xf0\x9f\x98", "\"\\ufffd\\ufffd\\ufffd\""},
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},            // overlong
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, // half of a pair of UTF-16
        {"\x85", "\"\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        thud_json json = {0};
        thud_json_open(&json, NULL);
        thud_json_text(&json, "a", all[i].text);
        thud_json_close(&json);
        CHECK(json.text && strstr(json.text, all[i].written));
        CHECK(json.text && thud_json_is_object(json.text));
        thud_json_free(&json);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"accepted", accepted}, {"refused", refused}, {"broken-bytes", broken_bytes}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
