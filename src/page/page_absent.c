// In place of the viewer's template in a build without it.
#include "page/pager.h"

const unsigned char thudi_page_template[1] = {0};
const size_t thudi_page_template_size = 0;
