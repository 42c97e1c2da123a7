"""Series that forecasts take little time for."""

from __future__ import annotations

import numpy as np
import pandas as pd


def make_daily(rows: int = 60, *, zone: str | None = None, level: float = 100.0) -> pd.Series:
    """Returns a series with a week's season and some noise."""
    index = pd.date_range("2026-01-01", periods=rows, tz=zone, name="day")
    steps = np.arange(rows)
    noise = np.random.default_rng(31).normal(0, 1, rows)
    return pd.Series(level + 0.1 * steps + 5 * np.sin(steps * 2 * np.pi / 7) + noise, index=index, name="sales")
