"""Runs the programs of a page: writes the files that it shows, executes the commands in its `console` blocks, and compares what they print.

A code block whose first line is a comment with a file name (`; dot.ks`, `// add.mlir`, `# x.json`) is that file. In a `console` block,
lines that start with `$ ` are commands, and the lines after one are its output, standard error included. `..` in an output line stands
for any text, and a line `...` for any lines. Commands other than those of the project and those of CONTEXT are not run.

With `--status`, a command without output on the page only has to succeed.

    console.py [--status] CHAPTER FOLDER [TOOL=PATH ...]
"""

import os
import re
import subprocess
import sys

CONTEXT = {"echo", "cat", "cc", "cp", "diff", "head", "grep", "ls", "python3", "./program"}


def blocks(text):
    """The code blocks: language, lines, and the line that each starts on."""
    language, lines, start = None, [], 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            if language is None:
                language, lines, start = line[3:].strip(), [], number
            else:
                yield language, lines, start
                language = None
        elif language is not None:
            lines.append(line)


def pattern(line):
    return "".join(".*" if part == ".." else re.escape(part) for part in re.split(r"(\.\.)", line.rstrip()))


def agrees(expected, actual):
    """Whether output lines are as expected; `...` matches any number of lines."""
    regex = "".join("(?:.*\n)*?" if line == "..." else pattern(line) + " *\n" for line in expected)
    return re.fullmatch(regex, "".join(line + "\n" for line in actual)) is not None


def commands(lines):
    """The commands of a block with their expected output."""
    found = []
    for line in lines:
        if found and found[-1][0].endswith("\\"):
            found[-1][0] = found[-1][0][:-1] + line.strip()
        elif line.startswith("$ "):
            found.append([line[2:], []])
        elif found:
            found[-1][1].append(line)
    return found


def main():
    given = sys.argv[1:]
    status_only = "--status" in given
    chapter, folder, *tools = [word for word in given if word != "--status"]
    os.makedirs(folder, exist_ok=True)
    known = dict(tool.split("=", 1) for tool in tools)
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
    for shared in ("bench", "examples"):
        link = os.path.join(folder, shared)
        if not os.path.islink(link):
            os.symlink(os.path.join(root, shared), link)
    path = os.path.join(folder, "bin")
    os.makedirs(path, exist_ok=True)
    for tool, target in known.items():
        if not os.path.islink(os.path.join(path, tool)):
            os.symlink(target, os.path.join(path, tool))
    environment = dict(os.environ, PATH=path + os.pathsep + os.environ["PATH"])
    executed, wrong = 0, 0
    with open(chapter) as file:
        text = file.read()
    for language, lines, start in blocks(text):
        name = re.fullmatch(r"(?:;|//|#) ([\w.-]+\.\w+)", lines[0]) if lines else None
        if name and language != "console":
            with open(os.path.join(folder, name.group(1)), "w") as file:
                file.write("\n".join(lines) + "\n")
        if language != "console":
            continue
        for command, expected in commands(lines):
            # Quoted text can contain the characters between commands. Comments after a command are for readers.
            words = re.split(r"\||&&", re.sub(r"'[^']*'", "''", command))
            if not all(word.split() and word.split()[0] in CONTEXT | known.keys() for word in words):
                continue
            done = subprocess.run(
                command, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            executed += 1
            actual = done.stdout.rstrip("\n").split("\n") if done.stdout.strip("\n") else []
            while expected and not expected[-1]:
                expected.pop()
            fails = done.returncode != 0 if status_only and not expected else not agrees(expected, actual)
            if fails:
                wrong += 1
                print(f"{chapter}:{start}: $ {command}\nexpected:", *expected, "found:", *actual, sep="\n")
    if not executed:
        wrong += 1
        print(f"{chapter}: there is no command to run")
    print(f"{chapter}: {executed} commands, {wrong} disagree")
    sys.exit(1 if wrong else 0)


main()
