"""MASE and WQL as published tables define them, for a whole set of series."""
from typing import NamedTuple

import numpy as np

from network.config import KNOTS, MEDIAN

LEVELS = np.array(KNOTS)


class PublishedScores(NamedTuple):
    """mase over all pairs of a series and a step; wql with sums over the set, so that large series count more."""
    count: int
    mase: float
    wql: float
    smape: float
    cover80: float


def published_scores(series: list, knots: list) -> PublishedScores:
    scaled, pinball, total, relative, inside = [], 0.0, 0.0, [], []
    for one, quantiles in zip(series, knots):
        known = np.isfinite(one.actuals)
        actuals, quantiles = one.actuals[known], quantiles[known]
        error = actuals[:, None] - quantiles
        pinball += np.sum(2 * np.maximum(LEVELS * error, (LEVELS - 1) * error)) / len(KNOTS)
        total += np.sum(np.abs(actuals))
        far = np.abs(error[:, MEDIAN])
        unit = seasonal_error(one.history, one.season)
        if unit > 0:
            scaled.append(far / unit)
        relative.append(200 * far / np.maximum(np.abs(actuals) + np.abs(quantiles[:, MEDIAN]), 1e-9))
        inside.append((actuals >= quantiles[:, 0]) & (actuals <= quantiles[:, -1]))
    mean = (float(np.concatenate(parts).mean()) if parts else np.nan for parts in (scaled, relative, inside))
    mase, smape, cover = mean
    return PublishedScores(len(series), mase, float(pinball / total), smape, 100 * cover)


def seasonal_error(history: np.ndarray, season: int) -> float:
    """Of the seasonal naive forecast within the history; of the naive one where that is shorter than a season."""
    lag = season if len(history) > season else 1
    moved = np.abs(history[lag:] - history[:-lag])
    return float(np.nanmean(moved)) if np.isfinite(moved).any() else 0.0
