#!/usr/bin/env python3
"""The JSON Schema of scenes against scenes and against the reader, by another's validator.

    check_schema.py THUD TREE CASE

CASE is one of
  good  the schema takes every scene that comes with Thud and those of tests/scene/good, as files and
        as `thud scene` writes them, with their includes merged
  bad   it refuses the malformed scenes that tests/scene/schema_refuses.txt names
  keys  reader and schema know the same keys of every map
"""
import json
import os
import subprocess
import sys
import tempfile

import jsonschema
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError


def run(*command):
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")


def read_yaml(text):
    """What an editor sees: YAML 1.2, keys as texts."""
    def with_texts(value):
        if isinstance(value, dict):
            return {str(key): with_texts(item) for key, item in value.items()}
        return [with_texts(item) for item in value] if isinstance(value, list) else value
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    return with_texts(reader.load(text))


def files(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)
                  if name.endswith(".yaml"))


def why(validator, scene):
    """The first complaint, or None."""
    for error in validator.iter_errors(scene):
        best = jsonschema.exceptions.best_match([error])
        return f"{'.'.join(map(str, best.absolute_path))}: {best.message[:200]}"
    return None


def check_good(program, tree, validator):
    wrong = count = 0
    for path in files(f"{tree}/scenes") + files(f"{tree}/tests/scene/good"):
        written = run(program, "scene", path)
        if written.returncode != 0 and "/good/" in path:
            continue  # a part that others include
        with open(path, encoding="utf-8") as file:
            texts = {"": file.read(), " as `thud scene` writes it": written.stdout}
        for form, text in texts.items():
            complaint = why(validator, read_yaml(text))
            count += 1
            if complaint:
                print(f"{path}{form}: {complaint}")
                wrong += 1
    print(f"{count} texts, {wrong} refused")
    return wrong or count < 60


def check_bad(program, tree, validator):
    del program
    with open(f"{tree}/tests/scene/schema_refuses.txt", encoding="utf-8") as file:
        names = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    refused = set()
    for path in files(f"{tree}/tests/scene/bad"):
        try:
            with open(path, encoding="utf-8") as file:
                scene = read_yaml(file.read())
        except (YAMLError, UnicodeDecodeError, ValueError, RecursionError):
            continue  # not YAML, or not what the validator's reader takes for it
        if why(validator, scene):
            refused.add(os.path.basename(path)[:-len(".yaml")])
    for name in sorted(names - refused):
        print(f"{name}: taken by the schema")
    if os.environ.get("LIST_REFUSED"):
        print("\n".join(sorted(refused)))
    print(f"{len(refused)} of tests/scene/bad refused, {len(names)} of them by name")
    return len(names - refused) > 0 or len(names) < 50


SPHERES = {"thud": 1, "kind": "spheres", "time": {"end": 1, "step": 0.5},
           "materials": {"m": {"density": 1}},
           "bodies": [{"at": [0, 0, 0], "radius": 1}]}
INCLUSION = {"thud": 1, "kind": "inclusion", "time": {"end": 1, "step": 0.5},
             "coordinates": {"z": {"start": 1}}}
LATTICE = {"origin": [0, 0, 0], "count": [1, 1, 1], "spacing": 1, "radius": 1}
FILL = {"region": {"box": [[0, 0, 0], [9, 9, 9]]}, "count": 1, "radius": 1}
# What must stand around a map, by the beginning of its path, so that the reader comes to it.
AROUND = [
    (("spheres", "crowd"), {"order": 1, "crowd": [{"velocity": [0, 0, 0]}]}),
    (("spheres", "bodies", 0, "lattice"), {"bodies": [{"lattice": LATTICE}]}),
    (("spheres", "bodies", 0, "fill"), {"bodies": [{"fill": FILL}]}),
    (("spheres", "bodies", 0, "file"), {"bodies": [{"file": {"path": "none.csv"}}]}),
    (("spheres", "bodies", 0, "fill", "region", "ball"),
     {"bodies": [{"fill": dict(FILL, region={"ball": {}})}]}),
    (("spheres", "materials", "NAME", "growth"), {"materials": {"n": {"density": 1}}}),
    (("spheres", "contacts"), {"contacts": [{"between": ["m", "m"]}]}),
    (("inclusion", "exact"), {"exact": {"z": {"q": 1}}}),
]


def maps_of(schema, path):
    """(path, keys) of every map in a schema; names are 'NAME', list items 0."""
    if "properties" in schema:
        yield path, sorted(schema["properties"])
        for key, value in schema["properties"].items():
            yield from maps_of(value, path + (key,))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from maps_of(schema["additionalProperties"], path + ("NAME",))
    if "items" in schema:
        yield from maps_of(schema["items"], path + (0,))
    for form in schema.get("anyOf", []):
        yield from maps_of(form, path)


def scene_with(path, own):
    """A scene in which the map at a path is `own`."""
    scene = json.loads(json.dumps(SPHERES if path[0] == "spheres" else INCLUSION))
    for beginning, around in AROUND:
        if path[:len(beginning)] == beginning:
            scene.update(json.loads(json.dumps(around)))
    if len(path) == 1:
        scene.update(own)
        return scene
    names = "z" if path[0] == "inclusion" and path[1] in ("coordinates", "exact") else "n"
    at = scene
    for part, after in zip(path[1:], path[2:] + (None,)):
        key = names if part == "NAME" else part
        empty = [{}] if after == 0 else {}
        if after is None:
            at[key] = own
        elif not isinstance(at, list) and not isinstance(at.get(key), type(empty)):
            at[key] = empty
        at = at[key]
    return scene


def check_keys(program, tree, schema):
    del tree
    alone = schema["else"]
    wrong = count = maps = 0
    with tempfile.TemporaryDirectory() as folder:
        file_name = os.path.join(folder, "scene.yaml")

        def complaint(path, own):
            with open(file_name, "w", encoding="utf-8") as file:
                json.dump(scene_with(path, own), file)
            return run(program, "scene", file_name).stderr

        for kind, part in (("inclusion", alone["then"]), ("spheres", alone["else"])):
            for path, keys in maps_of(part, (kind,)):
                maps += 1
                text = complaint(path, {"zzz": 1})
                if "unknown key 'zzz'" not in text:
                    print(f"{path}: the reader does not refuse an unknown key: {text}")
                    wrong += 1
                for key in keys:
                    count += 1
                    text = complaint(path, {key: {}})
                    if "unknown key" in text or "cannot be used in a scene" in text:
                        print(f"{path}: the reader does not know '{key}': {text}")
                        wrong += 1
    print(f"{count} keys of {maps} maps, {wrong} wrong")
    return wrong or maps < 40


def main(program, tree, case):
    schema = json.loads(run(program, "help", "--schema").stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    if case == "keys":
        return check_keys(program, tree, schema)
    check = check_good if case == "good" else check_bad
    return check(program, tree, jsonschema.Draft7Validator(schema))


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:4]) else 0)
