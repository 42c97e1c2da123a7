from __future__ import annotations

import asyncio
import secrets

from almanac import Almanac, AsyncAlmanac
from conftest import Running
from series import make_daily

RUNS = 12


def test_no_forecast_is_created_twice_behind_a_proxy_that_loses_and_repeats_requests(service: Running) -> None:
    """The proxy loses, delays, truncates and repeats a third of the requests. Each forecast must still be there once."""
    limits = {"timeout": 1.0, "retry_delay": 0.01}
    rows = make_daily(12)
    title = f"storm {secrets.token_hex(4)}"

    disturbed = Almanac(service.proxy, service.key, max_retries=30, **limits)
    # Without a title, they are counted by their ids.
    before = {item["forecast_id"] for item in Almanac(service.url, service.key).forecasts()}
    batch = disturbed.forecast_many(
        {f"storm {n}": rows + n for n in range(RUNS)}, 1, models=["seasonal_naive"], progress=False
    )
    assert batch.errors == {} and len(batch) == RUNS
    after = {item["forecast_id"] for item in Almanac(service.url, service.key).forecasts()}
    assert after - before == {result.id for result in batch.values()}

    async def run() -> set[str]:
        async with AsyncAlmanac(service.proxy, service.key, max_retries=30, **limits) as client:
            found = await client.forecast_many(
                {f"storm {n}": rows - n for n in range(RUNS)}, 1, models=["seasonal_naive"], progress=False, title=title
            )
            assert found.errors == {} and len(found) == RUNS
            return {result.id for result in found.values()}

    ids = asyncio.run(run())
    direct = Almanac(service.url, service.key)
    assert {item["forecast_id"] for item in direct.forecasts(q=title)} == ids
