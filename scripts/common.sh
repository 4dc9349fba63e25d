# shellcheck shell=bash
# What the scripts share. To be sourced, after `set -euo pipefail`.

# shellcheck disable=SC2034 # used by those who source this
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cores=$(nproc)
export CMAKE_BUILD_PARALLEL_LEVEL=$cores CTEST_PARALLEL_LEVEL=$cores

# fail MESSAGE [STATUS]
fail() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

# quietly LOG COMMAND...: the output of a build is worth reading only when it fails.
quietly() {
    local log=$1 status=0
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status)); then
        cat "$log" >&2
        printf '%s: failed (%d): %s\n' "${0##*/}" "$status" "$*" >&2
    fi
    return "$status"
}

# build PRESET: configure and compile, from the repository's root.
build() {
    quietly "build/log/$1-configure.log" cmake --preset "$1" &&
        quietly "build/log/$1-build.log" cmake --build --preset "$1"
}
