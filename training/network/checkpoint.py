"""A checkpoint is a folder with config.json and model.safetensors, as Toto 2.0 is released."""
import json
import os

import torch

from network.config import config_from_fields, read_fields
from network.network import Network
from network.safetensors_file import read_safetensors, write_safetensors

CONFIG, WEIGHTS = "config.json", "model.safetensors"


def save_checkpoint(folder: str, fields: dict, weights: dict, dtype: torch.dtype, metadata: dict) -> int:
    """Returns the size of the weights in bytes. `fields` is written as it was read, whether used here or not."""
    os.makedirs(folder, exist_ok=True)
    stored = {name: tensor.to(dtype) for name, tensor in weights.items()}
    for name, tensor in stored.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{name} has values that {dtype} cannot hold")
    with open(os.path.join(folder, CONFIG), "w", encoding="utf-8") as file:
        json.dump(fields, file, indent=2)
        file.write("\n")
    path = os.path.join(folder, WEIGHTS)
    write_safetensors(path, stored, {"format": "pt", **metadata})
    return os.path.getsize(path)


def load_checkpoint(folder: str) -> Network:
    network = Network(config_from_fields(read_fields(os.path.join(folder, CONFIG))))
    network.load_state_dict(read_safetensors(os.path.join(folder, WEIGHTS)), strict=True)
    return network.eval()
