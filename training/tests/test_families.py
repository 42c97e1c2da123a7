"""Each later family has the property that it is there to teach."""
import unittest

import torch

from synthesis.days import table_of_days
from synthesis.draws import Draws
from synthesis.families import FAMILIES
from synthesis.families.calendar import holidays, month_days, pattern, weekday_effects
from synthesis.families.epidemic import waves
from synthesis.families.load import weather_of
from synthesis.families.sensors import held
from synthesis.mixture import sums_so_far
from synthesis.pieces import persisting

ROWS = 200


def draws(seed: int = 11) -> Draws:
    return Draws(torch.device("cpu"), seed)


def made(name: str, points: int) -> torch.Tensor:
    return FAMILIES[name](draws(), ROWS, points)


def memory(x: torch.Tensor, lag: int) -> torch.Tensor:
    """Autocorrelation of each row at the lag."""
    x = x - x.mean(-1, keepdim=True)
    return (x[:, lag:] * x[:, :-lag]).mean(-1) / (x**2).mean(-1).clamp(min=1e-12)


def share(condition: torch.Tensor) -> float:
    return condition.float().mean().item()


def ten_years() -> dict:
    return {name: values[3653:7305] for name, values in table_of_days().items()}


class Calendar(unittest.TestCase):
    def test_days_have_weeks_and_years(self):
        x = made("calendar", 1461)[: -int(ROWS * 0.3)]
        self.assertGreater((memory(x, 7) - memory(x, 3)).mean().item(), 0.1)
        self.assertGreater((memory(x, 365) - memory(x, 182)).mean().item(), 0.05)

    def test_weeks_have_years_and_no_weekdays(self):
        x = made("calendar", 520)[-int(ROWS * 0.3) :]
        self.assertGreater((memory(x, 52) - memory(x, 26)).mean().item(), 0.3)
        self.assertLess((memory(x, 7) - memory(x, 3)).mean().item(), 0.0)

    def test_holidays_are_few_and_return_every_year(self):
        table = ten_years()
        days = {name: table[name][None].expand(ROWS, -1) for name in ("of_year", "place_in_month", "from_easter")}
        rest = holidays(draws(), ROWS, **days)
        self.assertTrue(0.005 < share(rest.abs() > 0.05) < 0.12)
        # Thanksgiving and the Monday after Easter: a place in the month and a day from Easter are holidays of some rows.
        fourth_thursday = table["place_in_month"] == (10 * 5 + 3) * 7 + 3
        easter_monday = table["from_easter"] == 71
        for name, chosen in (("fourth Thursday", fourth_thursday), ("Easter Monday", easter_monday)):
            self.assertEqual(chosen.sum().item(), 10, name)
            every_year = (rest[:, chosen] > 0.2).all(-1)
            self.assertTrue(0.002 < share(every_year) < 0.3, name)

    def test_a_weekend_differs_from_working_days(self):
        effects = weekday_effects(draws(), 2000)
        apart = (effects[:, 5:].mean(-1) - effects[:, :5].mean(-1)).abs()
        self.assertGreater(share(apart > 1.5), 0.35)

    def test_paydays_and_closings_follow_the_month(self):
        table = ten_years()
        of_month, to_end = (table[name][None].expand(2000, -1) for name in ("of_month", "to_month_end"))
        x = month_days(draws(), 2000, of_month, to_end)
        last, middle = x[:, table["to_month_end"] == 0], x[:, table["of_month"] == 14]
        closing = (last == 2.0).all(-1) & (middle < 1.0).all(-1)
        self.assertTrue(0.15 < share(closing) < 0.4)

    def test_a_pattern_is_the_same_for_the_same_kind_of_day(self):
        """Without growth and noise, dates that agree in everything the table says have nearly the same value."""
        x = pattern(draws(), ROWS, 1461)
        self.assertGreater((memory(x, 364)).median().item(), 0.5)


class Nested(unittest.TestCase):
    def test_the_week_keeps_more_than_the_day(self):
        x = made("nested", 1024)
        strong = memory(x, 168) - memory(x, 84)
        self.assertGreater(share(strong > 0.3), 0.2)
        self.assertGreater(share(memory(x, 168) > memory(x, 24)), 0.3)


class Load(unittest.TestCase):
    def test_days_repeat_and_weekends_differ(self):
        x = made("load", 1024)
        self.assertGreater(share(memory(x, 24) > 0.5), 0.3)
        self.assertGreater(share(memory(x, 168) - memory(x, 72) > 0.05), 0.3)

    def test_some_are_empty_at_night(self):
        self.assertTrue(0.1 < share((made("load", 1024) == 0).float().mean(-1) > 0.25) < 0.4)

    def test_weather_changes_at_midnight(self):
        one = draws()
        per_day, points = torch.full((ROWS, 1), 24.0), 240
        day = torch.floor((one.time(points) + 7) / per_day).long()
        steps = weather_of(one, ROWS, points, per_day, day).diff(dim=-1).abs()
        midnight = day[0, 1:] != day[0, :-1]
        ratio = steps[:, midnight].mean(-1) / steps[:, ~midnight].mean(-1)
        self.assertGreater(share(ratio > 1.4), 0.2)


class Spikes(unittest.TestCase):
    def test_many_have_narrow_peaks(self):
        x = made("spikes", 1024)
        x = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
        self.assertTrue(0.1 < share((x**4).mean(-1) > 5) < 0.8)


class Epidemic(unittest.TestCase):
    def test_half_are_sums_so_far(self):
        x = made("epidemic", 400)
        rising = (x.diff(dim=-1) >= 0).all(-1)
        self.assertTrue(0.4 < share(rising) < 0.7)
        still = x[rising, -1] - x[rising, -29]
        self.assertGreater(share(still > 0.02 * x[rising, -1]), 0.3)

    def test_waves_rise_and_fall_exponentially(self):
        log = torch.log(waves(draws(), ROWS, 400).clamp(min=1e-12))
        rising = log[:, 28:] - log[:, :-28]
        self.assertGreater(share((rising > 1.0).any(-1)), 0.4)
        self.assertGreater(share((rising < -1.0).any(-1)), 0.4)


class SelfExciting(unittest.TestCase):
    def test_counts_come_in_bursts(self):
        x = made("self_exciting", 640)
        whole = (x == torch.round(x)).all(-1)
        self.assertGreater(share(whole), 0.6)
        counts = x[whole]
        sums = counts.unflatten(-1, (-1, 10)).sum(-1)
        self.assertGreater(share(sums.var(-1) > 1.5 * sums.mean(-1)), 0.6)
        self.assertGreater(memory(counts, 1).mean().item(), 0.15)


class Sensors(unittest.TestCase):
    def test_values_repeat_rest_on_limits_and_drop_out(self):
        x = made("sensors", 640)
        distinct = torch.tensor([len(row.unique()) for row in x]) / 640
        self.assertTrue(0.3 < share(distinct < 0.5) < 0.8)
        at_limit = torch.maximum((x == x.amin(-1, keepdim=True)).float().mean(-1),
                                 (x == x.amax(-1, keepdim=True)).float().mean(-1))
        self.assertGreater(share(at_limit > 0.05), 0.3)
        self.assertTrue(0.02 < share((x == 0).float().mean(-1) > 0.02) < 0.3)

    def test_a_stuck_instrument_repeats_its_last_reading(self):
        x = torch.randn(2000, 300, generator=torch.Generator().manual_seed(3))
        kept = held(draws(), x)
        moved = kept != x
        self.assertTrue(0.05 < share(moved.any(-1)) < 0.2)
        before = torch.cat([kept[:, :1], kept[:, :-1]], -1)
        self.assertTrue(torch.equal(kept[moved], before[moved]))


class Kernels(unittest.TestCase):
    def test_are_smooth_seasonal_and_rough(self):
        x = made("kernels", 512)
        smoothness = memory(x, 1)
        self.assertGreater(share(smoothness > 0.9), 0.1)
        self.assertGreater(share(smoothness < 0.7), 0.15)


class Pieces(unittest.TestCase):
    def test_sums_so_far_never_fall(self):
        x = torch.randn(20, 100, generator=torch.Generator().manual_seed(1))
        summed = sums_so_far(x)
        self.assertTrue((summed.diff(dim=-1) >= 0).all())
        torch.testing.assert_close(summed.diff(dim=-1), (x - x.amin(-1, keepdim=True))[:, 1:], atol=1e-4, rtol=1e-4)

    def test_persisting_is_the_recursion(self):
        shocks = torch.randn(3, 50, generator=torch.Generator().manual_seed(1))
        persistence = torch.tensor([[0.3], [0.9], [1.0]])
        found, level = persisting(draws(), shocks, persistence), torch.zeros(3)
        for at in range(50):
            level = persistence[:, 0] * level + shocks[:, at]
            torch.testing.assert_close(found[:, at], level, atol=1e-4, rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
