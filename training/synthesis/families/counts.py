"""Whole numbers: events counted at a rate that has trend, season and memory."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import trend, walk, wandering
from synthesis.seasons import any_season


def counts(draws: Draws, rows: int, points: int) -> torch.Tensor:
    x = draws.sometimes(rows, 0.4, 0.1, 0.8) * draws.part(trend, rows, points)
    x = x + draws.sometimes(rows, 0.35, 0.1, 0.8) * draws.part(walk, rows, points)
    x = x + draws.sometimes(rows, 0.7, 0.1, 1.2) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.1, 0.6) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.5, 0.1, 0.6) * draws.part(wandering, rows, points)
    crowding = draws.sometimes(rows, 0.5, 0.05, 0.6) * draws.normal(rows, points)
    rate = draws.log_uniform(rows, 0.3, 500) * torch.exp((x + crowding).clamp(-6, 4))
    return torch.poisson(rate.clamp(max=2e4), generator=draws.generator)
