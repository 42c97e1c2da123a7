"""Two or three seasons, one within the other, mostly with little noise: days in weeks, weeks in years, faster clocks."""
import torch

from synthesis.draws import Draws, unit
from synthesis.pieces import changing_noise, colored, multiplied, noise, smooth_curve, trend, walk, wandering
from synthesis.seasons import cycle_table, evolving_season, phase_index, table_size

# A cycle, one that contains it, and one beyond that.
NESTS = (
    (24, 168, 8766), (24, 168, 8766), (24, 168, 8766), (24, 168, 672), (48, 336, 17532), (96, 672, 2880), (12, 84, 365),
    (144, 1008, 4320), (60, 1440, 10080), (288, 2016, 8766), (7, 365.25, 30.44), (7, 365.25, 91.31), (7, 28, 365.25),
    (5, 21, 252), (4, 12, 52), (13, 52.18, 4.35), (4.35, 52.18, 13.04), (10, 60, 600), (6, 24, 144), (8, 56, 240),
)

def nested(draws: Draws, rows: int, points: int) -> torch.Tensor:
    nests = draws.constant("nests", lambda: torch.tensor(NESTS))[draws.whole(rows, len(NESTS))[:, 0]]
    # Cycles that a row cannot show twice give way to the day in the week.
    usual = draws.constant("day in week", lambda: torch.tensor([[24.0, 168.0, 8766.0]]))
    short = draws.constant("short nest", lambda: torch.tensor([[4.0, 12.0, 52.18]]))
    nests = torch.where(nests[:, 1:2] * 2 > points, usual if points >= 400 else short, nests)
    fast, slow, long = nests[:, :1], nests[:, 1:2], nests[:, 2:]
    offset = torch.floor(draws.uniform(rows, 1) * 10_000)

    size = table_size(points)
    profile = torch.gather(cycle_table(draws, rows, size), 1, phase_index(draws, fast, offset, points, size))
    of_slow = torch.gather(cycle_table(draws, rows, 384), 1, phase_index(draws, slow, offset, points, 384))
    # Each turn of the fast cycle within the slow one has a size and a level of its own: days of the week.
    turn = torch.floor(torch.remainder(draws.time(points) + offset + 0.3719, slow) / fast).long().clamp(max=63)
    sizes = 1 + draws.normal(rows, 64) * draws.sometimes(rows, 0.6, 0.05, 0.6)
    levels = draws.normal(rows, 64) * draws.sometimes(rows, 0.6, 0.05, 0.8)
    x = profile * torch.gather(sizes, 1, turn) + torch.gather(levels, 1, turn)
    x = x + of_slow * draws.sometimes(rows, 0.5, 0.1, 1)
    # The longest cycle, as a slow wave, moves the level and in some the size.
    angle = 2 * torch.pi * (draws.time(points) / long + draws.uniform(rows, 1))
    wave = torch.sin(angle) + draws.uniform(rows, 1, high=0.5) * torch.sin(2 * angle + 6.28 * draws.uniform(rows, 1))
    x = x * (1 + draws.sometimes(rows, 0.4, 0.05, 0.5) * wave) + wave * draws.sometimes(rows, 0.6, 0.1, 2)

    change = draws.chance(rows, 0.3) * draws.uniform(rows, 1, low=0.1, high=0.6)
    x = x * (1 + change * torch.tanh(smooth_curve(draws, rows, points)))
    x = unit(x) + draws.sometimes(rows, 0.3, 0.03, 0.4) * evolving_season(draws, rows, points, fast)
    x = x + draws.sometimes(rows, 0.3, 0.05, 1) * draws.part(trend, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.03, 0.6) * draws.part(walk, rows, points)
    x = x + draws.sometimes(rows, 0.4, 0.02, 0.4) * colored(draws, rows, points)
    x = x + draws.log_uniform(rows, 0.004, 0.4) * torch.where(
        draws.chance(rows, 0.5), draws.part(wandering, rows, points), changing_noise(draws, rows, points)
    )
    x = x + draws.sometimes(rows, 0.3, 0.004, 0.2) * draws.part(noise, rows, points)
    x = multiplied(draws, x, 0.4)
    floor = x.mean(-1, keepdim=True) - draws.uniform(rows, 1) * x.std(-1, keepdim=True)
    return torch.where(draws.chance(rows, 0.12), torch.maximum(x, floor), x)
