"""Records by the hour or faster: a profile of the day, other at weekends, holidays, and days unlike each other."""
import torch

from synthesis.draws import Draws, unit
from synthesis.pieces import multiplied, noise, outliers, smooth_curve, walk, wandering
from synthesis.seasons import cycle_table, phase_index

DAYS = 420  # distinct days kept per row
PER_DAY = (24, 24, 24, 24, 24, 24, 24, 24, 48, 48, 96, 96, 144, 12, 288)


def clock(draws: Draws, rows: int, points: int) -> torch.Tensor:
    per_day = draws.one_of(rows, PER_DAY)
    per_day = torch.where(per_day * 7 > max(points, 170), torch.full_like(per_day, 24), per_day)
    offset = draws.whole(rows, 2016)
    day = torch.floor((draws.time(points) + offset) / per_day).long()
    weekday = torch.remainder(day, 7)
    day = torch.remainder(day, DAYS)

    # Day types: working day, Saturday, Sunday. A holiday is a Sunday that falls on another day.
    closed = draws.constant("weekend", lambda: torch.arange(7) >= 5)
    plain = draws.chance(rows, 0.35)  # no weekend at all
    holiday = draws.uniform(rows, DAYS) < draws.uniform(rows, 1, high=0.04) * draws.chance(rows, 0.4)
    rests = (closed[weekday] & ~plain) | torch.gather(holiday, 1, day)
    size = 48 if points <= 512 else 96
    index = phase_index(draws, per_day, offset, points, size)
    working = cycle_table(draws, rows, size)
    alike, unlike = draws.uniform(rows, 1, low=0.2, high=1.0), draws.uniform(rows, 1, high=0.8)
    resting = alike * working + unlike * working.roll(1, 0)
    resting = resting - draws.normal(rows, 1) * draws.uniform(rows, 1, high=1.2)
    profile = torch.where(rests, torch.gather(resting, 1, index), torch.gather(working, 1, index))
    profile = unit(profile)

    by_weekday = torch.gather(draws.normal(rows, 7), 1, weekday) * draws.sometimes(rows, 0.4, 0.05, 0.5)
    unequal = draws.uniform(rows, 1, high=0.35) * draws.chance(rows, 0.5)
    strength = 1 + torch.gather(draws.normal(rows, DAYS), 1, day) * unequal
    of_day = torch.gather(draws.normal(rows, DAYS), 1, day) * draws.sometimes(rows, 0.4, 0.03, 0.4)
    x = profile * strength + by_weekday + of_day
    x = x + draws.sometimes(rows, 0.5, 0.05, 1) * smooth_curve(draws, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.05, 1) * draws.part(walk, rows, points)
    x = x + draws.log_uniform(rows, 0.004, 0.6) * draws.part(wandering, rows, points)
    x = x + draws.sometimes(rows, 0.6, 0.01, 0.4) * draws.part(noise, rows, points)
    x = x + draws.sometimes(rows, 0.1, 0.3, 1) * outliers(draws, rows, points)
    x = multiplied(draws, x, 0.4)
    # Some never fall below a floor: closed, dark, empty.
    floor = x.mean(-1, keepdim=True) - draws.uniform(rows, 1) * x.std(-1, keepdim=True)
    return torch.where(draws.chance(rows, 0.12), torch.maximum(x, floor), x)
