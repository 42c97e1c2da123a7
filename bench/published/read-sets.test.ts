import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readPasts } from './read-sets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'almanac-pasts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a past ends one horizon before the history does, and has neither actual values nor published scores', () => {
  writeFileSync(path.join(folder, 'published.csv'), 'source,model,dataset,mase,wql\nchronos,theta,nn5,1,1\n');
  const file = path.join(folder, 'nn5.txt');
  writeFileSync(
    file,
    ['a@1;DAILY;1;2;1,2,NA,4,5;91,92', 'a@2;DAILY;1;2;1,2,NA,4,5,91,92;93,94', 'b;DAILY;1;3;1,2,3;91,92,93'].join('\n'),
  );
  const { sets } = readPasts(file);
  assert.deepEqual(
    sets.map(({ series, published }) => [series.map(({ id }) => id), published]),
    [[['a@1'], []]],
  );
  const [past] = sets[0]?.series ?? [];
  assert.deepEqual([...(past?.history ?? [])], [1, 2, Number.NaN]);
  assert.deepEqual([...(past?.actuals ?? [])], [4, 5]);
});
