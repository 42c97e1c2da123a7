"""The settings of a client, checked."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Awaitable, Callable, Union
from urllib.parse import urlsplit

from .errors import ArgumentError

#: An API key or an access token, or a function that returns one. It is called before every attempt.
Key = Union[str, Callable[[], str], Callable[[], Awaitable[str]]]

DEFAULT_URL = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class Settings:
    base_url: str
    is_loopback: bool
    # A representation of the settings can end up in a log.
    key: Key | None = field(repr=False)
    #: The time limit of one attempt in seconds.
    timeout: float
    #: How often a request is sent again after a temporary failure.
    max_retries: int
    #: The first pause in seconds, which doubles with each further one.
    retry_delay: float


def read_settings(url: str | None, key: Key | None, timeout: float, max_retries: int, retry_delay: float) -> Settings:
    """Checks the settings of a client. Without an address or a key, those of the environment are used."""
    address = url if url is not None else os.environ.get("ALMANAC_URL") or DEFAULT_URL
    base_url, is_loopback = _read_base_url(address)
    if key is None:
        key = os.environ.get("ALMANAC_KEY") or None
    if key is not None and not callable(key):
        check_key(key)
    settings = Settings(base_url, is_loopback, key, timeout, max_retries, retry_delay)
    return change_limits(settings, timeout, max_retries, retry_delay)


def change_limits(
    settings: Settings, timeout: float | None, max_retries: int | None, retry_delay: float | None
) -> Settings:
    """Returns settings with other limits. None keeps a limit."""
    return replace(
        settings,
        timeout=_read_number("timeout", settings.timeout if timeout is None else timeout, 0.001, 86_400),
        max_retries=int(
            _read_number("max_retries", settings.max_retries if max_retries is None else max_retries, 0, 100)
        ),
        retry_delay=_read_number("retry_delay", settings.retry_delay if retry_delay is None else retry_delay, 0, 60),
    )


def check_key(key: object) -> str:
    """Returns the key. The message of the error does not contain it, because messages are often logged."""
    if isinstance(key, str) and re.fullmatch(r"[!-~]+", key):
        return key
    raise ArgumentError("key: must be a text of visible ASCII characters without spaces. Pass an API key of Almanac.")


def _read_base_url(address: str) -> tuple[str, bool]:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except (ValueError, AttributeError, TypeError):
        host, port, parts = None, None, urlsplit("")
    if host is None:
        raise ArgumentError("url: is not an address. Pass the address of the service, such as https://almanac.example.")
    if parts.scheme not in ("http", "https"):
        raise ArgumentError("url: must start with https or http.")
    if parts.username is not None or parts.password is not None:
        raise ArgumentError("url: must not contain a password. Pass key.")
    if parts.query or parts.fragment:
        raise ArgumentError("url: must not have a query or a fragment. Remove it.")
    shown = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{shown}" + (f":{port}" if port is not None else "")
    return f"{origin}{parts.path.rstrip('/')}/api", _is_loopback(host)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _read_number(name: str, value: float, low: float, high: float) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise ArgumentError(f"{name}: must be a number from {low:g} to {high:g}.")
