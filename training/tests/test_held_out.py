"""The held-out families repeat by seed, keep their sizes, and have the property that each is there for."""
import hashlib
import unittest

import numpy as np

from evaluation.held_out import COUNT, FAMILIES, SIMPLE_COUNT, held_out, series_of
from evaluation.held_out.dates import easter, nth
from export_held_out import line

# Of the values to three decimals: scores of earlier runs are on exactly these.
SIMPLE_HASHES = {
    "simulated weekly": "7740fa7ed926dd50",
    "simulated hourly": "04b7087fb2871141",
    "simulated price": "cdbd18791148e2ae",
}
MADE: dict = {}


def setUpModule() -> None:
    MADE.update({family.name: series_of(family) for family in FAMILIES})


def whole(one) -> np.ndarray:
    return np.concatenate([one.history, one.actuals])


def short_hash(x: np.ndarray) -> str:
    return hashlib.sha256(np.round(x, 3).tobytes()).hexdigest()[:16]


def memory(x: np.ndarray, lag: int) -> float:
    """Autocorrelation at the lag."""
    x = np.where(np.isnan(x), np.nanmean(x), x) - np.nanmean(x)
    return float(np.mean(x[lag:] * x[:-lag]) / np.mean(x**2))


def mean_memory(name: str, lag: int) -> float:
    return float(np.mean([memory(one.history, lag) for one in MADE[name]]))


def share(name: str, happens) -> float:
    return float(np.mean([np.mean(happens(one.history)) for one in MADE[name]]))


def by_turn(name: str, cycle: int) -> np.ndarray:
    """(COUNT, cycle): the mean of each position in the cycle, in units of the mean of the series."""
    means = [[np.nanmean(one.history[at::cycle]) for at in range(cycle)] for one in MADE[name]]
    return np.array(means) / np.mean(means, axis=1, keepdims=True)


class Simple(unittest.TestCase):
    def test_are_unchanged(self):
        found: dict = {}
        for one in held_out():
            found.setdefault(one.group, []).append(whole(one))
        self.assertEqual({group: len(series) for group, series in found.items()}, dict.fromkeys(found, SIMPLE_COUNT))
        hashes = {group: short_hash(np.concatenate(series)) for group, series in found.items()}
        self.assertEqual(hashes, SIMPLE_HASHES)


class Families(unittest.TestCase):
    def test_have_their_sizes_and_finite_values(self):
        for family in FAMILIES:
            low, high = family.rows
            self.assertEqual(len(MADE[family.name]), COUNT)
            for one in MADE[family.name]:
                self.assertTrue(low <= len(one.history) <= high, family.name)
                self.assertEqual((len(one.actuals), one.season), (family.horizon, family.season))
                self.assertTrue(np.isfinite(one.actuals).all(), family.name)
                self.assertFalse(np.isinf(one.history).any(), family.name)
                self.assertLessEqual(np.isnan(one.history).mean(), 2 * family.gaps, family.name)
                self.assertGreater(np.nanstd(one.history), 0, family.name)

    def test_repeat_and_differ_from_each_other(self):
        for family in FAMILIES[::4]:
            for one, again in zip(MADE[family.name], series_of(family)):
                np.testing.assert_array_equal(whole(one), whole(again))
            self.assertFalse(np.array_equal(MADE[family.name][0].actuals, MADE[family.name][1].actuals))


class Hourly(unittest.TestCase):
    def test_electricity_keeps_the_week_better_than_the_day(self):
        self.assertGreater(mean_memory("electricity", 168), 0.7)
        self.assertGreater(mean_memory("electricity", 24) - mean_memory("electricity", 12), 0.5)
        steps = [np.abs(np.diff(one.history)).mean() / one.history.mean() for one in MADE["electricity"]]
        self.assertLess(np.median(steps), 0.08)

    def test_traffic_is_almost_absent_at_night(self):
        day = by_turn("traffic", 24)
        self.assertLess(np.median(day[:, 2]), 0.15)
        self.assertGreater(np.median(day.max(1)), 2)
        self.assertLess(share("traffic", lambda x: x > 1), 1e-9)

    def test_requests_are_counts_that_vary_more_than_poisson(self):
        self.assertEqual(share("requests", lambda x: x != np.round(x)), 0)
        self.assertGreater(np.median([one.history.var() / one.history.mean() for one in MADE["requests"]]), 2)
        self.assertGreater(mean_memory("requests", 24), 0.4)

    def test_sensors_repeat_values_and_miss_some(self):
        self.assertGreater(share("sensor", np.isnan), 0.02)
        kinds = [len(np.unique(one.history[~np.isnan(one.history)])) / len(one.history) for one in MADE["sensor"]]
        self.assertLess(np.median(kinds), 0.3)
        at_end = [max(np.mean(one.history == f(one.history)) for f in (np.nanmin, np.nanmax)) for one in MADE["sensor"]]
        self.assertGreater(np.mean(np.array(at_end) > 0.05), 0.08)

    def test_solar_power_is_zero_at_night_only(self):
        day = by_turn("solar", 144)
        self.assertEqual(day[:, :12].max(), 0)
        self.assertGreater(day[:, 72].min(), 0.5)


class Daily(unittest.TestCase):
    def test_births_fall_at_weekends_and_on_the_first_of_january(self):
        for one in MADE["births"][:20]:
            days = np.datetime64("2000-01-03") + np.arange(len(one.history))
            new_year = (days.astype("datetime64[M]").astype(int) % 12 == 0) & (days == days.astype("datetime64[M]"))
            weekday = np.arange(len(days)) % 7
            working = one.history[new_year & (weekday < 5)].mean() / one.history[~new_year & (weekday < 5)].mean()
            self.assertLess(working, 1.0)
        self.assertLess(np.median(by_turn("births", 7)[:, 6]), 0.92)

    def test_cash_stops_at_times(self):
        self.assertTrue(0.002 < share("cash", lambda x: x == 0) < 0.05)
        self.assertTrue(0.02 < share("cash", np.isnan) < 0.1)
        self.assertGreater(mean_memory("cash", 7) - mean_memory("cash", 3), 0.2)

    def test_half_of_the_epidemics_are_sums_so_far(self):
        rising = np.mean([np.all(np.diff(whole(one)) >= 0) for one in MADE["epidemic"]])
        self.assertTrue(0.35 < rising < 0.65)

    def test_retail_and_spare_parts_are_often_zero(self):
        self.assertTrue(0.3 < share("retail", lambda x: x == 0) < 0.6)
        self.assertTrue(0.5 < share("spare parts", lambda x: x == 0) < 0.8)
        self.assertEqual(share("retail", lambda x: x != np.round(x)) + share("spare parts", lambda x: x < 0), 0)


class Slower(unittest.TestCase):
    def test_seasons_repeat(self):
        self.assertGreater(mean_memory("weekly sums", 52) - mean_memory("weekly sums", 26), 0.1)
        self.assertGreater(mean_memory("tourism", 4) - mean_memory("tourism", 2), 0.5)
        self.assertGreater(mean_memory("sales", 12) - mean_memory("sales", 6), 0.1)

    def test_holidays_move_across_weeks(self):
        self.assertEqual([str(easter(year)) for year in (1981, 2000, 2024)], ["1981-04-19", "2000-04-23", "2024-03-31"])
        self.assertEqual(str(nth(2023, 11, 3, 4)), "2023-11-23")
        self.assertEqual(str(nth(2023, 5, 0, 1)), "2023-05-01")

    def test_growth_lasts(self):
        self.assertGreater(np.mean([one.history[-1] > one.history[0] for one in MADE["growth"]]), 0.7)


class Lines(unittest.TestCase):
    def test_read_back_as_written(self):
        one = MADE["sensor"][0]
        name, period, season, horizon, history, actuals = line("sensor-1", one).split(";")
        self.assertEqual((name, period, season, horizon), ("sensor-1", "HOURLY", "24", "48"))
        known = [np.nan if value == "NA" else float(value) for value in history.split(",")]
        np.testing.assert_allclose(known, one.history)
        np.testing.assert_allclose([float(value) for value in actuals.split(",")], one.actuals)


if __name__ == "__main__":
    unittest.main()
