"""What several held-out families need. Plain numpy: nothing here is shared with the generators of training."""
import numpy as np


def autoregression(rng: np.random.Generator, points: int, memory: float) -> np.ndarray:
    """Standard deviation 1 once it has forgotten its start at 0."""
    x, level = np.zeros(points), 0.0
    for t in range(points):
        level = memory * level + rng.standard_normal()
        x[t] = level
    return x * np.sqrt(1 - memory**2)


def walk(rng: np.random.Generator, points: int) -> np.ndarray:
    return np.cumsum(rng.standard_normal(points))


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def bump(x: np.ndarray, center: float, width: float, cycle: float = 24.0) -> np.ndarray:
    """A bell at `center`, on a circle of length `cycle`."""
    apart = np.abs((x - center + cycle / 2) % cycle - cycle / 2)
    return np.exp(-0.5 * (apart / width) ** 2)


def wave(rng: np.random.Generator, turn: np.ndarray, orders: int) -> np.ndarray:
    """A smooth periodic curve of `turn` (0 to 1 is one period), of about unit size."""
    parts = [rng.normal() / k * np.sin(2 * np.pi * k * turn + rng.uniform(0, 6)) for k in range(1, orders + 1)]
    return np.sum(parts, axis=0)


def counts(rng: np.random.Generator, mean: np.ndarray, excess: float) -> np.ndarray:
    """Poisson counts, or with excess > 0 negative binomial ones with variance mean + excess * mean²."""
    if excess > 0:
        mean = mean * rng.gamma(1 / excess, excess, len(mean))
    return rng.poisson(mean).astype(float)


def bursts(rng: np.random.Generator, points: int, chance: float, size: float, memory: float) -> np.ndarray:
    """Sudden rises, each of its own size, that die away."""
    x, level = np.zeros(points), 0.0
    for t in range(points):
        level = memory * level + (rng.exponential(size) if rng.random() < chance else 0.0)
        x[t] = level
    return x


def stretches(rng: np.random.Generator, points: int, chance: float, longest: int) -> np.ndarray:
    """True in stretches of 1 to `longest` points, which begin with this chance at each point."""
    found = np.zeros(points, dtype=bool)
    for begin in np.flatnonzero(rng.random(points) < chance):
        found[begin : begin + int(rng.integers(1, longest + 1))] = True
    return found


def with_gaps(rng: np.random.Generator, history: np.ndarray, share: float) -> np.ndarray:
    """At most about `share` of the values go missing, alone or in stretches. The last value stays."""
    longest = 1 if rng.random() < 0.5 else 24
    missing = stretches(rng, len(history), rng.uniform(0, share) * 2 / (longest + 1), longest)
    missing[-1] = False
    return np.where(missing, np.nan, history)
