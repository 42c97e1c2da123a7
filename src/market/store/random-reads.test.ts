import assert from 'node:assert/strict';
import { storeProvider, storeScene } from '../../../test/support/market/store-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { createSeededRandom } from '../../../test/support/platform/seeded-random.ts';
import { type BarFrequency, DAY_MS, gridOf, MINUTE_MS, type SeriesKind } from '../../calendar/index.ts';
import { marketMigrations } from '../migrations/index.ts';
import { collectBars } from '../providers/collect-bars.ts';
import type { RawBar } from '../providers/provider.ts';
import { cadenceOf, lastBarBefore } from './bar-times.ts';

const START = Date.parse('2024-09-02T00:00Z');
const DAYS = 90;

/** Returns one bar for most timestamps of a series, because some minutes and days have no trade. */
function generate(frequency: BarFrequency, kind: SeriesKind, random: () => number): RawBar[] {
  const cadence = cadenceOf({ frequency }, kind);
  const grid = gridOf(cadence);
  const rows: RawBar[] = [];
  for (let time = lastBarBefore(cadence, START); time < START + DAYS * DAY_MS; time = grid.next(time)) {
    const close = 100 + Math.round(random() * 1_000) / 100;
    if (random() < 0.9) rows.push({ timestamp: time, open: close, high: close + 1, low: close - 1, close, volume: 7 });
  }
  return rows;
}

for (const [frequency, kind] of [
  ['1D', 'exchange'],
  ['30min', 'exchange'],
  ['30min', 'currency'],
  ['1D', 'plain'],
] as const) {
  forEachDatabase(
    `random questions get the bars that the provider has: ${frequency} ${kind}`,
    { migrations: [marketMigrations] },
    async ({ database }) => {
      const random = createSeededRandom(7);
      const between = (low: number, high: number) => low + Math.floor(random() * (high - low));
      const provider = storeProvider(generate(frequency, kind, random), kind);
      let now = START + 20 * DAY_MS;
      const scene = storeScene(database, provider, new Date(now).toISOString());
      for (let i = 0; i < 40; i++) {
        now += random() < 0.7 ? between(0, 90) * MINUTE_MS : between(0, 4 * DAY_MS);
        now = Math.min(now, START + (DAYS - 1) * DAY_MS);
        scene.setTime(new Date(now).toISOString());
        provider.delayMinutes = random() < 0.1 ? 15 : 0;
        const at = random() < 0.3 ? between(START, now) : now;
        const end = random() < 0.3 ? between(START, now) : at;
        const start = random() < 0.3 ? between(START, end) : undefined;
        const limit = between(1, 120);
        const window = { frequency, at, end, limit, ...(start === undefined ? {} : { start }) };
        const stored = await scene.read(window);
        const available = Math.min(at, now - provider.delayMinutes * MINUTE_MS);
        const query = { symbol: 'ACME', frequency, adjustment: 'raw', side: 'trade', start, end, limit } as const;
        const direct = await collectBars(provider, query, { http: {} as never, at: available });
        assert.deepEqual(stored.bars, direct.bars, `question ${i}: ${JSON.stringify(window)}`);
        assert.equal(stored.reachedStart, direct.reachedStart, `question ${i}: ${JSON.stringify(window)}`);
        provider.takeRequests();
        assert.equal(await scene.countRequests(window), 0, 'the same question needs no request');
      }
      assert.deepEqual(scene.logged, []);
    },
  );
}
