#!/usr/bin/env bash
# Runs with solids and containers: stopped and resumed they leave the same files, they are verified
# from these alone, and a direction or a mesh that was changed is found out.
# usage: container_runs.sh THUD FORGER SCENES
set -euo pipefail
program=$1 forger=$2 scenes=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    printf 'failed: %s\n' "$1" >&2
    exit 1
}

mkdir source
cp "$scenes"/turning.yaml "$scenes"/ridge.stl source
"$program" run source/turning.yaml -o whole --quiet
OMP_NUM_THREADS=2 "$program" run source/turning.yaml -o parts --quiet --max-steps 47 2>/dev/null || [[ $? == 75 ]] ||
    fail "a run that was to stop after 47 steps"
rm -r source # all that is needed is in the folder of the run
"$program" resume parts --quiet
for file in scene.yaml bodies.csv meshes.stl frames.thud series.csv checkpoint.thud; do
    cmp "whole/$file" "parts/$file" || fail "$file is another after a resume"
done
"$program" verify whole --rerun >verdict || fail "verify: $(tail -1 verdict)"
grep -q 'verdict: OK' verdict || fail "no verdict"
"$program" export whole --format csv -o table >/dev/null
if ! grep -q ',drum,' table/contacts.csv || ! grep -q ',ridge,' table/contacts.csv; then
    fail "no contacts with walls"
fi

# caught WHAT FORGERY...: a copy that was forged, sums and chain made right, does not pass
caught() {
    local what=$1
    shift
    rm -rf forged
    cp -r whole forged
    "$forger" forged "$@"
    if "$program" verify forged >verdict 2>&1; then
        fail "$what passes"
    fi
    grep -q 'verdict: OK' verdict && fail "$what passes"
    return 0
}
# directions of loaded rows of the last frames, by component
for frame in 90 120; do
    for place in 0 2 5; do
        caught "direction $place of frame $frame" direction "$frame" "$place" 1.01 chain
    done
done

# another mesh, sums made right: its rows are not those of the steps
rm -rf forged
cp -r whole forged
sed -i 's/vertex 0 0 0.2$/vertex 0 0 0.21/' forged/meshes.stl
if cmp -s whole/meshes.stl forged/meshes.stl; then fail "the mesh is as it was"; fi
if "$program" verify forged >verdict 2>&1; then fail "another mesh passes, sums wrong"; fi
"$forger" forged mend
if "$program" verify forged >verdict 2>&1; then fail "another mesh passes"; fi

# without its mesh there is no run
rm whole/meshes.stl
if "$program" verify whole >verdict 2>&1; then fail "a run without its mesh passes"; fi
grep -q "meshes.stl' does not exist" verdict || fail "what is missing is not said: $(cat verdict)"
