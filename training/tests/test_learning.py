"""Training steps mean what they say, and a run goes on from its state as if it had never stopped."""
import os
import tempfile
import unittest

import torch

from evaluation.held_out import held_out
from evaluation.report import scores
from learning.batch import make_batch
from learning.loss import pinball_loss
from learning.parametrisation import ScaledAdam, roles, start_weights
from learning.run import Run, Settings
from learning.schedule import rate_share
from learning.shapes import Shape
from learning.state import load_state, save_state
from network.checkpoint import load_checkpoint, save_checkpoint
from network.config import config_from_fields, read_fields
from network.network import Network

FIELDS = read_fields(os.path.join(os.path.dirname(__file__), "..", "configs", "tiny.json"))
SETTINGS = Settings(
    seconds_total=1e6, warm_up=2, points_per_step=2048, steps_per_draw=2,
    round_of_shapes=(Shape(64), Shape(128, with_gaps=True)),
)
CPU = torch.device("cpu")


def quiet(*_) -> None:
    pass


class Parametrisation(unittest.TestCase):
    def test_the_first_step_moves_every_effective_weight_by_the_rate(self):
        """Adam's first step is the rate, whatever the gradient: times m, it must be the same for every tensor."""
        network = Network(config_from_fields(FIELDS))
        start_weights(network, 1)
        before = {name: tensor.detach().clone() for name, tensor in network.named_parameters()}
        optimiser = ScaledAdam(network, rate=1e-3, decay=0.0, clip=1e9)
        batch = make_batch(torch.randn(16, 64).cumsum(-1), 16, False, torch.Generator().manual_seed(1))
        pinball_loss(network, batch, torch.float32).backward()
        optimiser.step(1.0)
        for name, role in roles(network).items():
            moved = (network.get_parameter(name) - before[name]).abs() * role.multiplier
            self.assertAlmostEqual(moved.max().item(), 1e-3, delta=2e-5, msg=name)

    def test_the_residual_sum_is_plain(self):
        network = Network(config_from_fields(FIELDS))
        start_weights(network, 1)
        x, plain, branch = torch.ones(()), torch.ones(()), torch.tensor(0.3)
        taus = [tau for layer in network.transformer.layers for tau in (layer.attn_tau, layer.mlp_tau)]
        for tau in taus:
            x = (x + tau * branch) / torch.sqrt(1 + tau * tau)
            plain = plain + branch
        self.assertAlmostEqual((x * (len(taus) + 1) ** 0.5).item(), plain.item(), places=5)


class Batches(unittest.TestCase):
    def test_every_length_of_context_and_run_of_hidden_patches_occurs(self):
        batch = make_batch(torch.randn(500, 1024), 16, True, torch.Generator().manual_seed(1))
        self.assertTrue(5 < (batch.group_ids == -1).float().mean() * 100 < 60)
        self.assertTrue(3 < batch.hidden.float().mean() * 100 < 30)
        runs = batch.hidden.long().sum(-1)
        self.assertGreater(runs.max().item(), 20)
        self.assertFalse(((batch.group_ids == -1) & batch.hidden).any())


class Schedules(unittest.TestCase):
    def test_warm_up_and_fall(self):
        for kind in ("cosine", "trapezoid"):
            self.assertLess(rate_share(kind, 0, 0.0, 100), 0.02)
            self.assertAlmostEqual(rate_share(kind, 500, 0.0, 100), 1.0)
            self.assertAlmostEqual(rate_share(kind, 500, 1.0, 100), 0.01)


class Runs(unittest.TestCase):
    def test_save_resume_export_and_score(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.pt")
            run = Run(FIELDS, SETTINGS, CPU, compile_blocks=False)
            run.leg(float("inf"), 4, lambda: save_state(path, run.state()), quiet)

            again = Run(FIELDS, SETTINGS, CPU, compile_blocks=False)
            again.resume(load_state(path, FIELDS, CPU))
            self.assertEqual((again.steps, again.legs, again.elapsed), (run.steps, 1, run.elapsed))
            # Both go on from here alike: same weights, moments, averages and series.
            for one in (run, again):
                one.leg(float("inf"), 3, lambda: None, quiet)
            for name, tensor in run.averages.state_dict().items():
                self.assertTrue(torch.allclose(tensor, again.averages.state_dict()[name], atol=1e-5), name)

            size = save_checkpoint(os.path.join(folder, "out"), FIELDS, again.averages.state_dict(), torch.float16, {})
            self.assertLess(size, 200_000)
            found = scores(load_checkpoint(os.path.join(folder, "out")), held_out()[:30])
            self.assertEqual(sorted(found), ["simulated hourly", "simulated price", "simulated weekly"])
            for _, means in found.values():
                self.assertTrue((means == means).all())

    def test_a_state_of_another_network_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.pt")
            save_state(path, Run(FIELDS, SETTINGS, CPU, compile_blocks=False).state())
            with self.assertRaises(ValueError):
                load_state(path, {**FIELDS, "d_ff": 96}, CPU)


if __name__ == "__main__":
    unittest.main()
