"""The network: Toto 2.0's tensors under Toto 2.0's names, from statistics to quantile knots."""
from typing import Callable, NamedTuple, Optional

import torch
import torch.nn as nn

from network.block import BlockShape, BlockWeights, transformer_block
from network.config import KNOTS, NetworkConfig
from network.layers import linear, readout, rms_norm, unit_silu
from network.rotary import rotation_table
from network.scaling import PatchStatistics
from network.switches import anchor_and_unit, extra_statistics


class Linear(nn.Module):
    """Holds the tensors of a linear layer; the functions of `layers` apply them."""

    def __init__(self, inputs: int, outputs: int, bias: bool):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None


class Norm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))


class ResidualMlp(nn.Module):
    def __init__(self, inputs: int, hidden: int, outputs: int, last: Callable):
        super().__init__()
        self.linear1 = Linear(inputs, hidden, True)
        self.linear2 = Linear(hidden, outputs, True)
        self.skip_proj = Linear(inputs, outputs, True)
        self.last = last

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = unit_silu(linear(x, self.linear1.weight, self.linear1.bias))
        main = self.last(hidden, self.linear2.weight, self.linear2.bias)
        return (main + self.last(x, self.skip_proj.weight, self.skip_proj.bias)) * 0.5**0.5


class PerDimScale(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.per_dim_scale = nn.Parameter(torch.zeros(width))


class Attention(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        projected = config.num_heads * config.qk_dim + config.num_groups * (config.qk_dim + config.v_dim)
        self.in_proj = Linear(config.d_model, projected, config.attn_bias)
        self.out_proj = Linear(config.num_heads * config.v_dim, config.d_model, config.attn_bias)
        self._pds = PerDimScale(config.qk_dim) if config.per_dim_scale else None
        weighted = config.qk_norm and config.qk_norm_include_weight
        self.q_norm = Norm(config.qk_dim) if weighted else None
        self.k_norm = Norm(config.qk_dim) if weighted else None


class FeedForward(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.fc1 = Linear(config.d_model, 2 * config.d_ff, config.mlp_bias)
        self.fc2 = Linear(config.d_ff, config.d_model, config.mlp_bias)


class Layer(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.attn = Attention(config)
        self.ffn = FeedForward(config)
        self.norm1 = Norm(config.d_model) if config.norm_include_weight else None
        self.norm2 = Norm(config.d_model) if config.norm_include_weight else None
        self.register_buffer("attn_tau", torch.zeros(()))
        self.register_buffer("mlp_tau", torch.zeros(()))

    def weights(self) -> BlockWeights:
        attn, ffn = self.attn, self.ffn
        return BlockWeights(
            attn.in_proj.weight, attn.in_proj.bias, attn.out_proj.weight, attn.out_proj.bias,
            None if attn._pds is None else attn._pds.per_dim_scale,
            weight_of(attn.q_norm), weight_of(attn.k_norm), weight_of(self.norm1), weight_of(self.norm2),
            ffn.fc1.weight, ffn.fc1.bias, ffn.fc2.weight, ffn.fc2.bias, self.attn_tau, self.mlp_tau,
        )


def weight_of(norm: Optional[Norm]) -> Optional[torch.Tensor]:
    return None if norm is None else norm.weight


class Transformer(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_layers))
        self.out_norm = Norm(config.d_model) if config.norm_include_weight else None


class ParamProjection(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.proj = ResidualMlp(config.d_model, 4 * config.d_model, config.patch_size * len(KNOTS), readout)


class OutputHead(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.param_projection = ParamProjection(config)


class Attended(NamedTuple):
    """Which patches see each other; without group ids every patch sees itself and all before it."""
    group_ids: Optional[torch.Tensor] = None
    variates: int = 1


class Network(nn.Module):
    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.config = config
        self.patch_proj = ResidualMlp(config.token_inputs, 4 * config.d_model, config.d_model, linear)
        self.transformer = Transformer(config)
        self.output_head = OutputHead(config)
        self.block: Callable = transformer_block
        self.rotations: dict = {}

    def tokens(self, values: torch.Tensor, observed: torch.Tensor, stats: PatchStatistics) -> torch.Tensor:
        """(rows, patches, token inputs): scaled values, missing flags, and the extra statistics where switched on."""
        patch = self.config.patch_size
        patches, seen = values.double().unflatten(-1, (-1, patch)), observed.unflatten(-1, (-1, patch))
        scaled = ((patches - stats.mean[..., None]) / stats.scale[..., None]).float()
        scaled = torch.where(seen, torch.asinh(scaled), torch.zeros((), device=values.device))
        parts = [scaled, (~seen).float()]
        if self.config.almanac_extra_statistics:
            parts.append(extra_statistics(stats))
        return torch.cat(parts, -1)

    def forward(
        self, values: torch.Tensor, observed: torch.Tensor, stats: PatchStatistics, attended: Attended = Attended()
    ) -> torch.Tensor:
        """values, observed (rows, points) -> (rows, patches, patch_size, knots): the NEXT patch at every patch, raw.

        Rows of one example's variates lie together. Embedding and head stay in float32 whatever the trunk runs in: they
        hold the scales.
        """
        with torch.autocast(values.device.type, enabled=False):
            x = self.patch_proj(self.tokens(values, observed, stats))
        x = self.trunk(x, attended)
        with torch.autocast(values.device.type, enabled=False):
            x = rms_norm(x, self.config.norm_eps, weight_of(self.transformer.out_norm))
            out = self.output_head.param_projection.proj(x)
        return out.unflatten(-1, (self.config.patch_size, len(KNOTS)))

    def trunk(self, x: torch.Tensor, attended: Attended) -> torch.Tensor:
        config, tokens = self.config, x.shape[1]
        shape = BlockShape(
            config.num_heads, config.num_groups, config.qk_dim, config.v_dim, config.norm_eps, config.qk_norm
        )
        rotation = self.rotation(tokens, x.device)
        over_time = time_mask(attended.group_ids)
        over_variates = variate_mask(attended)
        for index, layer in enumerate(self.transformer.layers):
            if config.is_variate_layer(index):
                turned = x.unflatten(0, (-1, attended.variates)).transpose(1, 2).flatten(0, 1)
                turned = self.block(turned, layer.weights(), shape, None, over_variates, False)
                x = turned.unflatten(0, (-1, tokens)).transpose(1, 2).flatten(0, 1)
            else:
                x = self.block(x, layer.weights(), shape, rotation, over_time, True)
        return x

    def rotation(self, tokens: int, device: torch.device):
        key = (tokens, str(device))
        if key not in self.rotations:
            self.rotations[key] = rotation_table(tokens, self.config.qk_dim, self.config.use_xpos, device)
        return self.rotations[key]

    def location_and_unit(self, stats: PatchStatistics) -> tuple[torch.Tensor, torch.Tensor]:
        """An output o stands for the value sinh(o) * unit + location."""
        if self.config.almanac_anchored_output:
            return anchor_and_unit(stats)
        return stats.mean, stats.scale


def time_mask(group_ids: Optional[torch.Tensor]) -> Optional[torch.Tensor]:
    """Keys not after the query and in its group: patches without any observed value are a group of their own."""
    if group_ids is None:
        return None
    tokens = group_ids.shape[-1]
    causal = torch.ones(tokens, tokens, dtype=torch.bool, device=group_ids.device).tril()
    return (causal & (group_ids[:, :, None] == group_ids[:, None, :]))[:, None]


def variate_mask(attended: Attended) -> Optional[torch.Tensor]:
    if attended.group_ids is None or attended.variates == 1:
        return None
    ids = attended.group_ids.unflatten(0, (-1, attended.variates)).transpose(1, 2).flatten(0, 1)
    return (ids[:, :, None] == ids[:, None, :])[:, None]
