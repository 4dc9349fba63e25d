# Compiler flags, in one place. thud_compile(target) for everything compiled here.

option(THUD_DEVELOP "Build tests and benchmarks" ON)
option(THUD_PROGRAM "Build the program thud and its libraries; needs libyaml and zlib" ON)
option(THUD_SCENES "Without the program: build the library of scenes as well; needs libyaml" OFF)
set(THUD_YAML_SOURCE "" CACHE PATH "libyaml's sources, to compile them too: for other processors")
option(THUD_HASHES "Build tests/portable/hashes, of the tests that program alone" OFF)
option(THUD_OPENMP "Compute with threads, by OpenMP; without it one thread gives the same bits" ON)
option(THUD_MPI "Build the library and the program of many processes; needs MPI" OFF)
option(THUD_MPI_BLOCKING "Wait inside of MPI's calls: for SMPI, see bench/smpi" OFF)
option(THUD_HDF5 "Read and write files by HDF5: exports and contact problems" ON)
option(THUD_CAIRO "Draw pictures and charts by cairo" ON)
option(THUD_VIEWER "Build the viewer for thud view; needs Node.js, and npm once" ON)
option(THUD_WERROR "Treat warnings as errors" OFF)
set(THUD_PROCESSOR "" CACHE STRING
    "What the code is compiled for: v3 (x86-64 with AVX2 and FMA) or baseline (every processor of the kind)")
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

# The processors that the code is compiled for. Results are the same bits on all of them, because
# nothing is contracted or reassociated; fma is used only where it is written, and is exact.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(thud_amd64 ON)
    set(thud_march_v3 -march=x86-64-v3)
    set(thud_march_baseline -march=x86-64)
    set(thud_processor v3)
else()
    set(thud_amd64 OFF)
    set(thud_march_baseline "")
    set(thud_processor baseline)
endif()
if(THUD_PROCESSOR)
    set(thud_processor ${THUD_PROCESSOR})
endif()
if(NOT DEFINED thud_march_${thud_processor})
    message(FATAL_ERROR "THUD_PROCESSOR is '${thud_processor}'. It must be "
        "v3 (x86-64 only) or baseline. This processor is '${CMAKE_SYSTEM_PROCESSOR}'.")
endif()
set(thud_flags ${thud_march_${thud_processor}} -ffp-contract=off -fno-math-errno
    -D_POSIX_C_SOURCE=200809L)
if(thud_processor STREQUAL "baseline")
    list(APPEND thud_flags -Wno-psabi) # how vectors are passed; between our own functions only
endif()
if(NOT THUD_OPENMP)
    list(APPEND thud_flags -DTHUD_NO_OPENMP)
endif()
get_property(thud_may_share GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    message(FATAL_ERROR "This processor is big-endian. Thud is for little-endian processors: "
        "hashes and files hold numbers in that order.")
endif()
set(thud_warnings -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wpointer-arith -Wcast-qual -Wvla -Wwrite-strings -Wundef)
if(NOT THUD_OPENMP) # pragmas, and what they alone use
    list(APPEND thud_warnings -Wno-unknown-pragmas -Wno-unused-variable)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32") # headers of its C library
    list(APPEND thud_warnings -Wno-gnu-statement-expression-from-macro-expansion)
endif()
set(thud_hardening "")
set(thud_link_hardening "")
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(thud_hardening -fstack-protector-strong -fstack-clash-protection)
    set(thud_link_hardening -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--no-undefined)
endif()
if(thud_amd64)
    list(APPEND thud_hardening -fcf-protection=full)
endif()

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

# thud_for_any_processor(sources...): these are compiled for every processor of the kind, whatever
# the build is for. They run before thud_float_check has said that the processor is new enough.
function(thud_for_any_processor)
    if(thud_processor STREQUAL "v3")
        set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${thud_march_baseline})
        set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS THUD_NEEDS_AVX2)
    endif()
endfunction()

function(thud_link target)
    target_link_options(${target} PRIVATE ${thud_link_hardening})
endfunction()
