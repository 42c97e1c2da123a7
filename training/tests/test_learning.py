"""Training steps mean what they say, and a run goes on from its state as if it had never stopped."""
import os
import tempfile
import unittest

import numpy as np
import torch

from evaluation.held_out import held_out
from evaluation.report import scores
from learning.batch import make_batch
from learning.loss import patch_weights, pinball_loss
from learning.parametrization import ScaledAdam, roles, silent_layers, start_weights
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


class Parametrization(unittest.TestCase):
    def test_the_first_step_moves_every_effective_weight_by_the_rate(self):
        """Adam's first step is the rate, whatever the gradient: times m, it must be the same for every tensor."""
        network = Network(config_from_fields(FIELDS))
        start_weights(network, 1)
        before = {name: tensor.detach().clone() for name, tensor in network.named_parameters()}
        optimizer = ScaledAdam(network, rate=1e-3, decay=0.0, clip=1e9)
        batch = make_batch(torch.randn(16, 64).cumsum(-1), 16, False, torch.Generator().manual_seed(1))
        pinball_loss(network, batch, torch.float32).backward()
        optimizer.step(1.0)
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


class DeeperNetworks(unittest.TestCase):
    FIELDS = {**FIELDS, "num_layers": FIELDS["num_layers"] + 2, "layer_group_size": FIELDS["num_layers"] + 2}

    def test_new_layers_change_nothing_at_first(self):
        shallow, deep = (Run(fields, SETTINGS, CPU, compile_blocks=False) for fields in (FIELDS, self.FIELDS))
        # Branches of a trained network do not end at zero.
        with torch.no_grad():
            for tensor in shallow.network.parameters():
                tensor.add_(0.3 * torch.randn(tensor.shape, generator=torch.Generator().manual_seed(4)))
        deep.start_from(shallow.network.state_dict(), 0.0)
        batch = make_batch(torch.randn(8, 128).cumsum(-1), 16, False, torch.Generator().manual_seed(1))
        losses = [pinball_loss(one.network, batch, torch.float32) for one in (shallow, deep)]
        self.assertAlmostEqual(losses[0].item(), losses[1].item(), places=5)
        losses[1].backward()
        new = deep.network.transformer.layers[-1].ffn.fc2.weight
        self.assertGreater(new.grad.abs().max().item(), 0)

    def test_weights_that_lack_more_than_layers_are_refused(self):
        network = Network(config_from_fields(self.FIELDS))
        weights = network.state_dict()
        del weights["patch_proj.linear1.weight"]
        with self.assertRaises(ValueError):
            silent_layers(network, weights)


class Losses(unittest.TestCase):
    def test_narrow_patches_weigh_more_and_have_no_gradient_of_their_width(self):
        knots = torch.linspace(-1, 1, 9)
        out = torch.stack([0.1 * knots, knots]).expand(1, 1, 2, 9).transpose(1, 2).clone().requires_grad_()
        weights = patch_weights(out, 1.0)
        self.assertEqual(weights.shape, (1, 2, 1))
        self.assertAlmostEqual((weights[0, 0] / weights[0, 1]).item(), (2 + 0.03) / (0.2 + 0.03), places=4)
        self.assertFalse(weights.requires_grad)
        self.assertTrue(torch.equal(patch_weights(out, 0.0), torch.ones(1, 2, 1)))


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
            for (of_network, *peers) in found.values():
                self.assertTrue(np.isfinite([*of_network, *peers]).all())

    def test_a_state_of_another_network_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.pt")
            save_state(path, Run(FIELDS, SETTINGS, CPU, compile_blocks=False).state())
            with self.assertRaises(ValueError):
                load_state(path, {**FIELDS, "d_ff": 96}, CPU)


if __name__ == "__main__":
    unittest.main()
