"""Checks the commands of pages that build the project itself, and so are not run by file tests: what they name has to exist.

`cargo` with packages, tests, benchmarks, binaries and paths, the tasks of `cargo xtask`, the scripts of `npm run`, the options of `CMakeLists.txt`.
Commands are the lines of `console` and `sh` blocks, and code spans that start with `cargo`.

    commands.py ROOT PAGE...
"""

import os
import re
import shlex
import sys

OPTIONS = {"-p": "package", "--package": "package", "--exclude": "package", "--test": "tests", "--bench": "benches", "--example": "examples"}
OPTIONS |= {"--bin": "bin", "--path": "path"}


def manifests(root):
    """The manifest of each package of the workspace, by name."""
    found = {}
    for group in ("crates", "dialects", "tools", "examples", "passes", "docs", "."):
        folder = os.path.join(root, group)
        candidates = [folder, *(os.path.join(folder, name) for name in sorted(os.listdir(folder)))]
        for candidate in candidates:
            path = os.path.join(candidate, "Cargo.toml")
            if not os.path.isfile(path):
                continue
            with open(path) as file:
                text = file.read()
            name = re.search(r'^\[package\]\s*\nname = "([^"]+)"', text, re.M)
            if name:
                found[name.group(1)] = (candidate, text)
    return found


def commands(text):
    """The commands of a page with their lines."""
    language = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            language = line[3:].strip() if language is None else None
        elif language == "console" and line.startswith("$ "):
            yield number, line[2:]
        elif language == "sh":
            yield number, line
        elif language is None:
            for span in re.findall(r"`((?:[A-Z_]+=\S+ )*cargo [^`]+)`", line):
                yield number, span


class Checker:
    def __init__(self, root):
        self.root = root
        self.packages = manifests(root)
        with open(os.path.join(root, "tools/xtask/src/main.rs")) as file:
            arms = re.findall(r'^        \[((?:"[a-z-]+"(?: \| )?(?:, )?)+)', file.read(), re.M)
        self.tasks = [re.findall(r'"([a-z-]+)"', arm) for arm in arms]
        with open(os.path.join(root, "CMakeLists.txt")) as file:
            self.settings = set(re.findall(r"(?:option\(|set\()(MINOAN_\w+)", file.read()))
        self.checked = 0

    def target(self, kind, name, package):
        """Whether a package has a target; without a package, whether any has."""
        folders = [self.packages[package]] if package in self.packages else self.packages.values()
        for folder, manifest in folders:
            if kind == "bin":
                files = [f"src/bin/{name}.rs", "src/main.rs"]
            else:
                files = [f"{kind}/{name}.rs", f"{kind}/{name}/main.rs"]
            if any(os.path.isfile(os.path.join(folder, file)) for file in files) or f'name = "{name}"' in manifest:
                return True
        return False

    def cargo(self, words):
        words = [word for word in words if word != "cargo"]
        if words[:1] == ["xtask"]:
            given = [word for word in words[1:] if re.fullmatch(r"[a-z-]+", word)]
            if words[1:] and not any(given[: len(task)] == task for task in self.tasks):
                yield f"'cargo {' '.join(words)}' is not a task"
            return
        package = None
        for option, value in zip(words, words[1:]):
            kind = OPTIONS.get(option)
            if kind == "package":
                package = value
                if value not in self.packages and "*" not in value:
                    yield f"there is no package '{value}'"
            elif kind == "path":
                # From a project beside the checkout.
                value = value.removeprefix("../minoan/")
                if not os.path.isfile(os.path.join(self.root, value, "Cargo.toml")):
                    yield f"there is no package in '{value}'"
            elif kind and not self.target(kind, value, package):
                yield f"'{package}' has no {kind} '{value}'"

    def check(self, command):
        for part in re.split(r"&&|\||;", command.split(" #")[0]):
            try:
                words = shlex.split(part)
            except ValueError:
                continue
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words.pop(0)
            if not words:
                continue
            if words[0] == "cargo":
                self.checked += 1
                yield from self.cargo(words)
            elif words[:2] == ["npm", "run"]:
                self.checked += 1
                with open(os.path.join(self.root, "editors/vscode/package.json")) as file:
                    if f'"{words[2]}":' not in file.read():
                        yield f"there is no script '{words[2]}'"
            elif words[0] == "cmake":
                self.checked += 1
                for setting in re.findall(r"-D(MINOAN_\w+)", part):
                    if setting not in self.settings:
                        yield f"CMakeLists.txt has no option '{setting}'"


def main():
    root, *pages = sys.argv[1:]
    checker, wrong = Checker(os.path.normpath(root)), 0
    for page in pages:
        with open(page) as file:
            text = file.read()
        for line, command in commands(text):
            for problem in checker.check(command):
                wrong += 1
                print(f"{page}:{line}: {problem}: {command}")
    print(f"{checker.checked} commands, {wrong} wrong")
    sys.exit(1 if wrong or not checker.checked else 0)


main()
