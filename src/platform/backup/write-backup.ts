import { createHash } from 'node:crypto';
import { lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from './backup-error.ts';
import { RowDigest } from './copied-rows.ts';
import type { BackupKey } from './file-key.ts';
import { listTables, measureTables, readSequences } from './list-tables.ts';
import type { About, Manifest, StoredFile } from './manifest.ts';
import { type BackupRecord, encodeRecords, jsonRecord, RECORDS } from './records.ts';
import type { TableAccess } from './table-access.ts';

/** How much was copied. */
export interface BackupProgress {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  /** About how many bytes there are in all. */
  readonly totalBytes: number;
}

export interface BackupOptions {
  readonly path: string;
  readonly key: BackupKey;
  readonly about: About;
  /** The private files of the data folder. */
  readonly files: readonly StoredFile[];
  /** Whether an existing file is replaced. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

export interface WrittenBackup {
  readonly manifest: Manifest;
  /** The size of the file. */
  readonly size: number;
}

/**
 * Writes all tables and the files into one encrypted file. The file appears under its name only when it is complete and
 * on the disk.
 */
export async function writeBackup(access: TableAccess, options: BackupOptions): Promise<WrittenBackup> {
  const { path, key, isForced, signal } = options;
  await requireTarget(path, isForced);
  const partial = `${path}.partial`;
  // A file that a killed backup left behind may be readable by others.
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', 0o600);
  try {
    let manifest: Manifest | undefined;
    const records = listRecords(access, options, (complete) => {
      manifest = complete;
    });
    for await (const bytes of encodeRecords(records, key)) {
      signal.throwIfAborted();
      await file.writeFile(bytes);
    }
    await file.sync();
    const { size } = await file.stat();
    await file.close();
    await requireTarget(path, isForced);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return { manifest: manifest as Manifest, size };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new BackupError(`The disk of ${path} is full. Nothing was kept. Free some space, or choose another disk.`);
    }
    throw error;
  }
}

/** Throws unless a backup can have this name. The name of a device, a folder or a link is never taken. */
export async function requireTarget(path: string, isForced: boolean): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new BackupError(`${path} cannot be written: ${error.message}. Choose another name.`);
  });
  if (found !== null && !found.isFile()) {
    throw new BackupError(`${path} is not a regular file. Nothing was changed. Choose another name.`);
  }
  if (found !== null && !isForced) {
    throw new BackupError(`${path} exists. Nothing was changed. Choose another name, or replace it with --force.`);
  }
  const folder = await stat(dirname(path)).catch(() => null);
  if (folder?.isDirectory() !== true) {
    throw new BackupError(`The folder ${dirname(path)} does not exist. Create it, or choose another name.`);
  }
}

/** Makes the new name of a file survive a power loss. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Yields everything that a backup contains. This is the one place that reads the bytes of a service: its rows, which
 * include snapshots, results and files, and the private files of its data folder.
 */
async function* listRecords(
  access: TableAccess,
  { about, files, onProgress }: BackupOptions,
  onComplete: (manifest: Manifest) => void,
): AsyncGenerator<BackupRecord> {
  yield jsonRecord(RECORDS.about, about);
  const shapes = await listTables(access.executor);
  const totalBytes = await measureTables(access.executor, shapes);
  const tables: Manifest['tables'] = [];
  let rows = 0;
  let bytes = 0;
  for (const shape of shapes) {
    const { name } = shape;
    const columns = [...shape.columns];
    yield jsonRecord(RECORDS.table, { name, columns });
    const digest = new RowDigest();
    for await (const piece of access.readRows(shape)) {
      digest.add(piece);
      yield { kind: RECORDS.rows, bytes: piece };
      const soFar = digest.summary();
      onProgress({ table: name, rows: rows + soFar.rows, bytes: bytes + soFar.bytes, totalBytes });
    }
    const summary = digest.summary();
    rows += summary.rows;
    bytes += summary.bytes;
    tables.push({ name, columns, ...summary });
    yield jsonRecord(RECORDS.tableEnd, { name, ...summary });
  }
  for (const file of files) yield jsonRecord(RECORDS.file, file);
  const manifest: Manifest = {
    ...about,
    tables,
    sequences: [...(await readSequences(access.executor))],
    files: files.map(({ name, content }) => ({ name, sha256: digestOf(Buffer.from(content, 'base64')) })),
  };
  yield jsonRecord(RECORDS.manifest, manifest);
  onComplete(manifest);
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
