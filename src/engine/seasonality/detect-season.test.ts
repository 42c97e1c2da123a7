import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  generateSeries,
  type Kind,
  WITH_SEASON,
  WITHOUT_SEASON,
} from '../../../test/support/engine/generated-series.ts';
import { FREQUENCIES, type Frequency, gridOf } from '../../calendar/index.ts';
import { seasonCandidates } from './candidates.ts';
import { detectSeason } from './detect-season.ts';

type Candidates = Frequency | readonly number[];

const CASES: readonly [number, Candidates][] = [
  [4, '1QE'],
  [7, [7]],
  [12, '1MS'],
  [24, '1h'],
  [52, '1W-MON'],
  [168, '1h'],
];
/**
 * Series per kind and length, fewer where a series is long. The seeds are fixed, so the rates are the same in every run.
 * ALMANAC_SEASON_REPEATS sets a larger number for all seasons, with further seeds.
 */
const REPEATS: Readonly<Record<number, number>> = { 4: 100, 7: 100, 12: 60, 24: 20, 52: 15, 168: 6 };
const repeatsFor = (season: number): number => Number(process.env.ALMANAC_SEASON_REPEATS ?? REPEATS[season]);

/** Returns the share of the generated series, over kinds and seeds, whose detected season `accept` accepts. */
function rate(
  kinds: readonly Kind[],
  season: number,
  rounds: number,
  candidates: Candidates,
  accept: (found: number) => boolean,
): number {
  const repeats = repeatsFor(season);
  let accepted = 0;
  for (const kind of kinds) {
    for (let i = 0; i < repeats; i++) {
      if (accept(detectSeason(generateSeries(kind, season, rounds, 1000 * i + season), candidates))) accepted++;
    }
  }
  return accepted / kinds.length / repeats;
}

test('finds a season that repeats eight times, usually one that repeats three times, and none in other series', (t) => {
  let falseAlarms = 0;
  for (const [season, candidates] of CASES) {
    const hits = (rounds: number) => rate(WITH_SEASON, season, rounds, candidates, (found) => found === season);
    const alarms = (rounds: number) => rate(WITHOUT_SEASON, season, rounds, candidates, (found) => found !== 1);
    const many = hits(8);
    const few = hits(4);
    const fewest = hits(3);
    const alarm = (alarms(8) + alarms(4) + alarms(3)) / 3;
    falseAlarms += alarm / CASES.length;
    t.diagnostic(
      `season ${season}: found ${(100 * many).toFixed(1)} % of 8 rounds, ${(100 * few).toFixed(1)} % of 4, ${(100 * fewest).toFixed(1)} % of 3; false alarms ${(100 * alarm).toFixed(2)} %`,
    );
    assert.ok(many >= 0.95, `season ${season}: only ${many} found in 8 rounds`);
    assert.ok(few >= 0.8, `season ${season}: only ${few} found in 4 rounds`);
    assert.ok(fewest >= 0.65, `season ${season}: only ${fewest} found in 3 rounds`);
  }
  assert.ok(falseAlarms <= 0.02, `false alarms ${falseAlarms}`);
});

test('raises few false alarms over two repetitions', () => {
  for (const [season, candidates] of CASES.slice(0, 5)) {
    const alarms = rate(WITHOUT_SEASON, season, 2, candidates, (found) => found !== 1);
    assert.ok(alarms <= 0.05, `season ${season}: ${alarms}`);
  }
});

test('finds a season without noise that repeats three times, whatever the trend', () => {
  for (const season of [4, 7, 12, 24]) {
    for (const trend of [(t: number) => 0 * t, (t: number) => 5 * t, (t: number) => -0.1 * t * t]) {
      const values = Float64Array.from({ length: 3 * season }, (_, t) => trend(t) + 10 * ((t * t) % season));
      assert.equal(detectSeason(values, [season]), season);
    }
  }
});

test('does not mistake a daily season for a weekly one', () => {
  for (let seed = 1; seed <= 10; seed++) {
    assert.equal(detectSeason(generateSeries('seasonal', 24, 7 * 8, seed), '1h'), 24);
  }
});

test('returns 1 for series that cannot have a season', () => {
  assert.equal(detectSeason(new Float64Array(0), '1MS'), 1);
  assert.equal(detectSeason(new Float64Array(40).fill(5), '1MS'), 1);
  assert.equal(detectSeason(Float64Array.from([1, 2, 3, 4, 5]), '1MS'), 1);
  for (const line of [(t: number) => 3 * t - 20, (t: number) => Math.exp(t / 10), (t: number) => 7 - t / 3]) {
    assert.equal(
      detectSeason(
        Float64Array.from({ length: 600 }, (_, t) => line(t)),
        '1h',
      ),
      1,
    );
  }
  assert.equal(
    detectSeason(
      Float64Array.from({ length: 60 }, (_, i) => Math.sin(i / 2)),
      '1YE',
    ),
    1,
  );
});

test('tests for seasons at every frequency but years, and counts sessions on an exchange', () => {
  for (const frequency of FREQUENCIES) assert.equal(seasonCandidates(frequency).length > 0, frequency !== '1YE');
  assert.deepEqual(seasonCandidates({ frequency: '1D', kind: 'plain' }), [7, 365]);
  assert.deepEqual(seasonCandidates({ frequency: '1D', kind: 'exchange' }), [5, 252]);
  assert.deepEqual(seasonCandidates({ frequency: '30min', kind: 'exchange', hours: 'regular' }), [13]);
  // Without trading hours the bars of an exchange are plain steps.
  assert.deepEqual(seasonCandidates({ frequency: '30min', kind: 'exchange' }), [48, 336]);
  assert.deepEqual(seasonCandidates({ frequency: '1W-MON', kind: 'exchange' }), [52]);
});

test('counts the seasons of currencies in periods with trading', () => {
  assert.deepEqual(seasonCandidates({ frequency: '1D', kind: 'currency' }), [6, 313]);
  assert.deepEqual(seasonCandidates({ frequency: '1MS', kind: 'currency' }), [12]);
  const week = { '15min': 480, '30min': 240, '1h': 120, '4h': 31, '1D': 6 } as const;
  for (const frequency of ['15min', '30min', '1h', '4h', '1D'] as const) {
    const cadence = { frequency, kind: 'currency' } as const;
    assert.ok(seasonCandidates(cadence).includes(week[frequency]));
    const [from, to] = [Date.UTC(2024, 0, 3), Date.UTC(2024, 0, 10)];
    assert.equal(gridOf(cadence).steps(from, to), week[frequency], frequency);
  }
});

test('copes with huge, tiny and missing values', () => {
  const values = generateSeries('seasonal', 12, 8, 5);
  const largest = values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);
  for (const unit of [1e-300, 1, Number.MAX_VALUE / largest]) {
    assert.equal(
      detectSeason(
        values.map((value) => value * unit),
        '1MS',
      ),
      12,
    );
  }
});
