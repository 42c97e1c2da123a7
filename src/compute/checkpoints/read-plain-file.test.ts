import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256Of } from '../../../test/support/compute/checkpoint-server.ts';
import { readPlainFile } from './read-plain-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-plain-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const anySize = () => {};

test('a file of several pieces comes whole, with its hash, also through a link', async () => {
  const content = Buffer.alloc((1 << 20) * 2 + 5, 'abc');
  writeFileSync(at('file'), content);
  symlinkSync(at('file'), at('link'));
  for (const name of ['file', 'link']) {
    const { bytes, sha256 } = await readPlainFile(at(name), anySize);
    assert.ok(content.equals(bytes));
    assert.equal(sha256, sha256Of(content));
  }
});

test('the size is looked at first', async () => {
  writeFileSync(at('short'), 'four');
  const refuse = (size: number) => assert.fail(`${size} bytes`);
  await assert.rejects(readPlainFile(at('short'), refuse), /4 bytes/);
});

// Reading it would wait for a writer, and so would opening it.
test('what is no plain file is refused at once', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  for (const path of [at('pipe'), at('folder'), '/dev/zero']) {
    await assert.rejects(readPlainFile(path, anySize), /it is not a plain file/, path);
  }
});
