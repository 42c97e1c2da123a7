"""Writes forecasts of a network with both switches on, for the tests of other runtimes.

    python golden_switches.py FOLDER              config.json, model.safetensors (tiny, float32, random) and cases.json
    python golden_switches.py FILE CHECKPOINT     the cases of a trained checkpoint, and two of long histories

A case has a history (null where a value is missing), a horizon and the knots [horizon][9]; also the statistics at the
end of the context, for whoever looks for a difference.
"""
import json
import math
import os
import sys
from typing import Optional

import numpy as np
import torch

from evaluation.predict import prepared
from network.checkpoint import load_checkpoint, save_checkpoint
from network.config import config_from_fields
from network.forecast import forecast
from network.network import Network
from network.scaling import patch_statistics

FIELDS = {
    "patch_size": 8, "d_model": 16, "num_layers": 3, "layer_group_size": 3, "num_variate_layers_per_group": 0,
    "variate_layer_first": False, "num_heads": 2, "num_groups": 2, "heads_per_group": 1, "qk_dim": 8, "v_dim": 8,
    "d_ff": 24, "num_output_patches": 1, "pre_norm": True, "dropout_p": 0.0, "norm_eps": 1e-06,
    "norm_include_weight": False, "qk_norm": True, "qk_norm_include_weight": False, "per_dim_scale": True,
    "attn_bias": False, "mlp_bias": False, "use_xpos": False, "residual_mult": 1.0, "residual_attn_ratio": 1.0,
    "almanac_extra_statistics": True, "almanac_anchored_output": True,
}
SEED = 3


def random_weights(network: Network) -> dict:
    """Unit normal, as unit scaling wants it; the head a little larger, so that knots differ by more than rounding."""
    draws = torch.Generator().manual_seed(SEED)
    weights = {name: torch.randn(tensor.shape, generator=draws) for name, tensor in network.state_dict().items()}
    for name, tensor in weights.items():
        if name.startswith("output_head") and not name.endswith("linear1.weight"):
            tensor *= 3
        if name.endswith("_tau"):
            weights[name] = 0.3 + 0.4 * torch.rand((), generator=draws)
    return weights


def histories() -> dict:
    """Name -> (history with NaN for missing, horizon)."""
    rng = np.random.default_rng(SEED)
    wave = 20 + 5 * np.sin(np.arange(64) / 3) + rng.normal(0, 0.5, 64)
    walk = 100 * np.exp(np.cumsum(rng.normal(0, 0.02, 45)))
    scattered = wave.copy()
    scattered[rng.random(64) < 0.3] = np.nan
    gap = wave.copy()
    gap[14:34] = np.nan
    trailing = walk.copy()
    trailing[-3:] = np.nan
    ended = wave.copy()
    ended[-21:] = np.nan
    leading = wave[:40].copy()
    leading[:11] = np.nan
    return {
        "whole patches": (wave, 8),
        "part of a patch": (walk, 5),
        "several patches ahead": (wave[:37], 40),
        "shorter than a patch": (wave[:5], 12),
        "one value": (np.array([42.0]), 3),
        "two values": (np.array([3.0, 4.0]), 9),
        "constant": (np.full(20, 7.5), 10),
        "zeros then a value": (np.concatenate([np.zeros(18), [3.0]]), 8),
        "high level": (1e7 + walk[:30], 16),
        "small values": (walk[:30] * 1e-6, 16),
        "negative": (-walk[:33] + 90, 8),
        "scattered missing": (scattered, 20),
        "whole patches missing": (gap, 16),
        "last values missing": (trailing, 16),
        "last patches missing": (ended, 16),
        "first values missing": (leading, 8),
    }


def long_histories() -> dict:
    """What a tiny network need not show: a context that is cut, and a horizon of many patches."""
    rng = np.random.default_rng(SEED + 1)
    hours = np.arange(5000)
    load = 100 + 20 * np.sin(2 * np.pi * hours / 24) + 8 * (hours // 24 % 7 >= 5) + rng.normal(0, 3, 5000)
    return {"longer than the context": (load, 48), "a long horizon": (load[:900], 384)}


def case(network: Network, name: str, history: np.ndarray, horizon: int) -> dict:
    patch = network.config.patch_size
    kept = prepared(history, patch, anchored=True)
    points = math.ceil(len(kept) / patch) * patch
    values = torch.tensor(np.concatenate([np.zeros(points - len(kept)), np.nan_to_num(kept)]))[None, None]
    observed = torch.tensor(np.concatenate([np.zeros(points - len(kept), dtype=bool), ~np.isnan(kept)]))[None, None]
    knots = forecast(network, values, observed, horizon)[0, 0]
    stats = patch_statistics(values[0], observed[0], patch)
    location, unit = network.location_and_unit(stats)
    at_end = {key: getattr(stats, key)[0, -1].item() for key in stats._fields}
    return {
        "name": name, "horizon": horizon, "history": [None if math.isnan(v) else v for v in history.tolist()],
        "statistics": {**at_end, "anchor": location[0, -1].item(), "unit": unit[0, -1].item()}, "knots": knots.tolist(),
    }


def write_cases(path: str, network: Network, chosen: dict) -> None:
    cases = [case(network, name, history, horizon) for name, (history, horizon) in chosen.items()]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(cases, file)
        file.write("\n")
    print(f"{len(cases)} cases in {path}")


def main(target: str, checkpoint: Optional[str] = None) -> None:
    if checkpoint is not None:
        write_cases(target, load_checkpoint(checkpoint), {**histories(), **long_histories()})
        return
    network = Network(config_from_fields(FIELDS))
    save_checkpoint(target, FIELDS, random_weights(network), torch.float32, {"purpose": "random weights"})
    write_cases(os.path.join(target, "cases.json"), load_checkpoint(target), histories())


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(*sys.argv[1:3])
