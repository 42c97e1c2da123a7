"""Records by the day that follow the calendar: births, withdrawals of cash; and sums of such days by the week."""
import numpy as np

from evaluation.held_out.dates import days_left, days_of_month, days_on, holiday_effect, months
from evaluation.held_out.dates import turns_of_year, weekdays
from evaluation.held_out.pieces import autoregression, counts, log_uniform, stretches, walk, wave

SATURDAY = 5


def births(rng: np.random.Generator, points: int) -> np.ndarray:
    """Births a day: fewer at weekends, more so every year; a wave of the year; holidays; a slow trend."""
    days = days_on(points)
    years = np.arange(points) / 365.25
    fewer = np.array([0.0, 0.03, 0.02, 0.02, 0.01, -0.15, -0.25]) * rng.uniform(0.3, 1.6) + rng.normal(0, 0.01, 7)
    week = fewer[weekdays(days)] * (1 + rng.uniform(0, 0.05) * years)
    year = wave(rng, turns_of_year(days), 3) * rng.uniform(0.02, 0.06)
    trend = rng.normal(0, 0.01) * years + walk(rng, points) * 0.0008
    rest = holiday_effect(rng, days, 0.65, 0.95)
    mean = log_uniform(rng, 100, 10000) * np.exp(week + year + trend) * rest
    return counts(rng, mean, rng.uniform(0, 0.001))


def cash(rng: np.random.Generator, points: int) -> np.ndarray:
    """Cash taken from a machine each day: week, paydays, month, holidays; zero while the machine is closed."""
    days = days_on(points)
    week = np.exp(rng.normal(0, 0.3, 7) + np.array([0, 0, 0, 0.1, 0.3, 0.1, -0.3]) * rng.uniform(0, 1.5))
    payday = int(rng.choice([1, 10, 15, 25, 28]))
    since = (days_of_month(days) - payday) % 30
    paid = 1 + rng.uniform(0, 0.6) * np.exp(-since / rng.uniform(1, 5)) + rng.uniform(0, 0.3) * (days_left(days) < 2)
    month = np.exp(rng.normal(0, 0.08, 12))[months(days)]
    year = 1 + rng.uniform(0, 0.4) * (turns_of_year(days) > 0.93)
    noise = autoregression(rng, points, rng.uniform(0, 0.5)) * rng.uniform(0.1, 0.35)
    level = walk(rng, points) * rng.uniform(0, 0.012)
    x = rng.uniform(5, 40) * week[weekdays(days)] * paid * month * year * np.exp(noise + level)
    x = x * holiday_effect(rng, days, 0.1, 1.2)
    x[stretches(rng, points, rng.uniform(0, 0.01), 4)] = 0.0
    return np.round(x, 2)


def weekly_sums(rng: np.random.Generator, points: int) -> np.ndarray:
    """Weekly sums of days: working days, paydays, the year, and holidays that fall into another week each year."""
    days = days_on(7 * points)
    week = np.where(weekdays(days) >= SATURDAY, rng.uniform(0, 1.5), 1.0)
    week = week * np.exp(rng.normal(0, 0.1, 7))[weekdays(days)]
    year = wave(rng, turns_of_year(days), 4) * rng.uniform(0.03, 0.3)
    before_christmas = 1 + rng.uniform(0, 1.0) * ((turns_of_year(days) > 0.91) & (turns_of_year(days) < 0.98))
    paid = 1 + rng.uniform(0, 0.5) * (days_left(days) < 3)
    rest = holiday_effect(rng, days, 0.0, 0.8)
    level = rng.normal(0, 0.03) * np.arange(7 * points) / 365.25 + walk(rng, 7 * points) * rng.uniform(0, 0.004)
    noise = autoregression(rng, 7 * points, rng.uniform(0.3, 0.9)) * rng.uniform(0.02, 0.1)
    x = week * before_christmas * paid * rest * np.exp(year + level + noise)
    return np.round(log_uniform(rng, 10, 1000) * x.reshape(points, 7).sum(1), 1)
