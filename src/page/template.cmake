# The viewer as a C file, made by Node from viewer/: sets page_template.
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(page_template ${CMAKE_CURRENT_BINARY_DIR}/page_template.c)
if(THUD_VIEWER)
    include(RequireNode)
    file(GLOB viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*.js ${viewer}/src/*.css
        ${viewer}/src/*.html ${viewer}/src/*.json)
    add_custom_command(OUTPUT ${page_template}
        COMMAND ${CMAKE_COMMAND} -DVIEWER=${viewer} -DOUT=${page_template}
            -DNODE=${THUD_NODE} -DNPM=${THUD_NPM}
            -P ${PROJECT_SOURCE_DIR}/cmake/BuildViewer.cmake
        DEPENDS ${viewer_sources} ${viewer}/build.mjs ${viewer}/package.json
            ${viewer}/package-lock.json ${PROJECT_SOURCE_DIR}/docs/glossary.md
            ${PROJECT_SOURCE_DIR}/cmake/BuildViewer.cmake
        VERBATIM)
else()
    set(page_template page/page_absent.c)
endif()
