"""Parts that several families share: noises, walks, curves, shocks. All (rows, points)."""
import math

import torch
import torch.nn.functional as F

from synthesis.draws import Draws, choose, unit


def angular_frequencies(draws: Draws, points: int) -> torch.Tensor:
    """(1, points + 1): of a transform twice as long as the series, so that its end does not meet its beginning."""
    return draws.constant(("omega", points), lambda: torch.arange(points + 1).float()[None] * (math.pi / points))


def with_spectrum(draws: Draws, amplitude: torch.Tensor, points: int) -> torch.Tensor:
    """A Gaussian process of unit scale whose spectrum has this amplitude (rows, points + 1)."""
    rows = amplitude.shape[0]
    waves = torch.complex(draws.normal(rows, points + 1), draws.normal(rows, points + 1)) * amplitude
    return unit(torch.fft.irfft(waves, n=2 * points)[:, :points])


def convolved(shocks: torch.Tensor, kernel: torch.Tensor) -> torch.Tensor:
    """Each point the sum of the shocks so far, weighted by how long ago they were: exact, and from rest."""
    points = shocks.shape[-1]
    product = torch.fft.rfft(shocks, n=2 * points) * torch.fft.rfft(kernel, n=2 * points)
    return torch.fft.irfft(product, n=2 * points)[:, :points]


def persisting(draws: Draws, shocks: torch.Tensor, persistence: torch.Tensor) -> torch.Tensor:
    """x[t] = persistence * x[t-1] + shocks[t] for all rows at once, from rest; persistence up to and including 1."""
    return convolved(shocks, persistence.clamp(min=1e-4) ** draws.time(shocks.shape[-1]))


def settled(draws: Draws, rows: int, points: int, persistence: torch.Tensor) -> torch.Tensor:
    """A stationary AR(1) of unit scale, below persistence 1."""
    omega = angular_frequencies(draws, points)
    # |1 - p e^(-iw)|^2, written so that nothing cancels where p is nearly 1.
    power = (1 - persistence) ** 2 + 4 * persistence * torch.sin(omega / 2) ** 2
    return with_spectrum(draws, torch.rsqrt(power + 1e-12), points)


def wandering(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """A stationary AR(1) of unit scale, with little or much memory."""
    return settled(draws, rows, points, draws.uniform(rows, 1, high=0.97))


def noise(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Deviation about 1: Gaussian in half of the rows, with fat tails (a random scale at each point) in the others."""
    tail = draws.uniform(rows, 1, low=0.2, high=0.9) * draws.chance(rows, 0.5)
    return draws.normal(rows, points) * torch.exp(tail * draws.normal(rows, points) - tail * tail)


def smooth_curve(draws: Draws, rows: int, points: int, max_knots: int = 40) -> torch.Tensor:
    """A slow curve of unit scale: random knots joined by lines."""
    knots = draws.host.randint(3, max(4, min(max_knots, points // 4)))
    curve = F.interpolate(draws.normal(rows, 1, knots), size=points, mode="linear", align_corners=True)[:, 0]
    return unit(curve)


def changing_noise(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Noise whose size drifts in a third of the rows."""
    drift = draws.uniform(rows, 1) * draws.chance(rows, 0.33)
    return draws.part(noise, rows, points) * torch.exp(drift * smooth_curve(draws, rows, points))


def walk(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Unit scale: a random walk, some with drift, some with steps that persist (a local trend)."""
    steps = noise(draws, rows, points)
    persistence = draws.uniform(rows, 1, low=0.3, high=0.98) * draws.chance(rows, 0.4)
    drift = draws.normal(rows, 1) * draws.sometimes(rows, 0.5, 0.005, 0.3)
    return unit(torch.cumsum(persisting(draws, steps, persistence) * (1 - persistence) + drift, -1))


def trend(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Unit scale: a line, a broken line, growth or decay, an S-curve, or a saturating rise."""
    time = draws.time(points) / points
    turns = draws.events(rows, points, draws.log_uniform(rows, 0.5, 12) / points) * draws.normal(rows, points)
    broken = torch.cumsum(torch.cumsum(turns, -1) + draws.normal(rows, 1) * 0.7, -1)
    growth = torch.exp(draws.uniform(rows, 1, low=-4, high=4) * time)
    middle, pace = draws.uniform(rows, 1, low=-0.2, high=1.2), draws.log_uniform(rows, 3, 40)
    s_curve = torch.sigmoid(pace * (time - middle))
    saturating = 1 - torch.exp(-draws.log_uniform(rows, 1, 15) * time)
    which = draws.kind(rows, 0.35, 0.3, 0.12, 0.13, 0.10)
    return unit(choose(which, time.expand(rows, -1), broken, growth, s_curve, saturating)) * draws.sign(rows)


def level_shifts(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """A few steps up and down, each about 1 high."""
    rate = draws.log_uniform(rows, 0.3, 6) / points
    return torch.cumsum(draws.events(rows, points, rate) * draws.normal(rows, points), -1)


def outliers(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Single points far off, in a quarter of the rows on one side only."""
    rate = draws.log_uniform(rows, 1 / points, 0.03)
    size = draws.normal(rows, points) * draws.log_uniform(rows, 1.0, 5.0)
    size = torch.where(draws.chance(rows, 0.25), size.abs(), size)
    return draws.events(rows, points, rate) * size


def multiplied(draws: Draws, x: torch.Tensor, probability: float = 0.4) -> torch.Tensor:
    """Some rows become growth rates of a positive series: its swings then grow with its level."""
    rows = x.shape[0]
    return torch.where(draws.chance(rows, probability), torch.exp(unit(x) * draws.log_uniform(rows, 0.03, 1.2)), x)


def colored(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Unit scale: noise between white and smoother than a walk (a power of the frequency)."""
    omega = angular_frequencies(draws, points).clamp(min=math.pi / points)
    return with_spectrum(draws, omega ** (-draws.uniform(rows, 1, low=0.0, high=1.6)), points)
