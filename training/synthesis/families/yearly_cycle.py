"""Records by the day, week or month, with the year in them: 7 and 365, 52, or 12 with its working days."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import multiplied, noise, outliers, trend, walk, wandering
from synthesis.seasons import season

MONTHS = 4800


def yearly_cycle(draws: Draws, rows: int, points: int) -> torch.Tensor:
    # What a point stands for: a day, a week or a month.
    kind = draws.kind(rows, 0.4, 0.4, 0.2)
    year = draws.constant("year", lambda: torch.tensor([365.25, 52.18, 12.0]))[kind]
    of_year, week = season(draws, 2 * rows, points, torch.cat([year, torch.full_like(year, 7)])).chunk(2)
    x = draws.sometimes(rows, 0.8, 0.1, 2) * of_year
    x = x + (kind == 0) * draws.sometimes(rows, 0.8, 0.1, 2) * week
    x = x + (kind == 2) * draws.sometimes(rows, 0.6, 0.1, 0.6) * working_days(draws, rows, points)
    x = x + draws.sometimes(rows, 0.5, 0.1, 3) * draws.part(trend, rows, points)
    x = x + draws.sometimes(rows, 0.7, 0.1, 3) * draws.part(walk, rows, points)
    x = x + draws.sometimes(rows, 0.5, 0.05, 0.8) * draws.part(wandering, rows, points)
    x = x + draws.log_uniform(rows, 0.02, 0.8) * draws.part(noise, rows, points)
    x = x + draws.sometimes(rows, 0.15, 0.3, 1) * outliers(draws, rows, points)
    return multiplied(draws, x, 0.5)


def working_days(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Months differ in how many of each weekday they hold; each weekday counts for something else."""
    table = draws.constant("weekdays of months", weekdays_of_months)
    first = (draws.uniform(rows, 1) * (MONTHS - points)).long().clamp(min=0)
    month = (first + draws.time(points).long()).clamp(max=MONTHS - 1)
    worth = draws.normal(rows, 7)
    worth = torch.where(draws.chance(rows, 0.6), torch.cat([worth[:, :1].expand(-1, 5), worth[:, 5:]], 1), worth)
    return (table[month] * worth[:, None, :]).sum(-1)


def weekdays_of_months() -> torch.Tensor:
    """(months, 7): how many of each weekday, beyond the four that every month has."""
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    table, weekday = torch.zeros(MONTHS, 7), 0
    for month in range(MONTHS):
        leap = month % 12 == 1 and month // 12 % 4 == 3
        days = lengths[month % 12] + leap
        for extra in range(days - 28):
            table[month, (weekday + extra) % 7] += 1
        weekday = (weekday + days) % 7
    return table
