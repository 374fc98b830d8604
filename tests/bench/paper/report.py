"""What an experiment leaves: a table as JSON and CSV with how it came about, and a figure as PNG and SVG."""
import csv
import importlib.metadata
import json
import os
import platform

PACKAGES = ("numpy", "scipy", "matplotlib", "scikit-learn", "faiss-cpu", "hnswlib", "ngt", "numba", "pynndescent", "falconn")


def machine():
    """Processor, its number and the memory; no names of hosts or paths."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {"processor": model, "processors": os.cpu_count(), "memory_gib": round(gib), "system": platform.system()}


def versions(bmo):
    known = {"bmo": bmo, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            known[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            known[package] = "not installed"
    return known


def columns(rows):
    """Every key of the rows, in the order of first appearance."""
    return list(dict.fromkeys(key for row in rows for key in row))


def cell(value):
    return f"{value:.6g}" if isinstance(value, float) else value


def write_csv(path, about, rows):
    with open(path, "w", newline="") as file:
        for key in ("experiment", "command", "machine", "versions", "seeds", "load_average"):
            file.write(f"# {key}: {json.dumps(about[key])}\n")
        writer = csv.DictWriter(file, columns(rows), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: cell(value) for key, value in row.items()} for row in rows)


def write_json(path, about, rows):
    head = json.dumps(about, indent=1)[:-2]
    lines = ",\n".join("  " + json.dumps({key: short(value) for key, value in row.items()}) for row in rows)
    path.write_text(f'{head},\n "rows": [\n{lines}\n ]\n}}\n')


def short(value):
    return float(f"{value:.6g}") if isinstance(value, float) else value


def write_tables(directory, about, rows):
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / f"{about['experiment']}.json", about, rows)
    write_csv(directory / f"{about['experiment']}.csv", about, rows)


def read_table(directory, name):
    table = json.loads((directory / f"{name}.json").read_text())
    return table, table.pop("rows")
