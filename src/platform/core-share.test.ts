import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixedShare, shareCores } from './core-share.ts';

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'almanac-cores-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test('divides the cores among busy processes, and an idle or ended one has no share', async () => {
  using folder = temporaryFolder();
  const shared = join(folder.path, 'busy');
  const cores = shareCores(shared, 8);
  const alone = cores.take();
  assert.equal(alone.threads, 8);
  const [own = ''] = readdirSync(shared);

  const other = spawn(process.execPath, ['--eval', 'process.stdin.resume()']);
  await once(other, 'spawn');
  // Field 22 of the status is the start time.
  const stat = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(') ')[1] ?? '';
  const ofOther = join(shared, `${other.pid}_${stat.split(' ')[19]}`);
  writeFileSync(ofOther, '');
  const second = cores.take();
  assert.equal(second.threads, 4, 'two busy processes');
  assert.equal(shareCores(shared, 1).take().threads, 1, 'at least one');

  other.kill('SIGKILL');
  await once(other, 'exit');
  writeFileSync(join(shared, `${process.pid}_1`), ''); // the id of this process, used by an earlier one
  assert.equal(cores.take().threads, 8);
  assert.deepEqual(readdirSync(shared), [own], 'the files of ended processes are removed');
});

test('is busy from the start of the first task to the end of the last one', () => {
  using folder = temporaryFolder();
  const cores = shareCores(folder.path, 2);
  const [first, second] = [cores.take(), cores.take()];
  assert.deepEqual([first.threads, second.threads], [2, 2], 'a process does not count itself twice');
  first.release();
  assert.equal(readdirSync(folder.path).length, 1);
  second.release();
  assert.deepEqual(readdirSync(folder.path), []);
});

test('neither counts nor removes files behind a link, or files of another kind', () => {
  using folder = temporaryFolder();
  const ended = join(folder.path, '4194304_1'); // larger than any process id
  const other = join(folder.path, 'other');
  for (const file of [ended, other]) writeFileSync(file, '');
  const link = `${folder.path}-link`;
  symlinkSync(folder.path, link);
  using _removed = { [Symbol.dispose]: () => rmSync(link) };
  assert.equal(shareCores(link, 2).take().threads, 2);
  assert.deepEqual(readdirSync(folder.path).sort(), ['4194304_1', 'other']);
  const { release } = shareCores(folder.path, 2).take();
  release();
  assert.deepEqual(readdirSync(folder.path), ['other'], 'in an own folder, files of ended processes are removed');
});

test('takes all cores if the folder cannot be used', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  const { threads, release } = shareCores(join(file, 'below'), 3).take();
  release();
  assert.equal(threads, 3);
  assert.ok(existsSync(file));
  assert.equal(fixedShare(5).take().threads, 5);
});
