import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync as compressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { locatePgliteFiles } from '../../src/platform/database/pglite-files.ts';

/** The files of running processes, and the space that is reserved for a full disk. A start writes them again. */
const LEFT_OUT = ['control.json', 'database.reserve'];
/** Ten times as fast as the best quality; the result is a twentieth larger. */
const QUALITY = 9;

/**
 * Packs a data folder with the embedded database, which no process uses: a line of JSON that lists folders and files in the
 * order of their names, followed by their contents. Equal files share one content.
 */
export async function packFolder(folder: string): Promise<Buffer> {
  await cutLog(folder);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: relative(folder, join(entry.parentPath, entry.name)) }))
    .filter(({ path }) => !LEFT_OUT.includes(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const pathsOf = (isChosen: (entry: Dirent) => boolean) =>
    entries.filter(({ entry }) => isChosen(entry)).map(({ path }) => path);
  const contents: Buffer[] = [];
  const offsets = new Map<string, number>();
  let size = 0;
  const files = pathsOf((entry) => entry.isFile()).map((path) => {
    const content = readFileSync(join(folder, path));
    const digest = createHash('sha256').update(content).digest('hex');
    const offset = offsets.get(digest) ?? size;
    if (offset === size) {
      offsets.set(digest, offset);
      contents.push(content);
      size += content.length;
    }
    return [path, offset, content.length];
  });
  const head = JSON.stringify({ folders: pathsOf((entry) => entry.isDirectory()), files });
  return Buffer.concat([Buffer.from(`${head}\n`), ...contents]);
}

/** Removes the write-ahead log before the last checkpoint: it has a copy of everything that was written. */
async function cutLog(folder: string): Promise<void> {
  const pglite = await PGlite.create({ dataDir: locatePgliteFiles(folder) });
  try {
    await pglite.exec('VACUUM (FULL, ANALYZE)');
    // Otherwise an earlier segment would become the next one, with its content.
    await pglite.exec('SET wal_recycle = off');
    await pglite.exec('SELECT pg_switch_wal()');
    await pglite.exec('CHECKPOINT');
    await pglite.exec('CHECKPOINT');
  } finally {
    await pglite.close();
  }
}

/** Compresses with the largest window that every reader accepts. */
export function compress(content: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return compressSync(content, { params });
}
