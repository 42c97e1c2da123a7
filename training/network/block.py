"""One transformer layer as a pure function of tensors.

The weights are arguments, not attributes: one compiled version then serves every layer of a network (and every network
of a shape), which makes compiling eight times cheaper than compiling the trunk.
"""
import math
from typing import NamedTuple, Optional

import torch
import torch.nn.functional as F

from network.layers import add_branch, linear, rms_norm
from network.rotary import Rotation, rotate


class BlockShape(NamedTuple):
    heads: int
    groups: int
    qk_dim: int
    v_dim: int
    eps: float
    qk_norm: bool


class BlockWeights(NamedTuple):
    in_proj: torch.Tensor
    in_bias: Optional[torch.Tensor]
    out_proj: torch.Tensor
    out_bias: Optional[torch.Tensor]
    per_dim_scale: Optional[torch.Tensor]
    query_norm: Optional[torch.Tensor]
    key_norm: Optional[torch.Tensor]
    norm1: Optional[torch.Tensor]
    norm2: Optional[torch.Tensor]
    fc1: torch.Tensor
    fc1_bias: Optional[torch.Tensor]
    fc2: torch.Tensor
    fc2_bias: Optional[torch.Tensor]
    attn_tau: torch.Tensor
    mlp_tau: torch.Tensor


def transformer_block(
    x: torch.Tensor,
    weights: BlockWeights,
    shape: BlockShape,
    rotation: Optional[Rotation],
    allowed: Optional[torch.Tensor],
    causal: bool,
) -> torch.Tensor:
    """x (rows, tokens, d_model). `allowed` (rows, 1, tokens, tokens) names the keys a query may see; without it
    `causal` decides."""
    attended = attention(rms_norm(x, shape.eps, weights.norm1), weights, shape, rotation, allowed, causal)
    x = add_branch(x, attended, weights.attn_tau)
    hidden = linear(rms_norm(x, shape.eps, weights.norm2), weights.fc1, weights.fc1_bias)
    gate, gated = hidden.chunk(2, -1)
    return add_branch(x, linear(gate * F.silu(gated), weights.fc2, weights.fc2_bias), weights.mlp_tau)


def attention(
    x: torch.Tensor,
    weights: BlockWeights,
    shape: BlockShape,
    rotation: Optional[Rotation],
    allowed: Optional[torch.Tensor],
    causal: bool,
) -> torch.Tensor:
    heads, groups, qk_dim, v_dim, eps, qk_norm = shape
    projected = linear(x, weights.in_proj, weights.in_bias)
    q, k, v = projected.split([heads * qk_dim, groups * qk_dim, groups * v_dim], -1)
    q = q.unflatten(-1, (heads, qk_dim)).transpose(1, 2)
    k = k.unflatten(-1, (groups, qk_dim)).transpose(1, 2)
    v = v.unflatten(-1, (groups, v_dim)).transpose(1, 2)
    narrow = v.dtype
    if qk_norm:
        q, k = rms_norm(q, eps, weights.query_norm), rms_norm(k, eps, weights.key_norm)
    # Scores are divided by qk_dim; the attention call divides by its root, so the other root goes here.
    factor = 1 / math.sqrt(qk_dim)
    if weights.per_dim_scale is None:
        q = q * factor
    else:
        q = q * (F.softplus(weights.per_dim_scale.float()) * (factor / math.log(2)))
    if rotation is not None:
        q = rotate(q, rotation.query_cos, rotation.query_sin)
        k = rotate(k, rotation.key_cos, rotation.key_sin)
    if groups != heads:
        k, v = k.repeat_interleave(heads // groups, 1), v.repeat_interleave(heads // groups, 1)
    mixed = dot_product_attention(q.to(narrow), k.to(narrow), v, allowed, causal)
    return linear(mixed.transpose(1, 2).flatten(-2), weights.out_proj, weights.out_bias)


def dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, allowed: Optional[torch.Tensor], causal: bool
) -> torch.Tensor:
    causal = causal and allowed is None
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, is_causal=causal)
    # PyTorch before 2.0: the same by hand, for tests on a CPU.
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        allowed = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    return scores.softmax(-1) @ v
