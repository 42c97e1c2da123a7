import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { BEYOND_32_BITS, dataDescriptor, directoryEntry, endOfArchive, localHeader } from './zip-records.ts';

/** A file of a ZIP archive. */
export interface ZipFile {
  /** The path in the archive, with `/` between folders. */
  readonly path: string;
  /** The content, which must be below 4 GiB. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/**
 * Yields the bytes of a ZIP archive. Each file is read and compressed while it is sent, so that only its current part is
 * in memory, besides a short entry of the directory for each file. If a file fails, so does the archive: without the
 * directory at its end, no program takes it for complete.
 */
export async function* writeZip(files: AsyncIterable<ZipFile>, modified: Date): AsyncGenerator<Buffer> {
  const entries: Buffer[] = [];
  let position = 0;
  for await (const { path, chunks } of files) {
    const name = Buffer.from(path);
    const offset = position;
    const header = localHeader({ name, modified });
    yield header;
    const content = new DeflatedContent();
    yield* content.deflate(chunks());
    const written = { name, modified, offset, crc: content.crc, packed: content.packed, size: content.size };
    const descriptor = dataDescriptor(written);
    yield descriptor;
    position += header.length + content.packed + descriptor.length;
    entries.push(directoryEntry(written));
  }
  const directory = { start: position, size: entries.reduce((sum, { length }) => sum + length, 0) };
  for (const entry of entries) yield entry;
  yield endOfArchive(entries.length, directory);
}

/** Compresses the content of one file, and measures it. */
class DeflatedContent {
  crc = 0;
  size = 0;
  packed = 0;

  async *deflate(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const deflating = createDeflateRaw();
    const feeding = pipeline(this.#measure(chunks), deflating);
    // The loop below throws the same error.
    feeding.catch(() => undefined);
    for await (const chunk of deflating as AsyncIterable<Buffer>) {
      this.packed += chunk.length;
      yield chunk;
    }
    await feeding;
  }

  async *#measure(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.crc = crc32(chunk, this.crc);
      this.size += chunk.length;
      if (this.size >= BEYOND_32_BITS) throw new Error('A file of a ZIP archive must be below 4 GiB.');
      yield chunk;
    }
  }
}
