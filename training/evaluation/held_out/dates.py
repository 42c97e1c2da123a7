"""Calendars for the held-out families: days as datetime64[D], their weekdays, months and holidays.

Series begin where the benchmarks in bench/accuracy date a line without dates, so that models that use the calendar see
true dates. They differ in length, so they end in any part of a year.
"""
import numpy as np

FIRST_DAY, FIRST_HOUR, FIRST_MONTH = (np.datetime64(date) for date in ("2000-01-03", "2015-01-05", "1980-01"))
FIXED = ((5, 1), (7, 4), (8, 15), (10, 3), (11, 1), (12, 24), (12, 26), (12, 31))
KEPT_BY_ALL = ((1, 1), (12, 25))
FROM_EASTER = (-2, 1, 39, 50)  # Good Friday, Easter Monday, Ascension, Whit Monday
NTH = ((11, 3, 4), (9, 0, 1), (5, 0, 4), (1, 0, 3))  # month, weekday, which of the month: Thanksgiving and others


def days_on(points: int) -> np.ndarray:
    return FIRST_DAY + np.arange(points)


def hours_on(rng: np.random.Generator, points: int, per_day: int = 24) -> tuple:
    """Days and time of day in hours, from midnight on a Monday of any season."""
    since = np.arange(points)
    return FIRST_HOUR + 7 * int(rng.integers(0, 260)) + since // per_day, since % per_day * (24 / per_day)


def weekdays(days: np.ndarray) -> np.ndarray:
    """Monday is 0."""
    return (days.astype(int) + 3) % 7


def months(days: np.ndarray) -> np.ndarray:
    """January is 0."""
    return days.astype("datetime64[M]").astype(int) % 12


def days_of_month(days: np.ndarray) -> np.ndarray:
    """The first is 1."""
    return (days - days.astype("datetime64[M]")).astype(int) + 1


def days_left(days: np.ndarray) -> np.ndarray:
    """0 on the last day of a month."""
    following = (days.astype("datetime64[M]") + 1).astype("datetime64[D]")
    return (following - days).astype(int) - 1


def turns_of_year(days: np.ndarray) -> np.ndarray:
    """How far the year has passed, 0 to 1."""
    return (days - days.astype("datetime64[Y]")).astype(int) / 365.25


def easter(year: int) -> np.datetime64:
    """Gauss's rule, valid from 1900 to 2099."""
    moon = (19 * (year % 19) + 24) % 30
    sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7
    after = moon + sunday
    if after == 35 or (after == 34 and moon == 28 and year % 19 > 10):
        after -= 7
    return np.datetime64(f"{year}-03-22") + after


def nth(year: int, month: int, weekday: int, which: int) -> np.datetime64:
    first = np.datetime64(f"{year}-{month:02d}-01")
    return first + int((weekday - weekdays(first)) % 7) + 7 * (which - 1)


def holidays(rng: np.random.Generator, days: np.ndarray) -> np.ndarray:
    """Which holiday each day is, counted from 1, or 0. Each call is a country that keeps others."""
    fixed = KEPT_BY_ALL + tuple(date for date in FIXED if rng.random() < 0.4)
    moved = [offset for offset in FROM_EASTER if rng.random() < 0.5]
    counted = [rule for rule in NTH if rng.random() < 0.5]
    found = np.zeros(len(days), dtype=int)
    for year in range(int(str(days[0])[:4]), int(str(days[-1])[:4]) + 1):
        dates = [np.datetime64(f"{year}-{month:02d}-{day:02d}") for month, day in fixed]
        dates += [easter(year) + offset for offset in moved]
        dates += [nth(year, *rule) for rule in counted]
        for code, date in enumerate(dates, start=1):
            found[days == date] = code
    return found


def holiday_effect(rng: np.random.Generator, days: np.ndarray, low: float, high: float) -> np.ndarray:
    """A factor for each day: 1, and on holidays one from `low` to `high`, always the same for the same holiday."""
    effects = np.concatenate([[1.0], rng.uniform(low, high, 24)])
    return effects[holidays(rng, days)]
