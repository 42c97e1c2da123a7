import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  findTableFiles,
  isUnchanged,
  listLocalTables,
  MAX_FILES,
  MAX_TABLES,
  resolveWarehouseFolder,
} from './find-table-files.ts';

let root: string;
before(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'almanac-files-')));
});
after(() => rmSync(root, { recursive: true }));

function write(name: string, content = 'a\n1\n'): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const namesOf = async (table: string) => (await findTableFiles(root, table))?.files.map(({ name }) => name);

test('finds a file or the files of a folder in their order, without hidden ones and other types', async () => {
  write('one.parquet');
  write('two.csv');
  for (const name of [
    'b.csv',
    'a/z.csv',
    'a/B.csv',
    '_SUCCESS',
    '_x.csv',
    '.y.csv',
    'notes.txt',
    '_log/c.csv',
    '.d/e.csv',
  ]) {
    write(`many/${name}`);
  }
  assert.deepEqual(await namesOf('one'), ['one.parquet']);
  assert.equal((await findTableFiles(root, 'two'))?.format, 'csv');
  assert.deepEqual(await namesOf('many'), ['many/a/B.csv', 'many/a/z.csv', 'many/b.csv']);
});

test('does not find names outside of the pattern, missing tables and folders without files', async () => {
  write('Big.csv');
  mkdirSync(join(root, 'empty/below'), { recursive: true });
  for (const name of ['Big', 'nowhere', 'empty', '', '..', '../one', 'one.parquet', 'a'.repeat(65), 'many/a']) {
    assert.equal(await findTableFiles(root, name), null, name);
  }
});

test('reads partitions at any depth below the folder of the table', async () => {
  write('parted/year=2024/plain/place=a%20b%2Fc/f.csv');
  write('parted/year=__HIVE_DEFAULT_PARTITION__/place=/g.csv');
  const found = await findTableFiles(root, 'parted');
  assert.deepEqual(
    found?.files.map(({ partitions }) => Object.fromEntries(partitions)),
    [
      { year: '2024', place: 'a b/c' },
      { year: null, place: '' },
    ],
  );
  write('twice/k=1/k=2/f.csv');
  await assert.rejects(findTableFiles(root, 'twice'), {
    code: 'UNPROCESSABLE',
    message: /twice\/k=1\/k=2\/f\.csv.*"k"/,
  });
});

test('never follows symbolic links, and ignores special files', async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'almanac-outside-')));
  try {
    writeFileSync(join(outside, 'secret.csv'), 'a\n1\n');
    symlinkSync(join(outside, 'secret.csv'), join(root, 'linked.csv'));
    symlinkSync(outside, join(root, 'linkedfolder'));
    write('real/f.csv');
    symlinkSync(join(outside, 'secret.csv'), join(root, 'real/g.csv'));
    symlinkSync(outside, join(root, 'real/below'));
    execFileSync('mkfifo', [join(root, 'real/pipe.csv'), join(root, 'pipe.parquet')]);
    assert.equal(await findTableFiles(root, 'linked'), null);
    assert.equal(await findTableFiles(root, 'linkedfolder'), null);
    assert.equal(await findTableFiles(root, 'pipe'), null);
    assert.deepEqual(await namesOf('real'), ['real/f.csv']);
    const { names } = await listLocalTables(root);
    assert.deepEqual(
      names.filter((name) => /link|pipe/.test(name)),
      [],
    );
    symlinkSync(root, join(outside, 'root'));
    assert.equal(await resolveWarehouseFolder(join(outside, 'root')), root);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test('refuses tables that exist in two forms or in two formats', async () => {
  write('both.csv');
  write('both.parquet');
  await assert.rejects(findTableFiles(root, 'both'), { code: 'UNPROCESSABLE', message: /both\.parquet and both\.csv/ });
  write('form.csv');
  write('form/a.csv');
  await assert.rejects(findTableFiles(root, 'form'), { message: /form\.csv and form\// });
  write('mixed/a.csv');
  write('mixed/b/c.parquet');
  await assert.rejects(findTableFiles(root, 'mixed'), { code: 'UNPROCESSABLE', message: /c\.parquet.*a\.csv/ });
});

test('states the limits of files, depth and names', async () => {
  write('deep/1/2/3/4/5/6/7/8/f.csv');
  assert.equal((await namesOf('deep'))?.length, 1);
  write('deep/1/2/3/4/5/6/7/8/9/f.csv');
  await assert.rejects(findTableFiles(root, 'deep'), { code: 'UNPROCESSABLE', message: /8 levels/ });
  for (const name of ['a', 'below/b', 'below/c']) write(`full/${name}.csv`);
  assert.equal((await findTableFiles(root, 'full', 4))?.files.length, 3);
  await assert.rejects(findTableFiles(root, 'full', 3), { code: 'UNPROCESSABLE', message: /\b3\b/ });
  assert.equal(MAX_FILES, 10_000);
  write('odd/a?b.csv');
  await assert.rejects(findTableFiles(root, 'odd'), { code: 'UNPROCESSABLE', message: /odd\/a\?b\.csv/ });
});

test('refuses a warehouse folder that DuckDB would read partitions from', async () => {
  mkdirSync(join(root, 'top/k=v/in'), { recursive: true });
  await assert.rejects(resolveWarehouseFolder(join(root, 'top/k=v/in')), {
    code: 'UNPROCESSABLE',
    message: /ALMANAC_WAREHOUSE/,
  });
});

test('lists the names of all tables up to the limit', async () => {
  const folder = join(root, 'list');
  mkdirSync(folder);
  for (const name of ['b.csv', 'a.parquet', 'A.csv', 'c.txt', '.d.csv', 'a.b.csv'])
    writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'aa'));
  mkdirSync(join(folder, '_hidden'));
  assert.deepEqual(await listLocalTables(folder), { names: ['a', 'aa', 'b'], leftOut: 0 });
  assert.deepEqual(await listLocalTables(folder, 3), { names: ['a', 'aa', 'b'], leftOut: 0 });
  assert.deepEqual(await listLocalTables(folder, 2), { names: ['a', 'aa'], leftOut: 1 });
  assert.equal(MAX_TABLES, 1_000);
});

test('finds out whether a file has changed', async () => {
  write('change.csv');
  const files = (await findTableFiles(root, 'change'))?.files ?? [];
  assert.equal(await isUnchanged(files), true);
  write('change.csv', 'a\n1\n2\n');
  assert.equal(await isUnchanged(files), false);
  rmSync(join(root, 'change.csv'));
  assert.equal(await isUnchanged(files), false);
});
