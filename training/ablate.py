"""Many short runs that differ in one thing: `python ablate.py --seconds 40 --series FILE … [--only families]`.

Prints a line a variant: at its left the geometric means over groups of MASE and WQL relative to the baseline (below 1 is
better), then both by group. With --init every run starts from the weights of a checkpoint, and the scores of the
checkpoint itself come first. Short runs rank data and choices roughly; --only takes seeds that show what is chance.
"""
import argparse
import json
import os
import time
from typing import Optional

import numpy as np
import torch

from evaluation.held_out import held_out_families
from evaluation.predict import predict
from evaluation.published import published_scores
from evaluation.series_file import read_pasts
from learning.run import Diverged, Run, Settings
from learning.shapes import ROUND, Shape
from network.checkpoint import WEIGHTS, load_checkpoint
from network.config import config_from_fields, read_fields
from network.network import Network
from network.safetensors_file import read_safetensors
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
FIRST = {"mixture": "first", "sharpness": 0.0, "round_of_shapes": ROUND}
# What the second checkpoint does otherwise than the first.
SECOND = {
    "first mixture": ({}, FIRST),
    "first round": ({}, {"round_of_shapes": ROUND}),
    "turned half": ({}, {"turned": 0.5}),
    "half the points": ({}, {"points_per_step": 2**19}),
    "sharpness 0": ({}, {"sharpness": 0.0}),
    "sharpness 0.5": ({}, {"sharpness": 0.5}),
}
# The baseline with other random numbers shows how much of a difference is chance.
CHANCE = {f"seed {seed}": ({}, {"seed": seed}) for seed in (2, 3)}
WITHOUT = {**CHANCE, **{f"without {name}": ({}, {"without": name}) for name in FAMILIES}}
SETS = {"choices": CHOICES, "second": SECOND, "shapes": SHAPES, "families": WITHOUT}


def variants(only: list) -> dict:
    """The baseline first; then whole sets or single variants, by name."""
    everything = {**CHOICES, **SHAPES, **WITHOUT, **SECOND}
    chosen = {"baseline": ({}, {})}
    for name in only:
        chosen.update(SETS.get(name) or {name: everything[name]})
    return chosen


def result_of(fields: dict, settings: Settings, device: torch.device, series: dict, init: Optional[str]) -> dict:
    run = Run(fields, settings, device, compile_blocks=device.type == "cuda")
    if init is not None:
        run.start_from(read_safetensors(os.path.join(init, WEIGHTS)), 0.0)
    run.leg(time.monotonic() + 2 * settings.seconds_total + 300, None, lambda: None, lambda text: None)
    network = Network(config_from_fields(fields)).to(device)
    network.load_state_dict(run.averages.state_dict())
    return {"steps": run.steps, "scores": scores_by_group(network.eval(), series)}


def scores_by_group(network: Network, series: dict) -> dict:
    knots = iter(predict(network, [one for group in series.values() for one in group]))
    return {
        name: published_scores(group, [next(knots) for _ in group])._asdict() for name, group in series.items()
    }


def line(name: str, result: dict, baseline: dict) -> str:
    found, base = result["scores"], baseline["scores"]

    def relative(measure: str) -> float:
        return float(np.exp(np.mean([np.log(found[group][measure] / base[group][measure]) for group in base])))

    cells = "".join(f" {found[group]['mase']:>6.4f}/{found[group]['wql']:>6.4f}" for group in base)
    return f"{name:<26}{result['steps']:>6}{relative('mase'):>8.4f}{relative('wql'):>8.4f}{cells}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=40.0, help="training time of each run")
    parser.add_argument("--series", nargs="*", default=[])
    parser.add_argument("--only", nargs="*", default=list(SETS), help="choices, shapes, families, or single variants")
    parser.add_argument("--config", default=os.path.join(HERE, "configs", "base.json"))
    parser.add_argument("--points-per-step", type=int, default=Settings.points_per_step)
    parser.add_argument("--init", help="checkpoint that every run starts from")
    parser.add_argument("--rate", type=float, default=Settings.rate)
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
    series: dict = {}
    for one in [one for path in arguments.series for one in read_pasts(path)] + held_out_families():
        series.setdefault(one.group, []).append(one)
    base = Settings(
        seconds_total=arguments.seconds, warm_up=WARM_UP, points_per_step=arguments.points_per_step,
        seed=arguments.seed, rate=arguments.rate,
    )
    begun, results = time.monotonic(), {}
    if arguments.init is not None:
        network = load_checkpoint(arguments.init).to(device)
        results["before"] = {"steps": 0, "scores": scores_by_group(network, series)}
        report("before", results)
    for name, (of_network, of_training) in variants(arguments.only).items():
        if time.monotonic() - begun > arguments.limit_seconds:
            print("no time for more", flush=True)
            break
        fields = {**read_fields(arguments.config), **of_network}
        settings = Settings(**{**base.__dict__, **of_training})
        try:
            results[name] = result_of(fields, settings, device, series, arguments.init)
        except Diverged as fault:
            print(f"{name:<26}{fault}", flush=True)
            continue
        report(name, results)
        if arguments.out:
            with open(arguments.out, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)


def report(name: str, results: dict) -> None:
    """Relative to the first result."""
    base = next(iter(results.values()))
    if len(results) == 1:
        heads = "".join(f" {short(group):>13}" for group in base["scores"])
        print(f"{'variant':<26}{'steps':>6}{'MASE':>8}{'WQL':>8}{heads}", flush=True)
    print(line(name, results[name], base), flush=True)


def short(group: str) -> str:
    """m3-dev quarterly -> m3-qua."""
    file, period = group.rsplit(" ", 1)
    return f"{file.split('-')[0][:3]}-{period[:4]}"


if __name__ == "__main__":
    main()
