import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cadence, DAY_MS, HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';
import type { SourceReference } from '../../contract/index.ts';
import {
  countPastSteps,
  countReplayedSteps,
  firstReadTime,
  isCollected,
  nextReadTime,
  nextRetryTime,
  stepTimesOf,
} from './outcome-times.ts';

const DAILY: Cadence = { frequency: '1D', kind: 'exchange', hours: 'regular' };
const STOCK: SourceReference = { type: 'market', symbol: 'KNOWN', timeframe: '1D' };
const SERIES: SourceReference = { type: 'economic_series', provider: 'fred', series_id: 'CPI' };

const stepsAt = (cadence: Cadence, times: readonly string[], settleDays?: number) =>
  stepTimesOf(
    { cadence, ...(settleDays !== undefined && { settleDays }) },
    { predictions: times.map((timestamp) => ({ timestamp: new Date(timestamp).toISOString(), quantiles: {} })) },
  );
const iso = (instant: number | undefined) => new Date(instant ?? Number.NaN).toISOString();
const at = (instant: string) => Date.parse(instant);

/** Thursday to Monday, with the change of clocks in New York in between. */
const SESSIONS = stepsAt(DAILY, ['2026-03-05', '2026-03-06', '2026-03-09']);

test('a step is final when its session has closed and the settle days are over', () => {
  assert.deepEqual(
    SESSIONS.map(({ finalAt }) => iso(finalAt)),
    ['2026-03-05T21:00:00.000Z', '2026-03-06T21:00:00.000Z', '2026-03-09T20:00:00.000Z'],
  );
  const [month] = stepsAt({ frequency: '1ME', kind: 'plain' }, ['2026-01-31'], 10);
  assert.deepEqual([iso(month?.until), iso(month?.finalAt)], ['2026-02-01T00:00:00.000Z', '2026-02-11T00:00:00.000Z']);
  const [week] = stepsAt({ frequency: '1W-MON', kind: 'exchange', hours: 'regular' }, ['2026-03-02']);
  assert.deepEqual(
    [iso(week?.knownFrom), iso(week?.finalAt)],
    ['2026-03-06T21:00:00.000Z', '2026-03-09T00:00:00.000Z'],
    'the value of a week is known on Friday, although its bar ends on Monday',
  );
});

test('replays the steps whose periods were over when the forecast was made', () => {
  const made = (created: string, fields: object = {}, cutoff: string | null = null, is_copy = false) =>
    countReplayedSteps(SESSIONS, {
      settings: { source: STOCK, cutoff, ...fields },
      is_copy,
      created_at: new Date(created),
    });
  assert.equal(made('2026-03-05T20:59:59.999Z'), 0);
  assert.equal(made('2026-03-05T21:00:00.000Z'), 1, 'the close is known');
  assert.equal(made('2026-03-08T00:00:00.000Z'), 2);
  assert.equal(made('2026-04-01T00:00:00.000Z'), 3);
  const late = '2026-04-01T00:00:00.000Z';
  assert.equal(made(late, { source: SERIES }), 0, 'the forecast read every row that was published');
  assert.equal(made(late, { source: SERIES }, '2026-03-04T00:00:00.000Z'), 3, 'but not with a cutoff');
  assert.equal(made(late, { source: { ...SERIES, vintage: '2026-03-04' } }), 3, 'nor with a vintage');
  assert.equal(made(late, { source: SERIES }, null, true), 3, 'nor with the rows of another forecast');
  assert.equal(made(late, { source: { ...SERIES, provider: 'bundled' } }), 3, 'bundled series have no new rows');
  assert.equal(made(late, { source: null }), 3);
  const early = '2026-03-01T00:00:00.000Z';
  assert.equal(
    made(early, { source: null, knownUntil: new Date(SESSIONS[1]?.timestamp ?? 0).toISOString() }),
    2,
    'sent rows',
  );
  assert.equal(
    countReplayedSteps([], { settings: { source: null, cutoff: null }, is_copy: false, created_at: new Date() }),
    0,
  );
});

test('a job collects the outcomes of every source except the rows of callers', () => {
  assert.deepEqual(
    [STOCK, SERIES, null].map((source) => isCollected({ source })),
    [true, true, false],
  );
  const file = { type: 'workspace_csv', workspace_id: 'w', csv_id: 'c', time_field: 't', value_field: 'v' } as const;
  assert.equal(isCollected({ source: file }), false);
});

test('forecasts of earlier versions replay every step whose period was over, of whatever source', () => {
  assert.equal(countPastSteps(SESSIONS, new Date('2026-03-05T20:59:59.999Z')), 0);
  assert.equal(countPastSteps(SESSIONS, new Date('2026-03-08T00:00:00.000Z')), 2);
  assert.equal(countPastSteps(SESSIONS, new Date('2026-04-01T00:00:00.000Z')), 3);
});

test('reads a table whose reads are billed when the last step is final, and other sources when the first is', () => {
  const table = { type: 'warehouse_table', time_field: 't', value_field: 'v' } as const;
  const first = (source: SourceReference) => firstReadTime({ source }, SESSIONS) ?? Number.NaN;
  assert.equal(iso(first({ ...table, table: 'bigquery-public-data.a.b' })), '2026-03-09T20:00:00.000Z');
  assert.equal(iso(first({ ...table, table: 'local.a' })), '2026-03-05T21:00:00.000Z');
  assert.equal(iso(first(STOCK)), '2026-03-05T21:00:00.000Z');
  assert.equal(firstReadTime({ source: STOCK }, []), null);
});

test('reads daily rows when each is final, and minutes together', () => {
  assert.equal(iso(nextReadTime(SESSIONS, 0, at('2026-03-04T22:00:00Z'))), '2026-03-05T21:00:00.000Z');
  assert.equal(iso(nextReadTime(SESSIONS, 2, at('2026-03-06T21:00:00Z'))), '2026-03-09T20:00:00.000Z');
  const minutes = Array.from({ length: 300 }, (_, i) => iso(at('2026-03-05T15:00:00Z') + i * MINUTE_MS));
  const steps = stepsAt({ frequency: '1min', kind: 'plain' }, minutes);
  const now = at('2026-03-05T15:30:00Z');
  assert.equal(nextReadTime(steps, 30, now), now + (299 / 20) * MINUTE_MS, 'about twenty reads in all');
  const days = Array.from({ length: 365 }, (_, i) => iso(at('2026-03-05T00:00:00Z') + i * DAY_MS));
  const year = stepsAt({ frequency: '1D', kind: 'plain' }, days);
  assert.equal(
    iso(nextReadTime(year, 1, at('2026-03-06T00:00:00Z'))),
    '2026-03-08T00:00:00.000Z',
    'at most a day late',
  );
});

test('waits longer and longer for a late row, but not beyond the next step', () => {
  const waits = [0, 30 * MINUTE_MS, 5 * HOUR_MS, 40 * DAY_MS].map((late) => {
    const now = (SESSIONS[2]?.finalAt ?? 0) + late;
    return (nextReadTime(SESSIONS, 2, now) - now) / HOUR_MS;
  });
  assert.deepEqual(waits, [1, 1, 5, 24]);
  const now = at('2026-03-06T20:55:00Z');
  assert.equal(
    iso(nextReadTime(SESSIONS, 0, now)),
    '2026-03-07T01:40:00.000Z',
    'the second step is due before the retry',
  );
  assert.equal(nextReadTime(SESSIONS, 3, now), Number.POSITIVE_INFINITY);
});

test('retries a failed provider soon, and then less and less often', () => {
  const waits = [0, HOUR_MS, 3 * DAY_MS].map((overdue) => nextRetryTime(0, overdue) - overdue);
  assert.deepEqual(waits, [15 * MINUTE_MS, HOUR_MS, DAY_MS]);
});
