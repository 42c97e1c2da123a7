"""Accuracy of a forecast: sMAPE and MASE of the median, pinball loss of all knots, coverage of the middle 80 %."""
import numpy as np

from evaluation.series_file import Series
from network.config import KNOTS, MEDIAN

MEASURES = ("smape", "mase", "pinball", "cover80")


def measures(series: Series, knots: np.ndarray) -> tuple:
    """knots (horizon, 9). MASE and pinball in units of the in-sample seasonal naive error."""
    actuals, median = series.actuals, knots[:, MEDIAN]
    total = np.maximum(np.abs(median) + np.abs(actuals), 1e-9)
    smape = np.mean(200 * np.abs(median - actuals) / total)
    scale = naive_error(series.history, series.season)
    error = actuals[:, None] - knots
    levels = np.array(KNOTS)
    pinball = np.mean(2 * np.maximum(levels * error, (levels - 1) * error)) / scale
    inside = np.mean((actuals >= knots[:, 0]) & (actuals <= knots[:, -1]))
    return smape, np.mean(np.abs(median - actuals)) / scale, pinball, 100 * inside


def naive_error(history: np.ndarray, season: int) -> float:
    lag = season if len(history) > season else 1
    return max(float(np.nanmean(np.abs(history[lag:] - history[:-lag]))), 1e-9) if len(history) > lag else 1e-9
