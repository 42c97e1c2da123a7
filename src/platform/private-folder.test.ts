import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePrivateFolder } from './private-folder.ts';

test('creates a folder with its parents for the owner only, and accepts an existing one', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'almanac-folder-'));
  t.after(() => rm(home, { recursive: true }));
  const folder = join(home, 'a', 'b', 'c');
  await Promise.all([makePrivateFolder(folder), makePrivateFolder(folder)]);
  await makePrivateFolder(folder);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(join(home, 'a'))).mode & 0o777, 0o700);
});

test('throws when a folder cannot be created', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'almanac-folder-'));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, 'file'), '');
  await assert.rejects(makePrivateFolder(join(home, 'file')), { code: 'EEXIST' });
  await assert.rejects(makePrivateFolder(join(home, 'file', 'below')), { code: 'ENOTDIR' });
  if (process.platform === 'linux') await assert.rejects(makePrivateFolder('/proc/nope/below'), { code: 'ENOENT' });
});
