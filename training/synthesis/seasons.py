"""Periodic patterns of any shape: a table of one cycle, drawn from a spectrum, read at each point's phase."""
import math

import torch

from synthesis.draws import Draws, choose, unit
from synthesis.pieces import angular_frequencies, smooth_curve, with_spectrum

# Cycles that calendars make, the usual ones more often.
PERIODS = (4, 4, 5, 6, 7, 7, 7, 8, 10, 12, 12, 12, 12, 13, 14, 16, 20, 24, 24, 24, 24, 26, 28, 30, 30.44, 48, 48, 52,
           52, 52.18, 60, 60, 90, 91.3, 96, 96, 120, 144, 168, 168, 168, 288, 336, 365, 365.25, 365.25)
SHORT_PERIODS = (4, 4, 4, 12, 12, 12, 7, 7, 24, 5, 6, 3, 10, 13)


def cycle_table(draws: Draws, rows: int, size: int) -> torch.Tensor:
    """(rows, size) of unit scale. From a sine to free values at each phase; some peaked, some of two levels."""
    harmonics = size // 2 + 1
    order = draws.constant(("order", harmonics), lambda: torch.arange(harmonics).float()[None].clamp(min=0.5))
    # Two thirds fall off with the order (smooth); a third is white: seasonal dummies.
    steepness = draws.uniform(rows, 1, low=0.4, high=2.5) * draws.chance(rows, 0.67)
    amplitude = order ** (-steepness) * (order >= 1)
    waves = torch.complex(draws.normal(rows, harmonics), draws.normal(rows, harmonics)) * amplitude
    table = unit(torch.fft.irfft(waves, n=size))
    peaked = torch.relu(table - draws.uniform(rows, 1, low=0.0, high=1.5))
    two_levels = torch.sign(table - draws.uniform(rows, 1, low=-1.0, high=1.0))
    return unit(choose(draws.kind(rows, 0.7, 0.2, 0.1), table, peaked, two_levels))


def phase_index(draws: Draws, period: torch.Tensor, offset: torch.Tensor, points: int, size: int) -> torch.Tensor:
    """Where in a table of `size` each point reads. The odd fraction keeps whole periods off the borders of entries."""
    phase = torch.remainder(draws.time(points) + offset + 0.3719, period) / period
    return (phase * size).long().clamp(max=size - 1)


def table_size(points: int) -> int:
    """Long enough for the cycles a series of this length can show, and no longer: tables cost memory."""
    return 64 if points <= 128 else 128 if points <= 512 else 384


def season(draws: Draws, rows: int, points: int, period: torch.Tensor) -> torch.Tensor:
    """Unit scale, with an amplitude or a shape that changes in some rows. `period` (rows, 1), at least 2."""
    size = table_size(points)
    offset = draws.whole(rows, 400)
    index = phase_index(draws, period, offset, points, size)
    table = cycle_table(draws, rows, size)
    wave = torch.gather(table, 1, index)
    # A quarter of the rows passes over to another shape; the rest mixes with nothing.
    other = torch.gather(table.roll(1, 0), 1, index)
    passing = draws.chance(rows, 0.25) * torch.sigmoid(1.5 * smooth_curve(draws, rows, points, 8))
    wave = wave + passing * (other - wave)
    swing = draws.uniform(rows, 1, low=0.1, high=0.9) * draws.chance(rows, 0.3)
    return unit(wave) * (1 + swing * torch.tanh(smooth_curve(draws, rows, points)))


def any_period(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """A calendar cycle that fits at least twice, or in an eighth of the rows any number."""
    usual = draws.one_of(rows, PERIODS)
    short = draws.one_of(rows, SHORT_PERIODS)
    usual = torch.where((usual > points / 2.5) | draws.chance(rows, 0.6 if points <= 256 else 0.15), short, usual)
    free = draws.log_uniform(rows, 2.5, max(3.0, min(400.0, points / 3)))
    return torch.where(draws.chance(rows, 0.12), free, usual)


def any_season(draws: Draws, rows: int, points: int) -> torch.Tensor:
    return season(draws, rows, points, any_period(draws, rows, points))


def evolving_season(draws: Draws, rows: int, points: int, period: torch.Tensor) -> torch.Tensor:
    """x[t] = r * x[t - period] + shock as a spectrum: a season that is born anew, slowly; works for broken periods."""
    omega = angular_frequencies(draws, points)
    memory = 1 - draws.log_uniform(rows, 0.01, 0.3)
    turn = omega * period
    power = 1 / (1 + memory * memory - 2 * memory * torch.cos(turn))
    # Without the slow part, which would be a trend.
    high = 1 - torch.exp(-((omega * period / math.pi) ** 2))
    return with_spectrum(draws, power.sqrt() * high, points)
