# Install rules, find_package(thud) and pkg-config. Everything installed can be moved: no file
# holds the prefix.

option(THUD_INSTALL "Generate the install target" ${PROJECT_IS_TOP_LEVEL})
if(NOT THUD_INSTALL OR THUD_YAML_SOURCE OR NOT thud_may_share) # the latter: built for a test
    return()
endif()

include(CMakePackageConfigHelpers)
include(ThudLayers)
set(thud_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/thud)

# Each library is a component by itself: its two forms, its headers, its .pc file, its targets.
foreach(name ${thud_libraries})
    install(TARGETS ${name} ${name}_static EXPORT ${name}Targets COMPONENT ${name}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name})
    list(TRANSFORM ${name}_headers REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/include/thud/\\1.h"
        OUTPUT_VARIABLE headers)
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/thud COMPONENT ${name})
    install(EXPORT ${name}Targets NAMESPACE thud:: DESTINATION ${thud_cmake_dir} COMPONENT ${name})
    string(APPEND config_needs "set(${name}_needs ${${name}_needs})\n")
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/thudConfig.cmake.in
    ${PROJECT_BINARY_DIR}/thudConfig.cmake INSTALL_DESTINATION ${thud_cmake_dir})
# Before 1.0 a new minor version may break what was compiled against the last: see docs/library.md.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/thudConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/thudConfig.cmake ${PROJECT_BINARY_DIR}/thudConfigVersion.cmake
    DESTINATION ${thud_cmake_dir} COMPONENT thud)

# The .pc files find the prefix from where they lie, so that `cmake --install --prefix` works too.
# A folder given as an absolute path is none of the prefix's and is written as it is.
function(thud_pc_folder variable folder)
    if(IS_ABSOLUTE ${folder})
        set(${variable} ${folder} PARENT_SCOPE)
    else()
        set(${variable} "\${prefix}/${folder}" PARENT_SCOPE)
    endif()
endfunction()

file(RELATIVE_PATH thud_pc_to_prefix
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" thud_pc_to_prefix "${thud_pc_to_prefix}")
thud_pc_folder(thud_pc_libdir ${CMAKE_INSTALL_LIBDIR})
thud_pc_folder(thud_pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
set(thud_about "${PROJECT_DESCRIPTION}")
set(thud_verify_about "The independent checker of Thud's steps")
set(thud_scene_about "Scenes of Thud: read, checked, built into models, measured")
set(thud_run_about "Runs of Thud: recorded, resumed, verified, read back")
set(thud_show_about "Runs of Thud shown: exports, pictures, charts, pages")
foreach(name ${thud_libraries})
    set(pc_about "${${name}_about}")
    list(TRANSFORM ${name}_needs APPEND " = ${PROJECT_VERSION}" OUTPUT_VARIABLE pc_needs)
    list(REVERSE pc_needs) # for static libraries, those that need others come first
    list(JOIN pc_needs ", " pc_needs)
    get_property(pc_private GLOBAL PROPERTY ${name}_names)
    list(TRANSFORM pc_private PREPEND "-l")
    list(JOIN pc_private " " pc_private)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/library.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT ${name})
endforeach()

if(NOT THUD_PROGRAM)
    return()
endif()

# The program, its manual pages and completions, and the scenes that come with it.
install(TARGETS thud_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/cli/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
set(thud_completions ${PROJECT_BINARY_DIR}/cli/completions)
install(FILES ${thud_completions}/thud.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME thud)
install(FILES ${thud_completions}/thud.zsh
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _thud)
install(FILES ${thud_completions}/thud.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/thud)
install(FILES ${PROJECT_BINARY_DIR}/cli/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/thud)
