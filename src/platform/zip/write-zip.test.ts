import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readZip } from '../../../test/support/platform/read-zip.ts';
import { writeZip, type ZipFile } from './write-zip.ts';
import { directoryEntry, endOfArchive } from './zip-records.ts';

const MODIFIED = new Date('2026-11-18T13:07:09Z');

async function pack(files: readonly (readonly [path: string, parts: readonly Uint8Array[]])[]): Promise<Buffer> {
  async function* list(): AsyncGenerator<ZipFile> {
    for (const [path, parts] of files) {
      yield {
        path,
        chunks: async function* () {
          yield* parts;
        },
      };
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of writeZip(list(), MODIFIED)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('writes files of any content and length, and names beyond ASCII', async () => {
  const random = randomBytes(300_000);
  const parts = [random.subarray(0, 7), random.subarray(7, 200_000), random.subarray(200_000)];
  const files = readZip(
    await pack([
      ['empty.txt', []],
      ['a/Übersicht.csv', [Buffer.from('a,b\r\n')]],
      ['random.bin', parts],
    ]),
  );
  assert.deepEqual([...files.keys()], ['empty.txt', 'a/Übersicht.csv', 'random.bin']);
  assert.equal(files.get('a/Übersicht.csv')?.toString(), 'a,b\r\n');
  assert.ok(files.get('empty.txt')?.length === 0 && files.get('random.bin')?.equals(random));
  assert.equal(readZip(await pack([])).size, 0);
});

test('an archive whose file fails has no directory', async () => {
  async function* files(): AsyncGenerator<ZipFile> {
    yield {
      path: 'broken',
      chunks: async function* () {
        yield Buffer.from('half');
        throw new Error('the rest is gone');
      },
    };
  }
  const chunks: Buffer[] = [];
  const writing = async () => {
    for await (const chunk of writeZip(files(), MODIFIED)) chunks.push(chunk);
  };
  await assert.rejects(writing, /the rest is gone/);
  assert.throws(() => readZip(Buffer.concat(chunks)), /has a directory/);
});

test('states positions and numbers beyond 32 and 16 bits in the records with 64 bits', () => {
  const far = 5 * 1024 ** 3;
  const entry = directoryEntry({ name: Buffer.from('x'), modified: MODIFIED, crc: 1, packed: 2, size: 3, offset: far });
  assert.deepEqual([entry.readUInt32LE(42), entry.readUInt16LE(30)], [0xffff_ffff, 12]);
  assert.equal(entry.readBigUInt64LE(46 + 1 + 4), BigInt(far));
  const end = endOfArchive(70_000, { start: far, size: 9 });
  assert.equal(end.readUInt32LE(0), 0x06064b50);
  assert.deepEqual([end.readBigUInt64LE(32), end.readBigUInt64LE(48)], [70_000n, BigInt(far)]);
  assert.equal(end.readBigUInt64LE(56 + 8), BigInt(far + 9));
  assert.equal(end.readUInt16LE(56 + 20 + 10), 0xffff);
});
