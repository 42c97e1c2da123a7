"""Mean-reverting diffusions: jumps, a mean that wanders, a clock that runs fast and slow, positive versions."""
import torch

from synthesis.draws import Draws, choose, unit
from synthesis.pieces import noise, persisting, settled, smooth_curve


def diffusion(draws: Draws, rows: int, points: int) -> torch.Tensor:
    reversion = draws.log_uniform(rows, 0.003, 1.0).clamp(max=0.999)
    jumps = draws.events(rows, points, draws.log_uniform(rows, 0.002, 0.05)) * draws.normal(rows, points)
    jumps = torch.where(draws.chance(rows, 0.5), jumps, jumps.abs()) * draws.sometimes(rows, 0.4, 2, 15)
    x = settled(draws, rows, points, 1 - reversion)
    scale = reversion.sqrt()  # of one shock beside the spread of the path
    x = x + persisting(draws, (jumps + 0.3 * draws.part(noise, rows, points)) * scale, 1 - reversion)
    slow = settled(draws, rows, points, 1 - reversion * draws.uniform(rows, 1, low=0.02, high=0.3))
    x = x + draws.sometimes(rows, 0.5, 0.2, 3) * slow
    x = other_clock(draws, x)
    z = unit(x)
    positive = torch.exp(z * draws.log_uniform(rows, 0.1, 1.2))
    squared = (z + draws.uniform(rows, 1, low=0.0, high=2.0)) ** 2
    return choose(draws.kind(rows, 0.5, 0.35, 0.15), z, positive, squared)


def other_clock(draws: Draws, x: torch.Tensor) -> torch.Tensor:
    """A third of the rows runs through its path at a changing speed, so that calm and busy times alternate."""
    rows, points = x.shape
    speed = torch.exp(draws.uniform(rows, 1, low=0.3, high=1.5) * smooth_curve(draws, rows, points))
    place = torch.cumsum(speed, -1)
    index = (place * ((points - 1) / place[:, -1:])).long().clamp(max=points - 1)
    return torch.where(draws.chance(rows, 0.33), torch.gather(x, 1, index), x)
