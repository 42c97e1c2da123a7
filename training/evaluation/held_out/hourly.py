"""Records by the hour that follow people: electricity, road traffic, requests to a web site."""
import numpy as np

from evaluation.held_out.dates import holidays, hours_on, turns_of_year, weekdays
from evaluation.held_out.pieces import autoregression, bump, bursts, counts, log_uniform, stretches, walk

HOURS = np.arange(24)
SATURDAY, SUNDAY, FRIDAY = 5, 6, 4


def electricity(rng: np.random.Generator, points: int) -> np.ndarray:
    """Load of a grid: morning and evening peaks by weekday, a level that follows the temperature, little noise."""
    days, hour = hours_on(rng, points)
    load = load_by_weekday(rng)[as_sunday(rng, days), hour.astype(int)]
    warmth = rng.uniform(5, 18) - rng.uniform(4, 14) * np.cos(2 * np.pi * (turns_of_year(days) - 0.05))
    warmth = warmth + rng.uniform(2, 5) * autoregression(rng, points, rng.uniform(0.985, 0.997))
    warmth = warmth - rng.uniform(1, 5) * np.cos(2 * np.pi * (hour - 3) / 24)
    heating = rng.uniform(0.0, 0.02) * np.maximum(15 - warmth, 0)
    cooling = rng.uniform(0.0, 0.04) * np.maximum(warmth - 21, 0)
    noise = autoregression(rng, points, rng.uniform(0.5, 0.95)) * log_uniform(rng, 0.005, 0.04)
    return np.round(log_uniform(rng, 100, 20000) * load * (1 + heating + cooling) * np.exp(noise), 1)


def load_by_weekday(rng: np.random.Generator) -> np.ndarray:
    """(7, 24): peaks come later and lower at weekends, the evening of Friday is weaker, Monday begins low."""
    morning, evening = rng.uniform(7, 9.5), rng.uniform(17.5, 20.5)
    high, higher, plateau = rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.7), rng.uniform(0.1, 0.6)
    rest, wide = rng.uniform(0.3, 0.9), rng.uniform(1.5, 3)
    table = np.zeros((7, 24))
    for weekday in range(7):
        weekend = weekday >= SATURDAY
        calm, later = (rest if weekend else 1.0), (rng.uniform(0.5, 2.5) if weekend else rng.normal(0, 0.15))
        table[weekday] = 1 + calm * high * bump(HOURS, morning + later, 1.5) + calm * plateau * bump(HOURS, 13, 4)
        evenings = 0.8 if weekday == FRIDAY else 1.0
        table[weekday] += higher * evenings * bump(HOURS, evening + rng.normal(0, 0.3), wide)
    table[0] -= rng.uniform(0, 0.1) * bump(HOURS, 3, 3)
    table[SUNDAY] *= rng.uniform(0.85, 1.0)
    return table


def as_sunday(rng: np.random.Generator, days: np.ndarray) -> np.ndarray:
    """Weekdays, where a holiday is a Sunday."""
    return np.where(holidays(rng, days) > 0, SUNDAY, weekdays(days))


def traffic(rng: np.random.Generator, points: int) -> np.ndarray:
    """Share of time a road is occupied: sharp peaks of commuters, almost nothing at night, incidents."""
    days, hour = hours_on(rng, points)
    weekday = as_sunday(rng, days)
    table = np.zeros((7, 24))
    into, out = rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)  # a road leads into town, out of it or both
    arrive, leave, sharp = rng.uniform(6.5, 9), rng.uniform(15.5, 18), rng.uniform(0.6, 1.2)
    for day in range(SATURDAY):
        early = rng.uniform(0.5, 1.5) if day == FRIDAY else 0.0
        table[day] = into * bump(HOURS, arrive, sharp) + out * bump(HOURS, leave - early, 1.3 * sharp)
    table[:SATURDAY] += rng.uniform(0.1, 0.4) * bump(HOURS, 12.5, 3)
    for day in (SATURDAY, SUNDAY):
        table[day] = rng.uniform(0.15, 0.6) * bump(HOURS, rng.uniform(12, 16), 3)
    x = rng.uniform(0.002, 0.01) + table[weekday, hour.astype(int)]
    x = x * np.where(stretches(rng, points, rng.uniform(0, 0.015), 4), rng.uniform(0.3, 3, points), 1.0)
    noise = autoregression(rng, points, rng.uniform(0.2, 0.8)) * rng.uniform(0.04, 0.2)
    return np.round(np.minimum(log_uniform(rng, 0.05, 0.4) * x * np.exp(noise), 1.0), 4)


def requests(rng: np.random.Generator, points: int) -> np.ndarray:
    """Counts of web requests: the day and the week of the visitors, growth, bursts when a page gets known."""
    days, hour = hours_on(rng, points)
    awake = 0.1 + bump(hour, rng.uniform(10, 21), rng.uniform(3, 5)) + 0.5 * bump(hour, rng.uniform(8, 13), 2)
    week = np.where(weekdays(days) >= SATURDAY, rng.uniform(0.4, 1.4), 1.0)
    growth = np.arange(points) * rng.normal(0.0002, 0.0006) + walk(rng, points) * rng.uniform(0, 0.01)
    sudden = bursts(rng, points, rng.uniform(0, 0.01), rng.uniform(0.5, 3), rng.uniform(0.5, 0.95))
    return counts(rng, log_uniform(rng, 1, 300) * awake * week * np.exp(growth) * (1 + sudden), rng.uniform(0, 0.1))


def regular(rng: np.random.Generator, points: int) -> np.ndarray:
    """A machine's day and week, nearly the same every time: what a forecast misses here it has copied badly."""
    days, hour = hours_on(rng, points)
    free = rng.standard_normal(24) if rng.random() < 0.5 else rng.uniform(0.5, 2) * bump(HOURS, rng.uniform(0, 24), 4)
    sizes, levels = 1 + rng.uniform(0, 0.5) * rng.standard_normal(7), rng.uniform(0, 0.6) * rng.standard_normal(7)
    week = sizes[:, None] * free + levels[:, None]
    x = week[weekdays(days), hour.astype(int)]
    return 100 + 10 * (x + np.std(week) * log_uniform(rng, 0.001, 0.03) * rng.standard_normal(points))
