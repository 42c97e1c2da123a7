"""What concerns the caller, as flows."""

from __future__ import annotations

from typing import Any

from .flow import Flow, get, post
from .send import send
from .settings import Settings


def read_usage(settings: Settings) -> Flow[dict[str, Any]]:
    """Returns what the caller has used and may still use."""
    usage: dict[str, Any] = yield from send(settings, get("readUsage", "/v1/me/usage"))
    return usage


def create_guest(settings: Settings) -> Flow[Any]:
    """Makes a guest session. It may be repeated: a session that was lost is empty and expires."""
    return (yield from send(settings, post("createGuestSession", "/v1/guest-sessions", can_repeat=True)))
