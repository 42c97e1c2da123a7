"""Reads and writes safetensors files, so that no package but PyTorch is needed.

A file is the length of its header (8 bytes, little endian), the header (JSON: name -> dtype, shape, byte range) and the
tensors one after another.
"""
import json
import os
import struct

import numpy as np
import torch

DTYPES = {"F32": torch.float32, "F16": torch.float16}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def write_safetensors(path: str, tensors: dict, metadata: dict) -> None:
    """Written beside and moved into place: a reader never sees half a file."""
    header, parts, end = {"__metadata__": metadata}, [], 0
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        data = tensor.numpy().tobytes()
        place = [end, end + len(data)]
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": place}
        parts.append(data)
        end += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors then begin at a multiple of 8
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for data in parts:
            file.write(data)
    os.replace(path + ".part", path)


def read_safetensors(path: str) -> dict:
    """Tensors by name, in float32 whatever they are stored in."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        tensors[name] = stored_values(data[begin:end], entry["dtype"]).reshape(entry["shape"])
    return tensors


def stored_values(data: bytes, dtype: str) -> torch.Tensor:
    if dtype == "BF16":  # the upper half of a float32, which numpy does not know
        return torch.from_numpy((np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4"))
    kind = {"F32": "<f4", "F16": "<f2"}[dtype]
    return torch.from_numpy(np.frombuffer(data, kind).astype("<f4"))
