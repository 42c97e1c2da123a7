"""Compares this network with outputs of the original code: `python check_golden.py FOLDER` (config, weights, cases)."""
import json
import os
import sys

import torch

from network.checkpoint import load_checkpoint
from network.forecast import forecast

TOLERANCE = 1e-5


def largest_difference(network, case: dict) -> float:
    """As a share of the spread of the history; the expected values are themselves float32."""
    target = torch.tensor(case["target"], dtype=torch.float64)
    mask = torch.tensor(case["mask"]).bool()
    got = forecast(
        network, target, mask, case["horizon"], torch.tensor(case["series_ids"]),
        case["scaler_fallback_min_obs"], case["quantile_real_cap_k"],
    )
    expected = torch.tensor(case["quantiles_q_b_n_h"], dtype=torch.float64).permute(1, 2, 3, 0)
    return ((got - expected).abs().max() / target[mask].std()).item()


def main(folder: str) -> int:
    network = load_checkpoint(folder)
    with open(os.path.join(folder, "cases.json"), encoding="utf-8") as file:
        cases = json.load(file)
    worst = 0.0
    for case in cases:
        if case["decode_block_size"]:
            print(f"{case['name']:>16}  not computed here: training needs no block decoding")
            continue
        difference = largest_difference(network, case)
        worst = max(worst, difference)
        print(f"{case['name']:>16}  {difference:.2e} of the spread")
    return 0 if worst < TOLERANCE else 1


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(main(sys.argv[1]))
