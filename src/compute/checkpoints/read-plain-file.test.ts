import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256Of } from '../../../test/support/compute/checkpoint-server.ts';
import { readPlainFile, withTimeout } from './read-plain-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-plain-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const anySize = () => {};

test('reads a file of several chunks and its hash, also through a link', async () => {
  const content = Buffer.alloc((1 << 20) * 2 + 5, 'abc');
  writeFileSync(at('file'), content);
  symlinkSync(at('file'), at('link'));
  for (const name of ['file', 'link']) {
    const { bytes, sha256 } = await readPlainFile(at(name), anySize);
    assert.ok(content.equals(bytes));
    assert.equal(sha256, sha256Of(content));
  }
});

test('checks the size before reading', async () => {
  writeFileSync(at('short'), 'four');
  const refuse = (size: number) => assert.fail(`${size} bytes`);
  await assert.rejects(readPlainFile(at('short'), refuse), /4 bytes/);
});

// Opening or reading a pipe would wait for a writer.
test('refuses anything but a plain file without waiting', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  for (const path of [at('pipe'), at('folder'), '/dev/zero']) {
    await assert.rejects(readPlainFile(path, anySize), /it is not a plain file/, path);
  }
});

test('passes on a result or an error that comes in time', async () => {
  assert.equal(await withTimeout(10_000, async () => 7), 7);
  await assert.rejects(
    withTimeout(10_000, async () => {
      throw new Error('no');
    }),
    /^Error: no$/,
  );
});

test('abandons work that does not end in time, and aborts its signal', async () => {
  let given: AbortSignal | undefined;
  const waiting = withTimeout(20, (signal) => {
    given = signal;
    return new Promise(() => {});
  });
  await assert.rejects(waiting, /^Error: it took longer than 0\.02 seconds$/);
  assert.equal(given?.aborted, true);
});
