"""Series to score on, one a line: id;period;frequency;horizon;history;actuals."""
import os
from typing import NamedTuple

import numpy as np

MISSING = ("", "NA")


class Series(NamedTuple):
    group: str
    season: int
    history: np.ndarray
    actuals: np.ndarray


def read_series(path: str) -> list:
    """Empty fields, NA and NaN are missing values."""
    name = os.path.splitext(os.path.basename(path))[0]
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            _, period, frequency, horizon, history, actuals = line.strip().split(";")
            known = numbers(actuals)[: int(horizon)]
            found.append(Series(f"{name} {period.lower()}", int(frequency), numbers(history), known))
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
