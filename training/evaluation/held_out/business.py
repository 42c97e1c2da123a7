"""Records by the month, the quarter and the year: sales, tourism, growth."""
import numpy as np

from evaluation.held_out.dates import FIRST_MONTH, easter, weekdays
from evaluation.held_out.pieces import autoregression, log_uniform, walk


def sales(rng: np.random.Generator, points: int) -> np.ndarray:
    """Monthly sales: a season, working days that differ in worth, Easter in March or April, a trend that bends."""
    of_year = np.exp(rng.normal(0, rng.uniform(0.02, 0.2), 12))
    of_year[11] *= rng.uniform(1, 1.6)
    worth = np.append(np.ones(5), rng.uniform(0, 1.8, 2)) * np.exp(rng.normal(0, 0.05, 7))
    month = FIRST_MONTH + np.arange(points)
    open_days = np.array([worth[weekdays(days_of(one))].sum() for one in month]) / (30.4 * worth.mean())
    early = np.array([easter(1980 + t // 12).astype("datetime64[M]") == one for t, one in enumerate(month)])
    slopes = rng.normal(0.002, 0.004) + np.cumsum(rng.normal(0, 0.004, points) * (rng.random(points) < 0.03))
    noise = autoregression(rng, points, rng.uniform(0, 0.7)) * rng.uniform(0.01, 0.06)
    level = np.cumsum(slopes) + walk(rng, points) * rng.uniform(0, 0.015)
    x = of_year[np.arange(points) % 12] * open_days ** rng.uniform(0, 1) * np.exp(level + noise)
    return np.round(log_uniform(rng, 100, 50000) * x * (1 + rng.uniform(0, 0.15) * early), 1)


def days_of(month: np.datetime64) -> np.ndarray:
    return np.arange(month.astype("datetime64[D]"), (month + 1).astype("datetime64[D]"))


def tourism(rng: np.random.Generator, points: int) -> np.ndarray:
    """Guests a quarter: a strong season that grows with the level and shifts slowly, and shocks that fade."""
    season = rng.normal(0, rng.uniform(0.15, 0.6), 4)
    drift = np.cumsum(rng.normal(0, rng.uniform(0, 0.03), (points, 4)), axis=0)
    at = np.arange(points)
    of_year = season[at % 4] + drift[at, at % 4]
    growth = rng.uniform(0.0, 0.02) * at + walk(rng, points) * rng.uniform(0.005, 0.03)
    since = at - int(rng.integers(0, points))
    shock = np.where(since >= 0, 0.8 ** np.maximum(since, 0), 0.0) * (rng.random() < 0.3)
    level = growth - shock * rng.uniform(0, 0.5)
    noise = rng.standard_normal(points) * rng.uniform(0.01, 0.06)
    return np.round(log_uniform(rng, 50, 5000) * np.exp(of_year + level + noise), 1)


def growth(rng: np.random.Generator, points: int) -> np.ndarray:
    """Yearly records: growth at a rate of its own that lasts, slows down or turns, with business cycles."""
    rate = rng.normal(0.03, 0.025) * np.exp(-np.arange(points) / rng.uniform(10, 200))
    rate = rate + autoregression(rng, points, rng.uniform(0.2, 0.8)) * rng.uniform(0.01, 0.05)
    turn = int(rng.integers(0, 2 * points))
    rate[turn:] += rng.normal(0, 0.02)
    noise = rng.standard_normal(points) * rng.uniform(0.0, 0.03)
    return np.round(log_uniform(rng, 1000, 10000) * np.exp(np.cumsum(rate) + noise), 1)
