"""The calendar, day by day: what each day of 120 years is, as tables on the device."""
import torch

from synthesis.draws import Draws

FIRST_YEAR, YEARS = 1960, 120
FIRST_WEEKDAY = 4  # the first of January 1960 was a Friday; Monday is 0
MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# The days around Easter that can differ from others, Pentecost and Corpus Christi among them.
AROUND_EASTER = 140
PLACES_IN_MONTH = 12 * 5 * 7


def calendar(draws: Draws) -> dict:
    """By name, a row of whole numbers: one for each day of many years."""
    return {name: draws.constant(("day", name), lambda name=name: table_of_days()[name]) for name in NAMES}


NAMES = ("weekday", "of_year", "of_month", "to_month_end", "month", "from_easter", "place_in_month")
_TABLES: dict = {}


def table_of_days() -> dict:
    """Made once for the process."""
    if not _TABLES:
        rows: dict = {name: [] for name in NAMES}
        weekday = FIRST_WEEKDAY
        for year in range(YEARS):
            leap = year % 4 == 0
            easter, of_year = easter_day(FIRST_YEAR + year), 0
            for month, length in enumerate(MONTH_LENGTHS):
                length += leap and month == 1
                for day in range(length):
                    # The 29th of February shares the place of the 28th, so that dates keep theirs in every year.
                    place = sum(MONTH_LENGTHS[:month]) + min(day, MONTH_LENGTHS[month] - 1)
                    rows["weekday"].append(weekday)
                    rows["of_year"].append(place)
                    rows["of_month"].append(day)
                    rows["to_month_end"].append(length - 1 - day)
                    rows["month"].append(month)
                    rows["from_easter"].append(min(max(of_year - easter + 70, 0), AROUND_EASTER - 1))
                    rows["place_in_month"].append((month * 5 + day // 7) * 7 + weekday)
                    weekday = (weekday + 1) % 7
                    of_year += 1
        _TABLES.update({name: torch.tensor(values) for name, values in rows.items()})
    return _TABLES


def easter_day(year: int) -> int:
    """The day of the year of Easter Sunday, from 0 (Gauss's rule as Meeus gives it)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = b // 4, b % 4
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    leap = year % 4 == 0
    return sum(MONTH_LENGTHS[: month - 1]) + (leap and month > 2) + day
