"""Checks the links of the book as HTML: each file and each anchor of a link within the book exists.

    check_html.py FOLDER
"""

import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, and the links in it."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        for name in ("href", "src"):
            if attrs.get(name):
                self.links.append((self.getpos()[0], attrs[name]))


def main():
    (folder,) = sys.argv[1:]
    pages = {}
    for place, _, names in os.walk(folder):
        # The page for printing contains all others, whose relative links mdbook adapts only in part; 404.html is served at any address.
        for name in (name for name in names if name.endswith(".html") and name not in ("print.html", "404.html", "toc.html")):
            path = os.path.join(place, name)
            page = pages[path] = Page()
            with open(path) as file:
                page.feed(file.read())
    wrong, checked = [], 0
    for path, page in pages.items():
        for line, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if not os.path.exists(target):
                wrong.append(f"{path}:{line}: there is no '{link}'")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{path}:{line}: '{target}' has no anchor '{parts.fragment}'")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{folder}: {len(pages)} pages, {checked} links, {len(wrong)} dead")
    sys.exit(1 if wrong or not pages else 0)


main()
