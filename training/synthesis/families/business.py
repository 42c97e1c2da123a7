"""Yearly, quarterly and monthly records of firms and economies: level, growth, cycle and season in logarithms."""
import math

import torch

from synthesis.draws import Draws, unit
from synthesis.pieces import angular_frequencies, level_shifts, noise, outliers, persisting, with_spectrum
from synthesis.seasons import season

PER_YEAR = (1, 1, 1, 4, 4, 4, 4, 12, 12, 12, 12, 52.18)


def business(draws: Draws, rows: int, points: int) -> torch.Tensor:
    per_year = draws.one_of(rows, PER_YEAR)
    # All sizes are shares of the level; shocks of a shorter period are smaller, as those of a walk are.
    shock = draws.log_uniform(rows, 0.004, 0.12) / per_year.sqrt()

    fading = draws.uniform(rows, 1, low=0.5, high=0.98)
    persistence = torch.where(draws.chance(rows, 0.4), torch.ones_like(shock), fading)
    # Growth of a year changes more than its record shows: yearly rows are short, and intervals were too narrow there.
    restless = 1 + 0.5 * (per_year == 1)
    growth_shock = shock * draws.sometimes(rows, 0.55, 0.03, 0.5) * restless
    growth = persisting(draws, draws.part(noise, rows, points) * growth_shock, persistence)
    mean_growth = (draws.normal(rows, 1) * draws.log_uniform(rows, 0.005, 0.12) + 0.02) / per_year
    damping = torch.where(draws.chance(rows, 0.65), torch.ones_like(shock), 1 - draws.log_uniform(rows, 0.003, 0.15))
    growth = growth + mean_growth * damping ** draws.time(points)

    level_shock = shock * draws.sometimes(rows, 0.85, 0.3, 1.5)
    x = torch.cumsum(growth + draws.part(noise, rows, points) * level_shock, -1)
    x = x + draws.sometimes(rows, 0.35, 0.01, 0.15) * cycle(draws, rows, points, per_year)
    has_season = (per_year > 1) & draws.chance(rows, 0.8)
    # A season of one point does not exist; where there is none any period serves.
    period = torch.where(per_year > 1, per_year, torch.full_like(per_year, 4))
    x = x + has_season * draws.log_uniform(rows, 0.004, 0.35) * season(draws, rows, points, period)
    x = x + draws.sometimes(rows, 0.7, 0.1, 3) * shock * draws.part(noise, rows, points)
    x = x + draws.sometimes(rows, 0.1, 2, 8) * shock * level_shifts(draws, rows, points)
    x = x + draws.sometimes(rows, 0.1, 1, 4) * shock * outliers(draws, rows, points)
    return in_levels(draws, x)


def cycle(draws: Draws, rows: int, points: int, per_year: torch.Tensor) -> torch.Tensor:
    """Booms and slumps of 2.5 to 10 years, none like the last: a broad peak in the spectrum."""
    omega = angular_frequencies(draws, points)
    center = 2 * math.pi / (draws.uniform(rows, 1, low=2.5, high=10.0) * per_year)
    width = center * draws.uniform(rows, 1, low=0.1, high=0.6)
    return with_spectrum(draws, 1 / (1 + ((omega - center) / width) ** 2), points)


def in_levels(draws: Draws, x: torch.Tensor) -> torch.Tensor:
    """Two fifths of the rows keep additive shocks; in the others growth is scaled down to what a record can show."""
    rows = x.shape[0]
    x = x - x[:, :1]
    spread = x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True)
    max_growth = draws.log_uniform(rows, 0.5, 5.0)
    grown = torch.exp(x * torch.clamp(max_growth / (spread + 1e-6), max=1.0))
    return torch.where(draws.chance(rows, 0.6), grown, unit(x))
