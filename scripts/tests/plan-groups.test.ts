import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { needsOwnProcess, planGroups } from './plan-groups.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{src,scripts,test}/**/*.test.ts', { cwd: root });

test('every test file is in exactly one group', () => {
  const groups = planGroups(files, { durations: {}, groupCount: 8, isAlone: (file) => file.startsWith('test/') });
  assert.deepEqual(groups.flat().toSorted(), files.toSorted());
  assert.ok(groups.every(({ length }) => length > 0));
});

test('groups have similar durations and start longest first; a file that runs alone is a group', () => {
  const durations = { a: 50, b: 30, c: 30, d: 10, x: 70 };
  const groups = planGroups(Object.keys(durations), { durations, groupCount: 2, isAlone: (file) => file === 'x' });
  assert.deepEqual(groups, [['x'], ['a', 'd'], ['b', 'c']]);
});

test('a file without a recorded duration gets the assumed duration', () => {
  const options = { durations: { long: 9_000, short: 1 }, groupCount: 2, isAlone: () => false };
  assert.deepEqual(planGroups(['short', 'new', 'long'], options), [['long'], ['new', 'short']]);
});

test('files that change process-wide state or have a top-level await run alone', () => {
  assert.equal(needsOwnProcess('test/upgrade/x.test.ts', ''), true);
  const plain = "test('a', async () => {\n  await something();\n  after(() => {});\n});\n";
  assert.equal(needsOwnProcess('src/a.test.ts', plain), false);
  assert.equal(needsOwnProcess('src/a.test.ts', `${plain}before(() => {});\n`), false);
  const waiting = ['const { database } = await open();', 'let fixture = await open();', "await import('./b.ts');"];
  for (const line of waiting) assert.equal(needsOwnProcess('src/a.test.ts', `${plain}${line}\n`), true, line);
});

test('most recorded durations belong to a file that exists', () => {
  const recorded = Object.keys(JSON.parse(readFileSync(join(root, 'scripts/tests/durations.json'), 'utf8')));
  assert.ok(recorded.filter((file) => files.includes(file)).length >= 0.8 * files.length, 'record the durations again');
});
