"""Series to score on, one a line: id;period;frequency;horizon;history;actuals."""
import os
from typing import NamedTuple

import numpy as np

MISSING = ("", "NA")
WINDOWS_OF_A_FILE = 400


class Series(NamedTuple):
    group: str
    season: int
    history: np.ndarray
    actuals: np.ndarray


def read_series(path: str) -> list:
    """Empty fields, NA and NaN are missing values."""
    return [one for _, one in read_lines(path)]


def read_lines(path: str) -> list:
    """Pairs of an id and its series."""
    name = os.path.splitext(os.path.basename(path))[0]
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            known_as, period, frequency, horizon, history, actuals = line.strip().split(";")
            known = numbers(actuals)[: int(horizon)]
            found.append((known_as, Series(f"{name} {period.lower()}", int(frequency), numbers(history), known)))
    return found


def read_pasts(path: str) -> list:
    """What came before the first window of each series, at more origins the fewer series a file has.

    A set whose windows roll has ids like T1@3. Its later windows hold actual values of earlier ones, so only the first
    window has a past that nothing was scored on.
    """
    lines = [one for known_as, one in read_lines(path) if known_as.partition("@")[2] in ("", "1")]
    origins = min(40, max(1, round(WINDOWS_OF_A_FILE / max(1, len(lines)))))
    found = []
    for one in lines:
        for _ in range(origins):
            one = held_back(one)
            if one is None:
                break
            if np.isfinite(one.actuals).any() and np.isfinite(one.history).any():
                found.append(one)
    return found


def held_back(series: Series):
    """The series as it was a horizon earlier, with its own past as what came then; None where too little is left.

    Choices are made on these. The actuals are for the last word only.
    """
    horizon = len(series.actuals)
    if len(series.history) < horizon + max(8, series.season + 4):
        return None
    return series._replace(history=series.history[:-horizon], actuals=series.history[-horizon:])


def numbers(text: str) -> np.ndarray:
    return np.array([np.nan if value.strip() in MISSING else float(value) for value in text.split(",")])
