from __future__ import annotations

import inspect

import almanac
from almanac import Almanac, AsyncAlmanac


def show(function: object) -> str:
    assert callable(function)
    return str(inspect.signature(function)).replace("'", "")


def test_help_shows_the_arguments_and_what_is_returned() -> None:
    client = Almanac("http://127.0.0.1:1")
    assert show(client.search).startswith("(query: str, *, types:") and show(client.search).endswith(
        "-> list[SearchResult]"
    )
    assert show(client.forecast).startswith("(data: Data, h: int, *, time:") and show(client.forecast).endswith(
        "-> Forecast"
    )
    assert show(client.watch).endswith("-> Iterator[ForecastEvent]")
    assert show(AsyncAlmanac("http://127.0.0.1:1").watch).endswith("-> AsyncIterator[ForecastEvent]")
    assert show(almanac.history).startswith("(symbol: str, timeframe: str = 1D")
    assert "index continues" in (almanac.forecast.__doc__ or "")
    assert "settings" not in show(almanac.forecast) and "self" not in show(almanac.forecast)


def test_both_clients_have_the_same_methods() -> None:
    def list_methods(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert list_methods(Almanac) == list_methods(AsyncAlmanac)
    assert list_methods(type(Almanac("http://127.0.0.1:1").events)) == list_methods(
        type(AsyncAlmanac("http://127.0.0.1:1").events)
    )
