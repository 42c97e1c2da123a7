"""Many short runs that differ in one thing: `python ablate.py --seconds 40 --series FILE … [--only families]`.

Prints a line a variant: sMAPE by group, and at its left the mean over groups of the score relative to the baseline
(below 1 is better). Short runs rank data and choices roughly; repeat what looks close with another --seed.
"""
import argparse
import json
import os
import time

import numpy as np
import torch

from evaluation.held_out import held_out
from evaluation.report import scores
from evaluation.series_file import held_back, read_series
from learning.run import Diverged, Run, Settings
from learning.shapes import ROUND, Shape
from network.config import config_from_fields, read_fields
from network.network import Network
from synthesis.families import FAMILIES

HERE = os.path.dirname(os.path.abspath(__file__))
WARM_UP = 200

# Name -> (fields of config.json, settings of training) that differ from the baseline.
CHOICES = {
    "rate 2e-3": ({}, {"rate": 2e-3}),
    "rate 5e-4": ({}, {"rate": 5e-4}),
    "trapezoid": ({}, {"schedule": "trapezoid"}),
    "no decay": ({}, {"decay": 0.0}),
    "averaging .99": ({}, {"averaging": 0.99}),
    "half steps": ({}, {"points_per_step": 2**19}),
    "no gaps": ({}, {"round_of_shapes": tuple(Shape(shape.points) for shape in ROUND)}),
    "no long rows": ({}, {"round_of_shapes": tuple(shape for shape in ROUND if shape.points <= 1024)}),
    "more short rows": ({}, {"round_of_shapes": ROUND + (Shape(64), Shape(128), Shape(256))}),
}
SHAPES = {
    "patch 8": ({"patch_size": 8}, {}),
    "patch 32": ({"patch_size": 32}, {}),
    "no statistics": ({"almanac_extra_statistics": False}, {}),
    "no anchor": ({"almanac_anchored_output": False}, {}),
    "6 layers": ({"num_layers": 6, "layer_group_size": 6}, {}),
    "10 layers": ({"num_layers": 10, "layer_group_size": 10}, {}),
}
# The baseline with other random numbers shows how much of a difference is chance.
CHANCE = {f"seed {seed}": ({}, {"seed": seed}) for seed in (2, 3)}
WITHOUT = {**CHANCE, **{f"without {name}": ({}, {"without": name}) for name in FAMILIES}}
SETS = {"choices": CHOICES, "shapes": SHAPES, "families": WITHOUT}


def variants(only: list) -> dict:
    """The baseline first; then whole sets or single variants, by name."""
    everything = {**CHOICES, **SHAPES, **WITHOUT}
    chosen = {"baseline": ({}, {})}
    for name in only:
        chosen.update(SETS.get(name) or {name: everything[name]})
    return chosen


def result_of(fields: dict, settings: Settings, device: torch.device, series: list) -> dict:
    run = Run(fields, settings, device, compile_blocks=device.type == "cuda")
    run.leg(time.monotonic() + 2 * settings.seconds_total + 300, None, lambda: None, lambda text: None)
    network = Network(config_from_fields(fields)).to(device)
    network.load_state_dict(run.averages.state_dict())
    found = {name: float(means[0]) for name, (_, means) in scores(network, series).items()}
    return {"steps": run.steps, "scores": found}


def line(name: str, result: dict, baseline: dict) -> str:
    found, base = result["scores"], baseline["scores"]
    groups = [group for group in base if not group.endswith(" all")]
    relative = np.exp(np.mean([np.log(found[group] / base[group]) for group in groups]))
    return f"{name:<26}{result['steps']:>6}{relative:>8.4f}" + "".join(f"{found[group]:>10.3f}" for group in base)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=40.0, help="training time of each run")
    parser.add_argument("--series", nargs="*", default=[])
    parser.add_argument("--only", nargs="*", default=list(SETS), help="choices, shapes, families, or single variants")
    parser.add_argument("--config", default=os.path.join(HERE, "configs", "base.json"))
    parser.add_argument("--points-per-step", type=int, default=Settings.points_per_step)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit-seconds", type=float, default=1e9, help="start no run after this wall time")
    parser.add_argument("--out", help="JSON of all results, written after each run")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    else:
        torch.set_num_threads(1)
    # What is chosen here must not have seen the actuals.
    pasts = [held_back(one) for path in arguments.series for one in read_series(path)]
    series = [one for one in pasts if one is not None] + held_out()
    base = Settings(
        seconds_total=arguments.seconds, warm_up=WARM_UP, points_per_step=arguments.points_per_step, seed=arguments.seed
    )
    begun, results = time.monotonic(), {}
    for name, (of_network, of_training) in variants(arguments.only).items():
        if time.monotonic() - begun > arguments.limit_seconds:
            print("no time for more", flush=True)
            break
        fields = {**read_fields(arguments.config), **of_network}
        settings = Settings(**{**base.__dict__, **of_training})
        try:
            results[name] = result_of(fields, settings, device, series)
        except Diverged as fault:
            print(f"{name:<26}{fault}", flush=True)
            continue
        if len(results) == 1:
            heads = "".join(f"{short(group):>10}" for group in results[name]["scores"])
            print(f"{'variant':<26}{'steps':>6}{'ratio':>8}{heads}", flush=True)
        print(line(name, results[name], results["baseline"]), flush=True)
        if arguments.out:
            with open(arguments.out, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)


def short(group: str) -> str:
    """m3-dev quarterly -> m3-qua."""
    file, period = group.rsplit(" ", 1)
    return f"{file.split('-')[0][:3]}-{period[:4]}"


if __name__ == "__main__":
    main()
