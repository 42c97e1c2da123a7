import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { forecast } from '../forecast.ts';
import { createInlineRunner } from '../runner.ts';
import { seasonalNaive } from './seasonal-naive.ts';
import { forecastSeasonalNaive } from './seasonal-naive-baseline.ts';

test('equals the predictions of seasonal naive as a member model, with gaps, with a season and without one', async () => {
  const runner = createInlineRunner(new Map([['seasonal_naive', seasonalNaive]]));
  const quantiles = [0.05, 0.5, 0.9];
  for (const season of [0, 20]) {
    const full = monthlyRequest(60, 14, { season, quantiles, models: ['seasonal_naive'], transform: 'log' });
    const isKept = (_: unknown, i: number) => i % 11 !== 7;
    const timestamps = Array.from(full.timestamps).filter(isKept);
    const values = Array.from(full.values).filter(isKept);
    const result = await forecast({ ...full, timestamps, values }, { runner });
    const { cadence, horizon } = full;
    const baseline = forecastSeasonalNaive({ cadence, timestamps, values, season: result.season, horizon, quantiles });
    assert.deepEqual(
      baseline,
      result.members[0]?.predictions.map((prediction) => prediction.quantiles),
    );
    assert.equal(result.season > 1, season > 0, 'one series has a season');
  }
});
