import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  create,
  dailyPoints,
  eventually,
  FORECASTS,
  openForecastService,
  type Person,
} from '../support/forecasts/forecast-service.ts';
import { availableKinds } from '../support/platform/database.ts';

interface Ended {
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

/** Different in everything that the engine looks at. */
function requestOf(number: number): object {
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

test(`${REQUESTS} stored requests give the same bytes when they are run again, on either database`, async () => {
  const said = new Map<number, string>();
  for (const kind of availableKinds) {
    await using service = await openForecastService(kind, { worker: true });
    const person = await service.account('enterprise');
    for (let number = 0; number < REQUESTS; number++) {
      const { data } = await create(person, requestOf(number));
      const first = await ended(person, data.forecast_id);
      const again = await person.ask<{ forecast_id: string }>('POST', `${FORECASTS}/${first.forecast_id}/reproduce`);
      const second = await ended(person, again.data.forecast_id);
      assert.equal(second.comparison?.outcome, 'exact', `request ${number} on ${kind}`);
      assert.equal(words(second), words(first));
      assert.equal(words(first), said.get(number) ?? words(first), `request ${number} on ${kind} and before`);
      said.set(number, words(first));
    }
  }
  assert.equal(said.size, REQUESTS);
});

async function ended({ ask }: Person, id: string): Promise<Ended> {
  const { data } = await eventually(
    () => ask<Ended>('GET', `${FORECASTS}/${id}`),
    (reply) => ['completed', 'failed'].includes(reply.data.status),
  );
  assert.equal(data.status, 'completed');
  return data;
}

/** Everything a forecast says, in its own bytes. */
function words({ predictions, weighting, historical_validation, members }: Ended): string {
  return JSON.stringify({ predictions, weighting, historical_validation, members });
}
