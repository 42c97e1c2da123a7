"""Training in Toto's own tensors with the dynamics of a plain network.

A stored tensor W acts as m * W, where m holds the division by the fan-in and the constants around it. Weights start so
that m * W is normal with a small deviation; Adam moves W by lr / m, so m * W moves by lr; decay is divided likewise.
The result is step for step what a plain parametrization would do, and the file needs no conversion.
"""
import math
from typing import NamedTuple

import torch

from network.layers import UNIT_SILU
from network.network import Network

START_DEVIATION = 0.02


class Role(NamedTuple):
    """How a tensor acts: the multiplier m, its deviation at the start (of m * W), whether it decays."""
    multiplier: float
    deviation: float
    decays: bool


def roles(network: Network) -> dict:
    """By the name of the parameter."""
    config = network.config
    branch = START_DEVIATION / math.sqrt(2 * config.num_layers)  # branches add up: each starts smaller
    hidden = 4 * config.d_model
    half = math.sqrt(0.5)  # both sides of a residual MLP are divided by sqrt 2
    fan = {"patch_proj": config.token_inputs, "output_head.param_projection.proj": config.d_model}
    found = {}
    for name, tensor in network.named_parameters():
        owner, kind = name.rsplit(".", 1)
        part = owner.rsplit(".", 1)[-1]
        is_weight = kind == "weight"
        deviation = (branch if part in ("out_proj", "fc2") else START_DEVIATION) if is_weight else 0.0
        if kind == "per_dim_scale":
            # Starts at softplus(s) / ln 2 = sqrt(qk_dim): then scores are divided by sqrt(qk_dim) in all.
            found[name] = Role(1 / (math.log(2) * math.sqrt(config.qk_dim)), 0.0, False)
        elif "norm" in part:
            found[name] = Role(1.0, 0.0, False)
        elif part in ("linear1", "linear2", "skip_proj"):
            head = owner.startswith("output_head")
            inputs = hidden if part == "linear2" else fan[owner.rsplit(".", 1)[0]]
            multiplier = 1 / inputs if head and part != "linear1" else 1 / math.sqrt(inputs)
            if part != "linear1":
                multiplier *= half
            if part == "linear2" and is_weight:
                multiplier *= UNIT_SILU
            found[name] = Role(multiplier, deviation, is_weight)
        else:
            inputs = tensor.shape[1] if is_weight else network.get_parameter(owner + ".weight").shape[1]
            found[name] = Role(1 / math.sqrt(inputs), deviation, is_weight)
    return found


def start_weights(network: Network, seed: int) -> None:
    draws = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, role in roles(network).items():
            tensor = network.get_parameter(name)
            if name.endswith("per_dim_scale"):
                tensor.fill_(math.log(math.expm1(math.log(2) * math.sqrt(network.config.qk_dim))))
            elif role.deviation:
                tensor.copy_(torch.randn(tensor.shape, generator=draws) * (role.deviation / role.multiplier))
            elif "norm" not in name:
                tensor.zero_()
        # x <- (x + tau b) / sqrt(1 + tau^2) with tau_j = 1 / sqrt(j + 1) is the plain sum x + b over sqrt(j + 2).
        for index, layer in enumerate(network.transformer.layers):
            layer.attn_tau.fill_(1 / math.sqrt(2 * index + 1))
            layer.mlp_tau.fill_(1 / math.sqrt(2 * index + 2))


def silent_layers(network: Network, weights: dict) -> dict:
    """The network's own tensors that `weights` lacks, for layers beyond its last, with the ends of branches at zero."""
    found = {name: tensor for name, tensor in network.state_dict().items() if name not in weights}
    if not all(name.startswith("transformer.layers.") for name in found):
        raise ValueError("the weights lack more than the last layers")
    ends = ("out_proj.weight", "fc2.weight")
    return {name: torch.zeros_like(tensor) if name.endswith(ends) else tensor for name, tensor in found.items()}


class ScaledAdam:
    """AdamW with a learning rate and a decay per role, and clipping by the norm of the gradient of m * W."""

    def __init__(self, network: Network, rate: float, decay: float, clip: float):
        self.rate, self.clip = rate, clip
        by_role: dict = {}
        self.parameters, multipliers = [], []
        for name, role in roles(network).items():
            tensor = network.get_parameter(name)
            by_role.setdefault((role.multiplier, role.decays), []).append(tensor)
            self.parameters.append(tensor)
            multipliers.append(role.multiplier)
        groups = [
            {
                "params": tensors, "multiplier": m, "lr": rate / m, "eps": 1e-8 * m,
                "weight_decay": decay * m if decays else 0.0,
            }
            for (m, decays), tensors in by_role.items()
        ]
        device = self.parameters[0].device
        extra = {"fused": True} if device.type == "cuda" else {}
        self.adam = torch.optim.AdamW(groups, betas=(0.9, 0.98), **extra)
        self.inverse = torch.tensor([1 / m for m in multipliers], device=device)

    def step(self, share: float) -> torch.Tensor:
        """One step at `share` of the peak rate. Returns the norm of the gradient before clipping."""
        gradients = [tensor.grad for tensor in self.parameters]
        norm = (torch.stack(torch._foreach_norm(gradients)) * self.inverse).norm()
        factor = (self.clip / (norm + 1e-6)).clamp(max=1.0)
        if norm.is_cuda:
            torch._foreach_mul_(gradients, factor)
        else:
            for gradient in gradients:
                gradient.mul_(factor)
        for group in self.adam.param_groups:
            group["lr"] = self.rate * share / group["multiplier"]
        self.adam.step()
        self.adam.zero_grad(set_to_none=True)
        return norm
