"""The shape of a network, read from config.json. Fields have the names and defaults of Toto 2.0."""
import json
from dataclasses import dataclass, fields

KNOTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MEDIAN = KNOTS.index(0.5)
EXTRA_STATISTICS = 3


@dataclass(frozen=True)
class NetworkConfig:
    patch_size: int
    d_model: int
    num_heads: int
    num_layers: int
    layer_group_size: int
    num_variate_layers_per_group: int
    variate_layer_first: bool = False
    d_ff: int = 0
    qk_dim: int = 0
    v_dim: int = 0
    num_groups: int = 0
    norm_eps: float = 5e-5
    attn_bias: bool = False
    mlp_bias: bool = False
    qk_norm: bool = True
    norm_include_weight: bool = False
    qk_norm_include_weight: bool = False
    per_dim_scale: bool = False
    use_xpos: bool = False
    # Almanac's own switches: absent in a released checkpoint, hence off.
    almanac_extra_statistics: bool = False
    almanac_anchored_output: bool = False

    @property
    def token_inputs(self) -> int:
        """Values of a patch, a missing flag for each, and perhaps three statistics of the past."""
        return 2 * self.patch_size + (EXTRA_STATISTICS if self.almanac_extra_statistics else 0)

    def is_variate_layer(self, layer: int) -> bool:
        place = layer % self.layer_group_size
        if self.variate_layer_first:
            return place < self.num_variate_layers_per_group
        return place >= self.layer_group_size - self.num_variate_layers_per_group


def config_from_fields(raw: dict) -> NetworkConfig:
    """Fields that are missing or null take the original's defaults; unknown ones are left alone."""
    if raw.get("num_output_patches", 1) != 1 or not raw.get("pre_norm", True):
        raise ValueError("only num_output_patches 1 and pre_norm true are supported")
    known = {field.name for field in fields(NetworkConfig)}
    given = {name: value for name, value in raw.items() if name in known and value is not None}
    d_model, heads = given["d_model"], given["num_heads"]
    given.setdefault("d_ff", (int(4 * d_model * 2 / 3) + 7) // 8 * 8)
    given.setdefault("qk_dim", d_model // heads)
    given.setdefault("v_dim", given["qk_dim"])
    given.setdefault("num_groups", heads)
    given.setdefault("qk_norm_include_weight", given.get("norm_include_weight", False))
    config = NetworkConfig(**given)
    if config.num_layers % config.layer_group_size or heads % config.num_groups or config.qk_dim % 4:
        raise ValueError("num_layers, num_heads or qk_dim does not divide as it must")
    return config


def read_fields(path: str) -> dict:
    with open(path, encoding="utf-8") as file:
        return json.load(file)
