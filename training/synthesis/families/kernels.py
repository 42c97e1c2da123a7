"""Paths of up to four kernels, put together at random by sums and products, with points where one gives way."""
import torch

from synthesis.draws import Draws, choose, unit
from synthesis.families.gaussian_process import kernel_path
from synthesis.pieces import multiplied
from synthesis.seasons import any_period, any_season, evolving_season


def kernels(draws: Draws, rows: int, points: int) -> torch.Tensor:
    x = one(draws, rows, points)
    for _ in range(3):
        other = one(draws, rows, points)
        together = choose(
            draws.kind(rows, 0.3, 0.35, 0.2, 0.15), x, x + draws.log_uniform(rows, 0.2, 3) * other,
            unit(x) * (1 + draws.uniform(rows, 1, low=0.2, high=1.0) * other), passing(draws, x, other),
        )
        x = unit(together)
    return multiplied(draws, x + draws.log_uniform(rows, 0.003, 0.5) * draws.normal(rows, points), 0.3)


def one(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Unit scale: smooth or rough, a season that repeats or that is born anew, a line."""
    line = unit(draws.time(points).expand(rows, -1)) * draws.sign(rows)
    period = any_period(draws, rows, points)
    return choose(
        draws.kind(rows, 0.4, 0.3, 0.2, 0.1), draws.part(kernel_path, rows, points),
        draws.part(any_season, rows, points), evolving_season(draws, rows, points, period), line,
    )


def passing(draws: Draws, x: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """From one path to another around a point in time, at once or slowly."""
    rows, points = x.shape
    place = draws.uniform(rows, 1) * points
    share = torch.sigmoid((draws.time(points) - place) / draws.log_uniform(rows, 0.5, points / 8))
    return x + share * (other - x)
