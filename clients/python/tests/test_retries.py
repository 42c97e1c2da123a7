from __future__ import annotations

import json
import time
from typing import Any, Callable

import pytest

import almanac
from almanac import Almanac
from almanac.retry import choose_delay, read_retry_after
from conftest import Script, drop, fail, reply

KEY = "alm_pat_secret"
ROWS = [(f"2026-01-{day:02}", float(day)) for day in range(1, 11)]
USAGE = reply(200, {"data": {"plan": "pro"}})


def connect(script: Script, **options: Any) -> Almanac:
    options.setdefault("retry_delay", 0.001)
    return Almanac(script.url, KEY, **options)


@pytest.mark.parametrize(
    "failure", [drop, fail(408, "SLOW"), fail(429, "RATE_LIMITED"), fail(500, "X"), fail(503, "Y")]
)
def test_sends_a_read_again_after_temporary_failures(script: Script, failure: Any) -> None:
    script.handlers = [failure, failure, USAGE]
    assert connect(script).usage() == {"plan": "pro"}
    assert len(script.received) == 3


@pytest.mark.parametrize(
    "status, code, kind",
    [
        (400, "INVALID_REQUEST", almanac.InvalidRequestError),
        (401, "UNAUTHENTICATED", almanac.UnauthenticatedError),
        (403, "SCOPE_DENIED", almanac.DeniedError),
        (404, "NOT_FOUND", almanac.NotFoundError),
        (409, "CONFLICT", almanac.ConflictError),
        (422, "UNPROCESSABLE", almanac.InvalidRequestError),
        (429, "QUOTA_EXCEEDED", almanac.LimitedError),
    ],
)
def test_raises_other_failures_after_one_attempt(
    script: Script, status: int, code: str, kind: type[almanac.AlmanacError]
) -> None:
    script.handlers = [fail(status, code)]
    with pytest.raises(kind) as caught:
        connect(script).usage()
    error = caught.value
    assert (error.status, error.code, error.request_id, error.attempts) == (status, code, "req-1", 1)
    assert str(error).startswith(f"It is {code}.")
    assert len(script.received) == 1


def test_all_attempts_of_a_forecast_have_one_key_and_calls_have_different_ones(script: Script) -> None:
    script.handlers = [drop, fail(503, "BUSY"), drop, fail(422, "UNPROCESSABLE")]
    for _ in range(2):
        with pytest.raises(almanac.InvalidRequestError):
            connect(script).forecast(ROWS, 2)
    keys = [request.headers["idempotency-key"] for request in script.received]
    assert len(set(keys[:4])) == 1
    assert len(set(keys)) == 2
    assert len({request.body for request in script.received}) == 1


def test_a_write_without_a_key_is_sent_once(script: Script) -> None:
    script.handlers = [drop]
    with pytest.raises(almanac.ConnectionError) as caught:
        connect(script).screener.save("Above", ["AAPL"], all=[{"field": "close", "op": "gt", "value": 1}])
    assert caught.value.attempts == 1
    assert len(script.received) == 1


def test_gives_up_after_the_last_retry(script: Script) -> None:
    script.handlers = [fail(503, "BUSY")]
    with pytest.raises(almanac.ServiceError) as caught:
        connect(script, max_retries=2).usage()
    assert caught.value.attempts == 3


def test_waits_as_long_as_the_service_asks(script: Script) -> None:
    script.handlers = [fail(429, "RATE_LIMITED", {"retry-after": "1"}), USAGE]
    begun = time.monotonic()
    connect(script).usage()
    assert time.monotonic() - begun >= 1


def test_raises_instead_of_waiting_longer_than_a_minute(script: Script) -> None:
    script.handlers = [fail(429, "RATE_LIMITED", {"retry-after": "3600"})]
    with pytest.raises(almanac.LimitedError) as caught:
        connect(script).usage()
    assert caught.value.retry_after == 3600


def test_an_attempt_that_takes_too_long_is_a_timeout(script: Script) -> None:
    script.handlers = [lambda _, connection: time.sleep(0.4)]
    with pytest.raises(almanac.TimeoutError):
        connect(script, timeout=0.1, max_retries=1).usage()
    assert len(script.received) == 2


def test_a_reply_that_arrives_in_drops_is_a_timeout(script: Script) -> None:
    def drip(_: Any, connection: Any) -> None:
        connection.send_response(200)
        connection.send_header("content-type", "application/json")
        connection.send_header("content-length", "1000")
        connection.end_headers()
        for _ in range(20):
            connection.wfile.write(b" ")
            connection.wfile.flush()
            time.sleep(0.05)

    script.handlers = [drip]
    with pytest.raises(almanac.TimeoutError):
        connect(script, timeout=0.2, max_retries=0).usage()


def test_a_cut_reply_is_a_failure_of_the_connection(script: Script) -> None:
    def cut(_: Any, connection: Any) -> None:
        connection.send_response(200)
        connection.send_header("content-type", "application/json")
        connection.send_header("connection", "close")
        connection.end_headers()
        connection.wfile.write(b'{"data":{"pl')
        connection.close_connection = True

    script.handlers = [cut, USAGE]
    assert connect(script).usage() == {"plan": "pro"}


def test_redirects_are_not_followed_and_pages_of_proxies_are_not_replies(script: Script) -> None:
    script.handlers = [reply(302, {}, {"location": "http://127.0.0.1:1/"})]
    with pytest.raises(almanac.UnexpectedReplyError, match="redirect"):
        connect(script).usage()
    script.handlers = [reply(200, {}, {"content-type": "text/html"})]
    with pytest.raises(almanac.UnexpectedReplyError, match="is not one of Almanac"):
        connect(script).usage()


def test_no_message_or_representation_has_the_key(script: Script) -> None:
    script.handlers = [fail(401, "UNAUTHENTICATED")]
    client = connect(script)
    with pytest.raises(almanac.UnauthenticatedError) as caught:
        client.usage()
    for shown in (
        repr(client),
        repr(client._settings),
        str(caught.value),
        repr(caught.value),
        repr(vars(caught.value)),
    ):
        assert KEY not in shown
    assert script.received[0].headers["authorization"] == f"Bearer {KEY}"
    with pytest.raises(almanac.ArgumentError) as refused:
        Almanac(script.url, "alm_pat with space")
    assert "alm_pat" not in str(refused.value)


def test_a_function_returns_a_fresh_key_for_each_attempt(script: Script) -> None:
    keys = iter(["one", "two"])
    script.handlers = [drop, USAGE]
    Almanac(script.url, lambda: next(keys), retry_delay=0).usage()
    assert [request.headers["authorization"] for request in script.received] == ["Bearer one", "Bearer two"]


def test_a_client_without_a_key_becomes_one_guest_on_loopback(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALMANAC_KEY", raising=False)
    cookie = "__Host-almanac_guest=alm_gst_1; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax"
    script.handlers = [drop, reply(201, {"data": {}}, {"set-cookie": cookie}), USAGE]
    client = Almanac(script.url, retry_delay=0)
    client.usage()
    client.usage()
    paths = [request.path for request in script.received]
    assert paths == ["/api/v1/guest-sessions"] * 2 + ["/api/v1/me/usage"] * 2
    assert script.received[-1].headers["cookie"] == "__Host-almanac_guest=alm_gst_1"
    assert "authorization" not in script.received[-1].headers


def test_other_limits_apply_to_a_copy(script: Script) -> None:
    script.handlers = [fail(503, "BUSY")]
    client = connect(script)
    with pytest.raises(almanac.ServiceError) as caught:
        client.with_options(max_retries=0).usage()
    assert caught.value.attempts == 1
    with pytest.raises(almanac.ArgumentError, match="^timeout: "):
        client.with_options(timeout=0)


@pytest.mark.parametrize(
    "url, message",
    [
        ("almanac.example", "url: is not an address"),
        ("ftp://almanac.example", "url: must start with https or http"),
        ("https://u:p@almanac.example", "url: must not contain a password"),
        ("https://almanac.example?x=1", "url: must not have a query"),
    ],
)
def test_refuses_an_address_and_names_the_argument(url: str, message: str) -> None:
    with pytest.raises(almanac.ArgumentError, match=message) as caught:
        Almanac(url)
    assert "u:p" not in str(caught.value)


def test_reads_lists_page_after_page_and_ends_a_loop(script: Script) -> None:
    def page(names: list[str], cursor: str | None) -> Any:
        return reply(200, {"data": {"forecasts": [{"name": name} for name in names], "next_cursor": cursor}})

    script.handlers = [page(["a", "b"], "1"), page(["c"], "2"), page(["d"], "1")]
    listed = connect(script).forecasts(status="completed")
    assert next(listed)["name"] == "a"
    assert len(script.received) == 1
    assert [item["name"] for item in listed] == ["b", "c", "d"]
    assert [request.path.split("?")[1] for request in script.received] == [
        "status=completed",
        "status=completed&cursor=1",
        "status=completed&cursor=2",
    ]


def test_delays_grow_are_random_and_bounded() -> None:
    delays = [choose_delay(failures, 0.5, None) or 0 for failures in (1, 2, 3, 10)]
    assert 0.25 <= delays[0] <= 0.5 and 0.5 <= delays[1] <= 1 and 4 <= delays[3] <= 8
    assert choose_delay(1, 0.5, 61) is None
    assert read_retry_after("5") == 5 and read_retry_after(None) is None and read_retry_after("soon") is None


def test_arguments_that_cannot_be_sent_are_refused_before_a_request(script: Script) -> None:
    script.handlers = [fail(500, "X")]
    client = connect(script)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: client.cancel(".."), "^forecast_id: must not be"),
        (lambda: client.cancel(""), "^forecast_id: is missing"),
        (lambda: client.forecast(ROWS, 1.5), "^h: must be a whole number"),  # type: ignore[arg-type]
        (lambda: client.forecast(ROWS, 1, models="ets"), "^models: must be a list"),
        (lambda: client.history("AAPL", limit=0), "^limit: must be at least 1"),
    ]
    for call, message in calls:
        with pytest.raises(almanac.ArgumentError, match=message):
            call()
    assert script.received == []


def test_the_body_has_the_short_form_of_rows(script: Script) -> None:
    script.handlers = [fail(422, "UNPROCESSABLE")]
    with pytest.raises(almanac.InvalidRequestError):
        connect(script).forecast(ROWS[:3], 2, weights={"ets": 1}, quantiles=[0.5], seed=7)
    assert json.loads(script.received[0].body) == {
        "source": {
            "type": "inline",
            "timestamps": ["2026-01-01", "2026-01-02", "2026-01-03"],
            "values": [1.0, 2.0, 3.0],
        },
        "horizon": 2,
        "quantiles": [0.5],
        "weight_mode": "manual",
        "weights": {"ets": 1.0},
        "seed": 7,
    }


def test_the_mode_is_sent_with_a_forecast_and_its_estimate(script: Script) -> None:
    script.handlers = [fail(422, "UNPROCESSABLE"), fail(422, "UNPROCESSABLE"), fail(422, "UNPROCESSABLE")]
    client = connect(script)
    with pytest.raises(almanac.InvalidRequestError):
        client.forecast(ROWS[:3], 2, mode="fast")
    with pytest.raises(almanac.InvalidRequestError):
        client.estimate(ROWS[:3], 2, mode="fast")
    with pytest.raises(almanac.InvalidRequestError):
        client.forecast(ROWS[:3], 2)
    assert [json.loads(request.body).get("mode") for request in script.received] == ["fast", "fast", None]
