"""Simulated series of the kinds that real files here lack, or have few of, to score on.

Plain numpy recursions that share nothing with the generators of training, so that a fault there shows here. They say
which kinds of series a network handles; real series decide how well.
"""
from typing import Callable, NamedTuple

import numpy as np

from evaluation.held_out import business, daily, demand, hourly, instruments, simple
from evaluation.held_out.pieces import with_gaps
from evaluation.series_file import Series

SIMPLE_COUNT, COUNT, SEED = 150, 100, 20


class Family(NamedTuple):
    name: str
    period: str  # as files of series name it
    season: int
    horizon: int
    rows: tuple  # the fewest and the most of a history
    generate: Callable
    gaps: float = 0.0  # the largest share of missing values


FAMILIES = (
    Family("electricity", "HOURLY", 24, 48, (700, 1000), hourly.electricity),
    Family("regular", "HOURLY", 24, 48, (700, 1000), hourly.regular),
    Family("traffic", "HOURLY", 24, 48, (336, 1000), hourly.traffic),
    Family("requests", "HOURLY", 24, 48, (336, 1000), hourly.requests),
    Family("sensor", "HOURLY", 24, 48, (336, 1000), instruments.sensor, gaps=0.15),
    Family("solar", "OTHER", 144, 72, (1000, 2000), instruments.solar),
    Family("births", "DAILY", 7, 30, (1500, 6000), daily.births),
    Family("cash", "DAILY", 7, 56, (500, 800), daily.cash, gaps=0.1),
    Family("epidemic", "DAILY", 7, 30, (60, 400), demand.epidemic),
    Family("retail", "DAILY", 7, 28, (200, 1400), demand.retail),
    Family("weekly sums", "WEEKLY", 52, 8, (300, 900), daily.weekly_sums),
    Family("spare parts", "MONTHLY", 12, 12, (40, 60), demand.spare_parts),
    Family("sales", "MONTHLY", 12, 18, (60, 140), business.sales),
    Family("tourism", "QUARTERLY", 4, 8, (40, 80), business.tourism),
    Family("growth", "YEARLY", 1, 6, (14, 40), business.growth),
)


def held_out() -> list:
    """The first three families, from one stream of random numbers. Scores so far are on these."""
    rng = np.random.default_rng(SEED)
    found = []
    for _ in range(SIMPLE_COUNT):
        found.append(split("simulated weekly", 52, simple.weekly(rng, int(rng.integers(160, 700))), 13))
        found.append(split("simulated hourly", 24, simple.hourly(rng, int(rng.integers(700, 1000))), 48))
        found.append(split("simulated price", 1, simple.price(rng, int(rng.integers(120, 1500))), 14))
    return found


def held_out_families() -> list:
    """Every family, the first three included."""
    return held_out() + [one for family in FAMILIES for one in series_of(family)]


def series_of(family: Family) -> list:
    """Each family has its own stream, so that another one more or less changes none."""
    rng = np.random.default_rng([SEED, *family.name.encode()])
    return [one_of(family, rng) for _ in range(COUNT)]


def one_of(family: Family, rng: np.random.Generator) -> Series:
    low, high = family.rows
    while True:
        x = family.generate(rng, int(rng.integers(low, high + 1)) + family.horizon)
        if np.ptp(x[: -family.horizon]) > 0:  # a history without any demand says nothing
            break
    found = split(f"simulated {family.name}", family.season, x, family.horizon)
    return found._replace(history=with_gaps(rng, found.history, family.gaps)) if family.gaps else found


def split(group: str, season: int, x: np.ndarray, horizon: int) -> Series:
    return Series(group, season, x[:-horizon], x[-horizon:])
