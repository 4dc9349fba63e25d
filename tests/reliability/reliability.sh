# shellcheck shell=bash
# What the scripts of this folder share. To be sourced, after `set -euo pipefail`, with $program set.

# In memory where there is such a place: what these tests look for does not depend on the disk.
place=${TMPDIR:-/tmp}
[[ ! -w /dev/shm ]] || place=/dev/shm
scratch=$(mktemp -d "$place/thud-reliability-XXXXXX")
finish() {
    local status=$?
    chmod -R u+rwx "$scratch" 2>/dev/null || true
    rm -rf "$scratch"
    exit "$status"
}
trap finish EXIT
cd "$scratch" || exit 1

# How runs store their log: THUD_LOG is a form of 'thud run --log'.
log=(${THUD_LOG:+--log "$THUD_LOG"})

thud() {
    [[ $1 != run ]] || set -- "$@" "${log[@]}"
    # shellcheck disable=SC2154 # set by those who source this
    "$program" "$@"
}

# How many threads runs are taken up with. The bits must not depend on it.
thread_counts=(1 2 3)

# use_threads K: what runs from now on has the K-th of these counts; they come round again.
use_threads() {
    export OMP_NUM_THREADS=${thread_counts[$1 % ${#thread_counts[@]}]}
}

# fail MESSAGE: says so, and ends the test.
fail() {
    printf 'failed: %s\n' "$1" >&2
    exit 1
}

# Leaks cannot be looked for in a program that is being traced.
traced() {
    need strace
    export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
}

need() {
    command -v "$1" >/dev/null || fail "the tool '$1' is missing"
}

# A small scene with all that is kept from step to step: contacts, a count, a time, growth, a moving
# wall.
# make_scene FILE STEPS [BODIES]
make_scene() {
    cat >"$1" <<SCENE
thud: 1
kind: spheres
title: small
dim: 2
gravity: [0, -10]
time: {step: 0.005, end: 0.005 * $2, frames: 25}
checkpoints: 5
materials: {cell: {density: 1, growth: "1 + 0.1*t"}}
walls:
  floor: {plane: {point: [0, "0.02*sin(9*t)"], normal: [0, 1]}}
  left: {plane: {point: [-0.45, 0], normal: [1, 0.2]}}
  right: {plane: {point: [0.45, 0], normal: [-1, 0.2]}}
bodies:
  - fill: {region: {box: [[-0.4, 0.05], [0.4, 0.9]]}, radius: 0.05, count: ${3:-30}, seed: 7, material: cell}
measure:
  through: {count_through: {plane: {point: [0, 0.3], normal: [0, 1]}}}
  gate: {flow_through: {polygon: [[-0.2, 0.3], [0.1, 0.3]]}}
  turn: {torque_on: {wall: left, about: [0, 0]}}
  depth: {pressure_profile: {box: [[-0.4, 0], [0.4, 0.9]], axis: y, bins: 3}}
  stress: {stress: {box: [[-0.4, 0], [0.4, 0.9]]}}
  fraction: {packing_fraction: {box: [[-0.3, 0.1], [0.3, 0.4]]}}
  contacts-of-one: {coordination: {box: [[-0.3, 0.1], [0.3, 0.4]]}}
  middle: {height_of: all}
  first: {velocity_of: 0}
  energy: {kinetic_energy_of: {material: cell}}
  sunk: {time_when: {column: middle, falls_to: 0.3}}
SCENE
}

# same A B: everything that two runs leave, but for run.json, and their exports.
same() {
    local file
    for file in scene.yaml bodies.csv frames.thud frames.h5 series.csv checkpoint.thud checkpoint.prev.thud; do
        [[ -e $1/$file || -e $2/$file ]] || continue
        cmp "$1/$file" "$2/$file" || return 1
    done
    [[ ! -e $1/frames && ! -e $2/frames ]] || diff -r "$1/frames" "$2/frames"
}

same_exports() {
    local format
    for format in csv hdf5; do
        thud export "$1" --format $format --out "$1.$format" --quiet
        thud export "$2" --format $format --out "$2.$format" --quiet
        diff -r "$1.$format" "$2.$format" || return 1
        rm -r "$1.$format" "$2.$format"
    done
}

# acknowledged LOG: the last step that a run has said is on the disk; -1 for none.
acknowledged() {
    local step
    step=$(sed -n 's/^thud: checkpoint at step //p' "$1" 2>/dev/null | tail -n 1) || true
    printf '%s\n' "${step:--1}"
}

# take_up RUN SCENE LOG: go on with an interrupted run, whose standard error is in LOG. A run that
# has acknowledged nothing may have to be begun anew; of any other nothing may be lost.
begun_anew=0
take_up() {
    local status=0 step
    thud resume "$1" --quiet --tell 2>resume.log || status=$?
    if ((status != 0)) && (($(acknowledged "$3") < 0)); then
        [[ ! -e $1 || $status -eq 7 ]] || fail "resume ends with $status: $(cat resume.log)"
        begun_anew=$((begun_anew + 1))
        thud run "$2" --out "$1" --replace --quiet
        return
    fi
    ((status == 0)) || fail "resume ends with $status: $(cat resume.log)"
    step=$(sed -n 's/^thud: resumed after step //p' resume.log)
    # without a line the run was done
    ((${step:-999999} >= $(acknowledged "$3"))) ||
        fail "step $(acknowledged "$3") was acknowledged, but taken up after $step"
}
