"""Checks the links of Markdown files: files and headings within the repository exist, and each chapter is in the summary.

    links.py FILE ...

The pages of dialects, in the folder `dialects` of the book, are generated; `assemble.py` checks them.
"""

import os
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"^\[[^\]]+\]: (\S+)$", re.M)
GENERATED = re.compile(r"(\.\./)*dialects/[a-z]+\.md")


def prose(text):
    """The text without code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda code: re.sub(r"[\[\]()]", "", code.group()), text)


def anchors(path):
    with open(path) as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.M)
    plain = (re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower() for heading in headings)
    return {re.sub(r"\s", "-", heading) for heading in plain}


def chapters(folder):
    """The pages below a folder, relative to it."""
    for place, _, names in os.walk(folder):
        yield from (os.path.relpath(os.path.join(place, name), folder) for name in names if name.endswith(".md"))


def main():
    wrong = []
    for path in sys.argv[1:]:
        with open(path) as file:
            text = prose(file.read())
        links = LINK.findall(text)
        for target in links + REFERENCE.findall(text):
            if re.match(r"[a-z]+:", target) or GENERATED.fullmatch(target):
                continue
            name, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(file):
                wrong.append(f"{path}: there is no '{target}'")
            elif anchor and file.endswith(".md") and anchor not in anchors(file):
                wrong.append(f"{path}: '{file}' has no heading '{anchor}'")
        if os.path.basename(path) == "SUMMARY.md":
            missing = set(chapters(os.path.dirname(path))) - set(links) - {"SUMMARY.md"}
            wrong += [f"{path}: '{name}' is not in the summary" for name in sorted(missing)]
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
