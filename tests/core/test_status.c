// Status codes: each with a value, a name and a text of its own; and the version of the build.
#include "thud_test.h"

#include <string.h>
#include <thud/thud.h>

static const struct
{
    thud_status status;
    const char *name;
} all[] = {
#define STATUS_ENTRY(name, value, message) {THUD_##name, "THUD_" #name},
    THUD_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

static const int COUNT = sizeof all / sizeof *all;

static void distinct(void)
{
    for (int i = 0; i < COUNT; i++)
    {
        CHECK(strcmp(thud_status_name(all[i].status), all[i].name) == 0);
        CHECK(thud_status_text(all[i].status)[0] != '\0');
        for (int j = 0; j < i; j++)
        {
            CHECK(all[i].status != all[j].status);
            CHECK(strcmp(thud_status_name(all[i].status), thud_status_name(all[j].status)) != 0);
            CHECK(strcmp(thud_status_text(all[i].status), thud_status_text(all[j].status)) != 0);
        }
    }
}

// 0 is done, > 0 is news, < 0 is an error: the sign is part of the contract.
static void signs(void)
{
    CHECK(THUD_OK == 0 && COUNT == 19);
    for (int i = 0; i < COUNT; i++)
        CHECK((all[i].status < 0) == (strncmp(all[i].name, "THUD_ERR_", 9) == 0));
}

static void unknown(void)
{
    static const int strange[] = {3, 77, -99, -1000, 2147483647, -2147483647 - 1};
    for (int k = 0; k < 6; k++)
    {
        const char *text = thud_status_text((thud_status)strange[k]);
        const char *name = thud_status_name((thud_status)strange[k]);
        REQUIRE(text && name);
        CHECK(text[0] && name[0]);
        for (int i = 0; i < COUNT; i++)
            CHECK(strcmp(text, thud_status_text(all[i].status)) != 0 &&
                  strcmp(name, all[i].name) != 0);
    }
}

static void version(void)
{
    char parts[40];
    (void)snprintf(parts, sizeof parts, "%d.%d.%d", THUD_VERSION_MAJOR, THUD_VERSION_MINOR,
                   THUD_VERSION_PATCH);
    CHECK(strcmp(thud_version(), UNIT_PROJECT_VERSION) == 0);
    CHECK(strcmp(thud_version(), parts) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"distinct", distinct},
        {"signs", signs},
        {"unknown", unknown},
        {"version", version},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
