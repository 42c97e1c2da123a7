"""Every family makes finite, varied series at any length."""
import unittest

import torch

from synthesis.draws import Draws
from synthesis.families import FAMILIES
from synthesis.mixture import Mixture, rows_of_each, shares


class Families(unittest.TestCase):
    def test_are_finite_and_move(self):
        for points in (64, 256, 640):
            draws = Draws(torch.device("cpu"), 5)
            for name, family in FAMILIES.items():
                x = family(draws, 24, points)
                self.assertEqual(x.shape, (24, points), name)
                self.assertTrue(torch.isfinite(x).all(), f"{name} at {points}")
                self.assertGreater((x.std(-1) > 0).float().mean().item(), 0.9, f"{name} at {points}")


class Mixtures(unittest.TestCase):
    def test_share_out_every_row(self):
        for points in (64, 512, 4224):
            for rows in (13, 250, 4096):
                self.assertEqual(sum(rows_of_each(rows, shares(points)).values()), rows)

    def test_differ_from_batch_to_batch_and_by_seed_only(self):
        first, again = Mixture(torch.device("cpu"), 1), Mixture(torch.device("cpu"), 1)
        batches = [first.series(20, 128) for _ in range(3)]
        self.assertTrue(all(torch.isfinite(batch).all() for batch in batches))
        self.assertFalse(torch.equal(batches[1], batches[2]))
        self.assertTrue(torch.equal(batches[0], again.series(20, 128)))

    def test_can_leave_a_family_out(self):
        self.assertNotIn("prices", shares(512, "prices"))
        self.assertAlmostEqual(sum(shares(512, "prices").values()), 1.0)


if __name__ == "__main__":
    unittest.main()
