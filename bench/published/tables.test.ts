import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RUNS, requirePlace, writeRun } from './docs-page.ts';
import { definitionOf } from './keys.ts';
import { relativeTables } from './relative.ts';
import type { Board, EntryScores } from './scoreboard.ts';
import { formatTables } from './text-tables.ts';

const RUN = { date: '2026-08-01', commit: 'abc1234' };
const PAGE = [
  '# Models',
  '<!-- scoreboard -->',
  'old',
  '<!-- end of scoreboard -->',
  'Text between.',
  '<!-- runs on actual values -->',
  '<!-- end of runs on actual values -->',
  'The end.',
].join('\n');

/** A set in which seasonal naive has 2, we have `ours`, and the published models have the named scores. */
function board(key: string, ours: number, models: Readonly<Record<string, number>>, failures = 0): Board {
  const published = Object.entries({ 'Seasonal Naive': 2, ...models }).map(([model, mase]) => {
    return { source: 's', model, key, mase, wql: mase / 10 };
  });
  const scores = { mase: ours, wql: ours / 10, smape: 5, coverage_80: 0.8, cpu_ms: 1 };
  const entry: EntryScores = { entry: 'auto', ...scores, failures, mase_rank: 1, wql_rank: 1 };
  return {
    key,
    definition: definitionOf(key),
    windows: 3,
    lag: 1,
    horizon: 2,
    seasonal_naive: {
      mase: 2,
      wql: 0.2,
      published: { mase: 2, wql: 0.2 },
      mase_deviation: 0,
      wql_deviation: 0,
    },
    ours: [entry],
    published,
  };
}

test('geometric means are relative to seasonal naive, with models that have all sets, by any spelling', () => {
  const boards = [
    board('monash_a', 1, { TiRex: 1, partial: 1 }),
    board('monash_b', 0.5, { tirex: 4 }),
    board('gift:c/D/short', 2, { 'ti-rex': 2 }),
  ];
  const [chronos, gift, all] = relativeTables(boards);
  assert.deepEqual(
    chronos?.models.map(({ model, ours, mase }) => [model, ours, Number(mase.toFixed(6))]),
    [
      ['auto', true, Number(Math.sqrt(0.5 * 0.25).toFixed(6))],
      ['Seasonal Naive', false, 1],
      ['TiRex', false, 1],
    ],
  );
  assert.deepEqual(gift?.sets, ['gift:c/D/short']);
  assert.equal(all?.title, 'all sources');
  assert.equal(all?.models.find(({ ours }) => ours)?.mase.toFixed(6), (0.125 ** (1 / 3)).toFixed(6));
  assert.equal(relativeTables(boards.slice(0, 2)).length, 1);
});

test('an entry that failed on a series has no geometric mean and is listed last', () => {
  const [table] = relativeTables([board('monash_a', 1, { worse: 9 }, 1)]);
  assert.equal(table?.models.at(-1)?.model, 'auto');
  assert.match(formatTables([board('monash_a', 1, {}, 1)], table ? [table] : []), /auto \(1 failed\)/);
});

test('the text has our rank among the published models and the best five of them', () => {
  const models = { a: 0.1, b: 0.2, c: 0.3, d: 0.4, e: 0.5, f: 0.6 };
  const text = formatTables([board('monash_a', 1, models)], []);
  assert.match(text, /^auto +1\.0000 {2}1 of 8 +0\.1000 {2}1 of 8 +80\.0 +5\.00 +1\.0$/m);
  assert.match(
    text,
    /seasonal naive: 2\.0000 \/ 0\.2000, published 2\.0000 \/ 0\.2000, deviation 0\.000 % \/ 0\.000 %/,
  );
  assert.match(text, /best of 7 published/);
  assert.match(text, /^ {2}e +0\.5000/m);
  assert.doesNotMatch(text, /^ {2}f /m);
});

test('a run replaces the tables of the page and adds a line to its list', () => {
  const boards = [board('monash_a', 1, { tirex: 1.5 })];
  const once = writeRun(PAGE, RUN, boards, relativeTables(boards));
  assert.match(
    once,
    /\| `monash_a` \| `auto` \| 1\.0000 \| 1 of 3 \| 0\.1000 \| 1 of 3 \| 80\.0% \| 1 \| 1\.5000 \(tirex\)/,
  );
  assert.match(once, /\| 2026-08-01 \| abc1234 \| 1 \| `auto` 0\.500 \/ 0\.500, 80\.0% \|/);
  assert.doesNotMatch(once, /old/);
  assert.match(once, /^# Models\n[\s\S]*\nText between\.\n[\s\S]*\nThe end\.$/);
  const better = [board('monash_a', 0.5, { tirex: 1.5 })];
  const twice = writeRun(once, { ...RUN, commit: 'def5678' }, better, relativeTables(better));
  assert.equal(twice.match(/^\| 2026/gm)?.length, 2);
  assert.ok(twice.indexOf('abc1234') < twice.indexOf('def5678'), 'the newest run is last');
  assert.equal(twice.match(/`monash_a`/g)?.length, 1);
});

test('an eleventh run has no place, and a page needs its marks', () => {
  const boards = [board('monash_a', 1, {})];
  let page = PAGE;
  for (let i = 0; i < MAX_RUNS; i++) page = writeRun(page, RUN, boards, relativeTables(boards));
  assert.throws(() => requirePlace(page), /lists 10 runs, which is all that are allowed/);
  assert.throws(() => writeRun(page, RUN, boards, []), /lists 10 runs/);
  assert.throws(() => requirePlace('# Models'), /lacks the lines '<!-- scoreboard -->'/);
});
