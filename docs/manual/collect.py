"""Puts what the manual is made of into one folder: pages of the tree, where they lie in it, and those made of other files.

    collect.py FOLDER

Sphinx reads FOLDER. Nothing in it is a source: it is made anew each time.
"""
from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
COPIED = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE", "docs", "bindings", "include", "packaging"]


def copy_tree(folder: pathlib.Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in COPIED:
        if (TREE / name).is_dir():
            shutil.copytree(TREE / name, folder / name, ignore=shutil.ignore_patterns("*.o", "*.so", "__pycache__", "inst"))
        else:
            shutil.copy2(TREE / name, folder / name)
    (folder / "docs/manual/index.md").rename(folder / "index.md")


def list_results(folder: pathlib.Path) -> None:
    """The tables behind docs/results.md and docs/bandits.md, for whoever wants to draw them."""
    def page(place: str, title: str, more: str = "") -> None:
        names = sorted(file.name for file in (folder / place).iterdir() if file.suffix in (".csv", ".json"))
        (folder / place / "README.md").write_text(f"# {title}\n\n" + "".join(f"- [{name}]({name})\n" for name in names) + more)

    page("docs/results", "Tables of the experiments", "\n```{toctree}\nbandits/README\n```\n")
    page("docs/results/bandits", "Tables of the bandits")


def write_c_reference(folder: pathlib.Path) -> None:
    subprocess.run([sys.executable, HERE / "header.py", TREE / "include/bmo.h", folder / "c"], check=True)


def r_help_pages(folder: pathlib.Path) -> list[str]:
    """R's own pages, by R's own converter, cut into sections. Links to other packages are left out: they are not here."""
    subprocess.run(["Rscript", "--vanilla", HERE / "help.R", TREE / "bindings/r/man", folder], check=True)
    pages = sorted(folder.glob("*.html"), key=lambda page: (page.stem != "bmo-package", page.stem.lower()))
    for page in pages:
        html = re.search(r"<h2>.*?(?=<hr />|</div></body>)", page.read_text(), re.S)[0]
        html = re.sub(r'<a href="(?![\w-]+\.html")[^"]*">(.*?)</a>', r"\1", html, flags=re.S)
        title, *sections = re.split(r"<h[23]>(.*?)</h[23]>", html, flags=re.S)[1:]
        body = f"# {page.stem}: {re.sub('<.*?>', '', title)}\n"
        for heading, text in zip(["", *sections[1::2]], sections[::2]):
            body += f"\n## {heading}\n" if heading else ""
            body += f"\n```{{raw}} html\n{text.strip()}\n```\n" if text.strip() else ""
        page.with_suffix(".md").write_text(body)
        page.unlink()
    return [page.stem for page in pages]


def write_r_reference(folder: pathlib.Path) -> None:
    folder.mkdir()
    text = "# R reference\n\nThe pages that `?bmo_knn` and the like show.\n"
    if shutil.which("Rscript"):
        names = r_help_pages(folder)
        text += "\n```{toctree}\n" + "".join(f"{name}\n" for name in names) + "```\n"
    else:
        text += "\nR was not installed where this manual was built, so that its pages are missing: see `bindings/r/man`.\n"
    (folder / "index.md").write_text(text)


def write_r_vignette(folder: pathlib.Path) -> None:
    """bindings/r/vignettes/cells.Rmd, run."""
    page = folder / "r/cells.md"
    if (TREE / "build/manual/r/bmo").exists():
        knit = f'knitr::knit("{TREE}/bindings/r/vignettes/cells.Rmd", "{page}", quiet = TRUE)'
        subprocess.run(["Rscript", "-e", knit], check=True, cwd=folder / "r")
        page.write_text("# Neighbors of single cells, in R\n" + page.read_text().split("---\n", 2)[2])
    else:
        page.write_text("# Neighbors of single cells, in R\n\nR, with Rcpp, knitr and Matrix, was not installed where this "
                        "manual was built: see `bindings/r/vignettes/cells.Rmd`.\n")


folder = pathlib.Path(sys.argv[1]).resolve()
copy_tree(folder)
list_results(folder)
write_c_reference(folder)
write_r_reference(folder / "r")
write_r_vignette(folder)
