"""The table of days agrees with the calendar, and what families read from it falls on the right days."""
import datetime
import unittest

import torch

from synthesis.days import AROUND_EASTER, FIRST_YEAR, YEARS, easter_day, table_of_days

FIRST = datetime.date(FIRST_YEAR, 1, 1)


def at(date: datetime.date, name: str) -> int:
    return table_of_days()[name][(date - FIRST).days].item()


class Days(unittest.TestCase):
    def test_have_the_weekdays_and_months_of_the_calendar(self):
        table = table_of_days()
        self.assertEqual(len(table["weekday"]), (datetime.date(FIRST_YEAR + YEARS, 1, 1) - FIRST).days)
        for place in range(0, len(table["weekday"]), 97):
            date = FIRST + datetime.timedelta(days=place)
            self.assertEqual(table["weekday"][place].item(), date.weekday(), date)
            self.assertEqual(table["month"][place].item(), date.month - 1, date)
            self.assertEqual(table["of_month"][place].item(), date.day - 1, date)
            after = date + datetime.timedelta(days=table["to_month_end"][place].item() + 1)
            self.assertEqual(after.day, 1, date)

    def test_easter_is_a_sunday_of_known_dates(self):
        for known in ("1981-04-19", "2000-04-23", "2024-03-31", "2038-04-25"):
            date = datetime.date.fromisoformat(known)
            self.assertEqual(easter_day(date.year), date.timetuple().tm_yday - 1)
            self.assertEqual(at(date, "weekday"), 6)
            self.assertEqual(at(date + datetime.timedelta(days=1), "from_easter") - at(date, "from_easter"), 1)

    def test_days_far_from_easter_share_the_ends(self):
        self.assertEqual(at(datetime.date(2001, 1, 1), "from_easter"), 0)
        self.assertEqual(at(datetime.date(2001, 12, 31), "from_easter"), AROUND_EASTER - 1)

    def test_a_date_keeps_its_place_in_leap_years(self):
        for month, day in ((1, 1), (3, 1), (12, 25)):
            places = {at(datetime.date(year, month, day), "of_year") for year in range(2000, 2009)}
            self.assertEqual(len(places), 1, (month, day))

    def test_the_fourth_thursday_of_november_is_one_place(self):
        dates = [datetime.date(year, 11, day) for year in range(2000, 2030) for day in range(22, 29)]
        fourth = [date for date in dates if date.weekday() == 3]
        self.assertEqual(len(fourth), 30)
        self.assertEqual(len({at(date, "place_in_month") for date in fourth}), 1)


if __name__ == "__main__":
    unittest.main()
