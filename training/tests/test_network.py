"""The network agrees with the original, and keeps the promises that training and other runtimes rely on."""
import json
import os
import unittest

import torch

from check_golden import TOLERANCE, largest_difference
from golden_switches import FIELDS, random_weights
from network.checkpoint import load_checkpoint
from network.config import config_from_fields
from network.forecast import forecast
from network.network import Attended, Network
from network.scaling import patch_statistics

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "..", "src", "forecasting", "models", "toto", "golden")


def tiny_network() -> Network:
    network = Network(config_from_fields(FIELDS))
    network.load_state_dict(random_weights(network))
    return network.eval()


class GoldenCases(unittest.TestCase):
    @unittest.skipUnless(os.path.isdir(GOLDEN), "no golden files")
    def test_agrees_with_the_original(self):
        network = load_checkpoint(GOLDEN)
        with open(os.path.join(GOLDEN, "cases.json"), encoding="utf-8") as file:
            cases = [case for case in json.load(file) if not case["decode_block_size"]]
        self.assertGreaterEqual(len(cases), 3)
        for case in cases:
            self.assertLess(largest_difference(network, case), TOLERANCE, case["name"])


class Statistics(unittest.TestCase):
    def test_equal_a_plain_loop(self):
        draws = torch.Generator().manual_seed(1)
        values = 1e4 + torch.randn(1, 40, generator=draws).double()
        observed = torch.rand(1, 40, generator=draws) < 0.6
        stats = patch_statistics(values, observed, 8)
        for patch in range(5):
            seen = values[0, : 8 * patch + 8][observed[0, : 8 * patch + 8]]
            self.assertEqual(stats.count[0, patch], len(seen))
            self.assertAlmostEqual(stats.mean[0, patch].item(), seen.mean().item(), places=8)
            self.assertAlmostEqual(stats.scale[0, patch].item(), seen.std().item(), places=8)
            self.assertEqual(stats.last[0, patch], seen[-1])
            self.assertAlmostEqual(stats.step[0, patch].item(), seen.diff().abs().mean().item(), places=8)


class Forecasts(unittest.TestCase):
    def test_no_patch_knows_what_comes_after_it(self):
        network = tiny_network()
        values = torch.randn(2, 48).double()
        changed = values.clone()
        changed[:, 32:] += 5
        observed = torch.ones(2, 48, dtype=torch.bool)
        with torch.no_grad():
            first = network(values, observed, patch_statistics(values, observed, 8))
            second = network(changed, observed, patch_statistics(changed, observed, 8))
        self.assertTrue(torch.equal(first[:, :4], second[:, :4]))
        self.assertFalse(torch.allclose(first[:, 4:], second[:, 4:]))

    def test_empty_patches_before_the_history_change_nothing(self):
        """Training relies on this: it moves every row to the left and needs no mask."""
        network = tiny_network()
        history = torch.randn(1, 1, 29).double().cumsum(-1)

        def padded(points: int):
            values, observed = torch.zeros(1, 1, points).double(), torch.zeros(1, 1, points, dtype=torch.bool)
            values[..., -29:], observed[..., -29:] = history, True
            return forecast(network, values, observed, 20)

        self.assertTrue(torch.allclose(padded(32), padded(64), atol=1e-5))

    def test_group_ids_without_gaps_are_plain_causal_attention(self):
        network = tiny_network()
        values, observed = torch.randn(3, 40).double(), torch.ones(3, 40, dtype=torch.bool)
        stats = patch_statistics(values, observed, 8)
        with torch.no_grad():
            plain = network(values, observed, stats)
            masked = network(values, observed, stats, Attended(torch.zeros(3, 5, dtype=torch.long)))
        self.assertTrue(torch.allclose(plain, masked, atol=1e-5))

    def test_follow_shift_and_scale(self):
        network = tiny_network()
        history = torch.randn(1, 1, 32).double().cumsum(-1)
        seen = torch.ones(1, 1, 32, dtype=torch.bool)
        moved = forecast(network, 3 * history + 50, seen, 12)
        self.assertTrue(torch.allclose(moved, 3 * forecast(network, history, seen, 12) + 50, atol=1e-3))


if __name__ == "__main__":
    unittest.main()
