"""What spreads and saturates: waves, first slow then fast, counted by the day or summed from the beginning."""
import torch

from synthesis.draws import Draws, choose
from synthesis.pieces import noise, settled

WAVES = 5


def epidemic(draws: Draws, rows: int, points: int) -> torch.Tensor:
    daily = waves(draws, rows, points)
    # Growth that follows its own speed: the rate of infection changes slowly, the logarithm is its sum.
    rate = settled(draws, rows, points, 1 - draws.log_uniform(rows, 0.003, 0.05)) * draws.log_uniform(rows, 0.01, 0.12)
    path = torch.cumsum(rate, -1)
    free = torch.exp((path - path.amax(-1, keepdim=True)).clamp(min=-14))
    daily = torch.where(draws.chance(rows, 0.35), free, daily)
    daily = daily * draws.log_uniform(rows, 5, 1e5)

    # Reports: fewer at weekends, caught up on later; counted with chance, more than Poisson's in some.
    week = torch.exp(draws.normal(rows, 7) * draws.sometimes(rows, 0.6, 0.05, 0.6))
    weekday = torch.remainder(draws.time(points) + draws.whole(rows, 7), 7).long()
    crowding = torch.exp(draws.sometimes(rows, 0.7, 0.02, 0.4) * draws.part(noise, rows, points))
    mean = (daily * torch.gather(week, 1, weekday) * crowding).clamp(max=1e6)
    counted = torch.poisson(mean, generator=draws.generator)
    reported = torch.where(draws.chance(rows, 0.7), counted, mean)
    summed = torch.cumsum(reported, -1)
    share = summed / summed[:, -1:].clamp(min=1e-6)
    return choose(draws.kind(rows, 0.45, 0.45, 0.1), reported, summed, share)


def waves(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """A few waves (rows, points), the largest about 1 high; each rises and falls at a pace of its own."""
    time = draws.time(points)
    total = torch.zeros(rows, points, device=draws.device)
    for wave in range(WAVES):
        there = draws.chance(rows, 0.35) if wave else torch.ones(rows, 1, dtype=torch.bool, device=draws.device)
        middle = draws.uniform(rows, 1, low=-0.1, high=1.4) * points
        rise = draws.log_uniform(rows, 2.0, max(6.0, points / 6))
        fall = rise * draws.log_uniform(rows, 0.6, 4)
        distance = time - middle
        log_height = torch.where(distance < 0, distance / rise, -distance / fall)
        # Smooth at the top: the logarithm of a wave is a hyperbola between its two slopes.
        top = draws.log_uniform(rows, 0.3, 3)
        smooth = -torch.sqrt(log_height**2 + top**2) + top
        total = total + there * torch.exp(smooth.clamp(min=-30)) * draws.log_uniform(rows, 0.1, 1)
    return total
