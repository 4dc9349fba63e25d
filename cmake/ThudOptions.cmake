# Compiler flags, in one place. thud_compile(target) for everything compiled here.

option(THUD_DEVELOP "Build tests and benchmarks" ON)
option(THUD_PROGRAM "Build the program thud and its libraries; needs libyaml and zlib" ON)
option(THUD_HDF5 "Read and write files by HDF5: exports and contact problems" ON)
option(THUD_CAIRO "Draw pictures and charts by cairo" ON)
option(THUD_VIEWER "Build the viewer for thud view; needs Node.js, and npm once" ON)
option(THUD_WERROR "Treat warnings as errors" OFF)
set(THUD_FUZZ "" CACHE STRING "Seconds that each fuzz target hunts; needs clang (preset fuzz)")
set(THUD_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined or thread")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# The processor baseline: x86-64-v3 (AVX2, FMA). Results are the same bits on all of them, because
# nothing is contracted or reassociated; fma is used only where it is written.
set(thud_flags -march=x86-64-v3 -ffp-contract=off -fno-math-errno -D_POSIX_C_SOURCE=200809L)
set(thud_warnings -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wpointer-arith -Wcast-qual -Wvla -Wwrite-strings -Wundef)
set(thud_hardening -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
set(thud_link_hardening -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--no-undefined)

if(THUD_SANITIZE)
    set(thud_sanitizers -fsanitize=${THUD_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_compile_options(${thud_sanitizers})
    add_link_options(${thud_sanitizers})
    set(thud_link_hardening "")   # the runtimes resolve their symbols late
elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    list(APPEND thud_hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

function(thud_compile target)
    target_include_directories(${target} PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(${target} PRIVATE ${thud_flags} ${thud_warnings} ${thud_hardening}
        $<$<BOOL:${THUD_WERROR}>:-Werror>)
endfunction()

function(thud_link target)
    target_link_options(${target} PRIVATE ${thud_link_hardening})
endfunction()
