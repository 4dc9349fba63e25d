"""clang-tidy over every file that a build compiles:  check_tidy.py BUILD

A file that was found clean is not read again while nothing it was judged by has changed: its own
text, that of every header it includes (as the build knows them), how it is compiled, the checks, and
clang-tidy itself. BUILD/tidy keeps one empty file for each clean verdict.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

# Flags that only gcc knows are no fault of a file. The analyser follows an eighth of the paths that
# it would by itself: all of them take four times as long.
EXTRA = ["-Wno-unknown-warning-option", "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=30000"]

texts = {}


def digest_of(path):
    if path not in texts:
        with open(path, "rb") as file:
            texts[path] = hashlib.sha256(file.read()).hexdigest()
    return texts[path]


def headers_of(build):
    """What each object was made from, by the build's own record."""
    said = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True)
    headers, name = {}, None
    for line in said.stdout.splitlines():
        if line.startswith("    "):
            headers[name].append(os.path.join(build, line.strip()))
        elif ": #deps " in line:
            name = line.split(": #deps ")[0] if line.endswith("(VALID)") else None
            headers[name] = []
    return headers


def sources_of(build):
    """Each source once, with one way to compile it."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return {entry["file"]: entry["command"] for entry in json.load(file)}


def key_of(command, headers, judge):
    """What a verdict depends on; None if the build does not know."""
    words = shlex.split(command)
    known = headers.get(words[words.index("-o") + 1])
    if not known:
        return None
    parts = [judge, command] + [path + " " + digest_of(path) for path in sorted(known)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def judge_of(root):
    version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True, text=True)
    checks = [os.path.join(folder, ".clang-tidy") for folder, _, names in os.walk(root)
              if ".clang-tidy" in names and not folder.startswith(os.path.join(root, "build"))]
    return "\n".join([version.stdout] + EXTRA + [path + " " + digest_of(path) for path in sorted(checks)])


def look(build, source):
    """clang-tidy's words on a file; none if it is clean."""
    command = ["clang-tidy", "--quiet", "-p", build] + ["--extra-arg=" + word for word in EXTRA] + [source]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    if said.returncode == 0:
        return ""
    return said.stdout if re.search(r": (error|warning): ", said.stdout) else said.stdout + said.stderr


def told_once(words):
    """An error in a header is repeated for every file that includes it."""
    seen, show, lines = set(), True, []
    for line in "".join(words).splitlines():
        if re.search(r": (error|warning): ", line):
            show = line not in seen
            seen.add(line)
        if show:
            lines.append(line)
    return lines


def main():
    build = os.path.abspath(sys.argv[1])
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    cache = os.path.join(build, "tidy")
    os.makedirs(cache, exist_ok=True)
    headers, judge = headers_of(build), judge_of(root)
    sources = sources_of(build)
    keys = {source: key_of(command, headers, judge) for source, command in sources.items()}
    clean = set(os.listdir(cache))
    left = sorted(source for source, key in keys.items() if key is None or key not in clean)
    words = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, said in zip(left, pool.map(lambda source: look(build, source), left)):
            words.append(said)
            if not said and keys[source]:
                with open(os.path.join(cache, keys[source]), "w", encoding="utf-8"):
                    pass
    for key in clean - set(keys.values()):
        os.remove(os.path.join(cache, key))
    for line in told_once(words):
        print(line)
    print(f"{len(sources)} files, {len(left)} of them read, {sum(map(bool, words))} not clean")
    return 1 if any(words) or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
