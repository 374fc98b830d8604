"""The C reference, from include/bmo.h alone.

    header.py FILE           the header as Doxygen wants it, on the standard output: its INPUT_FILTER
    header.py FILE FOLDER    a page for each section of the header, and index.rst, into FOLDER

The header is written for readers of plain text. Here its comments become reStructuredText: paragraphs, and lists where it has
words in one column and their meaning in another. What is neither, such as a table, stays as it is.
"""
from __future__ import annotations

import itertools
import pathlib
import re
import sys
import textwrap

COMMENT = re.compile(r"/\*.*?\*/", re.S)
RULE = re.compile(r"/\* -{20,}\n")
LABEL = re.compile(r"(Errors|Cost|Memory|Memory while it runs|Memory of a copy|Progress|Parameters that count|stats|flags"
                   r"|owner): ")


def text_of(comment: str) -> str:
    """A comment without what marks it as one, and without its common indentation."""
    first, *rest = comment[2:-2].rstrip().lstrip(" ").split("\n")
    lines = [re.sub(r"^ *\* ?", "", line).rstrip() for line in rest]
    return first.strip() + "".join("\n" + line for line in lines)


def inline(text: str) -> str:
    """A piece of prose, with a link where it names something of the header."""
    def word(match: re.Match[str]) -> str:
        found = match[0]
        if found.startswith("docs/"):
            return f":doc:`/{found[:-3]}`"
        if found.startswith("section "):
            return f":doc:`{found} </c/section{found[8:]}>`"
        if found.endswith("()"):
            return f":c:func:`{found[:-2]}`"
        if found.startswith(("bmo_", "BMO_")) and "." not in found:
            return f":c:expr:`{found}`" if found in NAMES else f"``{found}``"
        return f"`{found}`" if found[0] == "`" else re.sub(r"([\\*|_<>])", r"\\\1", found)
    return re.sub(r"\bdocs/\w+\.md|\bsection \d+|\b(?:bmo|BMO)_\w+(?:\(\))?|`[^`]+`|\S", word, re.sub(r"\s+", " ", text.strip()))


def name(label: str) -> str:
    """What a list explains: a section, a rule, or a word of the interface."""
    section = re.match(r"(\d+)\. (.*)", label)
    if section:
        return f":doc:`section{section[1]}`"
    return f"**{inline(label)}**" if re.match(r"[A-Z][a-z]", label) else f"``{label}``"


EMPTY = "\\ "  # what reStructuredText takes for a meaning without a word


class NotAList(Exception):
    """The lines are not words and their meanings."""


def items_of(lines: list[str]) -> list[tuple[int, str, list[str]]]:
    """(indentation, word, its meaning) of each item of a list in two columns."""
    items: list[tuple[int, str, list[str]]] = []
    columns: list[int] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        parts = re.match(r"( *)(\S+(?: \S+)*?) {2,}(\S.*)$", line)
        is_item = parts and parts.start(3) - indent < 24 and parts.start(3) in columns
        if items and indent in columns and indent > items[-1][0] and not is_item:
            items[-1][2].append(line.strip())
        elif parts:
            if re.search(r"\S {3,}\S", parts[3]):
                raise NotAList
            columns.append(parts.start(3))
            items.append((indent, parts[2], [parts[3]]))
        elif items and indent <= items[-1][0] and not re.search(r" {2,}|[.:]$", line.strip()):
            items.append((indent, line.strip(), []))
        else:
            raise NotAList
    return items


def definitions(lines: list[str]) -> str:
    if re.match(r" *\d+\. ", lines[0]):
        lines = [re.sub(r"^ +(?=\d)", "", line) for line in lines]
    items = items_of(lines)
    levels = sorted({indent for indent, _, _ in items})
    pieces = []
    for indent, word, meaning in items:
        shift = "    " * levels.index(indent)
        pieces.append(f"{shift}{name(word)}\n{shift}    {inline(' '.join(meaning)) or EMPTY}\n")
    return "\n".join(pieces)


def bullets(lines: list[str]) -> str:
    points: list[list[str]] = []
    for line in lines:
        if line.strip().startswith("- "):
            points.append([line.strip()[2:]])
        else:
            points[-1].append(line.strip())
    return "\n".join(f"- {inline(' '.join(point))}" for point in points)


def literal(lines: list[str], language: str = "text") -> str:
    body = textwrap.indent(textwrap.dedent("\n".join(lines)), "    ")
    return f".. code-block:: {language}\n\n{body}"


def indented(lines: list[str]) -> str:
    """Lines that stand in from the margin: code, bullets, a list, or a table."""
    if any(re.search(r"; +//|;$", line) for line in lines):
        return literal(lines, "c")
    if lines[0].strip().startswith("- "):
        return bullets(lines)
    try:
        return definitions(lines)
    except NotAList:
        return literal(lines)


def paragraphs(lines: list[str]) -> list[str]:
    """Prose; what is behind a label such as "Errors:" is a paragraph of its own."""
    found: list[list[str]] = []
    for line in lines:
        if not found or LABEL.match(line):
            found.append([])
        found[-1].append(line)
    prose = []
    for piece in found:
        text = " ".join(piece)
        label = LABEL.match(text)
        if re.fullmatch(r"[A-Z ]+", text):
            prose.append(f".. rubric:: {text.capitalize()}")
        elif label:
            prose.append(f"*{label[1]}:* {inline(text[label.end():])}")
        else:
            prose.append(inline(text))
    return prose


def rst(text: str) -> str:
    """The text of a comment as reStructuredText."""
    text = re.sub(r"^ +section +for\n", "", text, flags=re.M)
    pieces: list[str] = []
    for run in re.split(r"\n\n+", text.strip("\n")):
        lines = run.split("\n")
        indents = {len(line) - len(line.lstrip()) for line in lines}
        if len(indents) == 1 and min(indents) < 3 and not re.search(r"\S {2,}\S|^ *- ", run):
            lines = [line.strip() for line in lines]
        elif re.match(r" {0,2}\S+(?: \S+)* {2,}\S", run):
            try:
                pieces.append(definitions(lines))
                continue
            except NotAList:
                pass
        for stands_in, part in itertools.groupby(lines, lambda line: line.startswith(" ")):
            pieces.extend([indented(list(part))] if stands_in else paragraphs(list(part)))
    return "\n\n".join(pieces) + "\n"


def embedded(text: str, after: str = "") -> str:
    return f"/**{after}\n\\verbatim embed:rst\n{rst(text)}\\endverbatim\n*/"


class Chunk:
    """A comment and the declarations that follow it without an empty line between."""

    def __init__(self, comment: str, code: str, number: int) -> None:
        self.text = text_of(comment) if comment else ""
        self.code = code.strip("\n")
        self.group = f"bmo_{number}"
        bare = re.sub(r"\{.*?\}", "", COMMENT.sub("", self.code), flags=re.S)
        self.count = bare.count(";")

    def within(self) -> bool:
        """Does the comment belong to one declaration, so that it can stand below it?"""
        return self.count == 1

    def filtered(self) -> str:
        # What is said of several members is said of each.
        code = re.sub(r"^( +[\w ]*\w )(\*?\w+(?:, \*?\w+)+);( */\*.*?\*/)", lambda several: "\n".join(
            f"{several[1]}{member};{several[3]}" for member in several[2].split(", ")), self.code, flags=re.M | re.S)
        code = COMMENT.sub(lambda found: embedded(text_of(found[0]), "<"), code)
        above = embedded(self.text) if self.text and self.within() else ""
        # A group of its own: so a page shows the declarations in the order of the header, and those without a name, too.
        return f"/** \\defgroup {self.group} {self.group}\n@{{ */\n{above}\n{code}\n/** @}} */\n"

    def page(self) -> str:
        shown = f".. doxygengroup:: {self.group}\n   :content-only:\n   :members:\n   :undoc-members:\n" if self.count else ""
        return (rst(self.text) + "\n" if self.text and not (self.count and self.within()) else "") + shown


class Section:
    def __init__(self, number: str, title: str) -> None:
        self.number, self.title = number, title
        self.chunks: list[Chunk] = []

    def page(self) -> str:
        return "\n\n".join([f"{self.title}\n{'=' * len(self.title)}"] + [chunk.page() for chunk in self.chunks]) + "\n"


def chunks_of(part: str, number: int) -> list[Chunk]:
    """Comments and declarations of a part of the header. An empty line inside braces or a comment parts nothing."""
    found, comment, code = [], "", ""

    def close() -> None:
        nonlocal comment, code
        if comment or code.strip():
            found.append(Chunk(comment, code, number * 1000 + len(found)))
        comment = code = ""

    for piece in re.split(r"(/\*.*?\*/\n)", part, flags=re.S):
        at_margin = piece.startswith("/*") and code.count("{") == code.count("}") and (not code or code.endswith("\n"))
        if at_margin:
            if code.strip() or comment:
                close()
            comment = piece.rstrip()
        elif piece.startswith("/*"):
            code += piece
        else:
            for line in piece.split("\n"):
                if not line.strip() and code.count("{") == code.count("}"):
                    if comment or code.strip():
                        close() if code.strip() or piece.startswith("\n") else None
                    continue
                code += line + "\n"
            if not piece.endswith("\n") and code.endswith("\n"):
                code = code[:-1]
    close()
    return found


def read(header: str) -> tuple[str, list[Section]]:
    """The comment at the top, and the sections."""
    intro = text_of(COMMENT.match(header)[0])
    body = header.split('extern "C" {\n#endif\n', 1)[1].rsplit("#ifdef __cplusplus", 1)[0]
    sections = []
    for number, part in enumerate(RULE.split(body)[1:], 1):
        end = part.index("*/") + 2
        title, _, prose = text_of("/*\n" + part[:end]).lstrip("\n").partition("\n")
        section = Section(title.split(".")[0], title)
        if prose.strip():
            section.chunks.append(Chunk("", "", number * 1000 + 999))
            section.chunks[0].text = prose.strip("\n")
        section.chunks += chunks_of(part[end:].lstrip("\n"), number)
        sections.append(section)
    return intro, sections


def write_pages(intro: str, sections: list[Section], folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for section in sections:
        (folder / f"section{section.number}.rst").write_text(section.page())
    pages = "".join(f"   section{section.number}\n" for section in sections)
    title = "C reference"
    (folder / "index.rst").write_text(f"{title}\n{'=' * len(title)}\n\n{rst(intro)}\n"
                                      f".. toctree::\n   :hidden:\n\n{pages}")


source = pathlib.Path(sys.argv[1]).read_text()
NAMES = set(re.findall(r"\b(?:bmo|BMO)_\w+", COMMENT.sub("", source)))
intro, sections = read(source)
if len(sys.argv) > 2:
    write_pages(intro, sections, pathlib.Path(sys.argv[2]))
else:
    print("#include <stddef.h>\n#include <stdint.h>")
    for section in sections:
        for chunk in section.chunks:
            if chunk.count:
                print(chunk.filtered())
