import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BackupError } from './backup-error.ts';
import type { BackupKey } from './file-key.ts';
import { seal, unseal } from './sealed-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-sealed-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const KEY: BackupKey = { kind: 'file', bytes: randomBytes(32) };
/** Two whole frames and a part of a third one. */
const CONTENT = randomBytes(2 * 256 * 1024 + 1000);

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unsealBytes(bytes: Buffer, key = KEY): Promise<Buffer> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const file = await open(path, 'r');
  try {
    return await collect(unseal(file, path, key));
  } finally {
    await file.close();
  }
}

test('returns what was sealed, whatever its length', async () => {
  for (const length of [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, CONTENT.length]) {
    const content = CONTENT.subarray(0, length);
    const sealed = await collect(seal(inPieces(content, 100_000), KEY));
    assert.ok(content.equals(await unsealBytes(sealed)), `${length} bytes`);
    if (length > 100) assert.equal(sealed.indexOf(content.subarray(0, 32)), -1, 'encrypted');
  }
});

test('detects a file that ends early, at any place', async () => {
  const sealed = await collect(seal(inPieces(CONTENT, 100_000), KEY));
  const header = sealed.indexOf('}\n') + 2;
  const places = [0, 5, 16, 17, header - 1, header, header + 3, header + 5, header + 100, sealed.length - 1];
  for (let frame = header; frame < sealed.length; frame += 5 + sealed.readUInt32BE(frame) + 16)
    places.push(frame - 1, frame, frame + 4, frame + 5);
  for (const length of places)
    await assert.rejects(
      unsealBytes(sealed.subarray(0, length)),
      { name: 'BackupError', message: /is incomplete|is not a backup/ },
      `${length}`,
    );
});

test('detects a changed bit, at any place', async () => {
  const sealed = await collect(seal(inPieces(CONTENT, 100_000), KEY));
  const header = sealed.indexOf('}\n') + 2;
  const places = [0, 20, header - 10, header, header + 2, header + 4, header + 5, header + 50_000, sealed.length - 1];
  for (let i = 0; i < 40; i++) places.push(Math.floor(Math.random() * sealed.length));
  for (const at of places) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    await assert.rejects(unsealBytes(changed), BackupError, `the bit at ${at}`);
  }
});

test('detects frames that are repeated, exchanged, removed or added', async () => {
  const sealed = await collect(seal(inPieces(CONTENT, 100_000), KEY));
  const header = sealed.indexOf('}\n') + 2;
  const frame = 5 + 256 * 1024 + 16;
  const [start, one, two, last] = [
    sealed.subarray(0, header),
    sealed.subarray(header, header + frame),
    sealed.subarray(header + frame, header + 2 * frame),
    sealed.subarray(header + 2 * frame),
  ];
  for (const parts of [
    [start, two, one, last],
    [start, one, one, two, last],
    [start, one, last],
    [start, one, two, last, last],
  ])
    await assert.rejects(unsealBytes(Buffer.concat(parts)), { message: /is damaged/ });
});

test('tells a wrong key from a damaged file', async () => {
  const passphrase: BackupKey = { kind: 'passphrase', passphrase: 'correct horse battery' };
  const sealed = await collect(seal(inPieces(Buffer.from('x'), 1), passphrase));
  assert.equal((await unsealBytes(sealed, passphrase)).toString(), 'x');
  await assert.rejects(unsealBytes(sealed, { ...passphrase, passphrase: 'correct horse batterz' }), {
    message: /^The passphrase is not the one with which .* was encrypted\. Nothing was changed\.$/,
  });
  await assert.rejects(unsealBytes(sealed, KEY), {
    message: /was encrypted with a passphrase\. Set ALMANAC_BACKUP_PASS/,
  });
  const other = await collect(seal(inPieces(Buffer.from('x'), 1), KEY));
  await assert.rejects(unsealBytes(other, passphrase), {
    message: /was encrypted with a key file\. Give --key-file\.$/,
  });
  await assert.rejects(unsealBytes(other, { kind: 'file', bytes: randomBytes(32) }), {
    message: /^The key file is not/,
  });
  assert.ok(readFileSync(join(folder, 'file')).equals(other), 'the file is not changed');
});
