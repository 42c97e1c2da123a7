"""Forecasts that cost nothing, to stand beside: the last value, and the last season."""
import numpy as np

from evaluation.series_file import Series


def naive(series: Series) -> np.ndarray:
    seen = series.history[~np.isnan(series.history)]
    return np.full(len(series.actuals), seen[-1])


def seasonal_naive(series: Series) -> np.ndarray:
    season = series.season
    if len(series.history) < season or season < 2 or np.isnan(series.history[-season:]).any():
        return naive(series)
    return np.resize(series.history[-season:], len(series.actuals))
