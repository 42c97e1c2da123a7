"""Loads and traffic by the hour or faster: one profile for each weekday, made from a few, driven by a slow weather."""
import torch

from synthesis.draws import Draws, unit
from synthesis.pieces import multiplied, noise, settled, smooth_curve, wandering
from synthesis.seasons import cycle_table, phase_index

PER_DAY = (24, 24, 24, 24, 24, 24, 48, 96, 12)
DAYS = 420
SLOTS = 96


def load(draws: Draws, rows: int, points: int) -> torch.Tensor:
    per_day = draws.one_of(rows, PER_DAY)
    per_day = torch.where(per_day * 14 > max(points, 340), torch.full_like(per_day, 24), per_day)
    offset = draws.whole(rows, 2016)
    day = torch.floor((draws.time(points) + offset) / per_day).long()
    weekday, day = torch.remainder(day, 7), torch.remainder(day, DAYS)
    holiday = draws.uniform(rows, DAYS) < draws.uniform(rows, 1, high=0.03) * draws.chance(rows, 0.3)
    weekday = torch.where(torch.gather(holiday, 1, day), torch.full_like(weekday, 6), weekday)

    # A weekday's profile is a mixture of two: that of work, that of rest. Each weekday adds a little of its own.
    slot = phase_index(draws, per_day, offset, points, SLOTS)
    work, rest = peaks(draws, rows), peaks(draws, rows)
    rest = rest + draws.uniform(rows, 1, low=0.0, high=2.0) * work
    share = weekday_shares(draws, rows)
    part = torch.gather(share, 1, weekday)
    profile = (1 - part) * torch.gather(work, 1, slot) + part * torch.gather(rest, 1, slot)
    own = draws.normal(rows, 7) * draws.sometimes(rows, 0.5, 0.02, 0.3)
    profile = unit(profile) * (1 + torch.gather(own, 1, weekday))

    # Weather moves slowly, has days of its own and, in some, a yearly turn; it counts more by day than by night.
    weather = weather_of(draws, rows, points, per_day, day)
    answer = 1 + draws.uniform(rows, 1, low=-0.5, high=0.8) * torch.tanh(profile)
    x = profile + weather * answer * draws.sometimes(rows, 0.7, 0.05, 1.0)
    x = x + draws.log_uniform(rows, 0.005, 0.3) * draws.part(wandering, rows, points)
    x = x + draws.sometimes(rows, 0.6, 0.005, 0.2) * draws.part(noise, rows, points)
    x = multiplied(draws, x, 0.5)
    # Empty at night: nothing below a floor.
    floor = torch.quantile(x[:, :2048], 0.35, dim=-1, keepdim=True)
    return torch.where(draws.chance(rows, 0.2), torch.relu(x - floor), x)


def peaks(draws: Draws, rows: int) -> torch.Tensor:
    """(rows, SLOTS): up to three humps of a day, each as wide as it happens to be, or a free profile."""
    slot = draws.constant("slots", lambda: torch.arange(SLOTS).float()[None] / SLOTS)
    total = torch.zeros(rows, SLOTS, device=draws.device)
    for hump in range(3):
        center, width = draws.uniform(rows, 1), draws.log_uniform(rows, 0.02, 0.2)
        distance = torch.remainder(slot - center + 0.5, 1.0) - 0.5
        height = draws.uniform(rows, 1, low=0.3, high=1.5) * (draws.chance(rows, 0.7) if hump else 1.0)
        total = total + height * torch.exp(-0.5 * (distance / width) ** 2)
    return unit(torch.where(draws.chance(rows, 0.7), total, cycle_table(draws, rows, SLOTS)))


def weekday_shares(draws: Draws, rows: int) -> torch.Tensor:
    """(rows, 7): how much of rest is in each weekday; all work in a fifth of the rows."""
    weekend = draws.constant("weekend shares", lambda: torch.tensor([[0.0, 0.0, 0.0, 0.0, 0.15, 0.8, 1.0]]))
    uneven = draws.uniform(rows, 7) * draws.uniform(rows, 1, high=0.3)
    share = (weekend.expand(rows, -1) + uneven).clamp(max=1.0)
    return share * (~draws.chance(rows, 0.2))


def weather_of(draws: Draws, rows: int, points: int, per_day: torch.Tensor, day: torch.Tensor) -> torch.Tensor:
    """Unit scale: a slow curve, fronts that pass within days, and the year."""
    fronts = settled(draws, rows, DAYS, draws.uniform(rows, 1, low=0.3, high=0.97))
    by_day = torch.gather(fronts, 1, day)
    smooth = smooth_curve(draws, rows, points)
    turn = torch.sin(2 * torch.pi * (draws.time(points) / (per_day * 365.25) + draws.uniform(rows, 1)))
    return unit(smooth + draws.sometimes(rows, 0.5, 0.1, 1) * by_day + draws.sometimes(rows, 0.5, 0.5, 3) * turn)
