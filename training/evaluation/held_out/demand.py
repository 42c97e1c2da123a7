"""Counts with many zeros or sudden rises: epidemics, retail sales by the day, spare parts by the month."""
import numpy as np

from evaluation.held_out.dates import days_on, holidays, weekdays
from evaluation.held_out.pieces import autoregression, counts, log_uniform, stretches

SATURDAY = 5


def epidemic(rng: np.random.Generator, points: int) -> np.ndarray:
    """Cases of one to five waves, by the day or summed so far; weekends report less and Mondays catch up."""
    time = np.arange(points)
    mean = np.zeros(points)
    begin = 0.0
    for _ in range(int(rng.integers(1, 6))):
        begin += rng.uniform(20, 110)
        pace = rng.uniform(4, 18)
        falling = pace * rng.uniform(1, 2.5)  # waves fall slower than they rise
        apart = np.where(time < begin, (time - begin) / pace, (time - begin) / falling)
        mean += log_uniform(rng, 0.2, 3) / np.cosh(apart / 2) ** 2
    mean = mean * np.exp(0.1 * autoregression(rng, points, 0.9)) * log_uniform(rng, 20, 5000)
    day, fewer = weekdays(days_on(points)), rng.uniform(0, 0.8)
    told = np.where(day >= SATURDAY, 1 - fewer, 1.0)
    told = told + np.where(day == 0, 2 * fewer * rng.uniform(0.3, 1), 0.0)
    x = counts(rng, mean * told, rng.uniform(0.005, 0.1))
    for t in np.flatnonzero(stretches(rng, points - 1, rng.uniform(0, 0.03), 2)):
        x[t + 1] += x[t]  # a day without a report: the next one tells both
        x[t] = 0
    return np.cumsum(x) if rng.random() < 0.5 else x


def retail(rng: np.random.Generator, points: int) -> np.ndarray:
    """Pieces of one article sold a day: mostly few, more in promotions, none while it is out of stock."""
    days = days_on(points)
    week = np.exp(rng.normal(0, 0.2, 7) + np.array([0, 0, 0, 0, 0.2, 0.4, 0.2]) * rng.uniform(0, 1.5))
    promoted = stretches(rng, points, rng.uniform(0, 0.02), 14)
    level = autoregression(rng, points, 0.995) * rng.uniform(0, 0.6)
    mean = log_uniform(rng, 0.1, 8) * week[weekdays(days)] * np.exp(level)
    mean = mean * np.where(promoted, rng.uniform(1.5, 5), 1.0) * (holidays(rng, days) == 0)
    mean[stretches(rng, points, rng.uniform(0, 0.006), 20)] = 0.0
    return counts(rng, mean, rng.uniform(0, 0.8))


def spare_parts(rng: np.random.Generator, points: int) -> np.ndarray:
    """Pieces asked for a month: often none, else a few or a batch; some parts go out of use."""
    chance = np.full(points, rng.uniform(0.1, 0.6))
    if rng.random() < 0.25:
        chance *= np.exp(-np.maximum(np.arange(points) - rng.uniform(0, points), 0) / rng.uniform(5, 30))
    batch = int(rng.choice([1, 1, 1, 5, 10]))
    asked = rng.random(points) < chance
    return batch * asked * (1.0 + rng.poisson(log_uniform(rng, 0.3, 6), points))
