"""Checks the links of Markdown files: files and headings within the repository exist, and each chapter is in the summary.

    links.py FILE ...
"""

import os
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


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


def main():
    wrong = []
    for path in sys.argv[1:]:
        with open(path) as file:
            text = prose(file.read())
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(file):
                wrong.append(f"{path}: there is no '{target}'")
            elif anchor and file.endswith(".md") and anchor not in anchors(file):
                wrong.append(f"{path}: '{file}' has no heading '{anchor}'")
        if os.path.basename(path) == "SUMMARY.md":
            chapters = {name for name in os.listdir(os.path.dirname(path)) if name.endswith(".md")}
            missing = chapters - set(LINK.findall(text)) - {"SUMMARY.md"}
            wrong += [f"{path}: '{name}' is not in the summary" for name in sorted(missing)]
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main()
