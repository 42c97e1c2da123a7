"""One training run: network, optimizer, averages and clock, and the loop of a leg over them."""
import math
import time
from dataclasses import asdict, dataclass
from typing import Callable, Optional

import torch

from learning.averaging import AveragedWeights
from learning.compiling import compiled_block
from learning.feeder import Feeder
from learning.loss import pinball_loss
from learning.parametrization import ScaledAdam, silent_layers, start_weights
from learning.schedule import WARM_UP_STEPS, rate_share
from learning.shapes import LONG_ROUND, distinct
from network.config import config_from_fields
from network.network import Network
from synthesis.mixture import TURNED


@dataclass(frozen=True)
class Settings:
    """Choices of training; those of the network are in its configuration."""
    seconds_total: float
    rate: float = 1e-3
    decay: float = 0.05
    clip: float = 0.5
    schedule: str = "cosine"
    warm_up: int = WARM_UP_STEPS
    averaging: float = 0.999
    points_per_step: int = 2**20
    steps_per_draw: int = 16
    seed: int = 1
    without: Optional[str] = None
    mixture: str = "second"
    turned: float = TURNED
    sharpness: float = 1.0
    round_of_shapes: tuple = LONG_ROUND


class Diverged(Exception):
    pass


class Run:
    def __init__(self, fields: dict, settings: Settings, device: torch.device, compile_blocks: bool):
        self.fields, self.settings, self.device = fields, settings, device
        self.network = Network(config_from_fields(fields))
        start_weights(self.network, settings.seed)
        self.network.to(device)
        if compile_blocks:
            self.network.block = compiled_block()
        self.dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.optimizer = ScaledAdam(self.network, settings.rate, settings.decay, settings.clip)
        self.averages = AveragedWeights(self.network, settings.averaging)
        self.steps, self.points, self.elapsed, self.legs = 0, 0, 0.0, 0

    def state(self) -> dict:
        return {
            "fields": self.fields, "settings": asdict(self.settings) | {"round_of_shapes": None},
            "weights": self.network.state_dict(), "averages": self.averages.state_dict(),
            "updates": self.averages.updates, "adam": self.optimizer.adam.state_dict(),
            "steps": self.steps, "points": self.points, "elapsed": self.elapsed, "legs": self.legs,
        }

    def resume(self, state: dict) -> None:
        self.network.load_state_dict(state["weights"])
        self.averages.load(state["averages"], state["updates"])
        self.optimizer.adam.load_state_dict(state["adam"])
        self.steps, self.points, self.elapsed = state["steps"], state["points"], state["elapsed"]
        self.legs = state["legs"]

    def start_from(self, weights: dict, elapsed: float) -> None:
        """From exported weights alone: the optimizer begins anew and warms up again.

        A network with more layers than the weights gets those it lacks at its end. Their branches start at zero, so
        that they change nothing at first.
        """
        self.network.load_state_dict({**silent_layers(self.network, weights), **weights})
        self.averages.load(self.network.state_dict(), 1000)
        self.elapsed = elapsed

    @property
    def is_done(self) -> bool:
        return self.elapsed >= self.settings.seconds_total

    def make_feeder(self) -> Feeder:
        """Every leg draws series that no other leg has seen."""
        settings = self.settings
        return Feeder(
            self.device, settings.seed + 7919 * (self.legs + 1), self.network.config.patch_size,
            settings.points_per_step, settings.steps_per_draw, settings.round_of_shapes, settings.without,
            settings.mixture, settings.turned,
        )

    def step(self, feeder: Feeder) -> torch.Tensor:
        batch = feeder.next()
        loss = pinball_loss(self.network, batch, self.dtype, self.settings.sharpness)
        loss.backward()
        progress = self.elapsed / self.settings.seconds_total
        self.optimizer.step(rate_share(self.settings.schedule, self.steps, progress, self.settings.warm_up))
        self.averages.update()
        self.steps += 1
        self.points += batch.values.numel()
        return loss.detach()

    def prepare(self, feeder: Feeder) -> None:
        """Meets every shape once without learning from it, so that compiling does not count as training time."""
        for shape in distinct(self.settings.round_of_shapes):
            pinball_loss(self.network, feeder.sample(shape), self.dtype).backward()
            self.optimizer.adam.zero_grad(set_to_none=True)
        self.wait()

    def wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def leg(
        self, until: float, max_steps: Optional[int], save: Callable[[], None], say: Callable[[str], None],
        save_every: float = 60.0, say_every: int = 240,
    ) -> None:
        """Trains until the run is done, `until` (of time.monotonic) or so many steps; saves now and then."""
        feeder = self.make_feeder()
        begun = time.monotonic()
        self.prepare(feeder)
        say(f"prepared {len(distinct(self.settings.round_of_shapes))} shapes in {time.monotonic() - begun:.0f} s")
        self.legs += 1
        began, before, first = time.monotonic(), self.elapsed, self.steps
        saved, losses = began, []
        while not self.is_done and time.monotonic() < until and (max_steps is None or self.steps - first < max_steps):
            losses.append(self.step(feeder))
            now = time.monotonic()
            self.elapsed = before + now - began
            if self.steps % say_every == 0 or now - saved > save_every:
                loss = torch.stack(losses).mean().item()
                losses = []
                self.refuse_nonsense(loss)
                pace = (self.points / 1e6) / max(1e-9, self.elapsed)
                say(f"step {self.steps}  {self.elapsed:.0f} s of {self.settings.seconds_total:.0f}  loss {loss:.4f}  "
                    f"{self.points / 1e9:.2f} G points  {pace:.1f} M/s")
                if now - saved > save_every:
                    save()
                    saved = time.monotonic()
        self.wait()
        if losses:
            self.refuse_nonsense(torch.stack(losses).mean().item())
        save()

    def refuse_nonsense(self, loss: float) -> None:
        """Before a save, so that the last state on disk is always a sound one."""
        if not math.isfinite(loss):
            raise Diverged(f"loss {loss} at step {self.steps}: go on from the last state with a lower rate")
