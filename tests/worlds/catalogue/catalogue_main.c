// Runs the cases of the catalogue by name.
#include "catalogue.h"

int main(int argc, char **argv)
{
    static const test_case cases[] = {
#define CATALOGUE_ENTRY(name, function) {name, function},
        CATALOGUE_LIST(CATALOGUE_ENTRY)
#undef CATALOGUE_ENTRY
    };
    return file_finish(test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases)));
}
