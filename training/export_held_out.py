"""Writes the simulated series of `evaluation/held_out` as lines that the benchmarks in `bench/` read.

`python export_held_out.py --out FOLDER` writes one file a family, `--out NAME.txt` everything into one file. Dates that
the benchmarks give to these lines are the ones the series were generated with.
"""
import argparse
import os

import numpy as np

from evaluation.held_out import FAMILIES, held_out_families
from evaluation.series_file import Series

PERIODS = {"simulated weekly": "WEEKLY", "simulated hourly": "HOURLY", "simulated price": "DAILY"}
PERIODS.update({f"simulated {family.name}": family.period for family in FAMILIES})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="a folder, or a file that ends in .txt")
    parser.add_argument("--count", type=int, help="only the first so many series of each family")
    arguments = parser.parse_args()
    groups: dict = {}
    for one in held_out_families():
        groups.setdefault(one.group, []).append(one)
    for group, series in groups.items():
        groups[group] = lines(series[: arguments.count])
    if arguments.out.endswith(".txt"):
        write(arguments.out, [line for found in groups.values() for line in found])
        return
    os.makedirs(arguments.out, exist_ok=True)
    for group, found in groups.items():
        write(os.path.join(arguments.out, f"{label(group)}.txt"), found)


def lines(series: list) -> list:
    return [line(f"{label(one.group)}-{number}", one) for number, one in enumerate(series, start=1)]


def line(name: str, one: Series) -> str:
    fields = (name, PERIODS[one.group], one.season, len(one.actuals), values(one.history), values(one.actuals))
    return ";".join(str(field) for field in fields)


def label(group: str) -> str:
    """'simulated spare parts' is spare-parts."""
    return group.removeprefix("simulated ").replace(" ", "-")


def values(x: np.ndarray) -> str:
    return ",".join("NA" if np.isnan(value) else f"{value:.10g}" for value in x)


def write(path: str, found: list) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(one + "\n" for one in found)


if __name__ == "__main__":
    main()
