import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { groupFiles, needsOwnProcess } from './group-files.ts';

const root = join(import.meta.dirname, '..', '..');

test('every file is in one group, and no group is larger than it may be', () => {
  const files = globSync('{src,scripts,test}/**/*.test.ts', { cwd: root });
  const groups = groupFiles(files, 8, (file) => file.startsWith('test/'));
  assert.deepEqual(groups.flat().toSorted(), files.toSorted());
  assert.ok(groups.every(({ length }) => length >= 1 && length <= 8));
});

test('those that must be alone come first; neighbours are together', () => {
  const groups = groupFiles(['b', 'x', 'a', 'c'], 2, (file) => file === 'x');
  assert.deepEqual(groups, [['x'], ['a', 'b'], ['c']]);
});

test('what changes its whole process, or waits while it is loaded, is alone', () => {
  assert.equal(needsOwnProcess('test/platform/x.test.ts', ''), true);
  const plain = "test('a', async () => {\n  await something();\n  after(() => {});\n});\n";
  assert.equal(needsOwnProcess('src/a.test.ts', plain), false);
  assert.equal(needsOwnProcess('src/a.test.ts', `${plain}before(() => {});\n`), false);
  const waiting = ['const { database } = await open();', 'let fixture = await open();', "await import('./b.ts');"];
  for (const line of waiting) assert.equal(needsOwnProcess('src/a.test.ts', `${plain}${line}\n`), true, line);
});
