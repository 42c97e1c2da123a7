import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkpointFolders } from '../../src/compute/index.ts';
import {
  type Caller,
  create,
  dailyPoints,
  EMPTY_FOLDER,
  FORECASTS,
  openForecastService,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { availableKinds } from '../support/platform/database.ts';

interface FinishedForecast {
  readonly forecast_id: string;
  readonly status: string;
  readonly comparison: { readonly outcome: string } | null;
  readonly predictions: readonly object[];
  readonly weighting?: object;
  readonly historical_validation: object;
  readonly members: readonly object[];
}

/** ALMANAC_REPRODUCED=50 for the full run. */
const REQUESTS = Number(process.env.ALMANAC_REPRODUCED ?? 4);
const IS_FULL = process.env.ALMANAC_REPRODUCED !== undefined;

/** Returns requests that differ in everything that the engine reads. */
function makeRequest(number: number): object {
  const points = dailyPoints(30 + 7 * (number % 9)).map(({ timestamp, value }, i) => ({
    timestamp,
    value: value + ((i * (number + 3)) % 11),
  }));
  return {
    source: { type: 'inline', points },
    horizon: 1 + (number % 14),
    seed: number,
    models: [['theta', 'ets'], ['prophet', 'theta'], ['arima', 'ets', 'seasonal_naive'], undefined][number % 4],
    weight_mode: number % 5 === 4 ? 'manual' : 'auto',
    transform: (['auto', 'none', 'log'] as const)[number % 3],
  };
}

test(`${REQUESTS} forecasts are reproduced to the same bytes, on each database`, async () => {
  const results = new Map<number, string>();
  // The tiny toto, except in the full run: verifying and running the bundled one takes seconds.
  const { bundled } = checkpointFolders(EMPTY_FOLDER);
  for (const kind of availableKinds) {
    await using service = await openForecastService(kind, { worker: true, ...(IS_FULL && { bundled }) });
    const caller = await service.account('enterprise');
    for (let number = 0; number < REQUESTS; number++) {
      const { data } = await create(caller, makeRequest(number));
      const first = await waitForEnd(caller, data.forecast_id);
      const again = await caller.request<{ forecast_id: string }>(
        'POST',
        `${FORECASTS}/${first.forecast_id}/reproduce`,
      );
      const second = await waitForEnd(caller, again.data.forecast_id);
      assert.equal(second.comparison?.outcome, 'exact', `request ${number} on ${kind}`);
      assert.equal(resultBytes(second), resultBytes(first));
      assert.equal(
        resultBytes(first),
        results.get(number) ?? resultBytes(first),
        `request ${number} on ${kind} and on the database before`,
      );
      results.set(number, resultBytes(first));
    }
  }
  assert.equal(results.size, REQUESTS);
});

async function waitForEnd({ request }: Caller, id: string): Promise<FinishedForecast> {
  const { data } = await waitFor(
    () => request<FinishedForecast>('GET', `${FORECASTS}/${id}`),
    (reply) => ['completed', 'failed'].includes(reply.data.status),
  );
  assert.equal(data.status, 'completed');
  return data;
}

/** Returns the bytes of a result. */
function resultBytes({ predictions, weighting, historical_validation, members }: FinishedForecast): string {
  return JSON.stringify({ predictions, weighting, historical_validation, members });
}
