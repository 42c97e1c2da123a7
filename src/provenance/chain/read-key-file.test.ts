import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ConfigError } from '../../platform/index.ts';
import { readKeyFile } from './read-key-file.ts';

test('reads a private key, and refuses other content without quoting it', (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-key-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'key');
  writeFileSync(file, `\n0x${'AB'.repeat(32)}\n`);
  assert.equal(readKeyFile(file), `0x${'ab'.repeat(32)}`);
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
  for (const text of [
    '',
    'ab'.repeat(32),
    `0x${'ab'.repeat(31)}`,
    `0x${'ab'.repeat(32)} x`,
    `0x${'0'.repeat(64)}`,
    `0x${order}`,
  ]) {
    writeFileSync(file, text);
    assert.throws(
      () => readKeyFile(file),
      (error) =>
        error instanceof ConfigError &&
        /^ALMANAC_CHAIN_KEY_FILE: /.test(error.message) &&
        !/abab|fffe|0000/.test(error.message),
    );
  }
  assert.throws(() => readKeyFile(path.join(folder, 'none')), /^ConfigError: ALMANAC_CHAIN_KEY_FILE: .*\(ENOENT\)/);
});
