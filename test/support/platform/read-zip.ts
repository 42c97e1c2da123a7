import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

/** Reads a ZIP archive by its directory, as programs do, and checks the sums. Returns the files by their paths. */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  assert.ok(end >= 0, 'the archive has a directory');
  const entries = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < entries; index++) {
    assert.equal(archive.toString('latin1', at, at + 4), 'PK\x01\x02');
    const [crc, packed, size] = [16, 20, 24].map((field) => archive.readUInt32LE(at + field));
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const start = archive.readUInt32LE(at + 42);
    const path = archive.toString('utf8', at + 46, at + 46 + name);
    const content = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const bytes = inflateRawSync(archive.subarray(content, content + (packed ?? 0)));
    assert.deepEqual([crc32(bytes), bytes.length], [crc, size], path);
    assert.ok(!files.has(path), `${path} is there once`);
    files.set(path, bytes);
    at += 46 + name + extra + comment;
  }
  assert.equal(at, end, 'the directory ends where the archive does');
  return files;
}
