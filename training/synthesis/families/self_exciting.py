"""Events that bring about others: counts in bursts that feed themselves, with a rate that has hours and weeks."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import convolved, smooth_curve
from synthesis.seasons import any_season

GENERATIONS = 6


def self_exciting(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """A Hawkes process in its branching form: each generation is drawn from the one before it, exactly."""
    tilt = draws.sometimes(rows, 0.6, 0.2, 1.2) * draws.part(any_season, rows, points)
    tilt = tilt + draws.sometimes(rows, 0.4, 0.2, 1.0) * smooth_curve(draws, rows, points)
    rate = draws.log_uniform(rows, 0.01, 8) * torch.exp(tilt.clamp(-5, 3))
    born = torch.poisson(rate.clamp(max=500), generator=draws.generator)
    total = born
    children = draws.uniform(rows, 1, low=0.2, high=0.95)
    lag = draws.time(points)
    pace = draws.log_uniform(rows, 0.7, 25)
    quick = torch.exp(-lag / pace) * (lag > 0)
    heavy = (lag > 0) / (1 + lag / pace) ** 2
    kernel = torch.where(draws.chance(rows, 0.6), quick, heavy)
    kernel = children * kernel / kernel.sum(-1, keepdim=True).clamp(min=1e-6)
    for _ in range(GENERATIONS):
        mean = convolved(born, kernel).clamp(min=0, max=5e3)
        # The transform leaves traces of rounding where nothing was born.
        born = torch.poisson(torch.where(mean < 1e-4, torch.zeros_like(mean), mean), generator=draws.generator)
        total = total + born
    marks = torch.exp(draws.normal(rows, points) * draws.sometimes(rows, 0.3, 0.1, 1.0))
    return total * marks
