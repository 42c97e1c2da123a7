"""Series that are broken: level shifts, bends, shocks that fade, outliers, noise that changes its size at once."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import level_shifts, multiplied, noise, outliers, persisting, trend, wandering
from synthesis.seasons import any_season


def breaks(draws: Draws, rows: int, points: int) -> torch.Tensor:
    x = draws.sometimes(rows, 0.85, 0.5, 4) * level_shifts(draws, rows, points)
    x = x + draws.sometimes(rows, 0.35, 0.3, 3) * draws.part(trend, rows, points)
    rare = draws.events(rows, points, draws.log_uniform(rows, 0.5, 6) / points) * draws.normal(rows, points)
    x = x + draws.sometimes(rows, 0.3, 1, 5) * persisting(draws, rare, 1 - draws.log_uniform(rows, 0.02, 0.4))
    x = x + draws.sometimes(rows, 0.4, 0.2, 2) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.2, 1) * outliers(draws, rows, points)
    size = torch.exp(0.7 * level_shifts(draws, rows, points).clamp(-3, 3) * draws.chance(rows, 0.3))
    color = draws.part(wandering, rows, points)
    unrest = torch.where(draws.chance(rows, 0.5), color, draws.part(noise, rows, points))
    return multiplied(draws, x + draws.log_uniform(rows, 0.03, 0.6) * size * unrest, 0.3)
