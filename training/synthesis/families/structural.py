"""Trend, walk, up to two seasons, colored and plain noise, shocks: each there or not, in any proportion."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import changing_noise, colored, multiplied, outliers, trend, walk
from synthesis.seasons import any_season


def structural(draws: Draws, rows: int, points: int) -> torch.Tensor:
    x = draws.sometimes(rows, 0.6, 0.1, 3) * draws.part(trend, rows, points)
    x = x + draws.sometimes(rows, 0.4, 0.1, 3) * draws.part(walk, rows, points)
    x = x + draws.sometimes(rows, 0.7, 0.1, 3) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.1, 2) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.05, 1.5) * colored(draws, rows, points)
    x = x + draws.log_uniform(rows, 0.01, 1.2) * changing_noise(draws, rows, points)
    x = x + draws.sometimes(rows, 0.15, 0.2, 1.0) * outliers(draws, rows, points)
    return multiplied(draws, x)
