import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSeries, WITH_SEASON, WITHOUT_SEASON } from './generated.ts';
import { detectSeason, seasonCandidates } from './index.ts';

const CASES: readonly [number, string | readonly number[]][] = [
  [4, '1QE'],
  [7, [7]],
  [12, '1MS'],
  [24, '1h'],
  [52, '1W'],
  [168, '1h'],
];
const REPEATS = 25;

/** Share of the generated series, over kinds and seeds, of which `detectSeason` says what `accept` accepts. */
function rate(season: number, rounds: number, candidates: string | readonly number[], withSeason: boolean): number {
  let accepted = 0;
  const kinds = withSeason ? WITH_SEASON : WITHOUT_SEASON;
  for (const kind of kinds) {
    for (let i = 0; i < REPEATS; i++) {
      const found = detectSeason(generateSeries(kind, season, rounds, 1000 * i + season), candidates);
      if (withSeason ? found === season : found !== 1) accepted++;
    }
  }
  return accepted / kinds.length / REPEATS;
}

test('finds the season in eight rounds and mostly in four, and sees none where there is none', (t) => {
  let falseAlarms = 0;
  for (const [season, candidates] of CASES) {
    const many = rate(season, 8, candidates, true);
    const few = rate(season, 4, candidates, true);
    const alarms = (rate(season, 8, candidates, false) + rate(season, 4, candidates, false)) / 2;
    falseAlarms += alarms / CASES.length;
    t.diagnostic(
      `season ${season}: hits ${(100 * many).toFixed(1)} % of 8 rounds, ${(100 * few).toFixed(1)} % of 4; false alarms ${(100 * alarms).toFixed(2)} %`,
    );
    assert.ok(many >= 0.92, `season ${season}: only ${many} found in 8 rounds`);
    assert.ok(few >= 0.65, `season ${season}: only ${few} found in 4 rounds`);
  }
  assert.ok(falseAlarms <= 0.015, `false alarms ${falseAlarms}`);
});

test('a day is not taken for a week', () => {
  for (let seed = 1; seed <= 10; seed++) {
    assert.equal(detectSeason(generateSeries('seasonal', 24, 7 * 8, seed), '1h'), 24);
  }
});

test('says 1 for what cannot have a season', () => {
  assert.equal(detectSeason(new Float64Array(0), '1MS'), 1);
  assert.equal(detectSeason(new Float64Array(40).fill(5), '1MS'), 1);
  assert.equal(detectSeason(Float64Array.from([1, 2, 3, 4, 5]), '1MS'), 1);
  assert.equal(
    detectSeason(
      Float64Array.from({ length: 60 }, (_, i) => Math.sin(i / 2)),
      '1YE',
    ),
    1,
  );
  assert.deepEqual(seasonCandidates('unknown'), []);
});
