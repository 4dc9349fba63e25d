// Names and messages of the status codes, and the version.
#include "thud/base.h"

const char *thud_status_text(thud_status status)
{
    switch (status)
    {
#define THUD_STATUS_TEXT(name, value, message)                                                     \
    case THUD_##name:                                                                              \
        return message;
        THUD_STATUS_LIST(THUD_STATUS_TEXT)
#undef THUD_STATUS_TEXT
    }
    return "unknown status";
}

const char *thud_status_name(thud_status status)
{
    switch (status)
    {
#define THUD_STATUS_NAME(name, value, message)                                                     \
    case THUD_##name:                                                                              \
        return "THUD_" #name;
        THUD_STATUS_LIST(THUD_STATUS_NAME)
#undef THUD_STATUS_NAME
    }
    return "THUD_?";
}

#define TEXT_OF(x) #x
#define DOTTED(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *thud_version(void)
{
    return DOTTED(THUD_VERSION_MAJOR, THUD_VERSION_MINOR, THUD_VERSION_PATCH);
}
