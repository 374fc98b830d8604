"""The manual as Sphinx builds it: see scripts/manual, which calls it, and collect.py, which lays out what it reads."""
from __future__ import annotations

import importlib.util
import pathlib
import posixpath
import re
import sys

from docutils import nodes
from sphinx.util import logging

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(TREE / "bindings/python/src")]

project = "libbmo"
author = "the authors of libbmo"
release = re.search(r"version: '([^']+)'", (TREE / "meson.build").read_text())[1]
html_title = f"libbmo {release}"

extensions = ["myst_parser", "breathe", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "run"]
include_patterns = ["index.md", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/results/**.md",
                    "docs/manual/python.md", "docs/manual/tutorial/*.md", "bindings/*/README.md", "bindings/python/recipes.md",
                    "packaging/README.md", "c/*.rst", "r/*.md"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
MATHJAX = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent / "static/mathjax/tex-svg.js"
html_static_path = [str(HERE / "static"), str(MATHJAX)]
html_css_files = ["manual.css"]
templates_path = []

exclude_patterns = ["docs/manual/tutorial/data.md"]

myst_heading_anchors = 4
myst_fence_as_directive = ["math"]  # as GitHub writes formulas

# One file, which needs no other and no network: it draws formulas without fonts.
mathjax_path = "tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

breathe_projects = {"bmo": str(TREE / "build/manual/doxygen/xml")}
breathe_default_project = "bmo"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
breathe_show_enumvalue_initializer = True

autodoc_default_options = {"members": True, "member-order": "groupwise"}
autodoc_typehints = "none"
default_role = "py:obj"  # `knn` in Python's docstrings
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

smartquotes = False  # x' is no quotation
highlight_language = "text"


def lead_to_pages(app, docname: str, source: list[str]) -> None:
    """Links to folders and to the header become links to what the manual has of them."""
    root, folder = pathlib.Path(app.srcdir), posixpath.dirname(docname)

    def target(match: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(folder, match[1]))
        if place == "include/bmo.h":
            page = "c/index.rst"
        elif (root / place).is_dir() and (root / place / "README.md").exists():
            page = place + "/README.md"
        else:
            return match[0]
        return f"]({posixpath.relpath(page, folder or '.')})"

    if app.env.doc2path(docname).suffix == ".md":
        source[0] = re.sub(r"\]\(((?!\w+:)[^)#\s]+)\)", target, source[0])


def everything_is_there(app) -> None:
    """The page of the Python reference names what the package exports."""
    import libbmo

    page = (pathlib.Path(app.srcdir) / "docs/manual/python.md").read_text()
    for name in libbmo.__all__:
        if name != "__version__" and not re.search(rf":: libbmo\.{name}$", page, re.M):
            logging.getLogger(__name__).warning("docs/manual/python.md has no %s", name)


def break_paths(app, doctree: nodes.document, docname: str) -> None:
    """A path in a table may be broken behind a slash."""
    for literal in [node for cell in doctree.findall(nodes.entry) for node in cell.findall(nodes.literal)]:
        pieces = re.split(r"(?<=/)(?=.)", literal.astext())
        if len(pieces) > 1 and app.builder.format == "html":
            literal.children = []
            for piece in pieces:
                literal += [nodes.Text(piece), nodes.raw("", "<wbr />", format="html")]


def setup(app) -> None:
    app.connect("doctree-resolved", break_paths)
    app.connect("source-read", lead_to_pages)
    app.connect("builder-inited", everything_is_there)
