# Install rules, find_package(thud) and pkg-config. Everything installed can be moved: no file
# holds the prefix.

option(THUD_INSTALL "Generate the install target" ${PROJECT_IS_TOP_LEVEL})
if(NOT THUD_INSTALL)
    return()
endif()

include(CMakePackageConfigHelpers)
set(thud_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/thud)

install(TARGETS thud thud_static thud_verify EXPORT thudTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/thud DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h"
    # of libraries that only the program uses so far
    REGEX "/(expression|scene|model|record|checkpoint|export|instance|show|page|converge|impacts|measured|scene_fields)\\.h$" EXCLUDE)
install(EXPORT thudTargets NAMESPACE thud:: DESTINATION ${thud_cmake_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/thudConfig.cmake.in
    ${PROJECT_BINARY_DIR}/thudConfig.cmake INSTALL_DESTINATION ${thud_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/thudConfigVersion.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/thudConfig.cmake ${PROJECT_BINARY_DIR}/thudConfigVersion.cmake
    DESTINATION ${thud_cmake_dir})

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
foreach(name thud thud_verify)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
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
