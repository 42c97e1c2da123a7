"""The full state of a run on disk: what the next leg needs to go on as if nothing had happened."""
import os

import torch


def save_state(path: str, state: dict) -> None:
    """Written beside and moved into place: a leg that is killed leaves the last whole state."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    torch.save(state, path + ".part")
    os.replace(path + ".part", path)


def load_state(path: str, fields: dict, device: torch.device) -> dict:
    state = torch.load(path, map_location=device)
    if state["fields"] != fields:
        raise ValueError(f"{path} was trained with another configuration")
    return state
