"""Instruments: values in coarse steps, cut off at a floor or a ceiling, stuck, drifting, switched off at times."""
import torch

from synthesis.draws import Draws, unit
from synthesis.pieces import colored, level_shifts, noise, outliers, walk, wandering
from synthesis.seasons import any_season

STAYS = 256


def sensors(draws: Draws, rows: int, points: int) -> torch.Tensor:
    x = draws.sometimes(rows, 0.75, 0.3, 2) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.4, 0.1, 1) * draws.part(any_season, rows, points)
    x = x + draws.log_uniform(rows, 0.1, 1.5) * colored(draws, rows, points)
    x = x + draws.sometimes(rows, 0.4, 0.1, 1.5) * draws.part(walk, rows, points)
    x = x + draws.sometimes(rows, 0.6, 0.02, 0.4) * draws.part(wandering, rows, points)
    x = unit(x) + draws.log_uniform(rows, 0.003, 0.2) * draws.part(noise, rows, points)
    x = x + draws.sometimes(rows, 0.2, 0.5, 2) * level_shifts(draws, rows, points)
    x = x + draws.sometimes(rows, 0.2, 0.5, 2) * outliers(draws, rows, points)

    low = torch.where(draws.chance(rows, 0.3), draws.uniform(rows, 1, low=-1.5, high=0.0), -1e9)
    high = torch.where(draws.chance(rows, 0.3), draws.uniform(rows, 1, low=0.3, high=1.5), 1e9)
    x = torch.minimum(torch.maximum(x, low), high)
    x = held(draws, x)
    step = draws.log_uniform(rows, 0.01, 0.8)
    x = torch.where(draws.chance(rows, 0.5), torch.round(x / step) * step, x)
    # Switched off: zero for stretches, far from what is measured.
    off = stretches(draws, rows, points, 0.15)
    return torch.where(off & draws.chance(rows, 0.12), torch.zeros_like(x), x + draws.normal(rows, 1) * 3)


def held(draws: Draws, x: torch.Tensor) -> torch.Tensor:
    """In a seventh of the rows the instrument repeats its last reading for stretches."""
    rows, points = x.shape
    stuck = stretches(draws, rows, points, 0.3) & draws.chance(rows, 0.14)
    place = draws.time(points).long().expand(rows, -1)
    free = torch.where(stuck, torch.zeros_like(place), place)
    return torch.gather(x, 1, free.cummax(-1).values)


def stretches(draws: Draws, rows: int, points: int, share: float) -> torch.Tensor:
    """(rows, points), true in stretches that are about this share of the time."""
    borders = draws.events(rows, points, draws.log_uniform(rows, 2.0, 40.0) / points)
    stay = torch.remainder(torch.cumsum(borders, -1), STAYS).long()
    return torch.gather(draws.uniform(rows, STAYS) < share, 1, stay)
