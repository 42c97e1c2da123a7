"""Records of instruments: a sensor read by the hour, and solar power every ten minutes."""
import numpy as np

from evaluation.held_out.dates import hours_on
from evaluation.held_out.pieces import autoregression, bursts, log_uniform

PER_DAY = 144
STEPS = (0.1, 0.2, 0.5, 1.0)


def sensor(rng: np.random.Generator, points: int) -> np.ndarray:
    """Temperature or river level: a weak day, slow weather, whole steps of the instrument, a floor or a ceiling."""
    _, hour = hours_on(rng, points)
    slow = autoregression(rng, points, rng.uniform(0.98, 0.998))
    if rng.random() < 0.5:
        x = rng.uniform(0, 20) + rng.uniform(2, 8) * slow
        strength = np.exp(0.5 * autoregression(rng, points, 0.98))  # clear days swing more than dull ones
    else:
        # A river rises within hours of rain and falls over days.
        x = 20 + 5 * slow + bursts(rng, points, rng.uniform(0.002, 0.02), rng.uniform(2, 15), rng.uniform(0.96, 0.99))
        strength = np.ones(points)
    x = x + rng.uniform(0.2, 2.5) * strength * np.sin(2 * np.pi * (hour - rng.uniform(0, 24)) / 24)
    x = x + rng.uniform(0.02, 0.3) * rng.standard_normal(points)
    chance = rng.random()
    if chance < 0.15:
        x = np.maximum(x, np.quantile(x, rng.uniform(0.02, 0.4)))
    elif chance < 0.3:
        x = np.minimum(x, np.quantile(x, rng.uniform(0.6, 0.98)))
    step = STEPS[int(rng.integers(len(STEPS)))]
    return np.round(np.round(x / step) * step, 1)


def solar(rng: np.random.Generator, points: int) -> np.ndarray:
    """Power of solar panels: zero at night, a bell on a clear day, clouds that last for hours or pass in minutes."""
    _, hour = hours_on(rng, points, PER_DAY)
    light, noon = rng.uniform(8.5, 16), rng.uniform(11.5, 13.5)
    height = np.maximum(np.cos(np.pi * (hour - noon) / light), 0) * (np.abs(hour - noon) < light / 2)
    dull = rng.uniform(-1, 1) + autoregression(rng, points, rng.uniform(0.985, 0.996)) * rng.uniform(0.5, 1.5)
    passing = autoregression(rng, points, rng.uniform(0.6, 0.9)) * rng.uniform(0.1, 1.0)
    cover = 1 / (1 + np.exp(-2 * (dull + passing * np.exp(-(dull**2)))))  # clouds pass on changeable days only
    x = height ** rng.uniform(1, 1.5) * (1 - rng.uniform(0.6, 0.95) * cover)
    x = np.minimum(np.maximum(x, 0), rng.uniform(0.6, 1.2))  # some inverters cut the top off
    return np.round(log_uniform(rng, 5, 500) * x, 2)
