import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Board } from './scoreboard.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'almanac-published-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  const script = path.join(import.meta.dirname, 'run.ts');
  const launcher = path.join(import.meta.dirname, '../../scripts/launch.mjs');
  return spawnSync(process.execPath, [launcher, script, ...args], { encoding: 'utf8' });
}

function write(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function boardOf(file: string): Board {
  const { status, stdout, stderr } = run('--json', '--models', 'seasonal_naive,theta', file);
  assert.equal(status, 0, stderr);
  const { sets } = JSON.parse(stdout) as { sets: Board[] };
  assert.equal(sets.length, 1);
  return sets[0] as Board;
}

test('seasonal naive computed here equals the published figure, and our entries have ranks', () => {
  // The point is 4, the errors are 1 and 2, the scale is 1, and the size of the actual values is 11.
  write('published.csv', [
    'source,model,dataset,mase,wql',
    'chronos,seasonal_naive,nn5,1.5,0.272727',
    'chronos,better,nn5,0.000001,0.000001',
    'chronos,worse,nn5,9,9',
  ]);
  // The published scores are found in the parent of the folder.
  const board = boardOf(write('more/nn5.txt', ['a;DAILY;1;2;1,2,3,4;5,6']));
  assert.equal(board.key, 'nn5');
  assert.equal(board.seasonal_naive.mase, 1.5);
  assert.equal(board.seasonal_naive.mase_deviation, 0);
  assert.ok(Math.abs(board.seasonal_naive.wql_deviation ?? 1) < 1e-3);
  assert.deepEqual(
    board.ours.map(({ entry, mase_rank }) => [entry, mase_rank]),
    [
      ['seasonal_naive', 2],
      ['theta', 2],
    ],
  );
  assert.equal(board.published.length, 3);
});

test('without published scores it prints ours', () => {
  const file = write('alone/deep/sales.txt', ['a;MONTHLY;12;2;1,2,NA,4,3,5;5,NA', 'b;MONTHLY;12;1;7,8,6,7;7']);
  const { status, stdout, stderr } = run('--models', 'theta,ets', file);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^sales: 2 windows/m);
  assert.match(stdout, /^theta +none +0\.\d{4}/m);
  assert.doesNotMatch(stdout, /published| of 1\b/);
});

test('mistakes end with status 2, the reason and the usage', () => {
  const file = write('more/nn5.txt', ['a;DAILY;1;2;1,2,3,4;5,6', 'b;DAILY;1;2;1,2']);
  const cases: readonly (readonly [args: string[], message: RegExp])[] = [
    [[], /Name at least one file of series\./],
    [[path.join(folder, 'none.txt')], /none\.txt: ENOENT/],
    [[file], /nn5\.txt: Line 2: Expected id;period;frequency;horizon;history;actuals/],
    [['--models', 'auto,magic', file], /There is no model 'magic'\. Choose from auto, .*mstl\./],
    [['--fast', file], /'--fast'/],
    [[write('empty.txt', [''])], /The file has no series\. Write one per line\./],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 2, `${args}: ${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.match(stderr, /^Usage: npm run -s bench:published/m);
  }
});
