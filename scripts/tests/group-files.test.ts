import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { groupFiles } from './group-files.ts';

const root = join(import.meta.dirname, '..', '..');

test('every file is in one group, and no group is larger than it may be', () => {
  const files = globSync('{src,scripts,test}/**/*.test.ts', { cwd: root });
  const groups = groupFiles(files, 8);
  assert.deepEqual(groups.flat().toSorted(), files.toSorted());
  assert.ok(groups.every(({ length }) => length >= 1 && length <= 8));
});

test('what changes its whole process, or starts others, is alone; neighbours are together', () => {
  const groups = groupFiles(['src/b.test.ts', 'test/telemetry/x.test.ts', 'src/a.test.ts', 'src/c.test.ts'], 2);
  assert.deepEqual(groups, [['test/telemetry/x.test.ts'], ['src/a.test.ts', 'src/b.test.ts'], ['src/c.test.ts']]);
});
