"""Records of days and weeks that follow the calendar: weekdays, seasons, holidays by date and by weekday, paydays."""
import torch

from synthesis.days import AROUND_EASTER, PLACES_IN_MONTH, calendar as days_of
from synthesis.draws import Draws, unit
from synthesis.pieces import level_shifts, multiplied, noise, outliers, smooth_curve, trend, walk, wandering
from synthesis.seasons import cycle_table

MAX_DAYS = 8192  # a week is the sum of its days, so long rows of weeks would need too many


def calendar(draws: Draws, rows: int, points: int) -> torch.Tensor:
    weeks = int(rows * 0.3) if points * 7 <= MAX_DAYS else 0
    of_days = pattern(draws, rows - weeks, points)
    if weeks:
        sums = pattern(draws, weeks, points * 7).unflatten(-1, (points, 7)).sum(-1)
        of_days = torch.cat([of_days, sums])
    x = unit(of_days)
    x = x + draws.sometimes(rows, 0.5, 0.1, 2) * draws.part(trend, rows, points)
    x = x + draws.sometimes(rows, 0.6, 0.05, 1.5) * draws.part(walk, rows, points)
    x = x + draws.sometimes(rows, 0.6, 0.03, 0.5) * draws.part(wandering, rows, points)
    x = x + draws.log_uniform(rows, 0.02, 0.6) * draws.part(noise, rows, points)
    x = x + draws.sometimes(rows, 0.1, 0.3, 2) * level_shifts(draws, rows, points)
    x = x + draws.sometimes(rows, 0.1, 0.3, 1.5) * outliers(draws, rows, points)
    x = multiplied(draws, x, 0.5)
    # Closed days: what is lowest becomes nothing.
    lowest = torch.quantile(x[:, : 2048], 0.02, dim=-1, keepdim=True)
    closing = draws.chance(rows, 0.08)
    return torch.where(closing, torch.where(x <= lowest, torch.zeros_like(x), x - lowest), x)


def pattern(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """What the calendar says of each day. Unequal parts, each there or not."""
    table = days_of(draws)
    total = table["weekday"].shape[0]
    first = (draws.uniform(rows, 1) * (total - points)).long()
    day = first + draws.time(points).long()

    def of(name: str) -> torch.Tensor:
        return table[name][day]

    weekday = of("weekday")
    week = torch.gather(weekday_effects(draws, rows), 1, weekday)
    # In some the year changes how large the week is.
    of_year = of("of_year")
    year = torch.gather(yearly_effects(draws, rows), 1, of_year)
    week_size = draws.sometimes(rows, 0.85, 0.2, 2)
    sway = draws.uniform(rows, 1, high=0.5) * draws.chance(rows, 0.3)
    fading = 1 + draws.uniform(rows, 1, high=0.6) * draws.chance(rows, 0.4) * torch.tanh(smooth_curve(draws, rows, points))
    x = week * week_size * fading * (1 + sway * year)
    x = x + year * draws.sometimes(rows, 0.8, 0.1, 2)

    rest = holidays(draws, rows, of_year, of("place_in_month"), of("from_easter"))
    # A holiday that falls on a weekend counts less.
    at_weekend = torch.where(weekday >= 5, draws.uniform(rows, 1, low=0.0, high=1.0), torch.ones_like(rest))
    size = (week_size + 0.3) * draws.sometimes(rows, 0.75, 0.3, 3)
    x = x - rest * at_weekend * size * torch.where(draws.chance(rows, 0.85), 1.0, -1.0)

    months = torch.gather(draws.normal(rows, 12), 1, of("month"))
    x = x + months * draws.sometimes(rows, 0.25, 0.1, 1)
    return x + month_days(draws, rows, of("of_month"), of("to_month_end")) * draws.sometimes(rows, 0.3, 0.1, 1.5)


def weekday_effects(draws: Draws, rows: int) -> torch.Tensor:
    """(rows, 7): working days more or less alike and a weekend, or seven unlike days."""
    unlike = draws.normal(rows, 7)
    alike = draws.uniform(rows, 1, high=0.4) * unlike
    weekend = draws.constant("weekend", lambda: torch.arange(7) >= 5)
    usual = alike + weekend * (draws.normal(rows, 1) - 1.5 * draws.chance(rows, 0.7))
    return unit(torch.where(draws.chance(rows, 0.6), usual, unlike))


def yearly_effects(draws: Draws, rows: int) -> torch.Tensor:
    """(rows, 365): mostly smooth; the last entry joins the first."""
    table = cycle_table(draws, rows, 365)
    waves = torch.fft.rfft(table)
    order = draws.constant("orders of the year", lambda: torch.arange(183).float()[None])
    smooth = torch.exp(-((order / draws.log_uniform(rows, 2, 30)) ** 2))
    return unit(torch.where(draws.chance(rows, 0.85), torch.fft.irfft(waves * smooth, n=365), table))


def holidays(
    draws: Draws, rows: int, of_year: torch.Tensor, place_in_month: torch.Tensor, from_easter: torch.Tensor
) -> torch.Tensor:
    """About 1 on a holiday. Dates, weekdays of a month, days counted from Easter; some with the days around them."""
    count = draws.log_uniform(rows, 1, 14)

    def some(places: int, share: float) -> torch.Tensor:
        chosen = draws.events(rows, places, share * count / places)
        return chosen * torch.exp(0.5 * draws.normal(rows, places))

    by_date = some(365, 0.6)
    near, after = draws.uniform(rows, 1, low=-0.2, high=0.6), draws.uniform(rows, 1, low=-0.3, high=0.5)
    spreads = draws.chance(rows, 0.4)
    by_date = by_date + spreads * (near * by_date.roll(-1, 1) + after * by_date.roll(1, 1))
    # The weeks around the end of the year are quiet in some.
    quiet = draws.constant("quiet weeks", quiet_weeks)
    by_date = by_date + quiet * draws.sometimes(rows, 0.3, 0.2, 1.0)
    by_weekday = some(PLACES_IN_MONTH, 5 * 0.4)
    feast = some(AROUND_EASTER, 3.0) * draws.chance(rows, 0.4)
    feast = torch.cat([torch.zeros_like(feast[:, :1]), feast[:, 1:-1], torch.zeros_like(feast[:, :1])], 1)
    rest = torch.gather(by_date, 1, of_year) + torch.gather(feast, 1, from_easter)
    return rest + torch.gather(by_weekday, 1, place_in_month)


def quiet_weeks() -> torch.Tensor:
    """(1, 365): 1 from the 23rd of December to the 2nd of January."""
    table = torch.zeros(1, 365)
    table[:, 356:] = 1.0
    table[:, :2] = 1.0
    return table


def month_days(draws: Draws, rows: int, of_month: torch.Tensor, to_month_end: torch.Tensor) -> torch.Tensor:
    """Paydays and closings: a peak that dies away after a day of the month, or that grows towards its end."""
    pay, fading = draws.whole(rows, 28), draws.log_uniform(rows, 0.5, 8)
    since = torch.remainder(of_month - pay, 31)
    peak = torch.exp(-since / fading)
    closing = torch.exp(-to_month_end / fading)
    free = torch.gather(draws.normal(rows, 31), 1, of_month)
    which = draws.kind(rows, 0.4, 0.3, 0.3)
    return torch.where(which == 0, 2 * peak, torch.where(which == 1, 2 * closing, free))
