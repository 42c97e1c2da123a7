"""The first three families: weekly records, hourly records and daily prices. Scores of all runs so far use them."""
import numpy as np

from evaluation.held_out.pieces import autoregression


def weekly(rng: np.random.Generator, points: int) -> np.ndarray:
    time = np.arange(points)
    turn = 2 * np.pi * (time + rng.uniform(0, 52)) / 52.18
    wave = sum(rng.normal() / order * np.sin(order * turn + rng.uniform(0, 6)) for order in (1, 2, 3))
    level = np.cumsum(rng.standard_normal(points)) * rng.uniform(0.0, 0.02) + time * rng.normal(0, 0.0006)
    noise = autoregression(rng, points, rng.uniform(0, 0.8)) * rng.uniform(0.01, 0.1)
    return 1000 * np.exp(level + wave * rng.uniform(0.02, 0.25) + noise)


def hourly(rng: np.random.Generator, points: int) -> np.ndarray:
    time = np.arange(points) + rng.integers(0, 168)
    hour, weekday = time % 24, time // 24 % 7
    busy = np.exp(-0.5 * ((hour - rng.uniform(9, 19)) / rng.uniform(2, 5)) ** 2)
    second = rng.uniform(0, 0.8) * np.exp(-0.5 * ((hour - rng.uniform(5, 12)) / rng.uniform(1, 3)) ** 2)
    weekend = np.where(weekday >= 5, rng.uniform(0.3, 1.0), 1.0)
    noise = autoregression(rng, points, rng.uniform(0.3, 0.95)) * rng.uniform(0.02, 0.12)
    slow = np.cumsum(rng.standard_normal(points)) * rng.uniform(0.0, 0.004)
    return 200 * (rng.uniform(0.3, 1.5) + (busy + second) * weekend) * np.exp(noise + slow)


def price(rng: np.random.Generator, points: int) -> np.ndarray:
    unrest = np.exp(0.5 * autoregression(rng, points, 0.97))
    moves = rng.standard_t(4, points) * unrest * rng.uniform(0.004, 0.02)
    return 50 * np.exp(np.cumsum(moves + rng.normal(0, 0.0003)))
