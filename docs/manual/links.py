"""Checks the manual as a browser without a network sees it: links inside lead somewhere, and no page loads what is elsewhere.

    links.py FOLDER
"""
from __future__ import annotations

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, file: pathlib.Path) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(file.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for key, value in attributes:
            if key == "id" or key == "name" and tag == "a":
                self.names.add(value or "")
            elif key == "href" and tag == "a":
                self.links.append(value or "")
            elif key == "src" or key == "href" and tag == "link":
                self.loads.append(value or "")


def wrong(folder: pathlib.Path) -> list[str]:
    pages = {file.resolve(): Page(file) for file in folder.rglob("*.html")}
    found = []
    for file, page in pages.items():
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    found.append(f"{file.name} loads {link}")
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                found.append(f"{file.relative_to(folder)}: {link} is not there")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].names | {"top"}:
                found.append(f"{file.relative_to(folder)}: {link} has no such place")
    return sorted(set(found))


folder = pathlib.Path(sys.argv[1]).resolve()
found = wrong(folder)
print("\n".join(found) or f"{len(list(folder.rglob('*.html')))} pages: every link leads somewhere.")
sys.exit(bool(found))
