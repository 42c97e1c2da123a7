import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planGroups, waitsWhileLoading } from './plan-groups.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{src,scripts,test}/**/*.test.ts', { cwd: root });

test('every test file is in exactly one group', () => {
  const groups = planGroups(files, { durations: {}, shares: [3, 2, 1] });
  assert.deepEqual(groups.flat().toSorted(), files.toSorted());
  assert.ok(groups.every(({ length }) => length > 0));
});

test('gives each group a duration like its share, and puts the longest group first', () => {
  const durations = { a: 50, b: 30, c: 30, d: 10, e: 60 };
  assert.deepEqual(planGroups(Object.keys(durations), { durations, shares: [1, 1, 1] }), [
    ['e'],
    ['a', 'd'],
    ['b', 'c'],
  ]);
  assert.deepEqual(planGroups(Object.keys(durations), { durations, shares: [1, 2] }), [
    ['e', 'b', 'c'],
    ['a', 'd'],
  ]);
});

test('a file without a recorded duration gets the assumed duration', () => {
  const options = { durations: { long: 9_000, short: 1 }, shares: [1, 1] };
  assert.deepEqual(planGroups(['short', 'new', 'long'], options), [['long'], ['new', 'short']]);
});

test('no test file waits while it loads', () => {
  const plain = "test('a', async () => {\n  await something();\n});\nbefore(async () => {\n  await open();\n});\n";
  assert.equal(waitsWhileLoading(plain), false);
  const waiting = ['const { database } = await open();', 'let fixture = await open();', "await import('./b.ts');"];
  for (const line of waiting) assert.equal(waitsWhileLoading(`${plain}${line}\n`), true, line);
  assert.deepEqual(
    files.filter((file) => waitsWhileLoading(readFileSync(join(root, file), 'utf8'))),
    [],
    'a file opens what it needs in a `before` hook',
  );
});

test('most recorded durations belong to a file that exists', () => {
  const recorded = Object.keys(JSON.parse(readFileSync(join(root, 'scripts/tests/durations.json'), 'utf8')));
  assert.ok(recorded.filter((file) => files.includes(file)).length >= 0.8 * files.length, 'record the durations again');
});
