"""Scores follow the published definitions, and pasts hold nothing that a benchmark scores."""
import os
import tempfile
import unittest

import numpy as np

from evaluation.published import published_scores, seasonal_error
from evaluation.report import scores_of_group, table
from evaluation.series_file import Series, read_pasts, read_series
from network.config import KNOTS

LINES = """
T1@1;DAILY;7;2;1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20;21,22
T1@2;DAILY;7;2;1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22;23,24
short;DAILY;7;2;1,2,3,4,5;6,7
gap;YEARLY;1;2;1,NA,nan,,5,6,7,8,9,10,11,12,13,14;NA,16
"""


def series(history: list, actuals: list, season: int = 1) -> Series:
    return Series("a daily", season, np.array(history, dtype=float), np.array(actuals, dtype=float))


def flat_knots(*values: float) -> np.ndarray:
    return np.repeat(np.array(values)[:, None], len(KNOTS), axis=1)


class Published(unittest.TestCase):
    def test_errors_are_divided_by_the_seasonal_error_of_the_history(self):
        self.assertEqual(seasonal_error(np.array([1.0, 5.0, 2.0, 7.0]), 2), 1.5)
        self.assertEqual(seasonal_error(np.array([1.0, 5.0]), 2), 4.0)  # shorter than a season: the last value
        self.assertEqual(seasonal_error(np.array([1.0, np.nan, 2.0, 4.0]), 1), 2.0)

    def test_point_forecasts(self):
        found = published_scores([series([0, 2, 0, 2], [1, 3])], [flat_knots(2, 2)])
        self.assertAlmostEqual(found.mase, 0.5)
        # A point forecast misses by 1 and 1; the sum of actual values is 4.
        self.assertAlmostEqual(found.wql, 0.5)
        self.assertAlmostEqual(found.smape, 100 * (1 / 3 * 2 + 1 / 5 * 2) / 2)
        self.assertEqual(found.cover80, 0)

    def test_quantiles_weigh_errors_by_their_level(self):
        knots = np.array([np.arange(9.0)])
        found = published_scores([series([0, 1], [4])], [knots])
        expected = sum(2 * max(level * (4 - k), (level - 1) * (4 - k)) for k, level in enumerate(KNOTS)) / 9 / 4
        self.assertAlmostEqual(found.wql, expected)
        self.assertEqual(found.cover80, 100)

    def test_large_series_and_long_horizons_count_more(self):
        small, large = series([0, 1], [1]), series([0, 1], [100, 100, 100])
        found = published_scores([small, large], [flat_knots(2), flat_knots(100, 100, 100)])
        self.assertAlmostEqual(found.mase, 1 / 4)
        self.assertAlmostEqual(found.wql, 1 / 301)

    def test_missing_actual_values_and_flat_histories_are_left_out(self):
        found = published_scores([series([3, 3, 3], [4]), series([0, 1], [np.nan, 2])], [flat_knots(9), flat_knots(9, 3)])
        self.assertAlmostEqual(found.mase, 1.0)

    def test_a_table_has_the_peers(self):
        one = series([1, 2, 3, 4], [5, 6], season=2)
        found = scores_of_group([(one, flat_knots(5, 6))])
        self.assertEqual((found[0].mase, found[1], found[2]), (0, 0.75, 1.0))
        self.assertIn("a daily", table({"a daily": found}))


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "set.txt")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(LINES)

    def test_missing_values_are_read(self):
        gap = read_series(self.path)[3]
        self.assertEqual((gap.group, gap.season), ("set yearly", 1))
        self.assertTrue(np.isnan(gap.history[1:4]).all() and np.isnan(gap.actuals[0]))

    def test_pasts_end_before_the_first_window(self):
        pasts = read_pasts(self.path)
        ends = sorted({one.actuals[-1] for one in pasts if one.group == "set daily"}, reverse=True)
        # Of T1 only the window that begins first, at every second step; the short series has no past.
        self.assertEqual(ends, [20, 18, 16, 14])
        for one in pasts:
            self.assertLess(one.history[-1], one.actuals[-1])
            self.assertGreaterEqual(len(one.history), max(8, one.season + 4))


if __name__ == "__main__":
    unittest.main()
